/// What has to hold before a glTF file is used: version, alignment, types.

#include "gltf/file/asset_rules.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"

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

}  // namespace

std::span<const std::byte> without_mark(std::span<const std::byte> text) noexcept {
    const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
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
        problem_at(place("accessors", first), codes::gltf_alignment,
                   "elements do not begin at multiples of their components' size; other readers may refuse the file",
                   std::to_string(count) + (count == 1 ? " accessor" : " accessors")));
}

}  // namespace effigy::gltf
