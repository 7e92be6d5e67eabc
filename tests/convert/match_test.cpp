/// Motions that fit, in memory: ranked, and taken by conversions.

#include "effigy/match.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string_view>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "contents.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Nodes one below the other, each with a mesh of its own that has no triangles.
Bytes actor(const std::vector<std::string>& names) {
    xac::File file;
    xac::Nodes nodes;
    nodes.root_count = 1;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        xac::Node& node = nodes.nodes.emplace_back();
        node.name = names[i];
        node.parent = i == 0 ? xac::no_node : i - 1;
        node.child_count = i + 1 < names.size() ? 1 : 0;
    }
    file.chunks.push_back({11, 1, {}, std::move(nodes), {}});
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        xac::Mesh mesh;
        mesh.node = i;
        file.chunks.push_back({1, 1, {}, std::move(mesh), {}});
    }
    return xac::write(file).value();
}

Bytes motion(const std::vector<std::string>& names, bool moves = true) {
    xsm::Submotions list;
    for (const std::string& name : names) {
        xsm::Submotion& track = list.submotions.emplace_back();
        track.node_name = name;
        if (moves) track.position_keys = {{{0, 0, 0}, 0}, {{0, 0, 1}, 1}};
    }
    xsm::File file;
    file.chunks.push_back({201, 2, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({202, 1, {}, std::move(list), {}});
    return xsm::write(file).value();
}

Bytes talk() {
    xpm::Submotion track;
    track.name = "smile";
    track.keys = {{0, 0, {}}, {1, 65535, {}}};
    xpm::File file;
    file.chunks.push_back({101, 1, {}, emfx::MotionInfo{}, {}});
    file.chunks.push_back({102, 1, {}, xpm::Submotions{{track}}, {}});
    return xpm::write(file).value();
}

class Match : public ::testing::Test {
protected:
    Match() {
        options.files = {[this](const std::string& name) -> Result<Bytes> {
                             if (const auto found = content.find(name); found != content.end()) return found->second;
                             Diagnostic missing;
                             missing.code = "file-missing";
                             missing.file = name;
                             return fail(std::move(missing));
                         },
                         [this] {
                             std::vector<std::string> names;
                             for (const auto& [name, bytes] : content) names.push_back(name);
                             return names;
                         }};
    }

    [[nodiscard]] std::vector<InputFile> all() const {
        std::vector<InputFile> files;
        for (const auto& [name, bytes] : content) files.emplace_back(name);
        return files;
    }

    [[nodiscard]] std::vector<std::string> clips_of(const std::vector<InputFile>& inputs) {
        auto loaded = load_scene(inputs, options);
        EXPECT_TRUE(loaded) << to_string(loaded.error());
        std::vector<std::string> names;
        if (!loaded) return names;
        for (const Clip& clip : loaded->value.clips) names.push_back(clip.name);
        report = std::move(loaded->report);
        return names;
    }

    std::map<std::string, Bytes> content{{"cat.xac", actor({"hip", "tail", "paw"})},
                                         {"bird.xac", actor({"hip", "wing", "beak"})},
                                         {"moves/bird_fly.xsm", motion({"hip", "wing", "beak"})},
                                         {"moves/cat_run.xsm", motion({"hip", "tail", "paw"})},
                                         {"moves/dog_run.xsm", motion({"hip", "tail", "paw", "ear"})},
                                         {"moves/still.xsm", motion({"hip", "tail", "paw"}, false)},
                                         {"moves/talk.xpm", talk()}};
    ConvertOptions options;
    Report report;
};

std::vector<std::string> names_of(const ModelMotions& model) {
    std::vector<std::string> names;
    for (const FittingMotion& motion : model.motions) names.push_back(motion.file.string());
    return names;
}

TEST_F(Match, RanksWhatFits) {
    const auto matches = match_motions(all(), options);
    ASSERT_TRUE(matches) << to_string(matches.error());
    EXPECT_EQ(matches->motions, 5U);
    EXPECT_THAT(matches->unreadable, IsEmpty());
    ASSERT_EQ(matches->models.size(), 2U);
    EXPECT_EQ(matches->models[0].model, "bird.xac");
    EXPECT_THAT(names_of(matches->models[0]), ElementsAre("moves/bird_fly.xsm"));
    // Its own first, by the name; what moves nothing last.
    EXPECT_THAT(names_of(matches->models[1]), ElementsAre("moves/cat_run.xsm", "moves/dog_run.xsm", "moves/still.xsm"));
    const std::vector<FittingMotion>& cat = matches->models[1].motions;
    EXPECT_GT(cat[0].likeness, cat[1].likeness);
    EXPECT_TRUE(cat[2].fit.is_weak);
    EXPECT_EQ(cat[1].fit.moving_tracks_found, 3U);
    EXPECT_EQ(cat[1].fit.moving_tracks, 4U);
}

constexpr std::string_view cat_entry = R"(# of the game
objectTypes = {
    meshType = { name = "cat" file = "cat_run.xsm" }
    EMFXActorType = { name = "Cat" actorfile = "gfx\anims\CAT.xac"
        idle = "gfx\anims\Still.xsm" move = "gfx\anims\Dog_Run.xsm" scale = 1
        attach = { name = "x" file = "cat_run.xsm" attachId = 1 }
        animation = { name = "retreat" file = "gfx/anims/Far.xsm" defaultAnimationTime = 0.5 }
        animation = { name = "rotate" file = "gfx/anims/wheel.xsm" } }
    EMFXActorType = { name = "Bird" actorfile = "bird.xac" idle = "cat_run.xsm" }
})";

// A game's own text files come first, wherever they lie around the model.
TEST_F(Match, PrefersWhatAGameDeclares) {
    content["moves/far.xsm"] = motion({"hip", "leg", "arm"});
    content["moves/wheel.xsm"] = motion({"wheel"});
    const std::string cat = "mod/gfx/anims/cat.xac";
    content[cat] = content["cat.xac"];
    content.erase("cat.xac");
    for (const std::string folder : {"mod/gfx/anims/", "mod/interface/", "mod/Interface/", "elsewhere/"}) {
        const bool is_near = folder != "elsewhere/";
        content[folder + "Units.GFX"] = bytes_of_text(cat_entry);
        const auto matches = match_motions(
            {cat, "moves/cat_run.xsm", "moves/dog_run.xsm", "moves/far.xsm", "moves/still.xsm", "moves/wheel.xsm"},
            options);
        ASSERT_TRUE(matches) << to_string(matches.error());
        ASSERT_EQ(matches->models.size(), 1U);
        std::vector<std::string> found;
        for (const FittingMotion& motion : matches->models[0].motions)
            found.push_back(motion.file.filename().string() + " " + motion.declared);
        if (is_near) {
            EXPECT_THAT(
                found, ElementsAre("dog_run.xsm Units.GFX", "far.xsm Units.GFX", "cat_run.xsm ", "still.xsm Units.GFX"))
                << folder;
        } else {
            EXPECT_THAT(found, ElementsAre("cat_run.xsm ", "dog_run.xsm ", "still.xsm "));
        }
        content.erase(folder + "Units.GFX");
    }
    content["mod/interface/broken.gfx"] = bytes_of_text(cat_entry.substr(0, cat_entry.find("scale")));
    content["mod/interface/units.gfx"] = bytes_of_text(cat_entry);
    options.values.set("motions", "moves");
    EXPECT_THAT(clips_of({cat}), ElementsAre("dog_run", "far", "cat_run"));
}

/// The bones of an actor or a motion, each so far from the one above.
void stretch(Bytes& actor, Bytes& motion, float rest, float bind) {
    auto model = xac::read(actor)->value;
    for (xac::Node& node : std::get<xac::Nodes>(model.chunks[0].record).nodes) node.position = {0, rest, 0};
    actor = xac::write(model).value();
    auto file = xsm::read(motion)->value;
    for (xsm::Submotion& track : std::get<xsm::Submotions>(file.chunks[1].record).submotions)
        track.bind_pose_position = track.pose_position = {0, bind, 0};
    motion = xsm::write(file).value();
}

// Hearts of Iron 3 and Victoria 2 adapt such a motion if they are told to.
TEST_F(Match, EntriesSayThatMotionsAreForAnotherSkeleton) {
    const std::vector<std::string> bones{"hip", "spine", "neck", "head", "hand"};
    for (const float bind : {1.0F, 1.5F}) {
        content["man.xac"] = actor(bones);
        content["man_walk.xsm"] = motion(bones);
        stretch(content["man.xac"], content["man_walk.xsm"], 1, bind);
        for (const std::string game : {"hoi3", "victoria2", "eu3"}) {
            options.values.set("target", game);
            OutputFiles output("man2.xac");
            output.take = [](const std::vector<NewFile>&) { return Result<void>(); };
            const auto made = convert({"man.xac", "man_walk.xsm"}, output, options);
            ASSERT_TRUE(made) << to_string(made.error());
            std::string entry;
            for (const Diagnostic& finding : made->report.diagnostics()) {
                if (finding.code == "game-entry") entry = finding.found;
            }
            EXPECT_THAT(entry, HasSubstr("EMFXActorType = {"));
            EXPECT_EQ(entry.find(" retargeting = yes ") != std::string::npos, bind > 1 && game != "eu3")
                << game << ": " << entry;
        }
    }
}

/// As Tree of Savior's actors, which alone have materials of this kind.
void add_effect(Bytes& actor) {
    auto model = xac::read(actor)->value;
    model.chunks.push_back({5, 2, {}, xac::FxMaterial{}, {}});
    actor = xac::write(model).value();
}

// All figures of Tree of Savior have the names of one skeleton.
TEST_F(Match, WantsMoreOfFiguresThatShareNames) {
    content.clear();
    std::vector<std::string> bones;
    for (int i = 0; i < 10; ++i) bones.push_back("Bip01 " + std::to_string(i));
    content["npc_cat_set.xac"] = content["npc_dog_set.xac"] = content["base.xac"] = actor(bones);
    for (const char* name : {"npc_cat_set.xac", "npc_dog_set.xac"}) add_effect(content[name]);
    content["npc_cat_run.xsm"] = content["npc_wolf_run.xsm"] = motion(bones);
    content["npc_catfish_run.xsm"] = motion(bones);
    std::vector<std::string> few(bones.begin(), bones.end() - 1), many = bones;
    many.push_back("tail");
    content["few.xsm"] = motion(few);
    content["many.xsm"] = motion(many);
    const auto matches = match_motions(all(), options);
    ASSERT_TRUE(matches) << to_string(matches.error());
    ASSERT_EQ(matches->models.size(), 3U);
    EXPECT_EQ(matches->models[0].motions.size(), 5U) << "a figure of another game";
    EXPECT_THAT(names_of(matches->models[1]),
                ::testing::UnorderedElementsAre("npc_cat_run.xsm", "npc_catfish_run.xsm", "npc_wolf_run.xsm"));
    EXPECT_EQ(names_of(matches->models[1]).front(), "npc_cat_run.xsm");
    for (const FittingMotion& motion : matches->models[1].motions)
        EXPECT_EQ(motion.is_namesake, motion.file == "npc_cat_run.xsm");
    for (const FittingMotion& motion : matches->models[2].motions) EXPECT_FALSE(motion.is_namesake);
    options.values.set("motions", ".");
    EXPECT_EQ(clips_of({"npc_cat_set.xac"}).size(), 3U) << "a conversion takes all that fit";
}

TEST_F(Match, NamesWhatItCannotRead) {
    content["moves/cut.xsm"] = Bytes(content["moves/cat_run.xsm"].begin(), content["moves/cat_run.xsm"].begin() + 6);
    const auto matches = match_motions(all(), options);
    ASSERT_TRUE(matches) << to_string(matches.error());
    EXPECT_EQ(matches->models.size(), 2U);
    for (const Diagnostic& problem : matches->unreadable) EXPECT_EQ(problem.file, "moves/cut.xsm");
}

TEST_F(Match, IsCancelled) {
    options.progress = [](const Step&) { return false; };
    const auto matches = match_motions(all(), options);
    ASSERT_FALSE(matches);
    EXPECT_EQ(matches.error().code, "limit-cancelled");
}

TEST_F(Match, ConversionsTakeWhatFits) {
    options.values.set("motions", "moves");
    EXPECT_THAT(clips_of({"cat.xac"}), ElementsAre("cat_run", "dog_run"));
    ASSERT_EQ(report.count("motions-taken"), 1U);
    EXPECT_THAT(report.diagnostics().front().found, HasSubstr("2 of 5: cat_run.xsm, dog_run.xsm; 1 fit"));
    EXPECT_EQ(report.count("motion-names-nothing"), 0U);
}

TEST_F(Match, WhatIsNamedIsTakenAnyway) {
    options.values.set("motions", "moves");
    EXPECT_THAT(clips_of({"cat.xac", "moves/still.xsm", "moves/cat_run.xsm"}),
                ElementsAre("still", "cat_run", "dog_run"));
    EXPECT_THAT(report.diagnostics().front().found, HasSubstr("1 of 3"));
}

TEST_F(Match, PartsCountAsOneModel) {
    options.values.set("motions", "moves");
    content["all.xsm"] = content["moves/all.xsm"] = motion({"hip", "tail", "paw", "wing", "beak"});
    EXPECT_THAT(clips_of({"cat.xac", "bird.xac"}), ElementsAre("all"));
}

TEST_F(Match, NothingThatFitsIsAWarning) {
    options.values.set("motions", "moves");
    content["stone.xac"] = actor({"stone"});
    EXPECT_THAT(clips_of({"stone.xac"}), IsEmpty());
    ASSERT_EQ(report.count("motions-taken"), 1U);
    EXPECT_EQ(report.diagnostics().front().severity, Severity::warning);
}

TEST_F(Match, MotionsWithoutAModelAreRefused) {
    options.values.set("motions", "moves");
    const auto refused = load_scene({"moves/cat_run.xsm"}, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "usage-option");
    EXPECT_THAT(refused.error().message, HasSubstr("--motions"));
}

// A model and its motion share their stem.
TEST_F(Match, WhatNamesNothingIsNamedItself) {
    content["cat.xpm"] = talk();
    content["cat.xsm"] = motion({"wheel"});
    EXPECT_THAT(clips_of({"cat.xac", "cat.xpm", "cat.xsm"}), IsEmpty());
    std::vector<std::string> files;
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.code == "motion-names-nothing") files.push_back(finding.file);
    }
    EXPECT_THAT(files, ::testing::UnorderedElementsAre("cat.xpm", "cat.xsm"));
}

// The same words of the same motion, whoever says them.
TEST_F(Match, ChecksAndConversionsSayTheSame) {
    content["half.xsm"] = motion({"hip", "tail", "paw", "wheel"});
    content["rest.xsm"] = motion({"hip", "tail", "paw"});
    {
        auto file = xsm::read(content["rest.xsm"])->value;
        xsm::Submotion idle;
        idle.node_name = "flag";
        std::get<xsm::Submotions>(file.chunks[1].record).submotions.push_back(idle);
        content["rest.xsm"] = xsm::write(file).value();
    }
    content["other.xsm"] = motion({"wheel"});
    content["other.xpm"] = talk();
    const auto model = open_bytes(content["cat.xac"], "cat.xac");
    ASSERT_TRUE(model);
    CheckContext context;
    context.model = &model->value;
    for (const char* name : {"half.xsm", "rest.xsm", "other.xsm", "other.xpm"}) {
        const auto document = open_bytes(content[name], name);
        ASSERT_TRUE(document);
        static_cast<void>(clips_of({"cat.xac", name}));
        const Report checked = document->value.check(context);
        std::size_t seen = 0;
        for (const Diagnostic& finding : report.diagnostics()) {
            if (!finding.code.starts_with("motion-")) continue;
            ++seen;
            const auto same = std::find_if(checked.diagnostics().begin(), checked.diagnostics().end(),
                                           [&](const Diagnostic& other) { return other.code == finding.code; });
            ASSERT_NE(same, checked.diagnostics().end()) << name << ": " << finding.code;
            EXPECT_EQ(same->message, finding.message);
            EXPECT_EQ(same->severity, finding.severity);
        }
        EXPECT_EQ(seen, 1U) << name;
    }
}

}  // namespace
}  // namespace effigy::test
