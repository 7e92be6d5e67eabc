/// The XPath subset of diff files ("/a/b[@name='c']"), parsed into steps.

#include "egosoft/file/xml_selector.hpp"

#include <utility>

#include "core/text.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::size_t max_steps = 16, max_conditions = 8;

class SelectorParser {
public:
    explicit SelectorParser(std::string_view text) : rest_(text) {}

    std::optional<Selector> parse() {
        Selector selector;
        skip_spaces();
        while (!rest_.empty()) {
            const bool any_depth = accept("//");
            if (!any_depth && !accept("/")) return std::nullopt;
            if (!any_depth && accept("@")) return finish(std::move(selector));
            SelectorStep step;
            step.any_depth = any_depth;
            step.name = name();
            if (step.name.empty() || !conditions(step) || selector.steps.size() == max_steps) return std::nullopt;
            selector.steps.push_back(std::move(step));
            skip_spaces();
        }
        return selector.steps.empty() ? std::nullopt : std::optional(std::move(selector));
    }

private:
    std::optional<Selector> finish(Selector selector) {
        selector.attribute = name();
        skip_spaces();
        const bool complete = !selector.steps.empty() && !selector.attribute.empty() && rest_.empty();
        return complete ? std::optional(std::move(selector)) : std::nullopt;
    }

    bool conditions(SelectorStep& step) {
        while (accept("[")) {
            do {
                if (step.conditions.size() == max_conditions || !condition(step)) return false;
            } while (accept_word("and"));
            skip_spaces();
            if (!accept("]")) return false;
        }
        return true;
    }

    bool condition(SelectorStep& step) {
        skip_spaces();
        if (!accept("@")) return false;
        SelectorStep::Condition found;
        found.attribute = name();
        skip_spaces();
        if (found.attribute.empty() || !accept("=")) return false;
        skip_spaces();
        const char quote = rest_.empty() ? '\0' : rest_.front();
        if (quote != '\'' && quote != '"') return false;
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos) return false;
        found.value = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        step.conditions.push_back(std::move(found));
        return true;
    }

    std::string name() {
        const auto is_part = [](char c) { return is_alphanumeric(c) || c == '_' || c == '-' || c == '.'; };
        std::size_t end = 0;
        while (end < rest_.size() && is_part(rest_[end])) ++end;
        std::string result(rest_.substr(0, end));
        rest_.remove_prefix(end);
        // "." and ".." are steps of another kind.
        return result.find_first_not_of('.') == std::string::npos ? std::string() : result;
    }

    bool accept(std::string_view token) {
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    bool accept_word(std::string_view word) {
        skip_spaces();
        return accept(word);
    }
    void skip_spaces() {
        const std::size_t first = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    }

    std::string_view rest_;
};

}  // namespace

const std::string* SelectorStep::wanted(std::string_view attribute) const noexcept {
    for (const Condition& condition : conditions) {
        if (condition.attribute == attribute) return &condition.value;
    }
    return nullptr;
}

std::optional<Selector> parse_selector(std::string_view text) {
    constexpr std::size_t max_size = 4096;
    return text.size() > max_size ? std::nullopt : SelectorParser(text).parse();
}

std::optional<SelectorCondition> parse_selector_condition(std::string_view text) {
    constexpr std::string_view negation = "not(", spaces = " \t\r\n";
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return std::nullopt;
    text = text.substr(first, text.find_last_not_of(spaces) - first + 1);
    const bool is_negated = text.starts_with(negation) && text.ends_with(')');
    if (is_negated) text = text.substr(negation.size(), text.size() - negation.size() - 1);
    auto selector = parse_selector(text);
    if (!selector) return std::nullopt;
    return SelectorCondition{std::move(*selector), is_negated};
}

}  // namespace effigy::egosoft
