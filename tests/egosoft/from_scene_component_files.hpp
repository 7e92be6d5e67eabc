#pragma once
/// Components that go to a scene, through a .glb and back into files of a mod.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "effigy/diff.hpp"
#include "effigy/files.hpp"
#include "effigy/game_files.hpp"
#include "effigy/gltf.hpp"
#include "effigy/material_library.hpp"
#include "effigy/poser.hpp"
#include "effigy/registry.hpp"

#include "contents.hpp"
#include "core/text.hpp"
#include "egosoft/game/surroundings.hpp"
#include "egosoft/scene_builders.hpp"

namespace builders {

using effigy::test::read_text;
using effigy::test::text_of;

/// Components as `effigy convert` reads them, out of the mod that they stand in.
[[nodiscard]] inline Scene component_scene(const std::vector<std::filesystem::path>& paths,
                                           const OptionValues& options = {}) {
    auto files = egosoft::GameFiles::open({egosoft::root_of(paths.front())});
    EXPECT_TRUE(files) << (files ? "" : to_string(files.error()));
    if (!files) return {};
    std::vector<SceneSource> sources;
    for (const std::filesystem::path& path : paths) {
        auto document = open_file(path);
        EXPECT_TRUE(document) << (document ? "" : to_string(document.error()));
        if (!document) return {};
        sources.push_back(
            {std::move(document->value), path, std::filesystem::file_size(path), content_hash(path).value()});
    }
    const Surroundings around = egosoft::surroundings_of({&files->value, nullptr});
    ConversionContext settings;
    settings.options = options;
    settings.surroundings = &around;
    auto scene = to_scene(std::move(sources), settings);
    EXPECT_TRUE(scene) << (scene ? "" : to_string(scene.error()));
    return scene ? std::move(scene->value) : Scene();
}
[[nodiscard]] inline Scene component_scene(const std::filesystem::path& path) {
    return component_scene(std::vector{path});
}

/// The scene as it comes back from a .glb.
[[nodiscard]] inline Scene through_glb(const Scene& scene, const gltf::WriteOptions& options = {}) {
    const auto glb = gltf::write_glb(scene, options);
    EXPECT_TRUE(glb) << (glb ? "" : to_string(glb.error()));
    if (!glb) return {};
    auto file = gltf::read(*glb);
    auto loaded = gltf::to_scene(file->value);
    EXPECT_TRUE(loaded) << (loaded ? "" : to_string(loaded.error()));
    return loaded ? std::move(loaded->value) : Scene();
}

/// Files that a scene becomes, by lower-case path below the XML's folder; the first is the XML.
struct MadeFiles {
    std::vector<NewFile> files;
    Report report;
    std::map<std::string, std::string> by_path;

    [[nodiscard]] std::string xml() const { return files.empty() ? std::string() : text_of(files.front().bytes); }
};
[[nodiscard]] inline MadeFiles made_files(const Scene& scene, const std::filesystem::path& path,
                                          const ConversionContext& options = {}) {
    auto made = make_files(scene, path, options);
    EXPECT_TRUE(made) << (made ? "" : to_string(made.error()));
    if (!made) return {};
    MadeFiles result{std::move(made->value), std::move(made->report), {}};
    for (const NewFile& file : result.files) result.by_path[lower(file.name)] = text_of(file.bytes);
    return result;
}

/// What `effigy check` finds in a component, with the mod's own library.
[[nodiscard]] inline Report findings_of(const std::filesystem::path& path) {
    auto files = egosoft::GameFiles::open({egosoft::root_of(path)});
    auto document = open_file(path);
    EXPECT_TRUE(document) << (document ? "" : to_string(document.error()));
    if (!files || !document) return {};
    auto materials = egosoft::load_material_library(files->value, {});
    const bool has_materials = materials && !materials->value.empty();
    const Surroundings around = egosoft::surroundings_of({&files->value, has_materials ? &materials->value : nullptr});
    CheckContext context;
    context.path = path;
    context.surroundings = &around;
    Report report = std::move(document->report);
    report.append(document->value.check(context));
    return report;
}

/// How far the bounds of two scenes are apart at rest and, where only nodes move, at times of their clips.
[[nodiscard]] inline double distance_of(const Scene& a, const Scene& b) {
    auto one = playback::Poser::make(a), other = playback::Poser::make(b);
    EXPECT_TRUE(one && other);
    if (!one || !other) return INFINITY;
    const auto distance = [&] {
        const playback::Bounds mine = one->bounds(), theirs = other->bounds();

        const Vec3 a1 = mine.low, a2 = mine.high, b1 = theirs.low, b2 = theirs.high;
        return std::max({std::fabs(a1.x - b1.x), std::fabs(a1.y - b1.y), std::fabs(a1.z - b1.z), std::fabs(a2.x - b2.x),
                         std::fabs(a2.y - b2.y), std::fabs(a2.z - b2.z)});
    };
    float most = distance();
    const bool is_rigid = a.skins.empty() && std::all_of(a.meshes.begin(), a.meshes.end(),
                                                         [](const Mesh& mesh) { return mesh.targets.empty(); });
    for (std::size_t i = 0; is_rigid && i < a.clips.size(); ++i) {
        const Clip& clip = a.clips[i];
        const Clip* const twin = find_clip(b, clip.name);
        EXPECT_NE(twin, nullptr) << clip.name;
        if (twin == nullptr) continue;
        for (int step = 0; step <= 16; ++step) {
            const double time = static_cast<double>(clip.duration) * step / 16;
            EXPECT_TRUE(one->pose(static_cast<Index>(i), time, false));
            EXPECT_TRUE(other->pose(static_cast<Index>(twin - b.clips.data()), time, false));
            most = std::max(most, distance());
        }
    }
    return static_cast<double>(most);
}

inline void write_all(const MadeFiles& made, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const auto written = write_files(made.files, folder);
    EXPECT_TRUE(written) << (written ? "" : to_string(written.error()));
}

/// What differs between two scenes, in lines.
[[nodiscard]] inline std::string differences(const Scene& a, const Scene& b, const DiffOptions& options = {}) {
    const auto report = diff_scenes(a, b, options);
    EXPECT_TRUE(report) << (report ? "" : to_string(report.error()));
    std::string lines;
    if (!report) return lines;
    for (const Diagnostic& one : report->diagnostics()) {
        if (one.severity != Severity::info) lines += to_string(one) + "\n";
    }
    return lines;
}

[[nodiscard]] inline std::string codes_of(const Report& report, Severity least = Severity::info) {
    std::string codes;
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.severity <= least) codes += one.code + " ";
    }
    return codes;
}

}  // namespace builders
