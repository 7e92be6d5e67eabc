/// Real files to the scene and back: the same layout, the same numbers, and where nothing forces a difference the same
/// bytes.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>

#include "effigy/egosoft_scene.hpp"

#include "corpus/corpus.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/scene_builders.hpp"
#include "gltf_read/reading.hpp"

namespace {

using namespace effigy;

/// Calls `use(path, bytes)` for each file that is one of the format's.
template <class Wanted, class Use>
std::size_t for_each_file(Wanted is_wanted, Use use) {
    std::size_t count = 0;
    for (const std::filesystem::path& path : corpus::paths()) {
        if (!is_wanted(corpus::head_of(path), path)) continue;
        SCOPED_TRACE(path.string());
        use(path, corpus::bytes_of(path));
        ++count;
    }
    return count;
}

std::size_t for_each_mesh(const std::function<void(const std::filesystem::path&, const Bytes&)>& use) {
    return for_each_file([](auto head, const auto&) { return egosoft::looks_like_xmf(head); }, use);
}

bool same_contents(const xmf::File& a, const xmf::File& b) {
    return a.buffers.size() == b.buffers.size() &&
           std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(),
                      [](const auto& one, const auto& other) { return one.content == other.content; });
}

/// The scene of a mesh after a trip through a .glb.
Scene scene_of(const std::filesystem::path& path, const xmf::File& file) {
    egosoft::SceneInput input;
    input.meshes.push_back({{path.stem().string(), 0, {}}, file});
    return gltf_test::read_text(gltf_test::written(builders::convert(std::move(input)).value));
}

TEST(EgosoftCorpusBack, UntouchedMeshesComeBack) {
    std::size_t same = 0, whole = 0;
    const std::size_t count = for_each_mesh([&](const auto& path, const Bytes& bytes) {
        const xmf::File file = xmf::read(bytes)->value;
        egosoft::FromSceneOptions options;
        options.collision = egosoft::names_collision(path);
        const auto made = egosoft::mesh_from_scene(scene_of(path, file), options);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_TRUE(same_contents(made->value, file));
        same += same_contents(made->value, file) ? 1u : 0u;
        const auto written = xmf::write(made->value);
        ASSERT_TRUE(written) << to_string(written.error());
        whole += *written == bytes ? 1u : 0u;
    });
    if (count == 0) GTEST_SKIP() << corpus::has_no("XMF");
    std::cout << "corpus: " << count << " XMF to glTF and back: " << same << " with the same contents, " << whole
              << " the same bytes\n";
}

/// The first element of a usage and number, or nothing.
struct Place {
    const xmf::Buffer* buffer = nullptr;
    xmf::PlacedElement placed;
};
Place find_place(const xmf::File& file, xmf::Usage usage, unsigned number) {
    for (const xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer)) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            if (placed.element.usage == usage && placed.element.usage_index == number) return {&buffer, placed};
        }
    }
    return {};
}

std::array<float, 4> value_at(const Place& place, std::size_t vertex) {
    const Vec4 v = xmf::decode(place.placed.element.type,
                               place.buffer->content.data() + vertex * place.buffer->item_size + place.placed.offset);
    return {v.x, v.y, v.z, v.w};
}

std::string layout_of(const xmf::File& file) {
    std::string text;
    for (const xmf::Buffer& buffer : file.buffers) {
        text += std::to_string(buffer.kind) + "," + std::to_string(buffer.item_size) + ":";
        if (xmf::is_index_buffer(buffer)) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            text += std::to_string(static_cast<unsigned>(placed.element.usage)) + "." +
                    std::to_string(placed.element.usage_index) + "." +
                    std::to_string(static_cast<std::uint32_t>(placed.element.type)) + " ";
        }
    }
    return text;
}

/// How elements of two files differ, in steps: of a byte where elements are packed so, else of any size.
struct Differences {
    std::size_t numbers = 0, steps = 0, far = 0;  ///< compared, one step off, farther off
    std::size_t plain = 0;                        ///< of these, no parts of directions
    std::size_t alphas = 0;                       ///< that differ
    std::size_t repaired = 0;                     ///< vectors that had no direction, or normals not of unit length
};

/// Whether a packed vector is one that has to be repaired.
bool is_broken(const std::array<float, 4>& v, xmf::Usage usage) {
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) square += (2.0 * v[k] - 1) * (2.0 * v[k] - 1);
    const double length = std::sqrt(square);
    return length < 0.021 || (usage == xmf::Usage::normal && std::fabs(length - 1) > 0.039);
}

void compare(const xmf::File& before, const xmf::File& after, bool tangents, Differences& sum) {
    for (const xmf::Buffer& buffer : before.buffers) {
        if (xmf::is_index_buffer(buffer)) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            const xmf::Usage usage = placed.element.usage;
            if (usage == xmf::Usage::tangent && !tangents) continue;
            const Place from{&buffer, placed}, to = find_place(after, usage, placed.element.usage_index);
            if (to.buffer == nullptr) continue;
            const bool packed = usage == xmf::Usage::normal || usage == xmf::Usage::tangent;
            const std::uint64_t count = std::min(xmf::item_count(buffer), xmf::item_count(*to.buffer));
            for (std::size_t vertex = 0; vertex < count; ++vertex) {
                const auto a = value_at(from, vertex), b = value_at(to, vertex);
                if (packed && tangents && is_broken(a, usage)) {
                    ++sum.repaired;
                    continue;
                }
                // The fourth number of a position says nothing.
                const std::size_t numbers = usage == xmf::Usage::position ? 3 : 4;
                for (std::size_t k = 0; k < numbers; ++k) {
                    const float off = std::fabs(a[k] - b[k]);
                    if (packed && k == 3) {
                        sum.alphas += off > 0 && tangents ? 1u : 0u;
                        continue;
                    }
                    ++sum.numbers;
                    if (off == 0) continue;
                    (packed && off < 1.5f / 255 ? sum.steps : sum.far) += 1;
                    sum.plain += packed ? 0u : 1u;
                }
            }
        }
    }
}

TEST(EgosoftCorpusBack, EditedMeshesKeepTheirLayoutAndNumbers) {
    std::size_t same_layout = 0, widened = 0, sound = 0;
    Differences sum;
    const std::size_t count = for_each_mesh([&](const auto& path, const Bytes& bytes) {
        const xmf::File file = xmf::read(bytes)->value;
        Scene scene = scene_of(path, file);
        for (Mesh& mesh : scene.meshes) mesh.extras.hash = 0;
        egosoft::FromSceneOptions options;
        options.collision = egosoft::names_collision(path);
        const auto made = egosoft::mesh_from_scene(scene, options);
        ASSERT_TRUE(made) << to_string(made.error());
        const bool is_collision = xmf::is_collision_mesh(file);
        same_layout += layout_of(made->value) == layout_of(file) ? 1u : 0u;
        if (!is_collision) compare(file, made->value, true, sum);
        // Collision meshes with 16-bit indices get what the games want.
        widened += is_collision && file.buffers.back().item_size == 2 ? 1u : 0u;
        const Report findings = egosoft::check_mesh(made->value, options.collision);
        EXPECT_FALSE(findings.has_errors());
        const Report before = egosoft::check_mesh(file, options.collision);
        const bool is_new = std::any_of(findings.diagnostics().begin(), findings.diagnostics().end(),
                                        [&](const Diagnostic& one) { return before.count(one.code) == 0; });
        sound += is_new ? 0u : 1u;
    });
    if (count == 0) GTEST_SKIP() << corpus::has_no("XMF");
    std::cout << "corpus: " << count << " edited XMF: " << same_layout << " with the layout that they had, " << sound
              << " without new findings; of " << sum.numbers << " numbers " << sum.steps << " one step off, " << sum.far
              << " more; " << sum.alphas << " signs differ, " << sum.repaired << " vectors repaired\n";
    EXPECT_EQ(same_layout + widened, count);
    EXPECT_EQ(sound, count);
    EXPECT_EQ(sum.far, 0u);
    EXPECT_EQ(sum.alphas, 0u);
}

TEST(EgosoftCorpusBack, MeshesWithoutRecordsAreAsTheTargetsFiles) {
    std::size_t same_layout = 0, sound = 0;
    Differences sum;
    const std::size_t count = for_each_mesh([&](const auto& path, const Bytes& bytes) {
        const xmf::File file = xmf::read(bytes)->value;
        Scene scene = scene_of(path, file);
        builders::forget_extras(scene);
        egosoft::FromSceneOptions options;
        options.collision = egosoft::names_collision(path);
        options.target = file.header.cull == 1 ? egosoft::Target::x_rebirth : egosoft::Target::x4;
        const auto made = egosoft::mesh_from_scene(scene, options);
        ASSERT_TRUE(made) << to_string(made.error());
        same_layout += layout_of(made->value) == layout_of(file) ? 1u : 0u;
        if (!xmf::is_collision_mesh(file)) compare(file, made->value, false, sum);
        const Report findings = egosoft::check_mesh(made->value, options.collision);
        EXPECT_FALSE(findings.has_errors());
        const Report before = egosoft::check_mesh(file, options.collision);
        const bool is_new = std::any_of(findings.diagnostics().begin(), findings.diagnostics().end(),
                                        [&](const Diagnostic& one) { return before.count(one.code) == 0; });
        sound += is_new ? 0u : 1u;
    });
    if (count == 0) GTEST_SKIP() << corpus::has_no("XMF");
    std::cout << "corpus: " << count << " XMF without records: " << same_layout << " with the layout that they had, "
              << sound << " without new findings; of " << sum.numbers << " numbers " << sum.steps << " one step off, "
              << sum.far << " more\n";
    // Vectors that were not of unit length.
    EXPECT_LT(sum.far, sum.numbers / 500);
    EXPECT_EQ(sum.plain, 0u);
}

TEST(EgosoftCorpusBack, UntouchedAnimationsComeBack) {
    std::size_t same = 0, still = 0;
    const std::size_t count = for_each_file(
        [](auto head, const auto& path) { return egosoft::looks_like_ani(head, path.string()); },
        [&](const auto& path, const Bytes& bytes) {
            egosoft::SceneInput input;
            input.animations.push_back({{path.stem().string(), bytes.size(), {}}, ani::read(bytes)->value});
            auto loaded = egosoft::to_scene(std::move(input));
            if (!loaded) {
                ++still;
                return;
            }
            const Scene scene = gltf_test::read_text(gltf_test::written(loaded->value));
            const auto made = egosoft::animation_from_scene(scene);
            ASSERT_TRUE(made) << to_string(made.error());
            EXPECT_EQ(ani::write(made->value).value(), bytes);
            same += ani::write(made->value).value() == bytes ? 1u : 0u;
        });
    if (count == 0) GTEST_SKIP() << corpus::has_no("ANI");
    std::cout << "corpus: " << count << " ANI to glTF and back: " << same << " the same bytes, in " << still
              << " nothing moves\n";
}

}  // namespace
