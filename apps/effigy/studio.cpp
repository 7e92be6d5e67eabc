/// Sets up the camera for all pictures of a scene, and renders them.

#include "studio.hpp"

#include <algorithm>
#include <cmath>

#include "effigy/playback_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

double length_of(Vec3 a, Vec3 b) noexcept {
    return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}, double{a.z} - double{b.z});
}

/// The point on the line from `to` through `from` at this distance from `to`.
Vec3 at_distance(Vec3 from, Vec3 to, double distance) noexcept {
    const double now = length_of(from, to);
    const double factor = now > 0 ? distance / now : 0;
    const auto moved = [&](float a, float b) {
        return static_cast<float>(double{b} + (double{a} - double{b}) * factor);
    };
    return {moved(from.x, to.x), moved(from.y, to.y), moved(from.z, to.z)};
}

Vec3 center_of(const playback::Bounds& bounds) noexcept {
    return {(bounds.low.x + bounds.high.x) / 2, (bounds.low.y + bounds.high.y) / 2, (bounds.low.z + bounds.high.z) / 2};
}

bool is_one_view(const std::vector<Shot>& shots) noexcept {
    return std::all_of(shots.begin(), shots.end(), [&](const Shot& shot) {
        return shot.view.yaw == shots.front().view.yaw && shot.view.pitch == shots.front().view.pitch;
    });
}

/// How far a camera must be that is aimed at `center` instead, and still sees at the edge what it saw there.
double distance_for(const render::Camera& camera, Vec3 center) noexcept {
    const double slope = std::tan(double{camera.field_of_view} / 2 * degree);
    return length_of(camera.position, camera.target) + length_of(camera.target, center) / slope;
}

void aim_at(render::Camera& camera, Vec3 center, double distance) noexcept {
    const Vec3 position{camera.position.x + center.x - camera.target.x, camera.position.y + center.y - camera.target.y,
                        camera.position.z + center.z - camera.target.z};
    camera.position = at_distance(position, center, distance);
    camera.target = center;
}

/// Different views show the scene in one size, and its centre in the centre of the picture.
std::vector<render::Camera> cameras_together(const std::vector<render::Framer>& framers, Vec3 center) {
    std::vector<render::Camera> cameras;
    double distance = 0;
    for (const render::Framer& framer : framers) {
        cameras.push_back(framer.camera());
        distance = std::max(distance, distance_for(cameras.back(), center));
    }
    for (render::Camera& camera : cameras) aim_at(camera, center, distance);
    return cameras;
}

/// Around a vertical axis through `center`.
Vec3 turned(Vec3 point, Vec3 center, double yaw) noexcept {
    const double x = double{point.x} - double{center.x}, z = double{point.z} - double{center.z};
    const double sine = std::sin(yaw * degree), cosine = std::cos(yaw * degree);
    return {static_cast<float>(double{center.x} + x * cosine + z * sine), point.y,
            static_cast<float>(double{center.z} - x * sine + z * cosine)};
}

float distance_from_axis(Vec3 point, Vec3 center) noexcept {
    const float distance = std::hypot(point.x - center.x, point.z - center.z);
    return std::isfinite(distance) ? distance : 0;
}

/// How far anything stands from the vertical axis through `center`.
float reach_of(const playback::Poser& poser, Vec3 center) noexcept {
    float reach = 0;
    for (const playback::PosedMesh& mesh : poser.meshes()) {
        for (const Vec3& point : mesh.vertices.positions) reach = std::max(reach, distance_from_axis(point, center));
    }
    if (!poser.meshes().empty()) return reach;
    for (const Mat4& joint : poser.models())
        reach = std::max(reach, distance_from_axis({joint.m[12], joint.m[13], joint.m[14]}, center));
    return reach;
}

/// What a turning scene sweeps is as wide from everywhere: the camera found for the front goes around.
std::vector<render::Camera> cameras_around(const std::vector<Shot>& shots, playback::Bounds bounds, float reach,
                                           float aspect) {
    const Vec3 center = center_of(bounds);
    bounds.low = {center.x - reach, bounds.low.y, center.z - reach};
    bounds.high = {center.x + reach, bounds.high.y, center.z + reach};
    std::vector<render::Camera> cameras;
    for (const Shot& shot : shots) {
        render::Camera camera = render::frame(bounds, {0, shot.view.pitch}, aspect);
        aim_at(camera, center, distance_for(camera, center));
        const double yaw = shot.view.yaw;
        camera.position = turned(camera.position, center, yaw);
        camera.up = turned(camera.up, {}, yaw);
        cameras.push_back(camera);
    }
    return cameras;
}

/// A surface without light on it lives from its texture: where that is missing its shape would not be seen. One that
/// never had a texture is meant to look as it does.
void light_bare_materials(Scene& scene, const Report& report) noexcept {
    const bool were_left_out = report.count(codes::texture_missing) != 0;
    for (Material& material : scene.materials) {
        const TextureSlot& slot = material.base_color_texture;
        const bool is_empty = slot.used() && slot.image < scene.images.size() && scene.images[slot.image].bytes.empty();
        if (is_empty || (!slot.used() && were_left_out)) material.unlit = false;
    }
}

bool is_blank(const render::Frame& frame) noexcept {
    const auto is_hit = [](float depth) { return std::isfinite(depth); };
    if (std::any_of(frame.depth.begin(), frame.depth.end(), is_hit)) return false;
    // What is thinner than a pixel shows only in colours, as bones do.
    const auto& rgba = frame.picture.rgba;
    return std::equal(rgba.begin() + 4, rgba.end(), rgba.begin());
}

}  // namespace

Result<Studio> Studio::open(Scene scene, const playback::PoserOptions& options, const Limits& limits, Report& report) {
    auto place = std::make_unique<Scene>(std::move(scene));
    light_bare_materials(*place, report);
    auto poser = playback::Poser::make(*place, options);
    if (!poser) return fail(std::move(poser.error()));
    auto renderer = render::Renderer::open(*place, limits);
    if (!renderer) return fail(std::move(renderer.error()));
    report.append(std::move(renderer->report));
    return Studio(std::move(place), std::move(*poser), std::move(renderer->value));
}

template <class Look>
Result<void> Studio::for_each_pose(Look&& look) {
    for (std::size_t i = 0; i < shots_.size(); ++i) {
        if (i != 0 && shots_[i].time == shots_[i - 1].time) continue;
        if (auto posed = poser_.pose(clip_, shots_[i].time); !posed) return posed;
        look();
    }
    return {};
}

Result<void> Studio::arrange(std::vector<Shot> shots, Index clip, Framing framing, float aspect) {
    shots_ = std::move(shots);
    for (Shot& shot : shots_) shot.view.yaw += scene_->facing;
    clip_ = clip;
    is_loaded_ = false;
    playback::Bounds bounds;
    std::vector<render::Framer> framers;
    if (framing == Framing::together) {
        for (const Shot& shot : shots_) {
            if (framers.empty() || !is_one_view(shots_)) framers.emplace_back(shot.view, aspect);
        }
    }
    const auto look = [&] {
        bounds.add(poser_.bounds());
        for (render::Framer& framer : framers) framer.add(poser_);
    };
    if (auto done = for_each_pose(look); !done) return done;
    if (framing == Framing::together) {
        cameras_ = framers.size() == 1 ? std::vector(shots_.size(), framers.front().camera())
                                       : cameras_together(framers, center_of(bounds));
        return {};
    }
    float reach = 0;
    const Vec3 center = center_of(bounds);
    if (auto done = for_each_pose([&] { reach = std::max(reach, reach_of(poser_, center)); }); !done) return done;
    cameras_ = cameras_around(shots_, bounds, reach, aspect);
    return {};
}

Result<image::Picture> Studio::draw(std::size_t shot, const render::Options& options) {
    const double time = shots_[shot].time;
    if (!is_loaded_ || time != loaded_time_) {
        if (auto posed = poser_.pose(clip_, time); !posed) return fail(std::move(posed.error()));
        if (auto loaded = renderer_.load(poser_); !loaded) return fail(std::move(loaded.error()));
        is_loaded_ = true;
        loaded_time_ = time;
    }
    auto frame = renderer_.draw(cameras_[shot], options);
    if (!frame) return fail(std::move(frame.error()));
    if (is_blank(*frame)) ++blank_pictures_;
    return std::move(frame->picture);
}

bool Studio::note_blank(Report& report) const {
    if (blank_pictures_ == 0) return false;
    report.add(make_finding(codes::render_blank, {}, "nothing of the model is seen; another --view may show it",
                            std::to_string(blank_pictures_) + " of " + counted(shots_.size(), "picture")));
    return true;
}

}  // namespace effigy::app
