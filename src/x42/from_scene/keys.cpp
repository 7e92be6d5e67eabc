/// X42's key stream from tracks of bones: palettes of packed values, fewer keys until they fit, their order.

#include "scene/keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "core/text.hpp"
#include "x42/from_scene/bone_tracks.hpp"
#include "x42/to_scene/clip_tracks.hpp"
#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {
namespace {

/// What codes of 16 bits leave of a rotation, in radians.
constexpr double rotation_quantum = 4e-5;

struct Coded {
    std::uint16_t frame = 0, value = 0;
};

class KeyMaker {
public:
    explicit KeyMaker(FileBuild& build) : build_(build), file_(build.file) {}

    Result<void> run() {
        if (build_.keys_kept) {
            keep();
            return {};
        }
        file_.header.frame_count = static_cast<std::uint16_t>(frame_count());
        const std::size_t tracks = key_types.size() * build_.nodes.bones.size();
        if (2 * tracks > max_keys) {
            return fail(too_many("nodes", build_.nodes.bones.size(), max_keys / 6,
                                 "The scene has more bones than a key stream can move: each takes six keys of 65535. "
                                 "Remove bones that no vertex needs."));
        }
        auto collected = bone_tracks(build_);
        if (!collected) return fail(std::move(collected.error()));
        tracks_ = std::move(*collected);
        return reduce().map([&] { write_stream(); });
    }

private:
    void keep() {
        const File& old = build_.records->file;
        file_.header.frame_count = old.header.frame_count;
        file_.header.base_frame = old.header.base_frame;
        file_.positions = old.positions;
        file_.scales = old.scales;
        file_.rotations = old.rotations;
        file_.keys = old.keys;
        file_.pack.animation_positions = old.pack.animation_positions;
        file_.pack.animation_scales = old.pack.animation_scales;
        set_uniform((old.header.model_flags & uniform_scale) != 0);
    }

    void set_uniform(bool uniform) {
        if (uniform) file_.header.model_flags |= uniform_scale;
    }

    [[nodiscard]] std::uint32_t frame_count() const {
        return build_.clips.empty() ? 1 : build_.clips.back().first + build_.clips.back().frames;
    }

    /// Fewer keys until they fit.
    Result<void> reduce() {
        measure();
        note_coarse();
        double factor = 1;
        std::size_t count = encode(factor);
        for (int round = 0; round < 60 && count > max_keys; ++round) count = encode(factor *= 2);
        if (count > max_keys) {
            return fail(too_many("clips", count, max_keys,
                                 "The clips have more keys than a key stream can hold, even with only those at their "
                                 "ends. Leave clips out, or bones that move."));
        }
        if (factor != 1) note_thinned(factor);
        return {};
    }

    [[nodiscard]] double tolerance_of(KeyType type, double factor) const {
        const double quantum = type == KeyType::position ? position_extent_ / full_code
                               : type == KeyType::scale  ? scale_extent_ / full_code
                                                         : rotation_quantum;
        return factor * std::max({build_.options.max_error, quantum, 1e-12});
    }

    void note_thinned(double factor) {
        const auto text = [&](KeyType type) { return number_text(tolerance_of(type, factor)); };
        build_.note(codes::x42_keys_thinned, "clips",
                    "There are more keys than a key stream can hold: so many are left out that positions, scales and "
                    "rotations (in radians) are off by up to these numbers. Fewer clips or bones leave room for all.",
                    text(KeyType::position) + ", " + text(KeyType::scale) + ", " + text(KeyType::rotation),
                    "at most 65535 keys");
    }

    template <class Visit>
    void each_value(KeyType wanted, Visit&& visit) const {
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            if (key_types[i % key_types.size()] != wanted) continue;
            for (const FrameKeys& keys : tracks_[i].clips) {
                for (std::size_t k = 0; k < keys.values.size(); k += 3) visit(keys.values.data() + k);
            }
        }
    }

    static double extent_of(const Range& range) noexcept {
        return static_cast<double>(range.high) - static_cast<double>(range.low);
    }

    /// The ranges of all positions and scales.
    void measure() {
        std::array<ValueRange, 3> positions;
        ValueRange scales;
        bool even = true;
        each_value(KeyType::position, [&](const float* v) {
            for (std::size_t axis = 0; axis < 3; ++axis) positions[axis].add(v[axis]);
        });
        each_value(KeyType::scale, [&](const float* v) {
            for (std::size_t axis = 0; axis < 3; ++axis) scales.add(v[axis]);
            const float tolerance = 1e-6f * std::abs(v[0]);
            even = even && std::abs(v[1] - v[0]) <= tolerance && std::abs(v[2] - v[0]) <= tolerance;
        });
        const File* const old = build_.records ? &build_.records->file : nullptr;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Range& range = file_.pack.animation_positions[axis];
            range = positions[axis].range(old == nullptr ? nullptr : &old->pack.animation_positions[axis]);
            position_extent_ = std::max(position_extent_, extent_of(range));
        }
        file_.pack.animation_scales = scales.range(old == nullptr ? nullptr : &old->pack.animation_scales);
        scale_extent_ = extent_of(file_.pack.animation_scales);
        set_uniform(even && (old == nullptr || (old->header.model_flags & uniform_scale) != 0));
    }

    /// Positions of all bones have one range, whatever the scale above them: a scaled armature's are in its own units.
    void note_coarse() {
        const NodePlan& plan = build_.nodes;
        constexpr double usual = 30, unseen = 5e-4;
        double low = 1, high = 1;  // of the topmost bones
        std::array<ValueRange, 3> places;
        for (const Index node : plan.bones) {
            for (int axis = 0; axis < 3; ++axis)
                places[static_cast<std::size_t>(axis)].add(static_cast<float>(plan.rest[node][3][axis]));
            const Index parent = plan.parents[node];
            if (parent == no_index || plan.bone_of[parent] == no_bone) continue;
            const glm::dmat3 above(plan.rest[plan.bones[plan.bone_of[parent]]]);
            const double scale = std::cbrt(std::abs(glm::determinant(above)));
            low = std::min(low, scale);
            high = std::max(high, scale);
        }
        double size = 0;
        for (const ValueRange& range : places) size = std::max(size, extent_of(range.range(nullptr)));
        const double step = high * position_extent_ / full_code;
        if (!(high > usual * low) || !(step > unseen * size)) return;
        build_.note(codes::x42_positions_coarse, "nodes",
                    "An armature has a scale, so that positions of bones are in units of different size, which share "
                    "the steps that the format has: what moves does so in steps of this size. Apply the scale before "
                    "the export.",
                    number_text(step) + " units");
    }

    using Palette = std::map<std::array<std::uint16_t, 4>, std::size_t>;

    /// All tracks with the keys that are needed within the tolerance; how many there are.
    std::size_t encode(double factor) {
        std::array<Palette, key_types.size()> palettes;
        file_.positions.clear();
        file_.scales.clear();
        file_.rotations.clear();
        coded_.clear();
        std::size_t count = 0;
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            const KeyType type = key_types[i % key_types.size()];
            coded_.push_back(
                encode(tracks_[i], type, tolerance_of(type, factor), palettes[static_cast<std::size_t>(type)]));
            count += coded_.back().size();
        }
        return count;
    }

    std::vector<Coded> encode(const BoneTrack& track, KeyType type, double tolerance, Palette& palette) {
        std::vector<Coded> keys;
        Quat last;
        const std::size_t width = width_of(type);
        for (std::size_t clip = 0; clip < track.clips.size(); ++clip) {
            const std::uint32_t first = build_.clips.empty() ? 0 : build_.clips[clip].first;
            const FrameKeys& all = track.clips[clip];
            for (const std::uint32_t kept :
                 keys_to_keep(all.frames, all.values, path_of(type), width, RotationRule::by_angle, tolerance, true)) {
                const auto frame = first + static_cast<std::uint32_t>(all.frames[kept]);
                const float* const value = all.values.data() + kept * width;
                add(keys, {static_cast<std::uint16_t>(frame), place_of(value, type, last, palette)});
            }
        }
        if (keys.size() == 1) keys.push_back({static_cast<std::uint16_t>(frame_count() - 1), keys[0].value});
        return keys;
    }

    /// Of equal values the first and the last stay.
    static void add(std::vector<Coded>& keys, Coded key) {
        const std::size_t count = keys.size();
        if (count >= 2 && keys[count - 1].value == key.value && keys[count - 2].value == key.value) {
            keys.back().frame = key.frame;
        } else {
            keys.push_back(key);
        }
    }

    std::uint16_t place_of(const float* value, KeyType type, Quat& last, Palette& palette) {
        std::array<std::uint16_t, 4> code{};
        if (type == KeyType::rotation) {
            Quat q{value[0], value[1], value[2], value[3]};
            if (q.x * last.x + q.y * last.y + q.z * last.z + q.w * last.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
            last = q;
            const PackedQuat packed = pack_rotation(q);
            for (std::size_t i = 0; i < 4; ++i) code[i] = static_cast<std::uint16_t>(packed[i]);
        } else {
            for (std::size_t i = 0; i < 3; ++i) {
                const Range& range =
                    type == KeyType::position ? file_.pack.animation_positions[i] : file_.pack.animation_scales;
                code[i] = pack(static_cast<double>(value[i]), range);
            }
        }
        const auto [place, is_new] = palette.try_emplace(code, palette.size());
        if (is_new) append(code, type);
        return static_cast<std::uint16_t>(place->second);  // too many of them are never written
    }

    void append(const std::array<std::uint16_t, 4>& code, KeyType type) {
        if (type == KeyType::position) {
            file_.positions.push_back({code[0], code[1], code[2]});
        } else if (type == KeyType::scale) {
            file_.scales.insert(file_.scales.end(), code.begin(),
                                code.begin() + static_cast<std::ptrdiff_t>(scale_width(file_.header)));
        } else {
            PackedQuat& packed = file_.rotations.emplace_back();
            for (std::size_t i = 0; i < 4; ++i) packed[i] = static_cast<std::int16_t>(code[i]);
        }
    }

    /// The first two keys of each track, then all others by the frame of the one before them.
    void write_stream() {
        struct Late {
            std::uint16_t need = 0;
            Key key;
        };
        std::vector<Late> late;
        for (std::size_t i = 0; i < coded_.size(); ++i) {
            const KeyType type = key_types[i % key_types.size()];
            const auto bone = static_cast<std::uint16_t>(i / key_types.size());
            for (std::size_t k = 0; k < coded_[i].size(); ++k) {
                const Key key{type, bone, coded_[i][k].frame, coded_[i][k].value};
                if (k < 2) {
                    file_.keys.push_back(key);
                } else {
                    late.push_back({coded_[i][k - 1].frame, key});
                }
            }
        }
        std::stable_sort(late.begin(), late.end(), [](const Late& a, const Late& b) { return a.need < b.need; });
        for (const Late& one : late) file_.keys.push_back(one.key);
    }

    FileBuild& build_;
    File& file_;
    std::vector<BoneTrack> tracks_;
    std::vector<std::vector<Coded>> coded_;  ///< of each track
    double position_extent_ = 0, scale_extent_ = 0;
};

}  // namespace

Result<void> make_keys(FileBuild& build) { return KeyMaker(build).run(); }

}  // namespace effigy::x42::bridge
