/// Posed vertices and nodes of the .glb, played by the rules of glTF, against the files' own keys.

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

#include "corpus/corpus.hpp"
#include "proof/convert.hpp"
#include "proof/measure.hpp"
#include "proof/pairs.hpp"
#include "proof/synthetic.hpp"

namespace {

using pairs::between_limit;
using pairs::FittingMotion;
using pairs::key_limit;
using pairs::max_vertices;
using pairs::rate;
using pairs::time_limit;
using pairs::Variant;

constexpr std::size_t max_times = 40;  ///< measured of each kind in each motion

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
        const double size = std::max(size_, pairs::reach(world));
        return std::max(
            measure::compare_nodes(actor, world, pose, size),
            measure::compare_vertices(drawing_, world, weights, document_, pose, matching_, size, max_vertices));
    }

    /// Error at keys and between them.
    [[nodiscard]] Errors errors(const oracle::Motion& motion, const oracle::MorphMotion* morphs,
                                const glb::Animation& animation) const {
        using oracle::Interpolation;
        Errors errors;
        const pairs::Timing timing = pairs::timing_of(drawing_.actor(), motion, max_times);
        std::vector<double> times = timing.keys;
        times.insert(times.end(), timing.between.begin(), timing.between.end());
        for (const double time : times) {
            const double engine = error(motion, morphs, animation, time, Interpolation::nlerp);
            if (pairs::exact_at(drawing_.actor(), motion, time)) {
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
    const oracle::Drawing& drawing_;
    const glb::Document& document_;
    double size_;
    measure::Matching matching_;
};

TEST(Motions, CorpusMovesAsTheFilesMeanIt) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t pairs = 0;
    Errors all;
    pairs::each_moved_actor([&](const corpus::File& file, const oracle::Actor& actor,
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
    pairs::each_moved_actor([&](const corpus::File&, const oracle::Actor& actor,
                                const std::vector<const FittingMotion*>& fitting, const convert::Input& input) {
        const oracle::Drawing drawing(actor);
        const glb::Document document = glb::read(convert::to_glb(input, options));
        const Stage stage(drawing, document);
        for (const FittingMotion* motion : fitting) {
            SCOPED_TRACE(motion->file->path.string());
            const glb::Animation& animation = animation_named(document, motion->stem);
            double error = 0;
            for (const double time : pairs::sampled_instants(motion->motion.duration, max_times))
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
TEST(Motions, LoneMotionsOfTheCorpusMoveFlatNodes) {
    EFFIGY_NEEDS_CORPUS();
    double worst = 0;
    for (const corpus::File* file : corpus::files_of("XSM ")) {
        SCOPED_TRACE(file->path.string());
        const oracle::Motion motion = oracle::read_motion(file->bytes);
        oracle::Actor flat;
        flat.multiplication_order = std::to_integer<int>(file->bytes.at(7));
        for (const oracle::Submotion& submotion : motion.submotions)
            if (!pairs::moves(flat, submotion)) flat.nodes.push_back({submotion.name, oracle::no_node, submotion.pose});
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
    // Rotations are fitted, so that readers of glTF, which slerp, show what the engine's nlerp shows.
    EXPECT_LE(errors.between, GetParam().motion.scales == synthetic::Scales::turned ? between_limit : key_limit);
    std::printf("%s: at keys %.1e (%zu times); between %.1e, by glTF's rules %.1e (%zu times)\n", GetParam().name,
                errors.at_keys, errors.exact_times, errors.between, errors.between_slerp, errors.other_times);
}

TEST_P(SyntheticMotion, ResampledMovesAsTheEngine) {
    effigy::emfx::SceneOptions options;
    options.resample = rate;
    const glb::Document document = convert(options);
    const Stage stage(drawing_, document);
    const glb::Animation& animation = animation_named(document, "both");
    for (const double time : pairs::sampled_instants(std::max(motion_.duration, morphs_.duration), max_times))
        EXPECT_LE(stage.error(motion_, &morphs_, animation, time, oracle::Interpolation::nlerp), key_limit)
            << "at " << time << " s";
}

/// With times as they stand, a track shows its last key before its first one; glTF can say that only key by key.
TEST_P(SyntheticMotion, ResampledLateStartMovesAsTheEngine) {
    synthetic::MotionOptions late = GetParam().motion;
    late.late_start = true;
    const std::vector<std::byte> bytes = synthetic::motion(actor_, late);
    const oracle::Motion motion = oracle::read_motion(bytes, oracle::Times::as_stored);
    effigy::emfx::SceneOptions options;
    options.resample = rate;
    options.keep_key_times = true;
    const glb::Document document = glb::read(convert::to_glb({{actor_bytes_}, {{"late", bytes}}, {}}, options));
    const Stage stage(drawing_, document);
    const glb::Animation& animation = animation_named(document, "late");
    for (const double time : pairs::sampled_instants(motion.duration, max_times))
        EXPECT_LE(stage.error(motion, nullptr, animation, time, oracle::Interpolation::nlerp), key_limit)
            << "at " << time << " s";
}

/// Tracks that kept every sample begin late, thinned ones at 0: all of them play from their own first key.
TEST_P(SyntheticMotion, LateTracksBeginAtZero) {
    synthetic::MotionOptions late = GetParam().motion;
    late.late_start = true;
    const std::vector<std::byte> bytes = synthetic::motion(actor_, late);
    const oracle::Motion motion = oracle::read_motion(bytes);
    const oracle::Motion stored = oracle::read_motion(bytes, oracle::Times::as_stored);
    EXPECT_LE(motion.duration, stored.duration);
    const auto is_late = [](const oracle::Submotion& submotion) {
        return !submotion.rotations.empty() && submotion.rotations.front().time > 0;
    };
    EXPECT_TRUE(std::any_of(stored.submotions.begin(), stored.submotions.end(), is_late));
    const glb::Document document = glb::read(convert::to_glb({{actor_bytes_}, {{"late", bytes}}, {}}));
    const Stage stage(drawing_, document);
    const glb::Animation& animation = animation_named(document, "late");
    EXPECT_NEAR(animation.duration(), motion.duration, time_limit);
    const Errors errors = stage.errors(motion, nullptr, animation);
    EXPECT_LE(errors.at_keys, key_limit);
    EXPECT_LE(errors.between, between_limit);
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

INSTANTIATE_TEST_SUITE_P(All, SyntheticMotion, testing::ValuesIn(pairs::variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

}  // namespace
