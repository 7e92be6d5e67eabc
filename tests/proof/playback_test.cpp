/// Posed meshes of the library's own player against the files' own keys, and against glTF's way to play them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "effigy/poser.hpp"

#include "proof/judge.hpp"
#include "proof/measure.hpp"
#include "proof/pairs.hpp"

namespace {

using effigy::Index;
using effigy::playback::Kernel;
using effigy::playback::PosedMesh;
using effigy::playback::Poser;
using effigy::playback::PoserOptions;
using pairs::between_limit;
using pairs::FittingMotion;
using pairs::max_vertices;
using pairs::Variant;

constexpr double pose_limit = 1e-4;    ///< of the model's size
constexpr double normal_limit = 1e-4;  ///< radians
constexpr double kernel_limit = 1e-5;  ///< of the model's size, and for normals of 1
constexpr std::size_t max_times = 12;

oracle::Vec3 wide(const effigy::Vec3& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

oracle::Vec3 mirrored(const oracle::Vec3& v) { return {v.x, v.y, -v.z}; }

double angle(const oracle::Vec3& a, const oracle::Vec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

void raise(double& largest, double value) {
    if (!(value <= largest)) largest = value;  // keeps NaN
}

/// The moment of a loop that a time stands for.
double wrapped(double time, double duration) {
    if (time >= 0 && time <= duration) return time;
    return duration > 0 ? time - duration * std::floor(time / duration) : 0;
}

struct Errors {
    double position = 0;     ///< of the model's size
    double normal = 0;       ///< radians
    std::size_t times = 0;   ///< moments measured
    std::size_t points = 0;  ///< vertices measured, at each moment

    void add(const Errors& other) {
        raise(position, other.position);
        raise(normal, other.normal);
        times += other.times;
        points = std::max(points, other.points);
    }
};

/// A vertex range of the file and where the poser has it.
struct Part {
    const oracle::Submesh* submesh = nullptr;
    std::size_t first_vertex = 0;  ///< in the posed mesh
    std::size_t number = 0;        ///< among the primitives of the .glb
};

struct Shown {
    const oracle::Mesh* mesh = nullptr;
    std::size_t node = 0;
    std::size_t poser = 0;  ///< the first that shows it
    std::size_t posed = 0;  ///< among that poser's meshes
    std::vector<Part> parts;
};

/// One actor with its scene, posed on all its levels of detail.
class Theatre {
public:
    Theatre(const oracle::Drawing& drawing, const effigy::Scene& scene, const glb::Document& document)
        : drawing_(drawing), scene_(scene), size_(measure::size_of(drawing, drawing.bind_world())) {
        std::size_t levels = 0;
        for (const effigy::Node& node : scene.nodes) levels = std::max(levels, node.lods.size());
        for (std::size_t level = 0; level <= levels; ++level) {
            posers_.push_back(make(static_cast<int>(level), Kernel::vector));
            plain_.push_back(make(static_cast<int>(level), Kernel::scalar));
        }
        for (const measure::Match& match : measure::match_meshes(drawing, document, size_).matches) find(match);
    }

    [[nodiscard]] std::size_t shown() const { return shown_.size(); }
    /// Rigid collision meshes: they stand beside the skeleton and follow it.
    [[nodiscard]] std::size_t followers() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            shown_, [](const Shown& shown) { return shown.mesh->collision && !shown.mesh->skinned; }));
    }
    /// Nodes whose meshes no poser shows.
    [[nodiscard]] const std::vector<std::size_t>& unseen() const { return unseen_; }

    [[nodiscard]] Index clip(const std::string& name) const {
        const auto found = std::ranges::find(scene_.clips, name, &effigy::Clip::name);
        return found == scene_.clips.end() ? effigy::no_index : static_cast<Index>(found - scene_.clips.begin());
    }

    [[nodiscard]] double duration(Index clip) const { return static_cast<double>(scene_.clips.at(clip).duration); }

    void pose(Index clip, double time) {
        for (auto* posers : {&posers_, &plain_})
            for (Poser& poser : *posers)
                if (const auto posed = poser.pose(clip, time); !posed) throw std::runtime_error(posed.error().message);
    }

    /// What the posers show now, against the file at `time`.
    [[nodiscard]] Errors against_file(const oracle::Motion& motion, const oracle::MorphMotion* morphs,
                                      double time) const {
        const oracle::Actor& actor = drawing_.actor();
        return against(oracle::world_matrices(actor, oracle::pose_at(actor, motion, time)),
                       oracle::weights_at(actor, morphs, time));
    }

    /// What the posers show now, against the bind pose.
    [[nodiscard]] Errors against_bind() const {
        return against(drawing_.bind_world(), oracle::weights_at(drawing_.actor(), nullptr, 0));
    }

    /// What the posers show now, against a .glb of the same scene. Rigid collision meshes do not follow in glTF.
    [[nodiscard]] double against_glb(const glb::Document& document, const glb::Pose& pose) const {
        double worst = 0;
        each_vertex([&](const Shown& shown, const Part& part, std::size_t v) {
            if (shown.mesh->collision && !shown.mesh->skinned) return;
            const auto mesh = static_cast<std::size_t>(document.nodes.at(shown.node).mesh);
            const glb::Primitive& primitive = document.meshes.at(mesh).primitives.at(part.number);
            raise(worst, glm::length(place(shown, part, v) - glb::position(document, pose, shown.node, primitive, v)));
        });
        return worst / size_;
    }

    /// Largest difference of both kernels in all vertices.
    [[nodiscard]] double between_kernels() const {
        double worst = 0;
        for (std::size_t level = 0; level < posers_.size(); ++level)
            for (std::size_t i = 0; i < posers_[level].meshes().size(); ++i) {
                const auto& one = posers_[level].meshes()[i].vertices;
                const auto& other = plain_[level].meshes()[i].vertices;
                for (std::size_t v = 0; v < one.positions.size(); ++v)
                    raise(worst, glm::length(wide(one.positions[v]) - wide(other.positions[v])) / size_);
                for (std::size_t v = 0; v < one.normals.size(); ++v)
                    raise(worst, glm::length(wide(one.normals[v]) - wide(other.normals[v])));
                for (std::size_t v = 0; v < one.tangents.size(); ++v) {
                    const effigy::Vec4 &a = one.tangents[v], &b = other.tangents[v];
                    raise(worst, glm::length(wide({a.x, a.y, a.z}) - wide({b.x, b.y, b.z})));
                    raise(worst, static_cast<double>(std::fabs(a.w - b.w)));
                }
            }
        return worst;
    }

private:
    [[nodiscard]] Poser make(int level, Kernel kernel) const {
        PoserOptions options;
        options.level = level;
        options.collision = true;
        options.kernel = kernel;
        auto poser = Poser::make(scene_, options);
        if (!poser) throw std::runtime_error(effigy::to_string(poser.error()));
        return std::move(*poser);
    }

    void find(const measure::Match& match) {
        for (std::size_t level = 0; level < posers_.size(); ++level) {
            const auto meshes = posers_[level].meshes();
            const auto found = std::ranges::find(meshes, static_cast<Index>(match.node), &PosedMesh::node);
            if (found == meshes.end()) continue;
            shown_.push_back({match.mesh, match.node, level, static_cast<std::size_t>(found - meshes.begin()),
                              parts_of(match, scene_.meshes.at(found->mesh))});
            return;
        }
        unseen_.push_back(match.node);
    }

    /// glTF has no primitives without triangles.
    static std::vector<Part> parts_of(const measure::Match& match, const effigy::Mesh& mesh) {
        std::vector<Part> parts;
        std::size_t number = 0;
        for (const effigy::Primitive& primitive : mesh.primitives) {
            if (primitive.indices.empty()) continue;
            parts.push_back({match.parts.at(number).first, primitive.first_vertex, number});
            ++number;
        }
        return parts;
    }

    template <class Use>
    void each_vertex(Use use) const {
        for (const Shown& shown : shown_)
            for (const Part& part : shown.parts) {
                const std::size_t count = part.submesh->vertex_count;
                for (std::size_t v = 0; v < count; v += std::max<std::size_t>(1, count / max_vertices))
                    use(shown, part, v);
            }
    }

    [[nodiscard]] oracle::Vec3 place(const Shown& shown, const Part& part, std::size_t v) const {
        return wide(posers_[shown.poser].meshes()[shown.posed].vertices.positions[part.first_vertex + v]);
    }

    /// The joints as nodes of a .glb would be.
    [[nodiscard]] glb::Pose joints() const {
        glb::Pose pose;
        const Poser& poser = posers_.front();
        for (std::size_t joint = 0; joint < poser.models().size(); ++joint) {
            pose.nodes.emplace_back().name = scene_.nodes.at(poser.skeleton().nodes[joint]).name;
            oracle::Mat4& matrix = pose.world.emplace_back();
            for (int i = 0; i < 16; ++i)
                matrix[i / 4][i % 4] = static_cast<double>(poser.models()[joint].m[static_cast<std::size_t>(i)]);
        }
        return pose;
    }

    [[nodiscard]] Errors against(const std::vector<oracle::Mat4>& world, const std::vector<double>& weights) const {
        const double size = std::max(size_, pairs::reach(world));
        Errors errors;
        errors.times = 1;
        errors.position = measure::compare_nodes(drawing_.actor(), world, joints(), size);
        each_vertex([&](const Shown& shown, const Part& part, std::size_t v) {
            const std::size_t vertex = part.submesh->first_vertex + v;
            const oracle::Vec3 meant = mirrored(drawing_.position(*shown.mesh, vertex, world, weights));
            raise(errors.position, glm::length(place(shown, part, v) - meant) / size);
            ++errors.points;
            const auto& normals = posers_[shown.poser].meshes()[shown.posed].vertices.normals;
            if (normals.empty() || shown.mesh->normals.at(vertex) == oracle::Vec3(0)) return;
            const oracle::Vec3 normal = wide(normals[part.first_vertex + v]);
            raise(errors.normal, std::abs(glm::length(normal) - 1));
            const oracle::Vec3 facing = mirrored(drawing_.normal(*shown.mesh, vertex, world, weights));
            raise(errors.normal, angle(normal, facing));
        });
        return errors;
    }

    const oracle::Drawing& drawing_;
    const effigy::Scene& scene_;
    double size_;
    std::vector<Poser> posers_, plain_;  ///< one for each level, by both kernels
    std::vector<Shown> shown_;
    std::vector<std::size_t> unseen_;
};

/// On keys, between them, at both ends, before the beginning and beyond the end.
std::vector<double> moments(const oracle::Actor& actor, const oracle::Motion& motion, double duration) {
    const pairs::Timing timing = pairs::timing_of(actor, motion, max_times);
    std::vector<double> times = timing.keys;
    times.insert(times.end(), timing.between.begin(), timing.between.end());
    for (const double loops : {-3.71, -0.29, 0.0, 1.0, 1.37, 12.6}) times.push_back(loops * duration);
    return times;
}

struct PlayErrors {
    Errors exact;  ///< where all rotations have keys
    Errors other;
    [[nodiscard]] Errors all() const {
        Errors errors = exact;
        errors.add(other);
        return errors;
    }
};

PlayErrors play(Theatre& theatre, Index clip, const oracle::Actor& actor, const oracle::Motion& motion,
                const oracle::MorphMotion* morphs) {
    PlayErrors errors;
    const double duration = theatre.duration(clip);
    for (const double time : moments(actor, motion, duration)) {
        theatre.pose(clip, time);
        const double moment = wrapped(time, duration);
        Errors& place = pairs::exact_at(actor, motion, moment) ? errors.exact : errors.other;
        place.add(theatre.against_file(motion, morphs, moment));
    }
    return errors;
}

/// Largest difference of both kernels over a clip.
double compare_kernels(Theatre& theatre, Index clip, const std::vector<double>& times) {
    double worst = 0;
    for (const double time : times) {
        theatre.pose(clip, time);
        raise(worst, theatre.between_kernels());
    }
    return worst;
}

double compare_with_glb(Theatre& theatre, Index clip, const glb::Document& document, const std::string& name,
                        const std::vector<double>& times) {
    const auto animation = std::ranges::find(document.animations, name, &glb::Animation::name);
    double worst = animation == document.animations.end() ? std::numeric_limits<double>::infinity() : 0;
    if (animation == document.animations.end()) return worst;
    for (const double time : times) {
        theatre.pose(clip, time);
        raise(worst, theatre.against_glb(document, glb::sample(document, *animation, time)));
    }
    return worst;
}

/// Levels of detail without a level 0 are the only meshes that nobody sees.
void expect_all_seen(const Theatre& theatre, const effigy::Scene& scene) {
    for (const std::size_t node : theatre.unseen()) {
        EXPECT_TRUE(scene.nodes.at(node).hidden && !scene.nodes.at(node).collision) << scene.nodes.at(node).name;
        for (const effigy::Node& other : scene.nodes)
            EXPECT_EQ(std::ranges::count(other.lods, static_cast<Index>(node)), 0) << scene.nodes.at(node).name;
    }
}

/// One actor of the corpus in all that the tests need.
struct Actor {
    effigy::Scene scene;
    glb::Document document;
    oracle::Drawing drawing;
    Theatre theatre;

    Actor(const oracle::Actor& actor, const convert::Input& input, const effigy::emfx::SceneOptions& options = {})
        : scene(convert::to_scene(input, options)),
          document(glb::read(convert::to_glb(scene))),
          drawing(actor),
          theatre(drawing, scene, document) {}
};

bool draws(const oracle::Actor& actor) {
    return std::ranges::any_of(actor.meshes, [](const oracle::Mesh& mesh) {
        return std::ranges::any_of(mesh.submeshes, [](const auto& submesh) { return !submesh.indices.empty(); });
    });
}

TEST(Playback, CorpusMovesAsTheFilesMeanIt) {
    EFFIGY_NEEDS_CORPUS();
    Errors all;
    std::size_t count = 0, meshes = 0, followers = 0;
    pairs::each_moved_actor([&](const corpus::File& file, const oracle::Actor& actor,
                                const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        Actor played(actor, input);
        EXPECT_EQ(played.theatre.shown() > 0, draws(actor));
        meshes += played.theatre.shown();
        followers += played.theatre.followers();
        expect_all_seen(played.theatre, played.scene);
        const Errors rest = played.theatre.against_bind();
        EXPECT_LE(rest.position, pose_limit);
        EXPECT_LE(rest.normal, normal_limit);
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const Index clip = played.theatre.clip(motion->stem);
            ASSERT_NE(clip, effigy::no_index);
            EXPECT_NEAR(played.theatre.duration(clip), motion->motion.duration, pairs::time_limit);
            const Errors errors = play(played.theatre, clip, actor, motion->motion, nullptr).all();
            EXPECT_LE(errors.position, pose_limit);
            EXPECT_LE(errors.normal, normal_limit);
            std::printf("%-28s %-34s %.1e, normals %.1e rad (%zu vertices, %zu times)\n", file.path.filename().c_str(),
                        motion->file->path.filename().c_str(), errors.position, errors.normal, errors.points,
                        errors.times);
            all.add(errors);
            ++count;
        }
    });
    EXPECT_GT(count, 0u);
    std::printf(
        "%zu pairs, %zu meshes, %zu of them rigid collision meshes: largest error %.1e of the size, normals %.1e "
        "rad (%zu times)\n",
        count, meshes, followers, all.position, all.normal, all.times);
}

TEST(Playback, RetargetedCorpusMovesAsTheEngineAdaptsIt) {
    EFFIGY_NEEDS_CORPUS();
    effigy::emfx::SceneOptions options;
    options.retarget = true;
    Errors all;
    double farthest = 0;  // that anything moves because of it
    std::size_t count = 0, changed = 0;
    pairs::each_moved_actor([&](const corpus::File&, const oracle::Actor& actor,
                                const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        Actor played(actor, input, options);
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const Index clip = played.theatre.clip(motion->stem);
            const oracle::Motion adapted = oracle::retargeted(actor, motion->motion);
            const Errors errors = play(played.theatre, clip, actor, adapted, nullptr).all();
            EXPECT_LE(errors.position, pose_limit);
            EXPECT_LE(errors.normal, normal_limit);
            all.add(errors);
            const double moved = play(played.theatre, clip, actor, motion->motion, nullptr).all().position;
            changed += moved > pose_limit ? 1u : 0u;
            raise(farthest, moved);
            ++count;
        }
    });
    EXPECT_GT(changed, 0u) << "a switch without effect proves nothing";
    std::printf("%zu pairs, %zu of them changed by up to %.1e of the size: largest error %.1e, normals %.1e rad\n",
                count, changed, farthest, all.position, all.normal);
}

TEST(Playback, GltfAgreesOnTheCorpus) {
    EFFIGY_NEEDS_CORPUS();
    effigy::emfx::SceneOptions resample;
    resample.resample = pairs::rate;
    double kept = 0, resampled = 0;
    std::size_t count = 0;
    pairs::each_moved_actor([&](const corpus::File&, const oracle::Actor& actor,
                                const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        Actor played(actor, input);
        const glb::Document baked = glb::read(convert::to_glb(input, resample));
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const Index clip = played.theatre.clip(motion->stem);
            const pairs::Timing timing = pairs::timing_of(actor, motion->motion, max_times);
            for (const auto& times : {timing.keys, timing.between}) {
                const double error = compare_with_glb(played.theatre, clip, played.document, motion->stem, times);
                EXPECT_LE(error, between_limit);
                raise(kept, error);
            }
            const double error = compare_with_glb(played.theatre, clip, baked, motion->stem,
                                                  pairs::sampled_instants(motion->motion.duration, max_times));
            EXPECT_LE(error, pose_limit);
            raise(resampled, error);
            ++count;
        }
    });
    EXPECT_GT(count, 0u);
    std::printf("%zu pairs: native and glTF's rules differ by %.1e, at 60 samples a second by %.1e\n", count, kept,
                resampled);
}

TEST(Playback, KernelsAgreeOnTheCorpus) {
    EFFIGY_NEEDS_CORPUS();
    double worst = 0;
    std::size_t count = 0;
    pairs::each_moved_actor([&](const corpus::File&, const oracle::Actor& actor,
                                const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        Actor played(actor, input);
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const double duration = motion->motion.duration;
            const double difference =
                compare_kernels(played.theatre, played.theatre.clip(motion->stem),
                                {0, 0.1 * duration, 0.37 * duration, 0.5 * duration, 0.93 * duration, duration});
            EXPECT_LE(difference, kernel_limit);
            raise(worst, difference);
            ++count;
        }
    });
    EXPECT_GT(count, 0u);
    std::printf("%zu pairs: %s and scalar differ by %.1e\n", count,
                std::string(effigy::playback::vector_target()).c_str(), worst);
}

/// What is seen of level 0, collision meshes as well, as a scene that stands still.
effigy::Scene baked_scene(const effigy::Scene& scene, Index clip, double time) {
    PoserOptions options;
    options.collision = true;
    auto poser = Poser::make(scene, options);
    if (!poser) throw std::runtime_error(effigy::to_string(poser.error()));
    if (const auto posed = poser->pose(clip, time); !posed) throw std::runtime_error(effigy::to_string(posed.error()));
    return effigy::playback::bake(*poser).value();
}

TEST(Bake, RestingCorpusHasTheSurfaceOfTheFiles) {
    EFFIGY_NEEDS_CORPUS();
    measure::Surface sum;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        const oracle::Actor actor = oracle::read_actor(file->bytes);
        const oracle::Drawing drawing(actor);
        const double size = measure::size_of(drawing, drawing.bind_world());
        const effigy::Scene scene = convert::to_scene({{file->bytes}, {}, {}});
        const effigy::Scene baked = baked_scene(scene, effigy::no_index, 0);
        const glb::Document document = glb::read(convert::to_glb(baked));
        const measure::Matching matching = measure::match_meshes(drawing, document, size);
        EXPECT_EQ(matching.matches.size(), baked.meshes.size());
        for (const measure::Match& match : matching.matches) EXPECT_LE(match.error, pose_limit);
        const measure::Surface surface = measure::compare_surface(drawing, document, matching, size);
        EXPECT_EQ(surface.contradictions, 0u);
        EXPECT_EQ(surface.other_triangles, 0u);
        sum.add(surface);
    }
    std::printf("%zu corners with normals, %zu with tangents, %zu contradictions\n", sum.corners, sum.tangent_corners,
                sum.contradictions);
}

TEST(Bake, MovingCorpusIsValid) {
    EFFIGY_NEEDS_CORPUS();
    if (const std::string why_not = judge::no_validator(); !why_not.empty()) GTEST_SKIP() << why_not;
    judge::Judge judge;
    pairs::each_moved_actor([&](const corpus::File& file, const oracle::Actor&,
                                const std::vector<const FittingMotion*>&, const convert::Input& input) {
        const effigy::Scene scene = convert::to_scene(input);
        for (Index clip = 0; clip < scene.clips.size(); ++clip)
            judge.add(file.path.stem().string() + " " + scene.clips[clip].name,
                      baked_scene(scene, clip, 0.4 * static_cast<double>(scene.clips[clip].duration)));
    });
    judge.judge();
    std::printf("%zu baked scenes validated\n", judge.count());
}

class SyntheticPlayback : public testing::TestWithParam<Variant> {
protected:
    explicit SyntheticPlayback(bool late = false, oracle::Times times = oracle::Times::from_zero)
        : actor_bytes_(synthetic::actor(GetParam().actor)),
          actor_(oracle::read_actor(actor_bytes_)),
          motion_bytes_(synthetic::motion(actor_, options(late))),
          motion_(oracle::read_motion(motion_bytes_, times)),
          morph_bytes_(synthetic::morph_motion(actor_, GetParam().motion.seed, GetParam().motion.big_endian)),
          morphs_(oracle::read_morph_motion(morph_bytes_, times)),
          played_(actor_, input(), options(times)) {}

    static effigy::emfx::SceneOptions options(oracle::Times times) {
        effigy::emfx::SceneOptions options;
        options.keep_key_times = times == oracle::Times::as_stored;
        return options;
    }
    static synthetic::MotionOptions options(bool late) {
        synthetic::MotionOptions options = GetParam().motion;
        options.late_start = late;
        return options;
    }
    [[nodiscard]] convert::Input input() const {
        return {{actor_bytes_}, {{"both", motion_bytes_}}, {{"both", morph_bytes_}}};
    }

    std::vector<std::byte> actor_bytes_;
    oracle::Actor actor_;
    std::vector<std::byte> motion_bytes_;
    oracle::Motion motion_;
    std::vector<std::byte> morph_bytes_;
    oracle::MorphMotion morphs_;
    Actor played_;
};

/// Some tracks begin after 0 in the file, and with the others when they are played.
class RebasedSyntheticPlayback : public SyntheticPlayback {
protected:
    RebasedSyntheticPlayback() : SyntheticPlayback(true) {}
};

/// With their times as they stand they show their last key before the first.
class LateSyntheticPlayback : public SyntheticPlayback {
protected:
    LateSyntheticPlayback() : SyntheticPlayback(true, oracle::Times::as_stored) {}
};

void expect_as_meant(Actor& played, const oracle::Actor& actor, const oracle::Motion& motion,
                     const oracle::MorphMotion& morphs) {
    EXPECT_GT(played.theatre.shown(), 0u);
    expect_all_seen(played.theatre, played.scene);
    const Errors rest = played.theatre.against_bind();
    EXPECT_LE(rest.position, pose_limit);
    EXPECT_LE(rest.normal, normal_limit);
    ASSERT_EQ(played.scene.clips.size(), 1u);
    EXPECT_NEAR(played.theatre.duration(0), std::max(motion.duration, morphs.duration), pairs::time_limit);
    const PlayErrors errors = play(played.theatre, 0, actor, motion, &morphs);
    EXPECT_GT(errors.exact.times, 0u);
    EXPECT_LE(errors.exact.position, pose_limit);
    EXPECT_LE(errors.exact.normal, normal_limit);
    EXPECT_LE(errors.other.position, pose_limit);
    EXPECT_LE(errors.other.normal, normal_limit);
    const Errors all = errors.all();
    std::printf("largest error %.1e of the size, normals %.1e rad (%zu vertices, %zu times); at keys %.1e\n",
                all.position, all.normal, all.points, all.times, errors.exact.position);
}

TEST_P(SyntheticPlayback, MovesAsTheFileMeansIt) { expect_as_meant(played_, actor_, motion_, morphs_); }
TEST_P(RebasedSyntheticPlayback, MovesAsTheEnginePlaysIt) { expect_as_meant(played_, actor_, motion_, morphs_); }
TEST_P(LateSyntheticPlayback, MovesAsTheFileMeansIt) { expect_as_meant(played_, actor_, motion_, morphs_); }

TEST_P(SyntheticPlayback, GltfAgrees) {
    const pairs::Timing timing = pairs::timing_of(actor_, motion_, max_times);
    double kept = 0;
    for (const auto& times : {timing.keys, timing.between})
        raise(kept, compare_with_glb(played_.theatre, 0, played_.document, "both", times));
    EXPECT_LE(kept, between_limit);
    effigy::emfx::SceneOptions resample;
    resample.resample = pairs::rate;
    const glb::Document baked = glb::read(convert::to_glb(input(), resample));
    const double resampled =
        compare_with_glb(played_.theatre, 0, baked, "both", pairs::sampled_instants(played_.theatre.duration(0), 40));
    EXPECT_LE(resampled, pose_limit);
    std::printf("native and glTF's rules differ by %.1e, at 60 samples a second by %.1e\n", kept, resampled);
}

TEST_P(LateSyntheticPlayback, ResampledGltfAgrees) {
    effigy::emfx::SceneOptions resample = options(oracle::Times::as_stored);
    resample.resample = pairs::rate;
    const glb::Document baked = glb::read(convert::to_glb(input(), resample));
    const double error =
        compare_with_glb(played_.theatre, 0, baked, "both", pairs::sampled_instants(played_.theatre.duration(0), 40));
    EXPECT_LE(error, pose_limit);
}

TEST_P(SyntheticPlayback, BakedSceneIsValid) {
    if (const std::string why_not = judge::no_validator(); !why_not.empty()) GTEST_SKIP() << why_not;
    judge::Judge judge;
    judge.add("rest", baked_scene(played_.scene, effigy::no_index, 0));
    judge.add("moved", baked_scene(played_.scene, 0, 0.4 * motion_.duration));
    judge.judge();
}

TEST_P(SyntheticPlayback, KernelsAgree) {
    const pairs::Timing timing = pairs::timing_of(actor_, motion_, max_times);
    EXPECT_LE(compare_kernels(played_.theatre, 0, timing.keys), kernel_limit);
    EXPECT_LE(compare_kernels(played_.theatre, 0, timing.between), kernel_limit);
}

TEST_P(SyntheticPlayback, MistakesShow) {
    const double half = 0.5 * motion_.duration;
    played_.theatre.pose(0, half);
    EXPECT_LE(played_.theatre.against_file(motion_, &morphs_, half).position, pose_limit);
    EXPECT_GT(played_.theatre.against_file(motion_, &morphs_, half + 0.01).position, pose_limit);
    EXPECT_GT(played_.theatre.against_file(motion_, nullptr, half).position, pose_limit) << "without morphs";
}

std::string name_of(const testing::TestParamInfo<Variant>& variant) { return variant.param.name; }

INSTANTIATE_TEST_SUITE_P(All, SyntheticPlayback, testing::ValuesIn(pairs::variants()), name_of);
INSTANTIATE_TEST_SUITE_P(All, RebasedSyntheticPlayback, testing::ValuesIn(pairs::variants()), name_of);
INSTANTIATE_TEST_SUITE_P(All, LateSyntheticPlayback, testing::ValuesIn(pairs::variants()), name_of);

}  // namespace
