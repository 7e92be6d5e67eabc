#pragma once
/// The layout of .glb: a header, and chunks that each say how long they are.

#include <array>
#include <cstdint>

#include "effigy/core_codes.hpp"
#include "effigy/gltf_file.hpp"

#include "core/access.hpp"
#include "core/problem.hpp"

namespace effigy::gltf {

using layout::Access;

inline constexpr std::array<char, 4> glb_magic{'g', 'l', 'T', 'F'};
inline constexpr std::uint64_t glb_header_size = 12, chunk_header_size = 8;

/// What is not in the file's own bytes when it is read.
struct GlbPlan {
    std::uint64_t chunks = 0;    ///< whole ones
    std::uint64_t trailing = 0;  ///< bytes behind them
};

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Chunk>& chunk) {
    v.count("length", "bytes", chunk.bytes, 1);
    v.field("type", chunk.type);
    v.bulk("bytes", chunk.bytes);
}

template <class Visitor>
void layout_glb(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] const GlbPlan& plan) {
    std::array<char, 4> magic = glb_magic;
    v.field("magic", magic);
    if constexpr (Visitor::reading) {
        if (v.ok() && magic != glb_magic)
            return v.fail(problem_at("magic", codes::build_value, "a .glb begins with another word",
                                     std::string(magic.data(), magic.size()), "glTF"));
    }
    v.field("version", file.version);
    v.field("length", file.declared_length);
    const auto visit = [&](auto& chunk) { layout(v, chunk); };
    if constexpr (Visitor::reading) {
        v.each("chunk", file.chunks, plan.chunks, chunk_header_size, visit);
        if (plan.trailing != 0 || v.source().stated_length("trailing", 1))
            v.bulk("trailing", file.trailing, plan.trailing);
    } else {
        v.each("chunk", file.chunks, visit);
        if (!file.trailing.empty()) v.bulk("trailing", file.trailing);
    }
}

/// A .gltf is its text, and so is a .glb that ends within its header.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, File>& file, const GlbPlan& plan) {
    if (file.is_binary) return layout_glb(v, file, plan);
    if constexpr (Visitor::reading) {
        v.bulk("text", file.text, plan.trailing);
    } else {
        v.bulk("text", file.text);
    }
}

}  // namespace effigy::gltf
