/// Poser: a scene posed at one moment, with all that the jobs need made once.

#include "effigy/poser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/playback_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "scene/wide_matrix.hpp"
#include "scene/worlds.hpp"

namespace effigy::playback {

namespace {

Diagnostic attribute_problem(Index mesh, const char* name, std::string found) {
    return problem_at("meshes[" + std::to_string(mesh) + "] / " + name, codes::playback_attribute,
                      "Only vectors of floats, one for each vertex, can be posed.", std::move(found));
}

template <class Vector>
Result<std::span<const Vector>> vectors_of(const Mesh& mesh, Index number, Semantic semantic, const char* name) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.semantic == semantic; });
    if (found == mesh.attributes.end()) return std::span<const Vector>();
    const Accessor& data = found->data;
    constexpr ElementType element = sizeof(Vector) == sizeof(Vec3) ? ElementType::vec3 : ElementType::vec4;
    if (data.element != element || data.component != ComponentType::f32)
        return fail(attribute_problem(number, name, "another type"));
    const auto vectors = data.as<Vector>();
    if (vectors.size() != mesh.vertex_count || vectors.size_bytes() != data.bytes.size())
        return fail(attribute_problem(number, name, std::to_string(vectors.size()) + " vectors"));
    return vectors;
}

template <class Vector>
std::span<Vector> part_of(Bulk<Vector>& vectors, std::size_t size) {
    return std::span(vectors).first(std::min(size, vectors.size()));
}

template <class Vector>
void make_room(Bulk<Vector>& vectors, std::size_t size) {
    if (vectors.size() < size) vectors.resize(size);
}

/// Memory for the vertices of a mesh.
struct Vertices {
    Bulk<Vec3> positions;
    Bulk<Vec3> normals;
    Bulk<Vec4> tangents;

    /// Room for at least as much as `like` has.
    void grow(const VertexView& like) {
        make_room(positions, like.positions.size());
        make_room(normals, like.normals.size());
        make_room(tangents, like.tangents.size());
    }
    [[nodiscard]] VertexSpan span() noexcept { return {positions, normals, tangents}; }
    /// As much of it as `like` has, which must have been given room.
    [[nodiscard]] VertexSpan first(const VertexView& like) noexcept {
        return {part_of(positions, like.positions.size()), part_of(normals, like.normals.size()),
                part_of(tangents, like.tangents.size())};
    }
    [[nodiscard]] VertexView view() const noexcept { return {positions, normals, tangents}; }
};

/// Positions, and normals and tangents where the mesh has them, all with one float element for each vertex; else
/// "playback-attribute". `number` is the mesh's, for the message.
Result<VertexView> vertices_of(const Mesh& mesh, Index number) {
    if (mesh.vertex_count == 0) return VertexView{};
    const auto positions = vectors_of<Vec3>(mesh, number, Semantic::position, "POSITION");
    if (!positions) return fail(positions.error());
    if (positions->empty()) return fail(attribute_problem(number, "POSITION", "none"));
    const auto normals = vectors_of<Vec3>(mesh, number, Semantic::normal, "NORMAL");
    if (!normals) return fail(normals.error());
    const auto tangents = vectors_of<Vec4>(mesh, number, Semantic::tangent, "TANGENT");
    if (!tangents) return fail(tangents.error());
    return VertexView{*positions, *normals, *tangents};
}

Mat4 narrow_matrix(const glm::dmat4& wide) {
    Mat4 matrix;
    for (std::size_t i = 0; i < 16; ++i)
        matrix.m[i] = static_cast<float>(wide[static_cast<int>(i / 4)][static_cast<int>(i % 4)]);
    return matrix;
}

/// Does the matrix turn what it moves inside out?
bool mirrors(const Mat4& matrix) { return glm::determinant(glm::dmat3(effigy::wide(matrix))) < 0; }

/// The inverse, or nothing if there is none.
std::optional<glm::dmat4> inverse(const Mat4& matrix) {
    const glm::dmat4 wide = effigy::wide(matrix);
    const double determinant = glm::determinant(glm::dmat3(wide));
    if (determinant == 0 || !std::isfinite(determinant)) return std::nullopt;
    return glm::inverse(wide);
}

Diagnostic no_such(const char* what, Index node, Index found) {
    return problem_at("nodes[" + std::to_string(node) + "]", codes::playback_node,
                      std::string("The node names a ") + what + " that does not exist.", std::to_string(found));
}

/// The node that stands for `node` at a level of detail.
Index at_level(const Node& node, Index own, int level) {
    if (level <= 0 || node.lods.empty()) return own;
    return node.lods[std::min(static_cast<std::size_t>(level), node.lods.size()) - 1];
}

/// The nodes whose meshes are shown, each once, in the scene's order. All have a mesh that exists.
Result<std::vector<Index>> drawn_nodes(const Scene& scene, const PoserOptions& options) {
    const std::vector<bool> hidden = hidden_nodes(scene);
    std::vector<bool> drawn(scene.nodes.size(), false);
    for (Index index = 0; index < scene.nodes.size(); ++index) {
        const Node& node = scene.nodes[index];
        if (node.mesh == no_index) continue;
        if (node.collision) {
            drawn[index] = drawn[index] || options.collision;
        } else if (!hidden[index]) {
            const Index shown = at_level(node, index, options.level);
            if (shown >= scene.nodes.size()) return fail(no_such("level of detail", index, shown));
            drawn[shown] = true;
        }
    }
    std::vector<Index> nodes;
    for (Index index = 0; index < scene.nodes.size(); ++index) {
        const Node& node = scene.nodes[index];
        if (!drawn[index] || node.mesh == no_index) continue;
        if (node.mesh >= scene.meshes.size()) return fail(no_such("mesh", index, node.mesh));
        nodes.push_back(index);
    }
    return nodes;
}

/// A skin with the matrices of the moment.
struct PosedSkin {
    std::span<const Mat4> inverse_bind_matrices;
    std::vector<Index> joints;  ///< of the skeleton
    Bulk<Mat4> matrices;
    bool used = false;
};

/// What one drawn node needs to pose its mesh.
struct Part {
    Index joint = no_index;  ///< of the node
    Index skin = no_index;   ///< no_index: the mesh is rigid
    Index influences = no_index;
    Index follows = no_index;  ///< joint that moves the mesh instead of the node's own
    glm::dmat4 offset{1.0};    ///< from the resting mesh to the space of that joint
    std::span<const MorphTarget> targets;
    std::size_t first_weight = 0;
    VertexView base;
    Vertices posed;
};

bool is_skinned(const Node& node, const Mesh& mesh) {
    return node.skin != no_index &&
           std::any_of(mesh.attributes.begin(), mesh.attributes.end(),
                       [](const Attribute& attribute) { return attribute.semantic == Semantic::joints; });
}

}  // namespace

struct Poser::State {
    const Scene& scene;
    PoserOptions options;
    Skeleton skeleton;
    std::vector<Animation> animations;    ///< one for each clip
    std::vector<SampleContext> contexts;  ///< likewise
    std::vector<PosedSkin> skins;         ///< one for each skin
    std::vector<Influences> influences;
    std::vector<Part> parts;
    std::vector<PosedMesh> meshes;  ///< one for each part
    Pose pose;
    Bulk<float> weights;
    Bulk<Mat4> models;
    Vertices morphed;  ///< on its way to a skin; one for all parts

    State(const Scene& scene_to_pose, const PoserOptions& poser_options)
        : scene(scene_to_pose), options(poser_options), skeleton(make_skeleton(scene)) {}

    Result<void> prepare();
    Result<void> show(Index clip, double time, bool loop);

private:
    using InfluenceKey = std::pair<Index, Index>;  // mesh and skin

    Result<void> prepare_skins();
    Result<void> add_part(Index node, std::map<InfluenceKey, Index>& known);
    Result<void> add_skin(const Node& node, Part& part, std::map<InfluenceKey, Index>& known);
    Result<void> add_targets(Index node, Part& part);
    void set_follower(Index node, Part& part);

    Result<void> sample(Index clip, double time, bool loop);
    Result<void> show_part(Part& part, PosedMesh& mesh);
    Result<void> morph(const Part& part, const VertexSpan& out) const;
    [[nodiscard]] Mat4 model_of(const Part& part) const;
};

Result<void> Poser::State::prepare() {
    animations.reserve(scene.clips.size());
    contexts.reserve(scene.clips.size());
    for (const Clip& clip : scene.clips) contexts.emplace_back(animations.emplace_back(bind(scene, skeleton, clip)));
    pose.resize(skeleton.nodes.size());
    weights.resize(skeleton.rest_weights.size());
    models.resize(skeleton.nodes.size());
    if (auto prepared = prepare_skins(); !prepared) return prepared;
    // Followers need the matrices of the rest pose.
    if (auto shown = show(no_index, 0, false); !shown) return shown;
    const auto nodes = drawn_nodes(scene, options);
    if (!nodes) return fail(nodes.error());
    std::map<InfluenceKey, Index> known;
    parts.reserve(nodes->size());
    for (const Index node : *nodes) {
        if (auto added = add_part(node, known); !added) return added;
    }
    return show(no_index, 0, false);
}

Result<void> Poser::State::prepare_skins() {
    for (std::size_t i = 0; i < scene.skins.size(); ++i) {
        const Skin& skin = scene.skins[i];
        PosedSkin& posed = skins.emplace_back();
        if (skin.joints.size() != skin.inverse_bind_matrices.size())
            return fail(problem_at("skins[" + std::to_string(i) + "]", codes::playback_skin,
                                   "There is not one inverse bind matrix for each joint.",
                                   std::to_string(skin.inverse_bind_matrices.size())));
        for (const Index node : skin.joints) {
            if (node >= skeleton.joints.size())
                return fail(problem_at("skins[" + std::to_string(i) + "]", codes::playback_skin, "A joint is no node.",
                                       std::to_string(node)));
            posed.joints.push_back(skeleton.joints[node]);
        }
        posed.inverse_bind_matrices = skin.inverse_bind_matrices;
        posed.matrices.resize(skin.joints.size());
    }
    return {};
}

Result<void> Poser::State::add_part(Index number, std::map<InfluenceKey, Index>& known) {
    const Node& node = scene.nodes[number];
    const auto base = vertices_of(scene.meshes[node.mesh], node.mesh);
    if (!base) return fail(base.error());
    if (base->positions.empty()) return {};
    Part part;
    part.joint = skeleton.joints[number];
    part.base = *base;
    if (auto added = add_targets(number, part); !added) return added;
    if (is_skinned(node, scene.meshes[node.mesh])) {
        if (auto added = add_skin(node, part, known); !added) return added;
    } else {
        set_follower(number, part);
    }
    part.posed.grow(part.base);
    if (part.skin != no_index && !part.targets.empty()) morphed.grow(part.base);
    parts.push_back(std::move(part));
    meshes.push_back({number, node.mesh, node.collision, false, parts.back().posed.view()});
    return {};
}

Result<void> Poser::State::add_targets(Index number, Part& part) {
    part.targets = scene.meshes[scene.nodes[number].mesh].targets;
    part.first_weight = skeleton.weights[part.joint];
    const std::size_t count = skeleton.weights[part.joint + 1] - part.first_weight;
    if (count == part.targets.size()) return {};
    return fail(problem_at("nodes[" + std::to_string(number) + "]", codes::playback_node,
                           "There is not one weight for each morph target.", std::to_string(count)));
}

Result<void> Poser::State::add_skin(const Node& node, Part& part, std::map<InfluenceKey, Index>& known) {
    if (node.skin >= skins.size())
        return fail(problem_at("meshes[" + std::to_string(node.mesh) + "]", codes::playback_skin,
                               "The mesh is bound to a skin that does not exist.", std::to_string(node.skin)));
    part.skin = node.skin;
    PosedSkin& skin = skins[node.skin];
    skin.used = true;
    const auto [place, is_new] = known.try_emplace({node.mesh, node.skin}, static_cast<Index>(influences.size()));
    part.influences = place->second;
    if (!is_new) return {};
    auto made = make_influences(scene.meshes[node.mesh], skin.joints.size());
    if (!made) return fail(std::move(made.error()));
    influences.push_back(std::move(*made));
    return {};
}

void Poser::State::set_follower(Index number, Part& part) {
    const Node& node = scene.nodes[number];
    if (node.follows >= skeleton.joints.size()) return;
    const Index leader = skeleton.joints[node.follows];
    const auto to_leader = inverse(models[leader]);
    if (!to_leader) return;
    part.follows = leader;
    part.offset = *to_leader * wide(models[part.joint]);
}

Result<void> Poser::State::sample(Index clip, double time, bool loop) {
    if (clip == no_index) {
        const PoseView rest = skeleton.rest.view();
        std::copy(rest.translations.begin(), rest.translations.end(), pose.translations.begin());
        std::copy(rest.rotations.begin(), rest.rotations.end(), pose.rotations.begin());
        std::copy(rest.scales.begin(), rest.scales.end(), pose.scales.begin());
        std::copy(skeleton.rest_weights.begin(), skeleton.rest_weights.end(), weights.begin());
        return {};
    }
    if (clip >= animations.size())
        return fail(problem_at({}, codes::playback_clip, "The scene has no such clip.", std::to_string(clip)));
    SampleJob job;
    job.animation = &animations[clip];
    job.context = &contexts[clip];
    job.time = time;
    job.loop = loop;
    job.rest = skeleton.rest.view();
    job.rest_weights = skeleton.rest_weights;
    job.pose = pose.span();
    job.weights = weights;
    job.kernel = options.kernel;
    return job.run();
}

Result<void> Poser::State::show(Index clip, double time, bool loop) {
    if (auto sampled = sample(clip, time, loop); !sampled) return sampled;
    const LocalToModelJob to_models{skeleton.parents, pose.view(), skeleton.matrices, models, options.kernel};
    if (auto done = to_models.run(); !done) return done;
    for (PosedSkin& skin : skins) {
        if (!skin.used) continue;
        const SkinMatricesJob job{models, skin.joints, skin.inverse_bind_matrices, skin.matrices, options.kernel};
        if (auto done = job.run(); !done) return done;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (auto shown = show_part(parts[i], meshes[i]); !shown) return shown;
    }
    return {};
}

Result<void> Poser::State::morph(const Part& part, const VertexSpan& out) const {
    const auto own_weights = std::span<const float>(weights).subspan(part.first_weight, part.targets.size());
    return MorphJob{part.base, part.targets, own_weights, out}.run();
}

Mat4 Poser::State::model_of(const Part& part) const {
    if (part.follows == no_index) return models[part.joint];
    return narrow_matrix(wide(models[part.follows]) * part.offset);
}

Result<void> Poser::State::show_part(Part& part, PosedMesh& mesh) {
    const bool morphs = !part.targets.empty();
    VertexView in = part.base;
    if (part.skin == no_index) {
        if (morphs) {
            if (auto done = morph(part, part.posed.span()); !done) return done;
            in = part.posed.view();
        }
        const Mat4 model = model_of(part);
        mesh.mirrored = mirrors(model);
        return TransformJob{model, in, part.posed.span(), options.kernel}.run();
    }
    if (morphs) {
        const VertexSpan moved = morphed.first(part.base);
        if (auto done = morph(part, moved); !done) return done;
        in = moved;
    }
    return SkinJob{skins[part.skin].matrices, influences[part.influences].batches, in, part.posed.span(),
                   options.kernel}
        .run();
}

Poser::Poser(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Poser::Poser(Poser&&) noexcept = default;
Poser& Poser::operator=(Poser&&) noexcept = default;
Poser::~Poser() = default;

Result<Poser> Poser::make(const Scene& scene, const PoserOptions& options) {
    return without_exceptions([&]() -> Result<Poser> {
        auto state = std::make_unique<State>(scene, options);
        if (auto prepared = state->prepare(); !prepared) return fail(std::move(prepared.error()));
        return Poser(std::move(state));
    });
}

Result<void> Poser::pose(Index clip, double time, bool loop) { return state_->show(clip, time, loop); }

const Scene& Poser::scene() const noexcept { return state_->scene; }
const Skeleton& Poser::skeleton() const noexcept { return state_->skeleton; }
std::span<const Mat4> Poser::models() const noexcept { return state_->models; }
std::span<const float> Poser::weights() const noexcept { return state_->weights; }
std::span<const PosedMesh> Poser::meshes() const noexcept { return state_->meshes; }

Bounds Poser::bounds() const noexcept {
    Bounds bounds;
    for (const PosedMesh& mesh : state_->meshes) bounds.add(mesh.vertices.positions);
    if (!state_->meshes.empty()) return bounds;
    for (const Mat4& model : state_->models) {
        const Vec3 origin{model.m[12], model.m[13], model.m[14]};
        bounds.add(std::span(&origin, 1));
    }
    return bounds;
}

}  // namespace effigy::playback
