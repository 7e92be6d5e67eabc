// Damaged avatars: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gtest/gtest.h>
#include <set>

#include "arp/file/formats.hpp"
#include "arp/raw_arp.hpp"
#include "core/json.hpp"
#include "hostile/samples.hpp"

namespace effigy::test::arp {
namespace {

using namespace effigy::arp;

void expect_dump_is_kept(const File& file, const Bytes& bytes) {
    const auto built = effigy::arp::build(dump(file, {}).value(), false, {});
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(write(*built).value(), bytes);
    EXPECT_TRUE(effigy::arp::build(dump(file, {}).value(), true, {}));
    (void)hex_map(file, {});
}

/// Whether the bytes could be read.
bool expect_harmless(const Bytes& bytes) {
    const harness::Outcome outcome = harness::exercise(bytes, harness::demands_of("jarp"));
    EXPECT_EQ(outcome.fault, "");
    return outcome.read;
}

/// What is before the end of a damaged file is there.
TEST(DamagedAvatar, IsReadAsFarAsItGoes) {
    const Bytes whole = make(small_figure());
    std::vector<Part> seen;
    for (std::size_t size = 8; size < whole.size(); ++size) {
        const auto loaded = read(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        ASSERT_TRUE(loaded) << size;
        ASSERT_TRUE(loaded->report.has_errors()) << size;
        const File& file = loaded->value;
        const Part part = file.first_missing;
        if (seen.empty() || seen.back() != part) seen.push_back(part);
        EXPECT_EQ(file.meshes.size(), part > Part::points ? 1u : 0u);
        EXPECT_EQ(file.meshes.empty() || part <= Part::strip ? 0u : file.meshes[0].strip.size(),
                  part > Part::strip ? 4u : 0u);
        EXPECT_EQ(file.bones.size(), part > Part::bones ? 2u : 0u);
        EXPECT_EQ(loaded->report.diagnostics().front().code, "truncated");
        EXPECT_NE(loaded->report.diagnostics().front().path, "");
    }
    EXPECT_EQ(seen, (std::vector<Part>{Part::header, Part::mesh_count, Part::points, Part::strip, Part::duplicates,
                                       Part::texcoords, Part::morph_targets, Part::default_pose, Part::bones,
                                       Part::ambient, Part::texture}));
}

TEST(DamagedAvatar, KeepsTheMeshesBeforeTheDamage) {
    Description description = small_figure();
    description.meshes.resize(3, description.meshes[0]);
    const Bytes whole = make(description);
    std::size_t most = 0;
    for (std::size_t size = 60; size < whole.size(); ++size) {
        const Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        const auto loaded = read(bytes);
        ASSERT_TRUE(loaded);
        EXPECT_GE(loaded->value.meshes.size(), most);
        most = loaded->value.meshes.size();
        EXPECT_EQ(write(loaded->value).value(), bytes) << size;
        if (size % 5 == 0) expect_dump_is_kept(loaded->value, bytes);
    }
    EXPECT_EQ(most, 3u);
}

TEST(DamagedAvatar, MayLieAboutAnyCount) {
    std::set<Bytes> tried;  // old versions have 16 bits for some counts, and some lies are true
    for (const char* version : {"3.1", "3.0", "2.2", "2.1", "2.0"}) {
        for (const char* what : {"meshes", "points", "links", "strip", "duplicates", "texcoords", "targets", "sets",
                                 "pose", "bones", "frames"}) {
            for (const std::uint32_t lie : {0u, 1u, 100u, 65536u, 0x10000000u, 0x7fffffffu, 0xffffffffu}) {
                SCOPED_TRACE(std::string(version) + " " + what + " " + std::to_string(lie));
                Description description = small_figure(version);
                description.lies[what] = lie;
                const auto [bytes, is_new] = tried.insert(make(description));
                if (is_new) {
                    EXPECT_TRUE(expect_harmless(*bytes));
                }
            }
        }
    }
}

TEST(DamagedAvatar, MayHaveAnyImageSize) {
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{100}, std::int64_t{0xffffffff}}) {
        Description description = small_figure();
        description.flags[0] = 1;
        description.image = jib(3, 2);
        description.image_size = size;
        EXPECT_TRUE(expect_harmless(make(description)));
        description = small_figure("2.1");
        description.embedded = 1;
        description.image = old_image(3, 2);
        description.image[4] = std::byte{200};
        description.image_size = size;
        EXPECT_TRUE(expect_harmless(make(description)));
    }
}

TEST(DamagedAvatar, StopsAtTheLimits) {
    const Bytes bytes = make(figure());
    ReadOptions options;
    options.limits.memory = 1000;
    EXPECT_EQ(read(bytes, options).error().code, "limit-memory");
    options = {};
    options.limits.count = 3;
    EXPECT_EQ(read(bytes, options).error().code, "limit-count");
    options = {};
    options.limits.string = 3;
    EXPECT_EQ(read(bytes, options).error().code, "limit-string");
}

/// Memory that is not in the file's own arrays counts as well.
TEST(DamagedAvatar, StopsAtTheLimitWhereNumbersGrow) {
    const auto code_of = [](const Description& description, std::uint64_t memory) {
        ReadOptions options;
        options.limits.memory = memory;
        const auto loaded = read(make(description), options);
        return loaded ? std::string() : loaded.error().code;
    };
    constexpr std::size_t many = 10000;
    Description names = small_figure();
    for (std::size_t index = 0; index < many; ++index)
        names.meshes[0].points.push_back({{RawLink{"n" + std::to_string(index)}}, {}});
    EXPECT_EQ(code_of(names, 120 * many), "limit-memory");
    EXPECT_EQ(code_of(names, 300 * many), "");
    Description duplicates = small_figure("2.1");  // 16 bits in the file, 32 in memory
    duplicates.meshes[0].duplicates.assign(many, 0);
    EXPECT_EQ(code_of(duplicates, 5 * many), "limit-memory");
    EXPECT_EQ(code_of(duplicates, 20 * many), "");
    Description sets = small_figure("2.2");  // without normals in the file
    sets.meshes[0].targets[0].sets.assign(many, {});
    EXPECT_EQ(code_of(sets, 40 * many), "limit-memory");
    EXPECT_EQ(code_of(sets, 60 * many), "");
}

/// Many different names of bones are still found quickly, and each is kept once.
TEST(DamagedAvatar, MayHaveManyNames) {
    Description description = small_figure();
    description.meshes[0].points.clear();
    for (unsigned index = 0; index < 60000; ++index)
        description.meshes[0].points.push_back({{RawLink{"n" + std::to_string(index % 30000)}}, {}});
    const Bytes bytes = make(description);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->value.link_names.size(), 30000u);
    EXPECT_EQ(write(loaded->value).value(), bytes);
}

}  // namespace
}  // namespace effigy::test::arp
