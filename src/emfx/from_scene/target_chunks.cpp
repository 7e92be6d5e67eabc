/// Chunks of finished files as the target game's own files have them, as far as that says the same.

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "emfx/file/container_write.hpp"
#include "emfx/file/layout_xac.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "emfx/from_scene/submotion_as.hpp"

namespace effigy::emfx::bridge {
namespace {

/// A chunk's id and version.
using ChunkKind = std::pair<std::uint32_t, std::uint32_t>;

// What was seen in 291 actors and 75 motions of Europa Universalis III, in 513 and 491 of two mods of Victoria 2, of
// which one has models of Hearts of Iron 3, and in 7 and 4 of Tree of Savior with 6 of its morph motions.
constexpr std::array kinds_of_paradox{ChunkKind{1, 1},   ChunkKind{2, 3},  ChunkKind{3, 2},  ChunkKind{6, 1},
                                      ChunkKind{7, 2},   ChunkKind{8, 1},  ChunkKind{11, 1}, ChunkKind{13, 1},
                                      ChunkKind{201, 2}, ChunkKind{202, 1}};
constexpr std::array kinds_of_victoria2{ChunkKind{0, 3},  ChunkKind{2, 2},   ChunkKind{3, 1},   ChunkKind{4, 2},
                                        ChunkKind{10, 1}, ChunkKind{200, 1}, ChunkKind{201, 1}, ChunkKind{202, 2}};
constexpr std::array kinds_of_savior{ChunkKind{1, 1},   ChunkKind{2, 3},   ChunkKind{3, 2},  ChunkKind{5, 2},
                                     ChunkKind{7, 2},   ChunkKind{11, 1},  ChunkKind{13, 1}, ChunkKind{101, 1},
                                     ChunkKind{102, 1}, ChunkKind{201, 2}, ChunkKind{202, 2}};

/// Whether a file of the target is known that has such a chunk.
bool is_seen(Target target, const ChunkKind& kind) {
    const auto has = [&](const auto& kinds) { return std::ranges::find(kinds, kind) != kinds.end(); };
    if (target == Target::tree_of_savior) return has(kinds_of_savior);
    return has(kinds_of_paradox) || (target != Target::eu3 && has(kinds_of_victoria2));
}

template <class Record>
ChunkKind kind_in(const Chunk<Record>& chunk) {
    return {chunk.id, chunk.version};
}

// --- actors

/// The level of detail that a record says it is of, if it is one of those that can.
std::optional<std::uint32_t> level_number(const xac::Record& record) {
    return std::visit(
        [](const auto& one) -> std::optional<std::uint32_t> {
            if constexpr (requires { one.lod; }) return one.lod;
            return std::nullopt;
        },
        record);
}

/// Whether version 2 has all that a record of another one says.
bool fits_version_2(const xac::Info& info) {
    return info.trajectory_node == xac::no_node && info.motion_extraction_node == xac::no_node &&
           info.motion_extraction_mask == 0 && info.lod_count <= 1;
}

/// The version of the chunk that the target's files have, if it says the same; else the chunk's own.
std::uint32_t fitting_version(Target target, const xac::Chunk& chunk, bool has_levels) {
    if (is_seen(target, kind_in(chunk))) return chunk.version;
    const auto* const info = std::get_if<xac::Info>(&chunk.record);
    // Without levels, the version before the one that has their numbers has all else.
    const bool can_change = info != nullptr ? fits_version_2(*info) : !has_levels && level_number(chunk.record);
    const std::uint32_t wanted = info != nullptr ? 2 : chunk.version - 1;
    return can_change && is_seen(target, {chunk.id, wanted}) ? wanted : chunk.version;
}

/// False if everything stays as it is.
bool fit_versions(Target target, xac::File& file) {
    bool is_changed = false;
    const bool has_levels = std::any_of(file.chunks.begin(), file.chunks.end(), [](const xac::Chunk& chunk) {
        return level_number(chunk.record).value_or(0) != 0;
    });
    for (xac::Chunk& chunk : file.chunks) {
        const std::uint32_t version = fitting_version(target, chunk, has_levels);
        bool is_other = version != chunk.version;
        if (auto* const level = std::get_if<xac::MeshLod>(&chunk.record)) {
            for (xac::File& actor : level->actor) is_other = fit_versions(target, actor) || is_other;
            if (is_other) level->size.reset();
        }
        chunk.version = version;
        if (is_other) chunk.size.reset();
        is_changed = is_changed || is_other;
    }
    return is_changed;
}

/// Of a type that nobody knows, it is not known how long its numbers are.
bool is_any_bytes(const xac::VertexLayer& layer) {
    return !layer.data.empty() && xac::element_type_of(layer).size == 1;
}

/// Whether all numbers in a record can have any byte order: it is not kept as bytes, and not compressed.
constexpr auto has_known_numbers = [](const auto& record) {
    using Record = std::remove_cvref_t<decltype(record)>;
    if constexpr (std::is_same_v<Record, xac::MeshLod>) return record.bytes.empty();
    if constexpr (std::is_same_v<Record, xac::Mesh>)
        return std::none_of(record.layers.begin(), record.layers.end(), is_any_bytes);
    return !std::is_same_v<Record, Opaque> && !std::is_same_v<Record, xsm::Wavelet>;
};

/// Nobody knows what stands behind a record.
template <class Record>
bool can_be_turned(const Chunk<Record>& chunk) {
    return chunk.trailing.empty() && std::visit(has_known_numbers, chunk.record);
}

/// Gives a file the byte order of the games, if all that it holds can have it.
template <class File>
void turn(File& file) {
    const auto can_be = [](const auto& chunk) { return can_be_turned(chunk); };
    if (std::all_of(file.chunks.begin(), file.chunks.end(), can_be)) file.header.endian = 0;
}

void turn_all(xac::File& file) {
    turn(file);
    for (xac::Chunk& chunk : file.chunks) {
        auto* const level = std::get_if<xac::MeshLod>(&chunk.record);
        if (level != nullptr) std::for_each(level->actor.begin(), level->actor.end(), turn_all);
    }
}

// --- motions

bool has_submotions(const xsm::Chunk& chunk) {
    return (chunk.id == 200 || chunk.id == 202) && !std::holds_alternative<Opaque>(chunk.record);
}

/// Those of all chunks as one list, in the place of the first.
template <class Rotation>
void join_submotions(xsm::File& file, std::uint32_t version) {
    xsm::BasicSubmotions<Rotation> all;
    std::vector<xsm::Chunk> chunks;
    std::size_t place = 0;
    bool is_any = false;
    for (xsm::Chunk& chunk : file.chunks) {
        if (!has_submotions(chunk)) {
            chunks.push_back(std::move(chunk));
            continue;
        }
        if (!std::exchange(is_any, true)) place = chunks.size();
        const auto add = [&](auto list) {
            for (auto& one : list) all.submotions.push_back(submotion_as<Rotation>(std::move(one)));
        };
        add(records_in(chunk.record, &xsm::Submotions::submotions));
        add(records_in(chunk.record, &xsm::PackedSubmotions::submotions));
    }
    chunks.insert(chunks.begin() + static_cast<std::ptrdiff_t>(place),
                  {202, version, std::nullopt, std::move(all), {}});
    file.chunks = std::move(chunks);
}

void fit_versions(Target target, Budget& budget, xsm::File& file) {
    constexpr std::uint32_t usual_info = 2;
    constexpr float error_of_exporters = 1e8f;  // version 1 has none
    bool is_other = false;
    for (xsm::Chunk& chunk : file.chunks) {
        if (is_seen(target, kind_in(chunk))) continue;
        is_other = is_other || has_submotions(chunk);
        auto* const info = std::get_if<MotionInfo>(&chunk.record);
        if (info == nullptr || info->motion_extraction_mask != 0) continue;
        if (chunk.version < usual_info) info->maximum_error = error_of_exporters;
        chunk.version = usual_info;
        chunk.size.reset();
    }
    const auto size = is_other ? measure_file(file, false) : Result<std::uint64_t>(0u);
    // For a while there are both.
    if (!is_other || !size || !budget.take(*size, 2)) return;
    is_seen(target, {202, 1}) ? join_submotions<Quat>(file, 1) : join_submotions<xsm::PackedQuat>(file, 2);
}

// --- what is left

/// Kinds of chunks, each once.
class KindList {
public:
    template <class Chunk>
    void add(const Chunk& chunk) {
        if (!known_.insert(kind_in(chunk)).second) return;
        names_.add(std::string(kind_of(chunk.record)) + " v" + std::to_string(chunk.version) + " (id " +
                   std::to_string(chunk.id) + ")");
    }
    /// What is in the other one already is not added any more.
    void leave_out(const KindList& other) { known_.insert(other.known_.begin(), other.known_.end()); }
    [[nodiscard]] const NameList& names() const noexcept { return names_; }

private:
    std::set<ChunkKind> known_;
    NameList names_;
};

/// Calls `visit` for a file and those that are embedded in it.
template <class File, class Visit>
void for_each_file(const File& file, Visit&& visit) {
    visit(file);
    if constexpr (std::is_same_v<File, xac::File>) {
        for (const xac::Chunk& chunk : file.chunks) {
            const auto* const level = std::get_if<xac::MeshLod>(&chunk.record);
            if (level == nullptr) continue;
            for (const xac::File& actor : level->actor) for_each_file(actor, visit);
        }
    }
}

template <class File>
void note_others(Target target, const File& file, const std::string& path, Report& report) {
    KindList unturned, others;
    for_each_file(file, [&](const auto& one) {
        for (const auto& chunk : one.chunks) {
            if (one.header.big_endian() && !can_be_turned(chunk)) unturned.add(chunk);
        }
    });
    others.leave_out(unturned);
    for_each_file(file, [&](const auto& one) {
        for (const auto& chunk : one.chunks) {
            if (!is_seen(target, kind_in(chunk))) others.add(chunk);
        }
    });
    if (!unturned.names().empty()) {
        report.add(problem_at(path, codes::emfx_chunk_version,
                              "Chunks whose numbers cannot be turned keep the file big-endian, which no known file of "
                              "the game is: it may not read this one.",
                              unturned.names().text()));
    }
    if (!others.names().empty()) report.add(problem_at(path, codes::emfx_chunk_version, {}, others.names().text()));
}

}  // namespace

void fit_target(Target target, xac::File& file, const std::string& path, Report& report) {
    if (!has_known_files(target)) return;
    turn_all(file);
    (void)fit_versions(target, file);
    note_others(target, file, path, report);
}

void make_little_endian(xsm::File& file) { turn(file); }

void fit_target(Target target, Budget& budget, xsm::File& file, const std::string& path, Report& report) {
    if (!has_known_files(target)) return;
    fit_versions(target, budget, file);
    note_others(target, file, path, report);
}

void fit_target(Target target, xpm::File& file, const std::string& path, Report& report) {
    if (!has_known_files(target)) return;
    turn(file);
    note_others(target, file, path, report);
}

}  // namespace effigy::emfx::bridge
