/// Which joints are drawn as bones, and how: shapes with soft edges over a picture.

#include "overlay.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "vectors.hpp"

namespace effigy::render {

namespace {

std::vector<bool> named_joints(const Scene& scene, const playback::Skeleton& skeleton) {
    std::vector<bool> named(skeleton.nodes.size());
    for (const Skin& skin : scene.skins) {
        for (const Index node : skin.joints) {
            if (node < skeleton.joints.size()) named[skeleton.joints[node]] = true;
        }
    }
    return named;
}

/// A joint is drawn if a skin names it, or if it stands above ones that are and below one that is, or where branches
/// that lead to them part. What only carries the whole skeleton is not drawn. Parents have smaller numbers.
std::vector<bool> connected(const playback::Skeleton& skeleton, const std::vector<bool>& named) {
    const std::size_t count = named.size();
    std::vector<bool> leads(named);
    std::vector<std::uint32_t> branches(count);
    for (std::size_t i = count; i-- > 0;) {
        const Index parent = skeleton.parents[i];
        if (!leads[i] || parent == no_index) continue;
        leads[parent] = true;
        ++branches[parent];
    }
    std::vector<bool> drawn(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Index parent = skeleton.parents[i];
        const bool is_below = parent != no_index && drawn[parent];
        drawn[i] = named[i] || (leads[i] && (is_below || branches[i] > 1));
    }
    return drawn;
}

std::vector<bool> shown_nodes(const Scene& scene, const playback::Skeleton& skeleton) {
    std::vector<bool> drawn(skeleton.nodes.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Node& node = scene.nodes[skeleton.nodes[i]];
        drawn[i] = !node.hidden && !node.collision;
    }
    return drawn;
}

glm::vec3 place_of(const Mat4& model) noexcept { return {model.m[12], model.m[13], model.m[14]}; }

}  // namespace

Bones make_bones(const playback::Poser& poser) {
    const playback::Skeleton& skeleton = poser.skeleton();
    const std::vector<bool> named = named_joints(poser.scene(), skeleton);
    const bool has_skins = std::find(named.begin(), named.end(), true) != named.end();
    const std::vector<bool> drawn = has_skins ? connected(skeleton, named) : shown_nodes(poser.scene(), skeleton);

    Bones bones;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (!drawn[i]) continue;
        const glm::vec3 place = place_of(poser.models()[i]);
        bones.joints.push_back(place);
        const Index parent = skeleton.parents[i];
        if (parent != no_index && drawn[parent]) bones.bones.push_back({place_of(poser.models()[parent]), place});
    }
    return bones;
}

namespace {

/// In sRGB, as it stands in the picture.
struct Paint {
    glm::vec3 color;
    float alpha;
};
constexpr Paint bone_paint{{0.98f, 0.72f, 0.18f}, 0.85f};
constexpr Paint rim_paint{{0.13f, 0.09f, 0.03f}, 0.9f};
constexpr Paint joint_paint{{0.95f, 0.28f, 0.16f}, 1.0f};

/// Sizes in pixels for a picture whose smaller side has this many.
constexpr float usual_side = 512;
constexpr float joint_radius = 2.6f;
constexpr float widest_bone = 5.0f;
constexpr float bone_shape = 0.09f;  ///< half the width by the length
constexpr float rim = 0.9f;

/// A line between two points with a radius at each: a dot if both are one.
struct Taper {
    glm::vec2 from, to;
    float from_radius, to_radius;
};

/// Distance of a pixel's centre from the shape's edge, negative inside.
float distance_to(const Taper& shape, const glm::vec2& place) noexcept {
    const glm::vec2 axis = shape.to - shape.from;
    const float square = glm::dot(axis, axis);
    const float t = square > 0 ? std::clamp(glm::dot(place - shape.from, axis) / square, 0.0f, 1.0f) : 0;
    return glm::length(place - shape.from - axis * t) - glm::mix(shape.from_radius, shape.to_radius, t);
}

class Canvas {
public:
    explicit Canvas(image::Picture& picture)
        : picture_(picture), scale_(static_cast<float>(std::min(picture.width, picture.height)) / usual_side) {
        scale_ = std::max(scale_, 0.5f);
    }

    [[nodiscard]] float scale() const noexcept { return scale_; }

    void outlined(const Taper& shape, const Paint& paint) {
        Taper outer = shape;
        outer.from_radius += rim * scale_;
        outer.to_radius += rim * scale_;
        fill(outer, rim_paint);
        fill(shape, paint);
    }

private:
    struct Range {
        std::int64_t first, end;
    };

    static Range pixels_between(float low, float high, std::uint32_t size) noexcept {
        const auto bounded = [size](float value) {
            return static_cast<std::int64_t>(std::clamp(value, 0.0f, static_cast<float>(size)));
        };
        return {bounded(std::floor(low)), bounded(std::ceil(high))};
    }

    /// Row by row along the axis, so that a long thin shape costs no more than its own pixels.
    void fill(const Taper& shape, const Paint& paint) {
        const float radius = std::max(shape.from_radius, shape.to_radius) + 1;
        const float low = std::min(shape.from.y, shape.to.y);
        const float high = std::max(shape.from.y, shape.to.y);
        const Range rows = pixels_between(low - radius, high + radius, picture_.height);
        for (std::int64_t y = rows.first; y < rows.end; ++y) fill_row(shape, paint, radius, y);
    }

    void fill_row(const Taper& shape, const Paint& paint, float radius, std::int64_t y) {
        const float middle = static_cast<float>(y) + 0.5f;
        const float rise = shape.to.y - shape.from.y;
        float first = 0;
        float last = 1;
        if (std::abs(rise) > 1e-3f) {
            const float a = (middle - radius - shape.from.y) / rise;
            const float b = (middle + radius - shape.from.y) / rise;
            first = std::clamp(std::min(a, b), 0.0f, 1.0f);
            last = std::clamp(std::max(a, b), 0.0f, 1.0f);
        }
        const float x0 = glm::mix(shape.from.x, shape.to.x, first);
        const float x1 = glm::mix(shape.from.x, shape.to.x, last);
        const Range columns = pixels_between(std::min(x0, x1) - radius, std::max(x0, x1) + radius, picture_.width);
        for (std::int64_t x = columns.first; x < columns.end; ++x) {
            const float covered = 0.5f - distance_to(shape, {static_cast<float>(x) + 0.5f, middle});
            if (covered > 0) put(x, y, paint, std::min(covered, 1.0f) * paint.alpha);
        }
    }

    void put(std::int64_t x, std::int64_t y, const Paint& paint, float alpha) {
        std::byte* out =
            &picture_.rgba[(static_cast<std::size_t>(y) * picture_.width + static_cast<std::size_t>(x)) * 4];
        const auto number = [out](int i) { return static_cast<float>(std::to_integer<int>(out[i])) / 255; };
        const float behind = number(3) * (1 - alpha);
        const float sum = alpha + behind;
        for (int i = 0; i < 3; ++i) {
            const float value = (paint.color[i] * alpha + number(i) * behind) / sum;
            out[i] = static_cast<std::byte>(std::lrint(value * 255));
        }
        out[3] = static_cast<std::byte>(std::lrint(std::min(sum, 1.0f) * 255));
    }

    image::Picture& picture_;
    float scale_;
};

struct Mark {
    float depth;
    bool is_joint;
    Taper shape;
};

/// Where a point stands in the picture, if it is in front of the camera and its place can be reckoned with.
std::optional<ScreenPoint> place(const Projection& projection, const glm::vec3& point) noexcept {
    const ScreenPoint screen = projection.project(point);
    const bool is_near = std::abs(screen.x) < 1e6f && std::abs(screen.y) < 1e6f;
    if (!(screen.depth > 0) || !is_near) return std::nullopt;
    return screen;
}

/// The end of a bone that is behind the camera moves along it until it is just in front.
glm::vec3 clipped(const Projection& projection, const glm::vec3& end, const glm::vec3& other) noexcept {
    const float here = glm::dot(end - projection.origin(), projection.forward());
    const float there = glm::dot(other - projection.origin(), projection.forward());
    if (here > 0 || !(there > 0)) return end;
    return glm::mix(other, end, 0.999f * there / (there - here));
}

std::vector<Mark> make_marks(const Bones& bones, const Projection& projection, float scale) {
    std::vector<Mark> marks;
    marks.reserve(bones.bones.size() + bones.joints.size());
    for (const Bone& bone : bones.bones) {
        const auto from = place(projection, clipped(projection, bone.from, bone.to));
        const auto to = place(projection, clipped(projection, bone.to, bone.from));
        if (!from || !to) continue;
        const glm::vec2 a(from->x, from->y);
        const glm::vec2 b(to->x, to->y);
        const float thick = std::clamp(glm::length(b - a) * bone_shape, 0.8f * scale, widest_bone * scale);
        marks.push_back({(from->depth + to->depth) / 2, false, {a, b, thick, 0.5f * scale}});
    }
    for (const glm::vec3& joint : bones.joints) {
        const auto at = place(projection, joint);
        if (!at) continue;
        const glm::vec2 middle(at->x, at->y);
        marks.push_back({at->depth, true, {middle, middle, joint_radius * scale, joint_radius * scale}});
    }
    // All bones, then all joints, which would be hidden under the bones' ends otherwise.
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
        return a.is_joint != b.is_joint ? b.is_joint : a.depth > b.depth;
    });
    return marks;
}

}  // namespace

void draw_bones(image::Picture& picture, const Bones& bones, const Projection& projection) {
    Canvas canvas(picture);
    for (const Mark& mark : make_marks(bones, projection, canvas.scale())) {
        canvas.outlined(mark.shape, mark.is_joint ? joint_paint : bone_paint);
    }
}

}  // namespace effigy::render
