/// `info` of skeletal and morph motions (XSM, XPM): duration, counts of keys, names of tracks.

#include "effigy/xsm_wavelets.hpp"

#include "emfx/file/info.hpp"

namespace effigy::emfx {

namespace {

struct Keys {
    std::uint64_t positions = 0, rotations = 0, scales = 0, scale_rotations = 0;
};

template <class Rotation>
void add_submotions(std::span<const xsm::BasicSubmotion<Rotation>> submotions, const std::string& encoding, Json& names,
                    Keys& keys) {
    for (const auto& submotion : submotions) {
        names.push_back(to_utf8(submotion.node_name, encoding));
        keys.positions += submotion.position_keys.size();
        keys.rotations += submotion.rotation_keys.size();
        keys.scales += submotion.scale_keys.size();
        keys.scale_rotations += submotion.scale_rotation_keys.size();
    }
}

/// How samples are compressed, in words where there are some.
Json compression_of(const xsm::Wavelet& wavelet) {
    const auto quality = [](float factor) { return json_number(100 - (factor - 1) / 0.4f); };
    const bool is_known = wavelet.wavelet < xsm::transform_names.size();
    const char* const coder = wavelet.compressor == 0 ? "huffman" : wavelet.compressor == 1 ? "rice" : "unknown";
    return {{"transform", is_known ? xsm::transform_names[wavelet.wavelet] : std::string_view("unknown")},
            {"coder", coder},
            {"chunks", wavelet.chunks.size()},
            {"samples_per_chunk", wavelet.samples_per_chunk},
            {"seconds_per_chunk", json_number(wavelet.seconds_per_chunk)},
            {"position_tracks", wavelet.position_track_count},
            {"rotation_tracks", wavelet.rotation_track_count},
            {"scale_tracks", wavelet.scale_track_count},
            {"scale_rotation_tracks", wavelet.scale_rotation_track_count},
            {"position_quality", quality(wavelet.position_quantization)},
            {"rotation_quality", quality(wavelet.rotation_quantization)},
            {"scale_quality", quality(wavelet.scale_quantization)}};
}

template <class File>
Json motion_head(const File& file, const char* format, const std::string& encoding) {
    Json json = info_head(file, format);
    if (const auto* record = find_record<MotionInfo>(file)) {
        json["name"] = to_utf8(record->motion_name, encoding);
        json["producer"] = producer(*record, encoding);
        json["frames_per_second"] = record->frames_per_second;
    }
    return json;
}

}  // namespace

Json info(const xsm::File& file, const std::string& encoding) {
    Json json = motion_head(file, "xsm", encoding);
    Json names = Json::array();
    Keys keys;
    Json compression;
    for (const xsm::Chunk& chunk : file.chunks) {
        add_submotions(records_in(chunk.record, &xsm::Submotions::submotions), encoding, names, keys);
        add_submotions(records_in(chunk.record, &xsm::PackedSubmotions::submotions), encoding, names, keys);
        if (const auto* packed = std::get_if<xsm::Wavelet>(&chunk.record)) {
            compression = compression_of(*packed);
            for (const xsm::WaveletSubmotion& submotion : packed->submotions)
                names.push_back(to_utf8(submotion.node_name, encoding));
        }
    }
    json["duration"] = json_number(xsm::duration(file));
    json["wavelet"] = !compression.is_null();
    if (!compression.is_null()) json["compression"] = std::move(compression);
    json["counts"] = {{"submotions", names.size()},
                      {"position_keys", keys.positions},
                      {"rotation_keys", keys.rotations},
                      {"scale_keys", keys.scales},
                      {"scale_rotation_keys", keys.scale_rotations},
                      {"events", event_count(file)}};
    json["nodes"] = std::move(names);
    return json;
}

Json info(const xpm::File& file, const std::string& encoding) {
    Json json = motion_head(file, "xpm", encoding);
    Json targets = Json::array();
    std::uint64_t keys = 0;
    for (const xpm::Chunk& chunk : file.chunks) {
        for (const xpm::Submotion& submotion : records_in(chunk.record, &xpm::Submotions::submotions)) {
            targets.push_back({{"name", to_utf8(submotion.name, encoding)},
                               {"phoneme_sets", submotion.phoneme_set},
                               {"keys", submotion.keys.size()}});
            keys += submotion.keys.size();
        }
    }
    json["duration"] = json_number(xpm::duration(file));
    json["counts"] = {{"submotions", targets.size()}, {"keys", keys}, {"events", event_count(file)}};
    json["morph_targets"] = std::move(targets);
    return json;
}

}  // namespace effigy::emfx
