/// Motions as the extras of their clips describe them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>

#include "effigy/emfx_codes.hpp"

#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/file/wavelets.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/from_scene/clip.hpp"
#include "emfx/from_scene/submotion_as.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {
namespace {

template <class Format>
using ChunkOf = typename decltype(Format::File::chunks)::value_type;

/// The compressed blocks of a motion, whose sizes the record has. False if they are not all there.
bool take_blocks(MotionBuild& build, const Json& record, xsm::Wavelet& wavelet) {
    const Bytes blocks = bytes_at(record, "blocks").value_or(Bytes());
    const Json& chunks = list_at(record, "wavelet_chunks");
    if (chunks.size() != wavelet.chunks.size() || !build.budget.take(blocks.size())) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        xsm::WaveletChunk& chunk = wavelet.chunks[i];
        const std::pair<const char*, Bytes*> places[] = {{"rotation_byte_count", &chunk.rotations},
                                                         {"position_byte_count", &chunk.positions},
                                                         {"scale_byte_count", &chunk.scales}};
        for (const auto& [name, bytes] : places) {
            const std::uint64_t size = number_member(chunks[i], name).value_or(0);
            if (size > blocks.size() - next) return false;
            const auto from = blocks.begin() + static_cast<std::ptrdiff_t>(next);
            bytes->assign(from, from + static_cast<std::ptrdiff_t>(size));
            next += static_cast<std::size_t>(size);
        }
    }
    return next == blocks.size();
}

template <class Format>
bool read_chunk(MotionBuild& build, const Json& json, ChunkOf<Format>& chunk) {
    const auto id = number_member(json, "id");
    const auto version = number_member(json, "version").value_or(1);
    const Json* record = member(json, "record");
    if (!id || *id > UINT32_MAX || version > UINT32_MAX || record == nullptr) return false;
    chunk.id = static_cast<std::uint32_t>(*id);
    chunk.version = static_cast<std::uint32_t>(version);
    chunk.size = size_member(json);
    if (auto trailing = bytes_at(json, "trailing")) chunk.trailing = std::move(*trailing);
    if (auto bytes = bytes_at(*record, "bytes")) {
        chunk.record = Opaque{std::move(*bytes)};
        return true;
    }
    auto empty = Format::make_record(chunk.id, chunk.version);
    if (!empty) return false;
    chunk.record = std::move(*empty);
    const bool is_read = layout::read_json_fields(*record, build.budget, build.options.limits, [&](auto& visitor) {
        layout_record(visitor, chunk.record, chunk.version, [](const auto&) { return std::uint64_t{0}; });
    });
    if constexpr (std::is_same_v<Format, XsmFormat>) {
        if (auto* wavelet = std::get_if<xsm::Wavelet>(&chunk.record))
            return is_read && take_blocks(build, *record, *wavelet);
    }
    return is_read;
}

/// All but the keys.
template <class Format>
std::optional<typename Format::File> read_file(MotionBuild& build, const Json& record) {
    typename Format::File file;
    const Json* chunks = member(record, "chunks");
    if (member(record, "header") == nullptr || chunks == nullptr || !chunks->is_array()) return std::nullopt;
    if (!read_frame(build.budget, build.options, record, file)) return std::nullopt;
    for (const Json& json : *chunks) {
        if (!read_chunk<Format>(build, json, file.chunks.emplace_back())) return std::nullopt;
    }
    return file;
}

/// Keys that the record holds itself. False if it has others than it says.
template <class Key>
bool kept_keys(const Json& record, const char* name, std::uint64_t count, Bulk<Key>& keys) {
    const auto bytes = bytes_at(record, name);
    if (!bytes || bytes->size() % sizeof(Key) != 0 || bytes->size() / sizeof(Key) != count || count == 0) return false;
    keys.resize(static_cast<std::size_t>(count));
    std::memcpy(keys.data(), bytes->data(), bytes->size());
    return true;
}

/// The first times of a track, as its file has them: there it may begin later than at 0.
Bulk<float> file_times(const Track& track, std::uint64_t count, const Json& record, const char* name) {
    Bulk<float> times(track.times.begin(), track.times.begin() + static_cast<std::ptrdiff_t>(count));
    const Json* json = member(record, start_name(name).c_str());
    const float start = json == nullptr ? 0 : float_from_json(*json).value_or(0);
    for (float& time : times) time += start;
    return times;
}

/// The track that has so many keys, or one more: clips are held until they end.
bool has_keys(const Track* track, std::uint64_t count, std::size_t components) {
    return track != nullptr && track->interpolation == Interpolation::linear && track->times.size() >= count &&
           track->times.size() <= count + 1 && track->values.size() == track->times.size() * components;
}

/// `shown`: what to_scene makes of the pose.
void fit_pose(Vec3& pose, const Channel& shown, const Vec3& rest, float z_sign) {
    if (differs(std::span(shown.pose).template first<3>(), std::array{rest.x, rest.y, rest.z}))
        pose = {rest.x, rest.y, z_sign * rest.z};
}

template <class Rotation>
std::array<float, 4> shown_rotation(const Rotation& pose) {
    KeyFindings unused;
    return rotation_channel<Rotation>({}, 0, pose, unused).pose;
}

template <class Rotation>
void fit_pose(Rotation& pose, const Quat& rest) {
    if (differs(shown_rotation(pose), std::array{rest.x, rest.y, rest.z, rest.w})) to_file(rest, pose);
}

/// Whether a track only holds one value. Null: what it moves is at rest.
bool holds_still(const Track* track, std::span<const float> value) {
    if (track == nullptr) return true;
    const std::size_t width = value.size();
    const auto differs_here = [&](std::span<const float> one) {
        if (width != 4) return differs(one, value);
        // Packed rotations are not all of one length.
        const Quat a = bridge::unit(Quat{one[0], one[1], one[2], one[3]});
        const Quat b = bridge::unit(Quat{value[0], value[1], value[2], value[3]});
        return differs(std::array{a.x, a.y, a.z, a.w}, std::array{b.x, b.y, b.z, b.w});
    };
    for (std::size_t i = 0; i + width <= track->values.size(); i += width) {
        if (differs_here(std::span(track->values).subspan(i, width))) return false;
    }
    return true;
}

/// Components that the file moves.
struct KeyedParts {
    bool position, rotation, scale, scale_rotation;
};

/// See fit_poses().
template <class Submotion>
bool fit_rotation(const MotionBuild& build, const MovedNode& node, KeyedParts keyed, Submotion& submotion) {
    const Track* const track = build.find(node.node, TrackPath::rotation);
    if (node.link != no_index) {
        // The rotations of a pair do not show the poses one by one.
        const auto holds_first = [](const Track* one) {
            return one == nullptr ||
                   holds_still(one, std::span(one->values).first(std::min<std::size_t>(one->values.size(), 4)));
        };
        return keyed.rotation || keyed.scale_rotation ||
               (holds_first(track) && holds_first(build.find(node.link, TrackPath::rotation)));
    }
    if (keyed.rotation) return true;
    if (track == nullptr) fit_pose(submotion.pose_rotation, build.scene.nodes[node.node].local.rotation);
    return track == nullptr || holds_still(track, shown_rotation(submotion.pose_rotation));
}

/// Where nothing moves a node, what it is at rest may have been edited. False if that needs a scale rotation, as some
/// orders of the transform do for what is scaled unevenly; and if the clip shows other poses: its hash does not say
/// which nodes it moves.
template <class Submotion>
bool fit_poses(const MotionBuild& build, const MovedNode& node, KeyedParts keyed, Submotion& submotion) {
    const Transform& rest = build.scene.nodes[node.first()].local;
    Bulk<xsm::VectorKey> no_keys;
    KeyFindings unused;
    if (!keyed.position) {
        const Track* const track = build.find(node.first(), TrackPath::translation);
        const Channel shown = vector_channel(no_keys, 0, submotion.pose_position, VectorKind::position, unused);
        if (!holds_still(track, std::span(shown.pose).template first<3>())) return false;
        if (track == nullptr) fit_pose(submotion.pose_position, shown, rest.translation, -1);
    }
    if (!keyed.scale) {
        const Track* const track = build.find(node.first(), TrackPath::scale);
        const Channel shown = vector_channel(no_keys, 0, submotion.pose_scale, VectorKind::scale, unused);
        if (!holds_still(track, std::span(shown.pose).template first<3>())) return false;
        const Vec3 before = submotion.pose_scale;
        if (track == nullptr) fit_pose(submotion.pose_scale, shown, rest.scale, 1);
        const bool is_stretched_anew = submotion.pose_scale != before && !is_uniform(wide(rest.scale));
        const auto has_axes = [&] {
            return build.map.multiplication_order != 0 || keyed.scale_rotation ||
                   differs(shown_rotation(submotion.pose_scale_rotation), std::array{0.0f, 0.0f, 0.0f, 1.0f});
        };
        if (is_stretched_anew && has_axes()) return false;
    }
    return fit_rotation(build, node, keyed, submotion);
}

/// The keys of one submotion, from its record or from the tracks of its node.
class SubmotionKeys {
public:
    SubmotionKeys(const MotionBuild& build, const Json& record, const MovedNode* node)
        : build_(build), record_(record), node_(node) {}

    template <class Rotation>
    [[nodiscard]] bool fill(xsm::BasicSubmotion<Rotation>& submotion) const {
        using RotationKeys = Bulk<xsm::RotationKey<Rotation>>;
        const auto vectors = [](float z_sign) {
            return [z_sign](std::span<const float> times, std::span<const float> values) {
                return vector_keys(times, values, z_sign);
            };
        };
        const auto rotations = [](std::span<const float> times, std::span<const float> values) -> RotationKeys {
            return rotation_keys<Rotation>(times, values);
        };
        const bool chained = node_ != nullptr && node_->link != no_index;
        const Index first = node_ == nullptr ? no_index : node_->first();
        const Index rotated = node_ == nullptr || chained ? no_index : node_->node;
        const bool whole =
            take("position_key_count", "position_keys", submotion.position_keys, first, TrackPath::translation,
                 vectors(-1)) &&
            take("rotation_key_count", "rotation_keys", submotion.rotation_keys, rotated, TrackPath::rotation,
                 rotations) &&
            take("scale_key_count", "scale_keys", submotion.scale_keys, first, TrackPath::scale, vectors(1)) &&
            take("scale_rotation_key_count", "scale_rotation_keys", submotion.scale_rotation_keys, no_index,
                 TrackPath::rotation, rotations);
        if (whole && node_ != nullptr) {
            const KeyedParts keyed{!submotion.position_keys.empty(), !submotion.rotation_keys.empty(),
                                   !submotion.scale_keys.empty(), !submotion.scale_rotation_keys.empty()};
            return fit_poses(build_, *node_, keyed, submotion);
        }
        return whole;
    }

private:
    template <class Key, class Encode>
    bool take(const char* count_name, const char* name, Bulk<Key>& keys, Index node, TrackPath path,
              Encode encode) const {
        keys.clear();
        const std::uint64_t count = number_member(record_, count_name).value_or(0);
        if (count == 0 || kept_keys(record_, name, count, keys)) return true;
        const Track* track = build_.find(node, path);
        const std::size_t components = path == TrackPath::rotation ? 4 : 3;
        if (!has_keys(track, count, components)) return false;
        keys = encode(file_times(*track, count, record_, name), track->values);
        return true;
    }

    const MotionBuild& build_;
    const Json& record_;
    const MovedNode* node_;
};

template <class Rotation>
bool fill(const MotionBuild& build, const Json& record, xsm::BasicSubmotion<Rotation>& submotion) {
    const bool unmatched = flag_at(record, "unmatched");
    const MovedNode* node = unmatched ? nullptr : build.find_node(submotion.node_name);
    if (node == nullptr && !unmatched) return false;
    return SubmotionKeys(build, record, node).fill(submotion);
}

/// What is compressed comes back as it is.
bool fill(const MotionBuild& build, const Json& record, xsm::Wavelet& wavelet) {
    const Json& records = list_at(record, "submotions");
    if (records.size() != wavelet.submotions.size() || wavelet.mappings.size() != records.size()) return false;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (flag_at(records[i], "unmatched")) continue;
        xsm::WaveletSubmotion& submotion = wavelet.submotions[i];
        const xsm::WaveletMapping& mapping = wavelet.mappings[i];
        const MovedNode* const node = build.find_node(submotion.node_name);
        if (node == nullptr) return false;
        const bool is_moved = !wavelet.chunks.empty();
        const bool fits = fit_poses(
            build, *node,
            {is_moved && mapping.position_track != xsm::no_track, is_moved && mapping.rotation_track != xsm::no_track,
             is_moved && mapping.scale_track != xsm::no_track,
             is_moved && mapping.scale_rotation_track != xsm::no_track},
            submotion);
        if (!fits) return false;
    }
    return true;
}

/// Calls `use` with each submotion and its record.
template <class List, class Use>
bool each_submotion(const Json& record, List& list, const Use& use) {
    const Json& records = list_at(record, "submotions");
    if (list.submotions.empty()) return true;
    if (records.size() != list.submotions.size()) return false;
    for (std::size_t i = 0; i < list.submotions.size(); ++i) {
        if (!use(records[i], list.submotions[i])) return false;
    }
    return true;
}

/// Calls `use` with each submotion of a file and its record.
template <class File, class Use>
bool each_submotion_of(const Json& record, File& file, const Use& use) {
    const Json& chunks = chunks_of(record);
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const Json* chunk = member(chunks[i], "record");
        const bool whole = std::visit(
            [&](auto& alternative) {
                if constexpr (
                    requires { alternative.submotions.front(); } && !requires { alternative.mappings; }) {
                    return each_submotion(*chunk, alternative, use);
                } else if constexpr (requires { use(*chunk, alternative); }) {
                    return use(*chunk, alternative);
                } else {
                    return true;
                }
            },
            file.chunks[i].record);
        if (!whole) return false;
    }
    return true;
}

/// Numbers the scene's nodes in the order in which the submotions name them: a pair of nodes, the upper one first.
struct NumberNodes {
    const MotionBuild& build;
    std::unordered_map<Index, std::size_t>& numbers;

    template <class Rotation>
    bool operator()(const Json& record, const xsm::BasicSubmotion<Rotation>& submotion) const {
        add(record, submotion.node_name);
        return true;
    }
    bool operator()(const Json& record, const xsm::Wavelet& wavelet) const {
        const Json& records = list_at(record, "submotions");
        const std::size_t count = std::min(records.size(), wavelet.submotions.size());
        for (std::size_t i = 0; i < count; ++i) add(records[i], wavelet.submotions[i].node_name);
        return true;
    }

private:
    void add(const Json& record, std::string_view name) const {
        const MovedNode* const node = flag_at(record, "unmatched") ? nullptr : build.find_node(name);
        if (node == nullptr) return;
        const std::size_t number = numbers.size();
        numbers.try_emplace(node->first(), number);
        numbers.try_emplace(node->node, number + 1);
    }
};

/// Whether the clip's tracks move the nodes that the file's submotions name, in the order in which to_scene makes
/// tracks of them. Its hash does not say what they move, nor what that is called.
bool moves_what_it_names(const MotionBuild& build, const Json& record, const xsm::File& file) {
    if (build.clip == nullptr) return true;
    std::unordered_map<Index, std::size_t> numbers;
    (void)each_submotion_of(record, file, NumberNodes{build, numbers});
    std::pair<std::size_t, int> last{0, -1};
    for (const Track& track : build.clip->tracks) {
        if (track.path == TrackPath::weights || track.times.empty()) continue;
        const auto found = numbers.find(track.node);
        if (found == numbers.end()) return false;
        const int part = track.path == TrackPath::translation ? 0 : track.path == TrackPath::scale ? 1 : 2;
        const std::pair now{found->second, part};
        if (now <= last) return false;
        last = now;
    }
    return true;
}

struct FillSubmotion {
    const MotionBuild& build;
    template <class Rotation>
    bool operator()(const Json& record, xsm::BasicSubmotion<Rotation>& submotion) const {
        return fill(build, record, submotion);
    }
    bool operator()(const Json& record, xsm::Wavelet& wavelet) const { return fill(build, record, wavelet); }
};

bool has_target(const NodeMap& map, std::string_view name) {
    return std::ranges::any_of(map.targets, [&](const std::vector<MappedTarget>& targets) {
        return std::ranges::any_of(targets, [&](const MappedTarget& target) { return target.raw_name == name; });
    });
}

struct FillWeights {
    const MotionBuild& build;
    const WeightPlaces& places;

    bool operator()(const Json& record, xpm::Submotion& submotion) const {
        submotion.keys.clear();
        const std::uint64_t count = number_member(record, "key_count").value_or(0);
        const auto now = build.target_names.find(submotion.name);
        const bool is_known = now != build.target_names.end();
        const bool is_one = is_known && now->second.size() == 1;
        if (is_one) {
            submotion.name = *now->second.begin();
        } else if (build.clip != nullptr && (is_known || (count != 0 && !flag_at(record, "unmatched")))) {
            return false;
        }
        if (count == 0 || kept_keys(record, "keys", count, submotion.keys)) return true;
        const auto found = places.find(submotion.name);
        if (found == places.end()) return false;
        const WeightPlace& place = found->second;
        if (!has_keys(place.track, count, place.count)) return false;
        submotion.keys = weight_keys(file_times(*place.track, count, record, "keys"), place.track->values, place.number,
                                     place.count, submotion.min_weight, submotion.max_weight);
        return true;
    }
};

// --- files of which only the tracks are made anew

/// Takes the submotions of a file that move nodes which the actor lacks.
template <class Rotation>
struct TakeOthers {
    const MotionBuild& build;
    bool is_big_endian;  ///< the record's file
    std::vector<xsm::BasicSubmotion<Rotation>>& others;
    NameList& lost;

    template <class From>
    bool operator()(const Json& record, xsm::BasicSubmotion<From>& submotion) const {
        if (!is_other(record, submotion)) return true;
        if (SubmotionKeys(build, record, nullptr).fill(submotion)) {
            others.push_back(submotion_as<Rotation>(std::move(submotion)));
        } else {
            lost.add(to_utf8(submotion.node_name, build.encodings.front()));
        }
        return true;
    }
    bool operator()(const Json& record, const xsm::Wavelet& wavelet) const {
        const Json& records = list_at(record, "submotions");
        const std::size_t count = std::min(records.size(), wavelet.submotions.size());
        std::optional<Result<Loaded<xsm::Submotions>>> keys;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_other(records[i], wavelet.submotions[i])) continue;
            if (!keys) keys = xsm::decode(wavelet, is_big_endian, build.options.limits);
            if (*keys && i < (*keys)->value.submotions.size()) {
                others.push_back(submotion_as<Rotation>(std::move((*keys)->value.submotions[i])));
            } else {
                lost.add(to_utf8(wavelet.submotions[i].node_name, build.encodings.front()));
            }
        }
        return true;
    }

private:
    template <class Submotion>
    [[nodiscard]] bool is_other(const Json& record, const Submotion& submotion) const {
        return flag_at(record, "unmatched") && build.find_node(submotion.node_name) == nullptr;
    }
};

struct TakeOtherWeights {
    const MotionBuild& build;
    std::vector<xpm::Submotion>& others;
    std::map<std::string, std::uint32_t>& phoneme_sets;
    NameList& lost;

    bool operator()(const Json& record, xpm::Submotion& submotion) const {
        phoneme_sets.try_emplace(submotion.name, submotion.phoneme_set);
        if (!flag_at(record, "unmatched") || has_target(build.map, submotion.name)) return true;
        const std::uint64_t count = number_member(record, "key_count").value_or(0);
        submotion.keys.clear();
        if (count == 0 || kept_keys(record, "keys", count, submotion.keys)) {
            others.push_back(std::move(submotion));
        } else {
            lost.add(to_utf8(submotion.name, build.encodings.front()));
        }
        return true;
    }
};

/// The motions of Paradox's games begin at 0. For a motion of another game it is not known what they do with late keys.
constexpr auto rebase_keys = [](auto& keys) {
    const float start = span_of(keys).start();
    for (auto& key : keys) key.time -= start;
};
template <class Submotion>
void rebase_one(const FromSceneOptions& options, Submotion& submotion) {
    if (is_paradox(options.target)) each_track(submotion, rebase_keys);
}
template <class File>
void rebase(const FromSceneOptions& options, File& file) {
    if (is_paradox(options.target)) each_track_of(file, rebase_keys);
}

Vec3 value_between(const Vec3& a, const Vec3& b, float share) {
    const auto part = [&](float one, float two) { return one + (two - one) * share; };
    return {part(a.x, b.x), part(a.y, b.y), part(a.z, b.z)};
}
Quat value_between(const Quat& a, const Quat& b, float share) {
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    const auto part = [&](float one, float two) { return one + (sign * two - one) * share; };
    return bridge::unit(Quat{part(a.x, b.x), part(a.y, b.y), part(a.z, b.z), part(a.w, b.w)});
}
xsm::PackedQuat value_between(const xsm::PackedQuat& a, const xsm::PackedQuat& b, float share) {
    return pack(value_between(xsm::decode(a), xsm::decode(b), share));
}
std::uint16_t value_between(std::uint16_t a, std::uint16_t b, float share) {
    return static_cast<std::uint16_t>(std::lround(static_cast<float>(a) + static_cast<float>(b - a) * share));
}

/// Ends a track that is longer with what it shows then.
template <class Key>
void cut_keys(Bulk<Key>& keys, float duration) {
    const float start = span_of(keys).start();
    const auto is_late = [&](const Key& key) { return key.time - start > duration; };
    auto late = std::find_if(keys.begin(), keys.end(), is_late);
    if (late == keys.end()) return;
    if (late != keys.begin() && std::prev(late)->time - start < duration) {
        const Key& before = *std::prev(late);
        const float end = start + duration;
        late->value = value_between(before.value, late->value, (end - before.time) / (late->time - before.time));
        late->time = end;
        ++late;
    }
    keys.erase(std::remove_if(late, keys.end(), is_late), keys.end());
}

/// What is not of this actor keeps its times, but no clip is shorter than its longest track.
template <class Submotion>
void fit_other(const MotionBuild& build, Submotion& submotion) {
    if (build.is_shortened) each_track(submotion, [&](auto& keys) { cut_keys(keys, build.clip->duration); });
    rebase_one(build.options, submotion);
}

template <class Kind, class Chunk>
bool holds(const Chunk& chunk) {
    return std::holds_alternative<Kind>(chunk.record);
}

/// Takes out what is made anew.
template <class File>
void drop_tracks(MotionBuild& build, File& file) {
    constexpr std::uint32_t first = std::is_same_v<File, xsm::File> ? 200 : 100;  // of info and of what moves
    constexpr std::uint32_t last = std::is_same_v<File, xsm::File> ? 203 : 102;
    NameList lost;
    std::erase_if(file.chunks, [&](const auto& chunk) {
        if (!holds<Opaque>(chunk))
            return !holds<MotionInfo>(chunk) && !holds<MotionEvents>(chunk) && !holds<Timestamp>(chunk);
        const bool is_made_anew = chunk.id >= first && chunk.id <= last;
        if (is_made_anew) lost.add(std::to_string(chunk.id) + " v" + std::to_string(chunk.version));
        return is_made_anew;
    });
    if (lost.empty()) return;
    build.note(codes::emfx_chunk_lost,
               "Chunks that are kept as bytes say how the old file moved; the motion is made anew without them.",
               lost.text());
}

/// A record's file without what moves; a new file where there is no record. With a chunk of info in any case.
template <class File, class Take>
File frame(MotionBuild& build, const Json* record, std::optional<File> old, std::uint32_t info_id,
           std::uint32_t version, const Take& take_others) {
    File file;
    if (old) {
        (void)each_submotion_of(*record, *old, take_others);
        file = std::move(*old);
    }
    drop_tracks(build, file);
    for (auto& chunk : file.chunks) chunk.size.reset();
    if (!take_others.lost.empty()) {
        build.note(codes::motion_track_lost,
                   "Tracks of the old file that move nothing of this actor are not in the clip's record any more; they "
                   "are left out.",
                   take_others.lost.text());
    }
    file.header.multiplication_order = build.map.multiplication_order;
    const auto is_info = [](const auto& chunk) { return holds<MotionInfo>(chunk); };
    if (std::any_of(file.chunks.begin(), file.chunks.end(), is_info)) return file;
    MotionInfo info;
    info.maximum_error = 1e8f;
    file.chunks.insert(file.chunks.begin(), {info_id, version, std::nullopt, info, {}});
    return file;
}

template <class Rotation>
xsm::File skeletal_frame(MotionBuild& build, const Json* record, std::vector<xsm::BasicSubmotion<Rotation>>& others) {
    auto old = record == nullptr ? std::nullopt : read_file<XsmFormat>(build, *record);
    NameList lost;
    const TakeOthers<Rotation> take_others{build, old && old->header.big_endian(), others, lost};
    xsm::File file = frame(build, record, std::move(old), 201, 2, take_others);
    for (auto& submotion : others) fit_other(build, submotion);
    return file;
}

}  // namespace

std::optional<xsm::File> restored_motion(MotionBuild& build, const Json& record) {
    auto file = read_file<XsmFormat>(build, record);
    if (!file || !each_submotion_of(record, *file, FillSubmotion{build})) return std::nullopt;
    if (!moves_what_it_names(build, record, *file)) return std::nullopt;
    rebase(build.options, *file);
    return file;
}

std::optional<xpm::File> restored_morph_motion(MotionBuild& build, const Json& record) {
    auto file = read_file<XpmFormat>(build, record);
    WeightPlaces places;
    if (build.clip != nullptr) {
        places = weight_places(*build.clip, [&](Index node) {
            const Index mesh = node < build.scene.nodes.size() ? build.scene.nodes[node].mesh : no_index;
            return mesh < build.map.targets.size() ? &build.map.targets[mesh] : nullptr;
        });
    }
    if (!file || !each_submotion_of(record, *file, FillWeights{build, places})) return std::nullopt;
    rebase(build.options, *file);
    return file;
}

xsm::File motion_frame(MotionBuild& build, const Json* record, std::vector<xsm::Submotion>& others) {
    return skeletal_frame(build, record, others);
}

xsm::File motion_frame(MotionBuild& build, const Json* record, std::vector<xsm::PackedSubmotion>& others) {
    return skeletal_frame(build, record, others);
}

xpm::File morph_motion_frame(MotionBuild& build, const Json* record, std::vector<xpm::Submotion>& others,
                             std::map<std::string, std::uint32_t>& phoneme_sets) {
    auto old = record == nullptr ? std::nullopt : read_file<XpmFormat>(build, *record);
    NameList lost;
    xpm::File file = frame(build, record, std::move(old), 101, 1, TakeOtherWeights{build, others, phoneme_sets, lost});
    for (xpm::Submotion& submotion : others) fit_other(build, submotion);
    return file;
}

std::uint32_t submotions_version(const Json* record) noexcept {
    if (record == nullptr) return 0;
    for (const Json& chunk : chunks_of(*record)) {
        const auto id = number_member(chunk, "id");
        const auto version = number_member(chunk, "version").value_or(1);
        if (id == 202u && (version == 1 || version == 2)) return static_cast<std::uint32_t>(version);
        if (id == 200u && version >= 1 && version <= 3) return version == 3 ? 2 : 1;
    }
    return 0;
}

}  // namespace effigy::emfx::bridge
