#pragma once
/// What the fuzzers of the faithful layer demand of every file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"
#include "effigy/registry.hpp"

namespace effigy::fuzz {

inline Limits small_limits() {
    Limits limits;
    limits.memory = std::uint64_t{64} << 20;
    return limits;
}

inline void demand(bool condition) {
    if (!condition) std::abort();
}

inline void demand_same(std::span<const std::byte> left, std::span<const std::byte> right) {
    demand(left.size() == right.size() && (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0));
}

inline std::span<const std::byte> as_input(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}

/// Every clip at some moments. What a scene holds that can be written can be posed.
inline void play(const Scene& scene) {
    auto poser = playback::Poser::make(scene, {.collision = true});
    demand(poser.has_value());
    for (Index clip = 0; clip < scene.clips.size(); ++clip) {
        for (const double time : {0.0, 0.37, -1.0, 1e6}) demand(poser->pose(clip, time).has_value());
        (void)poser->bounds();
    }
    (void)playback::bake(*poser);
}

/// Scenes take their bulk data out of the files: last use of all of them.
inline void convert(std::vector<Document> documents, bool retarget = false) {
    std::vector<SceneSource> sources;
    for (Document& document : documents) sources.push_back({std::move(document), {}, 0, {}});
    SceneSettings settings;
    settings.limits = small_limits();
    settings.retarget = retarget;
    const auto scene = to_scene(std::move(sources), settings);
    if (scene && gltf::write_glb(scene->value)) play(scene->value);
}

/// Reads `File` by `read`, and demands that nothing is lost; then everything else that can be done with it.
template <class File>
void exercise(std::span<const std::byte> input,
              Result<Loaded<File>> (*read)(std::span<const std::byte>, const ReadOptions&),
              Result<Bytes> (*write)(const File&, const WriteOptions&)) {
    const ReadOptions options{small_limits()};
    const auto loaded = read(input, options);
    if (!loaded) return;
    const auto written = write(loaded->value, {});
    demand(written.has_value());
    demand_same(*written, input);
    const auto normalized = write(loaded->value, {.normalize = true});
    demand(normalized.has_value());

    auto opened = open_bytes(input, "", options);
    if (!opened) return;  // another format's magic inside a wrapper
    (void)opened->value.check();
    convert({opened->value});
}

}  // namespace effigy::fuzz
