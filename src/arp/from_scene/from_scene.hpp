#pragma once
/// The way back from a scene to an avatar, in the making: what its parts share. Rules: docs/conversion/arp.md, "From a
/// scene".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "effigy/arp_scene.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "arp/bind/rigid_fit.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/validate.hpp"

namespace effigy::arp::native {

inline constexpr std::size_t none = ~std::size_t{0};
inline constexpr std::size_t max_links = 4;
inline constexpr std::size_t max_vertices = 65536;
inline constexpr std::size_t max_names = 36 * 36 * 36 - 1;  ///< that can be invented
inline constexpr double figure_height = 1.8;                ///< metres that the volume of an avatar stands for

struct Build : BridgeState {
    Build(Budget memory, const Scene& from, const FromSceneOptions& settings)
        : BridgeState(memory), source(from), options(settings) {}
    const Scene& source;
    const FromSceneOptions& options;
    Untouched untouched{source};
    Json record = Json::object();  ///< asset.extras.effigy, if it is of an avatar
    std::optional<File> stored;    ///< that avatar, as far as the record has it
    bool only_avatar = false;      ///< neither texture nor signs
    bool keeps_image = false;      ///< `stored` has the image that was in it, and nobody edited that
    bool keeps_layout = false;     ///< version and layout are those of the avatar that the scene was made of
};

/// The first four bytes of a name, filled up with zeros.
[[nodiscard]] FourCC code_of(std::string_view name) noexcept;

/// A member of an object in extras; nothing where it is not there or no such number.
[[nodiscard]] std::optional<std::uint32_t> whole_in(const Json& json, const char* name);

// from_scene/nodes.cpp

/// Nodes, parents first; those whose parents go round in a circle are not in it.
struct Tree {
    std::vector<Index> order;
    std::vector<glm::dmat4> worlds;  ///< at rest, of all nodes
    glm::dmat4 rotation{1};          ///< from where the scene's models look to where avatars do; in all worlds
};
[[nodiscard]] Tree tree_of(const Scene& scene);

/// Where nodes are, and what meshes look like, at any time of a clip.
class Sampler {
public:
    Sampler(const Scene& scene, const Tree& tree, const Clip& clip);
    void go_to(double time);
    [[nodiscard]] const std::vector<glm::dmat4>& worlds() const noexcept { return worlds_; }
    /// Of the node's morph targets; as the mesh has them where the clip does not move them.
    [[nodiscard]] std::vector<double> weights(Index node) const;
    /// A track moves it, not only what is above it.
    [[nodiscard]] bool has_track(Index node) const { return has_track_[node]; }
    /// From now on only these nodes' worlds are made.
    void watch(std::span<const Index> nodes);
    [[nodiscard]] std::size_t odd_tracks() const noexcept { return odd_; }
    [[nodiscard]] bool scales() const noexcept { return scales_; }
    [[nodiscard]] double end() const noexcept { return end_; }
    /// Of all keys, ascending, each once.
    [[nodiscard]] std::vector<double> key_times() const;

private:
    const Scene& scene_;
    const Tree& tree_;
    const Clip& clip_;
    std::vector<TrackSampler> samplers_;  ///< of tracks; of width 0: cannot be used
    std::vector<bool> has_track_;
    std::vector<bool> moves_;  ///< nodes whose worlds change, and are made
    std::vector<glm::dmat4> worlds_;
    std::vector<std::vector<double>> values_;               ///< of tracks, at the moment
    std::unordered_map<Index, std::size_t> weight_tracks_;  ///< by node
    std::size_t odd_ = 0;
    bool scales_ = false;
    double end_ = 0;
};

/// Without the part that a bone cannot have: scale and shear.
[[nodiscard]] Frame rigid_part(const glm::dmat4& world);

// from_scene/names.cpp, from_scene/bones.cpp, from_scene/units.cpp

struct BoneDraft {
    Index node = no_index;  ///< none: players ask for it by name, and the scene lacks it
    std::size_t parent = none;
    std::string code;                     ///< one to four characters
    std::string old_code{};               ///< of a renamed one, in the avatar that the scene was made of
    Frame rest;                           ///< metres, in the scene's space
    glm::dquat node_to_bone{1, 0, 0, 0};  ///< from the node's axes to those of the bone
    double length = 0;                    ///< metres
    std::uint32_t number = 0;             ///< in the avatar that the scene was made of
    bool is_known = false;                ///< it is a bone of such an avatar
    std::optional<Bone> recorded{};       ///< as it stood in its file
    std::optional<Bone> stored{};         ///< likewise, if nobody has touched it
};

struct Skeleton {
    std::vector<BoneDraft> bones;           ///< parents first
    std::vector<std::size_t> bone_of_node;  ///< that what is on a node hangs on
    double units = 1;                       ///< of the file, for a metre of the scene
    double units_of_metre = 1;              ///< likewise, for a true one: --height makes them differ
    glm::dvec3 origin{0};                   ///< of the avatar's space, in metres of the scene
    std::size_t head = none;
    bool is_kept = false;  ///< units and origin are those of the avatar that the scene was made of
    /// Nobody has touched a bone of that avatar.
    [[nodiscard]] bool is_whole() const {
        return is_kept && std::all_of(bones.begin(), bones.end(), [](const BoneDraft& bone) { return bone.stored; });
    }
};

struct NamedBones {
    std::vector<std::string> names{};
    std::vector<std::size_t> parents{};  ///< places in the list
    std::vector<bool> moves{};           ///< vertices hang on it
};
/// A figure's bones by what they are called elsewhere: codes for those that are recognised. Texts are empty for the
/// others.
[[nodiscard]] std::vector<std::string> human_codes(const Build& build, const NamedBones& bones);
/// The name says left or right.
[[nodiscard]] bool has_side(std::string_view name);
/// Makes codes of one to four characters, none twice.
class Codes {
public:
    enum class Kind { bones, targets };
    explicit Codes(Kind kind) : kind_(kind) {}
    /// False: somebody has it.
    bool take(const std::string& code);
    [[nodiscard]] std::string of(std::string_view name);
    [[nodiscard]] static bool fits(std::string_view name) noexcept;

private:
    Kind kind_;
    std::set<std::string> taken_;
    std::size_t next_ = 1;
};

struct DrawnMesh {
    Index node = no_index;
    Index mesh = no_index;
    Index skin = no_index;  ///< none: it moves with its node
};
/// By level of detail; each level draws the whole figure.
[[nodiscard]] std::vector<std::vector<DrawnMesh>> drawn_meshes(Build& build, const Tree& tree);

inline constexpr double no_distance = 1e-6;

struct RecordedBone {
    Index node = no_index;
    Json record;
};

/// What a scene has of bones.
struct BoneNodes {
    std::vector<bool> is_bone{};           ///< of each node
    std::vector<RecordedBone> recorded{};  ///< bones of an avatar, by their extras
};
[[nodiscard]] BoneNodes find_bone_nodes(const Scene& scene, const Tree& tree,
                                        const std::vector<std::vector<DrawnMesh>>& levels);
/// Bones that vertices of the meshes hang on, by node.
[[nodiscard]] std::vector<bool> nodes_that_move(const Scene& scene, const std::vector<bool>& is_bone,
                                                const std::vector<DrawnMesh>& drawn);
/// Rests and lengths of bones: x along each of them, but for those of an avatar.
void align_bones(Skeleton& skeleton, const Tree& tree);

[[nodiscard]] Result<Skeleton> make_skeleton(Build& build, const Tree& tree,
                                             const std::vector<std::vector<DrawnMesh>>& levels);
/// Fills in units, origin and raw records once the figure's height is known.
void set_units(Build& build, Skeleton& skeleton, double low, double high);
void add_bones(const Skeleton& skeleton, File& file);
/// Places of bones by what they were called in the avatar that the scene was made of.
[[nodiscard]] std::unordered_map<std::string, std::size_t> bones_by_old_code(const Skeleton& skeleton,
                                                                             const File& file);

// from_scene/vertices.cpp

struct LinkDraft {
    std::size_t bone = 0;
    float weight = 0;
    glm::dvec3 offset{0};  ///< metres
    glm::dvec3 normal{0};
};
struct MovedPoint {
    std::size_t target = 0;
    glm::dvec3 offset{0};  ///< metres; as the heaviest link's bone sees it
    glm::dvec3 normal{0};  ///< there, at amount 1; zero: as without
};
struct VertexDraft {
    std::vector<LinkDraft> links;
    std::vector<MovedPoint> moves;
    Vec2 texcoord;
    std::size_t material = 0;               ///< place among the materials in use
    std::optional<double> forearm_twist{};  ///< the part of it that the vertex takes, where helper joints tell
};
struct LevelDraft {
    std::vector<VertexDraft> vertices;
    std::vector<std::uint32_t> triangles;
    /// Of an untouched mesh: the point that each vertex is.
    std::vector<std::uint32_t> points;
    std::uint32_t point_count = 0;
    std::vector<std::uint32_t> sources;  ///< of each point of the file: a vertex
    double switch_distance = -1;         ///< units of the file; below 0: nobody says
    Json record = Json::object();        ///< of the mesh, if untouched
};
/// Whether the mesh becomes what it was bit by bit: until then it is made as when that was recorded.
[[nodiscard]] inline bool is_restored(const Build& build, const Skeleton& skeleton, const LevelDraft& level) {
    return build.only_avatar || (build.keeps_layout && skeleton.is_whole() && member(level.record, "exact") != nullptr);
}
struct TargetDraft {
    std::string name;  ///< UTF-8
    std::string code{};
    std::string old_code{};  ///< of the target in its place, if that had another, in the avatar
    bool is_known = false;   ///< its mesh says what the avatar called it
};
/// Something has another name than in the avatar that the scene was made of.
template <class Draft>
[[nodiscard]] bool any_renamed(const std::vector<Draft>& drafts) {
    return std::any_of(drafts.begin(), drafts.end(),
                       [](const Draft& draft) { return !draft.old_code.empty() && draft.old_code != draft.code; });
}
/// Of a mesh that is drawn.
struct DrawnTargets {
    Index node = no_index;
    std::vector<std::size_t> places;  ///< of its targets among the figure's
};
struct Figure {
    std::vector<LevelDraft> levels;
    std::vector<TargetDraft> targets;
    std::vector<Index> materials;                            ///< in use; no_index: the default one
    std::unordered_map<Index, std::size_t> material_places;  ///< among these
    std::vector<std::vector<DrawnTargets>> targets_of;       ///< by level
    double low = 0, high = 0;                                ///< metres
    glm::dvec3 least{0}, greatest{0};
};
[[nodiscard]] Result<Figure> gather(Build& build, const Tree& tree, const Skeleton& skeleton,
                                    const std::vector<std::vector<DrawnMesh>>& levels);

// from_scene/points.cpp
[[nodiscard]] Result<void> add_mesh(Build& build, const Skeleton& skeleton, LevelDraft& level, File& file);
// from_scene/morphs.cpp
void name_targets(Build& build, Figure& figure);
[[nodiscard]] Result<void> add_targets(Build& build, const Skeleton& skeleton, Figure& figure, File& file);

// from_scene/texture.cpp
struct TextureDraft {
    std::string name;  ///< of its file
    Bytes png;         ///< empty: it is not at hand
};
/// Puts the image that the avatar had in itself into `build.stored`; false if it was edited or is not at hand.
[[nodiscard]] bool keep_image(Build& build, const Figure& figure);
/// Names the texture in the file, and moves texture coordinates to where the figure's materials are in it.
[[nodiscard]] Result<TextureDraft> add_texture(Build& build, Figure& figure, File& file);

// from_scene/motion.cpp
[[nodiscard]] Result<void> add_motions(Build& build, const Tree& tree, const Skeleton& skeleton, const Figure& figure,
                                       NativeFiles& files);

/// What `to_scene` has made of an avatar as an avatar again, without its texture and without signs.
[[nodiscard]] Result<File> same_avatar(const Scene& scene, const Limits& limits);

// from_scene/files.cpp
[[nodiscard]] std::vector<std::pair<std::string, std::string>> files_beside(Build& build, const Skeleton& skeleton,
                                                                            const Figure& figure, const File& file);

}  // namespace effigy::arp::native
