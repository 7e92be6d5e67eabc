/// Adds the switches that families declare to a verb, and reads their values.

#include "declared_options.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

/// All declarations of one name.
struct Switch {
    std::vector<DeclaredOption> declared;

    [[nodiscard]] const OptionDeclaration& first() const { return declared.front().declaration; }
    [[nodiscard]] std::string flag() const { return "--" + std::string(first().name); }
    [[nodiscard]] bool is_general() const { return declared.front().family.empty() || declared.size() > 1; }
};

/// "Game to write for: victoria2, eu3 (EMotion FX); x4, xrebirth (Egosoft)".
std::string help_of(const Switch& one) {
    std::string text(one.first().help);
    if (one.declared.size() < 2) return text;
    std::string families, choices;
    bool differ = false;
    for (const DeclaredOption& option : one.declared) {
        const std::string title(option.family_title), words = joined(option.declaration.choices);
        families += (families.empty() ? "" : ", ") + title;
        choices += (choices.empty() ? ": " : "; ") + words + " (" + title + ")";
        differ = differ || words != joined(one.first().choices);
    }
    if (differ) return text + choices;
    const std::string words = joined(one.first().choices);
    return text + (words.empty() ? "" : ": " + words) + " (" + families + ")";
}

/// Of all declarations of the name.
std::vector<std::string_view> words_of(const Switch& one) {
    std::vector<std::string_view> words;
    for (const DeclaredOption& option : one.declared) {
        for (const std::string_view choice : option.declaration.choices) {
            if (std::find(words.begin(), words.end(), choice) == words.end()) words.push_back(choice);
        }
    }
    return words;
}

std::string problem_of(const Switch& one, const std::string& value) {
    std::string problem;
    for (const DeclaredOption& option : one.declared) {
        problem = option_problem(option.declaration, value);
        if (problem.empty()) return {};
    }
    const std::string words = word_list(joined(words_of(one), ","));
    return one.first().type == OptionType::choice ? value + " not in " + words : problem;
}

void add(CLI::App& verb, OptionValues& values, const Switch& one) {
    const OptionDeclaration& declaration = one.first();
    const std::string name(declaration.name);
    CLI::Option* option = nullptr;
    if (declaration.type == OptionType::flag) {
        option = verb.add_flag_function(
            one.flag(), [&values, name](std::int64_t) { values.set(name); }, help_of(one));
    } else {
        const auto take = [&values, name](const std::vector<std::string>& texts) {
            values.erase(name);
            for (const std::string& text : texts) values.add(name, text);
        };
        const std::string alone(declaration.alone);
        option = verb.add_option_function<std::vector<std::string>>(
            one.flag(), take, help_of(one) + (alone.empty() ? "" : "; alone: " + alone));
        option->allow_extra_args(false)
            ->check([one](const std::string& value) { return problem_of(one, value); },
                    word_list(joined(words_of(one), ",")))
            ->option_text(alone.empty() ? std::string(declaration.argument)
                                        : "[" + std::string(declaration.argument) + "]");
        if (!declaration.repeats) option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
        if (!declaration.default_value.empty()) option->default_str(std::string(declaration.default_value));
    }
    if (!one.is_general()) option->group(std::string(one.declared.front().family_title));
    if (one.is_general() && declaration.rare) option->group("Seldom needed");
}

/// General ones, families, rare ones of a family behind its others, rare general ones.
int place_of(const Switch& one) { return one.is_general() ? (one.first().rare ? 3 : 0) : 1; }

void add_all(CLI::App& verb, OptionValues& values, const std::vector<DeclaredOption>& options) {
    std::vector<Switch> switches;
    for (const DeclaredOption& option : options) {
        const auto known = std::find_if(switches.begin(), switches.end(),
                                        [&](const Switch& one) { return one.first().name == option.declaration.name; });
        if (known != switches.end()) {
            known->declared.push_back(option);
        } else if (verb.get_option_no_throw("--" + std::string(option.declaration.name)) == nullptr) {
            switches.push_back({{option}});
        }
    }
    std::stable_sort(switches.begin(), switches.end(),
                     [](const Switch& a, const Switch& b) { return place_of(a) < place_of(b); });
    for (const Switch& one : switches) add(verb, values, one);
    for (const Switch& one : switches) {
        if (!one.first().excludes.empty())
            verb.get_option(one.flag())->excludes("--" + std::string(one.first().excludes));
        if (!one.first().needs.empty()) verb.get_option(one.flag())->needs("--" + std::string(one.first().needs));
    }
}

}  // namespace

void add_declared_options(CLI::App& verb, OptionValues& values,
                          const std::function<bool(const DeclaredOption& option)>& wanted) {
    std::vector<DeclaredOption> options;
    for (const DeclaredOption& option : Registry::standard().options()) {
        if (wanted(option)) options.push_back(option);
    }
    add_all(verb, values, options);
}

std::vector<std::string> with_values_of_lone_switches(const CLI::App& program, std::vector<std::string> words) {
    const auto verbs = program.get_subcommands(
        [&](const CLI::App* verb) { return !words.empty() && verb->get_name() == words.front(); });
    if (verbs.empty()) return words;
    const auto end = std::find(words.begin(), words.end(), "--");
    for (auto word = words.begin(); word != end; ++word) {
        const CLI::Option* const option = word->starts_with("--") ? verbs.front()->get_option_no_throw(*word) : nullptr;
        if (option == nullptr || option->get_items_expected_max() == 0) continue;  // a flag of the verb's own, too
        for (const DeclaredOption& known : Registry::standard().options()) {
            const OptionDeclaration& declaration = known.declaration;
            if (declaration.alone.empty() || "--" + std::string(declaration.name) != *word) continue;
            // Any other word may be an input.
            const bool has_value = word + 1 != end && option_problem(declaration, *(word + 1)).empty();
            if (!has_value) *word += "=" + std::string(declaration.alone);
            break;
        }
    }
    return words;
}

void add_showing_options(CLI::App& verb, OptionValues& values) {
    std::vector<DeclaredOption> options;
    for (DeclaredOption option : Registry::standard().options()) {
        OptionDeclaration& declaration = option.declaration;
        if (!declaration.reads || declaration.name == "embed-source" || declaration.name == "resample") continue;
        if (declaration.name == "lod") {
            declaration.help = "Level of detail to show: 0, 1, ...";
            declaration.choices = {};
            declaration.default_value = "0";
            declaration.range_text = "a level (0, 1, ...) is needed";
        }
        options.push_back(option);
    }
    values.set("lod", "0");
    add_all(verb, values, options);
}

void add_encoding_option(CLI::App& verb, OptionValues& values) {
    add_declared_options(verb, values,
                         [](const DeclaredOption& option) { return option.declaration.name == "encoding"; });
}

void add_locating_options(CLI::App& verb, OptionValues& values) {
    add_declared_options(verb, values, [](const DeclaredOption& option) { return option.declaration.locates; });
}

}  // namespace effigy::app
