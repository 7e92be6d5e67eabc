/// Findings of diff: kinds, tolerances of numbers, what is ignored, how values are shown.

#include "diff/findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy {

namespace {

constexpr std::array<std::string_view, 27> kinds{
    "node",     "name",     "parent",   "transform", "flags",  "levels",   "mesh",   "triangles", "attribute",
    "position", "normal",   "texcoord", "color",     "weight", "data",     "target", "morph",     "assignment",
    "bind",     "material", "image",    "light",     "clip",   "duration", "track",  "extras",    "content"};

}  // namespace

std::span<const std::string_view> diff_kinds() noexcept { return kinds; }

namespace diff {

double distance(double a, double b) noexcept {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double apart = std::fabs(a - b);
    return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

std::string shown(double value) { return number_text(value + 0.0); }

std::string shown(const Vec3& v) { return "(" + shown(v.x) + ", " + shown(v.y) + ", " + shown(v.z) + ")"; }

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

bool Findings::ignores(const Code& code) const noexcept {
    const std::string_view kind = code.name.substr(std::string_view("diff-").size());
    return std::find(options_.ignore.begin(), options_.ignore.end(), kind) != options_.ignore.end();
}

void Findings::add(const Code& code, std::string path, std::string message, const std::string& a,
                   const std::string& b) {
    if (ignores(code)) return;
    report_.add(problem_at(std::move(path), code, std::move(message), shortened(b), shortened(a)));
}

void Findings::add_gain(const Code& code, std::string path, std::string message, const std::string& b,
                        const std::string& a) {
    if (ignores(code)) return;
    Diagnostic gain = problem_at(std::move(path), code, std::move(message), shortened(b), shortened(a));
    if (options_.is_made_of_a) gain.severity = Severity::info;
    report_.add(std::move(gain));
}

void Findings::note(const Code& code, std::string message) { report_.add(problem_at({}, code, std::move(message))); }

void Findings::text(const Code& code, const std::string& path, std::string_view what, const std::string& a,
                    const std::string& b) {
    if (a != b) add(code, path, std::string(what) + " differs", a, b);
}

void Findings::number(const Code& code, const std::string& path, std::string_view what, double a, double b,
                      double tolerance) {
    const double apart = distance(a, b);
    if (!(apart > tolerance)) return;
    add(code, path, std::string(what) + " differs by " + shown(apart), shown(a), shown(b));
}

void Findings::flag(const Code& code, const std::string& path, std::string_view what, bool a, bool b) {
    if (a != b) add(code, path, std::string(what) + " differs", a ? "yes" : "no", b ? "yes" : "no");
}

}  // namespace diff

}  // namespace effigy
