/// Textures of materials completed: what uses images, which are loaded, and what that means for the materials.

#include "effigy/textures.hpp"

#include "effigy/hashes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/json_members.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "material_slots.hpp"
#include "texture_findings.hpp"
#include "texture_images.hpp"

namespace effigy {
namespace {

/// In the record: what a material would have, so that nobody has taken it away who edits the material.
void note_left_out(Material& material, const char* member) {
    if (material.extras.json.empty()) return;
    nlohmann::json record = object_of(material.extras.json);
    record[left_out_key].push_back(member);
    material.extras.json = record.dump();
}

void clear_dangling(Scene& scene, Index material, const NamedSlot<TextureSlot>& named, Report& report) {
    report.add(problem_at(element_path("materials", material) + " / " + named.name, codes::texture_missing,
                          "the material " + in_quotes(scene.materials[material].name) +
                              " names an image that does not exist: the texture is left out",
                          std::to_string(named.slot->image), "an index below " + std::to_string(scene.images.size())));
    *named.slot = {};
}

/// One for each image of the scene; slots whose image does not exist are cleared, and said.
std::vector<ImageUse> uses_of_images(Scene& scene, Report& report) {
    std::vector<ImageUse> uses(scene.images.size());
    for (Index m = 0; m < scene.materials.size(); ++m) {
        for (const auto& named : slots_of(scene.materials[m])) {
            if (!named.slot->used()) continue;
            if (named.slot->image >= uses.size()) {
                clear_dangling(scene, m, named, report);
                continue;
            }
            ImageUse& use = uses[named.slot->image];
            (named.is_normal_map ? use.as_normal_map : use.as_color) = true;
            if (use.materials.empty() || use.materials.back() != m) use.materials.push_back(m);
        }
    }
    return uses;
}

void redirect_slots(Scene& scene, const std::vector<ImageTarget>& targets) {
    for (Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (!named.slot->used()) continue;
            const ImageTarget& target = targets[named.slot->image];
            const Index image = named.is_normal_map ? target.normal_map : target.color;
            if (image == no_index) {
                *named.slot = {};
                note_left_out(material, named.name);
                // Without its texture, nothing says where it glows.
                if (named.slot == &material.emissive_texture) material.emissive = {0, 0, 0};
            } else {
                named.slot->image = image;
            }
        }
    }
}

/// Blending without an alpha channel would only cost viewers their depth buffer; an alpha channel without blending
/// makes nothing transparent.
void settle_alpha(Scene& scene, const std::vector<ImageTarget>& targets, Report& report) {
    for (Index m = 0; m < scene.materials.size(); ++m) {
        Material& material = scene.materials[m];
        const Index image = material.base_color_texture.image;
        if (image >= targets.size() || !targets[image].has_alpha) continue;
        const bool has_alpha = *targets[image].has_alpha;
        const std::string path = element_path("materials", m) + " / base_color_texture";
        const std::string& texture = scene.images[image].name;
        if (has_alpha && material.alpha_mode == AlphaMode::opaque) {
            report.add(problem_at(path, codes::texture_alpha_unused,
                                  "the material " + in_quotes(material.name) +
                                      " is opaque: the alpha channel of its texture " + in_quotes(texture) +
                                      " is kept, but makes nothing transparent"));
        }
        if (!has_alpha && material.alpha_mode == AlphaMode::blend && material.base_color.a >= 1) {
            material.alpha_mode = AlphaMode::opaque;
            note_left_out(material, "alpha_mode");
            report.add(problem_at(path, codes::texture_without_alpha,
                                  "the material " + in_quotes(material.name) + " takes its opacity from the texture " +
                                      in_quotes(texture) +
                                      ", every pixel of which is opaque: it becomes an opaque material"));
        }
    }
}

void report_unused_images(const Scene& scene, const std::vector<ImageUse>& uses, Report& report) {
    for (Index i = 0; i < uses.size(); ++i) {
        const Image& image = scene.images[i];
        if (!uses[i].materials.empty() || (image.bytes.empty() && image.uri.empty())) continue;
        report.add(problem_at(element_path("images", i), codes::texture_unused,
                              "no material uses the image " + in_quotes(image.name) + ": it is left out"));
    }
}

}  // namespace

Report load_textures(Scene& scene, const TextureOptions& options) {
    const KeepMaterials keep(scene);
    Report report;
    const std::vector<ImageUse> uses = uses_of_images(scene, report);
    const std::vector<ImageTarget> targets = load_images(scene, options, uses, report);
    redirect_slots(scene, targets);
    settle_alpha(scene, targets, report);
    report_unused_images(scene, uses, report);
    remove_images(scene, find_unused_images(scene));
    return report;
}

}  // namespace effigy
