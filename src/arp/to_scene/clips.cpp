/// Clips from CAS motions and the ambient motion: rotation, translation and morph tracks, frame by frame or at a steady
/// rate, and those of the helper joints of arms.

#include "arp/to_scene/clips.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "effigy/scene_access.hpp"
#include "effigy/scene_codes.hpp"

#include "scene/resample.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

bool equal(std::span<const float> a, std::span<const float> b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// About x.
glm::dquat twist_of(const glm::dquat& rotation) noexcept {
    const double length = std::hypot(rotation.w, rotation.x);
    return length > 1e-9 ? glm::dquat(rotation.w / length, rotation.x / length, 0, 0) : glm::dquat(1, 0, 0, 0);
}

/// Of a rotation, the shorter way round.
glm::dquat fraction_of(const glm::dquat& rotation, double fraction) noexcept {
    return glm::slerp(glm::dquat(1, 0, 0, 0), rotation.w < 0 ? -rotation : rotation, fraction);
}

class TwistMaker {
public:
    TwistMaker(const Avatar& avatar, const TwistedBone& twist)
        : twist_(twist), inverse_rest_(unit(avatar.file->bones[twist.driver].inverse_twist, ignored_)) {}

    /// Tracks of the helpers, without those that do not turn.
    std::vector<Track> make(const TrackSampler& driver, std::span<const float> times) {
        std::vector<Track> tracks(twist_steps);
        std::array<glm::dquat, twist_steps> last{};
        last.fill(glm::dquat(1, 0, 0, 0));
        std::array<double, 4> value{};
        double largest = 0;
        for (const float time : times) {
            driver.at(double{time}, value);
            const glm::dquat rotation = wide(narrow(glm::dquat(value[3], value[0], value[1], value[2])));
            const glm::dquat twist = glm::normalize(twist_of(rotation) * inverse_rest_);
            const glm::dquat follow = twist_.is_forearm ? twist : glm::conjugate(twist);
            largest = std::max(largest, angle_between(follow, glm::dquat(1, 0, 0, 0)));
            for (std::size_t step = 0; step < twist_steps; ++step) {
                glm::dquat share = fraction_of(follow, static_cast<double>(step + 1) / twist_steps);
                if (glm::dot(share, last[step]) < 0) share = -share;
                last[step] = share;
                add(tracks[step], time, narrow(share));
            }
        }
        constexpr double visible = 1e-6;
        if (largest < visible) return {};
        for (std::size_t step = 0; step < twist_steps; ++step) {
            tracks[step].node = twist_.helpers[step];
            tracks[step].path = TrackPath::rotation;
        }
        return tracks;
    }

private:
    static void add(Track& track, float time, const Quat& value) {
        track.times.push_back(time);
        for (const float number : {value.x, value.y, value.z, value.w}) track.values.push_back(number);
    }

    const TwistedBone& twist_;
    std::uint64_t ignored_ = 0;
    glm::dquat inverse_rest_;
};

/// Tracks of the helper joints of arms, by those of the bones that they follow.
Result<void> add_twists(Build& build, const Avatar& avatar, Clip& clip, std::span<const float> seconds) {
    const bool each_frame = build.options.arm_twist == ArmTwist::bake && !(build.options.resample > 0);
    std::vector<Track> added;
    for (const TwistedBone& twist : avatar.twists) {
        const Index node = avatar.bone_nodes[twist.driver];
        const auto driver = std::find_if(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            return track.node == node && track.path == TrackPath::rotation;
        });
        if (driver == clip.tracks.end()) continue;
        const std::span<const float> times = each_frame ? seconds : std::span<const float>(driver->times);
        auto taken = build.take(times.size(), 2 * twist_steps * 5 * sizeof(float), "keys of helper joints");
        if (!taken) return taken;
        const TrackSampler sampler(*driver, 4, clip.rules);
        for (Track& track : TwistMaker(avatar, twist).make(sampler, times)) added.push_back(std::move(track));
    }
    for (Track& track : added) clip.tracks.push_back(std::move(track));
    return {};
}

}  // namespace

Curve::Curve(Index node, TrackPath path, std::vector<float> rest, Gap gap) : rest_(std::move(rest)), gap_(gap) {
    track_.node = node;
    track_.path = path;
}

std::span<const float> Curve::value(std::size_t key) const noexcept {
    return std::span<const float>(track_.values).subspan(key * width(), width());
}

bool Curve::put(std::uint32_t frame, std::span<const float> value) {
    if (frame < next_) return false;
    fill_until(frame);
    push(frame, value);
    next_ = frame + 1;
    return true;
}

void Curve::fill_until(std::uint32_t frame) {
    if (frame <= next_) return;
    const bool rests = frames_.empty() || gap_ == Gap::rest;
    const std::span<const float> last = rests ? std::span<const float>(rest_) : value(frames_.size() - 1);
    const std::vector<float> held(last.begin(), last.end());
    push(next_, held);
    if (frame - 1 > next_) push(frame - 1, held);
}

void Curve::push(std::uint32_t frame, std::span<const float> value_now) {
    std::array<float, 4> flipped{};
    if (track_.path == TrackPath::rotation && !frames_.empty()) {
        // Both signs are one rotation; readers should not go the long way round.
        const std::span<const float> last = value(frames_.size() - 1);
        float dot = 0;
        for (std::size_t i = 0; i < 4; ++i) dot += last[i] * value_now[i];
        for (std::size_t i = 0; i < 4; ++i) flipped[i] = dot < 0 ? -value_now[i] : value_now[i];
        value_now = flipped;
    }
    const std::size_t count = frames_.size();
    if (count >= 2 && equal(value(count - 1), value_now) && equal(value(count - 2), value_now)) {
        frames_.back() = frame;
        return;
    }
    frames_.push_back(frame);
    track_.values.insert(track_.values.end(), value_now.begin(), value_now.end());
}

std::optional<Track> Curve::finish(std::span<const float> seconds) {
    if (frames_.empty() || seconds.empty()) return std::nullopt;
    if (gap_ == Gap::rest) fill_until(static_cast<std::uint32_t>(seconds.size()));
    if (frames_.size() == 2 && equal(value(0), value(1))) {
        frames_.resize(1);
        track_.values.resize(width());
    }
    if (frames_.size() == 1 && equal(value(0), rest_)) return std::nullopt;
    for (const std::uint32_t frame : frames_) track_.times.push_back(seconds[frame]);
    return std::move(track_);
}

bool FrameTimes::add(double milliseconds, double fallback) {
    if (seconds_.empty()) {
        seconds_.push_back(0);
        return true;
    }
    constexpr double most = 1e8;  // more than a day
    const bool good = milliseconds > 0 && milliseconds < most;
    last_ += (good ? milliseconds : fallback) / 1000;
    const float before = seconds_.back();
    seconds_.push_back(std::max(static_cast<float>(last_), std::nextafter(before, std::numeric_limits<float>::max())));
    return good;
}

ClipMaker::ClipMaker(Build& build, const Avatar& avatar, Gap gap)
    : build_(&build),
      avatar_(&avatar),
      gap_(gap),
      rotations_(avatar.bone_nodes.size(), 0),
      translations_(avatar.bone_nodes.size(), 0) {
    for (const PlacedMesh& mesh : avatar.meshes) {
        const std::size_t targets = build.scene.meshes[build.scene.nodes[mesh.node].mesh].targets.size();
        morphs_.push_back({Curve(mesh.node, TrackPath::weights, std::vector<float>(targets, 0.0F), gap),
                           std::vector<float>(targets, 0.0F),
                           {}});
    }
}

Result<ClipMaker> ClipMaker::make(Build& build, const Avatar& avatar, Gap gap, std::uint64_t frames,
                                  std::uint64_t entries) {
    constexpr std::uint64_t key_size = sizeof(std::uint32_t) + 5 * sizeof(float);
    constexpr std::uint64_t max_keys = 2 * 3;  // growing arrays, and gaps before and behind
    auto taken = build.take(entries, max_keys * key_size, "keys of bones").and_then([&] {
        return build.take(frames + 1, 16, "frames");
    });
    for (const PlacedMesh& mesh : avatar.meshes) {
        const std::size_t targets = build.scene.meshes[build.scene.nodes[mesh.node].mesh].targets.size();
        if (taken) taken = build.take(frames + 4, 2 * sizeof(float) * (targets + 1), "keys of morph targets");
    }
    if (taken) taken = build.take(avatar.bone_nodes.size(), 2 * (sizeof(Curve) + 64), "curves of bones");
    if (!taken) return fail(std::move(taken.error()));
    return ClipMaker(build, avatar, gap);
}

void ClipMaker::note_unmatched(std::string_view name) {
    // Enough to tell by; the rest of a swarm adds nothing.
    constexpr std::size_t most = 1000;
    if (unmatched_.size() >= most || !unmatched_.emplace(name).second) return;
    unmatched_names_.add(build_->text(name.substr(0, 80)));
}

std::size_t ClipMaker::bone(std::string_view name) {
    const std::size_t found = avatar_->find(name);
    if (found == avatar_->no_bone()) note_unmatched(name);
    return found;
}

Curve& ClipMaker::curve_of(std::size_t bone, TrackPath path) {
    const bool rotates = path == TrackPath::rotation;
    std::uint32_t& number = (rotates ? rotations_ : translations_)[bone];
    if (number == 0) {
        const Index node = avatar_->bone_nodes[bone];
        const auto& [t, r, s] = build_->scene.nodes[node].local;
        curves_.emplace_back(node, path, rotates ? std::vector{r.x, r.y, r.z, r.w} : std::vector{t.x, t.y, t.z}, gap_);
        number = static_cast<std::uint32_t>(curves_.size());
    }
    return curves_[number - 1];
}

void ClipMaker::put_rotation(std::uint32_t frame, std::size_t bone, const glm::dquat& rotation) {
    const Quat value = narrow(rotation);
    const std::array<float, 4> numbers{value.x, value.y, value.z, value.w};
    if (!curve_of(bone, TrackPath::rotation).put(frame, numbers)) ++repeated_;
}

void ClipMaker::put_translation(std::uint32_t frame, std::size_t bone, const Vec3& translation) {
    glm::dvec3 moved = wide(translation);
    moved.y += double{avatar_->file->skeleton_offset};
    if (!is_finite(moved)) ++not_finite_;
    const Vec3 value = narrow(moved * avatar_->metres);
    const std::array<float, 3> numbers{value.x, value.y, value.z};
    if (!curve_of(bone, TrackPath::translation).put(frame, numbers)) ++repeated_;
}

void ClipMaker::set_morph(std::string_view name, float amount) {
    if (!std::isfinite(amount)) {
        ++not_finite_;
        return;
    }
    bool known = false;
    for (std::size_t i = 0; i < morphs_.size(); ++i) {
        const auto& targets = avatar_->meshes[i].targets;
        const auto found = targets.find(name);
        if (found == targets.end()) continue;
        known = true;
        morphs_[i].row[found->second] = amount;
        morphs_[i].used.push_back(found->second);
    }
    if (!known) note_unmatched(name);
}

void ClipMaker::put_morphs(std::uint32_t frame) {
    for (MorphCurve& morph : morphs_) {
        if (morph.row.empty()) continue;
        morph.curve.put(frame, morph.row);
        for (const std::uint32_t target : morph.used) morph.row[target] = 0;
        morph.used.clear();
    }
}

void ClipMaker::report() {
    build_->note_any(unmatched_names_, codes::motion_unmatched, "motion",
                     "The motion names bones or morph targets that the avatar does not have; their movement is lost.");
    build_->note_any(bad_rotations_, codes::rotation_zero, "motion",
                     "Rotations that have no length or are not finite become no rotation.");
    build_->note_any(repeated_, codes::motion_repeated, "motion", "Frames name a bone twice; the first one counts.");
    build_->note_any(not_finite_, codes::not_finite_replaced, "motion");
}

Result<void> ClipMaker::finish(Clip clip, std::span<const float> seconds) {
    report();
    for (Curve& curve : curves_) {
        if (auto track = curve.finish(seconds)) clip.tracks.push_back(std::move(*track));
    }
    for (MorphCurve& morph : morphs_) {
        if (auto track = morph.curve.finish(seconds)) clip.tracks.push_back(std::move(*track));
    }
    if (clip.tracks.empty()) {
        build_->note(codes::clip_empty, "motion", "The motion moves nothing that the avatar has; it is left out.");
        return {};
    }
    const double rate = build_->options.resample;
    auto done = rate > 0 ? resample(clip, rate, *build_) : Result<void>();
    if (done) done = add_twists(*build_, *avatar_, clip, seconds);
    if (!done) return done;
    fill_duration(clip);
    clip.name = build_->clip_names.add(clip.name);
    build_->scene.clips.push_back(std::move(clip));
    return {};
}

}  // namespace effigy::arp::bridge
