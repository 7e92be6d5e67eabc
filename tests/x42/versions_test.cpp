// X42: older versions are named, version 6 is read where the file shows how it is stored, and kept where it does not.

#include <algorithm>
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "egosoft/raw_bytes.hpp"
#include "reports.hpp"
#include "x42/file/formats.hpp"
#include "x42/raw_x42.hpp"

namespace effigy::test::x42 {
namespace {

using namespace effigy::x42;

Bytes with_version_number(std::uint32_t version, bool big = false) {
    Description model = figure(all_flags, big);
    model.version = version;
    return make(model);
}

TEST(X42Versions, OlderOnesAreNamed) {
    for (const std::uint32_t version : {0u, 1u, 4u, 100u}) {
        for (const bool big : {false, true}) {
            const auto loaded = read(with_version_number(version, big));
            ASSERT_FALSE(loaded);
            EXPECT_EQ(loaded.error().code, "input-version");
            EXPECT_EQ(loaded.error().found, std::to_string(version));
            EXPECT_EQ(loaded.error().offset, 4u);
            EXPECT_NE(loaded.error().message.find("V0 to V4b"), std::string::npos);
        }
    }
}

TEST(X42Versions, OlderOnesAreNamedWhateverFollows) {
    const Bytes bytes = RawBytes().text("HW42", 4).u32(3).bytes();
    EXPECT_EQ(read(bytes).error().code, "input-version");
    EXPECT_EQ(read(Bytes(bytes.begin(), bytes.begin() + 6)).error().code, "truncated");
}

TEST(X42Versions, OtherFilesAreNotX42) {
    for (const char* text : {"HW43", "42WH", "XAC ", "\0\0\0\0"}) {
        const auto loaded = read(RawBytes().text(text, 4).u32(101).repeat(0, 200).bytes());
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, "not-this-format");
    }
    EXPECT_EQ(read({}).error().code, "truncated");
}

struct Form {
    MorphForm raw;
    MorphLayout layout;
    bool wide;
};
constexpr std::array<Form, 5> forms{{{MorphForm::plain, MorphLayout::none, false},
                                     {MorphForm::small_6, MorphLayout::small, false},
                                     {MorphForm::small_12, MorphLayout::large, false},
                                     {MorphForm::wide_6, MorphLayout::small, true},
                                     {MorphForm::wide_12, MorphLayout::large, true}}};

TEST(X42Version6, IsReadInEveryForm) {
    for (const Form& form : forms) {
        for (unsigned flags = 0; flags < 0x10; ++flags) {
            for (const bool big : {false, true}) {
                SCOPED_TRACE(std::to_string(static_cast<int>(form.raw)) + " with flags " + std::to_string(flags));
                const Description model = morphing_figure(form.raw, flags, big);
                const Bytes bytes = make(model);
                const auto loaded = read(bytes);
                ASSERT_TRUE(loaded) << to_string(loaded.error());
                EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
                const Morphs& morphs = loaded->value.morphs;
                EXPECT_EQ(morphs.layout, form.layout);
                EXPECT_EQ(morphs.wide_counts, form.wide);
                EXPECT_EQ(write(loaded->value).value(), bytes);
                ASSERT_EQ(morphs.targets.size(), model.targets.size());
                for (std::size_t index = 0; index < model.targets.size(); ++index) {
                    EXPECT_EQ(morphs.targets[index].name, model.targets[index].name);
                    EXPECT_EQ(morphs.targets[index].first_delta, model.targets[index].first);
                    EXPECT_EQ(morphs.targets[index].delta_count, model.targets[index].count);
                }
                EXPECT_TRUE(std::equal(morphs.indices.begin(), morphs.indices.end(), model.morph_indices.begin(),
                                       model.morph_indices.end()));
                ASSERT_EQ(morphs.positions.size(), model.morph_positions.size());
                EXPECT_EQ(morphs.normals.size(), model.morph_normals.size());
                EXPECT_EQ(morphs.tangents.size(), model.morph_tangents.size());
                if (!morphs.positions.empty()) {
                    EXPECT_EQ(morphs.positions[5][0], model.morph_positions[5][0]);
                    EXPECT_EQ(loaded->value.pack.morph_positions[2].low, -1);
                }
            }
        }
    }
}

/// Other numbers than 102 will do, if the file fits.
TEST(X42Version6, NumberDoesNotMatterWhereTheFileFits) {
    Description model = morphing_figure(MorphForm::wide_6);
    model.version = 600;
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
    EXPECT_EQ(loaded->value.version, 600u);
    EXPECT_EQ(loaded->value.morphs.targets.size(), 2u);
}

void expect_undetermined(const Description& model, std::size_t opaque) {
    const Bytes bytes = make(model);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const File& file = loaded->value;
    EXPECT_FALSE(loaded->report.has_errors()) << findings(loaded->report);
    ASSERT_EQ(loaded->report.count("x42-morphs-undetermined"), 1u);
    EXPECT_EQ(file.morphs.layout, MorphLayout::undetermined);
    EXPECT_EQ(file.morphs.opaque.size(), opaque);
    ASSERT_EQ(file.bones.size(), model.bones.size());
    EXPECT_EQ(file.vertices.size(), model.vertices.size());
    EXPECT_EQ(name_of(file, file.bones[1].name), "spine_base");
    EXPECT_EQ(file.header.sphere_radius, model.sphere_radius);
    EXPECT_EQ(write(file).value(), bytes);
    EXPECT_EQ(write(file, {.normalize = true}).value().size(), bytes.size());
    for (const bool expand : {false, true}) {
        const auto built = effigy::x42::build(dump(file, {expand}).value(), false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(write(*built).value(), bytes);
        EXPECT_EQ(built->morphs.layout, MorphLayout::undetermined);
    }
    const auto older = with_version(file, 5);
    ASSERT_FALSE(older);
    EXPECT_EQ(older.error().code, "x42-morphs-undetermined");
    EXPECT_EQ(info(file, "CP1252")["morphs"]["layout"], "undetermined");
}

/// Targets that share offsets, leave some out, or name vertices that do not exist: another layout may be the true one.
TEST(X42Version6, IsUndeterminedWhereTargetsMakeNoSense) {
    for (const MorphForm form : {MorphForm::small_6, MorphForm::small_12, MorphForm::wide_6, MorphForm::wide_12}) {
        const bool large = form == MorphForm::small_12 || form == MorphForm::wide_12;
        // 8-aligned records, then 12 indices, positions, normals and tangents.
        const Description sound = morphing_figure(form);
        const std::size_t data = (large ? 24 : 12) + 12 * (2 + 6 + 3 + 7);
        Description shared = sound;
        shared.targets[1].first = 3;
        Description astray = sound;
        astray.morph_indices[7] = 60000;
        for (const Description& model : {shared, astray}) {
            const auto loaded = read(make(model));
            ASSERT_TRUE(loaded);
            EXPECT_GE(loaded->value.morphs.opaque.size(), data);
            EXPECT_LT(loaded->value.morphs.opaque.size(), data + 8);
            EXPECT_EQ(loaded->value.morphs.wide_counts, form == MorphForm::wide_6 || form == MorphForm::wide_12);
            EXPECT_EQ(loaded->value.morphs.stored_target_count, 2u);
            EXPECT_EQ(loaded->value.morphs.stored_delta_count, 12u);
            expect_undetermined(model, loaded->value.morphs.opaque.size());
        }
    }
}

/// A record of a size that nobody thought of.
TEST(X42Version6, IsUndeterminedWhereRecordsHaveAnotherSize) {
    Description model = morphing_figure(MorphForm::small_12);
    const std::string strings = model.strings;
    // The strings are the last bytes, whatever stands before them.
    model.strings = std::string(10, '\x11') + strings;
    model.lies["strings"] = static_cast<std::uint32_t>(strings.size());
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(std::string(loaded->value.strings.begin(), loaded->value.strings.end()), strings);
    expect_undetermined(model, loaded->value.morphs.opaque.size());
}

TEST(X42Version6, TriedWaysAreListed) {
    Description model = morphing_figure(MorphForm::small_12);
    model.targets[1].count = 7;
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    ASSERT_FALSE(loaded->report.empty());
    const std::string message = loaded->report.diagnostics().front().message;
    for (const char* part : {"laid out as version 5", "16-bit count, records of 12 bytes (the targets do not share out",
                             "16-bit count, records of 6 bytes", "32-bit counts, records of 12 bytes"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(X42Version6, TrailingBytesLeaveItUndetermined) {
    Description model = morphing_figure(MorphForm::plain);
    model.trailing = RawBytes().repeat(0, 16).bytes();
    const Bytes bytes = make(model);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->report.count("x42-morphs-undetermined"), 1u);
    EXPECT_TRUE(loaded->value.morphs.plain_header);
    EXPECT_EQ(loaded->value.bones.size(), model.bones.size());
    EXPECT_EQ(write(loaded->value).value(), bytes);
}

/// 102 is taken at its word and shown as damaged; of other numbers nothing is known.
TEST(X42Version6, DamagedFilesAreReadOnlyUnderTheKnownNumber) {
    for (const std::uint32_t version : {102u, 103u, 0xffffffffu}) {
        Description model = morphing_figure(MorphForm::small_12);
        model.version = version;
        model.lies["bones"] = 65000;
        const Bytes bytes = make(model);
        const auto loaded = read(bytes);
        ASSERT_EQ(loaded.has_value(), version == 102);
        if (!loaded) {
            EXPECT_EQ(loaded.error().code, "input-version");
            EXPECT_EQ(loaded.error().found, std::to_string(version));
            continue;
        }
        EXPECT_EQ(loaded->report.count("truncated"), 1u);
        EXPECT_EQ(write(loaded->value).value(), bytes);
    }
}

void expect_there_and_back(const Description& model) {
    const Bytes bytes = make(model);
    auto newer = with_version(read(bytes)->value, 6);
    ASSERT_TRUE(newer);
    EXPECT_TRUE(newer->report.empty()) << findings(newer->report);
    EXPECT_EQ(newer->value.version, version_6);
    const Bytes written = write(newer->value).value();
    const auto again = read(written);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->report.empty()) << findings(again->report);
    EXPECT_EQ(again->value.morphs.layout, MorphLayout::large);
    EXPECT_EQ(again->value.morphs.wide_counts, model.filling != 0);
    EXPECT_EQ(write(again->value).value(), written);
    const auto older = with_version(again->value, 5);
    ASSERT_TRUE(older);
    EXPECT_TRUE(older->report.empty()) << findings(older->report);
    EXPECT_EQ(write(older->value).value(), bytes);
}

TEST(X42Version6, IsMadeFromVersion5AndBack) {
    for (const bool big : {false, true}) {
        for (const unsigned flags : {0u, 0x10fu, 5u}) {
            for (const unsigned filling : {0u, 0x51u}) {
                Description model = figure(flags, big);
                model.filling = filling;
                expect_there_and_back(model);
            }
        }
    }
}

TEST(X42Version6, PaddingOfTheSmallHeaderIsNotOfVersion5) {
    Description model = morphing_figure(MorphForm::small_12);
    model.filling = 0x51;
    const auto older = with_version(read(make(model))->value, 5);
    ASSERT_TRUE(older);
    for (const Section section : {Section::bones, Section::morph_targets, Section::morph_indices})
        EXPECT_EQ(older->value.padding[static_cast<std::size_t>(section)], (std::array<std::uint8_t, 8>{}));
    const auto again = read(write(older->value).value());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->report.empty()) << findings(again->report);
    EXPECT_EQ(again->value.padding, older->value.padding);
}

TEST(X42Version6, Version5HasNoRoomForTargets) {
    const File file = read(make(morphing_figure(MorphForm::wide_6)))->value;
    const auto older = with_version(file, 5);
    ASSERT_TRUE(older);
    EXPECT_EQ(older->report.count("x42-morphs-dropped"), 1u);
    const auto again = read(write(older->value).value());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->report.empty()) << findings(again->report);
    EXPECT_EQ(again->value.vertices, file.vertices);
}

TEST(X42Version6, TrailingBytesDoNotGoIntoIt) {
    Description model = figure();
    model.trailing = RawBytes().repeat(7, 5).bytes();
    const auto newer = with_version(read(make(model))->value, 6);
    ASSERT_TRUE(newer);
    EXPECT_EQ(newer->report.count("x42-trailing-dropped"), 1u);
    EXPECT_TRUE(read(write(newer->value).value())->report.empty());

    File already = read(make(morphing_figure(MorphForm::small_12)))->value;
    already.trailing = RawBytes().repeat(7, 5).bytes();
    const auto same = with_version(already, 6);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->report.count("x42-trailing-dropped"), 1u);
    EXPECT_TRUE(read(write(same->value).value())->report.empty());
}

TEST(X42Versions, OnlyFiveAndSixCanBeWritten) {
    for (const int version : {-1, 0, 4, 7, 101}) {
        const auto changed = with_version(read(make(figure()))->value, version);
        ASSERT_FALSE(changed);
        EXPECT_EQ(changed.error().code, "x42-version-unknown");
    }
}

}  // namespace
}  // namespace effigy::test::x42
