/// What lies beside an avatar in its container. Rules: docs/conversion/arp.md, "From a scene".

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>

#include "effigy/arp_codes.hpp"

#include "arp/file/companion.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

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

std::string rotation_text(const Quat& q) { return vector_text({q.x, q.y, q.z}) + ' ' + number_text(double{q.w}); }

constexpr std::size_t most_deep = 200;  ///< of joints in asd.xml

Frame frame_of(const Bone& bone) { return {wide(bone.translation), glm::normalize(usable_rotation(bone.rotation))}; }

bool is_same_place(const Frame& a, const Frame& b) {
    constexpr double rounding = 1e-5;
    const double size = 1 + largest(a.translation);
    return largest(a.translation - b.translation) <= rounding * size &&
           angle_between(a.rotation, b.rotation) <= rounding;
}

std::optional<Frame> place_in(const Json& joint) {
    std::vector<double> numbers;
    for (const char* key : {"position", "rotation"}) {
        const Json* const list = member(joint, key);
        if (list == nullptr || !list->is_array()) return std::nullopt;
        for (const Json& one : *list) numbers.push_back(double_from_json(one).value_or(NAN));
    }
    if (numbers.size() != 7 || !std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::isfinite(n); }))
        return std::nullopt;
    return Frame{{numbers[0], numbers[1], numbers[2]}, {numbers[6], numbers[3], numbers[4], numbers[5]}};
}

/// As asd.xml said, but for joints of bones that were edited or have another name.
class KeptSkeleton {
public:
    KeptSkeleton(const Skeleton& skeleton, const File& file)
        : skeleton_(skeleton), file_(file), bones_(bones_by_old_code(skeleton, file)) {}

    std::string text(const Json& stored) {
        pugi::xml_document document;
        const pugi::xml_node top =
            skeleton_element(document, text_at(stored, "avatar").value_or(""), numbers_of(member(stored, "scale")));
        const Json* joints = member(stored, "joints");
        if (joints == nullptr || !joints->is_array()) return xml_text(document);
        find_bones(*joints);
        std::vector<pugi::xml_node> made;
        for (const Json& joint : *joints) {
            const auto parent = whole_in(joint, "parent");
            const std::size_t above = parent && *parent < made.size() ? *parent : none;
            made.push_back(add_joint(above == none ? top : made[above], joint, made.size(), above));
        }
        return xml_text(document);
    }

    /// Whether a joint has another place or name.
    [[nodiscard]] bool is_changed() const noexcept { return changed_; }
    /// Named points of the skin that stand beside joints of edited bones.
    [[nodiscard]] std::uint64_t stale() const noexcept { return stale_; }
    /// Joints of edited bones that stay where they were.
    [[nodiscard]] const NameList& left() const noexcept { return left_; }

private:
    void find_bones(const Json& joints) {
        has_joint_.resize(skeleton_.bones.size());
        for (const Json& joint : joints) {
            const auto found = bones_.find(text_at(joint, "name").value_or(""));
            of_joints_.push_back(found == bones_.end() ? none : found->second);
            if (found != bones_.end()) has_joint_[found->second] = true;
        }
    }

    pugi::xml_node add_joint(pugi::xml_node parent, const Json& joint, std::size_t number, std::size_t above) {
        const std::size_t bone = of_joints_[number];
        std::string name = text_at(joint, "name").value_or("");
        std::string position = numbers_of(member(joint, "position")), rotation = numbers_of(member(joint, "rotation"));
        const auto place = bone == none ? std::nullopt : new_place(joint, bone, above);
        if (place) {
            position = vector_text(narrow(place->translation));
            rotation = rotation_text(narrow(place->rotation));
        }
        if (bone != none && name != skeleton_.bones[bone].code) {
            name = skeleton_.bones[bone].code;
            changed_ = true;
        }
        changed_ = changed_ || place;
        pugi::xml_node node = joint_element(parent, name, position, rotation);
        const Json* features = member(joint, "features");
        if (features == nullptr || !features->is_array()) return node;
        for (const Json& feature : *features) {
            pugi::xml_node point = node.append_child("feature");
            point.append_attribute("name").set_value(text_at(feature, "name").value_or("").c_str());
            point.append_attribute("position").set_value(numbers_of(member(feature, "position")).c_str());
            if (place) ++stale_;
        }
        return node;
    }

    /// Joints stand in a pose of their own: what changes in it is what has changed at rest. Nothing: it stays.
    std::optional<Frame> new_place(const Json& joint, std::size_t bone, std::size_t above) {
        const std::size_t bone_above = above == none ? none : of_joints_[above];
        const BoneDraft& draft = skeleton_.bones[bone];
        if (above != none && bone_above == none) {  // nobody says where that one was
            if (!draft.stored) left_.add(draft.code);
            return std::nullopt;
        }
        if (bone_above == bone) return std::nullopt;
        const Frame now = place_now(bone, bone_above);
        if (!draft.recorded) return now;
        const Frame before = place_before(bone, bone_above);
        if (is_same_place(before, now)) return std::nullopt;
        const auto stated = place_in(joint);
        // Joints that never had the bones' parents stand right already.
        const auto from_joint = [&](const Frame& place) {
            return stated ? glm::distance(stated->translation, place.translation) : 0.0;
        };
        if (draft.stored && from_joint(now) <= from_joint(before)) return std::nullopt;
        if (!stated) return now;
        return Frame{stated->translation + now.translation - before.translation,
                     stated->rotation * glm::conjugate(before.rotation) * now.rotation};
    }

    /// Beside the bone of the joint above, which may no longer be the bone's parent.
    [[nodiscard]] Frame place_now(std::size_t bone, std::size_t above) const {
        if (above == none || skeleton_.bones[bone].parent == above) return frame_of(file_.bones[bone]);
        const Frame &from = skeleton_.bones[above].rest, &to = skeleton_.bones[bone].rest;
        const glm::dquat back = glm::conjugate(from.rotation);
        return {back * (to.translation - from.translation) * skeleton_.units, back * to.rotation};
    }

    /// Likewise, when the avatar was read. Between the two may be bones without joints; those that have one, or have
    /// come since, were not there.
    [[nodiscard]] Frame place_before(std::size_t bone, std::size_t above) const {
        const Frame own = frame_of(*skeleton_.bones[bone].recorded);
        Frame place = own;
        std::size_t between = skeleton_.bones[bone].parent;
        for (std::size_t depth = 0; between != above && between != none && depth < most_deep; ++depth) {
            const BoneDraft& draft = skeleton_.bones[between];
            if (draft.recorded && !has_joint_[between]) place = frame_of(*draft.recorded) * place;
            between = draft.parent;
        }
        return above != none && between == above ? place : own;
    }

    const Skeleton& skeleton_;
    const File& file_;
    std::unordered_map<std::string, std::size_t> bones_;
    std::vector<std::size_t> of_joints_;  ///< bones of joints
    std::vector<bool> has_joint_;         ///< of bones
    bool changed_ = false;
    std::uint64_t stale_ = 0;
    NameList left_;
};

/// The figure's joints at rest.
std::string new_skeleton(const Build& build, const Skeleton& skeleton, const File& file) {
    pugi::xml_document document;
    const pugi::xml_node root =
        skeleton_element(document, build.options.name, number_text(double{narrow(1 / skeleton.units_of_metre)}));
    std::vector<pugi::xml_node> made;
    for (std::size_t i = 0; i < file.bones.size(); ++i) {
        const Bone& bone = file.bones[i];
        const std::size_t parent = skeleton.bones[i].parent;
        made.push_back(joint_element(parent == none ? root : made[parent], std::string(up_to_nul(bone.name)),
                                     vector_text(bone.translation), rotation_text(bone.rotation)));
    }
    return xml_text(document);
}

/// Deep trees would make deep elements.
bool is_deep(const Skeleton& skeleton) {
    std::vector<std::size_t> depths;
    for (const BoneDraft& bone : skeleton.bones) {
        depths.push_back(bone.parent == none ? 0 : depths[bone.parent] + 1);
        if (depths.back() > most_deep) return true;
    }
    return false;
}

/// Names by codes, as an avatar's names.json has them.
std::map<std::string, std::string> names_in(const Json* names, const char* key) {
    std::map<std::string, std::string> result;
    const Json* const list = names == nullptr ? nullptr : member(*names, key);
    if (list == nullptr || !list->is_array()) return result;
    for (const Json& pair : *list) {
        const bool is_pair = pair.is_array() && pair.size() == 2;
        const auto code = is_pair ? text_from_json(pair[0]) : std::nullopt;
        const auto name = is_pair ? text_from_json(pair[1]) : std::nullopt;
        if (code && name) result.try_emplace(*code, *name);
    }
    return result;
}

/// Where a figure stood that became the avatar that the scene was made of.
glm::dvec3 origin_in(const Json* names) {
    const Json* const origin = names == nullptr ? nullptr : member(*names, "origin");
    glm::dvec3 place(0);
    if (origin == nullptr || !origin->is_array() || origin->size() != 3) return place;
    for (int i = 0; i < 3; ++i) place[i] = double_from_json((*origin)[static_cast<std::size_t>(i)]).value_or(0);
    return effigy::is_finite(place) ? place : glm::dvec3(0);
}

/// What was called otherwise, and where the figure stood, now or when it became an avatar. Empty if nothing was.
std::string names_text(const Build& build, const Json& beside, const Skeleton& skeleton, const Figure& figure) {
    const Json* const before = member(beside, "names");
    Json json{{"effigy_names", 1}};
    const auto add = [&json](const char* key, const auto& old, const std::string& code, std::string name) {
        if (const auto found = old.find(code); name == code && found != old.end()) name = found->second;
        if (name != code) json[key].push_back(Json::array({json_text(code), json_text(name)}));
    };
    const auto old_bones = names_in(before, "bones"), old_targets = names_in(before, "targets");
    for (const BoneDraft& bone : skeleton.bones) {
        if (bone.node != no_index) add("bones", old_bones, bone.code, build.source.nodes[bone.node].name);
    }
    for (const TargetDraft& target : figure.targets) add("targets", old_targets, target.code, target.name);
    if (const glm::dvec3 origin = skeleton.origin + origin_in(before); origin != glm::dvec3(0)) {
        const auto& [x, y, z] = narrow(origin);
        json["origin"] = Json::array({json_number(x), json_number(y), json_number(z)});
    }
    return json.size() > 1 ? to_text(json, 1) + "\n" : std::string();
}

/// What lay beside the avatar, by the record of its root.
Json stored_files(const Build& build) {
    for (const Node& node : build.source.nodes) {
        Json record = build.stored ? record_of(node.extras) : Json();
        if (member(record, "beside") != nullptr) return std::move(record["beside"]);
    }
    return {};
}

/// glTF does not keep the order of members.
nlohmann::json sorted(const Json& json) { return nlohmann::json::parse(to_text(json), nullptr, false); }

/// A file beside the avatar with its comments, where it says what the record does, which somebody may have edited.
std::optional<std::string> kept_text(Build& build, const Json& beside, const char* key, const char* name) {
    const Json *texts = member(beside, "texts"), *record = member(beside, key);
    const auto stored = texts == nullptr ? std::nullopt : bytes_at(*texts, key);
    const auto content = stored ? unpacked(*stored, build.budget) : std::nullopt;
    if (!content) return std::nullopt;
    const auto said = companion_json(name, *content, build.budget);
    const bool is_same = said && (record == nullptr ? said->empty() : sorted(*said) == sorted(*record));
    if (!is_same) return std::nullopt;
    return std::string(as_text(*content));
}

std::string elements_of(Build& build, const Json& beside, const char* key, const char* name) {
    if (auto text = kept_text(build, beside, key, name)) return std::move(*text);
    return elements_text(key, member(beside, key));
}

/// Nothing for trees that are too deep for XML.
std::optional<std::string> skeleton_of(Build& build, const Json& beside, const Skeleton& skeleton, const File& file) {
    const Json* stored = member(beside, "skeleton");
    if (stored == nullptr || !skeleton.is_kept) {
        if (!is_deep(skeleton)) return new_skeleton(build, skeleton, file);
        build.note(codes::arp_skeleton_deep, "asd.xml",
                   "The file of the joints for signing tools is left out. Players do not need it; take out joints that "
                   "nothing needs to get it.",
                   {}, "at most " + std::to_string(most_deep) + " joints below one another");
        return std::nullopt;
    }
    KeptSkeleton kept(skeleton, file);
    std::string text = kept.text(*stored);
    build.note_any(kept.stale(), codes::arp_features_kept, "asd.xml");
    build.note_any(kept.left(), codes::arp_features_kept, "asd.xml",
                   "These joints hang on ones whose bones are gone: they stand where they stood.");
    auto same = kept.is_changed() ? std::nullopt : kept_text(build, beside, "skeleton", "asd.xml");
    return same ? std::move(*same) : std::move(text);
}

void note_old_targets(Build& build, const Json& beside, const Figure& figure) {
    if (member(beside, "nonmanuals") == nullptr) return;
    std::set<std::string_view> codes;
    for (const TargetDraft& target : figure.targets) codes.insert(target.code);
    NameList names;  // where only the order is another, nothing is missing
    for (const TargetDraft& target : figure.targets) {
        if (!target.old_code.empty() && !codes.contains(target.old_code)) names.add(target.old_code);
    }
    build.note_any(names, codes::arp_renamed.as(Severity::warning), "nonmanuals.xml",
                   "The file beside the avatar names morph targets as they were: give them their new names there.");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> files_beside(Build& build, const Skeleton& skeleton,
                                                              const Figure& figure, const File& file) {
    const Json beside = stored_files(build);
    std::vector<std::pair<std::string, std::string>> files;
    files.emplace_back("config.xml", elements_of(build, beside, "config", "config.xml"));
    if (auto text = skeleton_of(build, beside, skeleton, file)) files.emplace_back("asd.xml", std::move(*text));
    files.emplace_back("nonmanuals.xml", elements_of(build, beside, "nonmanuals", "nonmanuals.xml"));
    note_old_targets(build, beside, figure);
    if (std::string names = names_text(build, beside, skeleton, figure); !names.empty())
        files.emplace_back("names.json", std::move(names));
    return files;
}

}  // namespace effigy::arp::native
