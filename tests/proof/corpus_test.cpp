/// Every real file: copied byte for byte, and converted to a .glb that the Khronos validator accepts.

#include "corpus/corpus.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "effigy/registry.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "proof/convert.hpp"
#include "proof/judge.hpp"
#include "proof/oracle.hpp"
#include "proof/synthetic.hpp"
#include "temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

/// What was read, written again: from memory to memory, and from file to file.
template <class Read, class ReadFile, class Write, class WriteFile>
void expect_exact_copy(const corpus::File& file, const fs::path& copy, Read read, ReadFile read_file, Write write,
                       WriteFile write_file) {
    const auto loaded = read(file.bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_FALSE(loaded->report.has_errors()) << to_string(loaded->report.diagnostics().front());
    const auto written = write(loaded->value);
    ASSERT_TRUE(written) << to_string(written.error());
    EXPECT_TRUE(std::ranges::equal(*written, file.bytes)) << "in memory";

    const auto from_disk = read_file(corpus::folder() / file.path);
    ASSERT_TRUE(from_disk) << to_string(from_disk.error());
    const auto done = write_file(from_disk->value, copy);
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(corpus::bytes_of(copy), file.bytes) << "on disk";
}

TEST(Corpus, EveryFileIsCopiedByteForByte) {
    EFFIGY_NEEDS_CORPUS();
    const effigy::test::TemporaryFolder folder;
    const fs::path copy = folder.path() / "copy";
    for (const corpus::File& file : corpus::files()) {
        SCOPED_TRACE(file.path.string());
        if (file.magic == "XAC ")
            expect_exact_copy(
                file, copy, [](const auto& bytes) { return effigy::xac::read(bytes); },
                [](const auto& path) { return effigy::xac::read_file(path); },
                [](const auto& value) { return effigy::xac::write(value); },
                [](const auto& value, const auto& path) { return effigy::xac::write_file(value, path); });
        else if (file.magic == "XSM ")
            expect_exact_copy(
                file, copy, [](const auto& bytes) { return effigy::xsm::read(bytes); },
                [](const auto& path) { return effigy::xsm::read_file(path); },
                [](const auto& value) { return effigy::xsm::write(value); },
                [](const auto& value, const auto& path) { return effigy::xsm::write_file(value, path); });
        else
            expect_exact_copy(
                file, copy, [](const auto& bytes) { return effigy::xpm::read(bytes); },
                [](const auto& path) { return effigy::xpm::read_file(path); },
                [](const auto& value) { return effigy::xpm::write(value); },
                [](const auto& value, const auto& path) { return effigy::xpm::write_file(value, path); });
    }
    std::printf("corpus: %zu files copied byte for byte: %zu XAC, %zu XSM, %zu XPM\n", corpus::files().size(),
                corpus::files_of("XAC ").size(), corpus::files_of("XSM ").size(), corpus::files_of("XPM ").size());
}

TEST(Corpus, EveryFileIsBuiltFromItsDumpByteForByte) {
    EFFIGY_NEEDS_CORPUS();
    for (const corpus::File& file : corpus::files()) {
        SCOPED_TRACE(file.path.string());
        const auto loaded = effigy::open_bytes(file.bytes, file.path.string());
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        for (const bool expand : {false, true}) {
            const auto built = effigy::build(loaded->value.dump({expand}).value());
            ASSERT_TRUE(built) << to_string(built.error());
            const auto written = built->write();
            ASSERT_TRUE(written) << to_string(written.error());
            EXPECT_TRUE(std::ranges::equal(*written, file.bytes)) << (expand ? "expanded" : "compact");
        }
    }
    std::printf("corpus: %zu files built from their dumps byte for byte\n", corpus::files().size());
}

/// The same content in the other byte order.
template <class File, class Read, class Write>
void expect_twin(const corpus::File& file, Read read, Write write) {
    auto original = read(std::span<const std::byte>(file.bytes));
    ASSERT_TRUE(original) << to_string(original.error());
    File twin = original->value;
    twin.header.endian = 1;
    const auto big = write(twin);
    ASSERT_TRUE(big) << to_string(big.error());
    auto again = read(std::span<const std::byte>(*big));
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_FALSE(again->report.has_errors());
    again->value.header.endian = original->value.header.endian;
    const auto little = write(again->value);
    ASSERT_TRUE(little) << to_string(little.error());
    EXPECT_TRUE(std::ranges::equal(*little, file.bytes)) << "there and back";
    EXPECT_FALSE(std::ranges::equal(*big, file.bytes)) << "the twin is the same file";
}

TEST(Corpus, EveryFileHasABigEndianTwin) {
    EFFIGY_NEEDS_CORPUS();
    for (const corpus::File& file : corpus::files()) {
        SCOPED_TRACE(file.path.string());
        if (file.magic == "XAC ")
            expect_twin<effigy::xac::File>(
                file, [](auto bytes) { return effigy::xac::read(bytes); },
                [](const auto& value) { return effigy::xac::write(value); });
        if (file.magic == "XSM ")
            expect_twin<effigy::xsm::File>(
                file, [](auto bytes) { return effigy::xsm::read(bytes); },
                [](const auto& value) { return effigy::xsm::write(value); });
        if (file.magic == "XPM ")
            expect_twin<effigy::xpm::File>(
                file, [](auto bytes) { return effigy::xpm::read(bytes); },
                [](const auto& value) { return effigy::xpm::write(value); });
    }
    std::printf("corpus: %zu files turned into big-endian ones and back\n", corpus::files().size());
}

TEST(Corpus, EveryConversionIsValid) {
    EFFIGY_NEEDS_CORPUS();
    if (const std::string why_not = judge::no_validator(); !why_not.empty()) GTEST_SKIP() << why_not;
    judge::Judge judge;
    std::size_t pairs = 0;
    std::vector<oracle::Motion> motions;
    for (const corpus::File* file : corpus::files_of("XSM ")) motions.push_back(oracle::read_motion(file->bytes));
    const std::vector<const corpus::File*> motion_files = corpus::files_of("XSM ");
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        const oracle::Actor actor = oracle::read_actor(file->bytes);
        const std::string name = file->path.stem().string();
        judge.add(name, convert::Input{{file->bytes}, {}, {}});
        for (std::size_t m = 0; m < motions.size(); ++m) {
            if (!oracle::fits(actor, motions[m])) continue;
            const std::string stem = motion_files[m]->path.stem().string();
            judge.add(name + " " + stem, convert::Input{{file->bytes}, {{stem, motion_files[m]->bytes}}, {}});
            ++pairs;
        }
    }
    for (const corpus::File* file : motion_files) {
        const std::string stem = file->path.stem().string();
        judge.add(stem, convert::Input{{}, {{stem, file->bytes}}, {}});
    }
    judge.judge();
    std::printf("corpus: %zu GLB files validated: %zu actors, %zu actors with a motion, %zu motions\n", judge.count(),
                corpus::files_of("XAC ").size(), pairs, motion_files.size());
}

TEST(Synthetic, EveryConversionIsValid) {
    if (const std::string why_not = judge::no_validator(); !why_not.empty()) GTEST_SKIP() << why_not;
    using synthetic::Scales;
    judge::Judge judge;
    unsigned seed = 50;
    for (const Scales scales : {Scales::uniform, Scales::stretched, Scales::turned})
        for (const int order : {0, 1})
            for (const bool older : {false, true})
                for (const bool later : {false, true}) {
                    if (older && later) continue;
                    const bool big_endian = ++seed % 2 == 0;
                    const auto actor = synthetic::actor({seed, big_endian, order, scales, true, !later, older, later});
                    const oracle::Actor read = oracle::read_actor(actor);
                    const auto motion =
                        synthetic::motion(read, {seed, big_endian, order, later, older, scales, false, 0.1, 0.5});
                    const auto morphs = synthetic::morph_motion(read, seed, big_endian);
                    judge.add("all " + std::to_string(seed),
                              convert::Input{{actor}, {{"all", motion}}, {{"all", morphs}}});
                    judge.add("alone " + std::to_string(seed), convert::Input{{}, {{"alone", motion}}, {}});
                }
    judge.judge();
    std::printf("%zu GLB files of synthetic actors and motions validated\n", judge.count());
}

TEST(Corpus, ALoneMorphMotionHasNothingToShow) {
    EFFIGY_NEEDS_CORPUS();
    for (const corpus::File* file : corpus::files_of("XPM ")) {
        SCOPED_TRACE(file->path.string());
        auto loaded = effigy::xpm::read(file->bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        effigy::emfx::SceneInput input;
        input.morph_motions.push_back({{"motion", file->bytes.size(), {}}, std::move(loaded->value)});
        const auto scene = effigy::emfx::to_scene(std::move(input));
        ASSERT_FALSE(scene);
        EXPECT_EQ(scene.error().code, "nothing-to-show");
    }
}

}  // namespace
