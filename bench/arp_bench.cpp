/// Reading avatars against memcpy of as many bytes into freshly allocated blocks of the same sizes; recovering a bind
/// pose, and the whole way to a .glb in memory, against reading.

#include <cmath>
#include <cstring>
#include <malloc.h>
#include <memory>

#include "effigy/arp.hpp"
#include "effigy/arp_bind.hpp"
#include "effigy/arp_scene.hpp"
#include "effigy/gltf.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

constexpr std::size_t bones = 74, points = 4600, links_in_ten_points = 14, duplicates = 570, strip = 17'400,
                      targets = 51, sets = 330, frames = 1244;

arp::FourCC code_of(std::size_t bone) {
    return {'B', static_cast<char>('A' + bone / 26), static_cast<char>('A' + bone % 26), '1'};
}

/// Bones lie on an arc, each turned so far from the one before it: at the bind, and at the stored rest.
constexpr double bind_turn = 0.05, rest_turn = 0.6;

/// Some points hang on the bone before theirs as well. With `moved` a few links do not agree, as in avatars that were
/// changed by hand after they had been bound.
arp::Points make_points(bool moved) {
    arp::Points result;
    std::vector<std::array<double, 2>> joints(bones);
    for (std::size_t bone = 1; bone < bones; ++bone) {
        const double angle = bind_turn * static_cast<double>(bone - 1);
        joints[bone] = {joints[bone - 1][0] + std::cos(angle), joints[bone - 1][1] + std::sin(angle)};
    }
    for (std::size_t point = 0; point < points; ++point) {
        const std::size_t own = point * bones / points, place = point % 60;
        const bool shared = own > 0 && point % 10 < links_in_ten_points - 10;
        const double along = 0.015 * static_cast<double>(place), around = static_cast<double>(point);
        const double own_angle = bind_turn * static_cast<double>(own);
        const double x = joints[own][0] + along * std::cos(own_angle), y = joints[own][1] + 0.3 * std::cos(around);
        result.link_counts.push_back(shared ? 2 : 1);
        for (std::size_t link = 0; link < (shared ? 2U : 1U); ++link) {
            const std::size_t bone = own - link;
            const double angle = bind_turn * static_cast<double>(bone);
            const double cosine = std::cos(angle), sine = std::sin(angle);
            const double dx = x - joints[bone][0], dy = y - joints[bone][1];
            const double error = moved && link == 1 && point % 97 == 0 ? 0.05 : 0;
            result.offsets.push_back({static_cast<float>(cosine * dx + sine * dy + error),
                                      static_cast<float>(cosine * dy - sine * dx),
                                      static_cast<float>(0.3 * std::sin(around))});
            result.normals.push_back({static_cast<float>(sine), static_cast<float>(cosine), 0});
            result.bones.push_back(static_cast<std::uint32_t>(bone));
            result.weights.push_back(shared ? 0.5F : 1);
            result.distances.push_back(1);
        }
    }
    return result;
}

/// As large in every part as the avatars that are in use: 1.1 MB.
arp::File make_avatar(bool moved = false) {
    using namespace arp;
    File file;
    file.volume_high.y = 40;
    for (std::size_t bone = 0; bone < bones; ++bone) {
        const FourCC code = code_of(bone), parent = bone == 0 ? FourCC{} : code_of(bone - 1);
        const double half = bone == 0 ? 0 : rest_turn / 2;
        const Quat turn{0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
        file.bones.push_back({{code.data(), 4}, {parent.data(), 4}, {bone == 0 ? 0.0F : 1.0F, 0, 0}, turn, {}, 1});
        file.link_names.push_back(file.bones.back().name);
        file.default_pose.push_back({code, {1, 0, 0}, {}});
    }
    arp::Mesh mesh;
    mesh.points = make_points(moved);
    for (std::size_t index = 0; index < strip; ++index)
        mesh.strip.push_back(static_cast<std::uint16_t>((index / 4 + index % 4) % points));
    mesh.duplicates.resize(duplicates, 3);
    mesh.texcoords.resize(points + duplicates, {0.5f, 0.5f});
    for (std::size_t target = 0; target < targets; ++target) {
        mesh.morph_targets.push_back({"m" + std::to_string(target), {}});
        for (std::size_t set = 0; set < sets; ++set)
            mesh.morph_targets.back().sets.push_back({static_cast<std::uint32_t>(9 * set), 1, {0, 0, 1}, {0, 0, 1}});
    }
    file.meshes.push_back(std::move(mesh));
    file.ambient.emplace();
    file.ambient->frames.resize(frames);
    for (std::size_t number = 0; number < frames; ++number) {
        const double half = 0.05 * std::sin(static_cast<double>(number));
        const Quat turn{static_cast<float>(std::sin(half)), 0, 0, static_cast<float>(std::cos(half))};
        for (std::size_t bone = 1; bone <= 5; ++bone)
            file.ambient->frames[number].bones.push_back({code_of(bone), {3, 0, 0}, turn});
    }
    file.texture.name = "skin.png";
    file.texture.flags[2] = 1;
    return file;
}

/// The arrays' sizes in the order of the file, and one for all else.
std::vector<std::size_t> block_sizes(const arp::File& file, std::size_t total) {
    std::vector<std::size_t> sizes;
    const auto add = [&](const auto& array) {
        if (array.empty()) return;
        sizes.push_back(array.size() * sizeof array[0]);
        total -= sizes.back();
    };
    for (const arp::Mesh& mesh : file.meshes) {
        add(mesh.points.link_counts);
        add(mesh.points.offsets);
        add(mesh.points.normals);
        add(mesh.points.bones);
        add(mesh.points.weights);
        add(mesh.points.distances);
        add(mesh.strip);
        add(mesh.duplicates);
        add(mesh.texcoords);
        for (const arp::MorphTarget& target : mesh.morph_targets) add(target.sets);
    }
    add(file.default_pose);
    for (const arp::AmbientFrame& frame : file.ambient->frames) add(frame.bones);
    sizes.push_back(total);
    return sizes;
}

void copy_all(const std::vector<Bytes>& avatars, const std::vector<std::size_t>& sizes) {
    std::vector<std::vector<std::unique_ptr<std::byte[]>>> copies(avatars.size());
    for (std::size_t avatar = 0; avatar < avatars.size(); ++avatar) {
        copies[avatar].reserve(sizes.size());
        const std::byte* from = avatars[avatar].data();
        for (const std::size_t size : sizes) {
            copies[avatar].push_back(std::make_unique_for_overwrite<std::byte[]>(size));
            std::memcpy(copies[avatar].back().get(), from, size);
            from += size;
        }
    }
    benchmark::DoNotOptimize(copies.data());
    benchmark::ClobberMemory();
}

/// Both begin without memory left over from the other. The copy goes to blocks of the sizes that the arrays have, or to
/// one block for each avatar.
void read_avatars(benchmark::State& state) {
    const arp::File file = make_avatar();
    const auto written = arp::write(file);
    if (!written || !arp::read(*written)) return state.SkipWithError("the avatar cannot be written and read");
    const auto wanted = static_cast<std::size_t>(state.range(0)) * 1'000'000;
    const std::vector<Bytes> avatars((wanted + written->size() - 1) / written->size(), *written);
    const bool one_block = state.range(1) != 0;
    const std::vector<std::size_t> sizes =
        one_block ? std::vector{written->size()} : block_sizes(file, written->size());
    run_pair(
        state, Ratio::speed, 0.3,
        [&] {
            malloc_trim(0);
            std::vector<Result<Loaded<arp::File>>> files;
            files.reserve(avatars.size());
            for (const Bytes& avatar : avatars) files.push_back(arp::read(avatar));
            benchmark::DoNotOptimize(files.data());
        },
        [&] {
            malloc_trim(0);
            copy_all(avatars, sizes);
        });
    state.counters["MB"] = static_cast<double>(avatars.size() * written->size()) / 1e6;
}
BENCHMARK(read_avatars)
    ->ArgNames({"MB", "one_block"})
    ->Args({1, 0})
    ->Args({100, 0})
    ->Args({100, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

/// Several times in a row, as one is over in a millisecond.
constexpr int repeats = 10;

/// Of an avatar of which each bone is solved at once, or of one that takes all there is to try.
void recover_bind(benchmark::State& state) {
    const auto written = arp::write(make_avatar(state.range(0) != 0));
    const auto file = written ? arp::read(*written) : fail(written.error());
    if (!file) return state.SkipWithError("the avatar cannot be written and read");
    if (!arp::recover_bind(file->value, 0).fits) return state.SkipWithError("the avatar has no bind");
    run_pair(
        state, Ratio::time, state.range(0) != 0 ? 20 : 3,
        [&] {
            for (int k = 0; k < repeats; ++k) benchmark::DoNotOptimize(arp::recover_bind(file->value, 0));
        },
        [&] {
            for (int k = 0; k < repeats; ++k) benchmark::DoNotOptimize(arp::read(*written));
        });
}
BENCHMARK(recover_bind)
    ->ArgName("moved")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

Result<Bytes> converted(const Bytes& avatar) {
    auto file = arp::read(avatar);
    if (!file) return fail(std::move(file.error()));
    arp::SceneInput input;
    input.avatars.push_back({{"avatar", avatar.size(), {}}, std::move(file->value), {}});
    const auto scene = arp::to_scene(std::move(input));
    return scene ? gltf::write_glb(scene->value) : fail(scene.error());
}

/// An avatar without a picture. The goal is a second.
void convert_avatar(benchmark::State& state) {
    const auto written = arp::write(make_avatar(true));
    if (!written || !converted(*written)) return state.SkipWithError("the avatar cannot be converted");
    run_pair(
        state, Ratio::time, 20, [&] { benchmark::DoNotOptimize(converted(*written)); },
        [&] { benchmark::DoNotOptimize(arp::read(*written)); });
    state.counters["goal_ms"] = 1000;
}
BENCHMARK(convert_avatar)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(25);

}  // namespace
}  // namespace effigy::bench
