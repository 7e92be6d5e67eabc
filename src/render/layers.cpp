/// Translucent layers in front of what is opaque, for views and for light.

#include <algorithm>

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
    // A tree may show a triangle twice.
    end = std::unique(layers.hits.begin(), end, [](const Hit& a, const Hit& b) { return a.triangle == b.triangle; });
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
