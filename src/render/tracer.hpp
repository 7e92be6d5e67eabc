#pragma once
/// Which triangle a ray meets.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>

#include "effigy/result.hpp"

#include "embree_library.hpp"
#include "geometry.hpp"

namespace effigy::render {

struct Ray {
    glm::vec3 origin{0};
    glm::vec3 direction{0};
    float near = 0;
    float far = 0;  ///< in lengths of `direction`
};

struct Hit {
    std::uint32_t triangle = no_index;  ///< no_index: nothing is met
    float distance = 0;                 ///< in lengths of the ray's direction
    float u = 0, v = 0;                 ///< weights of the triangle's corners b and c
};

inline constexpr std::size_t packet_size = 8;
using RayPacket = std::array<Ray, packet_size>;
using HitPacket = std::array<Hit, packet_size>;

/// What is asked about triangles that a ray meets, when some of them do not stop it.
class Passage {
public:
    virtual ~Passage() = default;
    /// Does `hit` let the ray pass?
    virtual bool lets_pass(const Hit& hit, const glm::vec3& direction) = 0;
};

class Tracer {
public:
    [[nodiscard]] static Result<Tracer> make(std::shared_ptr<const Embree> embree);
    Tracer(Tracer&&) noexcept;
    Tracer& operator=(Tracer&&) noexcept;
    ~Tracer();

    /// `geometry` must stay as it is until the next build. Memory is the only thing that can be missing.
    [[nodiscard]] Result<void> build(const Geometry& geometry);

    /// The first `count` rays' nearest triangles.
    void nearest(const RayPacket& rays, std::size_t count, HitPacket& hits) const;
    [[nodiscard]] Hit nearest(const Ray& ray, Passage& passage) const;
    /// One bit for each of the first `count` rays: does something stop it? `passage` may be null: everything does.
    [[nodiscard]] unsigned blocked(const RayPacket& rays, std::size_t count, Passage* passage) const;

private:
    struct State;
    explicit Tracer(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace effigy::render
