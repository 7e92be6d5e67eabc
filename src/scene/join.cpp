/// Numbers moved up, names kept apart, what is the same joined, records of one file only.

#include "scene/join.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <iterator>
#include <map>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "effigy/hashes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "core/unique_names.hpp"
#include "scene/bridge.hpp"
#include "scene/material_slots.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace {

void shift(Index& index, std::size_t by) {
    if (index != no_index) index += static_cast<Index>(by);
}

template <class Object>
void move_to(std::vector<Object>& list, std::vector<Object>& more) {
    list.insert(list.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

template <class Visit>
void for_each_extras(Scene& scene, Visit&& visit) {
    const auto each = [&](auto& list) {
        for (auto& object : list) visit(object.extras);
    };
    visit(scene.asset_extras);
    each(scene.nodes), each(scene.meshes), each(scene.skins), each(scene.materials), each(scene.lights);
    each(scene.clips);
}

bool has_records(Scene& scene) {
    bool any = false;
    for_each_extras(scene, [&](const Extras& extras) { any |= !extras.json.empty(); });
    return any;
}

class Joining {
public:
    Joining(Scene& scene, Scene& more, const std::string& name) : scene_(scene), more_(more), name_(name) {}

    Report run() {
        keep_records_of_one();
        rename(scene_.clips, more_.clips);
        if (only_moves_what_is_there()) {
            move_to(scene_.clips, more_.clips);
        } else {
            append();
        }
        note_any(renamed_, codes::joined_names);
        return std::move(report_);
    }

    /// As it is: no name and no record changes, and nothing becomes one.
    void put_beside() {
        is_kept_ = true;
        append();
    }

private:
    void note_any(const NameList& names, const Code& code) {
        if (!names.empty()) report_.add(problem_at({}, code, {}, names.text()));
    }

    void keep_records_of_one() {
        if (!has_records(more_)) return;
        if (!has_records(scene_)) {
            std::swap(more_.asset_extras.other, scene_.asset_extras.other);
            scene_.asset_extras = std::move(more_.asset_extras);
            return;
        }
        for_each_extras(more_, [](Extras& extras) { extras = {{}, {}, std::move(extras.other), 0}; });
        report_.add(problem_at({}, codes::joined_records, {}, name_));
    }

    /// A scene without meshes moves the nodes of another that have the names of its own.
    bool only_moves_what_is_there() {
        if (!more_.meshes.empty() || !more_.lights.empty() || more_.clips.empty()) return false;
        std::unordered_map<std::string, Index> nodes;
        for (Index i = 0; i < scene_.nodes.size(); ++i) nodes.try_emplace(scene_.nodes[i].name, i);
        const auto is_there = [&](const Track& track) { return nodes.contains(more_.nodes[track.node].name); };
        const auto moves = [&](const Clip& clip) {
            return std::any_of(clip.tracks.begin(), clip.tracks.end(), is_there);
        };
        if (!std::any_of(more_.clips.begin(), more_.clips.end(), moves)) return false;
        NameList unmatched;
        for (Clip& clip : more_.clips) {
            std::erase_if(clip.tracks, [&](const Track& track) {
                if (is_there(track)) return false;
                unmatched.add(more_.nodes[track.node].name);
                return true;
            });
            for (Track& track : clip.tracks) track.node = nodes.find(more_.nodes[track.node].name)->second;
            hold_rest(clip, nodes);
        }
        note_any(unmatched, codes::motion_unmatched);
        return true;
    }

    /// What a clip does not move stands where it does in the clip's own scene.
    void hold_rest(Clip& clip, const std::unordered_map<std::string, Index>& nodes) const {
        std::set<std::pair<Index, TrackPath>> moved;
        for (const Track& track : clip.tracks) moved.emplace(track.node, track.path);
        const auto hold = [&](Index node, TrackPath path, bool differs, Bulk<float> values) {
            if (differs && moved.emplace(node, path).second)
                clip.tracks.push_back({node, path, Interpolation::linear, {0}, std::move(values)});
        };
        for (const Node& node : more_.nodes) {
            const auto found = nodes.find(node.name);
            if (found == nodes.end() || node.matrix || scene_.nodes[found->second].matrix) continue;
            const auto& [place, turn, scale] = node.local;
            const Transform& there = scene_.nodes[found->second].local;
            const bool turned = 1 - std::abs(glm::dot(wide(turn), wide(there.rotation))) > 1e-9;
            hold(found->second, TrackPath::translation, apart(place, there.translation), {place.x, place.y, place.z});
            hold(found->second, TrackPath::rotation, turned, {turn.x, turn.y, turn.z, turn.w});
            hold(found->second, TrackPath::scale, apart(scale, there.scale), {scale.x, scale.y, scale.z});
        }
    }

    static bool apart(const Vec3& a, const Vec3& b) {
        constexpr double rounding = 1e-6;
        return glm::distance(wide(a), wide(b)) > rounding * (1 + glm::length(wide(a)));
    }

    void append() {
        if (!is_kept_) rename(scene_.nodes, more_.nodes);
        add_images();
        add_materials();
        const std::size_t nodes = scene_.nodes.size(), meshes = scene_.meshes.size(), skins = scene_.skins.size(),
                          lights = scene_.lights.size();
        for (Node& node : more_.nodes) {
            for (Index* const other : {&node.parent, &node.follows}) shift(*other, nodes);
            for (Index& other : node.children) shift(other, nodes);
            for (Index& other : node.lods) shift(other, nodes);
            shift(node.mesh, meshes);
            shift(node.skin, skins);
            shift(node.light, lights);
        }
        for (Skin& skin : more_.skins) {
            for (Index& joint : skin.joints) shift(joint, nodes);
            shift(skin.skeleton, nodes);
        }
        for (Clip& clip : more_.clips) {
            for (Track& track : clip.tracks) shift(track.node, nodes);
        }
        move_to(scene_.nodes, more_.nodes);
        move_to(scene_.meshes, more_.meshes);
        move_to(scene_.skins, more_.skins);
        move_to(scene_.lights, more_.lights);
        move_to(scene_.clips, more_.clips);
    }

    void add_images() {
        for (Image& image : more_.images) {
            const auto same = std::find_if(scene_.images.begin(), scene_.images.end(), [&](const Image& other) {
                return !is_kept_ && other.name == image.name && other.uri == image.uri && other.bytes == image.bytes &&
                       other.channels == image.channels;
            });
            images_.push_back(static_cast<Index>(same - scene_.images.begin()));
            if (same == scene_.images.end()) scene_.images.push_back(std::move(image));
        }
    }

    void add_materials() {
        for (Material& material : more_.materials) {
            for (const auto& named : slots_of(material)) {
                if (named.slot->used()) named.slot->image = images_[named.slot->image];
            }
        }
        std::map<MaterialKey, std::size_t> known;
        for (std::size_t i = 0; !is_kept_ && i < scene_.materials.size(); ++i)
            known.try_emplace(key_of(scene_.materials[i]), i);
        std::vector<Index> numbers;
        std::vector<Material> others;
        for (Material& material : more_.materials) {
            const auto same = is_kept_ ? known.end() : known.find(key_of(material));
            const bool is_new = same == known.end();
            numbers.push_back(static_cast<Index>(is_new ? scene_.materials.size() + others.size() : same->second));
            if (is_new) others.push_back(std::move(material));
        }
        if (!is_kept_) rename(scene_.materials, others);
        move_to(scene_.materials, others);
        for (Mesh& mesh : more_.meshes) {
            for (Primitive& primitive : mesh.primitives) {
                if (primitive.material != no_index) primitive.material = numbers[primitive.material];
            }
        }
    }

    /// The same for materials that are the same. Hashes know the names of images only.
    using MaterialKey = std::pair<std::uint64_t, std::vector<Index>>;
    MaterialKey key_of(const Material& material) const {
        MaterialKey key{hash_of(scene_, material), {}};
        for (const auto& named : slots_of(material)) key.second.push_back(named.slot->image);
        return key;
    }

    template <class Object>
    void rename(const std::vector<Object>& there, std::vector<Object>& more) {
        std::unordered_set<std::string> taken;
        for (const Object& object : there) taken.insert(object.name);
        const auto clashes = [&](const std::string& name) {
            // Levels and the like are called after what they belong to ("ship-lod1"), and are renamed with it.
            std::size_t end = std::is_same_v<Object, Node> ? name.find_first_of("-._", 1) : std::string::npos;
            for (; end != std::string::npos; end = name.find_first_of("-._", end + 1)) {
                if (taken.contains(name.substr(0, end))) return true;
            }
            return !name.empty() && taken.contains(name);
        };
        UniqueNames names;
        for (const std::string& name : taken) names.take(name);
        for (const Object& object : more) names.take(object.name);
        std::unordered_map<std::string, std::string> renames;
        for (Object& object : more) {
            if (!clashes(object.name)) continue;
            const auto [known, is_new] = renames.try_emplace(object.name);
            if (is_new) renamed_.add(known->second = names.add(name_ + "_" + object.name));
            object.name = known->second;
        }
    }

    Scene &scene_, &more_;
    const std::string& name_;
    Report report_;
    NameList renamed_;
    std::vector<Index> images_;
    bool is_kept_ = false;
};

}  // namespace

Report append_scene(Scene& scene, Scene more, const std::string& name) { return Joining(scene, more, name).run(); }

void append_unchanged(Scene& scene, Scene more) { Joining(scene, more, {}).put_beside(); }

}  // namespace effigy
