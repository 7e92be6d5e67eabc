/// Poses: which moment is written, where, and what is said about it.

#include <cmath>
#include <cstring>
#include <sstream>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Point {
    double x = 0, y = 0, z = 0;
};

class CliPose : public Cli {
protected:
    /// The positions in an .obj.
    [[nodiscard]] std::vector<Point> points(const std::string& name) const {
        std::istringstream text(content(name));
        std::vector<Point> all;
        for (std::string line; std::getline(text, line);) {
            if (!line.starts_with("v ")) continue;
            std::istringstream numbers(line.substr(2));
            Point& point = all.emplace_back();
            numbers >> point.x >> point.y >> point.z;
        }
        return all;
    }

    /// How far `pose soldier.xac walk.xsm` with these arguments moves the soldier from its rest pose.
    [[nodiscard]] double moved(const std::string& arguments) const {
        expect_success("effigy pose soldier.xac walk.xsm --rest -q -o rest.obj");
        expect_success("effigy pose soldier.xac walk.xsm -q -o moved.obj " + arguments);
        const std::vector<Point> rest = points("rest.obj"), posed = points("moved.obj");
        EXPECT_EQ(rest.size(), 3U);
        if (rest.size() != 3 || posed.size() != 3) return -1;
        const Point &a = rest[0], &b = posed[0];
        return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
    }
};

// The motion goes from 0 to 2 within a second.
TEST_F(CliPose, ShowsTheMoment) {
    EXPECT_NEAR(moved(""), 0, 1e-6);
    EXPECT_NEAR(moved("--time 0.4"), 0.8, 1e-6);
    EXPECT_NEAR(moved("--time 0.5"), 1, 1e-6);
}

TEST_F(CliPose, WrapsAtTheEnd) {
    EXPECT_NEAR(moved("--time 1.4"), 0.8, 1e-5);
    EXPECT_NEAR(moved("--time -0.6"), 0.8, 1e-5);
    EXPECT_NEAR(moved("--time 1.4 --no-loop"), 2, 1e-6);
    EXPECT_NEAR(moved("--time -0.6 --no-loop"), 0, 1e-6);
}

TEST_F(CliPose, RefusesWhatIsNoMoment) {
    for (const std::string time : {"nan", "inf", "0x10", "1e9", "-1e9", "1,5", "''"})
        expect_failure("effigy pose soldier.xac walk.xsm -o x.obj --time " + time, 2, {"--time", "seconds"});
}

TEST_F(CliPose, WantsAModelForAMotion) {
    expect_failure("effigy pose walk.xsm -o x.obj", 2, {"a motion alone cannot be posed"});
    expect_failure("effigy pose walk.xsm face.xpm -o x.glb", 2, {"a motion alone cannot be posed"});
    for (const char* const command :
         {"pose walk.xsm -o x.obj", "pose soldier.xac --clip walk -o x.obj", "view soldier.xac -o soldier.xac"}) {
        const Outcome failed = expect_failure("effigy " + std::string(command) + " --json", 2);
        EXPECT_EQ(failed.json()["error"]["code"], "usage-option") << command;
    }
}

TEST_F(CliPose, ChoosesTheClip) {
    expect_success("effigy pose soldier.xac walk.xsm face.xpm --time 0.5 -q -o first.obj");
    expect_success("effigy pose soldier.xac walk.xsm face.xpm --time 0.5 --clip walk -q -o walk.obj");
    expect_success("effigy pose soldier.xac walk.xsm face.xpm --time 0.5 --clip face -q -o face.obj");
    expect_success("effigy pose soldier.xac walk.xsm face.xpm --rest -q -o rest.obj");
    const auto vertices = [&](const std::string& name) {
        std::string all;
        for (const Point& point : points(name)) {
            std::ostringstream text;
            text << point.x << ' ' << point.y << ' ' << point.z << '\n';
            all += text.str();
        }
        return all;
    };
    EXPECT_EQ(vertices("first.obj"), vertices("walk.obj"));
    EXPECT_NE(vertices("face.obj"), vertices("walk.obj"));
    EXPECT_NE(vertices("face.obj"), vertices("rest.obj")) << "the morph target moves";
    expect_failure("effigy pose soldier.xac walk.xsm face.xpm --clip dance -o x.obj", 2, {"dance", "walk, face"});
    expect_failure("effigy pose soldier.xac --clip walk -o x.obj", 2, {"walk", "no input moves what is shown"});
}

TEST_F(CliPose, ShowsTheRestPoseWithoutAMotion) {
    const Outcome run = expect_success("effigy pose soldier.xac -o still.glb");
    EXPECT_THAT(run.err, HasSubstr("[pose-at-rest]"));
    EXPECT_THAT(run.out, HasSubstr("rest pose"));
    EXPECT_THAT(expect_success("effigy pose soldier.xac --rest -o still.glb").err, Not(HasSubstr("pose-at-rest")));
}

TEST_F(CliPose, WritesWhatStandsStill) {
    expect_success("effigy pose soldier.xac walk.xsm hair.xac --time 0.4 --textures gfx -o posed.glb");
    const Json json = glb_json(content("posed.glb"));
    EXPECT_EQ(json.count("skins"), 0U);
    EXPECT_EQ(json.count("animations"), 0U);
    EXPECT_EQ(json["meshes"].size(), 2U);
    EXPECT_EQ(json["images"].size(), 1U);
    for (const Json& mesh : json["meshes"]) {
        for (const Json& primitive : mesh["primitives"]) {
            EXPECT_EQ(primitive.count("targets"), 0U);
            EXPECT_EQ(primitive["attributes"].count("JOINTS_0"), 0U);
        }
    }
}

TEST_F(CliPose, WritesEveryFormat) {
    for (const std::string name : {"p.glb", "p.gltf", "p.obj", "p.ply"}) {
        const Outcome run = expect_success("effigy pose soldier.xac walk.xsm --time 0.4 -o " + name);
        EXPECT_TRUE(exists(name));
        EXPECT_THAT(run.out, HasSubstr("wrote " + name));
        EXPECT_THAT(run.out, HasSubstr("walk at 0.4 s"));
    }
    EXPECT_TRUE(exists("p.bin"));
    EXPECT_TRUE(exists("p.mtl"));
    const Outcome stream = expect_success("effigy pose soldier.xac walk.xsm --time 0.4 -q -o -");
    EXPECT_TRUE(stream.out == content("p.glb"));
}

TEST_F(CliPose, SatisfiesTheValidator) {
    if (run("node --version").code != 0) GTEST_SKIP() << "node is not installed";
    const std::string tools = std::string(EFFIGY_SOURCE_DIR) + "/tests/tools";
    const char* const other = std::getenv("GLTF_VALIDATOR");
    if (!std::filesystem::exists((other != nullptr ? other : tools) + "/node_modules/gltf-validator"))
        GTEST_SKIP() << "gltf-validator is not installed: run npm ci in tests/tools";
    expect_success("effigy pose soldier.xac walk.xsm hair.xac --time 0.4 --textures gfx -q -o posed.glb");
    expect_success("effigy pose soldier.xac face.xpm --time 0.5 --textures gfx -q -o face.gltf");
    expect_success("node '" + tools + "/validate.mjs' posed.glb face.gltf");
}

TEST_F(CliPose, WritesSequences) {
    const Outcome run = expect_success("effigy pose soldier.xac walk.xsm --frames 9:12 --fps 10 -o seq.obj");
    EXPECT_THAT(run.out, HasSubstr("wrote seq_0009.obj to seq_0012.obj: 4 files"));
    EXPECT_THAT(run.out, HasSubstr("walk at 0.9 to 1.2 s"));
    EXPECT_THAT(expect_success("effigy pose soldier.xac walk.xsm --frames 1:2 -o seq.glb").out,
                HasSubstr("`effigy render seq_0001.glb"));
    EXPECT_FALSE(exists("seq.obj"));
    EXPECT_FALSE(exists("seq_0008.obj"));
    EXPECT_FALSE(exists("seq_0013.obj"));
    expect_success("effigy pose soldier.xac walk.xsm --time 0.9 -q -o one.obj");
    EXPECT_EQ(points("seq_0009.obj")[1].z, points("one.obj")[1].z);
    EXPECT_NE(points("seq_0009.obj")[0].z, points("seq_0011.obj")[0].z);
    expect_success("mkdir out && effigy pose soldier.xac walk.xsm --frames 0:1 -q -o out/p.glb");
    EXPECT_TRUE(exists("out/p_0000.glb"));
    EXPECT_TRUE(exists("out/p_0001.glb"));
    expect_success("effigy pose soldier.xac walk.xsm --frames 9999:10000 -q -o wide.ply");
    EXPECT_TRUE(exists("wide_09999.ply"));
    EXPECT_TRUE(exists("wide_10000.ply"));
}

TEST_F(CliPose, FilesOfASequenceShareTheirImages) {
    for (const std::string format : {"obj", "gltf"}) {
        SCOPED_TRACE(format);
        expect_success("mkdir " + format);
        expect_success("effigy pose soldier.xac walk.xsm --frames 0:2 --textures gfx -q -o " + format + "/seq." +
                       format);
        std::vector<std::string> images;
        for (const auto& entry : std::filesystem::directory_iterator(path(format)))
            if (entry.path().extension() == ".png") images.push_back(entry.path().filename().string());
        ASSERT_FALSE(images.empty());
        for (const std::string& image : images) {
            EXPECT_EQ(image.rfind("seq_0", 0), std::string::npos) << image;
            const std::string last = format + "/seq_0002." + (format == "obj" ? "mtl" : "gltf");
            EXPECT_THAT(content(last), HasSubstr(image));
        }
    }
}

TEST_F(CliPose, CountsThirtyFramesASecond) {
    const Json json = expect_success("effigy pose soldier.xac walk.xsm --frames 15:15 --json -q -o p.obj").json();
    ASSERT_EQ(json["outputs"].size(), 1U);
    EXPECT_EQ(json["outputs"][0]["time"], 0.5);
}

TEST_F(CliPose, PrintsJson) {
    const Json json =
        expect_success("effigy pose soldier.xac walk.xsm --frames 0:2 --fps 4 --json --textures gfx -o p.ply").json();
    EXPECT_EQ(json["clip"], "walk");
    ASSERT_EQ(json["outputs"].size(), 3U);
    EXPECT_EQ(json["outputs"][1], (Json{{"path", "p_0001.ply"}, {"time", 0.25}}));
    EXPECT_EQ(json["counts"]["triangles"], 1);
    EXPECT_EQ(json["counts"]["skins"], 0);
    EXPECT_EQ(json["effigy_report"], 1);
    std::size_t lost = 0;
    for (const Json& finding : json["findings"]) lost += finding["code"] == "ply-lost" && finding["file"] == "p.ply";
    EXPECT_GT(lost, 0U);
    const Json rest = expect_success("effigy pose soldier.xac --rest --json -q -o p.glb").json();
    EXPECT_TRUE(rest["clip"].is_null());
}

TEST_F(CliPose, WritesTheReportFirst) {
    expect_success("effigy pose soldier.xac walk.xsm -q -o p.ply --report r.json");
    EXPECT_THAT(content("r.json"), HasSubstr("ply-lost"));
    expect_failure("effigy pose soldier.xac walk.xsm -o q.ply --report nowhere/r.json", 1, {"nowhere"});
    EXPECT_FALSE(exists("q.ply"));
}

TEST_F(CliPose, ShowsTheLevel) {
    const auto triangles = [&](const std::string& level) {
        return expect_success("effigy pose soldier.xac -q --json -o p.obj " + level).json()["counts"]["meshes"];
    };
    EXPECT_EQ(triangles(""), 1);
    EXPECT_EQ(triangles("--lod 1"), 1);
    expect_failure("effigy pose soldier.xac --lod all -o x.obj", 2, {"--lod", "a level"});
}

TEST_F(CliPose, Retargets) {
    expect_success("effigy pose soldier.xac walk.xsm --retarget --time 0.4 -q -o p.glb");
    expect_success("effigy convert soldier.xac walk.xsm --retarget -q -o c.glb");
}

TEST_F(CliPose, RefusesWhatMakesNoSense) {
    const std::string pose = "effigy pose soldier.xac walk.xsm -o p.glb ";
    for (const char* frames : {"3", "3:", ":3", "3:1", "-1:2", "a:b", "0:1:2", "0:9999999", "0.5:1"})
        expect_failure(pose + "--frames=" + frames, 2, {"--frames"});
    expect_failure(pose + "--frames 0:3 --time 1", 2, {"--frames", "--time"});
    expect_failure(pose + "--rest --time 1", 2, {"--rest"});
    expect_failure(pose + "--rest --clip walk", 2, {"--rest"});
    expect_failure(pose + "--rest --frames 0:1", 2, {"--rest"});
    expect_failure(pose + "--fps 10", 2, {"--fps", "--frames"});
    expect_failure(pose + "--fps 0 --frames 0:1", 2, {"--fps"});
    for (const char* time : {"nan", "inf", "soon", "1e999"}) expect_failure(pose + "--time " + time, 2, {"--time"});
    expect_failure("effigy pose soldier.xac walk.xsm --frames 0:3 -o -", 2, {"--frames", "standard output"});
    expect_failure("effigy pose soldier.xac walk.xsm --json -o -", 2, {"--report"});
    expect_failure("effigy pose soldier.xac --frames 0:3 -o p.glb", 2, {"--frames wants a motion"});
    for (const char* output : {"p.xac", "p.fbx", "p"})
        expect_failure(std::string("effigy pose soldier.xac walk.xsm -o ") + output, 2, {".glb, .gltf, .obj, .ply"});
    expect_failure("effigy pose soldier.xac walk.xsm", 2, {"--output"});
    expect_failure("effigy pose models -o p.glb", 2, {"models is a folder"});
    expect_failure("effigy pose walk.xsmtime -o p.glb", 2, {"only go with others"});
}

TEST_F(CliPose, NeverWritesOverAnInput) {
    expect_success("cp soldier.xac model.glb && cp walk.xsm go_0001.glb");
    expect_failure("effigy pose model.glb walk.xsm -o model.glb", 2, {"never changed"});
    expect_failure("effigy pose model.glb go_0001.glb --frames 0:2 -o go.glb", 2, {"never changed", "go_0001.glb"});
    expect_failure("effigy pose soldier.xac walk.xsm -o p.glb --report soldier.xac", 2, {"never changed"});
}

TEST_F(CliPose, FailsLikeAConversion) {
    expect_failure("effigy pose missing.xac -o p.glb", 3, {"missing.xac"});
    expect_failure("effigy pose foreign.xac -o p.glb", 3, {"O3DE"});
    expect_failure("effigy pose truncated.xac -o p.glb", 1, {"--allow-damaged"});
    expect_failure("effigy pose soldier.xac walk.xsm -o nowhere/p.glb", 1, {"nowhere", "nothing was written"});
}

TEST_F(CliPose, NamesTheFilesThatAreWhole) {
    std::filesystem::create_directory(path("p_0002.ply"));
    const Outcome result = run("effigy pose soldier.xac walk.xsm --frames 0:4 -o p.ply --report r.json");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("2 of 5 files are written: p_0000.ply to p_0001.ply"));
    EXPECT_TRUE(exists("p_0000.ply"));
    EXPECT_TRUE(exists("p_0001.ply"));
    EXPECT_FALSE(exists("p_0003.ply"));
    EXPECT_THAT(content("r.json"), HasSubstr("2 of 5 files"));
}

}  // namespace
}  // namespace effigy::test
