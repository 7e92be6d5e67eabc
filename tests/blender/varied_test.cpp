/// Models that Blender makes and exports as it comes: of each a mod, a unit, a character and an avatar, or words that
/// say what to do.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "effigy/convert.hpp"

#include "blender/models.hpp"
#include "blender/trip.hpp"
#include "scene/rest_bounds.hpp"

namespace effigy::blender_test {
namespace {

namespace fs = std::filesystem;

/// Where Blender has put them; empty if it failed.
fs::path varied_models() {
    static const fs::path made = [] {
        const fs::path at = folder() / "varied", script = fs::path(EFFIGY_SOURCE_DIR) / "tests/blender/varied.py";
        fs::create_directories(at);
        const std::string command = "blender -b --factory-startup --python '" + script.string() + "' -- '" +
                                    at.string() + "' >'" + (at / "blender.log").string() + "' 2>&1";
        return std::system(command.c_str()) == 0 ? at : fs::path();  // NOLINT(concurrency-mt-unsafe)
    }();
    return made;
}

struct Target {
    const char* name;
    const char* game;     ///< "": a file alone
    const char* written;  ///< after the model's name
};

constexpr Target targets[] = {{"x4", "x4", "/assets/props/surfaceelements/%.xml"},
                              {"victoria2", "victoria2", "/gfx/anims/%.xac"},
                              {"x42", "", "/%.x42"},
                              {"avatar", "", "/%.jar"}};

const std::string names[] = {
    "several_materials", "vertex_colors", "no_texture_coordinates", "polygons",           "mirrored_parts",
    "many_vertices",     "many_joints",   "unusual_names",          "skinned_and_moving", "shape_keys",
    "loose_parts",       "two_uv_sets",   "nothing_to_see"};

using Expectations = std::map<std::pair<std::string, std::string>, std::set<std::string>>;

/// What cannot be.
const Expectations& refusals() {
    static const Expectations all{{{"many_vertices", "avatar"}, {"arp-too-many-vertices"}},
                                  {{"nothing_to_see", "avatar"}, {"nothing-to-show"}}};
    return all;
}

/// What is lost on the way, and said. Baked collision shapes of X4 are told of wherever there is a mesh.
const Expectations& warnings() {
    static const Expectations all{
        {{"many_joints", "x4"}, {"xmf-skin-lost"}},
        {{"many_joints", "avatar"}, {"arp-skeleton-deep"}},
        {{"skinned_and_moving", "x4"}, {"xmf-skin-lost", "ani-part-missing"}},
        {{"shape_keys", "victoria2"}, {"emfx-chunk-version"}},
        {{"shape_keys", "x4"}, {"xmf-morphs-lost"}},
        {{"shape_keys", "x42"}, {"x42-morphs-left-out"}},
        {{"two_uv_sets", "x42"}, {"x42-sets-left-out"}},
        {{"unusual_names", "victoria2"}, {"emfx-name-encoding"}},
        {{"vertex_colors", "avatar"}, {"arp-vertex-colors"}},
        {{"nothing_to_see", "x4"}, {"scene-shows-nothing"}},
        {{"nothing_to_see", "victoria2"}, {"scene-shows-nothing"}},
        {{"nothing_to_see", "x42"}, {"scene-shows-nothing"}},
    };
    return all;
}

std::set<std::string> expected_of(const Expectations& all, const std::string& model, const std::string& target) {
    const auto found = all.find({model, target});
    return found == all.end() ? std::set<std::string>() : found->second;
}

std::set<std::string> warnings_of(const Report& report) {
    std::set<std::string> codes;
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.severity != Severity::info && one.code != "component-jcs") codes.insert(std::string(one.code));
    }
    return codes;
}

/// Triangles that are drawn.
std::size_t triangles(const Scene& scene) {
    std::size_t count = 0;
    for (const Node& node : scene.nodes) {
        if (node.mesh == no_index || node.hidden || node.collision) continue;
        for (const Primitive& primitive : scene.meshes[node.mesh].primitives) count += primitive.indices.size() / 3;
    }
    return count;
}

/// The longer side last, whichever way the model faces.
glm::dvec3 upright_sides(const RestBounds& box) {
    glm::dvec3 sides = box.high - box.low;
    if (sides.x > sides.z) std::swap(sides.x, sides.z);
    return sides;
}

class BlenderModels : public ::testing::TestWithParam<std::tuple<std::string, Target>> {};

TEST_P(BlenderModels, BecomeGameFilesOrAreRefused) {
    if (!has_blender()) GTEST_SKIP() << "there is no Blender on this machine";
    ASSERT_FALSE(varied_models().empty()) << "its words are in " << folder() / "varied/blender.log";
    const auto& [name, target] = GetParam();
    const bool is_folder = *target.game != '\0';
    const fs::path input = varied_models() / (name + ".glb"), at = folder() / ("varied." + std::string(target.name));
    fs::path written = at / name;
    const std::string ending = target.written;
    const std::size_t place = ending.find('%');
    written += ending.substr(0, place) + name + ending.substr(place + 1);
    if (!is_folder) fs::create_directories(written.parent_path());
    ConvertOptions options;
    if (is_folder) options.values.set("target", target.game);
    if (target.game == std::string("x4")) options.values.set("class", "prop");

    const auto done = convert({input}, is_folder ? at / name / "" : written, options);
    const std::set<std::string> refusal = expected_of(refusals(), name, target.name);
    if (!refusal.empty()) {
        ASSERT_FALSE(done);
        EXPECT_TRUE(refusal.contains(std::string(done.error().code))) << to_string(done.error());
        EXPECT_FALSE(fs::exists(written));
        return;
    }
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(warnings_of(done->report), expected_of(warnings(), name, target.name));

    const auto document = open_file(written);
    ASSERT_TRUE(document) << to_string(document.error());
    CheckContext context;
    context.path = written;
    EXPECT_EQ(document->value.check(context).count(Severity::error), 0u);
    if (name == "nothing_to_see") return;
    const auto before = load_scene({input}), after = load_scene({written});
    ASSERT_TRUE(before && after);
    EXPECT_EQ(triangles(after->value), triangles(before->value));
    const auto box = rest_bounds(before->value), now = rest_bounds(after->value);
    ASSERT_TRUE(box && now);
    const double tolerance = 1e-4 * largest(box->high - box->low);
    if (before->value.facing == after->value.facing)
        EXPECT_LT(std::max(largest(now->low - box->low), largest(now->high - box->high)), tolerance);
    else
        EXPECT_LT(largest(upright_sides(*now) - upright_sides(*box)), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Varied, BlenderModels,
                         ::testing::Combine(::testing::ValuesIn(names), ::testing::ValuesIn(targets)),
                         [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param).name; });

}  // namespace
}  // namespace effigy::blender_test
