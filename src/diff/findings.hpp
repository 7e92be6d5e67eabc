#pragma once
/// Differences on their way into a report.

#include <cstdint>
#include <string>
#include <string_view>

#include "effigy/diff.hpp"
#include "effigy/math.hpp"

#include "core/budget.hpp"
#include "core/json_fwd.hpp"

namespace effigy::diff {

/// How far two floats are apart; numbers that are none equal each other only.
[[nodiscard]] double distance(double a, double b) noexcept;
/// A number as text; -0 is 0.
[[nodiscard]] std::string shown(double value);
[[nodiscard]] std::string shown(const Vec3& v);
/// "1 vertex", "3 vertices"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

class Findings {
public:
    explicit Findings(const DiffOptions& options) : options_(options) {}

    /// Puts down that `a` has one thing and `b` another.
    void add(const Code& code, std::string path, std::string message, const std::string& a = {},
             const std::string& b = {});
    /// Likewise, of what only `b` has.
    void add_gain(const Code& code, std::string path, std::string message, const std::string& b,
                  const std::string& a = "nothing");
    void note(const Code& code, std::string message);
    [[nodiscard]] bool ignores(const Code& code) const noexcept;
    [[nodiscard]] const DiffOptions& options() const noexcept { return options_; }
    [[nodiscard]] const DiffTolerances& tolerances() const noexcept { return options_.tolerances; }
    [[nodiscard]] Report take() { return std::move(report_); }

    // One line for each field that differs.
    void text(const Code& code, const std::string& path, std::string_view what, const std::string& a,
              const std::string& b);
    void number(const Code& code, const std::string& path, std::string_view what, double a, double b, double tolerance);
    void flag(const Code& code, const std::string& path, std::string_view what, bool a, bool b);

private:
    const DiffOptions& options_;
    Report report_;
};

/// Which members say nothing.
struct TreeRules {
    bool (*is_ignored)(std::string_view member) = nullptr;
    double number = 0;  ///< tolerance: part of the number
};

/// One finding for each value that differs, up to a number that a person reads; the rest is counted. Members go by
/// their names; elements of lists by their member `name`, or else `id`, if all have one, or else by their order.
void compare_trees(Findings& findings, const Code& code, const std::string& path, const Json& a, const Json& b,
                   const TreeRules& rules);

}  // namespace effigy::diff
