#pragma once
/// What the fuzzers of scenes demand of every file of a game that a scene becomes.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "check.hpp"

namespace effigy::fuzz {

/// Options by bits, so that any number is a choice.
inline ConversionContext native_options(std::uint64_t bits) {
    constexpr std::array<std::string_view, 6> targets{"", "victoria2", "eu3", "tos", "xrebirth", "x4"};
    ConversionContext context;
    context.limits = small_limits();
    OptionValues& options = context.options;
    options.set("target", targets[bits % targets.size()]);
    if ((bits & 8U) != 0) options.set("levels", "fields");
    if ((bits & 16U) != 0) options.set("bones", "3");
    if ((bits & 32U) != 0) options.set("max-error", "0.01");
    if ((bits & 64U) != 0) options.set("height", "1.7");
    if ((bits & 128U) != 0) options.set("collision");
    if ((bits & 256U) != 0) options.set("animation-config");
    return context;
}

/// A file that was made can be read. Errors are in it only if a record wants them back.
inline void demand_sound(const NewFile& file, bool has_records) {
    const auto opened = open_bytes(file.bytes, file.name, {small_limits()});
    if (!opened) {
        const std::string& code = opened.error().code;
        demand(code == "unknown-format" || code == "foreign-format" || code == "limit-memory");  // pictures, settings
        return;
    }
    const Report report = opened->value.check();
    demand(has_records || (!opened->report.has_errors() && !report.has_errors()));
}

/// The scene in every format that has from_scene, as far as it goes.
inline void make_all(const Scene& scene, const ConversionContext& options, bool has_records) {
    for (const FormatInfo& format : formats()) {
        if (!format.from_scene || format.family == "gltf") continue;
        const auto made = make_files(scene, "x." + std::string(format.extensions.front()), options);
        if (!made) {
            demand(!made.error().code.empty());
            continue;
        }
        for (const NewFile& file : made->value) demand_sound(file, has_records);
    }
}

/// Calls `change` with the extras of every object.
template <class Change>
void for_all_extras(Scene& scene, Change change) {
    for (Node& node : scene.nodes) change(node.extras);
    for (Mesh& mesh : scene.meshes) change(mesh.extras);
    for (Skin& skin : scene.skins) change(skin.extras);
    for (Material& material : scene.materials) change(material.extras);
    for (Light& light : scene.lights) change(light.extras);
    for (Clip& clip : scene.clips) change(clip.extras);
    change(scene.asset_extras);
}

}  // namespace effigy::fuzz
