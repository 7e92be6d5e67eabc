/// Translucent layers in front of what is opaque, for views and for light.

#include <algorithm>
#include <array>

#include "tile.hpp"

namespace effigy::render {
namespace {

bool is_nearer(const Hit& a, const Hit& b) noexcept {
    return a.distance != b.distance ? a.distance < b.distance : a.triangle < b.triangle;
}

/// Notes translucent layers on the way to what is opaque.
class ViewPassage final : public Passage {
public:
    ViewPassage(const Model& model, Layers& layers) : model_(model), layers_(layers) {}

    bool lets_pass(const Hit& hit, const glm::vec3& direction) override {
        const Surface& surface = model_.surface(hit);
        if (!surface.double_sided && !is_front(model_.geometry, model_.triangle(hit), direction)) return true;
        switch (surface.alpha_mode) {
            case AlphaMode::mask:
                return raw_alpha(model_, hit) < surface.cutoff;
            case AlphaMode::blend:
                note(hit);
                return true;
            case AlphaMode::opaque:
                break;
        }
        return false;
    }

private:
    void note(const Hit& hit) noexcept {
        if (layers_.count < Layers::most) {
            layers_.hits[layers_.count++] = hit;
            return;
        }
        Hit* farthest = std::max_element(layers_.hits.begin(), layers_.hits.begin() + Layers::most, is_nearer);
        if (is_nearer(hit, *farthest)) *farthest = hit;
    }

    const Model& model_;
    Layers& layers_;
};

/// Finds hits of edges and corners that triangles of a surface share: a ray meets all of these, and shows one.
class Repeats {
public:
    Repeats(const Model& model, const glm::vec3& direction) : model_(model), direction_(direction) {}

    /// Without those, and without triangles that a tree has shown twice. The hits are sorted; the new end.
    Hit* drop(Hit* begin, Hit* end) const {
        Hit* kept = begin;
        for (const Hit* hit = begin; hit != end; ++hit) {
            if (!is_known(begin, kept, *hit)) *kept++ = *hit;
        }
        return kept;
    }

private:
    [[nodiscard]] bool is_known(const Hit* begin, const Hit* end, const Hit& hit) const {
        constexpr float near = 1e-4f;  // of the distance: grazing rays are as inexact
        while (end != begin && hit.distance - (--end)->distance <= near * hit.distance) {
            if (end->triangle == hit.triangle || is_neighbour(*end, hit)) return true;
        }
        return false;
    }

    /// Whether the second hit is on what both triangles have. One of equal corners is another layer.
    [[nodiscard]] bool is_neighbour(const Hit& first, const Hit& second) const {
        const Triangle& one = model_.triangle(first);
        const Triangle& other = model_.triangle(second);
        if (one.surface != other.surface || faces(one) != faces(other)) return false;
        const auto& positions = model_.geometry.positions;
        const auto is_shared = [&](std::uint32_t vertex) {
            const glm::vec3& corner = positions[vertex];
            return corner == positions[one.a] || corner == positions[one.b] || corner == positions[one.c];
        };
        const std::array corners{other.a, other.b, other.c};
        const std::array weights{1 - second.u - second.v, second.u, second.v};
        int shared = 0;
        float elsewhere = 0;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const bool is_of_both = is_shared(corners[i]);
            shared += is_of_both ? 1 : 0;
            elsewhere += is_of_both ? 0 : weights[i];
        }
        constexpr float rounding = 1e-3f;
        return shared < 3 && elsewhere <= rounding;
    }

    [[nodiscard]] bool faces(const Triangle& triangle) const { return is_front(model_.geometry, triangle, direction_); }

    const Model& model_;
    const glm::vec3& direction_;
};

}  // namespace

void look(const Model& model, const Tracer& tracer, const Ray& ray, const Hit& nearest, Layers& layers) {
    layers.count = 0;
    if (nearest.triangle == no_index) return;
    const Surface& surface = model.surface(nearest);
    const bool is_plain = surface.alpha_mode == AlphaMode::opaque &&
                          (surface.double_sided || is_front(model.geometry, model.triangle(nearest), ray.direction));
    if (is_plain) {
        layers.hits[layers.count++] = nearest;
        return;
    }
    ViewPassage passage(model, layers);
    const Hit last = tracer.nearest(ray, passage);
    auto* end = layers.hits.begin() + layers.count;
    if (last.triangle != no_index) {
        end = std::remove_if(layers.hits.begin(), end, [&](const Hit& hit) { return hit.distance > last.distance; });
    }
    std::sort(layers.hits.begin(), end, is_nearer);
    end = Repeats(model, ray.direction).drop(layers.hits.begin(), end);
    if (last.triangle != no_index) *end++ = last;
    layers.count = static_cast<std::size_t>(end - layers.hits.begin());
}

bool LightPassage::lets_pass(const Hit& hit, const glm::vec3& /*direction*/) {
    const Surface& surface = model_.surface(hit);
    if (surface.collision) return true;
    switch (surface.alpha_mode) {
        case AlphaMode::mask:
            return raw_alpha(model_, hit) < surface.cutoff;
        case AlphaMode::blend:
            return raw_alpha(model_, hit) < 0.5f;
        case AlphaMode::opaque:
            break;
    }
    return false;
}

}  // namespace effigy::render
