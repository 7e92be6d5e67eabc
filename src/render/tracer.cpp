/// Rays through Embree, one or eight at a time, with a filter for translucent surfaces.

#include "tracer.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "effigy/playback_codes.hpp"

#include "embree_api.hpp"
#include "problem.hpp"

namespace effigy::render {
namespace {

/// Embree hands its own context back to the filter; what stands behind it comes along.
struct Query {
    RTCIntersectContext context;
    Passage* passage;
};

void filter(const RTCFilterFunctionNArguments* arguments) {
    Passage& passage = *reinterpret_cast<const Query*>(arguments->context)->passage;
    const unsigned size = arguments->N;
    for (unsigned i = 0; i < size; ++i) {
        if (arguments->valid[i] == 0) continue;
        const Hit hit{RTCHitN_primID(arguments->hit, size, i), RTCRayN_tfar(arguments->ray, size, i),
                      RTCHitN_u(arguments->hit, size, i), RTCHitN_v(arguments->hit, size, i)};
        const glm::vec3 direction(RTCRayN_dir_x(arguments->ray, size, i), RTCRayN_dir_y(arguments->ray, size, i),
                                  RTCRayN_dir_z(arguments->ray, size, i));
        if (passage.lets_pass(hit, direction)) arguments->valid[i] = 0;
    }
}

Query make_query(Passage* passage, RTCIntersectContextFlags flags) {
    Query query{};
    rtcInitIntersectContext(&query.context);
    query.context.flags = flags;
    query.context.filter = passage != nullptr ? filter : nullptr;
    query.passage = passage;
    return query;
}

void set_ray(RTCRay8& packet, std::size_t i, const Ray& ray) {
    packet.org_x[i] = ray.origin.x;
    packet.org_y[i] = ray.origin.y;
    packet.org_z[i] = ray.origin.z;
    packet.tnear[i] = ray.near;
    packet.dir_x[i] = ray.direction.x;
    packet.dir_y[i] = ray.direction.y;
    packet.dir_z[i] = ray.direction.z;
    packet.time[i] = 0;
    packet.tfar[i] = ray.far;
    packet.mask[i] = 0xffffffffu;
    packet.id[i] = static_cast<unsigned>(i);
    packet.flags[i] = 0;
}

struct alignas(32) Lanes {
    std::array<int, packet_size> valid{};
};

/// Lanes without a ray get the first one, so that no number in the packet is undefined.
Lanes set_rays(RTCRay8& packet, const RayPacket& rays, std::size_t count) {
    Lanes lanes;
    for (std::size_t i = 0; i < packet_size; ++i) {
        set_ray(packet, i, rays[i < count ? i : 0]);
        lanes.valid[i] = i < count ? -1 : 0;
    }
    return lanes;
}

}  // namespace

struct Tracer::State {
    std::shared_ptr<const Embree> embree;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;

    explicit State(std::shared_ptr<const Embree> library) : embree(std::move(library)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (scene != nullptr) embree->release_scene(scene);
        if (device != nullptr) embree->release_device(device);
    }
};

Tracer::Tracer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Tracer::Tracer(Tracer&&) noexcept = default;
Tracer& Tracer::operator=(Tracer&&) noexcept = default;
Tracer::~Tracer() = default;

Result<Tracer> Tracer::make(std::shared_ptr<const Embree> embree) {
    auto state = std::make_unique<State>(std::move(embree));
    // One thread builds: the same tree on every run, and so the same triangle where two lie in one place.
    state->device = state->embree->new_device("threads=1,set_affinity=0");
    if (state->device == nullptr) {
        return fail(problem(codes::render_unavailable, "Embree does not work on this machine",
                            "error " + std::to_string(state->embree->get_device_error(nullptr))));
    }
    return Tracer(std::move(state));
}

Result<void> Tracer::build(const Geometry& geometry) {
    const Embree& embree = *state_->embree;
    if (state_->scene != nullptr) embree.release_scene(std::exchange(state_->scene, nullptr));
    state_->scene = embree.new_scene(state_->device);
    embree.set_scene_flags(state_->scene,
                           static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
    if (!geometry.triangles.empty()) {
        RTCGeometry triangles = embree.new_geometry(state_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
        embree.set_shared_geometry_buffer(triangles, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                          geometry.positions.data(), 0, sizeof(glm::vec3), geometry.vertex_count());
        embree.set_shared_geometry_buffer(triangles, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          geometry.triangles.data(), 0, sizeof(Triangle), geometry.triangles.size());
        embree.commit_geometry(triangles);
        embree.attach_geometry(state_->scene, triangles);
        embree.release_geometry(triangles);
    }
    embree.commit_scene(state_->scene);
    const RTCError error = embree.get_device_error(state_->device);
    if (error != RTC_ERROR_NONE) {
        embree.release_scene(std::exchange(state_->scene, nullptr));
        return fail(problem(codes::limit_memory, "there is not enough memory to draw the scene",
                            "Embree's error " + std::to_string(error)));
    }
    return {};
}

void Tracer::nearest(const RayPacket& rays, std::size_t count, HitPacket& hits) const {
    RTCRayHit8 packet{};
    const Lanes lanes = set_rays(packet.ray, rays, count);
    std::fill_n(packet.hit.geomID, packet_size, RTC_INVALID_GEOMETRY_ID);
    Query query = make_query(nullptr, RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
    state_->embree->intersect8(lanes.valid.data(), state_->scene, &query.context, &packet);
    for (std::size_t i = 0; i < count; ++i) {
        if (packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) {
            hits[i] = {};
        } else {
            hits[i] = {packet.hit.primID[i], packet.ray.tfar[i], packet.hit.u[i], packet.hit.v[i]};
        }
    }
}

Hit Tracer::nearest(const Ray& ray, Passage& passage) const {
    RTCRayHit single{};
    single.ray = {ray.origin.x,
                  ray.origin.y,
                  ray.origin.z,
                  ray.near,
                  ray.direction.x,
                  ray.direction.y,
                  ray.direction.z,
                  0,
                  ray.far,
                  0xffffffffu,
                  0,
                  0};
    single.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    Query query = make_query(&passage, RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
    state_->embree->intersect1(state_->scene, &query.context, &single);
    if (single.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return {single.hit.primID, single.ray.tfar, single.hit.u, single.hit.v};
}

unsigned Tracer::blocked(const RayPacket& rays, std::size_t count, Passage* passage) const {
    RTCRay8 packet{};
    const Lanes lanes = set_rays(packet, rays, count);
    Query query = make_query(passage, RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
    state_->embree->occluded8(lanes.valid.data(), state_->scene, &query.context, &packet);
    unsigned bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
        // Embree marks a ray that is stopped with a far end at minus infinity.
        if (packet.tfar[i] < 0) bits |= 1u << i;
    }
    return bits;
}

}  // namespace effigy::render
