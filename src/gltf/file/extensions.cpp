/// Which glTF extensions are read, which may be left out, and why others are refused.

#include "gltf/file/extensions.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"

namespace effigy::gltf {
namespace {

/// What is read, and what can be left out without a part of the model going wrong (parts of materials).
constexpr std::string_view known_extensions[] = {
    "EXT_meshopt_compression",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "MSFT_lod",
    "MSFT_screencoverage",
};

/// Why some others are not, and what can be done about it.
struct Refusal {
    std::string_view extension;
    std::string_view message;
};
constexpr Refusal refusals[] = {
    {"KHR_texture_basisu",
     "its textures are Basis Universal, which effigy does not decode; export PNG or JPEG instead"},
    {"EXT_texture_webp", "its textures are WebP and have no PNG or JPEG beside them; export PNG or JPEG instead"},
    {"EXT_texture_avif", "its textures are AVIF and have no PNG or JPEG beside them; export PNG or JPEG instead"},
    {"MSFT_texture_dds", "its textures are DDS and have no PNG or JPEG beside them; export PNG or JPEG instead"},
    {"KHR_meshopt_compression",
     "its meshes are compressed in a way that effigy does not know; export without compression or with "
     "EXT_meshopt_compression"},
};

bool is_known(std::string_view extension) noexcept {
    return std::find(std::begin(known_extensions), std::end(known_extensions), extension) != std::end(known_extensions);
}

std::string reason_for(std::string_view extension) {
    for (const Refusal& refusal : refusals) {
        if (refusal.extension == extension) return "the file cannot be read: " + std::string(refusal.message);
    }
    return "the file needs an extension of glTF that effigy does not know; export without it";
}

template <class Visit>
Result<void> for_each_name(const nlohmann::json& root, const char* list, Visit&& visit) {
    const nlohmann::json* const names = member(root, list);
    if (names == nullptr || !names->is_array()) return {};
    for (const nlohmann::json& name : *names) {
        if (!name.is_string()) continue;
        if (auto visited = visit(std::string_view(name.get_ref<const std::string&>())); !visited) return visited;
    }
    return {};
}

}  // namespace

Result<void> check_extensions(const nlohmann::json& root, Report& report) {
    auto required = for_each_name(root, "extensionsRequired", [](std::string_view name) -> Result<void> {
        if (is_known(name)) return {};
        return refuse("extensionsRequired", codes::gltf_extension_required, reason_for(name), shortened(name));
    });
    if (!required) return required;
    return for_each_name(root, "extensionsUsed", [&](std::string_view name) -> Result<void> {
        if (is_known(name)) return {};
        report.add(problem_at("extensionsUsed", codes::gltf_extension_unknown,
                              "the file uses an extension that effigy does not know; what it says is left out",
                              shortened(name)));
        return {};
    });
}

}  // namespace effigy::gltf
