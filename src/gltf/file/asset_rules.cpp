/// What has to hold before a glTF file is used: version, extensions that are known, alignment.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"

namespace effigy::gltf {
namespace {

std::uint64_t size_of_component(std::uint64_t type) noexcept {
    if (type == 5122 || type == 5123) return 2;
    return type == 5125 || type == 5126 ? 4 : 1;
}

bool is_aligned(const nlohmann::json& views, const nlohmann::json& accessor) {
    const auto number = whole_member(accessor, "bufferView");
    if (!number || !views.is_array() || *number >= views.size()) return true;
    const nlohmann::json& view = views[static_cast<std::size_t>(*number)];
    const std::uint64_t size = size_of_component(whole_member(accessor, "componentType").value_or(0));
    const std::uint64_t stride = whole_member(view, "byteStride").value_or(0);
    const std::uint64_t begin =
        whole_member(view, "byteOffset").value_or(0) % size + whole_member(accessor, "byteOffset").value_or(0) % size;
    return begin % size == 0 && stride % size == 0;
}

/// What is read, and what can be left out without a part of the model going wrong (parts of materials).
constexpr std::string_view known_extensions[] = {
    "EXT_meshopt_compression",
    "EXT_texture_webp",
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

/// "VRMC_vrm, VRMC_springBone"; some writers do not list an extension of the whole file.
std::string unknown_extensions(const nlohmann::json& root) {
    std::set<std::string_view> unknown;
    const auto add = [&](std::string_view name) -> Result<void> {
        if (!is_known(name)) unknown.insert(name);
        return {};
    };
    static_cast<void>(for_each_name(root, "extensionsUsed", add));
    const nlohmann::json* const objects = member(root, "extensions");
    if (objects != nullptr && objects->is_object()) {
        for (const auto& object : objects->get_ref<const nlohmann::json::object_t&>())
            static_cast<void>(add(object.first));
    }
    constexpr std::size_t most = 10;
    std::string text;
    std::size_t count = 0;
    for (const std::string_view name : unknown) {
        if (++count > most) return text + " and " + std::to_string(unknown.size() - most) + " more";
        text += (text.empty() ? "" : ", ") + shortened(name);
    }
    return text;
}

}  // namespace

std::span<const std::byte> without_mark(std::span<const std::byte> text) noexcept {
    const std::string_view all = as_text(text);
    return all.starts_with("\xef\xbb\xbf") ? text.subspan(3) : text;
}

Result<void> check_version(const nlohmann::json& root) {
    const nlohmann::json* const asset = member(root, "asset");
    const std::string_view version = asset == nullptr ? std::string_view() : text_member(*asset, "version");
    const std::string_view needed = asset == nullptr ? std::string_view() : text_member(*asset, "minVersion");
    if (version != "2" && !version.starts_with("2."))
        return refuse("asset / version", codes::gltf_version,
                      version.empty() ? "the JSON does not say that it is glTF" : "only glTF 2.0 is read",
                      shortened(version), "2.0");
    if (!needed.empty() && needed != "2.0")
        return refuse("asset / minVersion", codes::gltf_version,
                      "the file needs a later version of glTF than effigy knows", shortened(needed), "2.0");
    return {};
}

Result<void> check_extensions(const nlohmann::json& root, Report& report) {
    auto required = for_each_name(root, "extensionsRequired", [](std::string_view name) -> Result<void> {
        if (is_known(name)) return {};
        return refuse("extensionsRequired", codes::gltf_extension_required, reason_for(name), shortened(name));
    });
    if (!required) return required;
    std::string unknown = unknown_extensions(root);
    if (unknown.empty()) return {};
    report.add(problem_at("extensionsUsed", codes::gltf_extension_unknown,
                          "the file uses extensions that effigy does not know; what they say is left out",
                          std::move(unknown)));
    return {};
}

void check_alignment(const nlohmann::json& root, Report& report) {
    const nlohmann::json* const accessors = member(root, "accessors");
    const nlohmann::json* const views = member(root, "bufferViews");
    if (accessors == nullptr || views == nullptr || !accessors->is_array()) return;
    std::size_t first = 0, count = 0;
    for (std::size_t i = 0; i < accessors->size(); ++i) {
        if (is_aligned(*views, (*accessors)[i])) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0) return;
    report.add(
        problem_at(element_path("accessors", first), codes::gltf_alignment,
                   "elements do not begin at multiples of their components' size; other readers may refuse the file",
                   std::to_string(count) + (count == 1 ? " accessor" : " accessors")));
}

}  // namespace effigy::gltf
