#pragma once
/// The layout of every XSM and XPM record: docs/formats/xsm.md and docs/formats/xpm.md.

#include <cstdint>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/file/elements.hpp"
#include "emfx/file/layout_common.hpp"

namespace effigy::xsm {

using emfx::Access;

template <class Visitor, class Submotion>
void layout_poses(Visitor& v, Submotion& submotion) {
    v.field("pose_rotation", submotion.pose_rotation);
    v.field("bind_pose_rotation", submotion.bind_pose_rotation);
    v.field("pose_scale_rotation", submotion.pose_scale_rotation);
    v.field("bind_pose_scale_rotation", submotion.bind_pose_scale_rotation);
    v.field("pose_position", submotion.pose_position);
    v.field("pose_scale", submotion.pose_scale);
    v.field("bind_pose_position", submotion.bind_pose_position);
    v.field("bind_pose_scale", submotion.bind_pose_scale);
}

template <class Visitor, class Rotation>
void layout_submotion(Visitor& v, Access<Visitor, BasicSubmotion<Rotation>>& submotion, bool has_maximum_error) {
    layout_poses(v, submotion);
    v.count("position_key_count", "position_keys", submotion.position_keys, sizeof(VectorKey));
    v.count("rotation_key_count", "rotation_keys", submotion.rotation_keys, sizeof(RotationKey<Rotation>));
    v.count("scale_key_count", "scale_keys", submotion.scale_keys, sizeof(VectorKey));
    v.count("scale_rotation_key_count", "scale_rotation_keys", submotion.scale_rotation_keys,
            sizeof(RotationKey<Rotation>));
    if (has_maximum_error) v.field("maximum_error", submotion.maximum_error);
    v.field("node_name", submotion.node_name);
    v.bulk("position_keys", submotion.position_keys);
    v.bulk("rotation_keys", submotion.rotation_keys);
    v.bulk("scale_keys", submotion.scale_keys);
    v.bulk("scale_rotation_keys", submotion.scale_rotation_keys);
}

/// Chunk 200: v1 lacks the maximum error.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, Submotion>& submotion, std::uint32_t version) {
    layout_submotion<Visitor, Quat>(v, submotion, version >= 2);
}
template <class Visitor>
void layout(Visitor& v, Access<Visitor, PackedSubmotion>& submotion, std::uint32_t /*version*/) {
    layout_submotion<Visitor, PackedQuat>(v, submotion, true);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Submotions>& list, std::uint32_t /*version*/) {
    v.count("submotion_count", "submotion", list.submotions, 136);
    v.each("submotion", list.submotions, [&](auto& submotion) { layout_submotion<Visitor, Quat>(v, submotion, true); });
}
template <class Visitor>
void layout(Visitor& v, Access<Visitor, PackedSubmotions>& list, std::uint32_t /*version*/) {
    v.count("submotion_count", "submotion", list.submotions, 104);
    v.each("submotion", list.submotions,
           [&](auto& submotion) { layout_submotion<Visitor, PackedQuat>(v, submotion, true); });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, WaveletSubmotion>& submotion) {
    layout_poses(v, submotion);
    v.field("maximum_error", submotion.maximum_error);
    v.field("node_name", submotion.node_name);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, WaveletChunk>& chunk) {
    v.field("rotation_scale", chunk.rotation_scale);
    v.field("position_scale", chunk.position_scale);
    v.field("scale_scale", chunk.scale_scale);
    v.field("start_time", chunk.start_time);
    v.count("rotation_byte_count", "rotations", chunk.rotations, 1);
    v.count("position_byte_count", "positions", chunk.positions, 1);
    v.count("scale_byte_count", "scales", chunk.scales, 1);
    v.field("position_bits", chunk.position_bits);
    v.field("rotation_bits", chunk.rotation_bits);
    v.field("scale_bits", chunk.scale_bits);
    v.bulk("rotations", chunk.rotations);
    v.bulk("positions", chunk.positions);
    v.bulk("scales", chunk.scales);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Wavelet>& wavelet, std::uint32_t /*version*/) {
    v.count("chunk_count", "wavelet_chunk", wavelet.chunks, 40);
    v.field("samples_per_chunk", wavelet.samples_per_chunk);
    v.field("decompressed_rotation_bytes", wavelet.decompressed_rotation_bytes);
    v.field("decompressed_position_bytes", wavelet.decompressed_position_bytes);
    v.field("decompressed_scale_bytes", wavelet.decompressed_scale_bytes);
    v.field("rotation_track_count", wavelet.rotation_track_count);
    v.field("scale_rotation_track_count", wavelet.scale_rotation_track_count);
    v.field("scale_track_count", wavelet.scale_track_count);
    v.field("position_track_count", wavelet.position_track_count);
    v.field("chunk_overhead", wavelet.chunk_overhead);
    v.field("compressed_size", wavelet.compressed_size);
    v.field("optimized_size", wavelet.optimized_size);
    v.field("uncompressed_size", wavelet.uncompressed_size);
    v.field("scale_rotation_offset", wavelet.scale_rotation_offset);
    v.count("submotion_count", "submotion", wavelet.submotions, 96);
    v.field("position_quantization", wavelet.position_quantization);
    v.field("rotation_quantization", wavelet.rotation_quantization);
    v.field("scale_quantization", wavelet.scale_quantization);
    v.field("sample_spacing", wavelet.sample_spacing);
    v.field("seconds_per_chunk", wavelet.seconds_per_chunk);
    v.field("maximum_time", wavelet.maximum_time);
    v.field("wavelet", wavelet.wavelet);
    v.field("compressor", wavelet.compressor);
    v.field("padding", wavelet.padding);
    v.bulk("mappings", wavelet.mappings, wavelet.submotions.size());
    v.each("submotion", wavelet.submotions, [&](auto& submotion) { layout(v, submotion); });
    v.each("wavelet_chunk", wavelet.chunks, [&](auto& chunk) { layout(v, chunk); });
}

}  // namespace effigy::xsm

namespace effigy::xpm {

using emfx::Access;

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Submotion>& submotion, std::uint32_t /*version*/) {
    v.field("pose_weight", submotion.pose_weight);
    v.field("min_weight", submotion.min_weight);
    v.field("max_weight", submotion.max_weight);
    v.field("phoneme_set", submotion.phoneme_set);
    v.count("key_count", "keys", submotion.keys, sizeof(WeightKey));
    v.field("name", submotion.name);
    v.bulk("keys", submotion.keys);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Submotions>& list, std::uint32_t version) {
    v.count("submotion_count", "submotion", list.submotions, 24);
    v.each("submotion", list.submotions, [&](auto& submotion) { layout(v, submotion, version); });
}

}  // namespace effigy::xpm
