// Damaged X42: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <gtest/gtest.h>
#include <set>

#include "core/json.hpp"
#include "egosoft/raw_bytes.hpp"
#include "emfx/allocations.hpp"
#include "hostile/samples.hpp"
#include "x42/file/formats.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/raw_x42.hpp"

namespace effigy::test::x42 {
namespace {

using namespace effigy::x42;

/// Whether the bytes could be read.
bool expect_harmless(const Bytes& bytes) {
    const harness::Outcome outcome = harness::exercise(bytes, harness::demands_of("x42"));
    EXPECT_EQ(outcome.fault, "");
    return outcome.read;
}

/// Small files that have every kind of section between them.
std::vector<Fixture> small_fixtures() {
    std::vector<Fixture> some;
    for (const Fixture& fixture : all_fixtures()) {
        for (const char* name : {"Empty", "EmptyWithStrings", "Weights", "MorphsSmall6", "MorphsWide12"}) {
            if (fixture.name == name) some.push_back(fixture);
        }
    }
    some.push_back({"UniformBig", figure(0x10f, true)});
    some.push_back({"PositionsOnly", figure(0)});
    return some;
}

class HostileX42 : public testing::TestWithParam<Fixture> {
protected:
    [[nodiscard]] static Bytes whole() { return make(GetParam().description); }
};
INSTANTIATE_TEST_SUITE_P(Files, HostileX42, testing::ValuesIn(small_fixtures()),
                         [](const auto& tested) { return tested.param.name; });

/// Each count larger or smaller than the truth, so that all sections behind it are read from the wrong places.
TEST_P(HostileX42, EveryCountCorrupted) {
    std::set<Bytes> tried;  // counts have 16 bits mostly, and some lies are true
    for (const char* of :
         {"strings", "bones", "animation_groups", "positions", "rotations", "scales", "keys", "animations", "tags",
          "influences", "lods", "groups", "vertices", "indices", "targets", "deltas"}) {
        for (const std::uint32_t lie : {0u, 1u, 2u, 3u, 5u, 100u, 0x7fffu, 0xffffu, 0x10000u, 0xffffffffu}) {
            SCOPED_TRACE(std::string(of) + " are said to be " + std::to_string(lie));
            Description model = GetParam().description;
            model.lies[of] = lie;
            const auto [bytes, is_new] = tried.insert(make(model));
            if (is_new) expect_harmless(*bytes);
            if (HasFailure()) return;
        }
    }
}

TEST(X42Truncated, SaysWhatIsThere) {
    const Description model = figure();
    const Bytes whole = make(model);
    // In the middle of the second bone.
    const auto loaded = read(Bytes(whole.begin(), whole.begin() + 160 + 12 + 5));
    ASSERT_TRUE(loaded);
    const File& file = loaded->value;
    EXPECT_EQ(file.bones.size(), 1u);
    EXPECT_EQ(file.missing[number_of(Section::bones)], 2u);
    EXPECT_EQ(file.missing[number_of(Section::keys)], model.keys.size());
    EXPECT_EQ(file.missing[number_of(Section::normals)], model.vertices.size());
    EXPECT_EQ(file.missing[number_of(Section::strings)], model.strings.size());
    EXPECT_EQ(file.trailing.size(), 5u);
    ASSERT_EQ(loaded->report.count("truncated"), 1u);
    const Diagnostic& finding = loaded->report.diagnostics().front();
    EXPECT_EQ(finding.path, "bone[1]");
    EXPECT_EQ(finding.offset, 172u);
    EXPECT_EQ(finding.severity, Severity::error);
}

TEST(X42Truncated, IsNormalizedToWhatIsThere) {
    const Description model = figure();
    const Bytes whole = make(model);
    for (std::size_t size = 160; size < whole.size(); size += 7) {
        SCOPED_TRACE(size);
        const auto loaded = read(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        ASSERT_TRUE(loaded);
        const auto again = read(write(loaded->value, {.normalize = true}).value());
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->report.empty());
        EXPECT_EQ(again->value.bones.size(), loaded->value.bones.size());
        EXPECT_EQ(again->value.keys.size(), loaded->value.keys.size());
        EXPECT_EQ(again->value.vertices, loaded->value.vertices);
        EXPECT_EQ(again->value.strings, loaded->value.strings);
        EXPECT_TRUE(again->value.normals.empty() || again->value.normals == loaded->value.normals);
    }
}

/// Only padding is missing, which nothing can tell but the end of the file.
TEST(X42Truncated, EndsInsidePadding) {
    Description model = figure(0);
    model.strings.clear();
    model.indices.clear();
    model.filling = 0x11;
    const Bytes whole = make(model);
    ASSERT_EQ(whole.size() % 4, 0u);
    unsigned seen = 0;
    for (std::size_t cut = 1; cut < 4; ++cut) {
        const Bytes bytes(whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(cut));
        const auto loaded = read(bytes);
        ASSERT_TRUE(loaded);
        if (loaded->value.ends_early) ++seen;
        EXPECT_TRUE(is_cut_off(loaded->value));
        EXPECT_EQ(loaded->report.count("truncated"), 1u);
        EXPECT_TRUE(expect_harmless(bytes));
    }
    EXPECT_EQ(seen, 2u);
}

/// Groups that claim 4 thousand million vertices with 65535 influences each: 64 bits hold no more than 32768 of them.
TEST(X42Limits, BlendSizesDoNotOverflow) {
    Description model = figure();
    RawGroup greedy = model.groups.front();
    greedy.vertex_influences = 0xffff;
    greedy.vertices = 0xffffffff;
    model.groups.assign(33'000, greedy);
    const Bytes bytes = make(model);
    const PeakMemory peak;
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_LT(peak.bytes(), 4 * bytes.size());
    EXPECT_EQ(loaded->value.missing[number_of(Section::blend)], UINT64_MAX - loaded->value.blend.size());
    EXPECT_EQ(write(loaded->value).value(), bytes);
    EXPECT_TRUE(write(loaded->value, {.normalize = true}));
    (void)check(loaded->value);
    (void)info(loaded->value, "CP1252");
}

/// Bytes of a group that are cut off are no other group's.
TEST(X42Truncated, CutBlendBytesAreNotAnotherGroups) {
    File file = read(make(figure()))->value;
    ASSERT_GE(file.groups.size(), 2U);
    file.groups[0].vertex_influences = 4;
    file.groups[1].vertex_influences = 2;
    file.blend.resize(3 * file.groups[1].vertex_count);
    ASSERT_LT(file.blend.size(), 7 * file.groups[0].vertex_count);
    file.missing[number_of(Section::blend)] = 1;
    const auto again = read(write(file, {.normalize = true}).value());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->value.groups[0].vertex_influences, 0);
    EXPECT_EQ(again->value.groups[1].vertex_influences, 0);
    EXPECT_TRUE(again->value.blend.empty());
}

/// Names from the beginning of the blob to near its end, all of the whole rest, which has no zero in it: 1.4 thousand
/// million letters.
TEST(X42Limits, LongNamesStayQuick) {
    constexpr unsigned many = 65535 / 3;
    Description model = figure();
    model.strings.assign(65535, '\xe9');
    model.groups.resize(many, model.groups.front());
    model.bones.resize(many, {0, 0, none, 1});
    for (unsigned index = 0; index < many; ++index) {
        model.bones[index].name = model.groups[index].material = model.groups[index].surface = 3 * index;
    }
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    (void)info(loaded->value, "CP1252");
    (void)check(loaded->value);
}

}  // namespace
}  // namespace effigy::test::x42
