/// Runs the conversions of a trip, and keeps their reports.

#include "proof/trip.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "effigy/arp_container.hpp"
#include "effigy/arp_scene.hpp"
#include "effigy/gltf.hpp"
#include "effigy/textures.hpp"

#include "contents.hpp"

namespace trip {
namespace {

using namespace effigy;
namespace fs = std::filesystem;

template <class T>
T value_of(Result<T> result) {
    if (result) return std::move(*result);
    ADD_FAILURE() << to_string(result.error());
    return T{};
}

const FormatInfo* format_of(const NewFile& file) {
    const std::span<const std::byte> bytes(file.bytes);
    return recognize(bytes.first(std::min<std::size_t>(bytes.size(), 4096)), file.name).format;
}

/// Files that an avatar's container holds, or that another file leads to, are no inputs of their own.
bool is_input(const NewFile& file) {
    const FormatInfo* format = format_of(file);
    return format != nullptr && (format->role == Role::model || format->role == Role::motion) &&
           file.name.find('/') == std::string::npos;
}

/// Motions lie beside their model under its name and theirs.
void take_off_prefix(Scene& scene, const std::string& stem) {
    for (Clip& clip : scene.clips) {
        if (clip.name.starts_with(stem + "_")) clip.name.erase(0, stem.size() + 1);
    }
}

void read_names(std::span<const std::byte> bytes, Renamed& names) {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    const auto json = nlohmann::json::parse(text, text + bytes.size());
    for (const auto& [key, map] : {std::pair{"bones", &names.bones}, std::pair{"targets", &names.targets}}) {
        if (!json.contains(key)) continue;
        for (const auto& pair : json.at(key)) (*map)[pair.at(1)] = pair.at(0);
    }
    for (std::size_t axis = 0; axis < 3 && json.contains("origin"); ++axis)
        names.origin[axis] = json.at("origin").at(axis);
}

void check_file(const NewFile& file, const Written& written, const Document* model, Report& findings) {
    auto loaded = open_bytes(file.bytes, file.name);
    ASSERT_TRUE(loaded) << file.name << ": " << to_string(loaded.error());
    findings.append(std::move(loaded->report));
    CheckContext context;
    context.path = written.folder.path() / file.name;
    context.model = model;
    findings.append(loaded->value.check(context));
}

}  // namespace

Scene scene_of(std::span<const std::byte> glb) {
    auto file = gltf::read(glb);
    if (!file) {
        ADD_FAILURE() << to_string(file.error());
        return {};
    }
    return value_of(gltf::to_scene(file->value)).value;
}

Bytes glb_of(const Scene& scene) { return value_of(gltf::write_glb(scene)); }

void save_and_check(Written& written) {
    const auto done = write_files(written.files, written.folder.path());
    ASSERT_TRUE(done) << to_string(done.error());
    auto model = open_bytes(written.files.front().bytes, written.files.front().name);
    ASSERT_TRUE(model) << to_string(model.error());
    const bool has_model = model->value.format().role == Role::model;
    for (const NewFile& file : written.files) {
        if (format_of(file) == nullptr || file.name.ends_with(".xsmtime")) continue;  // read with its motion
        const bool is_motion = format_of(file)->role == Role::motion;
        check_file(file, written, has_model && is_motion ? &model->value : nullptr, written.findings);
    }
}

void write(const Scene& scene, const std::string& name, const ConversionContext& options, Written& written) {
    auto files = make_files(scene, written.folder.path() / name, options);
    ASSERT_TRUE(files) << to_string(files.error());
    written.files = std::move(files->value);
    written.report = std::move(files->report);
    save_and_check(written);
}

void write_for(const Scene& scene, const std::string& name, const std::string& target, Written& written) {
    ConversionContext options;
    options.options.set("target", target);
    auto files = make_folder(scene, written.folder.path() / name, options);
    ASSERT_TRUE(files) << to_string(files.error());
    written.report = std::move(files->report);
    for (NewFile& file : files->value)
        written.files.push_back({fs::path(file.name).filename().string(), std::move(file.bytes)});
    save_and_check(written);
}

Bytes back(const Written& written) {
    std::vector<SceneSource> sources;
    for (const NewFile& file : written.files) {
        if (!is_input(file)) continue;
        const fs::path path = written.folder.path() / file.name;
        auto loaded = open_file(path);
        if (!loaded) {
            ADD_FAILURE() << to_string(loaded.error());
            return {};
        }
        sources.push_back({std::move(loaded->value), path, file.bytes.size()});
    }
    ConversionContext settings;
    settings.options.set("colors", "raw");
    settings.options.set("arp-twist", "none");  // what players do to arms has no counterpart in glTF
    auto scene = value_of(to_scene(std::move(sources), settings));
    std::string stem = fs::path(written.files.front().name).stem().string();
    if (stem.ends_with("_set")) stem.resize(stem.size() - 4);
    take_off_prefix(scene.value, stem);
    TextureOptions textures;
    textures.folders = {written.folder.path()};
    const bool is_turned = written.files.front().name.ends_with(".xac") || written.files.front().name.ends_with(".xmf");
    textures.normal_map_green = is_turned ? GreenChannel::flip : GreenChannel::keep;
    const Report lost = load_textures(scene.value, textures);
    EXPECT_EQ(codes(lost, Severity::error), "");
    return glb_of(scene.value);
}

Renamed renamed(const Written& written) {
    Renamed names;
    for (const NewFile& file : written.files) {
        if (file.name.ends_with("names.json")) read_names(file.bytes, names);
        if (!file.name.ends_with(".jar")) continue;
        const auto container = arp::read_container(file.bytes);
        if (!container) continue;
        for (const auto& entry : container->value.entries) {
            if (entry.name.ends_with("names.json")) read_names(entry.content, names);
        }
    }
    return names;
}

Bytes example(const fs::path& folder) {
    Written made;
    for (const auto& entry : fs::directory_iterator(folder)) {
        made.files.push_back({entry.path().filename().string(), test::read_bytes(entry.path())});
    }
    std::ranges::sort(made.files, {}, &NewFile::name);
    EXPECT_TRUE(write_files(made.files, made.folder.path()));
    Scene scene = scene_of(back(made));
    scene.asset_extras = {};
    for (Node& node : scene.nodes) node.extras = {};
    for (Mesh& mesh : scene.meshes) mesh.extras = {};
    for (Skin& skin : scene.skins) skin.extras = {};
    for (Material& material : scene.materials) material.extras = {};
    for (Clip& clip : scene.clips) clip.extras = {};
    for (Light& light : scene.lights) light.extras = {};
    return glb_of(scene);
}

std::string codes(const Report& report, Severity severity) {
    std::set<std::string> found;
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        if (diagnostic.severity == severity) found.insert(diagnostic.code);
    }
    std::string text;
    for (const std::string& code : found) text += (text.empty() ? "" : " ") + code;
    return text;
}

}  // namespace trip
