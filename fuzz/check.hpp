#pragma once
/// What fuzzers share: small limits, scenes played, and the demands on any file that tests have too.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"
#include "effigy/registry.hpp"

#include "hostile/harness.hpp"

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
inline void convert(Document document, std::optional<Document> motion = {}, bool retarget = false) {
    std::vector<SceneSource> sources;
    sources.push_back({std::move(document), {}, 0});
    if (motion) sources.push_back({std::move(*motion), {}, 0});
    ConversionContext settings;
    settings.limits = small_limits();
    if (retarget) settings.options.set("retarget");
    const auto scene = to_scene(std::move(sources), settings);
    if (scene && gltf::write_glb(scene->value)) play(scene->value);
}

/// All that is demanded of any bytes as a file of that format, whatever they look like.
inline void exercise(std::span<const std::byte> input, std::string_view format) {
    harness::Demands demands = harness::demands_of(format);
    demands.limits = demands.dump_limits = small_limits();
    demands.use = [](const Scene& scene) {
        play(scene);
        return std::string();
    };
    const harness::Outcome outcome = harness::exercise(input, demands);
    if (!outcome.fault.empty()) std::fputs((outcome.fault + "\n").c_str(), stderr);
    demand(outcome.fault.empty());
}

}  // namespace effigy::fuzz
