/// Real figures of other formats become avatars that move alike: each clip, played by its own format's rules, is what
/// the avatar's CAS shows by its own, 30 times a second. Both are read and posed by the library's own player, which
/// shares nothing with the avatar's writer.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "effigy/arp_container.hpp"
#include "effigy/convert.hpp"
#include "effigy/poser.hpp"
#include "effigy/scene_access.hpp"

#include "corpus/corpus.hpp"
#include "proof/pairs.hpp"

namespace {

using namespace effigy;
using glm::dmat3;
using glm::dquat;
using glm::dvec3;
using playback::Poser;

constexpr double rate = 30;
constexpr std::size_t max_times = 60;  ///< of a clip

dvec3 wide(const Vec3& v) { return {double{v.x}, double{v.y}, double{v.z}}; }

/// The nearest rotation, as bones have neither size nor shear; that of all axes turned round for a mirrored one.
dquat rotation_of(const Mat4& matrix) {
    dmat3 nearest;
    for (int i = 0; i < 9; ++i) nearest[i / 3][i % 3] = double{matrix.m[static_cast<std::size_t>(4 * (i / 3) + i % 3)]};
    if (glm::determinant(nearest) < 0) nearest = -nearest;
    for (double change = 1; change > 1e-12;) {
        const dmat3 last = nearest;
        nearest = 0.5 * (last + glm::transpose(glm::inverse(last)));
        change = 0;
        for (int i = 0; i < 3; ++i) change += glm::distance(nearest[i], last[i]);
    }
    return glm::normalize(glm::quat_cast(nearest));
}

double angle_between(const dquat& a, const dquat& b) {
    const dquat turn = glm::conjugate(a) * b;
    return 2 * std::atan2(glm::length(dvec3(turn.x, turn.y, turn.z)), std::abs(turn.w));
}

/// What is seen of a scene at a moment.
struct Shown {
    std::vector<dquat> rotations;  ///< of nodes
    std::vector<dvec3> places;     ///< likewise
    std::vector<dvec3> vertices, normals;
};

Shown show(Poser& poser, Index clip, double time) {
    EXPECT_TRUE(poser.pose(clip, time, false));
    Shown shown;
    for (const Index joint : poser.skeleton().joints) {
        const Mat4& model = poser.models()[joint];
        shown.rotations.push_back(rotation_of(model));
        shown.places.emplace_back(double{model.m[12]}, double{model.m[13]}, double{model.m[14]});
    }
    for (const playback::PosedMesh& mesh : poser.meshes()) {
        for (const Vec3& place : mesh.vertices.positions) shown.vertices.push_back(wide(place));
        for (const Vec3& normal : mesh.vertices.normals) shown.normals.push_back(wide(normal));
    }
    return shown;
}

struct Avatar {
    Scene scene;
    std::map<std::string, std::string> names;  ///< of bones: what they were called
    dvec3 origin{0};                           ///< where its space begins in the figure's
};

Result<Avatar> avatar_of(Scene figure) {
    figure.facing = 0;  // both are compared as they stand
    std::vector<NewFile> files;
    OutputFiles output("figure.jar");
    output.take = [&](std::vector<NewFile> made) -> Result<void> {
        files = std::move(made);
        return {};
    };
    if (auto saved = save_scene(figure, output); !saved) return tl::unexpected(saved.error());
    auto container = arp::read_container(files.at(0).bytes);
    if (!container) return tl::unexpected(container.error());
    Avatar avatar;
    if (const arp::Entry* entry = arp::find_entry(container->value, "names.json")) {
        const auto* const text = reinterpret_cast<const char*>(entry->content.data());
        const auto json = nlohmann::json::parse(text, text + entry->content.size());
        for (const auto& bone : json.value("bones", nlohmann::json::array())) avatar.names[bone.at(0)] = bone.at(1);
        if (json.contains("origin"))
            for (int i = 0; i < 3; ++i) avatar.origin[i] = json["origin"][static_cast<std::size_t>(i)];
    }
    std::vector<InputFile> inputs;
    for (NewFile& file : files) inputs.emplace_back(std::move(file.name), std::move(file.bytes));
    auto scene = load_scene(inputs, {.values = {{"arp-twist", "none"}, {"no-textures", "true"}}});
    if (!scene) return tl::unexpected(scene.error());
    avatar.scene = std::move(scene->value);
    return avatar;
}

Index node_called(const Scene& scene, const std::string& name) {
    const auto count = std::ranges::count(scene.nodes, name, &Node::name);
    const auto found = std::ranges::find(scene.nodes, name, &Node::name);
    return count == 1 ? static_cast<Index>(found - scene.nodes.begin()) : no_index;
}

/// What a clip does to a node.
struct Change {
    bool moves = false;  ///< its place in the one above is another than at rest
    bool sizes = false;
    bool turns = false;
};

std::vector<Change> changes_of(const Scene& scene, const Clip& clip) {
    std::vector<Change> changes(scene.nodes.size());
    for (const Track& track : clip.tracks) {
        Change& change = changes[track.node];
        if (track.path == TrackPath::rotation) change.turns = true;
        if (track.path != TrackPath::translation && track.path != TrackPath::scale) continue;
        const Transform& local = scene.nodes[track.node].local;
        const bool is_scale = track.path == TrackPath::scale;
        const dvec3 rest = wide(is_scale ? local.scale : local.translation);
        for (std::size_t i = 0; i + 2 < track.values.size(); i += 3) {
            const dvec3 value = wide({track.values[i], track.values[i + 1], track.values[i + 2]});
            const bool is_other = glm::distance(value, rest) > 1e-6 * std::max(glm::length(rest), 1e-3);
            (is_scale ? change.sizes : change.moves) |= is_other;
        }
    }
    return changes;
}

/// A bone and the node that it was.
struct Pair {
    Index from = no_index, to = no_index;
};

/// Of all nodes: can their places be said by turning bones and moving ROOT, which is all that avatars can?
std::vector<bool> placed_nodes(const Scene& figure, const std::vector<Change>& changes, Index root) {
    std::vector<bool> placed(figure.nodes.size());
    for (Index node = 0; node < placed.size(); ++node) {
        bool is_good = true, is_under_root = false;  // ROOT's own place, and what is above it, counts as it stands
        for (Index one = node; one != no_index; one = figure.nodes[one].parent) {
            is_under_root = is_under_root || one == root;
            is_good = is_good && !changes[one].sizes && (is_under_root || !changes[one].moves);
        }
        placed[node] = is_good && is_under_root;
    }
    return placed;
}

struct Pairs {
    std::vector<Pair> bones;
    std::vector<bool> placed;  ///< of the figure's nodes
};

Pairs pairs_of(const Scene& figure, const Avatar& avatar, const Clip& clip) {
    const auto name_of = [&](const std::string& code) {
        const auto found = avatar.names.find(code);
        return found == avatar.names.end() ? code : found->second;
    };
    Pairs pairs{{}, placed_nodes(figure, changes_of(figure, clip), node_called(figure, name_of("ROOT")))};
    for (Index to = 0; to < avatar.scene.nodes.size(); ++to) {
        const Index from = node_called(figure, name_of(avatar.scene.nodes[to].name));
        if (from != no_index) pairs.bones.push_back({from, to});
    }
    return pairs;
}

/// Whether a clip was made for the figure, and is not of another one that lies beside it: it turns most joints.
bool suits(const Scene& figure, const Clip& clip) {
    const std::vector<Change> changes = changes_of(figure, clip);
    std::size_t joints = 0, turned = 0;
    for (const Skin& skin : figure.skins) {
        for (const Index joint : skin.joints) {
            ++joints;
            turned += changes[joint].turns ? 1U : 0U;
        }
    }
    return turned > 2 && 2 * turned >= joints;
}

void raise(double& largest, double value) {
    if (!(value <= largest)) largest = value;  // keeps NaN
}

/// How far the avatar is off.
struct Errors {
    double rotation = 0;       ///< of bones, radians
    double place = 0;          ///< likewise, of the figure's size
    double vertex = 0;         ///< of the figure's size
    std::size_t vertices = 0;  ///< that were compared

    void add(const Errors& other) {
        raise(rotation, other.rotation);
        raise(place, other.place);
        raise(vertex, other.vertex);
        vertices += other.vertices;
    }
};

/// Vertices in one place that look one way at rest are partners; those of seams have several. None: no_index.
std::vector<std::size_t> partners_of(const Shown& figure, const Shown& avatar, const dvec3& origin, double size) {
    const double close = 1e-5 * size;
    std::vector<std::size_t> by_x(avatar.vertices.size());
    std::iota(by_x.begin(), by_x.end(), std::size_t{0});
    const auto x_of = [&](std::size_t vertex) { return avatar.vertices[vertex].x; };
    std::ranges::sort(by_x, {}, x_of);
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < figure.vertices.size(); ++i) {
        const dvec3 wanted = figure.vertices[i] - origin;
        double least = 1e-3;
        partners.push_back(no_index);
        for (auto next = std::ranges::lower_bound(by_x, wanted.x - close, {}, x_of);
             next != by_x.end() && x_of(*next) <= wanted.x + close; ++next) {
            if (glm::distance(wanted, avatar.vertices[*next]) > close) continue;
            const double turned = figure.normals.empty() ? 0 : glm::distance(figure.normals[i], avatar.normals[*next]);
            if (turned >= least) continue;
            least = turned;
            partners.back() = *next;
        }
    }
    return partners;
}

double size_of(const Shown& shown) {
    dvec3 low(1e9), high(-1e9);
    for (const auto* places : {&shown.places, &shown.vertices}) {
        for (const dvec3& place : *places) {
            low = glm::min(low, place);
            high = glm::max(high, place);
        }
    }
    return glm::distance(low, high);
}

class Stage {
public:
    Stage(const Scene& figure, const Avatar& avatar)
        : figure_(figure),
          origin_(avatar.origin),
          from_(Poser::make(figure).value()),
          to_(Poser::make(avatar.scene).value()) {
        from_rest_ = show(from_, no_index, 0);
        to_rest_ = show(to_, no_index, 0);
        size_ = size_of(from_rest_);
        partners_ = partners_of(from_rest_, to_rest_, origin_, size_);
    }

    [[nodiscard]] bool lacks_vertices() const { return std::ranges::count(partners_, std::size_t{no_index}) != 0; }

    Errors errors(Index from_clip, Index to_clip, const Pairs& pairs, const std::vector<double>& times) {
        const std::vector<bool> follows = placed_vertices(pairs.placed);
        Errors errors;
        for (const double time : times) {
            const Shown from = show(from_, from_clip, time), to = show(to_, to_clip, time);
            for (const auto& [a, b] : pairs.bones) {
                const dquat axes = glm::conjugate(from_rest_.rotations[a]) * to_rest_.rotations[b];
                raise(errors.rotation, angle_between(from.rotations[a] * axes, to.rotations[b]));
                if (pairs.placed[a]) raise(errors.place, off(from.places[a], to.places[b]));
            }
            for (std::size_t i = 0; i < partners_.size(); ++i) {
                if (!follows[i] || partners_[i] == no_index) continue;
                raise(errors.vertex, off(from.vertices[i], to.vertices[partners_[i]]));
                ++errors.vertices;
            }
        }
        return errors;
    }

private:
    [[nodiscard]] double off(const dvec3& from, const dvec3& to) const {
        return glm::distance(from - origin_, to) / size_;
    }

    /// Vertices that follow such nodes only.
    [[nodiscard]] std::vector<bool> placed_vertices(const std::vector<bool>& nodes) const {
        std::vector<bool> placed;
        for (const playback::PosedMesh& posed : from_.meshes()) {
            const Mesh& mesh = figure_.meshes[posed.mesh];
            const Index skin = figure_.nodes[posed.node].skin;
            InfluenceReader reader(mesh, skin == no_index ? 0 : figure_.skins[skin].joints.size());
            for (std::size_t vertex = 0; vertex < mesh.vertex_count; ++vertex) {
                const auto follows = [&](const VertexInfluence& one) {
                    return nodes[figure_.skins[skin].joints[one.joint]];
                };
                placed.push_back(skin == no_index ? nodes[posed.node]
                                                  : std::ranges::all_of(reader.all(vertex), follows));
            }
        }
        return placed;
    }

    const Scene& figure_;
    dvec3 origin_;
    Poser from_, to_;
    Shown from_rest_, to_rest_;
    double size_ = 1;
    std::vector<std::size_t> partners_;
};

/// Each model of a format in the corpus, with the motions in its folder.
std::vector<std::vector<InputFile>> figures_of(const std::string& wanted) {
    const auto format_of = [](const std::filesystem::path& path) {
        const FormatInfo* const format = recognize(corpus::head_of(path), path.filename().string()).format;
        return std::string(format == nullptr ? "" : format->id);
    };
    std::vector<std::vector<InputFile>> figures;
    for (const auto& path : corpus::paths()) {
        if (format_of(path) != wanted) continue;
        auto& inputs = figures.emplace_back(1, InputFile(path));
        for (const auto& other : corpus::paths())
            if (other.parent_path() == path.parent_path() && format_of(other) == "xsm") inputs.emplace_back(other);
    }
    return figures;
}

/// Those of the frames that the avatar's motion has.
std::vector<double> frame_times(const Clip& clip) {
    std::vector<double> times;
    for (const Track& track : clip.tracks) times.insert(times.end(), track.times.begin(), track.times.end());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return pairs::some_of(times, max_times);
}

std::vector<double> even_times(const Clip& clip) {
    std::vector<double> times;
    for (int frame = 0; frame / rate <= double{clip.duration}; ++frame) times.push_back(frame / rate);
    return pairs::some_of(times, max_times);
}

struct Proof {
    std::size_t clips = 0;
    Errors at_frames;  ///< of the avatar's motion
    Errors at_rate;    ///< 30 times a second, also between those
    Errors of_arcs;    ///< at frames, of the figure as it would move at constant speed from key to key

    void print() const {
        const auto line = [](const char* when, const Errors& errors) {
            std::printf("  %s: bones %.1e rad, %.1e of the size; %zu vertices, %.1e\n", when, errors.rotation,
                        errors.place, errors.vertices, errors.vertex);
        };
        std::printf("corpus: %zu clips\n", clips);
        line("at frames", at_frames);
        line("30 times a second", at_rate);
        line("by slerp, at frames", of_arcs);
    }
};

void add_figure(const std::vector<InputFile>& inputs, bool all_vertices, Proof& proof) {
    auto loaded = load_scene(inputs, {.values = {{"no-textures", "true"}}});
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Scene figure = std::move(loaded->value);
    std::erase_if(figure.clips, [&](const Clip& clip) { return !suits(figure, clip); });
    if (figure.clips.empty()) return;
    const auto avatar = avatar_of(figure);
    ASSERT_TRUE(avatar) << to_string(avatar.error());
    Scene by_arcs = figure;
    for (Clip& clip : by_arcs.clips) clip.rules = {};
    Stage stage(figure, *avatar), arc_stage(by_arcs, *avatar);
    if (all_vertices) {
        EXPECT_FALSE(stage.lacks_vertices());
    }
    for (Index clip = 0; clip < figure.clips.size(); ++clip) {
        const Clip& own = figure.clips[clip];
        const auto found = std::ranges::find(avatar->scene.clips, "figure_" + own.name, &Clip::name);
        ASSERT_NE(found, avatar->scene.clips.end()) << own.name;
        const auto signs = static_cast<Index>(found - avatar->scene.clips.begin());
        const Pairs pairs = pairs_of(figure, *avatar, own);
        EXPECT_GT(pairs.bones.size(), 2U);
        const std::vector<double> frames = frame_times(*found);
        proof.at_frames.add(stage.errors(clip, signs, pairs, frames));
        proof.at_rate.add(stage.errors(clip, signs, pairs, even_times(own)));
        proof.of_arcs.add(arc_stage.errors(clip, signs, pairs, frames));
        ++proof.clips;
    }
}

Proof proof_of(const std::vector<std::vector<InputFile>>& figures, bool all_vertices) {
    Proof proof;
    for (const std::vector<InputFile>& inputs : figures) {
        SCOPED_TRACE(inputs.front().path.string());
        add_figure(inputs, all_vertices, proof);
    }
    proof.print();
    return proof;
}

/// Measured at frames: 7.6e-6 rad, 1.5e-6 and 2.2e-6 of the size, which is rounding; between them, where avatars turn
/// at constant speed and up to 58 degrees in 83 ms are a curve: 3.5e-3 rad, 2.8e-4, 8.8e-4. By slerp: 3.2e-3 rad.
TEST(AvatarMotion, CorpusActorsMoveByTheirOwnRules) {
    const auto figures = figures_of("xac");
    if (figures.empty()) GTEST_SKIP() << corpus::has_no("XAC file");
    const Proof proof = proof_of(figures, true);
    if (proof.clips == 0) GTEST_SKIP() << corpus::has_no("XAC file with its motions");
    EXPECT_LE(proof.at_frames.rotation, 1.5e-5);
    EXPECT_LE(proof.at_frames.place, 3e-6);
    EXPECT_LE(proof.at_frames.vertex, 5e-6);
    EXPECT_LE(proof.at_rate.rotation, 7e-3);
    EXPECT_LE(proof.at_rate.place, 6e-4);
    EXPECT_LE(proof.at_rate.vertex, 1.8e-3);
    EXPECT_GT(proof.of_arcs.rotation, 1e-3);
}

/// Bones that are stretched and sheared at random, and move in the ones above: nothing but turns is left of that.
/// Measured at frames: 5.2e-5 rad; between them, on turns of up to 180 degrees a key, 3e-2 rad. By slerp: 0.12 rad.
TEST(AvatarMotion, CorpusX42TurnsByItsOwnRules) {
    const auto figures = figures_of("x42");
    if (figures.empty()) GTEST_SKIP() << corpus::has_no("X42 file");
    const Proof proof = proof_of(figures, false);
    if (proof.clips == 0) GTEST_SKIP() << corpus::has_no("X42 file with animations");
    EXPECT_LE(proof.at_frames.rotation, 1e-4);
    EXPECT_LE(proof.at_frames.vertex, 1e-7);
    EXPECT_LE(proof.at_rate.rotation, 6e-2);
    EXPECT_GT(proof.of_arcs.rotation, 5e-2);
}

}  // namespace
