/// Files that were written from scenes, cut and falsified: they are read like any others.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "effigy/gltf.hpp"

#include "gltf_read/models.hpp"
#include "proof/trip.hpp"

namespace {

using namespace effigy;

/// Whatever the bytes are, what is read of them is written again as it was, and becomes a scene or an error.
void expect_safe(const Bytes& bytes, const std::string& name) {
    auto loaded = open_bytes(bytes, name);
    if (!loaded) {
        EXPECT_FALSE(loaded.error().message.empty());
        return;
    }
    const auto written = loaded->value.write();
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_TRUE(std::ranges::equal(*written, bytes));
    (void)loaded->value.check();
    std::vector<SceneSource> sources;
    sources.push_back({std::move(loaded->value), name, bytes.size()});
    const auto scene = to_scene(std::move(sources));
    if (scene) {
        EXPECT_TRUE(gltf::write_glb(scene->value));
    } else {
        EXPECT_FALSE(scene.error().message.empty());
    }
}

class Damaged : public testing::TestWithParam<std::pair<const char*, const char*>> {
protected:
    /// The files that are models or motions.
    static std::vector<NewFile> files() {
        const auto& [model, format] = GetParam();
        const std::string glb = gltf_test::gltf_model(model);
        auto made = make_files(trip::scene_of(std::as_bytes(std::span(glb))), std::string("model.") + format);
        EXPECT_TRUE(made);
        if (!made) return {};
        std::erase_if(made->value, [](const NewFile& file) { return !open_bytes(file.bytes, file.name); });
        EXPECT_FALSE(made->value.empty());
        return std::move(made->value);
    }
    /// As many places as are tried in a file.
    static std::size_t step(const NewFile& file) {
        constexpr std::size_t most = 60;
        return file.bytes.size() / most + 1;
    }
};

TEST_P(Damaged, CutAnywhere) {
    for (const NewFile& file : files()) {
        for (std::size_t size = 0; size < file.bytes.size(); size += step(file)) {
            SCOPED_TRACE(file.name + " of " + std::to_string(size) + " bytes");
            expect_safe(Bytes(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(size)), file.name);
        }
    }
}

TEST_P(Damaged, WrongAnywhere) {
    for (const NewFile& file : files()) {
        for (std::size_t place = 0; place < file.bytes.size(); place += step(file)) {
            for (const unsigned wrong : {0x00u, 0x7fu, 0x80u, 0xffu}) {
                SCOPED_TRACE(file.name + ", byte " + std::to_string(place) + " is " + std::to_string(wrong));
                Bytes bytes = file.bytes;
                bytes[place] = static_cast<std::byte>(wrong);
                expect_safe(bytes, file.name);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Written, Damaged,
                         testing::Values(std::pair{"rigged_figure", "xac"}, std::pair{"morph_stress", "xac"},
                                         std::pair{"rigged_figure", "xmf"}, std::pair{"box_animated", "ani"},
                                         std::pair{"rigged_figure", "x42"}, std::pair{"morph_stress", "jarp"},
                                         std::pair{"box_animated", "jar"}),
                         [](const auto& one) {
                             return std::string(one.param.first) + "_" + std::string(one.param.second);
                         });

}  // namespace
