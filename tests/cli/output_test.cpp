/// What convert refuses, and that nothing is left behind or changed when it fails.

#include <algorithm>
#include <unistd.h>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliOutput : public Cli {};

TEST_F(CliOutput, MustSayWhatToWrite) {
    expect_failure("effigy convert soldier.xac -o soldier", 2, {"what to write is not known", "glb, gltf"});
    expect_failure("effigy convert soldier.xac -o soldier --target x4", 2,
                   {"what to write is not known", "end it with /"});
    expect_failure("effigy convert soldier.xac -o soldier.fbx", 2, {"soldier.fbx", "glb, gltf"});
    expect_failure("effigy convert soldier.xac -o x.glb --to fbx", 2, {"\"fbx\"", "glb, gltf"});
    expect_failure("effigy convert soldier.xac -o x.glb --to gltf", 2, {"--to gltf", ".gltf"});
    expect_failure("effigy convert soldier.xac -o x.bin --to glb", 2, {"--to glb", ".glb"});
    expect_failure("effigy convert soldier.xac -o -", 2, {"--to"});
    expect_failure("effigy convert walk.xsm -o walk.xsmtime", 2);
}

TEST_F(CliOutput, IsNeverAnInput) {
    expect_failure("effigy convert soldier.xac -o soldier.xac", 2,
                   {"the output is one of the inputs: soldier.xac", "never changed"});
    expect_failure("effigy convert soldier.xac -o ./models/../soldier.xac", 2, {"never changed"});
    std::filesystem::create_symlink("soldier.xac", path("link.xac"));
    expect_failure("effigy convert soldier.xac -o link.xac", 2, {"never changed"});
    expect_failure("effigy convert soldier.xac -o x.glb --report soldier.xac", 2, {"report", "never changed"});
    expect_failure("effigy convert soldier.xac -o x.glb --report x.glb", 2, {"one file"});
}

TEST_F(CliOutput, NeedsInputsThatMakeSense) {
    expect_failure("effigy convert models -o x.glb", 2, {"models is a folder"});
    expect_failure("effigy convert soldier.xac models/walk.xsm ./soldier.xac -o x.glb", 2,
                   {"named twice: ./soldier.xac"});
    expect_failure("effigy convert - - --to glb -o x.glb", 2, {"named twice: -"});
    expect_failure("effigy convert walk.xsmtime -o x.glb", 2, {"name a model or a motion"});
    expect_failure("effigy convert soldier.xac -o x.xsm", 1, {"emfx-clip"});
    expect_failure("effigy convert '' -o x.glb", 2, {"an input has no name"});
}

TEST_F(CliOutput, FailsWithItsInputs) {
    expect_failure("effigy convert missing.xac -o x.glb", 3, {"missing.xac: error:", "No such file"});
    expect_failure("effigy convert soldier.xac missing.xsm -o x.glb", 3, {"missing.xsm: error:"});
    expect_failure("effigy convert soldier.xac missing.xsmtime -o x.glb", 3, {"missing.xsmtime: error:"});
    expect_failure("effigy convert empty.xac -o x.glb", 3, {"empty.xac: error:"});
    expect_failure("effigy convert foreign.xac -o x.glb", 3, {"foreign.xac: error:", "O3DE"});
    expect_failure("effigy convert soldier.xac notes.txt -o x.glb", 3, {"notes.txt: error:"});
    expect_failure("effigy convert soldier.xac -o x.glb --limit-memory 1KB", 4, {"soldier.xac: error:", "limit"});
    expect_failure("effigy convert soldier.xac -o x.xac --limit-memory 1KB", 4, {"limit"});
}

TEST_F(CliOutput, SparesWhatItsInputsReferTo) {
    ASSERT_EQ(run("effigy convert soldier.xac -q -o s.gltf").code, 0);
    const std::string buffer = content("s.bin");
    for (const std::string verb : {"convert s.gltf -o x.glb", "pose s.gltf --rest -o x.glb"})
        expect_failure("effigy " + verb + " -q --report s.bin", 2, {"s.bin", "the inputs refer to this file"});
    for (const char* const file : {"s.bin", "s_skin.png"})
        expect_failure(std::string("effigy dump s.gltf -o ") + file, 2, {file, "the input refers to this file"});
    EXPECT_EQ(content("s.bin"), buffer);
    for (const char* const form : {"", " --json", " --hex"}) {  // what a dump begins as is no texture, and dumped again
        const std::string dump = std::string("effigy dump s.gltf") + form;
        expect_success(dump + " > s_skin.png");
        expect_success(dump + " -o s_skin.png");
        EXPECT_EQ(content("s_skin.png"), expect_success(dump).out);
    }
    expect_success("cp gfx/skin.png s_skin.png");
    expect_failure("effigy render s.gltf --size 8 -o s_skin.png", 2, {"s_skin.png", "the inputs refer to this file"});
}

TEST_F(CliOutput, SparesWhatLiesBesideANewOne) {
    for (const auto& [output, beside] : {std::pair("x.gltf", "x.bin"), {"y.obj", "y.mtl"}}) {
        write(beside, "somebody's");
        const std::string convert = "effigy convert soldier.xac -q -o " + std::string(output);
        expect_failure(convert, 1, {beside, "output-kept"});
        expect_failure("effigy pose soldier.xac --rest -q -o " + std::string(output), 1, {beside, "output-kept"});
        expect_success(convert + " --overwrite");
        const std::string made = content(beside);
        EXPECT_NE(made, "somebody's");
        // Beside an output that is there are its own files: they are made anew with it, or are the very same.
        write(beside, "older");
        expect_success(convert);
        EXPECT_EQ(content(beside), made);
        std::filesystem::remove(path(output));
        expect_success(convert);
    }
    ASSERT_EQ(run("effigy convert soldier.xac walk.xsm -q -o s.glb").code, 0);
    write("new_walk.xsm", "somebody's");
    expect_failure("effigy convert s.glb -q -o new.xac", 1, {"new_walk.xsm", "output-kept"});
}

TEST_F(CliOutput, SaysWhyItsFolderCannotBeMade) {
    std::filesystem::create_symlink("nowhere", path("gone"));
    expect_failure("effigy convert soldier.xac -q -o gone/ --target victoria2", 1,
                   {"gone", "the folder cannot be made: File exists"});
}

TEST_F(CliOutput, IsCalledAsItsFormat) {
    expect_failure("effigy convert soldier.xac -q -o x.glb --to xac", 2,
                   {"--to xac wants an output that ends in .xac"});
    EXPECT_EQ(run("effigy convert soldier.xac -q -o x.dat --to xac").code, 0);
}

TEST_F(CliOutput, FailsWhereItCannotBeWritten) {
    std::filesystem::create_directory(path("folder.glb"));
    std::filesystem::create_directory(path("folder.gltf"));
    for (const std::string output :
         {"nowhere/x.glb", "nowhere/x.xac", "soldier.xac/x.glb", "folder.glb", "folder.gltf"}) {
        expect_failure("effigy convert soldier.xac -q -o " + output, 1, {output + ": error:"});
    }
    expect_failure("effigy convert soldier.xac -q -o nowhere/x.gltf", 1, {"nowhere/x", ": error:"});
    std::filesystem::create_directory(path("x.bin"));
    expect_failure("effigy convert soldier.xac -q -o x.gltf", 1, {"x.bin: error:"});
}

TEST_F(CliOutput, FailsInAFolderWithoutPermission) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    std::filesystem::permissions(path("gfx"), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::remove);
    expect_failure("effigy convert soldier.xac -o gfx/x.glb", 1, {"gfx/x.glb: error:"});
}

TEST_F(CliOutput, FoldersThatMayNotBeReadAreNotCalledEmpty) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    std::filesystem::permissions(path("gfx"), std::filesystem::perms::none);
    const Outcome run = this->run("effigy check gfx");
    std::filesystem::permissions(path("gfx"), std::filesystem::perms::owner_all);
    EXPECT_EQ(run.code, 3);
    for (const char* part : {"gfx", "may not be read", "chmod"}) EXPECT_THAT(run.err, HasSubstr(part));
}

TEST_F(CliOutput, FailsOnAFullDevice) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(run("effigy convert soldier.xac --to xac -o /dev/full").code, 1);
    const Outcome dump = run("effigy dump soldier.xac > /dev/full");
    EXPECT_EQ(dump.code, 1);
    EXPECT_THAT(dump.err, HasSubstr("standard output cannot be written"));
}

TEST_F(CliOutput, StaysAsItWasWhenAConversionFails) {
    write("x.glb", "mine");
    write("x.xac", "mine");
    expect_failure("effigy convert truncated.xac -o x.glb", 1);
    expect_failure("effigy convert truncated.xac -o x.xac", 1);
    expect_failure("effigy convert empty.xac -o x.glb", 3);
    expect_failure("effigy convert face.xpm -o x.glb", 1);
    expect_failure("effigy convert soldier.xac -o x.glb --limit-memory 1KB", 4);
    expect_failure("effigy build notes.txt -o x.xac", 3);
    EXPECT_EQ(content("x.glb"), "mine");
    expect_success("effigy convert soldier.xac -o x.glb");
    EXPECT_NE(content("x.glb"), "mine");
}

TEST_F(CliOutput, IsNotWrittenWithoutItsReport) {
    expect_failure("effigy convert soldier.xac -o x.glb --report nowhere/r.json", 1, {"nowhere/r.json: error:"});
    expect_failure("effigy convert soldier.xac -o x.xac --report gfx", 1, {"gfx: error:"});
    for (const std::string command :
         {"convert soldier.xac -o x.glb --report nowhere/r.json", "pose soldier.xac -o x.glb --report nowhere/r.json",
          "view soldier.xac -o nowhere/x.html"}) {
        const Outcome failed = expect_failure("effigy " + command + " -q --json", 1);
        EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1) << failed.err;
        const Json json = failed.json();
        EXPECT_EQ(json["error"]["code"], "output-create") << command;
        EXPECT_EQ(json["findings"].back(), json["error"]) << command;
    }
    EXPECT_FALSE(exists("x.glb"));
}

TEST_F(CliOutput, HasAReportWhenItFails) {
    const Outcome run = this->run("effigy convert truncated.xac -o x.glb --report r.json");
    EXPECT_EQ(run.code, 1);
    EXPECT_FALSE(exists("x.glb"));
    const Json report = Json::parse(content("r.json"));
    EXPECT_EQ(report["findings"].back()["code"], "damaged-input");
}

TEST_F(CliOutput, KeepsAFilesPermissions) {
    write("x.glb", "mine");
    std::filesystem::permissions(path("x.glb"),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    expect_success("effigy convert soldier.xac -o x.glb");
    EXPECT_EQ(std::filesystem::status(path("x.glb")).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(CliOutput, IsNotTheReport) {
    expect_success("effigy convert soldier.xac -q -o q.gltf && mkdir rr && cp soldier.xac rr/a.xac");
    for (const std::string report : {"q.bin", "q_skin.png", "./q.bin"}) {
        expect_failure("effigy convert soldier.xac -q -o q.gltf --report " + report, 2, {"one file", report, ".json"});
        expect_failure("effigy pose soldier.xac --rest -q -o q.gltf --report " + report, 2, {"one file", report});
    }
    expect_failure("effigy convert soldier.xac -q -o mod/ --target eu3 --report mod/gfx/anims/soldier.xac", 2,
                   {"one file"});
    expect_success("effigy convert soldier.xac -q -o q.gltf --report q.json");
    expect_success("effigy convert soldier.xac -q -o q.glb --report other.bin");
    expect_success("mkdir reports && effigy convert soldier.xac -q -o q.gltf --report reports/q.bin");
    const std::string run_over_folder = "effigy convert rr -q -o out/ --to glb --report out/";
    expect_failure(run_over_folder + "a.glb", 2, {"the output and the report are one file", "out/a.glb"});
    expect_success(run_over_folder + "report.jsonl");
    expect_success("effigy convert rr -q -o out/ --to gltf");
    const std::string made = content("out/a.bin");
    const Outcome refused = run("effigy convert rr -q -o out/ --to gltf --report out/a.bin");
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("the output and the report are one file: out/a.bin"));
    EXPECT_EQ(content("out/a.bin"), made);
}

}  // namespace
}  // namespace effigy::test
