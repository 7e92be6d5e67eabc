/// Names for the texture files that a scene is written with.

#include "scene/texture_names.hpp"

#include <array>
#include <map>
#include <set>

#include "core/json_members.hpp"
#include "core/text.hpp"

namespace effigy {
namespace {

/// What every file system and every game's own lists take; cannot lead out of a folder.
std::string plain_name(std::string_view name) {
    constexpr std::size_t longest = 96;
    std::string result;
    for (const char c : name.substr(0, longest)) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                              c == '_' || c == ' ' || c == '(' || c == ')';
        result += is_plain ? c : '_';
    }
    return result;
}

std::string wanted_name(const Image& image) {
    const std::string source = !image.name.empty() ? image.name : image.uri;
    const std::size_t folder = source.find_last_of("/\\");
    std::string name = folder == std::string::npos ? source : source.substr(folder + 1);
    constexpr std::array<std::string_view, 6> extensions{".png", ".jpg", ".jpeg", ".dds", ".tga", ".gz"};
    for (const std::string_view extension : extensions) {
        if (name.size() > extension.size() && lower(name).ends_with(extension))
            name.resize(name.size() - extension.size());
    }
    name = plain_name(name);
    return name.empty() ? "texture" : name;
}

}  // namespace

std::vector<std::string> texture_names(const Scene& scene) {
    std::set<std::string> taken;
    std::map<std::string, std::size_t> numbers;  // the last one tried, so that many alike cost no more than others
    std::vector<std::string> names;
    for (const Image& image : scene.images) {
        const std::string wanted = wanted_name(image);
        std::size_t& number = numbers.try_emplace(lower(wanted), 1).first->second;
        std::string candidate = wanted;
        while (!taken.insert(lower(candidate)).second) {
            candidate = wanted;
            candidate.append("_").append(std::to_string(++number));
        }
        names.push_back(std::move(candidate));
    }
    return names;
}

bool is_known(const Untouched& untouched, const Material& material, std::string_view mark) {
    return untouched(material) && object_of(material.extras.json).contains(mark);
}

std::vector<Index> new_images(const Scene& scene, std::string_view mark) {
    std::set<Index> used;
    const Untouched untouched(scene);
    for (const Material& material : scene.materials) {
        if (is_known(untouched, material, mark)) continue;
        for (const TextureSlot* slot :
             {&material.base_color_texture, &material.metallic_roughness_texture, &material.normal_texture,
              &material.occlusion_texture, &material.emissive_texture}) {
            if (slot->used() && slot->image < scene.images.size() && !scene.images[slot->image].bytes.empty())
                used.insert(slot->image);
        }
    }
    return {used.begin(), used.end()};
}

}  // namespace effigy
