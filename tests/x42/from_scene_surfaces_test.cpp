/// Surfaces, which .skin files name: of edited meshes, and of groups that a skin hides.

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "effigy/x42_scene.hpp"

#include "x42/raw_x42.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

using effigy::x42::from_scene;

/// Four plates; the last two have one shader, and boots two triangles.
Scene dressed() {
    FileBuilder builder;
    builder.bone("root", effigy::x42::no_bone);
    for (const char* surface : {"head", "torso", "legs"}) builder.triangle(surface);
    builder.triangle("");
    builder.group("boots", 9, 3, {0, 1, 2, 2, 1, 0}).material = builder.file.groups[2].material;
    builder.file.groups.erase(builder.file.groups.begin() + 3);
    return convert(builder.build()).value;
}

struct Surfaces {
    std::string surfaces, lost;
};

Surfaces after(const std::function<void(Scene&, std::vector<Primitive>&)>& edit) {
    Scene scene = dressed();
    edit(scene, scene.meshes.at(0).primitives);
    const auto made = from_scene(scene);
    if (!made) return {to_string(made.error()), {}};
    const effigy::x42::File& file = made->value.model;
    Surfaces result;
    for (const auto& group : file.groups) {
        result.surfaces += result.surfaces.empty() ? "" : " ";
        result.surfaces += effigy::x42::name_of(file, group.surface);
    }
    EXPECT_EQ(made->report.count("x42-records-unused"), 0u);
    result.lost = finding(made->report, "x42-surface-lost").found;
    return result;
}

void expect_after(const std::function<void(Scene&, std::vector<Primitive>&)>& edit, const std::string& surfaces,
                  const std::string& lost) {
    const Surfaces result = after(edit);
    EXPECT_EQ(result.surfaces, surfaces);
    EXPECT_EQ(result.lost, lost);
}

TEST(X42Surfaces, FollowTheirPrimitives) {
    expect_after([](Scene&, auto&) {}, "head torso legs boots", "");
    expect_after([](Scene&, auto& primitives) { std::reverse(primitives.begin(), primitives.end()); },
                 "boots legs torso head", "");
    expect_after([](Scene&, auto& primitives) { primitives.erase(primitives.begin() + 1); }, "head legs boots",
                 "1: torso");
    expect_after([](Scene&, auto& primitives) { primitives.erase(primitives.begin() + 2); }, "head torso boots",
                 "1: legs");
    expect_after(
        [](Scene& scene, auto& primitives) {
            primitives.push_back(primitives.front());
            primitives.back().material = static_cast<Index>(scene.materials.size());
            scene.materials.emplace_back().name = "hat";
        },
        "head torso legs boots char.mesh", "");
    expect_after([](Scene&, auto& primitives) { primitives.insert(primitives.begin(), primitives[1]); },
                 "torso head torso legs boots", "");
}

TEST(X42Surfaces, StayInTheirPlaceWhereTheMaterialIsAnother) {
    expect_after(
        [](Scene& scene, auto& primitives) {
            scene.materials.at(primitives[0].material).name = "shader/new";
            std::reverse(primitives[1].indices.begin(), primitives[1].indices.end());
        },
        "head torso legs boots", "");
    expect_after(
        [](Scene& scene, auto& primitives) {
            scene.materials.at(primitives[0].material).name = "shader/new";
            primitives.pop_back();
        },
        "char.mesh torso legs", "2: boots, head");
}

/// The bytes of the figure after the way there and back beside a skin, or none.
Bytes back_beside(const effigy::x42::Skin& skin, bool edited, Report* report = nullptr) {
    effigy::x42::SceneInput input;
    input.models.push_back(model("figure", effigy::x42::read(make(figure())).value().value));
    input.skins.push_back({{"default", 0, {}}, skin});
    Scene scene = convert(std::move(input)).value;
    if (edited) scene.meshes.at(0).primitives.at(0).indices.resize(3);
    const auto made = from_scene(scene);
    if (!made) {
        ADD_FAILURE() << to_string(made.error());
        return {};
    }
    if (report != nullptr) *report = made->report;
    return effigy::x42::write(made->value.model).value_or(Bytes());
}

/// Where a skin hides nothing that is drawn without it, all comes back.
TEST(X42Surfaces, ThatASkinHidesAreReported) {
    for (const bool edited : {false, true}) {
        effigy::x42::Skin skin;
        skin.surfaces = {{"body", "nodraw"}};
        Report report;
        EXPECT_FALSE(back_beside(skin, edited, &report).empty());
        EXPECT_EQ(finding(report, "x42-surface-lost").found, "1: Body");
        EXPECT_EQ(finding(report, "x42-surface-lost").severity, Severity::warning);
    }
    effigy::x42::Skin skin;
    skin.surfaces = {{"body", "models/other"}};
    Report report;
    EXPECT_EQ(back_beside(skin, false, &report), make(figure()));
    EXPECT_EQ(report.count("x42-surface-lost"), 0u);
}

/// A .skin stays beside the model, also where the mesh that it was for was edited.
TEST(X42Surfaces, HaveTheShadersOfTheFileAgain) {
    const auto shaders = [](const Bytes& bytes) {
        const effigy::x42::File file = effigy::x42::read(bytes).value().value;
        std::vector<std::string> result;
        for (const auto& group : file.groups)
            result.push_back(std::string(name_of(file, group.surface)) + ' ' +
                             std::string(name_of(file, group.material)));
        std::sort(result.begin(), result.end());
        return result;
    };
    effigy::x42::Skin skin;
    skin.surfaces = {{"body", "models/other"}};
    for (const bool edited : {false, true}) EXPECT_EQ(shaders(back_beside(skin, edited)), shaders(make(figure())));
}

}  // namespace
}  // namespace effigy::test::x42
