/// What lies beside an avatar in its container. Rules: docs/conversion/arp.md, "From a scene".

#include <glm/geometric.hpp>
#include <pugixml.hpp>

#include "arp/from_scene/from_scene.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

struct TextWriter final : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

std::string xml_text(const pugi::xml_document& document) {
    TextWriter writer;
    document.save(writer, "  ", pugi::format_default, pugi::encoding_utf8);
    return std::move(writer.text);
}

/// Names of elements and attributes are letters and what goes with them; a record may say anything.
bool is_xml_name(std::string_view name) noexcept {
    const auto is_start = [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; };
    if (name.empty() || name.size() > 256 || !is_start(name.front())) return false;
    for (const char c : name) {
        if (!is_start(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.' && c != ':') return false;
    }
    return true;
}

/// Numbers with blanks between them.
std::string numbers_of(const Json* list) {
    std::string text;
    if (list == nullptr || !list->is_array()) return text;
    for (const Json& one : *list) {
        const auto number = double_from_json(one);
        if (!text.empty()) text += ' ';
        text += number ? to_text(json_number(*number)) : text_from_json(one).value_or("0");
    }
    return text;
}

void add_elements(pugi::xml_node parent, const Json& list) {  // NOLINT(misc-no-recursion): parse_json bounds the depth
    if (!list.is_array()) return;
    for (const Json& entry : list) {
        const auto name = text_at(entry, "element");
        if (!name || !is_xml_name(*name)) continue;
        pugi::xml_node element = parent.append_child(name->c_str());
        for (const auto& [key, value] : entry.items()) {
            if (key == "element" || key == "parts" || !is_xml_name(key)) continue;
            if (const auto text = text_from_json(value)) element.append_attribute(key.c_str()).set_value(text->c_str());
        }
        if (const Json* parts = member(entry, "parts")) add_elements(element, *parts);
    }
}

std::string elements_text(const char* root, const Json* list) {
    pugi::xml_document document;
    pugi::xml_node node = document.append_child(root);
    if (list != nullptr) add_elements(node, *list);
    return xml_text(document);
}

std::string vector_text(const Vec3& v) {
    return number_text(double{v.x}) + ' ' + number_text(double{v.y}) + ' ' + number_text(double{v.z});
}

pugi::xml_node skeleton_element(pugi::xml_document& document, const std::string& avatar, const std::string& scale) {
    pugi::xml_node root = document.append_child("avatarStaticData");
    root.append_attribute("version").set_value("1.0");
    pugi::xml_node node = root.append_child("avatar");
    node.append_attribute("name").set_value(avatar.c_str());
    node.append_attribute("version").set_value("1.0");
    pugi::xml_node skeleton = node.append_child("skeleton");
    skeleton.append_attribute("scale").set_value(scale.c_str());
    return skeleton;
}

pugi::xml_node joint_element(pugi::xml_node above, const std::string& name, const std::string& position,
                             const std::string& rotation) {
    pugi::xml_node node = above.append_child("joint");
    node.append_attribute("name").set_value(name.c_str());
    node.append_attribute("position").set_value(position.c_str());
    node.append_attribute("rotation").set_value(rotation.c_str());
    return node;
}

/// As asd.xml said, of an avatar whose size has not changed.
std::string kept_skeleton(const Json& stored) {
    pugi::xml_document document;
    const pugi::xml_node skeleton =
        skeleton_element(document, text_at(stored, "avatar").value_or(""), numbers_of(member(stored, "scale")));
    const Json* joints = member(stored, "joints");
    std::vector<pugi::xml_node> made;
    for (std::size_t i = 0; joints != nullptr && joints->is_array() && i < joints->size(); ++i) {
        const Json& joint = (*joints)[i];
        const auto parent = whole_in(joint, "parent");
        const pugi::xml_node above = parent && *parent < made.size() ? made[*parent] : skeleton;
        made.push_back(joint_element(above, text_at(joint, "name").value_or(""), numbers_of(member(joint, "position")),
                                     numbers_of(member(joint, "rotation"))));
        const Json* features = member(joint, "features");
        if (features == nullptr || !features->is_array()) continue;
        for (const Json& feature : *features) {
            pugi::xml_node node = made.back().append_child("feature");
            node.append_attribute("name").set_value(text_at(feature, "name").value_or("").c_str());
            node.append_attribute("position").set_value(numbers_of(member(feature, "position")).c_str());
        }
    }
    return xml_text(document);
}

/// The figure's joints at rest.
std::string new_skeleton(const Build& build, const Skeleton& skeleton, const File& file) {
    pugi::xml_document document;
    const pugi::xml_node root =
        skeleton_element(document, build.options.name, number_text(double{narrow(1 / skeleton.units_of_metre)}));
    std::vector<pugi::xml_node> made;
    for (std::size_t i = 0; i < file.bones.size(); ++i) {
        const Bone& bone = file.bones[i];
        const std::size_t parent = skeleton.bones[i].parent;
        const Quat& rotation = bone.rotation;
        made.push_back(joint_element(
            parent == none ? root : made[parent], std::string(up_to_nul(bone.name)), vector_text(bone.translation),
            vector_text({rotation.x, rotation.y, rotation.z}) + ' ' + number_text(double{rotation.w})));
    }
    return xml_text(document);
}

/// Deep trees would make deep elements.
bool is_deep(const Skeleton& skeleton) {
    constexpr std::size_t most = 200;
    std::vector<std::size_t> depths;
    for (const BoneDraft& bone : skeleton.bones) {
        depths.push_back(bone.parent == none ? 0 : depths[bone.parent] + 1);
        if (depths.back() > most) return true;
    }
    return false;
}

/// What was called otherwise, and where the figure stood. Empty if nothing was.
std::string names_text(const Build& build, const Skeleton& skeleton, const Figure& figure) {
    Json json{{"effigy_names", 1}};
    bool any = false;
    for (const BoneDraft& bone : skeleton.bones) {
        if (bone.node == no_index) continue;
        const std::string& name = build.source.nodes[bone.node].name;
        if (name == bone.code) continue;
        json["bones"].push_back(Json::array({bone.code, json_text(name)}));
        any = true;
    }
    for (const TargetDraft& target : figure.targets) {
        if (target.name == target.code) continue;
        json["targets"].push_back(Json::array({json_text(target.code), json_text(target.name)}));
        any = true;
    }
    if (skeleton.origin != glm::dvec3(0)) {
        const auto& [x, y, z] = narrow(skeleton.origin);
        json["origin"] = Json::array({json_number(x), json_number(y), json_number(z)});
        any = true;
    }
    return any ? to_text(json, 1) + "\n" : std::string();
}

/// What lay beside the avatar, by the record of its root.
Json stored_files(const Build& build) {
    for (const Node& node : build.source.nodes) {
        Json record = build.stored ? record_of(node.extras) : Json();
        if (member(record, "beside") != nullptr) return std::move(record["beside"]);
    }
    return {};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> files_beside(const Build& build, const Skeleton& skeleton,
                                                              const Figure& figure, const File& file) {
    const Json beside = stored_files(build);
    std::vector<std::pair<std::string, std::string>> files;
    files.emplace_back("config.xml", elements_text("config", member(beside, "config")));
    const Json* stored = member(beside, "skeleton");
    const bool keeps = stored != nullptr && skeleton.is_kept && !(build.options.height > 0);
    if (keeps || !is_deep(skeleton)) {
        files.emplace_back("asd.xml", keeps ? kept_skeleton(*stored) : new_skeleton(build, skeleton, file));
    }
    files.emplace_back("nonmanuals.xml", elements_text("nonmanuals", member(beside, "nonmanuals")));
    if (std::string names = names_text(build, skeleton, figure); !names.empty())
        files.emplace_back("names.json", std::move(names));
    return files;
}

}  // namespace effigy::arp::native
