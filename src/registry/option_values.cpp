/// Values of switches: found by name, compared with their declarations.

#include "effigy/option_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "effigy/program_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy {
namespace {

std::optional<double> number_of(std::string_view text) {
    const auto number = number_from<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Adds words to a list, each once.
void add_word(std::string& list, std::string_view word) {
    const std::string one(word);
    if ((", " + list + ", ").find(", " + one + ", ") == std::string::npos) list += (list.empty() ? "" : ", ") + one;
}

/// All that are known.
std::string names_of(std::span<const DeclaredOption> declared) {
    std::string text;
    for (const DeclaredOption& option : declared) add_word(text, option.declaration.name);
    return text;
}

/// Adds what a switch may be to a list, as far as its declaration says.
void add_range(std::string& list, const OptionDeclaration& declaration) {
    std::string_view range = declaration.range_text;
    for (const std::string_view end : {" is needed", " are needed"}) {
        if (range.ends_with(end)) range.remove_suffix(end.size());
    }
    switch (declaration.type) {
        case OptionType::flag:
            return add_word(list, "true or false");
        case OptionType::choice:
            for (const std::string_view choice : declaration.choices) add_word(list, choice);
            return;
        case OptionType::integer:
        case OptionType::number:
            return add_word(list, range);
        case OptionType::text:
        case OptionType::path:
            return;
    }
}

Diagnostic option_error(const std::string& name, std::string message, std::string found, std::string expected) {
    return problem_at("options / " + name, codes::usage_option, std::move(message), std::move(found),
                      std::move(expected));
}

}  // namespace

std::string option_problem(const OptionDeclaration& declaration, std::string_view value) {
    const auto& choices = declaration.choices;
    const bool is_word = std::find(choices.begin(), choices.end(), value) != choices.end();
    switch (declaration.type) {
        case OptionType::flag:
            return value == "true" || value == "false" ? "" : "true or false is needed";
        case OptionType::choice:
            return is_word ? "" : std::string(value) + " not in {" + joined(choices, ",") + "}";
        case OptionType::integer:
        case OptionType::number: {
            const std::optional<double> number = number_of(value);
            const bool whole = declaration.type == OptionType::number || (number && *number == std::floor(*number));
            const bool fits = number && whole && *number >= declaration.min && *number <= declaration.max;
            return fits || is_word ? "" : std::string(declaration.range_text);
        }
        case OptionType::text:
        case OptionType::path:
            break;
    }
    if (value.empty()) return "a value is needed";
    return declaration.problem != nullptr ? declaration.problem(value) : "";
}

OptionValues::OptionValues(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
    for (const auto& [name, value] : values) add(name, value);
}

void OptionValues::set(std::string_view name, std::string_view value) {
    erase(name);
    add(name, value);
}

void OptionValues::add(std::string_view name, std::string_view value) {
    values_[std::string(name)].emplace_back(value);
}

void OptionValues::erase(std::string_view name) {
    if (const auto place = values_.find(name); place != values_.end()) values_.erase(place);
}

std::string OptionValues::text(std::string_view name, std::string_view fallback) const {
    const auto place = values_.find(name);
    return std::string(place == values_.end() || place->second.empty() ? fallback : place->second.back());
}

double OptionValues::number(std::string_view name, double fallback) const {
    return number_of(text(name)).value_or(fallback);
}

std::vector<std::string> OptionValues::list(std::string_view name) const {
    const auto place = values_.find(name);
    return place == values_.end() ? std::vector<std::string>() : place->second;
}

std::optional<std::size_t> OptionValues::choice(std::string_view name,
                                                std::span<const std::string_view> choices) const {
    const auto place = std::find(choices.begin(), choices.end(), text(name));
    if (!has(name) || place == choices.end()) return std::nullopt;
    return static_cast<std::size_t>(place - choices.begin());
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return row.back();
}

namespace {

/// By one of its declarations.
std::optional<Diagnostic> problem_by(const OptionDeclaration& declaration, const std::vector<std::string>& texts,
                                     const OptionValues& values) {
    const std::string name(declaration.name), flag = "--" + name;
    const auto problem = [&](const std::string& what) {
        return option_error(name, flag + ": " + what, texts.empty() ? "" : texts.back(), {});
    };
    if (texts.size() > 1 && !declaration.repeats) return problem("it is given once only");
    for (const std::string& text : texts) {
        const std::string own = option_problem(declaration, text);
        if (own.empty()) continue;
        std::string range;
        add_range(range, declaration);
        return range.empty() ? problem(own) : option_error(name, flag + " does not take this value", text, range);
    }
    if (values.has(declaration.excludes)) return problem("it excludes --" + std::string(declaration.excludes));
    if (!declaration.needs.empty() && !values.has(declaration.needs))
        return problem("it needs --" + std::string(declaration.needs));
    return std::nullopt;
}

}  // namespace

Result<void> check_options(const OptionValues& values, std::span<const DeclaredOption> declared) {
    for (const auto& [name, texts] : values.all()) {
        bool known = false;
        std::optional<Diagnostic> problem;  // of several declarations of one name, one has to take the value
        for (const DeclaredOption& option : declared) {
            if (option.declaration.name != name) continue;
            auto own = problem_by(option.declaration, texts, values);
            if (own && problem && !problem->expected.empty()) {
                add_range(problem->expected, option.declaration);
            } else if (!own || !known) {
                problem = std::move(own);
            }
            known = true;
            if (!problem) break;
        }
        if (!known)
            return fail(
                option_error(name, "there is no switch of this name", name, shortened(names_of(declared), 2000)));
        if (problem) return fail(std::move(*problem));
    }
    return {};
}

}  // namespace effigy
