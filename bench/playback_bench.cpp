/// Playback: skinning, and sampling with the way to model space, on one core.

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "effigy/playback.hpp"

#include "pair.hpp"
#include "playback_reference.hpp"

namespace effigy::bench {
namespace {

using Random = std::mt19937;

float between(Random& random, float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
}

Vec3 unit_vector(Random& random) {
    const float height = between(random, -1, 1), turn = between(random, 0, 6.28f);
    const float radius = std::sqrt(1 - height * height);
    return {radius * std::cos(turn), height, radius * std::sin(turn)};
}

Quat rotation(Random& random, float max_angle) {
    const Vec3 axis = unit_vector(random);
    const float half = between(random, 0, max_angle) / 2, sine = std::sin(half);
    return {axis.x * sine, axis.y * sine, axis.z * sine, std::cos(half)};
}

Mat4 rigid_matrix(Random& random) {
    const auto [x, y, z, w] = rotation(random, 3);
    Mat4 matrix;
    matrix.m = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),     0,
                2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),     0,
                2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y), 0,
                between(random, -1, 1),  between(random, -1, 1),  between(random, -1, 1),  1};
    return matrix;
}

template <class T>
Attribute attribute(Semantic semantic, ComponentType component, const std::vector<T>& values) {
    Attribute made;
    made.semantic = semantic;
    made.data.element = ElementType::vec4;
    made.data.component = component;
    made.data.bytes.resize(values.size() * sizeof(T));
    std::memcpy(made.data.bytes.data(), values.data(), made.data.bytes.size());
    return made;
}

constexpr std::size_t skin_joints = 64;

/// A body whose vertices all have the same number of influences.
struct Body {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    std::vector<Mat4> matrices;
    playback::Influences batched;

    Body(std::size_t vertices, std::uint32_t count) {
        Random random(7);
        for (std::size_t i = 0; i < skin_joints; ++i) matrices.push_back(rigid_matrix(random));
        std::vector<std::uint16_t> four_joints;
        std::vector<float> four_weights;
        for (std::size_t v = 0; v < vertices; ++v) {
            positions.push_back(unit_vector(random));
            normals.push_back(unit_vector(random));
            const Vec3 along = unit_vector(random);
            tangents.push_back({along.x, along.y, along.z, v % 2 == 0 ? 1.0f : -1.0f});
            for (std::uint32_t i = 0; i < 4; ++i) {
                four_joints.push_back(static_cast<std::uint16_t>((random() % (skin_joints / 4)) * 4 + i));
                four_weights.push_back(i < count ? 1 / static_cast<float>(count) : 0.0f);
                if (i >= count) continue;
                joints.push_back(four_joints.back());
                weights.push_back(four_weights.back());
            }
        }
        Mesh mesh;
        mesh.vertex_count = static_cast<std::uint32_t>(vertices);
        mesh.attributes = {attribute(Semantic::joints, ComponentType::u16, four_joints),
                           attribute(Semantic::weights, ComponentType::f32, four_weights)};
        if (auto made = playback::make_influences(mesh, skin_joints)) batched = std::move(*made);
    }
};

struct Output {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    explicit Output(std::size_t size) : positions(size), normals(size), tangents(size) {}
    [[nodiscard]] playback::VertexSpan span() { return {positions, normals, tangents}; }
};

float distance(const Vec3& a, const Vec3& b) {
    return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}

float difference(const Output& a, const Output& b) {
    float largest = 0;
    for (std::size_t v = 0; v < a.positions.size(); ++v) {
        const Vec4 &one = a.tangents[v], &other = b.tangents[v];
        largest = std::max({largest, distance(a.positions[v], b.positions[v]), distance(a.normals[v], b.normals[v]),
                            distance({one.x, one.y, one.z}, {other.x, other.y, other.z}), std::fabs(one.w - other.w)});
    }
    return largest;
}

/// Positions, normals and tangents. Small meshes are skinned several times over, so that both sides of a pair last.
void skin(benchmark::State& state) {
    const auto influences = static_cast<std::uint32_t>(state.range(0));
    const auto vertices = static_cast<std::size_t>(state.range(1));
    const Body body(vertices, influences);
    const playback::VertexView in{body.positions, body.normals, body.tangents};
    Output subject(vertices), reference(vertices);
    const playback::SkinJob job{body.matrices, body.batched.batches, in, subject.span(), playback::Kernel::vector};
    const SkinnedVertices plain{influences, in, body.joints, body.weights, body.matrices};
    if (!job.run()) return state.SkipWithError("the job was refused");
    skin_plainly(plain, reference.span());
    if (!(difference(subject, reference) < 1e-4f)) return state.SkipWithError("subject and reference differ");
    const std::size_t passes = std::max<std::size_t>(1, 1'000'000 / vertices);
    run_pair(
        state, Ratio::speed, 3,
        [&] {
            for (std::size_t pass = 0; pass < passes; ++pass) {
                benchmark::DoNotOptimize(job.run());
                benchmark::ClobberMemory();
            }
        },
        [&] {
            for (std::size_t pass = 0; pass < passes; ++pass) {
                skin_plainly(plain, reference.span());
                benchmark::ClobberMemory();
            }
        });
    if (influences != 4) state.counters.erase("goal_at_least");
    const double millions = static_cast<double>(passes * vertices) / 1e6;
    state.counters["Mverts/s"] = 1e3 * millions / state.counters["subject_ms"];
    state.SetLabel(std::string(playback::vector_target()));
}
BENCHMARK(skin)
    ->ArgNames({"influences", "vertices"})
    ->ArgsProduct({{1, 2, 4}, {10'000, 60'000, 1'000'000}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(31);

#ifdef EFFIGY_OZZ
/// Four influences, positions, normals and tangents. The rigid matrices of a vertex differ, so that blended ones
/// shorten what they turn: ozz leaves it so, and so does effigy if it is told not to bring it to unit length.
void skin_beside_ozz(benchmark::State& state) {
    const auto vertices = static_cast<std::size_t>(state.range(0));
    const Body body(vertices, 4);
    const playback::VertexView in{body.positions, body.normals, body.tangents};
    Output subject(vertices), reference(vertices);
    const playback::SkinJob job{body.matrices,  body.batched.batches,     in,
                                subject.span(), playback::Kernel::vector, state.range(1) != 0};
    const SkinnedVertices plain{4, in, body.joints, body.weights, body.matrices};
    if (!job.run() || !skin_by_ozz(plain, reference.span())) return state.SkipWithError("a job was refused");
    float apart = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        apart = std::max(apart, distance(subject.positions[v], reference.positions[v]));
        if (!job.normalize) apart = std::max(apart, distance(subject.normals[v], reference.normals[v]));
    }
    if (!(apart < 1e-4f)) return state.SkipWithError("subject and reference differ");
    const std::size_t passes = std::max<std::size_t>(1, 1'000'000 / vertices);
    const auto repeat = [&](auto&& work) {
        return [&, work] {
            for (std::size_t pass = 0; pass < passes; ++pass) {
                benchmark::DoNotOptimize(work());
                benchmark::ClobberMemory();
            }
        };
    };
    run_pair(state, Ratio::speed, 1.25, repeat([&] { return job.run().has_value(); }),
             repeat([&] { return skin_by_ozz(plain, reference.span()); }));
    state.SetLabel(std::string(playback::vector_target()));
}
BENCHMARK(skin_beside_ozz)
    ->ArgNames({"vertices", "normalize"})
    ->ArgsProduct({{10'000, 60'000, 1'000'000}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(31);
#endif

/// A tree of joints that all turn, shift and stretch, with 30 keys a second over 10 seconds. An exporter that leaves
/// keys out (here every other one, at random) gives each track times of its own.
Scene moving_tree(std::size_t joints, RotationRule rule, bool leaves_out) {
    Random random(11);
    Scene scene;
    scene.nodes.resize(joints);
    Clip& clip = scene.clips.emplace_back();
    clip.duration = 10;
    clip.rules.rotation = rule;
    const auto add_track = [&](Index node, TrackPath path, auto&& value) {
        Track& track = clip.tracks.emplace_back();
        track.node = node;
        track.path = path;
        for (int key = 0; key <= 300; ++key) {
            const bool is_end = key == 0 || key == 300;
            if (leaves_out && !is_end && between(random, 0, 1) < 0.5f) continue;
            track.times.push_back(static_cast<float>(key) / 30);
            for (const float number : value()) track.values.push_back(number);
        }
    };
    const auto vector = [&](float low, float high) {
        return std::array{between(random, low, high), between(random, low, high), between(random, low, high)};
    };
    for (Index node = 0; node < joints; ++node) {
        if (node > 0) add_child(scene, (node - 1) / 2, node);
        add_track(node, TrackPath::translation, [&] { return vector(-1, 1); });
        add_track(node, TrackPath::rotation, [&] {
            const Quat turn = rotation(random, 0.3f);
            return std::array{turn.x, turn.y, turn.z, turn.w};
        });
        add_track(node, TrackPath::scale, [&] { return vector(0.95f, 1.05f); });
    }
    return scene;
}

/// The whole clip at 60 pictures a second. Rules: 0 nlerp, 1 slerp, 2 by angle.
void sample_to_model(benchmark::State& state) {
    const auto joints = static_cast<std::size_t>(state.range(0));
    const RotationRule rule = std::array{RotationRule::nlerp, RotationRule::slerp,
                                         RotationRule::by_angle}[static_cast<std::size_t>(state.range(1))];
    const Scene scene = moving_tree(joints, rule, state.range(2) != 0);
    const playback::Skeleton skeleton = playback::make_skeleton(scene);
    const playback::Animation animation = playback::bind(scene, skeleton, scene.clips.front());
    playback::SampleContext context(animation);
    playback::Pose pose;
    pose.resize(joints);
    std::vector<Mat4> models(joints);
    PlainPlayer player(animation, skeleton);

    playback::SampleJob sample;
    sample.animation = &animation;
    sample.context = &context;
    sample.rest = skeleton.rest.view();
    sample.pose = pose.span();
    const playback::LocalToModelJob to_model{skeleton.parents, pose.view(), skeleton.matrices, models,
                                             playback::Kernel::vector};
    const auto play = [&](double time) {
        sample.time = time;
        return sample.run() && to_model.run();
    };
    if (!play(1.234)) return state.SkipWithError("a job was refused");
    player.play(1.234);
    if (!(max_difference(models, player.models()) < 1e-3)) return state.SkipWithError("subject and reference differ");

    constexpr int pictures = 600;
    const auto every_picture = [](auto&& show) {
        for (int picture = 0; picture < pictures; ++picture) {
            show(picture / 60.0);
            benchmark::ClobberMemory();
        }
    };
    run_pair(
        state, Ratio::speed, state.range(2) != 0 ? 5 : 4,
        [&] { every_picture([&](double time) { benchmark::DoNotOptimize(play(time)); }); },
        [&] { every_picture([&](double time) { player.play(time); }); });
    state.counters["joints/us"] = pictures * static_cast<double>(joints) / (1e3 * state.counters["subject_ms"]);
    state.SetLabel(std::string(playback::vector_target()));
}
BENCHMARK(sample_to_model)
    ->ArgNames({"joints", "rule", "own_times"})
    ->ArgsProduct({{64, 300}, {0, 1, 2}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(51);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
