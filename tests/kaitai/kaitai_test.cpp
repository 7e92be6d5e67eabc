/// The descriptions for Kaitai Struct read every file to its last byte and find in it what effigy's dump has. What
/// file(1) and the signatures in PRONOM's form say of the same files is looked at as well.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>

#include "effigy/arp.hpp"
#include "effigy/registry.hpp"
#include "effigy/x42.hpp"

#include "arp/file/layout_elements.hpp"
#include "arp/raw_arp.hpp"
#include "contents.hpp"
#include "corpus/corpus.hpp"
#include "egosoft/raw_ani.hpp"
#include "egosoft/raw_xmf.hpp"
#include "emfx/fixtures.hpp"
#include "temporary_folder.hpp"
#include "x42/raw_x42.hpp"

#ifdef EFFIGY_PROGRAM

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

const fs::path root = EFFIGY_SOURCE_DIR;

/// The formats that have a description, by their id; their files are called so while they are looked at.
const std::map<std::string_view, std::string> described{{"xac", "xac"}, {"xsm", "xsm"}, {"xpm", "xpm"},  {"xmf", "xmf"},
                                                        {"ani", "ani"}, {"x42", "x42"}, {"jarp", "jarp"}};

/// Whether a description says how the file is laid out: what only trying tells is no part of them (docs/machine.md).
bool is_described(const Document& document) {
    if (const auto* model = document.get_if<effigy::x42::File>()) return model->version == effigy::x42::version_5;
    if (const auto* avatar = document.get_if<effigy::arp::File>()) {
        return avatar->layout == effigy::arp::usual_layout(avatar->version) &&
               (avatar->texture.image.empty() || avatar->texture.stored_size == avatar->texture.image.size());
    }
    return true;
}

/// Fixtures that a description cannot read, for the reasons that docs/machine.md gives.
bool is_beyond(const std::string& name) {
    return name == "xac_2_skinning_without_mesh_v1" || name == "xac_50_events_v4_packed";
}

class Kaitai : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not installed";
        if (!fs::exists(root / "tests" / "tools" / "node_modules" / "kaitai-struct-compiler"))
            GTEST_SKIP() << "the compiler of Kaitai Struct is not installed: run npm ci in tests/tools";
    }

    /// A file to be looked at, under a number and the name of its format, if a description covers it.
    void add(const Bytes& bytes, const std::string& name) {
        const auto opened = open_bytes(bytes, name);
        if (!opened || !described.contains(opened->value.format().id) || !is_described(opened->value)) return;
        if (opened->report.has_errors()) return;
        const fs::path path = folder_ / (name + "." + described.at(opened->value.format().id));
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        ++counts_[described.at(opened->value.format().id)];
    }
    /// What the readers and the signatures say of all of them.
    void compare() {
        const std::string log = (folder_ / "log").string();
        for (const char* judge : {"compare.mjs", "identify.mjs"}) {
            const std::string command = "node --max-old-space-size=3000 '" +
                                        (root / "tests" / "kaitai" / judge).string() + "' '" + EFFIGY_PROGRAM + "' '" +
                                        folder_.path().string() + "' > '" + log + "' 2>&1";
            const int status = std::system(command.c_str());
            const std::string said = read_text(log);
            EXPECT_EQ(status, 0) << said;
            for (const auto& [format, count] : counts_) {
                EXPECT_NE(said.find(format + ": " + std::to_string(count) + " files"), std::string::npos)
                    << "of " << format << " " << count << " files were to be read:\n"
                    << said;
            }
            std::printf("%s", said.c_str());
        }
    }

    TemporaryFolder folder_;
    std::map<std::string, std::size_t> counts_;
};

TEST_F(Kaitai, PatternsForImHexAreMadeOfTheDescriptions) {
    const std::string program = (root / "tests" / "kaitai" / "imhex.mjs").string();
    EXPECT_EQ(std::system(("node '" + program + "' --check").c_str()), 0)
        << "renew them with node tests/kaitai/imhex.mjs";
}

TEST_F(Kaitai, FiguresAreDrawnByTheProgram) {
    const std::string program = (root / "site" / "figures.mjs").string();
    EXPECT_EQ(std::system(("node '" + program + "' --check").c_str()), 0) << "renew them with node site/figures.mjs";
}

TEST_F(Kaitai, ReadsFixtures) {
    for (const Fixture& fixture : all_fixtures()) {
        if (is_beyond(fixture.name)) continue;
        for (const bool big : {false, true}) add(fixture.bytes(big), fixture.name + (big ? "_big" : ""));
    }
    for (const XmfFixture& fixture : sound_meshes()) add(fixture.bytes(false), fixture.name);
    for (const AniFixture& fixture : all_animations()) add(write_raw(fixture.file), "Ani" + fixture.name);
    for (const x42::Fixture& fixture : x42::all_fixtures()) add(x42::make(fixture.description), "X42" + fixture.name);
    for (const arp::Fixture& fixture : arp::all_fixtures()) add(arp::make(fixture.description), "Arp" + fixture.name);
    EXPECT_EQ(counts_.size(), described.size());
    compare();
}

#ifdef EFFIGY_MAKE_FIGURE
TEST_F(Kaitai, ReadsExamples) {
    const fs::path made = folder_ / "made";
    fs::create_directories(made);
    const std::string into = " '" + made.string() + "' > /dev/null";
    for (const char* maker : {EFFIGY_MAKE_FIGURE, EFFIGY_MAKE_SHIP, EFFIGY_MAKE_TRADER, EFFIGY_MAKE_SIGNER})
        ASSERT_EQ(std::system(("'" + std::string(maker) + "'" + into).c_str()), 0);
    std::size_t number = 0;
    for (const auto& entry : fs::recursive_directory_iterator(made)) {
        if (entry.is_regular_file()) add(corpus::bytes_of(entry.path()), std::to_string(++number));
    }
    fs::remove_all(made);
    EXPECT_GE(counts_.size(), 5u);
    compare();
}
#endif

TEST_F(Kaitai, ReadsTheCorpus) {
    if (corpus::paths().empty()) GTEST_SKIP() << corpus::has_no("file");
    std::size_t number = 0;
    for (const fs::path& path : corpus::paths()) {
        ++number;
        if (corpus::is_for_slow_readers(fs::file_size(path))) add(corpus::bytes_of(path), std::to_string(number));
    }
    if (counts_.empty()) GTEST_SKIP() << corpus::has_no("file of these formats");
    compare();
}

}  // namespace
}  // namespace effigy::test

#endif
