/// A character for Space Trader: its skin, its icon, and scripts for shaders that are more than a texture.

#include "x42/from_scene/folder.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>

#include "effigy/hashes.hpp"
#include "effigy/image.hpp"
#include "effigy/x42_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/new_files.hpp"
#include "scene/bridge.hpp"
#include "scene/rest_bounds.hpp"
#include "scene/texture_names.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42 {
namespace {

using Files = std::vector<NewFile>;

void add_text(Files& files, std::string name, const std::string& text) {
    const auto raw = std::as_bytes(std::span(text));
    files.push_back({std::move(name), Bytes(raw.begin(), raw.end())});
}

std::string skin_of(const File& model) {
    std::string text;
    std::set<std::string> known;
    for (const Group& group : model.groups) {
        const std::string surface(name_of(model, group.surface)), shader(name_of(model, group.material));
        if (!shader.empty() && known.insert(lower(surface)).second) text += surface + "," + shader + "\n";
    }
    for (const Tag& tag : model.tags) text += std::string(name_of(model, tag.name)) + ",\n";
    return text;
}

/// A texture alone is lit, opaque, and seen from one side.
bool wants_script(const Material& material) {
    return material.alpha_mode != AlphaMode::opaque || material.double_sided || material.unlit;
}

/// `texture`: its name without extension.
std::string script_of(const Material& material, const std::string& shader, const std::string& texture) {
    std::string text = shader + "\n{\n";
    if (material.double_sided) text += "\tcull none\n";
    text += "\t{\n\t\tmap " + texture + ".tga\n";
    if (material.alpha_mode == AlphaMode::blend) text += "\t\tblendFunc blend\n";
    if (material.alpha_mode == AlphaMode::mask) text += "\t\talphaFunc GE128\n\t\tdepthWrite\n";
    return text + "\t\trgbGen " + (material.unlit ? "identity" : "lightingDiffuse") + "\n\t}\n}\n";
}

image::Picture white() { return {4, 4, Bytes(64, std::byte{255}), false, {}}; }

/// The first texture in the size of an icon, or white.
image::Picture icon_of(const Scene& scene, const Limits& limits) {
    constexpr std::uint32_t side = 64;
    for (const Index index : new_images(scene, "shader", bridge::named_slots)) {
        auto picture = image::decode(scene.images[index].bytes, limits);
        auto small = picture ? image::resized(*picture, side, side, {}, limits) : std::move(picture);
        if (small) return std::move(*small);
    }
    return white();
}

Result<void> add_picture(Files& files, std::string name, const image::Picture& picture,
                         const ConversionContext& context) {
    const bool is_dds = texture_form(context.options) == TextureForm::dds;
    const image::DdsCoding coding = picture.has_alpha ? image::DdsCoding::bc3 : image::DdsCoding::bc1;
    auto bytes =
        is_dds ? image::encode_dds(picture, {coding, true, {}, false}, context.limits) : image::encode_png(picture);
    if (!bytes) return fail(std::move(bytes.error()));
    files.push_back({std::move(name) + (is_dds ? ".dds" : ".png"), std::move(*bytes)});
    return {};
}

/// Whether it has what the game's own characters have.
void note_character(const Scene& scene, const File& model, Report& report) {
    constexpr double usual = 56;
    const auto bounds = rest_bounds(scene);
    const double height = bounds ? bounds->high[1] - bounds->low[1] : usual;
    if (height > 0 && (height < usual / 2 || height > usual * 2)) {
        report.add(problem_at("scene", codes::x42_character_height,
                              "The character is much smaller or larger than the game's: scale it by " +
                                  number_text(std::round(100 * usual / height) / 100) + " before it is exported.",
                              number_text(height) + " units", "about " + number_text(usual) + " units"));
    }
    const auto has = [&](const auto& list, std::string_view wanted) {
        return std::ranges::any_of(list, [&](const auto& one) { return lower(name_of(model, one.name)) == wanted; });
    };
    NameList missing;
    for (const std::string_view tag : {"tag_weapon", "tag_eye"}) {
        if (!has(model.tags, tag)) missing.add(std::string(tag));
    }
    for (const std::string_view bone : {"spine_base", "neck_base"}) {
        if (!has(model.bones, bone)) missing.add(std::string(bone));
    }
    if (!missing.empty()) report.add(problem_at("nodes", codes::x42_character_names, {}, missing.text()));
}

/// What shaders show: of several with one texture only one is called so.
class ShaderTextures {
public:
    ShaderTextures(const Scene& scene, const std::string& folder)
        : folder_(folder),
          names_(texture_names(scene, texture_marks_without_blanks)),
          added_(new_images(scene, "shader", bridge::named_slots)) {}

    [[nodiscard]] std::string of(const Material& material, const std::string& shader) const {
        const Index image = material.base_color_texture.image;
        return std::binary_search(added_.begin(), added_.end(), image) ? folder_ + names_[image] : shader;
    }

private:
    const std::string& folder_;
    std::vector<std::string> names_;
    std::vector<Index> added_;
};

/// Of meshes without a material.
Result<void> add_plain(Files& files, const std::string& shader, const File& model, const ConversionContext& context) {
    const bool is_used =
        std::ranges::any_of(model.groups, [&](const Group& group) { return name_of(model, group.material) == shader; });
    return is_used ? add_picture(files, shader, white(), context) : Result<void>();
}

}  // namespace

Result<void> add_character(const Scene& scene, const File& model, const FromSceneOptions& options,
                           const ConversionContext& context, Loaded<std::vector<NewFile>>& files) {
    const std::string& folder = options.shader_folder;
    const std::vector<std::string> shaders =
        bridge::shaders_of(scene, folder, bridge::encodings_of(record_of(scene.asset_extras), options));
    const Untouched untouched(scene);
    const ShaderTextures textures(scene, folder);
    add_text(files.value, folder + "char_default.skin", skin_of(model));
    note_character(scene, model, files.report);
    std::string script;
    std::set<std::string> known;
    NameList old;
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        const Material& material = scene.materials[i];
        if (!known.insert(lower(shaders[i])).second) continue;
        if (is_known(untouched, material, "shader")) {
            old.add(shaders[i]);
            continue;
        }
        const std::string texture = textures.of(material, shaders[i]);
        if (wants_script(material) || texture != shaders[i]) script += script_of(material, shaders[i], texture);
    }
    if (!old.empty()) files.report.add(problem_at("materials", codes::x42_shaders_of_game, {}, old.text()));
    const std::string name = folder.substr(folder.rfind('/', folder.size() - 2) + 1);
    if (!script.empty()) add_text(files.value, "scripts/" + name.substr(0, name.size() - 1) + ".shader", script);
    if (context.options.flag("no-textures")) return {};
    return add_plain(files.value, bridge::plain_shader_of(folder, shaders), model, context).and_then([&] {
        return add_picture(files.value, folder + "icon_default", icon_of(scene, context.limits), context);
    });
}

}  // namespace effigy::x42
