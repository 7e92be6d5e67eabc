/// Objects that a modelling program copied: levels, collision meshes and wrecks go with the copy that they belong to.

#include <gmock/gmock.h>

#include "egosoft/from_scene_component_files.hpp"

namespace {

using namespace effigy;
using namespace builders;
using ::testing::HasSubstr;
using ::testing::Not;

/// Triangles in a row, so that meshes are told apart by their number.
class Copies : public testing::Test {
protected:
    Copies() {
        egosoft::SceneInput input;
        input.meshes.push_back(mesh("quad-lod0"));
        scene_ = builders::convert(std::move(input)).value;
        forget_extras(scene_);
        scene_.nodes.clear();
        scene_.meshes.resize(1);
    }

    Index mesh_of(std::uint32_t triangles) {
        Mesh mesh = scene_.meshes[0];
        Primitive& primitive = mesh.primitives[0];
        const std::uint32_t three[] = {primitive.indices[0], primitive.indices[1], primitive.indices[2]};
        primitive.indices.clear();
        for (std::uint32_t i = 0; i < triangles; ++i)
            primitive.indices.insert(primitive.indices.end(), std::begin(three), std::end(three));
        mesh.primitives.resize(1);
        scene_.meshes.push_back(std::move(mesh));
        return static_cast<Index>(scene_.meshes.size() - 1);
    }

    Index add(const std::string& name, std::uint32_t triangles, float x = 0, Index parent = no_index) {
        Node& node = scene_.nodes.emplace_back();
        node.name = name;
        node.local.translation = {x, 0, 0};
        const auto index = static_cast<Index>(scene_.nodes.size() - 1);
        if (triangles != 0) scene_.nodes[index].mesh = mesh_of(triangles);
        if (parent != no_index) add_child(scene_, parent, index);
        return index;
    }

    void make(const std::string& name = "crate") { made_ = made_files(scene_, name + ".xml"); }

    /// Triangles of a file of the component; 0 if it is not there.
    [[nodiscard]] std::size_t triangles(const std::string& name) const {
        const auto file = made_.by_path.find(name);
        if (file == made_.by_path.end()) return 0;
        const auto raw = std::as_bytes(std::span(file->second));
        const auto read = xmf::read(Bytes(raw.begin(), raw.end()));
        EXPECT_TRUE(read);
        std::size_t count = 0;
        for (const auto& buffer : read->value.buffers) {
            if (xmf::is_index_buffer(buffer)) count += xmf::item_count(buffer) / 3;
        }
        return count;
    }
    [[nodiscard]] std::size_t part(const std::string& file) const { return triangles("crate_data/" + file + ".xmf"); }
    [[nodiscard]] std::size_t part_count() const {
        const std::string xml = made_.xml();
        std::size_t count = 0;
        for (std::size_t at = xml.find("<part "); at != std::string::npos; at = xml.find("<part ", at + 1)) ++count;
        return count;
    }

    Scene scene_;
    MadeFiles made_;
};

TEST_F(Copies, HaveLevelsOfTheirOwn) {
    add("wing", 9, 5);
    add("wing-lod1", 6, 5);
    add("wing-collision", 3, 5);
    add("wing.001", 9, -5);
    add("wing-lod1.001", 5, -5);
    add("wing-collision.001", 2, -5);
    make();
    EXPECT_EQ(part_count(), 2u);
    EXPECT_EQ(part("wing-lod1"), 6u);
    EXPECT_EQ(part("wing-lod2"), 0u);
    EXPECT_EQ(part("wing_001-lod1"), 5u);
    EXPECT_EQ(part("wing-collision"), 3u);
    EXPECT_EQ(part("wing_001-collision"), 2u);
    EXPECT_EQ(part("wing-collision1"), 0u);
    // Each stands where its part does.
    const auto box = [&](const std::string& name) {
        const auto raw = std::as_bytes(std::span(made_.by_path.at("crate_data/" + name + ".xmf")));
        Scene scene = builders::convert([&] {
                          egosoft::SceneInput input;
                          input.meshes.push_back({{"m", 0, ""}, xmf::read(Bytes(raw.begin(), raw.end()))->value});
                          return input;
                      }())
                          .value;
        auto poser = playback::Poser::make(scene);
        return poser->bounds();
    };
    EXPECT_EQ(box("wing-lod0").low, box("wing_001-lod1").low);
    EXPECT_EQ(box("wing-lod0").high.x, box("wing-lod1").high.x);
}

TEST_F(Copies, MayHaveTheirNumberBeforeTheLevel) {
    add("hull", 9);
    add("hull.001", 8);
    add("hull-lod1", 6);
    add("hull.001-lod1", 5);
    add("hull.001-collision", 3);
    make();
    EXPECT_EQ(codes_of(made_.report, Severity::warning).find("left"), std::string::npos);
    EXPECT_EQ(part("hull-lod1"), 6u);
    EXPECT_EQ(part("hull_001-lod1"), 5u);
    EXPECT_EQ(part("hull_001-collision"), 3u);
}

TEST_F(Copies, AloneAreTheOnlyOneThatIsMeant) {
    for (const char* level : {"part_main-lod1.001", "part_main-lod1.002", "part_main-lod1", "part_main.001-lod1"}) {
        scene_.nodes.clear();
        add("part_main.001", 9);
        add(level, 6);
        add("part_main_wreck.001", 4);
        make();
        EXPECT_EQ(part_count(), 1u) << level;
        EXPECT_EQ(part("part_main_001-lod1"), 6u) << level;
        EXPECT_THAT(made_.xml(), HasSubstr("<part name=\"part_main_001\" wreck=\"part_main_wreck_001\">"));
    }
}

TEST_F(Copies, OfWrecksAreNoPartsThatAreSeen) {
    add("part_main", 9);
    add("part_main_wreck.001", 4);
    make();
    EXPECT_EQ(part_count(), 1u);
    EXPECT_THAT(made_.xml(), HasSubstr("<part name=\"part_main\" wreck=\"part_main_wreck_001\">"));
}

TEST_F(Copies, BelowPartsBelongToThem) {
    for (const char* number : {".001", ".007"}) {
        scene_.nodes.clear();
        const Index one = add("wing", 9, 5), other = add("wing.001", 9, -5);
        add("wing-lod1", 6, 0, one);
        add(std::string("wing-lod1") + number, 5, 0, other);
        make();
        EXPECT_EQ(part("wing-lod1"), 6u);
        EXPECT_EQ(part("wing_001-lod1"), 5u) << number;
    }
}

TEST_F(Copies, OfTwoComponentsEachKeepTheirs) {
    for (const char* number : {"", ".001"}) {
        scene_.nodes.clear();
        for (const auto& [root, copy, triangles] : {std::tuple("prop_a", "", 6u), {"prop_b", number, 5u}}) {
            const Index above = add(root, 0);
            scene_.nodes[above].extras.other = R"({"class":"destructible"})";
            add(std::string("part_main") + copy, 9, 0, above);
            add(std::string("part_main-lod1") + copy, triangles, 0, above);
        }
        make("prop_a");
        EXPECT_EQ(codes_of(made_.report, Severity::warning).find("left"), std::string::npos);
        EXPECT_EQ(triangles("prop_a_data/part_main-lod1.xmf"), 6u);
        EXPECT_EQ(triangles(std::string("prop_b_data/part_main") + (*number == 0 ? "" : "_001") + "-lod1.xmf"), 5u);
    }
}

TEST_F(Copies, OfNoPartAreNamed) {
    add("hull", 9);
    add("mast-lod1", 6);
    make();
    EXPECT_EQ(made_.report.count("component-level-alone"), 1u);
    EXPECT_EQ(part("mast-lod0"), 6u) << "nothing is lost";

    scene_.nodes.clear();
    add("hull", 9);
    add("hull-lod1", 6);
    add("hull-lod1.003", 5);
    make();
    EXPECT_EQ(made_.report.count("component-mesh-left"), 1u) << "a level of that number is there";
    EXPECT_EQ(part("hull-lod1"), 6u);
}

/// Games show parts that are called so.
TEST_F(Copies, MeshesThatAreAlmostCollisionMeshesAreNamed) {
    add("Hull", 9);
    add("Hull_collision", 6);
    add("anim_ladder_collision", 6);
    make();
    ASSERT_EQ(made_.report.count("component-collision-shown"), 1u);
    for (const Diagnostic& one : made_.report.diagnostics())
        EXPECT_TRUE(one.code != "component-collision-shown" || one.found == "1: Hull_collision") << one.found;
    EXPECT_EQ(part("hull_collision-lod0"), 6u) << "nothing is lost";
}

/// Through Blender, which copies records with the objects.
TEST_F(Copies, OfKnownPartsAreNotTheOldOnes) {
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {builders::part("wing")})}));
    for (const char* name : {"wing-lod0", "wing-lod1", "wing-collision"}) input.meshes.push_back(mesh(name));
    Scene scene = builders::convert(std::move(input)).value;
    const std::size_t count = scene.nodes.size();
    for (Index i = 0; i < count; ++i) {
        if (!scene.nodes[i].name.starts_with("wing")) continue;
        Node copy = scene.nodes[i];
        copy.name += ".001";
        copy.children.clear();
        copy.lods.clear();
        copy.parent = no_index;
        if (copy.hidden) copy.local.translation.x += 7;
        scene.nodes.push_back(copy);
        const auto index = static_cast<Index>(scene.nodes.size() - 1);
        if (scene.nodes[i].parent != no_index) {
            const Node& above = scene.nodes[scene.nodes[i].parent];
            const auto twin = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                           [&](const Node& node) { return node.name == above.name + ".001"; });
            add_child(
                scene,
                twin == scene.nodes.end() ? scene.nodes[i].parent : static_cast<Index>(twin - scene.nodes.begin()),
                index);
        }
    }
    made_ = made_files(scene, "x.xml");
    std::map<std::string, int> kinds;
    for (const auto& [name, bytes] : made_.by_path) {
        for (const char* kind : {"wing-collision", "wing_001-collision", "wing-lod2"}) {
            if (name.find(kind) != std::string::npos) ++kinds[kind];
        }
    }
    EXPECT_EQ(kinds["wing-collision"], 1) << made_.xml();
    EXPECT_EQ(kinds["wing_001-collision"], 1) << made_.xml();
    EXPECT_EQ(kinds["wing-lod2"], 0);
}

}  // namespace
