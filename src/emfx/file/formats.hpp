#pragma once
/// What tells XAC, XSM and XPM apart inside the common container: which record a chunk's id and version mean, and how
/// a record is laid out.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/file/layout_common.hpp"
#include "emfx/file/layout_motion.hpp"
#include "emfx/file/layout_xac.hpp"

namespace effigy::emfx {

/// `kind` of a record in paths and dumps.
[[nodiscard]] const char* kind_of(const xac::Record& record) noexcept;
[[nodiscard]] const char* kind_of(const xsm::Record& record) noexcept;
[[nodiscard]] const char* kind_of(const xpm::Record& record) noexcept;

/// The records of one kind in a chunk: its own, or those of its list.
template <class Record, class One, class List>
[[nodiscard]] auto records_in(Record& record, std::vector<One> List::*members) noexcept {
    std::span<std::conditional_t<std::is_const_v<Record>, const One, One>> found;
    if (auto* one = std::get_if<One>(&record)) found = {one, 1};
    if (auto* list = std::get_if<List>(&record)) found = list->*members;
    return found;
}

/// What ties a mesh and its skinning together: node, level of detail, collision mesh.
using MeshKey = std::tuple<std::uint32_t, std::uint32_t, bool>;
[[nodiscard]] inline MeshKey key_of(const xac::Mesh& mesh) noexcept {
    return {mesh.node, mesh.lod, mesh.is_collision != 0};
}
[[nodiscard]] inline MeshKey key_of(const xac::Skinning& skinning) noexcept {
    return {skinning.node, skinning.lod, skinning.is_for_collision_mesh != 0};
}

/// Bytes of one element of a vertex layer, by its type.
inline constexpr std::array<std::uint32_t, 9> layer_sizes{12, 12, 16, 8, 4, 4, 16, 12, 4};

/// Whether a name in a material's texture slots stands for no texture: exporters leave it empty; the games have black
/// pictures of some of these names.
[[nodiscard]] bool is_no_texture(std::string_view name);

struct XacFormat {
    using File = xac::File;
    static constexpr std::array<char, 4> magic{'X', 'A', 'C', ' '};
    static constexpr const char* name = "xac";
    /// An empty record for a chunk, or nothing if the id or the version is not known.
    [[nodiscard]] static std::optional<xac::Record> make_record(std::uint32_t id, std::uint32_t version);
    [[nodiscard]] static bool knows(std::uint32_t id) noexcept { return id <= 19 || id == 50 || id == 51; }
};

struct XsmFormat {
    using File = xsm::File;
    static constexpr std::array<char, 4> magic{'X', 'S', 'M', ' '};
    static constexpr const char* name = "xsm";
    [[nodiscard]] static std::optional<xsm::Record> make_record(std::uint32_t id, std::uint32_t version);
    [[nodiscard]] static bool knows(std::uint32_t id) noexcept {
        return (id >= 200 && id <= 203) || id == 50 || id == 51;
    }
};

struct XpmFormat {
    using File = xpm::File;
    static constexpr std::array<char, 4> magic{'X', 'P', 'M', ' '};
    static constexpr const char* name = "xpm";
    [[nodiscard]] static std::optional<xpm::Record> make_record(std::uint32_t id, std::uint32_t version);
    [[nodiscard]] static bool knows(std::uint32_t id) noexcept {
        return (id >= 100 && id <= 102) || id == 50 || id == 51;
    }
};

/// Bytes before the embedded file in a Risen wrapper, and where its size stands.
inline constexpr std::uint64_t wrapper_size = 140;
inline constexpr std::uint64_t wrapper_size_offset = 136;

/// Records whose layout has alternatives that nothing but their size tells apart: such a record counts as understood
/// only if it fills its chunk exactly. `attempt` counts from 0; false when there is no such alternative.
template <class Record>
[[nodiscard]] bool prepare_attempt(Record& record, std::uint32_t version, unsigned attempt) {
    if (auto* events = std::get_if<MotionEvents>(&record)) {
        events->packed = attempt == 1;
        return attempt == 0 || (attempt == 1 && version >= 3);
    }
    if constexpr (std::is_same_v<Record, xac::Record>) {
        if (auto* sources = std::get_if<xac::NodeMotionSources>(&record)) {
            sources->has_axes = attempt == 1;
            return attempt <= 1;
        }
        if (auto* groups = std::get_if<xac::NodeGroups>(&record)) {
            groups->counted = attempt == 0;
            return attempt <= 1;
        }
    }
    return attempt == 0;
}

template <class Record>
[[nodiscard]] bool must_fill_chunk(const Record& record) noexcept {
    if (std::holds_alternative<MotionEvents>(record)) return true;
    if constexpr (std::is_same_v<Record, xac::Record>) {
        return std::holds_alternative<xac::NodeMotionSources>(record) ||
               std::holds_alternative<xac::NodeGroups>(record);
    }
    return false;
}

/// Walks any record but an Opaque and a MeshLod, which need the container around them.
template <class Visitor, class Record, class RangeCount>
void layout_record(Visitor& v, Record& record, std::uint32_t version, RangeCount&& range_count) {
    std::visit(
        [&](auto& alternative) {
            using Alternative = std::remove_cvref_t<decltype(alternative)>;
            if constexpr (std::is_same_v<Alternative, xac::Skinning>) {
                layout(v, alternative, version, [&] { return range_count(alternative); });
            } else if constexpr (!std::is_same_v<Alternative, Opaque> && !std::is_same_v<Alternative, xac::MeshLod>) {
                layout(v, alternative, version);
            }
        },
        record);
}

}  // namespace effigy::emfx
