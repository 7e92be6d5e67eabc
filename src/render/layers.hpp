#pragma once
/// What a ray sees, one behind the other.

#include <array>
#include <cstddef>

#include "point.hpp"
#include "tracer.hpp"

namespace effigy::render {

/// Hits by ascending distance; only the last one may be opaque.
struct Layers {
    static constexpr std::size_t most = 32;
    std::array<Hit, most + 1> hits;
    std::size_t count = 0;
};

/// From the nearest triangle that `ray` meets to what it sees: triangles seen from behind that have no back side, and
/// holes, let it pass. Beyond the 32nd translucent layer only what is opaque is seen.
void look(const Model& model, const Tracer& tracer, const Ray& ray, const Hit& nearest, Layers& layers);

/// Lets light through holes and through what is rather transparent than not.
class LightPassage final : public Passage {
public:
    explicit LightPassage(const Model& model) : model_(model) {}
    bool lets_pass(const Hit& hit, const glm::vec3& direction) override;

private:
    const Model& model_;
};

}  // namespace effigy::render
