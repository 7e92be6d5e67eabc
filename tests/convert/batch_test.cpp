/// Runs over folders: what is mirrored, what goes together, and what is done again.

#include "effigy/batch.hpp"

#include <fstream>
#include <set>
#include <sys/stat.h>

#include "effigy/ani.hpp"
#include "effigy/catalog.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "cli/fixtures.hpp"
#include "contents.hpp"
#include "convert/batch_tree.hpp"
#include "egosoft/check_mod_folder.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;
using batch::Pairing;
using batch::Summary;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

/// Names are below it until the end of the scope: files that are named are mirrored as they are named.
class CurrentFolder {
public:
    explicit CurrentFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
    ~CurrentFolder() { fs::current_path(before_); }
    CurrentFolder(const CurrentFolder&) = delete;
    CurrentFolder& operator=(const CurrentFolder&) = delete;

private:
    fs::path before_;
};

class Batch : public BatchTree {
protected:
    /// The bytes that a single conversion gives.
    [[nodiscard]] std::string converted(const std::vector<std::string>& inputs) const {
        std::vector<InputFile> files(inputs.begin(), inputs.end());
        const OutputFiles output(path("single.glb"));
        EXPECT_TRUE(convert(files, output, {}));
        std::string bytes = read_text(path("single.glb"));
        fs::remove(path("single.glb"));
        return bytes;
    }
    /// The folder "mod" as the catalog in "in".
    void pack_mod() const {
        std::vector<catalog::Packed> packed;
        for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
            if (entry.is_regular_file())
                packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
        }
        fs::create_directories(path("in"));
        ASSERT_TRUE(catalog::pack(packed, path("in/01.cat")));
    }
    [[nodiscard]] fs::file_time_type time_of(const std::string& name) const { return fs::last_write_time(path(name)); }
    void make_older(const std::string& name) const {
        fs::last_write_time(path(name), time_of(name) - std::chrono::hours(1));
    }
    void touch(const std::string& name) const {
        fs::last_write_time(path(name), time_of(name) + std::chrono::seconds(2));
    }
    /// Where exactly one of the inputs cannot be looked into.
    [[nodiscard]] static Summary run_with_problems(const batch::Options& asked,
                                                   const std::vector<std::string>& inputs) {
        const auto plan = batch::make_plan(inputs, asked);
        EXPECT_TRUE(plan);
        if (!plan) return {};
        EXPECT_EQ(plan->problems.size(), 1u);
        const auto summary = batch::run(*plan, asked, batch::convert_job);
        EXPECT_TRUE(summary);
        return summary ? *summary : Summary();
    }
    /// What a run says of all of its files.
    [[nodiscard]] std::string messages_of(batch::Options asked, const std::vector<std::string>& inputs) const {
        std::string messages;
        asked.event = [&](const batch::Event& event) {
            if (event.report == nullptr) return;
            for (const Diagnostic& finding : event.report->diagnostics()) messages += finding.message + "\n";
        };
        (void)run(asked, inputs);
        return messages;
    }
    /// Other bytes of the same number; what the file holds then.
    std::string edit(const std::string& name) const {
        std::string content = read_text(path(name));
        content.back() = static_cast<char>(content.back() ^ 1);
        write(name, content);
        touch(name);
        return content;
    }
};

TEST_F(Batch, MirrorsTheTreeAsSingleConversionsDo) {
    fill(9);
    const Summary summary = run();
    EXPECT_EQ(summary.totals.jobs, 10u);
    EXPECT_EQ(summary.totals.failed, 1u);
    EXPECT_EQ(summary.totals.done + summary.totals.warned, 9u);
    EXPECT_TRUE(summary.totals.has_errors);
    EXPECT_EQ(names().size(), 9u);
    // The motion fits all of them.
    EXPECT_EQ(files().at("0/model4.glb"), converted({text("in/0/model4.xac"), text("in/0/walk.xsm")}));
    EXPECT_EQ(files().at("3/model3.glb"), converted({text("in/3/model3.xac"), text("in/0/walk.xsm")}));
}

TEST_F(Batch, DoesNothingTwice) {
    fill(6);
    (void)run();
    const auto before = files();
    const auto time = time_of("out/2/model2.glb");
    Summary again = run();
    EXPECT_EQ(again.totals.unchanged, 6u);
    EXPECT_EQ(again.totals.failed, 1u) << "what failed is tried again";
    EXPECT_EQ(files(), before);
    EXPECT_EQ(time_of("out/2/model2.glb"), time);
    make_older("in/2/model2.xac");
    EXPECT_EQ(run().totals.unchanged, 6u) << "the content is the same";
    write_model("in/2/model2.xac", 77);
    again = run();
    EXPECT_EQ(again.totals.unchanged, 5u);
    EXPECT_NE(files().at("2/model2.glb"), before.at("2/model2.glb"));
    fs::remove(path("out/1/model1.glb"));
    EXPECT_EQ(run().totals.unchanged, 5u);
    EXPECT_EQ(files().at("1/model1.glb"), before.at("1/model1.glb"));
    batch::Options other = options();
    other.purpose = "glb, otherwise";
    EXPECT_EQ(run(other, {text("in")}).totals.unchanged, 0u);
}

TEST_F(Batch, ConvertsAnewWhatHasOtherTexturesOrMotions) {
    write_model("in/a.xac", 1);
    write("in/skin.png", "");
    const auto save_picture = [&](unsigned char color) {
        image::Picture picture;
        picture.width = picture.height = 2;
        picture.rgba.assign(16, std::byte{color});
        ASSERT_TRUE(write_bytes(path("in/skin.png"), *image::encode_png(picture)));
    };
    save_picture(0xff);
    (void)run();
    EXPECT_EQ(run().totals.unchanged, 1u);
    const std::string before = files().at("a.glb");
    save_picture(0x40);
    fs::last_write_time(path("in/skin.png"), time_of("in/skin.png") + std::chrono::seconds(2));
    EXPECT_EQ(run().totals.unchanged, 0u);
    EXPECT_NE(files().at("a.glb"), before);
    write_motion("in/walk.xsm");
    EXPECT_EQ(run().totals.unchanged, 0u);
    EXPECT_EQ(run().totals.unchanged, 1u);
}

/// Only models that have missed one are made anew, and not for another model.
TEST_F(Batch, ConvertsAnewWhatMissedTexturesThatCome) {
    write_model("in/a.xac", 1);
    write_model("in/b.xac", 2);
    const Summary first = run();
    ASSERT_THAT(first.codes, Contains(testing::Key("texture-missing")));
    EXPECT_EQ(run().totals.unchanged, 2u);
    write_model("in/c.xac", 3);
    EXPECT_EQ(run().totals.unchanged, 2u);
    image::Picture picture;
    picture.width = picture.height = 2;
    picture.rgba.assign(16, std::byte{0xff});
    ASSERT_TRUE(write_bytes(path("in/skin.png"), *image::encode_png(picture)));
    const Summary summary = run();
    EXPECT_EQ(summary.totals.unchanged, 0u);
    EXPECT_THAT(summary.codes, Not(Contains(testing::Key("texture-missing"))));
    EXPECT_EQ(run().totals.unchanged, 3u);
}

TEST_F(Batch, ConvertsAnewWhatHasOtherMotionsOfAFolder) {
    write_model("in/a.xac", 1);
    write_motion("motions/walk.xsm");
    batch::Options asked = options();
    asked.convert.values.set("motions", text("motions"));
    (void)run(asked, {text("in")});
    EXPECT_EQ(run(asked, {text("in")}).totals.unchanged, 1u);
    touch("motions/walk.xsm");
    EXPECT_EQ(run(asked, {text("in")}).totals.unchanged, 0u);
}

TEST_F(Batch, ConvertsAnewWhatHasOtherTexturesOfAMod) {
    whole_mod().write(path("in"));
    (void)run();
    EXPECT_EQ(run().totals.unchanged, 1u);
    touch("in/assets/textures/hull_diff.gz");
    EXPECT_EQ(run().totals.unchanged, 0u);
    EXPECT_EQ(run().totals.unchanged, 1u);
}

/// Packers may keep the times of files, or give all the same one.
TEST_F(Batch, ConvertsAnewWhatACatalogHasWithAnotherSum) {
    whole_mod().write(path("mod"));
    const std::string mesh = data_path + "part_main-lod0.xmf";
    pack_mod();
    (void)run();
    EXPECT_EQ(run().totals.unchanged, 1u);
    const auto time = time_of("mod/" + mesh);
    edit("mod/" + mesh);
    fs::last_write_time(path("mod/" + mesh), time);
    pack_mod();
    EXPECT_EQ(run().totals.unchanged, 0u);
}

/// What is said of a component depends on its meshes, which are looked at for themselves as well.
TEST_F(Batch, FilesOfAComponentAreCheckedWithIt) {
    whole_mod().write(path("in"));
    batch::Options asked = options();
    asked.kind = batch::Kind::files;
    const auto plan = batch::make_plan({text("in")}, asked);
    ASSERT_TRUE(plan);
    std::size_t components = 0, meshes = 0;
    for (const batch::Job& job : plan->jobs) {
        const std::string name = plan->name(job);
        components += name == component_path ? 1u : 0u;
        meshes += name.ends_with(".xmf") ? 1u : 0u;
        EXPECT_EQ(job.parts.empty(), name != component_path) << name;
    }
    EXPECT_EQ(components, 1u);
    EXPECT_GT(meshes, 1u);
}

TEST_F(Batch, FoldersThatAreNamedTwiceCountOnce) {
    write_model("in/a.xac", 1);
    (void)run(options(), {text("in"), text("in")});
    EXPECT_THAT(names(), ElementsAre("a.glb"));
}

/// What a cut catalog does not name any more is not gone.
TEST_F(Batch, CountsNothingAsVanishedWhereACatalogIsDamaged) {
    whole_mod().write(path("mod"));
    pack_mod();
    (void)run();
    const auto before = files();
    ASSERT_FALSE(before.empty());
    write("in/01.cat", "no entry\n");
    batch::Options pruning = options();
    pruning.prune = true;
    const Summary summary = run_with_problems(pruning, {text("in")});
    EXPECT_TRUE(summary.is_unsure);
    EXPECT_THAT(summary.pruned, IsEmpty());
    EXPECT_EQ(files(), before);
}

/// What is known of outputs that are not current does not depend on who asks.
TEST_F(Batch, SharesKnowWhatAWholeRunHasLeft) {
    write_model("in/a.xac", 1);
    (void)run();
    write("in/a.xac", "XAC ");
    EXPECT_EQ(run().totals.failed, 1u);
    write_model("in/a.xac", 2);
    for (const std::uint32_t number : {1u, 2u}) {
        batch::Options share = options();
        share.shard = {number, 2};
        EXPECT_EQ(run(share, {text("in")}).totals.failed, 0u);
    }
}

/// An earlier run has ended what the killed one has begun.
TEST_F(Batch, CleansUpWhatAKilledShareHasBegun) {
    write_model("in/d/a.xac", 1);
    (void)run();
    write("out/.effigy-batch/manifest-1-of-2.jsonl",
          "{\"effigy_batch\":3,\"process\":\"77\"}\n{\"begin\":\"d/a.glb\"}\n");
    write("out/d/.effigy-77-1.tmp", "half");
    (void)run();
    EXPECT_FALSE(fs::exists(path("out/d/.effigy-77-1.tmp")));
}

TEST_F(Batch, ListsWhatHasVanishedAndRemovesItWhenAsked) {
    fill(6);
    (void)run();
    fs::remove(path("in/3/model3.xac"));
    Summary summary = run();
    EXPECT_THAT(summary.vanished, ElementsAre("3/model3.glb"));
    EXPECT_THAT(names(), Contains("3/model3.glb"));
    summary = run();
    EXPECT_THAT(summary.vanished, ElementsAre("3/model3.glb")) << "is remembered";
    batch::Options pruning = options();
    pruning.prune = true;
    fs::remove(path("in/2/model2.xac"));
    write("out/2/model2.glb", "somebody's own");
    summary = run(pruning, {text("in")});
    EXPECT_THAT(summary.vanished, ElementsAre("2/model2.glb", "3/model3.glb"));
    EXPECT_THAT(summary.pruned, ElementsAre("3/model3.glb"));
    EXPECT_THAT(names(), Not(Contains("3/model3.glb")));
    EXPECT_FALSE(fs::exists(path("out/3"))) << "an empty folder stays";
    EXPECT_EQ(files().at("2/model2.glb"), "somebody's own");
}

TEST_F(Batch, WhatALinkLedToHasVanishedWithIt) {
    write_model("elsewhere/a.xac", 1);
    write_model("in/b.xac", 2);
    fs::create_symlink("../elsewhere/a.xac", path("in/link.xac"));
    (void)run();
    EXPECT_THAT(names(), Contains("link.glb"));
    fs::rename(path("elsewhere/a.xac"), path("elsewhere/c.xac"));
    batch::Options pruning = options();
    pruning.prune = true;
    const Summary summary = run(pruning, {text("in")});
    EXPECT_THAT(summary.vanished, ElementsAre("link.glb"));
    EXPECT_THAT(names(), ElementsAre("b.glb"));
}

TEST_F(Batch, PrunesOnlyWhatIsAsItWasMade) {
    for (const char* name : {"in/a.xac", "in/b.xac", "in/c.xac"}) write_model(name, 1);
    (void)run();
    fs::remove(path("in/a.xac"));
    fs::remove(path("in/b.xac"));
    const std::string edited = edit("out/a.glb");
    touch("out/b.glb");  // by a copy of the tree, say
    batch::Options pruning = options();
    pruning.prune = true;
    const Summary summary = run(pruning, {text("in")});
    EXPECT_THAT(summary.vanished, ElementsAre("a.glb", "b.glb"));
    EXPECT_THAT(summary.pruned, ElementsAre("b.glb"));
    EXPECT_EQ(files().at("a.glb"), edited);
}

/// A picture of one model that another one found there, and shows.
TEST_F(Batch, PrunesNoPictureThatIsInUse) {
    image::Picture picture;
    picture.width = picture.height = 2;
    for (const char* name : {"a", "b"}) {
        write_model(std::string("source/") + name + ".xac", 1);
        fs::create_directories(path("in"));
        picture.rgba.assign(16, *name == 'a' ? std::byte{0xff} : std::byte{0x7f});
        ASSERT_TRUE(write_bytes(path("source/skin.png"), *image::encode_png(picture)));
        ConvertOptions with;
        with.values.add("textures", path("source").string());
        with.values.set("no-records");
        ASSERT_TRUE(convert({text(std::string("source/") + name + ".xac")},
                            OutputFiles(path(std::string("in/") + name + ".glb")), with));
    }
    batch::Options to_xac = options();
    to_xac.convert.values.set("to", "xac");
    to_xac.convert.values.set("textures-as", "png");
    to_xac.ending = ".xac";
    const Summary first = run(to_xac, {text("in")});
    ASSERT_EQ(first.codes.at("output-picture-kept").jobs, 1u);
    const auto before = files();
    fs::remove(path("in/a.glb"));
    to_xac.prune = true;
    const Summary summary = run(to_xac, {text("in")});
    EXPECT_THAT(summary.pruned, ElementsAre("a.xac"));
    EXPECT_EQ(files().size(), before.size() - 1) << "b still shows a's pictures";
    EXPECT_EQ(summary.totals.unchanged, 1u);
}

TEST_F(Batch, LeavesWhatNoRunHasMade) {
    write_model("in/a.xac", 1);
    write_model("in/b.xac", 2);
    write("out/b.glb", converted({text("in/b.xac")}));
    write("out/a.glb", "mine");
    const Summary summary = run();
    EXPECT_EQ(summary.totals.failed, 1u);
    EXPECT_EQ(summary.codes.at("output-kept").jobs, 1u);
    EXPECT_EQ(summary.totals.done + summary.totals.warned, 1u) << "the same bytes are as good as its own";
    EXPECT_EQ(files().at("a.glb"), "mine");
    EXPECT_EQ(run().totals.failed, 1u) << "asked again";
    EXPECT_THAT(temporaries(), IsEmpty());
    batch::Options replacing = options();
    replacing.overwrite = true;
    EXPECT_EQ(run(replacing, {text("in")}).totals.unchanged, 1u);
    EXPECT_EQ(files().at("a.glb"), converted({text("in/a.xac")}));
    EXPECT_EQ(run().totals.unchanged, 2u);
}

TEST_F(Batch, LeavesWhatSomebodyHasChanged) {
    write_model("in/a.xac", 1);
    write_model("in/b.xac", 2);
    (void)run();
    const std::string edited = edit("out/a.glb");
    touch("out/b.glb");
    EXPECT_EQ(run().totals.failed, 1u);
    EXPECT_EQ(files().at("a.glb"), edited);
    for (const char* name : {"in/a.xac", "in/b.xac"}) write_model(name, 3);
    const Summary summary = run();
    EXPECT_EQ(summary.totals.failed, 1u);
    EXPECT_EQ(files().at("a.glb"), edited);
    EXPECT_EQ(files().at("b.glb"), converted({text("in/b.xac")})) << "of which only the time was another";
    EXPECT_THAT(summary.vanished, IsEmpty());
    fs::remove(path("out/a.glb"));
    EXPECT_EQ(run().totals.failed, 0u);
    // Where outputs stand among the inputs, it is no input either.
    const CurrentFolder here(path("in"));
    (void)run(options("in"), {"*"});
    (void)edit("in/a.glb");
    for (int round = 0; round < 3; ++round) EXPECT_EQ(run(options("in"), {"*"}).totals.jobs, 2u);
}

// What a link leads to is somebody else's, whatever a manifest says.
TEST_F(Batch, WritesNothingThroughLinks) {
    write_model("in/a.xac", 1);
    write_model("in/sub/b.xac", 2);
    (void)run();
    fs::create_directories(path("elsewhere"));
    for (const char* name : {"a.glb", "sub"}) {
        fs::rename(path("out") / name, path("elsewhere") / name);
        fs::create_symlink(path("elsewhere") / name, path("out") / name);
    }
    fs::create_directories(path("elsewhere/sub/empty"));
    const auto before = files("elsewhere");
    for (const char* name : {"in/a.xac", "in/sub/b.xac", "in/sub/empty/c.xac"}) write_model(name, 3);
    batch::Options replacing = options();
    replacing.overwrite = true;
    const Summary summary = run(replacing, {text("in")});
    EXPECT_EQ(summary.totals.failed, 3u);
    EXPECT_EQ(summary.codes.at("output-create").jobs, 3u);
    EXPECT_EQ(files("elsewhere"), before);
    EXPECT_TRUE(fs::is_directory(path("elsewhere/sub/empty")));
    for (const char* name : {"a.glb", "sub"}) EXPECT_TRUE(fs::is_symlink(path("out") / name)) << name;
}

TEST_F(Batch, SaysThatANameIsTooLong) {
    write_model("in/" + std::string(251, 'x') + ".xac", 1);
    batch::Options to_gltf = options();
    to_gltf.convert.values.set("to", "gltf");
    to_gltf.ending = ".gltf";
    const std::string messages = messages_of(to_gltf, {text("in")});
    EXPECT_THAT(messages, HasSubstr("File name too long"));
    EXPECT_THAT(messages, HasSubstr("a shorter name"));
}

TEST_F(Batch, SaysWhichFilesCannotBeLookedAt) {
    write_model("in/a.xac", 1);
    for (const char* name : {"b.xac", "c.txt"}) fs::create_symlink(name, path("in") / name);
    const auto plan = batch::make_plan({text("in")}, options());
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->files.size(), 1u);
    ASSERT_EQ(plan->problems.size(), 1u);
    EXPECT_TRUE(plan->problems[0].file.ends_with("in/b.xac"));
    EXPECT_EQ(plan->problems[0].message, "the file cannot be read: Too many levels of symbolic links");
}

TEST_F(Batch, SaysWhyAFolderCannotBeMade) {
    write_model("in/sub/a.xac", 1);
    fs::create_directories(path("out"));
    fs::create_symlink("nowhere", path("out/sub"));
    EXPECT_THAT(messages_of(options(), {text("in")}), HasSubstr("the folder cannot be made: File exists"));
}

TEST_F(Batch, RemembersNothingThroughLinks) {
    write_model("in/a.xac", 1);
    write("elsewhere/file", "mine");
    const auto plan = batch::make_plan({text("in")}, options());
    ASSERT_TRUE(plan);
    const auto expect_refused = [&](const char* link, const char* target) {
        fs::create_directories(path(link).parent_path());
        fs::remove(path(link));  // the lock of the run before
        fs::create_symlink(path(target), path(link));
        const auto done = batch::run(*plan, options(), batch::convert_job);
        ASSERT_FALSE(done) << link;
        EXPECT_EQ(done.error().code, "output-create") << link;
        fs::remove(path(link));
    };
    expect_refused("out/.effigy-batch/manifest.jsonl", "elsewhere/file");
    expect_refused("out/.effigy-batch/lock", "elsewhere/new");
    fs::remove_all(path("out"));
    expect_refused("out/.effigy-batch", "elsewhere");
    EXPECT_EQ(files("elsewhere"), (std::map<std::string, std::string>{{"file", "mine"}}));
}

/// Files beside an output, and copies.
TEST_F(Batch, LeavesWhateverItWouldWrite) {
    write_model("in/a.xac", 1);
    const auto to = [&](const std::string& format) {
        batch::Options other = options();
        other.convert.values.set("to", format);
        other.ending = "." + format;
        return run(other, {text("in")});
    };
    write("out/a.bin", "mine");
    write("out/a.xac", "mine");
    EXPECT_EQ(to("gltf").totals.failed, 1u);
    EXPECT_EQ(to("xac").totals.failed, 1u);
    EXPECT_EQ(files(), (std::map<std::string, std::string>{{"a.bin", "mine"}, {"a.xac", "mine"}}));
    fs::remove(path("out/a.bin"));
    EXPECT_EQ(to("gltf").totals.failed, 0u);
    const std::string edited = edit("out/a.bin");
    EXPECT_EQ(to("gltf").totals.failed, 1u);
    EXPECT_EQ(files().at("a.bin"), edited);
    write("out/a.xac", files("in").at("a.xac"));
    EXPECT_EQ(to("xac").totals.failed, 0u);
}

TEST_F(Batch, CountsNothingAsVanishedThatAnotherRunMade) {
    for (const char* name : {"in/A/a.xac", "in/B/b.xac"}) write_model(name, 1);
    const CurrentFolder here(path("in"));
    batch::Options pruning = options();
    pruning.prune = true;
    (void)run(options(), {text("in/A"), text("in/B")});
    EXPECT_THAT(names(), ElementsAre("A/a.glb", "B/b.glb"));
    // Part of the inputs only.
    EXPECT_THAT(run(pruning, {"A/a.xac"}).vanished, IsEmpty());
    // Another format.
    batch::Options ply = pruning;
    ply.convert.values.set("to", "ply");
    ply.ending = ply.purpose = ".ply";
    EXPECT_THAT(run(ply, {text("in/A"), text("in/B")}).vanished, IsEmpty());
    EXPECT_EQ(run(options(), {text("in/A"), text("in/B")}).totals.unchanged, 2u);
    // An input that is broken now.
    write("in/A/a.xac", "XAC " + std::string(40, '\1'));
    const Summary broken = run(pruning, {text("in/A"), text("in/B")});
    EXPECT_EQ(broken.totals.failed, 1u);
    EXPECT_THAT(broken.vanished, IsEmpty());
    EXPECT_THAT(names(), Contains("A/a.glb"));
}

TEST_F(Batch, CountsNothingAsVanishedWhereAnInputIsMissing) {
    for (const char* name : {"in/A/a.xac", "in/B/b.xac"}) write_model(name, 1);
    (void)run(options(), {text("in/A"), text("in/B")});
    fs::rename(path("in/B"), path("unmounted"));
    batch::Options pruning = options();
    pruning.prune = true;
    const Summary summary = run_with_problems(pruning, {text("in/A"), text("in/B")});
    EXPECT_TRUE(summary.is_unsure);
    EXPECT_THAT(summary.vanished, IsEmpty());
    EXPECT_THAT(names(), Contains("B/b.glb"));
}

/// The input is gone, but this run was not asked about it, or about what another one made of it.
TEST_F(Batch, PrunesOnlyWhatItWasAskedAbout) {
    for (const char* name : {"in/A/a.xac", "in/B/b.xac", "in/B/c.xac"}) write_model(name, 1);
    const auto all = {text("in/A"), text("in/B")};
    batch::Options ply = options();
    ply.convert.values.set("to", "ply");
    ply.ending = ply.purpose = ".ply";
    (void)run(options(), all);
    (void)run(ply, all);
    fs::remove(path("in/B/b.xac"));
    const CurrentFolder here(path("in"));
    batch::Options pruning = ply;
    pruning.prune = true;
    EXPECT_THAT(run(pruning, {"A/a.xac"}).vanished, IsEmpty()) << "one file";
    EXPECT_THAT(run(pruning, {"A/*.xac"}).vanished, IsEmpty()) << "another folder";
    EXPECT_THAT(run(pruning, {"*/c.xac"}).vanished, IsEmpty()) << "another pattern";
    EXPECT_THAT(run(pruning, {"A", "B"}).pruned, ElementsAre("B/b.ply"));
    EXPECT_THAT(names(), Contains("B/b.glb")) << "another format";
    pruning = options();
    pruning.prune = true;
    EXPECT_THAT(run(pruning, {"*/*.xac"}).pruned, ElementsAre("B/b.glb"));
}

TEST_F(Batch, OutputsThatAreCalledOtherwiseNowHaveVanished) {
    write_model("in/a.xac", 1);
    (void)run();
    EXPECT_THAT(names(), ElementsAre("a.glb"));
    write_motion("in/a.xsm");
    batch::Options pruning = options();
    pruning.pairing = Pairing::none;
    pruning.prune = true;
    EXPECT_THAT(run(pruning, {text("in")}).vanished, ElementsAre("a.glb"));
    EXPECT_THAT(names(), ElementsAre("a.xac.glb", "a.xsm.glb")) << "as in one run";
}

TEST_F(Batch, TellsInputsOfOneMirroredNameApart) {
    write_model("in/x.xac", 1);
    write_model("x.xac", 1);
    const CurrentFolder here(path("."));
    const Summary first = run(options(), {text("in"), "x.xac"});
    const Summary again = run(options(), {text("in"), "x.xac"});
    EXPECT_EQ(first.totals.unchanged, 0u);
    EXPECT_EQ(names().size(), 2u);
    EXPECT_EQ(again.totals.unchanged, 2u);
}

TEST_F(Batch, RefusesSharesThatAreNone) {
    write_model("in/a.xac", 1);
    for (const batch::Shard shard : {batch::Shard{1, 0}, batch::Shard{0, 0}, batch::Shard{0, 2}, batch::Shard{3, 2}}) {
        batch::Options none = options();
        none.shard = shard;
        const auto plan = batch::make_plan({text("in")}, none);
        ASSERT_TRUE(plan);
        const auto ran = batch::run(*plan, none, batch::convert_job);
        ASSERT_FALSE(ran);
        EXPECT_EQ(ran.error().code, codes::usage_option);
        EXPECT_FALSE(fs::exists(path("out")));
    }
}

TEST_F(Batch, NeverWritesTheReportOverAnInput) {
    write_model("in/a.xac", 1);
    write("list.txt", text("in/a.xac") + "\n");
    for (const std::string& input : {text("in/a.xac"), text("list.txt")}) {
        batch::Options reporting = options();
        reporting.report = input;
        const auto plan = batch::make_plan({"@" + text("list.txt")}, reporting);
        ASSERT_TRUE(plan);
        const auto ran = batch::run(*plan, reporting, batch::convert_job);
        ASSERT_FALSE(ran);
        EXPECT_EQ(ran.error().code, codes::usage_output);
    }
    EXPECT_EQ(run().totals.failed, 0u);
}

TEST_F(Batch, TwoModelsNeverShareAFileBesideThem) {
    const auto save = [&](const std::string& model, const std::string& clip) {
        write_model("source/" + model + ".xac", 1);
        write_motion("source/" + clip + ".xsm");
        ASSERT_TRUE(convert({text("source/" + model + ".xac"), text("source/" + clip + ".xsm")},
                            OutputFiles(path("in/" + model + ".glb")), {}));
        fs::remove(path("source/" + clip + ".xsm"));
    };
    save("a", "b_walk");
    save("a_b", "walk");
    const auto to_xac = [&](const std::string& output, batch::Shard shard) {
        batch::Options back = options(output);
        back.convert.values.set("to", "xac");
        back.ending = ".xac";
        back.shard = shard;
        return run(back, {text("in")});
    };
    const Summary summary = to_xac("out", {});
    EXPECT_EQ(summary.totals.failed, 1u) << "both would write a_b_walk.xsm";
    EXPECT_THAT(names(), ElementsAre("a.xac", "a_b_walk.xsm"));
    (void)to_xac("shards", {2, 2});
    (void)to_xac("shards", {1, 2});
    EXPECT_EQ(files("shards"), files("out"));
    EXPECT_EQ(to_xac("out", {}).totals.unchanged, 1u);
}

TEST_F(Batch, KnowsAllFilesThatItHasWritten) {
    write_model("in/a.xac", 1);
    const auto to_gltf = [&](bool prune) {
        batch::Options other = options();
        other.convert.values.set("to", "gltf");
        other.ending = ".gltf";
        other.prune = prune;
        return run(other, {text("in")});
    };
    (void)to_gltf(false);
    const auto before = files();
    EXPECT_THAT(names(), ElementsAre("a.bin", "a.gltf"));
    fs::remove(path("out/a.bin"));
    EXPECT_EQ(to_gltf(false).totals.unchanged, 0u);
    EXPECT_EQ(files(), before);
    EXPECT_EQ(to_gltf(false).totals.unchanged, 1u);
    fs::rename(path("in/a.xac"), path("in/b.xac"));
    (void)to_gltf(true);
    EXPECT_THAT(names(), ElementsAre("b.bin", "b.gltf"));
}

TEST_F(Batch, SeesWhatLiesBesideAnInput) {
    write_model("source/a.xac", 1);
    ASSERT_TRUE(convert({text("source/a.xac")}, OutputFiles(path("in/a.gltf")), {}));
    (void)run();
    EXPECT_EQ(run().totals.unchanged, 1u);
    fs::last_write_time(path("in/a.bin"), time_of("in/a.bin") + std::chrono::seconds(2));
    EXPECT_EQ(run().totals.unchanged, 0u);
    EXPECT_EQ(run().totals.unchanged, 1u);
}

TEST_F(Batch, MakesAnewWhatChangedWhileItWasMade) {
    write_model("in/a.xac", 1);
    batch::Options disturbed = options();
    disturbed.event = [&](const batch::Event& event) {
        if (!event.begins) return;
        write_model("in/a.xac", 2);
        fs::last_write_time(path("in/a.xac"), time_of("in/a.xac") + std::chrono::seconds(2));
    };
    (void)run(disturbed, {text("in")});
    EXPECT_EQ(run().totals.unchanged, 0u);
    EXPECT_EQ(run().totals.unchanged, 1u);
}

TEST_F(Batch, TakesNoOutputOfItsOwnForAnInput) {
    write_model("in/a.xac", 1);
    const CurrentFolder here(path("in"));
    batch::Options in_place = options("in");
    for (int round = 0; round < 3; ++round) (void)run(in_place, {"*"});
    EXPECT_THAT(names("in"), ElementsAre("a.glb", "a.xac"));
    batch::Options ply = options("in");
    ply.convert.values.set("to", "ply");
    ply.ending = ".ply";
    EXPECT_EQ(run(ply, {"*.glb"}).totals.jobs, 1u) << "for another kind it is one";
    std::ofstream(path("in/.effigy-batch/manifest.jsonl"), std::ios::app)
        << "{\"stale\":\"x\"}\n{\"stale\":[]}\n{\"end\":\"y\",\"failed\":1}\n";
    EXPECT_EQ(run(in_place, {"*"}).totals.jobs, 1u) << "of an older version, or damaged";
}

TEST_F(Batch, PairsMotionsAsAsked) {
    write_model("in/soldiers/a.xac", 1);
    write_motion("in/soldiers/walk.xsm");
    write_model("in/others/b.xac", 2);
    const auto jobs = [&](Pairing pairing) {
        batch::Options asked = options();
        asked.pairing = pairing;
        const auto plan = batch::make_plan({text("in")}, asked);
        std::map<std::string, std::size_t> inputs;
        if (plan) {
            for (const batch::Job& job : plan->jobs) inputs[job.output] = job.files.size();
        }
        return inputs;
    };
    using Jobs = std::map<std::string, std::size_t>;
    EXPECT_EQ(jobs(Pairing::fit), (Jobs{{"soldiers/a.glb", 2}, {"others/b.glb", 2}}));
    EXPECT_EQ(jobs(Pairing::folder), (Jobs{{"soldiers/a.glb", 2}, {"others/b.glb", 1}}));
    EXPECT_EQ(jobs(Pairing::none), (Jobs{{"soldiers/a.glb", 1}, {"soldiers/walk.glb", 1}, {"others/b.glb", 1}}));
    // What a game's text names with a model is all that it gets.
    write_motion("in/others/run.xsm");
    write("in/others/units.gfx",
          "objectTypes = { EMFXActorType = { name = \"b\" actorfile = \"b.xac\" move = \"run.xsm\" } }\n");
    EXPECT_EQ(jobs(Pairing::fit), (Jobs{{"soldiers/a.glb", 3}, {"others/b.glb", 2}}));
}

/// Figures of Tree of Savior share the names of their bones: those of a motion's file tell whose it is.
TEST_F(Batch, GivesFiguresTheMotionsThatAreCalledAfterThem) {
    xac::File figure = soldier();
    figure.chunks.push_back({5, 2, {}, xac::FxMaterial{}, {}});
    fs::create_directories(path("in"));
    for (const char* name : {"in/npc_cat_set.xac", "in/npc_dog_set.xac"})
        ASSERT_TRUE(xac::write_file(figure, path(name)));
    write_motion("in/npc_cat_run.xsm");
    write_motion("in/npc_wolf_run.xsm");
    const auto plan = batch::make_plan({text("in")}, options());
    ASSERT_TRUE(plan);
    std::map<std::string, std::size_t> inputs;
    for (const batch::Job& job : plan->jobs) inputs[job.output] = job.files.size();
    EXPECT_EQ(inputs, (std::map<std::string, std::size_t>{{"npc_cat_set.glb", 2}, {"npc_dog_set.glb", 3}}));
}

TEST_F(Batch, PutsTogetherWhatIsOneModel) {
    whole_mod().write(path("in/my_mod"));
    EXPECT_EQ(run().totals.jobs, 1u);
    EXPECT_THAT(names(), ElementsAre("my_mod/assets/units/size_s/ship_test.glb"));
    const std::string single = converted({text("in/my_mod/assets/units/size_s/ship_test.xml")});
    EXPECT_EQ(files().at("my_mod/assets/units/size_s/ship_test.glb"), single);
    // A mesh is a part of it: when it changes, so does the whole.
    make_older("in/my_mod/" + data_path + "part_main-lod0.xmf");
    EXPECT_EQ(run().totals.unchanged, 1u);
    fs::remove(path("in/my_mod/" + data_path + "part_main-lod1.xmf"));
    EXPECT_EQ(run().totals.unchanged, 0u);
    // Without the component, levels of one part are one model.
    fs::remove(path("in/my_mod/" + component_path));
    batch::Options loose = options("loose");
    const auto plan = batch::make_plan({text("in")}, loose);
    ASSERT_TRUE(plan);
    std::set<std::string> outputs;
    for (const batch::Job& job : plan->jobs) outputs.insert(fs::path(job.output).filename().string());
    EXPECT_TRUE(outputs.contains("part_main.glb")) << testing::PrintToString(outputs);
}

TEST_F(Batch, LooksIntoArchivesAndGames) {
    whole_mod().write(path("mod"));
    std::vector<catalog::Packed> packed;
    for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
        if (entry.is_regular_file())
            packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
    }
    fs::create_directories(path("in/game"));
    ASSERT_TRUE(catalog::pack(packed, path("in/game/01.cat")));
    write_model("in/game/extra/soldier.xac", 1);
    const Summary summary = run();
    EXPECT_EQ(summary.totals.failed, 0u) << testing::PrintToString(summary.codes.size());
    EXPECT_THAT(names(), UnorderedElementsAre("game/assets/units/size_s/ship_test.glb", "game/extra/soldier.glb"));
    EXPECT_EQ(run().totals.unchanged, 2u);
    (void)run(options("cat"), {text("in/game/01.cat")});
    EXPECT_THAT(names("cat"), ElementsAre("assets/units/size_s/ship_test.glb"));
    EXPECT_EQ(files("cat").at("assets/units/size_s/ship_test.glb"),
              files().at("game/assets/units/size_s/ship_test.glb"));
}

TEST_F(Batch, LooksIntoArchivesThatPatternsTake) {
    whole_mod().write(path("mod"));
    std::vector<catalog::Packed> packed;
    for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
        if (entry.is_regular_file())
            packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
    }
    fs::create_directories(path("in/game"));
    ASSERT_TRUE(catalog::pack(packed, path("in/game/01.cat")));
    write_model("in/extra/soldier.xac", 1);
    (void)run();
    const CurrentFolder here(path("in"));
    (void)run(options("all"), {"**"});
    EXPECT_EQ(files("all"), files());
    const std::string ship = "game/assets/units/size_s/ship_test.glb";
    for (const std::string pattern : {"game/**", "./game/*", "game/*.cat", "**/0?.cat"}) {
        const std::string output = "out" + std::to_string(pattern.size());
        (void)run(options(output), {pattern});
        EXPECT_THAT(names(output), ElementsAre(ship)) << pattern;
        EXPECT_EQ(files(output)[ship], files()[ship]) << pattern;
    }
    (void)run(options("loose"), {"**.xac"});
    EXPECT_THAT(names("loose"), ElementsAre("extra/soldier.glb")) << "which alone matches";
}

// What only the game has is no input.
TEST_F(Batch, TakesAnExtensionWithoutTheGameAroundIt) {
    whole_mod().write(path("mod"));
    std::vector<catalog::Packed> packed;
    for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
        if (entry.is_regular_file())
            packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
    }
    write("in/extensions/more/content.xml", R"(<content id="more" name="more"/>)");
    ASSERT_TRUE(catalog::pack(packed, path("in/extensions/more/ext_01.cat")));
    for (catalog::Packed& one : packed) one.path.insert(0, "other/");
    ASSERT_TRUE(catalog::pack(packed, path("in/01.cat")));
    batch::Options asked = options("out");
    asked.convert.values.add("game", text("in"));
    EXPECT_EQ(run(asked, {text("in/extensions/more")}).totals.failed, 0u);
    EXPECT_THAT(names("out"), ElementsAre("assets/units/size_s/ship_test.glb"));
}

TEST_F(Batch, GivesExtensionsTheMeshesThatTheyBorrow) {
    whole_mod().write(path("in/extensions/my_mod"));
    write("in/extensions/other/content.xml", R"(<content id="other" name="other"/>)");
    fs::create_directories(path("in/extensions/other/" + component_path).parent_path());
    fs::rename(path("in/extensions/my_mod/" + component_path), path("in/extensions/other/" + component_path));
    batch::Options asked = options();
    asked.convert.values.add("game", text("in"));
    EXPECT_EQ(run(asked, {text("in")}).totals.failed, 0u);
    EXPECT_THAT(names(), ElementsAre("extensions/other/assets/units/size_s/ship_test.glb"));
}

/// Its folders are called by numbers, which the paths in its files do not name.
TEST_F(Batch, FindsMeshesInCatalogsOfTheWorkshop) {
    whole_mod().write(path("mod"));
    pack_mod();
    write("in/extensions/ws_1/content.xml", R"(<content id="ws_1" name="ws_1"/>)");
    for (const char* ending : {"cat", "dat"})
        fs::rename(path("in/01.") += ending, path("in/extensions/ws_1/ext_01.") += ending);
    write("note.txt", "of the game");
    const std::vector<catalog::Packed> of_game{{"note.txt", path("note.txt")}};
    ASSERT_TRUE(catalog::pack(of_game, path("in/01.cat")));
    const std::string ship = "extensions/ws_1/" + component_path;
    const std::string made = fs::path(ship).replace_extension(".glb").string();
    EXPECT_EQ(run().totals.failed, 0u);
    EXPECT_THAT(names(), ElementsAre(made));
    // A loose component lies over the one in the catalog, and has the catalog's meshes.
    fs::create_directories(path("in/" + ship).parent_path());
    fs::copy_file(path("mod/" + component_path), path("in/" + ship));
    EXPECT_EQ(run(options("loose"), {text("in")}).totals.failed, 0u);
    EXPECT_THAT(names("loose"), ElementsAre(made));
}

/// As the game does, and as `ls` and `unpack` do.
TEST_F(Batch, LaysCatalogsOverOneAnother) {
    whole_mod().write(path("mod"));
    std::vector<catalog::Packed> meshes, components;
    for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
        if (!entry.is_regular_file()) continue;
        auto& packed = entry.path().filename() == "ship_test.xml" ? components : meshes;
        packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
    }
    ASSERT_EQ(components.size(), 1u);
    ASSERT_TRUE(catalog::pack(components, path("in/02.cat")));
    write("old.xml", "<components/>");
    components.front().source = path("old.xml");
    meshes.push_back(components.front());
    ASSERT_TRUE(catalog::pack(meshes, path("in/01.cat")));
    const Summary summary = run(options(), {text("in/01.cat"), text("in/02.cat")});
    EXPECT_EQ(summary.totals.failed, 0u);
    EXPECT_THAT(names(), ElementsAre("assets/units/size_s/ship_test.glb"));
    (void)run(options("whole"), {text("in")});
    EXPECT_EQ(files(), files("whole"));
    EXPECT_THAT(run(options("below"), {text("in/02.cat"), text("in/01.cat")}).codes,
                testing::Contains(testing::Key("batch-left")));
}

/// Those of two mods have nothing to do with each other.
TEST_F(Batch, KeepsCatalogsOfTwoFoldersApart) {
    whole_mod().write(path("mod"));
    std::vector<catalog::Packed> packed;
    for (const auto& entry : fs::recursive_directory_iterator(path("mod"))) {
        if (entry.is_regular_file())
            packed.push_back({fs::relative(entry.path(), path("mod")).generic_string(), entry.path()});
    }
    for (const char* folder : {"first", "second"}) {
        fs::create_directories(path(folder));
        ASSERT_TRUE(catalog::pack(packed, path(folder) / "ext_01.cat"));
    }
    const std::string first = text("first/ext_01.cat"), second = text("second/ext_01.cat");
    EXPECT_EQ(run(options(), {first, second, first}).totals.failed, 0u);
    EXPECT_THAT(names(),
                ElementsAre("first/assets/units/size_s/ship_test.glb", "second/assets/units/size_s/ship_test.glb"));
    fs::remove(path("second/ext_01.dat"));
    const Summary summary = run_with_problems(options("sound"), {first, second});
    EXPECT_TRUE(summary.is_unsure) << "one of the catalogs has lost its content";
    EXPECT_GT(summary.totals.failed, 0u);
    EXPECT_THAT(names("sound"), ElementsAre("first/assets/units/size_s/ship_test.glb")) << "which is whole";
}

TEST_F(Batch, LeavesOutWhatShowsNothing) {
    write("in/ext/assets/patch.xml", "<diff><remove sel=\"/components/component[@name='x']/connections\"/></diff>");
    ASSERT_TRUE(ani::write_file(ani::File{}, path("in/empty.ani")));
    for (int round = 0; round < 2; ++round) {
        const Summary summary = run();
        EXPECT_EQ(summary.codes.at("batch-left").jobs, 2u);
        EXPECT_EQ(summary.totals.failed, 0u);
        EXPECT_FALSE(summary.totals.has_errors);
        EXPECT_EQ(summary.totals.unchanged, round == 0 ? 0u : 2u);
        EXPECT_THAT(files(), IsEmpty());
    }
    whole_mod().write(path("in/mod"));
    fs::remove_all(path("in/mod/" + data_path));
    EXPECT_EQ(run().totals.failed, 1u) << "its meshes should be there";
}

TEST_F(Batch, TakesPatternsListsAndFiles) {
    write_model("in/a/one.xac", 1);
    write_model("in/a/b/two.xac", 2);
    write_model("in/three.xac", 3);
    const fs::path here = fs::current_path();
    fs::current_path(path(""));
    (void)run(options("glob"), {"in/**/t*.xac"});
    write("list.txt", "in/a/one.xac\r\n\nin/a/b\n");
    (void)run(options("list"), {"@list.txt"});
    (void)run(options("several"), {"in/a", "in/a/b", "./in/a/one.xac"});
    fs::current_path(here);
    EXPECT_THAT(names("glob"), ElementsAre("in/a/b/two.glb", "in/three.glb"));
    EXPECT_THAT(names("list"), ElementsAre("in/a/one.glb", "two.glb"));
    EXPECT_THAT(names("several"), ElementsAre("a/b/two.glb", "a/one.glb"));
}

TEST_F(Batch, SharesAreTheWholeWhateverTheirNumber) {
    fill(17);
    (void)run("whole");
    const auto whole = files("whole");
    for (const std::uint32_t count : {1u, 2u, 3u, 7u, 40u}) {
        const std::string output = "shards" + std::to_string(count);
        std::uint64_t jobs = 0;
        std::vector<fs::path> reports;
        for (std::uint32_t number = count; number >= 1; --number) {
            batch::Options share = options(output);
            share.shard = {number, count};
            share.report = path(output + "-" + std::to_string(number) + ".jsonl");
            reports.push_back(share.report);
            jobs += run(share, {text("in")}).totals.jobs;
        }
        EXPECT_EQ(jobs, 18u);
        EXPECT_EQ(files(output), whole) << count;
        const auto merged = batch::merge_reports(reports, path("merged.jsonl"));
        ASSERT_TRUE(merged);
        EXPECT_EQ(merged->totals.jobs, 18u);
        EXPECT_EQ(merged->totals.failed, 1u);
        // A run in one go knows what they have made.
        EXPECT_EQ(run(output).totals.unchanged, 17u);
    }
}

/// What a share knows of the others' outputs is old.
TEST_F(Batch, SharesForgetWhatOthersMakeAnew) {
    for (int i = 0; i < 8; ++i) write_model("in/" + std::to_string(i) + ".xac", 1);
    (void)run();
    for (const std::uint32_t number : {2u, 1u}) {
        batch::Options share = options();
        share.convert.values.set("compact");
        share.purpose = "compact";
        share.shard = {number, 2};
        EXPECT_EQ(run(share, {text("in")}).totals.failed, 0u);
    }
    EXPECT_EQ(run().totals.failed, 0u) << "nobody else has changed them";
}

TEST_F(Batch, NamesThatWouldBeTheSameAreToldApart) {
    write_model("in/a.xac", 1);
    write_model("in/A.xac", 2);
    write_motion("in/a.xsm");
    batch::Options alone = options();
    alone.pairing = Pairing::none;
    (void)run(alone, {text("in")});
    EXPECT_THAT(names(), UnorderedElementsAre("A.xac.glb", "a.xac_2.glb", "a.xsm.glb"));
    EXPECT_EQ(run(alone, {text("in")}).totals.unchanged, 3u);
}

TEST_F(Batch, TakesNamesOfAnyKind) {
    const std::vector<std::string> odd{"new\nline",
                                       "quote\"s'",
                                       "-o",
                                       " ",
                                       "@list",
                                       "star*",
                                       "\xff\xfe raw",
                                       "%s%n",
                                       "a\\b",
                                       "..hidden",
                                       std::string(240, 'x'),
                                       "\xe5\xad\x97",
                                       "\x1b[31mred"};
    for (unsigned number = 0; number < odd.size(); ++number)
        write_model("in/" + odd[number].substr(0, 100) + "/" + odd[number] + ".xac", number);
    fs::create_directory_symlink("..", path("in/ring"));
    fs::create_symlink("nowhere", path("in/dangling.xac"));
    const Summary summary = run();
    EXPECT_EQ(summary.totals.failed, 0u);
    EXPECT_EQ(names().size(), odd.size());
    EXPECT_EQ(run().totals.unchanged, odd.size());
    batch::Options pruning = options();
    pruning.prune = true;
    fs::remove_all(path("in"));
    write_model("in/last.xac", 1);
    EXPECT_EQ(run(pruning, {text("in")}).pruned.size(), odd.size());
    EXPECT_THAT(files(), testing::SizeIs(1));
}

TEST_F(Batch, TrustsNoManifest) {
    write_model("in/a.xac", 1);
    write("precious.txt", "mine");
    write("elsewhere/b.glb", "mine");
    fs::create_directories(path("out"));
    fs::create_directory_symlink(path("elsewhere"), path("out/link"));
    const std::string mine = ",4,1,\"" + *content_hash(path("precious.txt")) + "\"]";
    const auto made = [&](const std::string& name) {
        return "{\"end\":\"gone\",\"time\":1,\"purpose\":\"\",\"path\":\"/gone\",\"failed\":false,"
               "\"inputs\":[[\"gone\",1,1,\"\"]],\"beside\":[],\"outputs\":[[[\"" +
               name + "\"" + mine + ",false]],\"codes\":{}}\n";
    };
    write("out/.effigy-batch/manifest.jsonl",
          made("../precious.txt") + made("link/b.glb") + made(path("precious.txt").string()) +
              "{\"end\":\"x\"}\n{\"end\":[1],\"time\":\"x\"}\nno "
              "json\n[]\n{\"stale\":[\"../precious.txt\"" +
              mine +
              ",\"of\":\"a\",\"name\":\"a\",\"input\":\"/gone\"}\n"
              "{\"stale\":[\".effigy-batch/lock\",0,1,\"\"],\"of\":\"a\",\"name\":\"a\",\"input\":\"/gone\"}\n" +
              "{\"begin\":\"b\",\"to\":\"../x\"}\n{\"process\":7}\n{\"effigy_batch\":");
    batch::Options pruning = options();
    pruning.prune = true;
    const Summary summary = run(pruning, {text("in")});
    EXPECT_THAT(summary.pruned, IsEmpty());
    EXPECT_TRUE(fs::exists(path("precious.txt")));
    EXPECT_TRUE(fs::exists(path("elsewhere/b.glb")));
    EXPECT_TRUE(fs::exists(path("out/.effigy-batch/lock")));
    EXPECT_EQ(run().totals.unchanged, 1u);
}

TEST_F(Batch, LeavesTheManifestOfALaterVersionAlone) {
    write_model("in/a.xac", 1);
    write("out/.effigy-batch/manifest.jsonl", "{\"effigy_batch\":99}\n");
    const auto plan = batch::make_plan({text("in")}, options());
    ASSERT_TRUE(plan);
    const auto ran = batch::run(*plan, options(), batch::convert_job);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, codes::usage_output);
}

TEST_F(Batch, WaitsForNoPipeThatIsCalledAsItsManifest) {
    write_model("in/a.xac", 1);
    fs::create_directories(path("out/.effigy-batch"));
    ASSERT_EQ(::mkfifo(path("out/.effigy-batch/manifest.jsonl").c_str(), 0600), 0);
    const auto plan = batch::make_plan({text("in")}, options());
    ASSERT_TRUE(plan);
    const auto ran = batch::run(*plan, options(), batch::convert_job);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, codes::output_create);
}

TEST_F(Batch, StopsAtTheFirstFailureWhenAsked) {
    fill(8);
    write("in/0/large.xac", "XAC " + std::string(1 << 20, '\1'));  // the largest comes first
    batch::Options strict = options();
    strict.fail_fast = true;
    strict.threads = 1;
    const Summary summary = run(strict, {text("in")});
    EXPECT_EQ(summary.totals.failed, 1u);
    EXPECT_EQ(summary.totals.jobs_ended, 1u);
    EXPECT_TRUE(summary.cancelled);
    EXPECT_FALSE(fs::exists(path("out/0"))) << "of what failed an empty folder stays";
}

TEST_F(Batch, EndsWhenCancelledAndGoesOn) {
    fill(8);
    (void)run("whole");
    batch::Options short_run = options();
    short_run.threads = 1;
    unsigned ended = 0;
    short_run.event = [&](const batch::Event& event) { ended += !event.begins; };
    short_run.cancelled = [&] { return ended >= 3; };
    const Summary summary = run(short_run, {text("in")});
    EXPECT_TRUE(summary.cancelled);
    EXPECT_EQ(summary.totals.jobs_ended, 3u);
    EXPECT_THAT(temporaries(), IsEmpty());
    (void)run();
    EXPECT_EQ(files(), files("whole"));
}

TEST_F(Batch, LeavesNoEmptyFolderWhenCancelled) {
    write_model("in/a/b/c.xac", 1);
    batch::Options cancelling = options();
    bool has_begun = false;
    cancelling.event = [&](const batch::Event& event) { has_begun = has_begun || event.begins; };
    cancelling.cancelled = [&] { return has_begun; };
    EXPECT_TRUE(run(cancelling, {text("in")}).cancelled);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Batch, HasOneStoreOfMemory) {
    fill(6);
    batch::Options little = options();
    little.memory = 1000;
    const Summary failed = run(little, {text("in")});
    EXPECT_EQ(failed.totals.failed, 7u);
    EXPECT_EQ(failed.codes.at("limit-memory").jobs, 6u);
    EXPECT_THAT(files(), IsEmpty());
    batch::Options enough = options();
    enough.memory = std::uint64_t{1} << 20;
    enough.threads = 8;
    EXPECT_EQ(run(enough, {text("in")}).totals.failed, 1u);
}

TEST_F(Batch, NeverWritesOverItsInputs) {
    write_model("in/a.xac", 1);
    const auto plan = batch::make_plan({text("in")}, options("in"));
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, codes::usage_output);
    // A folder in the inputs is no input.
    (void)run(options("in/made"), {text("in")});
    EXPECT_EQ(run(options("in/made"), {text("in")}).totals.jobs, 1u);
}

TEST_F(Batch, PicturesThatSeveralModelsShareAreTheSameInShards) {
    for (const char* name : {"x/a", "x/b", "x/c", "y/d", "y/e"}) {
        write_model(std::string("source/") + name + ".xac", 1);
        fs::create_directories(path(std::string("in/") + name).parent_path());
        image::Picture picture;
        picture.width = picture.height = 2;
        picture.rgba.assign(16, std::byte{0xff});
        ASSERT_TRUE(write_bytes(path("source/x/skin.png"), *image::encode_png(picture)));
        ConvertOptions with;
        with.values.add("textures", path("source/x").string());
        with.values.set("no-records");
        ASSERT_TRUE(convert({text(std::string("source/") + name + ".xac")},
                            OutputFiles(path(std::string("in/") + name + ".glb")), with));
    }
    const auto to_xac = [&](const std::string& output, batch::Shard shard) {
        batch::Options back = options(output);
        back.convert.values.set("to", "xac");
        back.convert.values.set("textures-as", "png");
        back.ending = ".xac";
        back.threads = 4;
        back.shard = shard;
        (void)run(back, {text("in")});
    };
    to_xac("whole", {});
    EXPECT_GT(names("whole").size(), 5u) << "there are pictures";
    for (std::uint32_t number = 3; number >= 1; --number) to_xac("parts", {number, 3});
    EXPECT_EQ(files("parts"), files("whole"));
}

}  // namespace
}  // namespace effigy::test
