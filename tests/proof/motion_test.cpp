/// Posed vertices and nodes of the .glb, played by the rules of glTF, against the files' own keys.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

#include "proof/convert.hpp"
#include "proof/corpus.hpp"
#include "proof/measure.hpp"
#include "proof/synthetic.hpp"

namespace {

constexpr double key_limit = 1e-4;  ///< of the model's size
/// glTF turns at constant speed between keys, the engine does not: over long gaps that can be seen.
constexpr double between_limit = 4e-3;
constexpr double time_limit = 1e-6;        ///< seconds
constexpr std::size_t most_vertices = 48;  ///< measured in each submesh
constexpr std::size_t most_times = 40;     ///< measured of each kind in each motion

/// Some of a sorted list: evenly spread, first and last always.
std::vector<double> some_of(const std::vector<double>& all, std::size_t most) {
    if (all.size() <= most) return all;
    std::vector<double> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return some;
}

void sort_once(std::vector<double>& times) {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
}

/// What a motion says about time, for one actor.
struct Timing {
    std::vector<double> keys;     ///< of any component
    std::vector<double> between;  ///< halfway from key to key
};

template <class T>
void add_times(const std::vector<oracle::Key<T>>& keys, std::vector<double>& times) {
    for (const auto& key : keys) times.push_back(key.time);
}

bool moves(const oracle::Actor& actor, const oracle::Submotion& submotion) {
    return std::ranges::find(actor.nodes, submotion.name, &oracle::Node::name) != actor.nodes.end();
}

Timing timing_of(const oracle::Actor& actor, const oracle::Motion& motion) {
    std::vector<double> all{0};
    for (const oracle::Submotion& submotion : motion.submotions) {
        if (!moves(actor, submotion)) continue;
        add_times(submotion.positions, all);
        add_times(submotion.rotations, all);
        add_times(submotion.scales, all);
        add_times(submotion.scale_rotations, all);
    }
    sort_once(all);
    std::vector<double> halfway;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) halfway.push_back(0.5 * (all[i] + all[i + 1]));
    return {some_of(all, most_times), some_of(halfway, most_times)};
}

bool has_key(const std::vector<oracle::Key<oracle::Quat>>& keys, double time) {
    return keys.empty() || time >= keys.back().time ||
           std::ranges::any_of(keys, [&](const auto& key) { return key.time == time; });
}

/// Does no rotation stand between two keys?
bool exact_at(const oracle::Actor& actor, const oracle::Motion& motion, double time) {
    return std::ranges::all_of(motion.submotions, [&](const oracle::Submotion& submotion) {
        return !moves(actor, submotion) ||
               (has_key(submotion.rotations, time) && has_key(submotion.scale_rotations, time));
    });
}

/// The largest errors of one motion on one actor, in units of the model's size.
struct Errors {
    double at_keys = 0;        ///< where every rotation has a key
    double between = 0;        ///< elsewhere, against the engine's interpolation
    double between_slerp = 0;  ///< elsewhere, against the same keys read by glTF's rules
    std::size_t exact_times = 0, other_times = 0;

    void add(const Errors& other) {
        at_keys = std::max(at_keys, other.at_keys);
        between = std::max(between, other.between);
        between_slerp = std::max(between_slerp, other.between_slerp);
        exact_times += other.exact_times;
        other_times += other.other_times;
    }
};

const glb::Animation& animation_named(const glb::Document& document, const std::string& name) {
    const auto found = std::ranges::find(document.animations, name, &glb::Animation::name);
    if (found == document.animations.end()) throw std::runtime_error("no animation " + name);
    return *found;
}

/// One actor with its .glb.
class Stage {
public:
    Stage(const oracle::Drawing& drawing, const glb::Document& document)
        : drawing_(drawing),
          document_(document),
          size_(measure::size_of(drawing, drawing.bind_world())),
          matching_(measure::match_meshes(drawing, document, size_)) {}

    [[nodiscard]] const measure::Matching& matching() const noexcept { return matching_; }

    /// Error of nodes and vertices at a time.
    [[nodiscard]] double error(const oracle::Motion& motion, const oracle::MorphMotion* morphs,
                               const glb::Animation& animation, double time,
                               oracle::Interpolation interpolation) const {
        const oracle::Actor& actor = drawing_.actor();
        const auto world = oracle::world_matrices(actor, oracle::pose_at(actor, motion, time, interpolation));
        const std::vector<double> weights = oracle::weights_at(actor, morphs, time);
        const glb::Pose pose = glb::sample(document_, animation, time);
        const double size = std::max(size_, reach(world));
        return std::max(
            measure::compare_nodes(actor, world, pose, size),
            measure::compare_vertices(drawing_, world, weights, document_, pose, matching_, size, most_vertices));
    }

    /// Error at keys and between them.
    [[nodiscard]] Errors errors(const oracle::Motion& motion, const oracle::MorphMotion* morphs,
                                const glb::Animation& animation) const {
        using oracle::Interpolation;
        Errors errors;
        const Timing timing = timing_of(drawing_.actor(), motion);
        std::vector<double> times = timing.keys;
        times.insert(times.end(), timing.between.begin(), timing.between.end());
        for (const double time : times) {
            const double engine = error(motion, morphs, animation, time, Interpolation::nlerp);
            if (exact_at(drawing_.actor(), motion, time)) {
                errors.at_keys = std::max(errors.at_keys, engine);
                ++errors.exact_times;
            } else {
                errors.between = std::max(errors.between, engine);
                errors.between_slerp =
                    std::max(errors.between_slerp, error(motion, morphs, animation, time, Interpolation::slerp));
                ++errors.other_times;
            }
        }
        return errors;
    }

private:
    /// The extent of the posed skeleton: a motion of a larger figure carries a smaller one along.
    [[nodiscard]] static double reach(const std::vector<oracle::Mat4>& world) {
        oracle::Vec3 low(world.at(0)[3]), high = low;
        for (const oracle::Mat4& node : world) {
            low = glm::min(low, oracle::Vec3(node[3]));
            high = glm::max(high, oracle::Vec3(node[3]));
        }
        return glm::length(high - low);
    }

    const oracle::Drawing& drawing_;
    const glb::Document& document_;
    double size_;
    measure::Matching matching_;
};

constexpr double rate = 60;  ///< of resampling

/// Some of the times at which a resampled clip has keys.
std::vector<double> sampled_instants(double duration) {
    std::vector<double> times;
    for (int k = 0; k / rate < duration; ++k) times.push_back(static_cast<double>(static_cast<float>(k / rate)));
    times.push_back(duration);
    return some_of(times, most_times);
}

struct FittingMotion {
    const corpus::File* file;
    oracle::Motion motion;
    std::string stem;
};

/// Calls `use` with each actor of the corpus and all motions that move it.
template <class Use>
void each_moved_actor(Use use) {
    std::vector<FittingMotion> motions;
    for (const corpus::File* file : corpus::files_of("XSM "))
        motions.push_back({file, oracle::read_motion(file->bytes), "motion" + std::to_string(motions.size())});
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        const oracle::Actor actor = oracle::read_actor(file->bytes);
        std::vector<const FittingMotion*> fitting;
        convert::Input input{{file->bytes}, {}, {}};
        for (const FittingMotion& motion : motions) {
            if (!oracle::fits(actor, motion.motion)) continue;
            fitting.push_back(&motion);
            input.motions.push_back({motion.stem, motion.file->bytes});
        }
        if (!fitting.empty()) use(*file, actor, fitting, input);
    }
}

TEST(Motions, CorpusMovesAsTheFilesMeanIt) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t pairs = 0;
    Errors all;
    each_moved_actor([&](const corpus::File& file, const oracle::Actor& actor,
                         const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        const oracle::Drawing drawing(actor);
        const glb::Document document = glb::read(convert::to_glb(input));
        const Stage stage(drawing, document);
        EXPECT_TRUE(stage.matching().missing.empty());
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const glb::Animation& animation = animation_named(document, motion->stem);
            EXPECT_NEAR(animation.duration(), motion->motion.duration, time_limit) << "the loop has another length";
            const Errors errors = stage.errors(motion->motion, nullptr, animation);
            EXPECT_LE(errors.at_keys, key_limit);
            EXPECT_LE(errors.between, between_limit);
            EXPECT_LE(errors.between_slerp, key_limit);
            std::printf("%-28s %-34s at keys %.1e (%zu times); between %.1e, by glTF's rules %.1e (%zu times)\n",
                        file.path.filename().c_str(), motion->file->path.filename().c_str(), errors.at_keys,
                        errors.exact_times, errors.between, errors.between_slerp, errors.other_times);
            all.add(errors);
            ++pairs;
        }
    });
    std::printf(
        "%zu pairs: largest error at keys %.1e (%zu times), between keys %.1e, by glTF's rules %.1e (%zu times)\n",
        pairs, all.at_keys, all.exact_times, all.between, all.between_slerp, all.other_times);
}

TEST(Motions, ResampledCorpusMovesAsTheEngine) {
    EFFIGY_NEEDS_CORPUS();
    effigy::emfx::SceneOptions options;
    options.resample = rate;
    double worst = 0;
    std::size_t pairs = 0;
    each_moved_actor([&](const corpus::File&, const oracle::Actor& actor,
                         const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        const oracle::Drawing drawing(actor);
        const glb::Document document = glb::read(convert::to_glb(input, options));
        const Stage stage(drawing, document);
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const glb::Animation& animation = animation_named(document, motion->stem);
            double error = 0;
            for (const double time : sampled_instants(motion->motion.duration))
                error = std::max(error,
                                 stage.error(motion->motion, nullptr, animation, time, oracle::Interpolation::nlerp));
            EXPECT_LE(error, key_limit);
            EXPECT_NEAR(animation.duration(), motion->motion.duration, time_limit) << "the loop has another length";
            worst = std::max(worst, error);
            ++pairs;
        }
    });
    std::printf("corpus: %zu pairs at 60 samples a second: largest error %.1e\n", pairs, worst);
}

/// A motion without an actor: each submotion is a node of its own, at the root.
TEST(Motions, LoneMotionsMoveFlatNodes) {
    EFFIGY_NEEDS_CORPUS();
    double worst = 0;
    for (const corpus::File* file : corpus::files_of("XSM ")) {
        SCOPED_TRACE(file->path.string());
        const oracle::Motion motion = oracle::read_motion(file->bytes);
        oracle::Actor flat;
        flat.multiplication_order = std::to_integer<int>(file->bytes.at(7));
        for (const oracle::Submotion& submotion : motion.submotions)
            if (!moves(flat, submotion)) flat.nodes.push_back({submotion.name, oracle::no_node, submotion.pose});
        const oracle::Drawing drawing(flat);
        const glb::Document document = glb::read(convert::to_glb({{}, {{"lone", file->bytes}}, {}}));
        const Stage stage(drawing, document);
        const glb::Animation& animation = animation_named(document, "lone");
        EXPECT_NEAR(animation.duration(), motion.duration, time_limit);
        const Errors errors = stage.errors(motion, nullptr, animation);
        EXPECT_LE(errors.at_keys, key_limit);
        EXPECT_LE(errors.between, between_limit);
        worst = std::max(worst, errors.at_keys);
    }
    std::printf("corpus: %zu motions alone: largest error at keys %.1e\n", corpus::files_of("XSM ").size(), worst);
}

struct Variant {
    const char* name;
    synthetic::ActorOptions actor;
    synthetic::MotionOptions motion;
};

std::vector<Variant> variants() {
    using synthetic::Scales;
    std::vector<Variant> all;
    const auto add = [&](const char* name, int order, Scales scales, bool packed, bool single, bool big_endian) {
        const auto seed = static_cast<unsigned>(20 + all.size());
        all.push_back({name,
                       {seed, big_endian, order, scales, true, false, single, false},
                       {seed + 100, big_endian, order, packed, single, scales, false, 0.1, 0.5}});
    };
    add("uniform", 0, Scales::uniform, false, false, false);
    add("uniform_rotation_first", 1, Scales::uniform, true, false, false);
    add("packed_big_endian", 0, Scales::uniform, true, false, true);
    add("single_chunks", 0, Scales::uniform, false, true, false);
    add("single_chunks_packed", 1, Scales::uniform, true, true, true);
    add("stretched_scale_first", 0, Scales::stretched, false, false, false);
    add("stretched_rotation_first", 1, Scales::stretched, false, false, true);
    add("turned_scale_first", 0, Scales::turned, false, false, false);
    add("turned_rotation_first", 1, Scales::turned, true, false, false);
    return all;
}

class SyntheticMotion : public testing::TestWithParam<Variant> {
protected:
    SyntheticMotion()
        : actor_bytes_(synthetic::actor(GetParam().actor)),
          actor_(oracle::read_actor(actor_bytes_)),
          drawing_(actor_),
          motion_bytes_(synthetic::motion(actor_, GetParam().motion)),
          motion_(oracle::read_motion(motion_bytes_)),
          morph_bytes_(synthetic::morph_motion(actor_, GetParam().motion.seed, GetParam().motion.big_endian)),
          morphs_(oracle::read_morph_motion(morph_bytes_)) {}

    [[nodiscard]] glb::Document convert(const effigy::emfx::SceneOptions& options = {}) const {
        return glb::read(
            convert::to_glb({{actor_bytes_}, {{"both", motion_bytes_}}, {{"both", morph_bytes_}}}, options));
    }

    std::vector<std::byte> actor_bytes_;
    oracle::Actor actor_;
    oracle::Drawing drawing_;
    std::vector<std::byte> motion_bytes_;
    oracle::Motion motion_;
    std::vector<std::byte> morph_bytes_;
    oracle::MorphMotion morphs_;
};

TEST_P(SyntheticMotion, MovesAsTheFileMeansIt) {
    const glb::Document document = convert();
    ASSERT_EQ(document.animations.size(), 1u);
    const Stage stage(drawing_, document);
    EXPECT_TRUE(stage.matching().missing.empty());
    const glb::Animation& animation = animation_named(document, "both");
    EXPECT_NEAR(animation.duration(), std::max(motion_.duration, morphs_.duration), time_limit);
    const Errors errors = stage.errors(motion_, &morphs_, animation);
    EXPECT_LE(errors.at_keys, key_limit);
    EXPECT_LE(errors.between, between_limit);
    // Of two rotations that move in one node glTF has the product, which is close to both, but neither.
    if (GetParam().motion.scales != synthetic::Scales::turned) {
        EXPECT_LE(errors.between_slerp, key_limit);
    }
    std::printf("%s: at keys %.1e (%zu times); between %.1e, by glTF's rules %.1e (%zu times)\n", GetParam().name,
                errors.at_keys, errors.exact_times, errors.between, errors.between_slerp, errors.other_times);
}

TEST_P(SyntheticMotion, ResampledMovesAsTheEngine) {
    effigy::emfx::SceneOptions options;
    options.resample = rate;
    const glb::Document document = convert(options);
    const Stage stage(drawing_, document);
    const glb::Animation& animation = animation_named(document, "both");
    for (const double time : sampled_instants(std::max(motion_.duration, morphs_.duration)))
        EXPECT_LE(stage.error(motion_, &morphs_, animation, time, oracle::Interpolation::nlerp), key_limit)
            << "at " << time << " s";
}

/// Before its first key a track shows its last one; glTF can say that only key by key.
TEST_P(SyntheticMotion, ResampledLateStartMovesAsTheEngine) {
    synthetic::MotionOptions late = GetParam().motion;
    late.late_start = true;
    const std::vector<std::byte> bytes = synthetic::motion(actor_, late);
    const oracle::Motion motion = oracle::read_motion(bytes);
    effigy::emfx::SceneOptions options;
    options.resample = rate;
    const glb::Document document = glb::read(convert::to_glb({{actor_bytes_}, {{"late", bytes}}, {}}, options));
    const Stage stage(drawing_, document);
    const glb::Animation& animation = animation_named(document, "late");
    for (const double time : sampled_instants(motion.duration))
        EXPECT_LE(stage.error(motion, nullptr, animation, time, oracle::Interpolation::nlerp), key_limit)
            << "at " << time << " s";
}

TEST_P(SyntheticMotion, MistakesShow) {
    glb::Document document = convert();
    const Stage stage(drawing_, document);
    glb::Animation& animation = document.animations.at(0);
    for (glb::Channel& channel : animation.channels)
        if (channel.path == glb::Path::rotation && channel.times.size() > 2) {
            channel.values[4 * channel.times.size() - 4] *= -1;  // the sign of one x of one key
            EXPECT_GT(stage.error(motion_, &morphs_, animation, channel.times.back(), oracle::Interpolation::slerp),
                      key_limit);
            return;
        }
    FAIL() << "no rotation moves";
}

INSTANTIATE_TEST_SUITE_P(All, SyntheticMotion, testing::ValuesIn(variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

}  // namespace
