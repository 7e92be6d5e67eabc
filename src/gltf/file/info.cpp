/// What is in a glTF file, as JSON: docs/json.md, "info".

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "effigy/core_codes.hpp"
#include "effigy/image.hpp"

#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "gltf/file/asset.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/format.hpp"
#include "gltf/file/json.hpp"
#include "scene/rest_bounds.hpp"

namespace effigy::gltf {
namespace {

std::size_t list_size(const Value& object, std::string_view name) {
    const Value* const list = member(object, name);
    return list != nullptr && (list->is_array() || list->is_object()) ? list->size() : 0;
}

/// The elements of a list that a file may lack.
template <class Visit>
void for_each(const Value& object, std::string_view name, Visit&& visit) {
    const Value* const list = member(object, name);
    if (list == nullptr || !list->is_array()) return;
    for (const Value& element : *list) visit(element);
}

Json texts(const Value& object, std::string_view name) {
    Json list = Json::array();
    for_each(object, name, [&](const Value& text) {
        if (text.is_string()) list.push_back(text.get<std::string>());
    });
    return list;
}

void add_text(Json& entry, const char* name, const Value& object, std::string_view of) {
    const std::string_view text = text_member(object, of);
    if (!text.empty()) entry[name] = text;
}

Json corner(const glm::dvec3& point) {
    const auto number = [](double value) { return json_number(static_cast<float>(value)); };
    return {number(point.x), number(point.y), number(point.z)};
}

class Info {
public:
    Info(Asset& asset, const std::optional<RestBounds>& bounds) : asset_(asset), bounds_(bounds) {}

    void add_to(Json& json) {
        const Value* const about = member(asset_.json(), "asset");
        if (about != nullptr) {
            add_text(json, "version", *about, "version");
            add_text(json, "generator", *about, "generator");
            add_text(json, "copyright", *about, "copyright");
        }
        json["extensions_used"] = texts(asset_.json(), "extensionsUsed");
        json["extensions_required"] = texts(asset_.json(), "extensionsRequired");
        json["counts"] = counts();
        if (bounds_) json["bounds"] = {{"min", corner(bounds_->low)}, {"max", corner(bounds_->high)}};
        json["scenes"] = scenes();
        json["meshes"] = meshes();
        json["materials"] = materials();
        json["images"] = images();
        json["animations"] = animations();
    }

private:
    const Value* accessor(const Value& object, std::string_view name) const {
        const auto number = whole_member(object, name);
        const Value& list = asset_.array("accessors");
        return number && *number < list.size() ? &list[static_cast<std::size_t>(*number)] : nullptr;
    }
    std::uint64_t count_of(const Value* found) const {
        return found == nullptr ? 0 : std::min<std::uint64_t>(whole_member(*found, "count").value_or(0), UINT32_MAX);
    }
    std::uint64_t vertices(const Value& primitive) const {
        const Value* const attributes = member(primitive, "attributes");
        return attributes == nullptr ? 0 : count_of(accessor(*attributes, "POSITION"));
    }
    std::uint64_t triangles(const Value& primitive) const {
        const Value* const indices = accessor(primitive, "indices");
        const std::uint64_t corners = indices == nullptr ? vertices(primitive) : count_of(indices);
        const std::uint64_t mode = whole_member_or(primitive, "mode", 4).value_or(4);
        if (mode == 4) return corners / 3;
        return (mode == 5 || mode == 6) && corners > 2 ? corners - 2 : 0;
    }

    Json mesh(const Value& json) const {
        Json entry = Json::object();
        add_text(entry, "name", json, "name");
        std::uint64_t points = 0, faces = 0, targets = 0;
        for_each(json, "primitives", [&](const Value& primitive) {
            points += vertices(primitive);
            faces += triangles(primitive);
            targets = std::max<std::uint64_t>(targets, list_size(primitive, "targets"));
        });
        entry["primitives"] = list_size(json, "primitives");
        entry["vertices"] = points;
        entry["triangles"] = faces;
        entry["morph_targets"] = targets;
        return entry;
    }
    Json meshes() const {
        Json list = Json::array();
        for (const Value& json : asset_.array("meshes")) list.push_back(mesh(json));
        return list;
    }

    Json counts() const {
        std::uint64_t primitives = 0, points = 0, faces = 0, joints = 0;
        for (const Value& json : asset_.array("meshes")) {
            for_each(json, "primitives", [&](const Value& primitive) {
                ++primitives;
                points += vertices(primitive);
                faces += triangles(primitive);
            });
        }
        for (const Value& skin : asset_.array("skins")) joints += list_size(skin, "joints");
        const Value* const lights = extension_of(asset_.json(), "KHR_lights_punctual");
        return {{"nodes", asset_.array("nodes").size()},
                {"meshes", asset_.array("meshes").size()},
                {"primitives", primitives},
                {"vertices", points},
                {"triangles", faces},
                {"skins", asset_.array("skins").size()},
                {"joints", joints},
                {"materials", asset_.array("materials").size()},
                {"images", asset_.array("images").size()},
                {"lights", lights == nullptr ? 0 : list_size(*lights, "lights")},
                {"animations", asset_.array("animations").size()}};
    }

    Json scenes() const {
        const auto shown = whole_member(asset_.json(), "scene");
        Json list = Json::array();
        for (const Value& scene : asset_.array("scenes")) {
            Json entry = Json::object();
            add_text(entry, "name", scene, "name");
            entry["roots"] = list_size(scene, "nodes");
            if (shown == list.size()) entry["default"] = true;
            list.push_back(std::move(entry));
        }
        return list;
    }

    Json materials() const {
        Json list = Json::array();
        for (const Value& material : asset_.array("materials")) {
            Json entry = Json::object();
            add_text(entry, "name", material, "name");
            add_text(entry, "alpha", material, "alphaMode");
            const Value* const extensions = member(material, "extensions");
            Json names = Json::array();
            if (extensions != nullptr && extensions->is_object()) {
                for (const auto& [name, extension] : extensions->items()) names.push_back(name);
            }
            entry["extensions"] = std::move(names);
            list.push_back(std::move(entry));
        }
        return list;
    }

    Json images() {
        Json list = Json::array();
        for (const Value& image : asset_.array("images")) {
            Json entry = Json::object();
            add_text(entry, "name", image, "name");
            add_text(entry, "mime_type", image, "mimeType");
            const std::string_view uri = text_member(image, "uri");
            entry["inside"] = uri.empty() || is_data_uri(uri);
            if (!uri.empty() && !is_data_uri(uri)) {
                entry["uri"] = uri;
            } else if (const auto read = asset_.image(list.size())) {
                if (const auto size = image::dimensions(bytes_of(read->bytes))) {
                    entry["width"] = size->width;
                    entry["height"] = size->height;
                }
            }
            list.push_back(std::move(entry));
        }
        return list;
    }

    double duration(const Value& animation) const {
        double last = 0;
        for_each(animation, "samplers", [&](const Value& sampler) {
            const Value* const times = accessor(sampler, "input");
            const Value* const most = times == nullptr ? nullptr : member(*times, "max");
            if (most != nullptr && most->is_array() && most->size() == 1 && most->front().is_number())
                last = std::max(last, most->front().get<double>());
        });
        return last;
    }
    Json animations() const {
        Json list = Json::array();
        for (const Value& animation : asset_.array("animations")) {
            Json entry = Json::object();
            add_text(entry, "name", animation, "name");
            entry["channels"] = list_size(animation, "channels");
            entry["duration"] = json_number(static_cast<float>(duration(animation)));
            list.push_back(std::move(entry));
        }
        return list;
    }

    Asset& asset_;
    const std::optional<RestBounds>& bounds_;
};

/// What lies beside the file is not known here.
SceneOptions without_files() {
    SceneOptions options;
    options.read_file = [](const std::string& path) -> Result<Bytes> {
        return fail(problem_at({}, codes::file_missing, {}, path));
    };
    return options;
}

}  // namespace

Json file_info(const File& file, std::string_view format) {
    Json json{{"format", format}, {"size", size_of(file)}};
    Report report;
    auto asset = Asset::open(file, without_files(), report);
    if (!asset) {
        json["problem"] = asset.error().message;
        return json;
    }
    const auto scene = to_scene(file, without_files());
    const auto bounds = scene ? rest_bounds(scene->value) : std::nullopt;
    Info(*asset, bounds).add_to(json);
    return json;
}

}  // namespace effigy::gltf
