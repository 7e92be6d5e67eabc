/// A whole mod has no findings, and each damage has exactly its own.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <tuple>

#include "effigy/catalog.hpp"
#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"
#include "effigy/registry.hpp"

#include "contents.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/check/component.hpp"
#include "egosoft/check_cases.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/surroundings.hpp"
#include "reports.hpp"
#include "rule_tables.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

class CheckMod : public testing::Test {
protected:
    [[nodiscard]] fs::path mod() const { return root_ / folder_; }
    [[nodiscard]] fs::path game() const { return root_ / "game"; }

    /// Of all components, and of the folder.
    [[nodiscard]] Report check(bool with_game = false) const {
        std::vector<fs::path> roots{mod()};
        if (with_game) {
            fs::create_directories(game());
            roots.insert(roots.begin(), game());
        }
        auto files = egosoft::GameFiles::open(roots);
        EXPECT_TRUE(files.has_value());
        if (!files) return {};
        auto materials = egosoft::load_material_library(files->value, {});
        EXPECT_TRUE(materials.has_value());
        const bool has_materials = materials && !materials->value.empty();
        const Surroundings around =
            egosoft::surroundings_of({&files->value, has_materials ? &materials->value : nullptr});
        CheckContext context;
        context.surroundings = &around;
        Report report = check_components(context);
        report.append(egosoft::check_mod(mod(), context));
        return report;
    }

    /// With all in a catalog but the folder `loose` and content.xml; what is no more than an info is left out.
    [[nodiscard]] Report check_packed(const ModFiles& files, const std::string& loose) const {
        const fs::path all = root_ / (folder_ + ".loose");
        files.write(all);
        fs::create_directories(mod());
        std::vector<catalog::Packed> packed;
        for (const auto& entry : fs::recursive_directory_iterator(all)) {
            if (!entry.is_regular_file()) continue;
            const std::string path = entry.path().lexically_relative(all).generic_string();
            if (path == "content.xml" || (!loose.empty() && path.starts_with(loose + "/"))) {
                fs::create_directories((mod() / path).parent_path());
                fs::copy(entry.path(), mod() / path);
            } else {
                packed.push_back({path, entry.path()});
            }
        }
        EXPECT_TRUE(catalog::pack(packed, mod() / "ext_01.cat").has_value());
        Report report = check();
        std::erase_if(report.diagnostics(),
                      [](const Diagnostic& finding) { return finding.severity == Severity::info; });
        return report;
    }

    [[nodiscard]] static Report read_component_of(const fs::path& folder) {
        auto document = open_file(folder / component_path);
        EXPECT_TRUE(document.has_value());
        return document ? std::move(document->report) : Report();
    }

private:
    [[nodiscard]] Report check_components(CheckContext context) const {
        Report report;
        for (const auto& entry : fs::recursive_directory_iterator(mod())) {
            if (!entry.is_regular_file() || entry.path().extension() != ".xml") continue;
            auto document = open_file(entry.path());
            if (!document || document->value.format().id != egosoft::ComponentFormat::format().id) continue;
            context.path = entry.path();
            report.append(egosoft::ComponentFormat::check(*document->value.get_if<egosoft::ComponentFile>(), context));
        }
        return report;
    }

    TemporaryFolder root_;

protected:
    std::string folder_ = "unpacked";
};

std::set<std::string> codes(const Report& report) {
    std::set<std::string> all;
    for (const Diagnostic& finding : report.diagnostics()) all.insert(finding.code);
    return all;
}

const std::set<std::string> sections{"egosoft connections", "egosoft references", "egosoft parts", "egosoft shapes",
                                     "egosoft materials",   "egosoft animations", "egosoft folder"};

bool has_component_finding(const Report& report, std::string_view code) {
    return std::any_of(report.diagnostics().begin(), report.diagnostics().end(),
                       [&](const Diagnostic& finding) { return finding.code == code && finding.file.empty(); });
}

TEST_F(CheckMod, FindsNothingInAWholeMod) {
    whole_mod().write(mod());
    const Report report = check();
    EXPECT_TRUE(report.empty()) << findings(report);
    const Report with_game = check(true);
    EXPECT_TRUE(with_game.empty()) << findings(with_game);
}

class CheckModCase : public CheckMod, public testing::WithParamInterface<Case> {};

TEST_P(CheckModCase, FindsExactlyThat) {
    ModFiles files = whole_mod();
    folder_ = GetParam().folder;
    GetParam().damage(files);
    files.write(mod());
    if (GetParam().damage_folder) GetParam().damage_folder(mod());
    const Report report = check(GetParam().game);
    std::set<std::string> expected = GetParam().also;
    expected.insert(GetParam().code);
    EXPECT_EQ(codes(report), expected) << findings(report);
    const std::vector<Code> rules = codes_in(sections);
    const auto rule = std::find(rules.begin(), rules.end(), std::string_view(GetParam().code));
    ASSERT_NE(rule, rules.end());
    EXPECT_EQ(rule->applies_to.starts_with("component"), has_component_finding(report, rule->name));
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.code != rule->name) continue;
        EXPECT_TRUE(finding.severity == rule->severity || finding.severity == rule->other_severity);
        EXPECT_EQ(finding.message, rule->meaning);
        // What is about the component, and not about the folder, stands somewhere in its XML.
        if (finding.file.empty()) {
            ASSERT_LT(finding.offset, files.texts.at(component_path).size());
            EXPECT_EQ(files.texts.at(component_path)[finding.offset], '<');
            EXPECT_FALSE(finding.path.empty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, CheckModCase, testing::ValuesIn(check_cases()),
                         [](const testing::TestParamInfo<Case>& one) {
                             std::string name = one.param.code;
                             for (char& letter : name) letter = letter == '-' ? '_' : letter;
                             return name;
                         });

TEST_F(CheckMod, LaunchersAreTiedAsWeaponsAre) {
    for (const char* const kind : {"weapon", "missilelauncher"}) {
        ModFiles files = whole_mod();
        files.replace(component_path, R"(class="ship_s")", "class=\"" + std::string(kind) + "\"");
        files.replace(component_path, R"(name="space" tags="ship ship_s")", R"(name="slot" tags="weapon small")");
        files.write(mod());
        EXPECT_FALSE(codes(check()).contains("connection-space-missing")) << kind;
    }
}

TEST_F(CheckMod, NamesThePlace) {
    ModFiles files = whole_mod();
    files.meshes.erase(data_path + "part_main-lod1.xmf");
    files.write(mod());
    const Report report = check();
    ASSERT_EQ(report.diagnostics().size(), 1U) << findings(report);
    const Diagnostic& finding = report.diagnostics().front();
    EXPECT_EQ(finding.path, "connection[0] Connection01 / part part_main / lod[1]");
    EXPECT_EQ(files.texts.at(component_path).substr(finding.offset, 16), "<lod index=\"1\"><");
    EXPECT_EQ(finding.expected, "extensions/my_mod/assets/units/size_s/ship_test_data/part_main-lod1.xmf");
}

TEST_F(CheckMod, TakesWhatTheGameHas) {
    ModFiles files = whole_mod();
    files.replace(component_path, "ship_test.part_main", "ship_game.part_main");
    files.write(mod());
    ModFiles base;
    base.texts[index_path] = R"(<index><entry name="ship_game" value="assets\units\ship_game"/></index>)";
    base.texts["assets/units/ship_game.xml"] =
        R"(<components><component name="ship_game" class="ship_s"><connections><connection name="a" tags="part"><parts>)"
        R"(<part name="part_main"/></parts></connection></connections></component></components>)";
    base.write(game());
    const Report report = check(true);
    EXPECT_TRUE(report.empty()) << findings(report);
}

TEST_F(CheckMod, FindsRingsThroughOtherComponents) {
    ModFiles files = whole_mod();
    files.replace(component_path, "ship_test.part_main", "ship_loop.part_main");
    files.texts["assets/units/ship_loop.xml"] =
        R"(<components><component name="ship_loop" class="ship_s"><connections><connection name="a" tags="part"><parts>)"
        R"(<part name="part_main" ref="ship_test.part_copy"/></parts></connection></connections></component></components>)";
    files.replace(index_path, "</add>",
                  R"(<entry name="ship_loop" value="extensions\my_mod\assets\units\ship_loop"/></add>)");
    files.write(mod());
    EXPECT_EQ(codes(check()), std::set<std::string>{"reference-cycle"});
}

TEST_F(CheckMod, LooksUpTheMaterialsOfAMeshAlone) {
    egosoft::MaterialLibrary library;
    const std::string text = whole_mod().texts.at(library_path);
    const auto bytes = std::as_bytes(std::span(text));
    ASSERT_TRUE(library.add(Bytes(bytes.begin(), bytes.end())).has_value());
    xmf::File mesh = box_mesh(1, 12, {"my.hull", "my.glow", "game.glow", "standardmaterial"});
    const Surroundings with_library = egosoft::surroundings_of({nullptr, &library});
    CheckContext context;
    context.surroundings = &with_library;
    context.path = mod() / "part_main-lod0.xmf";
    const Report report = egosoft::check_mesh_materials(mesh, context);
    ASSERT_EQ(report.diagnostics().size(), 2U) << findings(report);
    EXPECT_EQ(report.diagnostics()[0].code, "material-unknown");
    EXPECT_EQ(report.diagnostics()[0].found, "my.glow");
    EXPECT_EQ(report.diagnostics()[0].offset, 64U + 2 * 188 + 136 + 8);
    EXPECT_EQ(report.diagnostics()[1].code, "material-unresolved");
    context.surroundings = nullptr;
    EXPECT_TRUE(egosoft::check_mesh_materials(mesh, context).empty());
}

struct Loudness {
    const char* code;
    Severity severity;
    std::function<void(ModFiles&)> damage;
};

TEST_F(CheckMod, IsAsLoudAsPublishedModsSay) {
    const auto replaced = [](const std::string& path, const char* from, const char* to) {
        return [=](ModFiles& mod) { mod.replace(path, from, to); };
    };
    const auto both = [](std::function<void(ModFiles&)> one, std::function<void(ModFiles&)> other) {
        return [=](ModFiles& mod) { one(mod), other(mod); };
    };
    const auto no_wreck = [](ModFiles& mod) {
        mod.replace(component_path, R"( wreck="part_main_wreck")", "");
        std::erase_if(mod.meshes, [](const auto& one) { return one.first.find("_wreck-") != std::string::npos; });
    };
    const auto unindexed = replaced(index_path, R"(name="ship_test")", R"(name="ship_best")");
    const std::vector<Loudness> all{
        {"wreck-absent", Severity::info, no_wreck},
        {"wreck-absent", Severity::warning,
         both(no_wreck, replaced(component_path, R"(class="ship_s")", R"(class="ship_l")"))},
        {"component-unindexed", Severity::warning, unindexed},
        {"component-unindexed", Severity::info,
         both(unindexed, [](ModFiles& mod) { mod.texts[macro_index_path] = "<index/>"; })},
        {"macro-unindexed", Severity::warning,
         replaced(macro_index_path, R"("ship_test_macro" value)", R"("ship_best_macro" value)")},
        {"ware-macro-missing", Severity::warning,
         both(replaced(wares_path, R"(id="ship_test")", R"(id="ship_lost")"),
              replaced(wares_path, R"("ship_test_macro")", R"("ship_lost_macro")"))},
        {"ware-macro-missing", Severity::info, replaced(wares_path, R"("ship_test_macro")", R"("ship_arg_macro")")},
        {"text-missing", Severity::warning, replaced(macro_path, "{987654,101}", "{987654, 102}")},
        {"text-missing", Severity::info, replaced(texts_path, R"(id="987654")", R"(id="20101")")},
        {"material-shader-unknown", Severity::info, replaced(library_path, "P1_complex_surface.fx", "P1_surface.fx")},
        {"name-repeated", Severity::info, replaced(component_path, R"(name="Connection04")", R"(name="Connection03")")},
        {"name-repeated", Severity::warning, replaced(component_path, R"(name="part_copy")", R"(name="part_main")")},
        {"part-levels-missing", Severity::warning,
         replaced(
             component_path,
             R"(<part name="fx_glow"><lods><lod index="0"><materials><material id="1" ref="my.hull"/></materials></lod></lods></part>)",
             R"(<part name="fx_glow"/>)")},
        {"mesh-color-missing", Severity::info,
         [](ModFiles& mod) {
             mod.meshes[data_path + "fx_glow-lod0.xmf"].buffers[0].elements[2].usage = xmf::Usage::depth;
         }},
    };
    int number = 0;
    for (const Loudness& one : all) {
        folder_ = "mod" + std::to_string(number++);
        ModFiles files = whole_mod();
        one.damage(files);
        files.write(mod());
        Report report = check();
        if (std::string_view(one.code) == "name-repeated") report = read_component_of(mod());
        const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                        [&](const Diagnostic& finding) { return finding.code == one.code; });
        ASSERT_NE(found, report.diagnostics().end()) << one.code << "\n" << findings(report);
        EXPECT_EQ(found->severity, one.severity) << one.code << number;
    }
}

TEST_F(CheckMod, LeavesIconsAlone) {
    ModFiles files = whole_mod();
    files.texts["assets/fx/gui/textures/ships/ship_test.gz"] = gzipped(dds_file(96, 60, 1, false));
    files.write(mod());
    const Report report = check();
    EXPECT_TRUE(report.empty()) << findings(report);
}

TEST_F(CheckMod, SaysOnceWhatManyMaterialsLack) {
    ModFiles files = whole_mod();
    files.texts.erase("assets/textures/hull_diff.gz");
    std::string more;
    for (int number = 0; number < 40; ++number) {
        more += "<material name=\"m" + std::to_string(number) + "\" shader=\"p1_glass.fx\"><properties>" +
                R"(<property type="BitMap" name="diffuse_map" value="extensions\my_mod\assets\textures\t)" +
                std::to_string(number) + "\"/></properties></material>";
    }
    files.replace(library_path, "    </collection>", more + "    </collection>");
    files.write(mod());
    Report report = check();
    std::erase_if(report.diagnostics(), [](const Diagnostic& finding) { return finding.file.empty(); });
    ASSERT_EQ(report.diagnostics().size(), 1U) << findings(report);
    EXPECT_EQ(report.diagnostics().front().expected, "extensions/my_mod/assets/textures");
    EXPECT_TRUE(report.diagnostics().front().found.starts_with("none of 41 textures of 41 materials: "));
}

TEST_F(CheckMod, SaysOnceThatCollisionIndicesAreNarrow) {
    ModFiles files = whole_mod();
    xmf::File& mesh = files.meshes[data_path + "part_main-collision.xmf"];
    mesh.buffers[1] = box_mesh(2, 12, {}).buffers[1];
    EXPECT_EQ(codes(egosoft::check_mesh(mesh, true)), std::set<std::string>{"xmf-collision-indices"});
    files.write(mod());
    const Report report = check();
    EXPECT_TRUE(report.empty()) << findings(report);
}

TEST_F(CheckMod, CountsTheShapesOfPartsThatNothingHits) {
    ModFiles files = whole_mod();
    for (const char* const kind : {"hull", "mesh"})
        files.texts[data_path + "fx_glow-" + kind + ".jcs"] = std::string("\0\0\0\0\6", 5);
    files.write(mod());
    const Report report = check();
    ASSERT_EQ(codes(report), std::set<std::string>{"jcs-rebake"}) << findings(report);
    EXPECT_EQ(report.diagnostics().front().found,
              "2 files: fx_glow-hull.jcs, fx_glow-mesh.jcs, 2 of them of parts tagged nocollision");
}

TEST_F(CheckMod, WantsALibraryForItsOwnMaterials) {
    ModFiles files = whole_mod();
    files.texts.erase(library_path);
    for (auto& [path, mesh] : files.meshes) {
        for (xmf::Material& material : mesh.materials) std::memcpy(material.name.data(), "my_mod.hull\0", 12);
    }
    std::string& xml = files.texts[component_path];
    for (std::size_t at = 0; (at = xml.find("my.hull", at)) != std::string::npos;) xml.replace(at, 7, "my_mod.hull");
    files.write(mod());
    EXPECT_EQ(codes(check()), std::set<std::string>{"material-unknown"});
    // Those of other collections may be the game's.
    folder_ = "second";
    files = whole_mod();
    files.texts.erase(library_path);
    files.write(mod());
    const Report report = check();
    EXPECT_EQ(codes(report), std::set<std::string>{"material-unresolved"}) << findings(report);
    EXPECT_EQ(report.diagnostics().front().severity, Severity::info);
}

TEST_F(CheckMod, KnowsWhereGeometryLeadsTo) {
    const char* whole = R"(extensions\my_mod\assets\units\size_s\ship_test_data)";
    const std::vector<std::pair<std::string, std::string>> paths{
        {R"(assets\units\size_s\ship_test_data)", "path-folder"},
        {R"(extensions\your_mod\assets\units\size_s\ship_test_data)", "path-folder"},
        {R"(extensions\my_mod\assets\units\size_m\ship_test_data)", "geometry-missing"},
        {R"(assets\units\size_m\ship_test_data)", "geometry-missing"},
    };
    int number = 0;
    for (const auto& [path, code] : paths) {
        ModFiles files = whole_mod();
        files.replace(component_path, whole, path);
        folder_ = "mod" + std::to_string(number++);
        files.write(mod());
        const Report report = check();
        const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                        [wanted = code](const Diagnostic& finding) { return finding.code == wanted; });
        ASSERT_NE(found, report.diagnostics().end()) << path << "\n" << findings(report);
        EXPECT_EQ(found->severity, Severity::error);
    }
}

/// What is still in catalogs of a game is missing only for who does not name that.
TEST_F(CheckMod, SaysHowMeshesOfAGameAreFound) {
    ModFiles files = whole_mod();
    files.replace(component_path, R"(extensions\my_mod\assets\units\size_s\ship_test_data)",
                  R"(assets\units\size_s\ship_test_data)");
    files.meshes.clear();
    files.animations.animations.clear();
    files.write(mod());
    const Report report = check();
    const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                    [](const Diagnostic& finding) { return finding.code == "geometry-missing"; });
    ASSERT_NE(found, report.diagnostics().end()) << findings(report);
    for (const char* way : {"--game DIR", "`effigy unpack`"})
        EXPECT_NE(found->message.find(way), std::string::npos) << found->message;
}

TEST_F(CheckMod, WantsNoFolderInTheGamesOwnPaths) {
    ModFiles files = whole_mod();
    files.texts.erase("content.xml");
    for (auto& [path, text] : files.texts) {
        constexpr std::string_view folder = R"(extensions\my_mod\)";
        for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) text.erase(at, folder.size());
    }
    files.write(mod());
    const Report report = check();
    EXPECT_FALSE(report.has_errors()) << findings(report);
}

TEST_F(CheckMod, FindsWhatOnlyTheGamesComponentsTell) {
    ModFiles files = whole_mod();
    files.replace(macro_path, R"(class="ship_s"><component ref="ship_test"/>)",
                  R"(class="ship_s"><component ref="ship_game"/>)");
    files.write(mod());
    ModFiles base;
    base.texts[index_path] = R"(<index><entry name="ship_game" value="assets\units\ship_game"/></index>)";
    base.texts["assets/units/ship_game.xml"] =
        R"(<components><component name="ship_game" class="ship_m"><connections><connection name="a" tags="b"/>)"
        R"(</connections></component></components>)";
    base.write(game());
    std::set<std::string> told{"macro-class-differs", "macro-child-connection-missing"};
    EXPECT_EQ(codes(check(true)), told);
    // A change of the mod's has the path of what it is for.
    files.texts["assets/units/ship_game.xml"] =
        R"(<diff><add sel="/components/component/connections"><connection name="b" tags="b"/></add></diff>)";
    files.write(mod());
    told.insert("diff-applied");
    EXPECT_EQ(codes(check(true)), told);
}

constexpr const char* game_library = R"(<materiallibrary><collection name="game"><material name="hull" shader="a">)"
                                     R"(<properties><property type="Float" name="x" value="1"/></properties>)"
                                     R"(</material></collection></materiallibrary>)";
constexpr const char* game_wares =
    R"(<wares><ware id="iron"><price min="1"/></ware><ware id="gold"><price min="2"/></ware></wares>)";

TEST_F(CheckMod, LooksUpInTheGameWhatChangesSelect) {
    ModFiles files = whole_mod();
    files.replace(wares_path, "</diff>",
                  R"(<replace sel="/wares/ware[@id='iron']/price/@min">3</replace>)"
                  R"(<replace sel="/wares/ware[@id='silver']/price/@min">3</replace>)"
                  R"(<replace sel="/wares/ware/price/@min">3</replace></diff>)");
    files.write(mod());
    EXPECT_TRUE(check().empty());
    EXPECT_TRUE(check(true).empty()) << "the game has no such file, so that nothing is known";
    ModFiles base;
    base.texts[wares_path] = game_wares;
    base.write(game());
    const Report report = check(true);
    ASSERT_EQ(report.diagnostics().size(), 2U) << findings(report);
    const Diagnostic& nothing = report.diagnostics().front();
    EXPECT_EQ(nothing.code, "diff-no-match");
    EXPECT_EQ(nothing.found, "/wares/ware[@id='silver']/price/@min");
    EXPECT_EQ(nothing.file, (mod() / wares_path).string());
    EXPECT_EQ(files.texts.at(wares_path).substr(nothing.offset, 25), "<replace sel=\"/wares/ware");
    EXPECT_EQ(report.diagnostics().back().code, "diff-several");
}

// The game unites libraries of extensions with its own; what is not understood may have added what is selected next.
TEST_F(CheckMod, SaysOfChangesOnlyWhatIsCertain) {
    ModFiles base;
    base.texts[wares_path] = game_wares;
    base.texts["extensions/dlc/content.xml"] = R"(<content id="dlc" version="100"/>)";
    base.texts["extensions/dlc/" + wares_path] =
        R"(<wares><ware id="silver"><price min="1"/></ware><ware id="gold"><price min="5" max="9"/></ware></wares>)";
    base.write(game());
    ModFiles files = whole_mod();
    files.replace(wares_path, "</diff>",
                  R"(<replace sel="/wares/ware[@id='silver']/price/@min">3</replace>)"
                  R"(<replace sel="/wares/ware[@id='gold']/price/@max">3</replace>)"
                  R"(<remove sel="/wares/ware[@id='lead']" silent="1"/></diff>)");
    files.write(mod());
    const Report known = check(true);
    EXPECT_TRUE(known.empty()) << findings(known);
    files.replace(wares_path, "</diff>",
                  R"(<add sel="//wares[last()]"><ware id="lead"/></add>)"
                  R"(<remove sel="/wares/ware[@id='lead']"/></diff>)");
    files.write(mod());
    const Report unclear = check(true);
    EXPECT_TRUE(unclear.empty()) << findings(unclear);
}

TEST_F(CheckMod, LooksUpInTheGamesLibraryWhatChangesSelect) {
    ModFiles files = whole_mod();
    files.replace(
        library_path, "</diff>",
        R"(<replace sel="//material[@name='hull'][@shader='a']/properties/property[@name='x']/@value">2)"
        R"(</replace><add sel="/materiallibrary/collection[@name='gaem']"><material name="x"/></add></diff>)");
    files.write(mod());
    const auto check_library = [&](bool with_game) {
        auto document = open_file(mod() / library_path);
        std::vector<fs::path> roots{mod()};
        if (with_game) roots.insert(roots.begin(), game());
        const auto all = egosoft::GameFiles::open(roots);
        EXPECT_TRUE(document && all);
        if (!document || !all) return Report();
        const Surroundings around = egosoft::surroundings_of({&all->value, nullptr});
        CheckContext context;
        context.surroundings = &around;
        context.path = mod() / library_path;
        context.noticed = &document->report;
        Report found = egosoft::LibraryFormat::check(*document->value.get_if<egosoft::MaterialLibraryFile>(), context);
        found.append(std::move(document->report));
        return found;
    };
    EXPECT_EQ(codes(check_library(false)), std::set<std::string>{"diff-base"});
    ModFiles base;
    base.texts[library_path] = game_library;
    base.write(game());
    const Report found = check_library(true);
    ASSERT_EQ(found.diagnostics().size(), 1U) << findings(found);
    EXPECT_EQ(found.diagnostics().front().code, "diff-no-match");
    EXPECT_EQ(found.diagnostics().front().found, "/materiallibrary/collection[@name='gaem']");
}

TEST_F(CheckMod, MissesWhatTheGameLooksForByItsPath) {
    const std::vector<std::tuple<std::string, std::string, std::string>> damages{
        {component_path, "", "xml-syntax"},
        {component_path, "<foo/>", "not-this-format"},
        {macro_path, "", "xml-syntax"},
        {macro_path, "<components/>", "not-this-format"},
        {texts_path, "", "xml-syntax"},
        {texts_path, "<texts/>", "not-this-format"},
        {library_path, "", "xml-syntax"},
        {library_path, "<foo/>", "not-this-format"},
        {wares_path, "<wares", "xml-syntax"},
        {index_path, "", "xml-syntax"},
        {macro_index_path, "x", "xml-syntax"},
        {component_path, "<components/>", "index-dangling-used"},
        {macro_path, "<macros/>", "index-dangling"}};
    for (const auto& [path, text, code] : damages) {
        ModFiles files = whole_mod();
        files.texts[path] = text;
        files.write(mod());
        const Report report = check();
        const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                        [&wanted = code](const Diagnostic& finding) { return finding.code == wanted; });
        ASSERT_NE(found, report.diagnostics().end()) << path << " " << text << "\n" << findings(report);
        const bool is_of_index = code.starts_with("index-dangling");
        const std::string place = !is_of_index ? path : path == macro_path ? macro_index_path : index_path;
        EXPECT_EQ(found->file, (mod() / place).string());
        if (is_of_index) EXPECT_EQ(found->path.substr(0, 9), "entry[0] ");
        EXPECT_EQ(found->severity, code == "index-dangling" ? Severity::warning : Severity::error) << path;
    }
}

TEST_F(CheckMod, SaysWhichPathsLeadOutside) {
    const std::string texture = R"(extensions\my_mod\assets\textures\hull_diff)",
                      geometry = R"(extensions\my_mod\assets\units\size_s\ship_test_data)";
    for (const std::string path : {"../secret", "/etc/passwd", R"(C:\x)", R"(extensions\my_mod\..\..\x)"}) {
        const std::string text = "<index><entry name=\"ship_a\" value=\"" + path + "\"/></index>";
        const auto index = egosoft::read_index(bytes_of_text(text));
        ASSERT_TRUE(index) << to_string(index.error());
        const Report found = egosoft::IndexFormat::check(index->value, {});
        ASSERT_EQ(found.count("path-outside"), 1U) << path;
        EXPECT_EQ(found.diagnostics().front().path, "entry[0] ship_a");
        EXPECT_EQ(found.diagnostics().front().found, path);

        ModFiles files = whole_mod();
        files.replace(library_path, texture, path);
        files.write(mod());
        EXPECT_EQ(codes(check()), std::set<std::string>{"path-outside"}) << path;
        files = whole_mod();
        files.replace(component_path, geometry, path);
        files.write(mod());
        const Report of_component = check();
        EXPECT_EQ(of_component.count("path-outside"), 1U) << findings(of_component);
        EXPECT_EQ(of_component.count("geometry-missing"), 0U) << findings(of_component);
    }
}

/// Conversions show the meshes of parts that list none.
TEST_F(CheckMod, LooksAtMeshesThatNoPartLists) {
    ModFiles files = whole_mod();
    std::string& xml = files.texts[component_path];
    constexpr std::string_view end = "</lods>";
    for (std::size_t at = xml.find("<lods>"); at != std::string::npos; at = xml.find("<lods>"))
        xml.erase(at, xml.find(end, at) + end.size() - at);
    files.animations.animations.clear();
    files.write(mod());
    const Report report = check();
    EXPECT_EQ(report.count("animation-file-missing"), 1U) << findings(report);
    EXPECT_GE(report.count("part-levels-missing"), 1U) << findings(report);
}

TEST_F(CheckMod, MissesMacrosThatOthersHang) {
    ModFiles files = whole_mod();
    files.replace(macro_path, R"(<macro ref="dock_test_macro")", R"(<macro ref="dock_game_macro")");
    files.write(mod());
    EXPECT_TRUE(check().empty());
    const Report report = check(true);
    ASSERT_EQ(report.diagnostics().size(), 1U) << findings(report);
    EXPECT_EQ(report.diagnostics().front().code, "macro-component-missing");
    EXPECT_EQ(report.diagnostics().front().found, "dock_game_macro");
    ModFiles base;
    base.texts[macro_index_path] = R"(<index><entry name="dock_game_macro" value="assets\dock_game_macro"/></index>)";
    base.write(game());
    EXPECT_TRUE(check(true).empty());
}

TEST_F(CheckMod, KnowsMeshesThatTakeThePlaceOfTheGames) {
    const std::string known = "assets/props/game_data/part_main-lod0.xmf";
    const std::string lost = "assets/props/lost_data/part_main-lod0.xmf";
    ModFiles base;
    base.meshes[known] = box_mesh(1, 12, {"my.hull"});
    base.meshes[lost] = base.meshes[known];
    base.write(game());
    whole_mod().write(mod());
    const std::vector<catalog::Packed> packed{{known, game() / known}, {lost, game() / lost}};
    ASSERT_TRUE(catalog::pack(packed, mod() / "subst_01.cat").has_value());
    EXPECT_FALSE(codes(check()).contains("file-unnamed")) << "without game it is not known what they replace";
    EXPECT_FALSE(codes(check(true)).contains("file-unnamed"));
    fs::remove(game() / lost);
    const Report report = check(true);
    const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                    [](const Diagnostic& finding) { return finding.code == "file-unnamed"; });
    ASSERT_NE(found, report.diagnostics().end()) << findings(report);
    EXPECT_EQ(found->file, (mod() / "subst_01.cat" / fs::path(lost).parent_path()).string());
}

TEST_F(CheckMod, LooksAtAllOfATexture) {
    const std::string whole = dds_file(64, 64, 7, true);
    const auto changed = [](std::string bytes, std::size_t offset, std::string_view to) {
        return bytes.replace(offset, to.size(), to);
    };
    const std::string packed = gzipped(whole);
    const std::vector<std::pair<std::string, std::string>> damages{
        {gzipped(whole.substr(0, 2000)), "2000 bytes"},
        {gzipped(whole.substr(0, whole.size() - 1)), "5615 bytes"},
        {gzipped(changed(whole, 84, "ABCD")), "ABCD"},
        {gzipped(changed(whole, 12, std::string("\xff\xff\0\0\xff\xff\0\0", 8))), "of a gzip file"},
        {changed(packed, packed.size() - 8, "\x01\x02"), "bytes"},
        {packed.substr(0, packed.size() - 6), "bytes"},
        {gzipped("\x89PNG\r\n\x1a\n another picture"), ""}};
    const std::string path = "assets/textures/hull_diff.gz";
    for (const auto& [bytes, told] : damages) {
        ModFiles files = whole_mod();
        files.texts[path] = bytes;
        files.write(mod());
        const Report report = check();
        const auto found =
            std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                         [](const Diagnostic& finding) { return finding.code == "texture-damaged-header"; });
        ASSERT_NE(found, report.diagnostics().end()) << told << "\n" << findings(report);
        EXPECT_TRUE(found->found.ends_with(told)) << found->found;
        EXPECT_EQ(found->file, (mod() / path).string());
    }
    // A plain one, one without its smaller levels, and one of floats that is not looked into.
    ModFiles files = whole_mod();
    files.texts["assets/textures/a.dds"] = whole.substr(0, 3000);
    files.texts["assets/textures/b.gz"] = gzipped(dds_file(64, 64, 1, true));
    files.texts["assets/textures/c.gz"] = gzipped(changed(whole, 84, std::string("\x71\0\0\0", 4)));
    files.texts[path] = packed;
    files.write(mod());
    Report report = check();
    std::erase_if(report.diagnostics(), [](const Diagnostic& one) { return one.code != "texture-damaged-header"; });
    ASSERT_EQ(report.diagnostics().size(), 1U) << findings(report);
    EXPECT_EQ(report.diagnostics().front().file, (mod() / "assets/textures/a.dds").string());
}

TEST_F(CheckMod, SaysNothingAboutOtherFolders) {
    ModFiles files;
    files.texts["a/notes.txt"] = "x";
    files.texts["a/Notes.txt"] = "x";
    files.texts["a/page.xml"] = "<page/>";
    files.write(mod());
    EXPECT_TRUE(check().empty());
}

TEST_F(CheckMod, FindsMeshesBesideACopiedComponent) {
    ModFiles files = whole_mod();
    files.meshes.erase(data_path + "part_main-lod1.xmf");
    const fs::path whole = mod().parent_path() / "whole";
    files.write(whole);
    fs::copy(whole / "assets/units/size_s", mod(), fs::copy_options::recursive);
    auto opened = egosoft::GameFiles::open({mod()});
    ASSERT_TRUE(opened.has_value());
    const Surroundings around = egosoft::surroundings_of({&opened->value, nullptr});
    CheckContext context;
    context.surroundings = &around;
    context.path = mod() / "ship_test.xml";
    auto document = open_file(context.path);
    ASSERT_TRUE(document.has_value());
    EXPECT_EQ(codes(document->value.check(context)), std::set<std::string>{"lod-missing"});
}

TEST_F(CheckMod, LooksAtAPartOfAMod) {
    ModFiles files = whole_mod();
    files.meshes[data_path + "part_wing-lod0.xmf"] = box_mesh(1, 12, {"my.hull"});
    files.write(mod());
    auto opened = egosoft::GameFiles::open({mod()});
    ASSERT_TRUE(opened.has_value());
    const Surroundings around = egosoft::surroundings_of({&opened->value, nullptr});
    CheckContext context;
    context.surroundings = &around;
    const fs::path folder = mod() / "assets/units";
    const Report report = egosoft::check_mod(folder, context);
    EXPECT_EQ(codes(report), std::set<std::string>{"file-unnamed"}) << findings(report);
    EXPECT_EQ(report.diagnostics().front().file, (folder / "size_s/ship_test_data").string());
}

TEST_F(CheckMod, DoesNotFollowLinks) {
    whole_mod().write(mod());
    std::error_code error;
    fs::create_directory_symlink(mod(), mod() / "assets" / "again", error);
    if (error) GTEST_SKIP() << "no links can be made here";
    const Report report = check();
    EXPECT_TRUE(report.empty()) << findings(report);
}

TEST_F(CheckMod, ChecksTheXmlAloneWithoutFiles) {
    ModFiles files = whole_mod();
    files.replace(component_path, R"(start="31" end="60")", R"(start="61" end="60")");
    const std::string& xml = files.texts.at(component_path);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(xml));
    const auto loaded = egosoft::read_components(Bytes(bytes.begin(), bytes.end()));
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(codes(egosoft::ComponentFormat::check(loaded->value, {})),
              std::set<std::string>{"animation-range-order"});
}

TEST_F(CheckMod, LooksIntoCatalogs) {
    ModFiles files = whole_mod();
    files.meshes.erase(data_path + "part_main-collision.xmf");
    const Report report = check_packed(files, "");
    ASSERT_EQ(report.diagnostics().size(), 1U) << findings(report);
    EXPECT_EQ(report.diagnostics().front().code, "collision-missing");
    EXPECT_EQ(report.diagnostics().front().file, (mod() / "ext_01.cat" / component_path).string());
}

TEST_F(CheckMod, ComparesFilesInCatalogsAsItDoesLooseOnes) {
    const std::vector<std::tuple<std::string, std::string, std::string, std::string>> damages{
        {"macro-connection-missing", macro_path, R"(ref="con_dock")", R"(ref="con_duck")"},
        {"macro-class-differs", macro_path, R"("ship_test_macro" class="ship_s")",
         R"("ship_test_macro" class="ship_m")"},
        {"text-missing", macro_path, "{987654,101}", "{987654,102}"},
        {"diff-dead", wares_path, R"("/wares")", R"("/ware")"},
        {"path-folder", index_path, R"(extensions\my_mod)", R"(extensions\your_mod)"},
        {"component-unindexed", index_path, R"(name="ship_test")", R"(name="ship_best")"}};
    for (const auto& [code, path, from, to] : damages) {
        folder_ = code;
        ModFiles files = whole_mod();
        files.replace(path, from, to);
        const Report report = check_packed(files, "");
        EXPECT_TRUE(codes(report).contains(code)) << code << "\n" << findings(report);
        for (const Diagnostic& finding : report.diagnostics())
            EXPECT_TRUE(finding.file.starts_with((mod() / "ext_01.cat").string())) << to_string(finding);
    }
}

// Whether the library is loose or packed as well.
TEST_F(CheckMod, FindsTexturesInCatalogs) {
    const std::string texture = "assets/textures/hull_diff.gz";
    for (const std::string loose : {"assets/textures", "libraries", "", "assets/units"}) {
        folder_ = "mod" + std::to_string(loose.size());
        const Report whole = check_packed(whole_mod(), loose);
        EXPECT_TRUE(whole.diagnostics().empty()) << loose << "\n" << findings(whole);
        folder_ += "b";
        ModFiles files = whole_mod();
        files.texts.erase(texture);
        const Report lacking = check_packed(files, loose);
        EXPECT_TRUE(codes(lacking).contains("material-texture-missing")) << loose << "\n" << findings(lacking);
        const fs::path library = loose == "libraries" ? mod() : mod() / "ext_01.cat";
        EXPECT_TRUE(std::ranges::any_of(lacking.diagnostics(), [&](const Diagnostic& finding) {
            return finding.code == "material-texture-missing" && finding.file == (library / library_path).string();
        })) << findings(lacking);
        folder_ += "c";
        files.texts[texture] = gzipped(dds_file(64, 64, 1, true));
        const Report flat = check_packed(files, loose);
        ASSERT_EQ(codes(flat), std::set<std::string>{"texture-levels"}) << findings(flat);
        const fs::path place = loose == "assets/textures" ? mod() : mod() / "ext_01.cat";
        EXPECT_EQ(flat.diagnostics().front().file, (place / texture).string());
    }
}

TEST_F(CheckMod, MissesTexturesThatTheGameDoesNotFind) {
    ModFiles files = whole_mod();
    auto texture = files.texts.extract("assets/textures/hull_diff.gz");
    for (const char* const ending : {".dds", ".dds.gz"}) {
        texture.key() = "assets/textures/hull_diff" + std::string(ending);
        const auto placed = files.texts.insert(std::move(texture)).position;
        folder_ = "mod" + std::string(ending);
        files.write(mod());
        EXPECT_EQ(codes(check(false)).contains("material-texture-missing"), std::string(ending) == ".dds.gz") << ending;
        texture = files.texts.extract(placed);
    }
}

TEST_F(CheckMod, FindsTexturesInCatalogsOfTheGame) {
    ModFiles files = whole_mod();
    files.replace(library_path, "extensions\\my_mod\\assets\\textures\\hull_diff", "assets\\textures\\hull_diff");
    files.texts.erase("assets/textures/hull_diff.gz");
    files.write(mod());
    EXPECT_TRUE(codes(check(true)).contains("material-texture-missing"));
    const fs::path texture = mod().parent_path() / "hull_diff.gz";
    std::ofstream(texture, std::ios::binary) << gzipped(dds_file(64, 64, 7, true));
    const std::vector<catalog::Packed> packed{{"assets/textures/hull_diff.gz", texture}};
    ASSERT_TRUE(catalog::pack(packed, game() / "01.cat").has_value());
    EXPECT_FALSE(codes(check(true)).contains("material-texture-missing"));
}

void write_text(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

TEST_F(CheckMod, SurvivesAnyDamage) {
    whole_mod().write(mod());
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(mod())) {
        if (entry.is_regular_file()) paths.push_back(entry.path());
    }
    constexpr std::size_t cuts = 12;
    std::size_t found = 0;
    for (const fs::path& path : paths) {
        const std::string whole = read_text(path);
        for (std::size_t part = 0; part < cuts; ++part) {
            const std::size_t at = whole.size() * part / cuts;
            write_text(path, whole.substr(0, at));
            found += check().diagnostics().size();
            std::string changed = whole;
            changed[at] = static_cast<char>(~changed[at]);
            write_text(path, changed);
            found += check().diagnostics().size();
        }
        write_text(path, whole);
    }
    EXPECT_GT(found, paths.size());
    EXPECT_TRUE(check().empty());
}

TEST(CheckModTargets, AnyNumberOfOthersComponentsIsLookedUp) {
    constexpr int count = 10'010;
    const auto name_of = [](int number) { return "c" + std::to_string(number); };
    Files memory;
    memory.list = [&] {
        std::vector<std::string> names{"index/components.xml"};
        for (int i = 0; i < count; ++i) names.push_back("assets/" + name_of(i) + ".xml");
        return names;
    };
    memory.read = [&](const std::string& path) -> Result<Bytes> {
        std::string text;
        if (path == "index/components.xml") {
            for (int i = 0; i < count; ++i)
                text += "<entry name=\"" + name_of(i) + "\" value=\"assets\\" + name_of(i) + "\"/>";
            text = "<index>" + text + "</index>";
        } else {
            const std::string name = fs::path(path).stem().string();
            text = "<components><component name=\"" + name + "\"/></components>";
        }
        const auto raw = std::as_bytes(std::span(text));
        return Bytes(raw.begin(), raw.end());
    };
    egosoft::GameFiles files;
    ASSERT_TRUE(files.add_files(memory, {}));
    egosoft::checks::Scope scope;
    scope.files = &files;
    egosoft::checks::Targets targets({}, scope, {});
    int found = 0;
    for (int i = 0; i < count; ++i) found += targets.find(name_of(i)).lookup == egosoft::checks::Lookup::yes ? 1 : 0;
    EXPECT_EQ(found, count);
}

TEST(CheckModRules, AreAllTested) {
    std::set<std::string> tested;
    for (const Case& one : check_cases()) tested.insert(one.code);
    expect_all_tested(codes_in(sections), tested);
    EXPECT_EQ(tested.size(), codes_in(sections).size());
}

}  // namespace
}  // namespace effigy::test
