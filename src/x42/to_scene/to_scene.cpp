/// From X42 models to a scene: the order of the steps.

#include "x42/to_scene/to_scene.hpp"

#include <algorithm>

#include "effigy/hashes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"
#include "x42/file/sections.hpp"
#include "x42/to_scene/file_records.hpp"

namespace effigy::x42 {
namespace bridge {
namespace {

std::uint64_t bulk_size(const File& file) noexcept {
    std::uint64_t size = size_of(file.morphs.opaque) + size_of(file.trailing);
    each_section(file, [&](Section, const auto& array) { size += size_of(array); });
    return size;
}

/// What the caller says and what the arrays say: the larger one.
std::uint64_t input_size(const SceneInput& input) noexcept {
    std::uint64_t size = 0;
    for (const ModelInput& one : input.models) size += std::max(one.source.size, bulk_size(one.file));
    for (const ConfigInput& one : input.configs) size += std::max(one.source.size, size_of(one.config.text));
    for (const SkinInput& one : input.skins) size += std::max(one.source.size, size_of(one.skin.text));
    return size;
}

Result<void> add_model(Build& build, const ModelInput& input, std::span<const ConfigInput> configs) {
    build.file = input.source.named();
    auto taken = build.take(input.file.keys.size() + 3 * input.file.bones.size(), 2 * sizeof(TrackKey), "tracks");
    if (!taken) return taken;
    const Tracks tracks(input.file);
    Model model;
    model.source = &input.source;
    model.file = &input.file;
    model.tracks = &tracks;
    return add_nodes(build, model).and_then([&] { return add_meshes(build, model); }).and_then([&] {
        return add_clips(build, model, configs);
    });
}

Result<void> add_extras(Build& build, const SceneInput& input) {
    Json json{{"version", 1}};
    for (const ModelInput& model : input.models) {
        auto record = file_record(build, model.file);
        if (!record) return fail(std::move(record.error()));
        Json entry{{"source", source_json(model.source, "x42", std::to_string(model.file.version))}};
        entry.update(*record);
        if (&model == &input.models.front()) {
            json.update(entry);
        } else {
            json["parts"].push_back(std::move(entry));
        }
    }
    json["clip_count"] = build.scene.clips.size();
    json["facing"] = json_number(build.scene.facing);
    if (build.options.encoding != SceneOptions().encoding) json["encoding"] = build.options.encoding;
    for (const ConfigInput& config : input.configs)
        json["companions"].push_back({{"source", source_json(config.source, "animation-cfg")}});
    for (const SkinInput& skin : input.skins)
        json["companions"].push_back({{"source", source_json(skin.source, "skin")}});
    set_record(build.scene.asset_extras, std::move(json));
    return {};
}

Result<void> build_all(Build& build, const SceneInput& input) {
    if (!is_known_encoding(build.options.encoding)) {
        build.note(codes::encoding_unknown, "options", "The code page is not known here; only ASCII is decoded.",
                   build.options.encoding);
    }
    if (input.models.empty())
        return fail(nothing_to_show("There is no model to show: name the .x42 as an input, too."));
    read_skins(build, input.skins);
    for (const ModelInput& model : input.models) {
        // Frames are counted in the first model's key stream.
        const bool is_first = &model == &input.models.front();
        const auto configs = is_first ? std::span(input.configs) : std::span<const ConfigInput>();
        if (auto added = add_model(build, model, configs); !added) return added;
    }
    build.file.clear();
    if (auto added = add_extras(build, input); !added) return added;
    note_unused_shaders(build);
    const bool empty = build.scene.nodes.size() == 1 && build.scene.meshes.empty();
    return empty ? fail(nothing_to_show("The model has neither bones nor tags nor meshes.")) : Result<void>();
}

Result<Loaded<Scene>> convert(const SceneInput& input, const SceneOptions& options) {
    auto checked = check_option("resample", options.resample, 0).and_then([&] {
        return check_option("frames_per_second", options.frames_per_second, 0);
    });
    if (!checked) return fail(std::move(checked.error()));
    Build build(Budget(options.limits, input_size(input)), options);
    build.scene.facing = -90;
    if (!input.models.empty()) build.scene.name = build.text(input.models.front().source.stem);
    if (auto built = build_all(build, input); !built) return fail(std::move(built.error()));
    set_hashes(build.scene);
    return Loaded<Scene>{std::move(build.scene), std::move(build.report)};
}

}  // namespace

std::string Build::text(std::string_view raw) const { return to_utf8(raw, options.encoding); }

}  // namespace bridge

Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(input, options); });
}

}  // namespace effigy::x42
