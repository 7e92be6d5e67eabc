/// What modelling programs do to nodes of scenes that effigy wrote, undone: poses, meshes taken off, armatures.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/hashes.hpp"

#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "scene/level_names.hpp"

namespace effigy::gltf {
namespace {

using Numbers = std::array<float, 10>;  // translation, rotation, scale

Numbers numbers_of(const Transform& local) {
    const auto& [t, r, s] = local;
    return {t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z};
}

Transform transform_of(const Numbers& n) { return {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}, {n[7], n[8], n[9]}}; }

bool is_close(float a, float b) { return std::abs(a - b) <= 1e-4f * std::max({1.0f, std::abs(a), std::abs(b)}); }

/// Of two rotations, either sign.
template <std::size_t first, std::size_t count>
bool is_close(const Numbers& a, const Numbers& b) {
    const auto same = [&](float sign) {
        for (std::size_t i = first; i < first + count; ++i) {
            if (!is_close(a[i], sign * b[i])) return false;
        }
        return true;
    };
    return same(1) || (count == 4 && same(-1));
}

bool is_close(const Numbers& a, const Numbers& b) {
    return is_close<0, 3>(a, b) && is_close<3, 4>(a, b) && is_close<7, 3>(a, b);
}

/// Puts what a track says at a time into `numbers`; false for tracks that modelling programs do not write.
bool sample(const Track& track, float time, Numbers& numbers) {
    const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    const std::size_t first = track.path == TrackPath::translation ? 0 : track.path == TrackPath::rotation ? 3 : 7;
    if (track.interpolation == Interpolation::cubic_spline) return false;
    const auto after = std::upper_bound(track.times.begin(), track.times.end(), time);
    const auto next = std::min(static_cast<std::size_t>(after - track.times.begin()), track.times.size() - 1);
    const std::size_t last =
        after == track.times.begin() ? 0 : static_cast<std::size_t>(after - track.times.begin()) - 1;
    const float gap = track.times[next] - track.times[last];
    const bool is_between = gap > 0 && track.interpolation == Interpolation::linear;
    const float part = is_between ? (time - track.times[last]) / gap : 0;
    for (std::size_t i = 0; i < width; ++i) {
        numbers[first + i] = track.values[last * width + i] * (1 - part) + track.values[next * width + i] * part;
    }
    return true;
}

/// Nodes that stand where an animation had them when the file was written, instead of where they rest.
class Rests {
public:
    explicit Rests(Reading& reading) : reading_(reading), scene_(reading.scene), is_joint_(joints_of(scene_)) {}

    void run() {
        std::map<Index, Numbers> rests;
        for (Index i = 0; i < reading_.hints.size(); ++i) {
            if (const auto rest = rest_in(reading_.hints[i])) add(i, numbers_of(*rest), rests);
        }
        if (rests.empty()) return;
        for (const Clip& clip : scene_.clips) look_at(clip, rests);
    }

private:
    void add(Index index, const Numbers& rest, std::map<Index, Numbers>& rests) {
        const Node& node = scene_.nodes[index];
        if (node.matrix || (node.extras.hash != 0 && node.extras.hash == hash_of(node))) return;
        if (!is_joint_[index] && !is_close(numbers_of(node.local), rest)) rests.emplace(index, rest);
    }

    void look_at(const Clip& clip, std::map<Index, Numbers>& rests) {
        std::map<Index, std::vector<const Track*>> tracks;
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::weights && rests.contains(track.node)) tracks[track.node].push_back(&track);
        }
        for (const auto& [node, list] : tracks) {
            const auto rest = rests.find(node);
            if (!passes(list, rest->second, numbers_of(scene_.nodes[node].local))) continue;
            scene_.nodes[node].local = transform_of(rest->second);
            rests.erase(rest);
        }
    }

    /// Whether tracks have the node where it stands now, at one of their keys.
    static bool passes(const std::vector<const Track*>& tracks, const Numbers& rest, const Numbers& now) {
        const auto longest = *std::max_element(tracks.begin(), tracks.end(), [](const Track* a, const Track* b) {
            return a->times.size() < b->times.size();
        });
        return std::any_of(longest->times.begin(), longest->times.end(), [&](float time) {
            Numbers then = rest;
            for (const Track* track : tracks) {
                if (!sample(*track, time, then)) return false;
            }
            return is_close(then, now);
        });
    }

    Reading& reading_;
    Scene& scene_;
    std::vector<bool> is_joint_;
};

/// What stands below a node that goes has no parent then.
void erase_nodes(Reading& reading, const std::vector<bool>& gone) {
    Scene& scene = reading.scene;
    std::vector<Index> numbers(gone.size(), no_index);
    std::vector<Node> kept;
    std::vector<Value> hints;
    for (Index i = 0; i < gone.size(); ++i) {
        if (gone[i]) continue;
        numbers[i] = static_cast<Index>(kept.size());
        kept.push_back(std::move(scene.nodes[i]));
        hints.push_back(std::move(reading.hints[i]));
    }
    const auto renumber = [&](Index& node) {
        if (node != no_index) node = numbers[node];
    };
    for (Node& node : kept) {
        const auto is_gone = [&](Index other) { return numbers[other] == no_index; };
        std::erase_if(node.children, is_gone);
        std::erase_if(node.lods, is_gone);
        for (Index& child : node.children) renumber(child);
        for (Index& level : node.lods) renumber(level);
        renumber(node.parent);
        renumber(node.follows);
    }
    for (Skin& skin : scene.skins) {
        for (Index& joint : skin.joints) renumber(joint);
        renumber(skin.skeleton);
    }
    for (Clip& clip : scene.clips) {
        for (Track& track : clip.tracks) renumber(track.node);
    }
    scene.nodes = std::move(kept);
    reading.hints = std::move(hints);
}

/// Objects that Blender puts above bones that had none: at the origin, with nothing of their own.
class Armatures {
public:
    explicit Armatures(Reading& reading) : reading_(reading), scene_(reading.scene) {}

    void run() {
        if (!is_made_by_blender(reading_)) return;
        has_records_ = has_records(reading_);
        const std::vector<bool> is_joint = joints_of(scene_);
        std::vector<bool> is_moved(scene_.nodes.size());
        for (const Clip& clip : scene_.clips) {
            for (const Track& track : clip.tracks) is_moved[track.node] = true;
        }
        std::vector<bool> gone(scene_.nodes.size());
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const auto& children = scene_.nodes[i].children;
            gone[i] = !is_joint[i] && !is_moved[i] && is_bare(i) &&
                      std::any_of(children.begin(), children.end(), [&](Index child) { return is_joint[child]; });
        }
        if (std::find(gone.begin(), gone.end(), true) != gone.end()) erase_nodes(reading_, gone);
    }

private:
    [[nodiscard]] bool is_bare(Index index) const {
        const Node& node = scene_.nodes[index];
        return node.parent == no_index && !node.matrix && is_close(numbers_of(node.local), numbers_of({})) &&
               node.mesh == no_index && node.light == no_index && node.lods.empty() && node.extras.json.empty() &&
               node.extras.other.empty() && reading_.hints[index].empty() && (has_records_ || is_named_so(node.name));
    }

    /// Where nothing tells the game's nodes from Blender's: after the skin that effigy has named, or as Blender does.
    static bool is_named_so(std::string_view name) {
        return without_copy_number(name).ends_with(" skin") || without_copy_number(name) == "Armature";
    }

    Reading& reading_;
    Scene& scene_;
    bool has_records_ = false;
};

/// Meshes that were taken off their nodes and hang on nodes of their own now.
class TakenMeshes {
public:
    explicit TakenMeshes(Reading& reading) : reading_(reading), scene_(reading.scene) {}

    void run() {
        for (Index i = 0; i < reading_.hints.size(); ++i) {
            if (member(reading_.hints[i], "mesh") != nullptr && scene_.nodes[i].mesh == no_index) bare_.push_back(i);
        }
        if (bare_.empty()) return;
        find_loose();
        std::vector<Index> numbers(scene_.nodes.size(), no_index);  // where a node's mesh goes back to
        for (const Index node : bare_) {
            const auto found = loose_.find(without_copy_number(text_member(reading_.hints[node], "mesh")));
            if (found == loose_.end()) continue;
            numbers[found->second] = node;
            give_back(found->second, node);
            loose_.erase(found);
        }
        for (Clip& clip : scene_.clips) {
            for (Track& track : clip.tracks) {
                if (numbers[track.node] != no_index) track.node = numbers[track.node];
            }
        }
        std::vector<bool> gone;
        for (const Index number : numbers) gone.push_back(number != no_index);
        erase_nodes(reading_, gone);
    }

private:
    /// Nodes with a mesh and nothing else, that effigy did not write.
    void find_loose() {
        std::vector<bool> is_kept = joints_of(scene_);
        for (const Clip& clip : scene_.clips) {
            for (const Track& track : clip.tracks)
                is_kept[track.node] = is_kept[track.node] || track.path != TrackPath::weights;
        }
        for (const Skin& skin : scene_.skins) {
            if (skin.skeleton != no_index) is_kept[skin.skeleton] = true;
        }
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            is_kept[i] = is_kept[i] || node.mesh == no_index || !node.children.empty() || node.light != no_index ||
                         !node.lods.empty() || !node.extras.json.empty() || !reading_.hints[i].empty();
            for (const Index level : node.lods) is_kept[level] = true;
        }
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            if (is_kept[i] || (node.skin == no_index && !is_close(numbers_of(node.local), numbers_of({})))) continue;
            loose_.emplace(without_copy_number(node.name), i);
        }
    }

    void give_back(Index from, Index to) {
        scene_.nodes[to].mesh = std::exchange(scene_.nodes[from].mesh, no_index);
        scene_.nodes[to].skin = std::exchange(scene_.nodes[from].skin, no_index);
    }

    Reading& reading_;
    Scene& scene_;
    std::vector<Index> bare_;  // nodes whose mesh was taken
    std::map<std::string_view, Index> loose_;
};

}  // namespace

void restore(Reading& reading) {
    Rests(reading).run();
    TakenMeshes(reading).run();
    Armatures(reading).run();
}

}  // namespace effigy::gltf
