/// Jobs refuse spans that are too short or hold bad numbers.

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

constexpr float untouched = 4711;

template <class T>
std::vector<T> untouched_values(std::size_t count) {
    std::vector<T> values(count);
    auto* numbers = reinterpret_cast<float*>(values.data());
    std::fill(numbers, numbers + count * sizeof(T) / sizeof(float), untouched);
    return values;
}

template <class... Spans>
bool all_untouched(const Spans&... spans) {
    const auto is_untouched = [](const auto& span) {
        const std::vector<float> numbers = numbers_of(span);
        return std::all_of(numbers.begin(), numbers.end(), [](float number) { return number == untouched; });
    };
    return (is_untouched(spans) && ...);
}

/// One way to spoil a job, and what it then says.
template <class Job>
struct Fault {
    const char* name;
    const char* code;
    const char* path;
    std::function<void(Job&)> spoil;
};

/// Every fault of a job that is fine without it: an error with its code and path, and nothing written.
template <class Job>
void expect_refused(const Job& good, const std::vector<Fault<Job>>& faults, const std::function<bool()>& is_untouched) {
    for (const Fault<Job>& fault : faults) {
        SCOPED_TRACE(fault.name);
        Job job = good;
        fault.spoil(job);
        const Result<void> result = job.run();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, fault.code);
        EXPECT_EQ(result.error().path, fault.path);
        EXPECT_NE(result.error().message.find(fault.path), std::string::npos);
        EXPECT_FALSE(result.error().found.empty());
        EXPECT_FALSE(result.error().expected.empty());
        EXPECT_TRUE(is_untouched());
    }
    EXPECT_TRUE(good.run());
    EXPECT_FALSE(is_untouched());
}

template <class T>
void shorten(std::span<T>& span) {
    span = span.first(span.size() - 1);
}

TEST(Spans, Sample) {
    Random random(1);
    const Pose rest = make_pose(3, random);
    const std::vector<float> rest_weights(2);
    const std::vector<float> times{0, 1};
    const std::vector<float> values(24);
    Animation animation;
    animation.duration = 1;
    animation.translations.push_back({2, 3, Interpolation::linear, times, std::span(values).first(6)});
    animation.rotations.push_back({2, 4, Interpolation::cubic_spline, times, std::span(values).first(24)});
    animation.scales.push_back({0, 3, Interpolation::step, times, std::span(values).first(6)});
    animation.weights.push_back({0, 2, Interpolation::linear, times, std::span(values).first(4)});
    const Animation good_animation = animation;
    SampleContext context(animation);
    const SampleContext good_context = context;

    auto translations = untouched_values<Vec3>(3);
    auto rotations = untouched_values<Quat>(3);
    auto scales = untouched_values<Vec3>(3);
    auto weights = untouched_values<float>(2);
    SampleJob good;
    good.animation = &animation;
    good.context = &context;
    good.rest = rest.view();
    good.rest_weights = rest_weights;
    good.pose = {translations, rotations, scales};
    good.weights = weights;
    const auto is_untouched = [&] {
        animation = good_animation;
        context = good_context;
        return all_untouched(translations, rotations, scales, weights);
    };
    using Job = SampleJob;
    expect_refused<Job>(
        good,
        {
            {"no animation", "playback-value", "animation", [](Job& job) { job.animation = nullptr; }},
            {"no context", "playback-value", "context", [](Job& job) { job.context = nullptr; }},
            {"time", "playback-value", "time", [](Job& job) { job.time = static_cast<double>(not_a_number); }},
            {"endless", "playback-value", "time", [](Job& job) { job.time = static_cast<double>(infinite); }},
            {"rest", "playback-size", "rest.rotations", [](Job& job) { shorten(job.rest.rotations); }},
            {"rest", "playback-size", "rest.scales", [](Job& job) { shorten(job.rest.scales); }},
            {"pose", "playback-size", "pose.translations", [](Job& job) { shorten(job.pose.translations); }},
            {"pose", "playback-size", "pose.rotations", [](Job& job) { shorten(job.pose.rotations); }},
            {"pose", "playback-size", "pose.scales", [](Job& job) { shorten(job.pose.scales); }},
            {"weights", "playback-size", "weights", [](Job& job) { shorten(job.weights); }},
            {"begins", "playback-size", "context.translations",
             [](Job& job) { job.context->translations.begins.pop_back(); }},
            {"ends", "playback-size", "context.rotations", [](Job& job) { job.context->rotations.ends.pop_back(); }},
            {"from", "playback-size", "context.rotations", [](Job& job) { job.context->rotations.from.pop_back(); }},
            {"to", "playback-size", "context.scales", [](Job& job) { job.context->scales.to.pop_back(); }},
            {"targets", "playback-size", "context.scales", [](Job& job) { job.context->scales.targets.pop_back(); }},
            {"cursors", "playback-size", "context.scales", [](Job& job) { job.context->scales.cursors.pop_back(); }},
            {"weights", "playback-size", "context.weights", [](Job& job) { job.context->weights.pop_back(); }},
            {"outdated", "playback-size", "context.outdated", [](Job& job) { job.context->outdated.pop_back(); }},
            {"parts", "playback-size", "context.parts", [](Job& job) { job.context->parts.pop_back(); }},
            {"mixed", "playback-size", "context.rotations", [](Job& job) { job.context->rotations.mixed.pop_back(); }},
            {"joint", "playback-index", "animation.translations[0].target",
             [&](Job&) { animation.translations[0].target = 3; }},
            {"joint", "playback-index", "animation.scales[0].target",
             [&](Job&) { animation.scales[0].target = no_index; }},
            {"width", "playback-size", "animation.translations[0].values",
             [&](Job&) { animation.translations[0].width = 4; }},
            {"width of fitting values", "playback-size", "animation.scales[0].width",
             [&](Job&) {
                 animation.scales[0].width = 6;
                 animation.scales[0].times = std::span(times).first(1);
             }},
            {"values", "playback-size", "animation.rotations[0].values",
             [&](Job&) { animation.rotations[0].values = std::span(values).first(8); }},
            {"no keys", "playback-size", "animation.rotations[0].times",
             [&](Job&) { animation.rotations[0].times = animation.rotations[0].values = {}; }},
            {"weight", "playback-index", "animation.weights[0].target", [&](Job&) { animation.weights[0].target = 1; }},
            {"duration", "playback-value", "animation.duration", [&](Job&) { animation.duration = infinite; }},
        },
        is_untouched);
}

TEST(Spans, Blend) {
    Random random(2);
    const Pose rest = make_pose(3, random);
    const std::vector<float> rest_weights(2);
    const std::vector<float> mask(3, 1.0f);
    auto translations = untouched_values<Vec3>(3);
    auto rotations = untouched_values<Quat>(3);
    auto scales = untouched_values<Vec3>(3);
    auto weights = untouched_values<float>(2);
    BlendLayer layer{rest.view(), rest_weights, 1, mask};
    BlendLayer additive = layer;
    const BlendLayer good_layer = layer;
    BlendJob good;
    good.layers = one(layer);
    good.additive = one(additive);
    good.rest = rest.view();
    good.rest_weights = rest_weights;
    good.pose = {translations, rotations, scales};
    good.weights = weights;
    const auto is_untouched = [&] {
        layer = additive = good_layer;
        return all_untouched(translations, rotations, scales, weights);
    };
    using Job = BlendJob;
    expect_refused<Job>(
        good,
        {
            {"threshold", "playback-value", "threshold", [](Job& job) { job.threshold = 0; }},
            {"threshold", "playback-value", "threshold", [](Job& job) { job.threshold = not_a_number; }},
            {"rest", "playback-size", "rest.scales", [](Job& job) { shorten(job.rest.scales); }},
            {"pose", "playback-size", "pose.translations", [](Job& job) { shorten(job.pose.translations); }},
            {"rest weights", "playback-size", "rest_weights", [](Job& job) { shorten(job.rest_weights); }},
            {"layer", "playback-size", "layers.rotations", [&](Job&) { shorten(layer.pose.rotations); }},
            {"layer", "playback-size", "layers.mask", [&](Job&) { shorten(layer.mask); }},
            {"layer", "playback-size", "layers.weights", [&](Job&) { shorten(layer.weights); }},
            {"layer", "playback-value", "layers.weight", [&](Job&) { layer.weight = -0.5f; }},
            {"layer", "playback-value", "layers.weight", [&](Job&) { layer.weight = infinite; }},
            {"additive", "playback-size", "additive.translations", [&](Job&) { shorten(additive.pose.translations); }},
            {"additive", "playback-value", "additive.weight", [&](Job&) { additive.weight = not_a_number; }},
        },
        is_untouched);
}

TEST(Spans, Difference) {
    Random random(3);
    const Pose pose = make_pose(3, random);
    auto translations = untouched_values<Vec3>(3);
    auto rotations = untouched_values<Quat>(3);
    auto scales = untouched_values<Vec3>(3);
    using Job = DifferenceJob;
    expect_refused<Job>(
        {pose.view(), pose.view(), {translations, rotations, scales}},
        {
            {"pose", "playback-size", "pose.scales", [](Job& job) { shorten(job.pose.scales); }},
            {"reference", "playback-size", "reference.rotations", [](Job& job) { shorten(job.reference.rotations); }},
            {"out", "playback-size", "difference.translations", [](Job& job) { shorten(job.difference.translations); }},
        },
        [&] { return all_untouched(translations, rotations, scales); });
}

TEST(Spans, LocalToModel) {
    Random random(4);
    const Pose pose = make_pose(3, random);
    std::vector<Index> parents{no_index, 0, 1};
    const std::vector<Index> good_parents = parents;
    MatrixJoint matrix{1, {}};
    auto models = untouched_values<Mat4>(3);
    using Job = LocalToModelJob;
    expect_refused<Job>(
        {parents, pose.view(), one(matrix), models, Kernel::vector},
        {
            {"pose", "playback-size", "pose.translations", [](Job& job) { shorten(job.pose.translations); }},
            {"models", "playback-size", "models", [](Job& job) { shorten(job.models); }},
            {"own parent", "playback-index", "parents[1]", [&](Job&) { parents[1] = 1; }},
            {"later parent", "playback-index", "parents[0]", [&](Job&) { parents[0] = 2; }},
            {"matrix", "playback-index", "matrices", [&](Job&) { matrix.joint = 3; }},
        },
        [&] {
            parents = good_parents;
            matrix.joint = 1;
            return all_untouched(models);
        });
}

TEST(Spans, SkinMatrices) {
    const std::vector<Mat4> models(3);
    const std::vector<Mat4> binds(2);
    std::vector<Index> joints{2, 0};
    auto out = untouched_values<Mat4>(2);
    using Job = SkinMatricesJob;
    expect_refused<Job>(
        {models, joints, binds, out, Kernel::vector},
        {
            {"binds", "playback-size", "inverse_bind_matrices", [](Job& job) { shorten(job.inverse_bind_matrices); }},
            {"out", "playback-size", "out", [](Job& job) { shorten(job.out); }},
            {"joint", "playback-index", "joints", [&](Job&) { joints[1] = 3; }},
        },
        [&] {
            joints[1] = 0;
            return all_untouched(out);
        });
}

/// In and out of a mesh of four vertices.
struct FourVertices {
    std::vector<Vec3> positions = std::vector<Vec3>(4, {1, 2, 3});
    std::vector<Vec3> normals = std::vector<Vec3>(4, {0, 0, 1});
    std::vector<Vec4> tangents = std::vector<Vec4>(4, {1, 0, 0, 1});
    std::vector<Vec3> out_positions = untouched_values<Vec3>(4);
    std::vector<Vec3> out_normals = untouched_values<Vec3>(4);
    std::vector<Vec4> out_tangents = untouched_values<Vec4>(4);

    [[nodiscard]] VertexView in() const { return {positions, normals, tangents}; }
    [[nodiscard]] VertexSpan out() { return {out_positions, out_normals, out_tangents}; }
    [[nodiscard]] bool is_untouched() const { return all_untouched(out_positions, out_normals, out_tangents); }
};

template <class Job>
std::vector<Fault<Job>> vertex_faults() {
    return {
        {"in", "playback-size", "in.normals", [](Job& job) { shorten(job.in.normals); }},
        {"in", "playback-size", "in.tangents", [](Job& job) { shorten(job.in.tangents); }},
        {"in", "playback-size", "in.normals", [](Job& job) { shorten(job.in.positions); }},
        {"out", "playback-size", "out.positions", [](Job& job) { shorten(job.out.positions); }},
        {"out", "playback-size", "out.normals", [](Job& job) { shorten(job.out.normals); }},
        {"out", "playback-size", "out.tangents", [](Job& job) { shorten(job.out.tangents); }},
        {"out", "playback-size", "out.normals", [](Job& job) { job.in.normals = {}; }},
        {"out", "playback-size", "out.tangents", [](Job& job) { job.in.tangents = {}; }},
    };
}

TEST(Spans, Morph) {
    FourVertices four;
    MorphTarget target;
    target.indices = {0, 3};
    target.positions.resize(2);
    target.normals.resize(2);
    target.tangents.resize(2);
    const MorphTarget good_target = target;
    const std::vector<float> weights{1};
    using Job = MorphJob;
    expect_refused<Job>({four.in(), one(target), weights, four.out()},
                        {
                            {"base", "playback-size", "in.normals", [](Job& job) { shorten(job.base.normals); }},
                            {"out", "playback-size", "out.positions", [](Job& job) { shorten(job.out.positions); }},
                            {"out", "playback-size", "out.tangents", [](Job& job) { job.out.tangents = {}; }},
                            {"weights", "playback-size", "weights", [](Job& job) { job.weights = {}; }},
                            {"positions", "playback-size", "targets[0]", [&](Job&) { target.positions.pop_back(); }},
                            {"tangents", "playback-size", "targets[0]", [&](Job&) { target.tangents.pop_back(); }},
                            {"index", "playback-index", "targets.indices", [&](Job&) { target.indices[1] = 4; }},
                            {"order", "playback-index", "targets.indices",
                             [&](Job&) {
                                 target.indices = {3, 0};
                             }},
                        },
                        [&] {
                            target = good_target;
                            return four.is_untouched();
                        });
}

TEST(Spans, Skin) {
    for (const Kernel kernel : {Kernel::scalar, Kernel::vector}) {
        FourVertices four;
        const std::vector<Mat4> matrices(3);
        std::vector<std::uint32_t> vertices{0, 1, 3};
        std::vector<std::uint16_t> joints{0, 1, 2, 0, 1, 2};
        const std::vector<float> weights(6, 0.5f);
        const InfluenceBatch good_batch{2, vertices, joints, weights};
        InfluenceBatch batch = good_batch;
        using Job = SkinJob;
        std::vector<Fault<Job>> faults = vertex_faults<Job>();
        const std::vector<Fault<Job>> own{
            {"matrices", "playback-index", "batches.joints", [](Job& job) { shorten(job.matrices); }},
            {"influences", "playback-size", "batches.joints", [&](Job&) { batch.influences = 3; }},
            {"no influences", "playback-value", "batches.influences", [&](Job&) { batch.influences = 0; }},
            {"joints", "playback-size", "batches.joints", [&](Job&) { shorten(batch.joints); }},
            {"weights", "playback-size", "batches.weights", [&](Job&) { shorten(batch.weights); }},
            {"vertices", "playback-size", "batches.joints", [&](Job&) { shorten(batch.vertices); }},
            {"joint", "playback-index", "batches.joints", [&](Job&) { joints[0] = 3; }},
            {"joint", "playback-index", "batches.joints", [&](Job&) { joints[5] = 65535; }},
            {"vertex", "playback-index", "batches.vertices", [&](Job&) { vertices[2] = 4; }},
            {"order", "playback-index", "batches.vertices", [&](Job&) { vertices[1] = 0; }},
        };
        faults.insert(faults.end(), own.begin(), own.end());
        expect_refused<Job>({matrices, one(batch), four.in(), four.out(), kernel}, faults, [&] {
            batch = good_batch;
            joints = {0, 1, 2, 0, 1, 2};
            vertices = {0, 1, 3};
            return four.is_untouched();
        });
    }
}

TEST(Spans, SkinLeavesOutWhatNobodyWants) {
    FourVertices four;
    const std::vector<Mat4> matrices(1);
    const std::vector<std::uint32_t> vertices{0, 1, 2, 3};
    const std::vector<std::uint16_t> joints(4);
    const std::vector<float> weights(4, 1.0f);
    const InfluenceBatch batch{1, vertices, joints, weights};
    SkinJob job{matrices, one(batch), four.in(), {four.out_positions, {}, {}}, Kernel::vector};
    ASSERT_TRUE(job.run());
    EXPECT_EQ(four.out_positions, four.positions);
    EXPECT_TRUE(all_untouched(four.out_normals, four.out_tangents));
}

TEST(Spans, Transform) {
    FourVertices four;
    expect_refused<TransformJob>({Mat4(), four.in(), four.out(), Kernel::vector}, vertex_faults<TransformJob>(),
                                 [&] { return four.is_untouched(); });
}

TEST(Spans, LargeScansFindTheOneThatIsWrong) {
    with_vectors([] {
        for (const std::size_t count : {1u, 7u, 16u, 33u, 64u, 100u, 257u}) {
            const std::vector<Mat4> matrices(5);
            const std::vector<Vec3> positions(count);
            std::vector<Vec3> out(count);
            std::vector<std::uint32_t> vertices(count);
            for (std::size_t i = 0; i < count; ++i) vertices[i] = static_cast<std::uint32_t>(i);
            std::vector<std::uint16_t> joints(count, 4);
            const std::vector<float> weights(count, 1.0f);
            const InfluenceBatch batch{1, vertices, joints, weights};
            const SkinJob job{matrices, one(batch), {positions, {}, {}}, {out, {}, {}}, Kernel::vector};
            ASSERT_TRUE(job.run());
            for (std::size_t i = 0; i < count; ++i) {
                joints[i] = 5;
                EXPECT_FALSE(job.run());
                joints[i] = 4;
                if (i == 0) continue;
                vertices[i] = vertices[i - 1];
                EXPECT_FALSE(job.run());
                vertices[i] = static_cast<std::uint32_t>(i);
            }
        }
    });
}

}  // namespace
}  // namespace effigy::playback
