#pragma once
/// Switches of conversions: each is declared once, by the family that heeds it, and given as text.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/result.hpp"

namespace effigy {

enum class OptionType : std::uint8_t { flag, integer, number, choice, text, path };

/// What a family says about a switch. `max-error` is `--max-error` on the command line.
struct OptionDeclaration {
    std::string_view name;
    OptionType type = OptionType::flag;
    std::string_view help;                        ///< one sentence, without a full stop
    std::string_view argument{};                  ///< what stands for the value in texts: "NUMBER"
    std::string_view default_value{};             ///< as text; empty: that of the format or of the file
    double min = 0, max = 0;                      ///< of integers and numbers
    std::string_view range_text{};                ///< "a number between 0 and 1000 is needed"
    std::span<const std::string_view> choices{};  ///< of choices; of integers, words that are allowed as well
    std::span<const std::string_view> formats{};  ///< ids; empty: all formats of the family
    bool reads = false;                           ///< about files that become a scene
    bool writes = false;                          ///< about a scene that becomes files
    bool locates = false;  ///< about where files are found that others name, whatever their format
    bool repeats = false;
    bool rare = false;            ///< listed last
    bool way_back = false;        ///< `via` gives it to the reading of what it has written, too
    std::string_view excludes{};  ///< another switch that cannot be given with this one
    std::string_view needs{};     ///< another switch without which this one says nothing
    std::string_view alone{};     ///< on a command line, what the switch without a value means; empty: it needs one
    std::string (*problem)(std::string_view value) = nullptr;  ///< of texts: what is wrong with one, or nothing
};

/// A declaration and whose it is.
struct DeclaredOption {
    OptionDeclaration declaration;
    std::string_view family{};        ///< id; empty: general
    std::string_view family_title{};  ///< for people: "EMotion FX"
};

/// What is wrong with a value, in words for the user; empty if nothing is.
[[nodiscard]] std::string option_problem(const OptionDeclaration& declaration, std::string_view value);

/// Values by name. Whoever takes them compares them with the declarations first, so that a wrong one is never passed
/// over: failures have the code "usage-option" and say what would be right.
class OptionValues {
public:
    OptionValues() = default;
    OptionValues(std::initializer_list<std::pair<std::string_view, std::string_view>> values);

    /// In place of what was given before. A flag is "true" or "false".
    void set(std::string_view name, std::string_view value = "true");
    /// One more, of a switch that may be repeated.
    void add(std::string_view name, std::string_view value);
    void erase(std::string_view name);

    [[nodiscard]] bool has(std::string_view name) const noexcept { return values_.find(name) != values_.end(); }
    [[nodiscard]] bool flag(std::string_view name) const { return text(name) == "true"; }
    [[nodiscard]] std::string text(std::string_view name, std::string_view fallback = {}) const;
    [[nodiscard]] double number(std::string_view name, double fallback = 0) const;
    [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
    /// The place of the value among `choices`; nothing if it was not given.
    [[nodiscard]] std::optional<std::size_t> choice(std::string_view name,
                                                    std::span<const std::string_view> choices) const;

    using Values = std::map<std::string, std::vector<std::string>, std::less<>>;
    [[nodiscard]] const Values& all() const noexcept { return values_; }

private:
    Values values_;
};

/// Letters to put in, leave out or change to make one word of the other: for suggestions. Time is the product of both
/// lengths.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Fails with "usage-option" for a name that is not declared and for a value that does not fit.
[[nodiscard]] Result<void> check_options(const OptionValues& values, std::span<const DeclaredOption> declared);

}  // namespace effigy
