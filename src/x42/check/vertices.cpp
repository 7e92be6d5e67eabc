/// What stands for each vertex: blending, bounds, normals and tangents.

#include <algorithm>
#include <cmath>
#include <span>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"

namespace effigy::x42::checks {

namespace {

class BlendCheck {
public:
    explicit BlendCheck(const Context& context) : context_(context), file_(context.file) {}

    void run() {
        std::size_t begin = 0;
        for (const Group& group : file_.groups) {
            const std::uint64_t size = blend_size(group);
            // Whatever stands behind bytes that are not there cannot be found.
            if (size > file_.blend.size() - begin) break;
            if (size != 0 && group.vertex_influences <= max_weights) check_group(group, begin);
            begin += static_cast<std::size_t>(size);
        }
        report();
    }

private:
    void check_group(const Group& group, std::size_t begin) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(file_.blend.data()) + begin;
        const std::size_t width = 2 * std::size_t{group.vertex_influences} - 1;
        for (std::uint32_t vertex = 0; vertex < group.vertex_count; ++vertex)
            check_vertex(group, {bytes + vertex * width, width}, begin + vertex * width);
    }

    void check_vertex(const Group& group, std::span<const std::uint8_t> bytes, std::size_t place) {
        const std::size_t terms = group.vertex_influences;
        unsigned sum = 0;
        bool astray = false;
        for (std::size_t term = 0; term < terms; ++term) {
            astray = astray || bytes[2 * term] >= group.influence_count;
            if (term + 1 < terms) sum += bytes[2 * term + 1];
        }
        if (astray) astray_.hit(place);
        if (sum > 255) heavy_.hit(place);
        // Exporters fill up with terms that weigh nothing.
        const auto weighs = [&](std::size_t term) { return term + 1 < terms ? bytes[2 * term + 1] != 0 : sum != 255; };
        bool twice = false;
        for (std::size_t term = 1; term < terms; ++term)
            for (std::size_t other = 0; other < term; ++other)
                twice = twice || (bytes[2 * term] == bytes[2 * other] && weighs(term) && weighs(other));
        if (twice) twice_.hit(place);
    }

    void report() {
        const auto say = [&](const Code& code, const Tally& tally) {
            if (tally)
                context_.findings.add(code, element_path("blend", tally.first), count_text(tally.count, "vertices"));
        };
        say(codes::x42_blend_index, astray_);
        say(codes::x42_weight_sum, heavy_);
        say(codes::x42_blend_repeated, twice_);
    }

    const Context& context_;
    const File& file_;
    Tally astray_, heavy_, twice_;
};

double distance(const Vec3& a, const Vec3& b) noexcept {
    return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

std::string box_text(const Vec3& low, const Vec3& high) {
    const auto axis = [](float from, float to) { return number_text(from) + " to " + number_text(to); };
    return axis(low.x, high.x) + ", " + axis(low.y, high.y) + ", " + axis(low.z, high.z);
}

class BoundsCheck {
public:
    explicit BoundsCheck(const Context& context) : context_(context), file_(context.file) {}

    void run() {
        bool fine = check_finite("header / bounds_low", file_.header.bounds_low);
        fine = check_finite("header / bounds_high", file_.header.bounds_high) && fine;
        fine = check_finite("header / sphere_center", file_.header.sphere_center) && fine;
        fine = check_radius() && fine;
        if (!fine || file_.vertices.empty()) return;
        for (const Range& range : file_.pack.vertex_positions)
            if (!is_usable(range)) return;
        measure();
        check_box();
        check_sphere();
    }

private:
    static bool finite(const Vec3& v) noexcept {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    }
    bool check_finite(const char* path, const Vec3& vector) {
        if (!finite(vector)) context_.findings.add(codes::x42_not_finite, path);
        return finite(vector);
    }
    bool check_radius() {
        const bool fine = std::isfinite(file_.header.sphere_radius);
        if (!fine) context_.findings.add(codes::x42_not_finite, "header / sphere_radius");
        return fine;
    }

    void measure() {
        PackedVec3 low{0xffff, 0xffff, 0xffff}, high{};
        for (const PackedVec3& vertex : file_.vertices) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], vertex[axis]);
                high[axis] = std::max(high[axis], vertex[axis]);
            }
        }
        const Vec3 a = unpack(low, file_.pack.vertex_positions), b = unpack(high, file_.pack.vertex_positions);
        low_ = {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
        high_ = {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
        // Packing moves a vertex by half a code, rounding a little more.
        tolerance_ = 1e-4 * (distance(low_, high_) + distance(low_, {}) + distance(high_, {}));
    }

    void check_box() {
        const Vec3 &low = file_.header.bounds_low, &high = file_.header.bounds_high;
        const auto holds = [&](float from, float to, float first, float last) {
            return first >= from - tolerance_ && last <= to + tolerance_;
        };
        if (holds(low.x, high.x, low_.x, high_.x) && holds(low.y, high.y, low_.y, high_.y) &&
            holds(low.z, high.z, low_.z, high_.z))
            return;
        context_.findings.add(codes::x42_bounds, "header / bounds_low", box_text(low, high),
                              "at least " + box_text(low_, high_));
    }

    void check_sphere() {
        const Vec3& center = file_.header.sphere_center;
        const double radius = file_.header.sphere_radius + tolerance_;
        const auto further = [&](float from, float to, float middle) {
            return std::max(std::abs(double{from} - middle), std::abs(double{to} - middle));
        };
        // If the box lies within, all do.
        if (std::hypot(further(low_.x, high_.x, center.x), further(low_.y, high_.y, center.y),
                       further(low_.z, high_.z, center.z)) <= radius)
            return;
        double furthest = 0;
        for (const PackedVec3& vertex : file_.vertices) {
            const Vec3 v = unpack(vertex, file_.pack.vertex_positions);
            const double x = double{v.x} - center.x, y = double{v.y} - center.y, z = double{v.z} - center.z;
            furthest = std::max(furthest, x * x + y * y + z * z);
        }
        furthest = std::sqrt(furthest);
        if (furthest > radius)
            context_.findings.add(codes::x42_sphere, "header / sphere_radius", number_text(file_.header.sphere_radius),
                                  "at least " + number_text(static_cast<float>(furthest)));
    }

    const Context& context_;
    const File& file_;
    Vec3 low_, high_;
    double tolerance_ = 0;
};

template <class Array, class Wrong>
void check_each(const Context& context, const Code& code, const Array& array, const char* name, std::string expected,
                Wrong&& wrong) {
    Tally tally;
    for (std::size_t index = 0; index < array.size(); ++index)
        if (wrong(array[index])) tally.hit(index);
    if (tally)
        context.findings.add(code, element_path(name, tally.first), count_text(tally.count, "vertices"),
                             std::move(expected));
}

}  // namespace

void check_blend(const Context& context) { BlendCheck(context).run(); }

void check_vertices(const Context& context) {
    BoundsCheck(context).run();
    check_each(context, codes::x42_normal_length, context.file.normals, "normals", {},
               [](const PackedNormal& n) { return (n[0] | n[1] | n[2]) == 0; });
    check_each(context, codes::x42_tangent_length, context.file.tangents, "tangents", {},
               [](const PackedTangent& t) { return (t[0] | t[1] | t[2]) == 0 || (t[4] | t[5] | t[6]) == 0; });
    check_each(context, codes::x42_tangent_sign, context.file.tangents, "tangents", "127 or -127",
               [](const PackedTangent& t) { return t[3] != 127 && t[3] != -127; });
}

}  // namespace effigy::x42::checks
