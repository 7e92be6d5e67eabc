/// Meshes and ambient motion of an ARP avatar bit by bit, as differences in extras.effigy, and restored from them.

#include "arp/from_scene/exact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "arp/file/names.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/hasher.hpp"
#include "core/text.hpp"

namespace effigy::arp {
namespace {

constexpr std::uint32_t nobody = 0xffffffff;

std::uint32_t zigzag(std::uint32_t difference) noexcept { return difference << 1U ^ (0U - (difference >> 31U)); }
std::uint32_t unzigzag(std::uint32_t word) noexcept { return word >> 1U ^ (0U - (word & 1U)); }

/// Floats that follow one another have numbers that do.
std::uint32_t ordered(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
}
float from_ordered(std::uint32_t number) noexcept {
    return std::bit_cast<float>((number >> 31U) != 0 ? number & 0x7fffffffU : ~number);
}

/// What a number is. Those of one kind stand together, first their lowest bytes: that packs best.
enum class Kind : std::uint8_t { size, bone, weight, place, direction, corner, texcoord, point, offset, normal };
constexpr std::size_t word_bytes = 5;  ///< of a number, seven bits each
constexpr std::size_t lane_count = (static_cast<std::size_t>(Kind::normal) + 1) * word_bytes;
constexpr std::size_t lane_of(Kind kind) noexcept { return static_cast<std::size_t>(kind) * word_bytes; }

class Encoder {
public:
    static constexpr bool reading = false;
    void whole(std::uint32_t& value, std::uint32_t expected, Kind kind) {
        put(lanes_.data() + lane_of(kind), zigzag(value - expected));
    }
    void real(float& value, float expected, Kind kind) {
        put(lanes_.data() + lane_of(kind), zigzag(ordered(value) - ordered(expected)));
    }
    template <class Array>
    void size(Array& array, std::size_t expected) {
        auto count = static_cast<std::uint32_t>(array.size());
        whole(count, static_cast<std::uint32_t>(expected), Kind::size);
    }
    void fail() noexcept { ok_ = false; }

    /// The lengths of the lanes (u32), the lanes, the hash of what they are made of (u64).
    [[nodiscard]] Bytes packed(std::uint64_t hash) const {
        if (!ok_) return {};
        Bytes bytes(lane_count * sizeof(std::uint32_t));
        for (std::size_t i = 0; i < lane_count; ++i) {
            const auto size = static_cast<std::uint32_t>(lanes_[i].size());
            std::memcpy(bytes.data() + i * sizeof size, &size, sizeof size);
            bytes.insert(bytes.end(), lanes_[i].begin(), lanes_[i].end());
        }
        const auto stored = std::as_bytes(std::span(&hash, 1));
        bytes.insert(bytes.end(), stored.begin(), stored.end());
        return arp::packed(bytes);
    }
    [[nodiscard]] bool ok() const noexcept { return ok_; }

private:
    static void put(Bytes* lane, std::uint32_t word) {
        for (; word >= 128; word >>= 7U, ++lane) lane->push_back(static_cast<std::byte>(word | 128U));
        lane->push_back(static_cast<std::byte>(word));
    }
    std::array<Bytes, lane_count> lanes_;
    bool ok_ = true;
};

/// Every element takes a byte at least, so that no size can be larger than what is there.
class Decoder {
public:
    static constexpr bool reading = true;

    Decoder(const Bytes& packed, Budget& budget) : budget_(budget), bytes_(unpacked(packed, budget).value_or(Bytes())) {
        constexpr std::size_t head = lane_count * sizeof(std::uint32_t);
        if (bytes_.size() < head) return;
        std::span<const std::byte> rest = std::span(bytes_).subspan(head);
        left_ = rest.size();
        for (std::size_t i = 0; i < lane_count; ++i) {
            std::uint32_t size = 0;
            std::memcpy(&size, bytes_.data() + i * sizeof size, sizeof size);
            if (size > rest.size()) return;
            lanes_[i] = rest.first(size);
            rest = rest.subspan(size);
        }
        left_ -= rest.size();
        ok_ = rest.empty();  // as older versions wrote it
        if (std::uint64_t hash = 0; rest.size() == sizeof hash) {
            std::memcpy(&hash, rest.data(), sizeof hash);
            expected_hash_ = hash;
            ok_ = true;
        }
    }

    void whole(std::uint32_t& value, std::uint32_t expected, Kind kind) { value = expected + unzigzag(get(kind)); }
    void real(float& value, float expected, Kind kind) {
        value = from_ordered(ordered(expected) + unzigzag(get(kind)));
        if (!std::isfinite(value)) ok_ = false;
    }
    template <class Array>
    void size(Array& array, std::size_t expected) {
        std::uint32_t count = 0;
        whole(count, static_cast<std::uint32_t>(expected), Kind::size);
        if (!ok_ || count > left_ || !budget_.take(count, 2 * sizeof(array[0]))) ok_ = false;
        if (ok_) array.resize(count);
    }
    void fail() noexcept { ok_ = false; }
    [[nodiscard]] bool ok() const noexcept { return ok_; }
    /// All of it was read, and made what it was made of.
    [[nodiscard]] bool is_done(std::uint64_t hash) const noexcept {
        return ok_ && left_ == 0 && expected_hash_.value_or(hash) == hash;
    }

private:
    std::uint32_t get(Kind kind) noexcept {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < word_bytes; ++i) {
            auto& lane = lanes_[lane_of(kind) + i];
            if (lane.empty()) break;
            const auto byte = std::to_integer<std::uint32_t>(lane.front());
            lane = lane.subspan(1);
            --left_;
            word |= (byte & 127U) << (7 * i);
            if (byte < 128) return word;
        }
        ok_ = false;
        return 0;
    }
    Budget& budget_;
    Bytes bytes_;
    std::array<std::span<const std::byte>, lane_count> lanes_;
    std::uint64_t left_ = 0;
    std::optional<std::uint64_t> expected_hash_;
    bool ok_ = false;
};

template <class Coder>
void code(Coder& coder, Vec3& value, const Vec3& expected, Kind kind) {
    coder.real(value.x, expected.x, kind);
    coder.real(value.y, expected.y, kind);
    coder.real(value.z, expected.z, kind);
}

template <class Coder>
void code(Coder& coder, Quat& value, const Quat& expected) {
    coder.real(value.x, expected.x, Kind::direction);
    coder.real(value.y, expected.y, Kind::direction);
    coder.real(value.z, expected.z, Kind::direction);
    coder.real(value.w, expected.w, Kind::direction);
}

/// Whole numbers below `limit`, each beside what is expected there, or beside the one before it.
template <class Coder, class Number>
void code_list(Coder& coder, Bulk<Number>& list, const Bulk<Number>& expected, std::uint64_t limit) {
    coder.size(list, expected.size());
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < list.size() && coder.ok(); ++i) {
        std::uint32_t value = Coder::reading ? 0 : static_cast<std::uint32_t>(list[i]);
        coder.whole(value, before, Kind::corner);
        if (value >= limit) return coder.fail();
        list[i] = static_cast<Number>(value);
        before = value;
    }
}

/// Places of bones in the skeleton instead of those among names.
struct Bones {
    std::vector<std::uint32_t> of_names;
    explicit Bones(const File& file) {
        const BonesByName places = bones_by_name(file);
        for (const std::string& name : file.link_names) {
            const auto found = places.find(up_to_nul(name));
            of_names.push_back(found == places.end() ? nobody : found->second);
        }
    }
    [[nodiscard]] std::uint32_t of(std::uint32_t name) const noexcept {
        return name < of_names.size() ? of_names[name] : nobody;
    }
};

template <class... Arrays>
void add_arrays(Hasher& hasher, const Arrays&... arrays) {
    (hasher.add(std::as_bytes(std::span(arrays))), ...);
}

/// Of a mesh that was coded.
std::uint64_t hash_of(const Mesh& mesh) {
    Hasher hasher;
    const Points& points = mesh.points;
    add_arrays(hasher, points.link_counts, points.bones, points.weights, points.distances, points.offsets,
               points.normals, points.neighbour_counts, points.neighbours, mesh.duplicates, mesh.strip,
               mesh.list_counts, mesh.list_sizes, mesh.texcoords);
    for (const MorphTarget& target : mesh.morph_targets) add_arrays(hasher, target.sets);
    return hasher.digest();
}

std::uint64_t hash_of(const Ambient& ambient) {
    Hasher hasher;
    for (const AmbientFrame& frame : ambient.frames)
        add_arrays(hasher, std::array{frame.time}, frame.morphs, frame.bones);
    return hasher.digest();
}

template <class Coder>
class MeshCoder {
public:
    /// `names`: of the bones in `mesh`, whose places in the skeleton are there afterwards.
    MeshCoder(Coder& coder, const File& made, const Mesh& expected, const Layout& layout, const Bones& names,
              Mesh& mesh)
        : coder_(coder), expected_(expected), layout_(layout), made_bones_(made), names_(names), mesh_(mesh) {}

    void run(std::size_t bones) {
        // Places in a skeleton that has lost or gained a bone are others.
        auto count = static_cast<std::uint32_t>(bones);
        coder_.whole(count, 0, Kind::size);
        if (count != bones) return coder_.fail();
        code_points(bones);
        const std::size_t points = mesh_.points.size();
        const std::uint64_t factor = layout_.duplicates == DuplicateForm::triples ? 3 : 1;
        code_list(coder_, mesh_.duplicates, expected_.duplicates,
                  layout_.duplicates == DuplicateForm::lists ? 65536 : factor * points);
        const std::size_t vertices = points + mesh_.duplicates.size();
        code_list(coder_, mesh_.strip, expected_.strip, vertices);
        code_list(coder_, mesh_.list_counts, expected_.list_counts, 65536);
        code_list(coder_, mesh_.list_sizes, expected_.list_sizes, std::uint64_t{vertices} + 1);
        code_texcoords();
        for (std::size_t i = 0; i < mesh_.morph_targets.size() && coder_.ok(); ++i) {
            if (i < expected_.morph_targets.size()) code_target(mesh_.morph_targets[i], expected_.morph_targets[i]);
        }
    }

private:
    void code_points(std::size_t bones) {
        Points& points = mesh_.points;
        const Points& expected = expected_.points;
        coder_.size(points.link_counts, expected.size());
        if (points.size() != expected.size()) coder_.fail();
        std::size_t first = 0, link = 0;
        for (std::size_t i = 0; i < points.size() && coder_.ok(); ++i) {
            std::uint32_t count = Coder::reading ? 0 : points.link_counts[i];
            coder_.whole(count, expected.link_counts[i], Kind::size);
            if (count > 65536) coder_.fail();
            if (!coder_.ok()) return;
            points.link_counts[i] = count;
            sum_ = 0;
            for (const std::size_t end = link + count; link < end && coder_.ok(); ++link)
                code_link(link, first, first + expected.link_counts[i], bones);
            if (Coder::reading && !(std::abs(sum_ - 1) < 0.01)) coder_.fail();
            first += expected.link_counts[i];
        }
        code_list(coder_, points.neighbour_counts, expected.neighbour_counts, nobody);
        code_list(coder_, points.neighbours, expected.neighbours, points.size());
    }

    void grow() {
        Points& points = mesh_.points;
        points.offsets.emplace_back();
        points.normals.emplace_back();
        points.bones.push_back(0);
        points.weights.push_back(0);
        points.distances.push_back(0);
    }

    /// Beside the link to the same bone that the point is expected to have.
    void code_link(std::size_t link, std::size_t first, std::size_t end, std::size_t bones) {
        Points& points = mesh_.points;
        const Points& expected = expected_.points;
        if constexpr (Coder::reading) grow();
        std::uint32_t bone = Coder::reading ? 0 : names_.of(points.bones[link]);
        coder_.whole(bone, first < end ? made_bones_.of(expected.bones[first]) : 0, Kind::bone);
        if (bone >= bones) return coder_.fail();
        points.bones[link] = bone;
        std::size_t same = first;
        while (same < end && made_bones_.of(expected.bones[same]) != bone) ++same;
        const bool is_known = same < end;
        coder_.real(points.weights[link], is_known ? expected.weights[same] : 0.0F, Kind::weight);
        code(coder_, points.offsets[link], is_known ? expected.offsets[same] : Vec3{}, Kind::place);
        code(coder_, points.normals[link], is_known ? expected.normals[same] : Vec3{}, Kind::direction);
        coder_.real(points.distances[link], std::max(0.0F, points.offsets[link].x), Kind::weight);
        sum_ += double{points.weights[link]};
    }

    void code_texcoords() {
        coder_.size(mesh_.texcoords, expected_.texcoords.size());
        if (mesh_.texcoords.size() != expected_.texcoords.size()) coder_.fail();
        for (std::size_t i = 0; i < mesh_.texcoords.size() && coder_.ok(); ++i) {
            coder_.real(mesh_.texcoords[i].x, expected_.texcoords[i].x, Kind::texcoord);
            coder_.real(mesh_.texcoords[i].y, expected_.texcoords[i].y, Kind::texcoord);
        }
    }

    void code_target(MorphTarget& target, const MorphTarget& expected) {
        std::unordered_map<std::uint32_t, const MorphSet*> sets;
        for (const MorphSet& set : expected.sets) sets.emplace(set.point, &set);
        coder_.size(target.sets, expected.sets.size());
        std::uint32_t before = nobody;
        for (std::size_t i = 0; i < target.sets.size() && coder_.ok(); ++i) {
            MorphSet& set = target.sets[i];
            if (Coder::reading) set = MorphSet{};
            coder_.whole(set.point, before + 1, Kind::point);
            before = set.point;
            if (set.point >= mesh_.points.size()) return coder_.fail();
            static const MorphSet nothing;
            const auto found = sets.find(set.point);
            const MorphSet& like = found == sets.end() ? nothing : *found->second;
            coder_.real(set.weight, like.weight, Kind::weight);
            code(coder_, set.offset, like.offset, Kind::offset);
            if (layout_.morph_normals) code(coder_, set.normal, like.normal, Kind::normal);
        }
    }

    Coder& coder_;
    const Mesh& expected_;
    const Layout& layout_;
    Bones made_bones_;
    const Bones& names_;
    Mesh& mesh_;
    double sum_ = 0;  ///< of a point's weights
};

template <class Coder>
void code_name(Coder& coder, FourCC& name, const FourCC& expected) {
    std::uint32_t value = Coder::reading ? 0 : std::bit_cast<std::uint32_t>(name);
    coder.whole(value, std::bit_cast<std::uint32_t>(expected), Kind::bone);
    name = std::bit_cast<FourCC>(value);
}

template <class Coder>
void code_ambient(Coder& coder, Ambient& ambient, const Ambient& expected) {
    coder.real(ambient.frames_per_second, expected.frames_per_second, Kind::weight);
    coder.size(ambient.frames, expected.frames.size());
    static const AmbientFrame none;
    const PoseEntry no_pose;
    const MorphAmount no_amount;
    for (std::size_t i = 0; i < ambient.frames.size() && coder.ok(); ++i) {
        AmbientFrame& frame = ambient.frames[i];
        const AmbientFrame& like = i < expected.frames.size() ? expected.frames[i] : none;
        coder.real(frame.time, like.time, Kind::point);
        coder.size(frame.morphs, like.morphs.size());
        for (std::size_t k = 0; k < frame.morphs.size() && coder.ok(); ++k) {
            const MorphAmount& amount = k < like.morphs.size() ? like.morphs[k] : no_amount;
            code_name(coder, frame.morphs[k].target, amount.target);
            coder.real(frame.morphs[k].amount, amount.amount, Kind::weight);
        }
        coder.size(frame.bones, like.bones.size());
        for (std::size_t k = 0; k < frame.bones.size() && coder.ok(); ++k) {
            const PoseEntry& pose = k < like.bones.size() ? like.bones[k] : no_pose;
            code_name(coder, frame.bones[k].bone, pose.bone);
            code(coder, frame.bones[k].translation, pose.translation, Kind::place);
            code(coder, frame.bones[k].rotation, pose.rotation);
        }
    }
}

/// Only names that the avatar has can be meant.
bool names_exist(const Ambient& ambient, const File& file) {
    std::vector<std::string_view> bones, targets;
    for (const Bone& bone : file.bones) bones.push_back(up_to_nul(bone.name));
    for (const Mesh& mesh : file.meshes) {
        for (const MorphTarget& target : mesh.morph_targets) targets.push_back(up_to_nul(target.name));
    }
    std::sort(bones.begin(), bones.end());
    std::sort(targets.begin(), targets.end());
    for (const AmbientFrame& frame : ambient.frames) {
        for (const PoseEntry& pose : frame.bones) {
            if (!std::binary_search(bones.begin(), bones.end(), text_of(pose.bone))) return false;
        }
        for (const MorphAmount& amount : frame.morphs) {
            if (!std::binary_search(targets.begin(), targets.end(), text_of(amount.target))) return false;
        }
    }
    return true;
}

Bytes exact_ambient(const File& made, const File& original) {
    if (!made.ambient || !original.ambient) return {};
    Ambient copy = *original.ambient;
    Encoder coder;
    code_ambient(coder, copy, *made.ambient);
    return coder.packed(hash_of(copy));
}

void add_exact(Extras& extras, const Bytes& exact, Budget& budget) {
    if (exact.empty() || !budget.take(3 * exact.size())) return;
    Json record = record_of(extras);
    record["exact"] = json_bytes(exact);
    set_record(extras, std::move(record));
}

}  // namespace

Bytes exact_mesh(const File& made, const File& original, std::size_t mesh) {
    if (mesh >= made.meshes.size() || made.bones.size() != original.bones.size()) return {};
    const Mesh& expected = made.meshes[mesh];
    Mesh copy = original.meshes[mesh];
    if (expected.morph_targets.size() != copy.morph_targets.size()) return {};
    Encoder coder;
    const Bones names(original);
    MeshCoder<Encoder>(coder, made, expected, original.layout, names, copy).run(made.bones.size());
    return coder.packed(hash_of(copy));
}

void keep_exact(Scene& scene, const File& file, const Limits& limits, Budget& budget) {
    if (file.first_missing != Part::end) return;
    const auto made = native::same_avatar(scene, limits);
    if (!made) return;
    const bool has_all = scene.meshes.size() == file.meshes.size();
    for (std::size_t i = 0; has_all && i < scene.meshes.size(); ++i)
        add_exact(scene.meshes[i].extras, exact_mesh(*made, file, i), budget);
    if (file.ambient && !scene.clips.empty()) add_exact(scene.clips.back().extras, exact_ambient(*made, file), budget);
}

bool restore_mesh(const Bytes& kept, File& made, std::size_t mesh, Budget& budget) {
    Decoder coder(kept, budget);
    if (!coder.ok() || mesh >= made.meshes.size()) return false;
    const Mesh& expected = made.meshes[mesh];
    Mesh restored;
    restored.switch_distance = expected.switch_distance;
    for (const MorphTarget& target : expected.morph_targets) restored.morph_targets.push_back({target.name, {}});
    const Bones names(made);
    MeshCoder<Decoder>(coder, made, expected, made.layout, names, restored).run(made.bones.size());
    if (!coder.is_done(hash_of(restored))) return false;
    // Places in the skeleton become places among names.
    std::vector<std::uint32_t> places(made.bones.size(), nobody);
    for (std::uint32_t i = 0; i < made.link_names.size(); ++i) {
        if (names.of(i) != nobody) places[names.of(i)] = i;
    }
    for (std::uint32_t& bone : restored.points.bones) {
        if (places[bone] == nobody) {
            places[bone] = static_cast<std::uint32_t>(made.link_names.size());
            std::string name = made.bones[bone].name;
            if (made.layout.link_name_lengths) name.resize(std::min(name.size(), name.find('\0')));
            made.link_names.push_back(std::move(name));
        }
        bone = places[bone];
    }
    made.meshes[mesh] = std::move(restored);
    return true;
}

bool restore_ambient(const Bytes& kept, File& made, bool has_old_names, Budget& budget) {
    Decoder coder(kept, budget);
    if (!coder.ok() || !made.ambient) return false;
    Ambient restored;
    code_ambient(coder, restored, *made.ambient);
    if (!coder.is_done(hash_of(restored)) || restored.frames.empty()) return false;
    if (!has_old_names && !names_exist(restored, made)) return false;
    made.ambient = std::move(restored);
    return true;
}

}  // namespace effigy::arp
