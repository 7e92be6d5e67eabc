/// Damaged files of every format: a result or a diagnostic, never a crash, and never a byte lost of what was read.

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

#include "emfx/allocations.hpp"
#include "hostile/samples.hpp"

namespace effigy::harness {
namespace {

class Hostile : public testing::TestWithParam<Sample> {};

std::string name_of(const testing::TestParamInfo<Sample>& sample) { return sample.param.name; }
INSTANTIATE_TEST_SUITE_P(Emfx, Hostile, testing::ValuesIn(emfx_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Egosoft, Hostile, testing::ValuesIn(egosoft_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(X42, Hostile, testing::ValuesIn(x42_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Arp, Hostile, testing::ValuesIn(arp_samples()), name_of);
INSTANTIATE_TEST_SUITE_P(Gltf, Hostile, testing::ValuesIn(gltf_samples()), name_of);

/// Of how many damages one is tried, spread over places and ways of being wrong: all, unless the build says another
/// number because each takes ten times as long there.
std::size_t stride() {
    static const char* const asked = std::getenv("EFFIGY_DAMAGE_STRIDE");
    static const std::size_t number = asked == nullptr ? 1 : std::max(1ul, std::strtoul(asked, nullptr, 10));
    return number;
}

/// Without this the damaged files would prove little.
TEST_P(Hostile, IsReadAsItIs) {
    const Outcome outcome = exercise(GetParam().bytes, GetParam().demands);
    EXPECT_TRUE(outcome.read);
    EXPECT_EQ(outcome.fault, "");
}

TEST_P(Hostile, TruncatedAtEveryByte) {
    const Sample& sample = GetParam();
    std::size_t readable = 0;
    for (std::size_t size = 0; size < sample.bytes.size(); size += stride()) {
        const Bytes part(sample.bytes.begin(), sample.bytes.begin() + static_cast<std::ptrdiff_t>(size));
        Demands demands = sample.demands;
        demands.dump = size % sample.dump_every == 0;
        demands.scene = sample.scene_every != 0 && size % sample.scene_every == 0;
        const Outcome outcome = exercise(part, demands);
        ASSERT_EQ(outcome.fault, "") << "cut off at " << size;
        if (sample.readable_from != 0) {
            // Text may be glTF however short it is; behind its magic a .glb always is one.
            const bool is_glb = sample.demands.format == "glb";
            ASSERT_EQ(outcome.read || is_glb, size >= sample.readable_from || is_glb) << size;
            ASSERT_TRUE(outcome.read || size < sample.readable_from) << size;
        }
        if (sample.min_scenes != 0) {
            ASSERT_FALSE(outcome.scene) << size;
        }
        readable += outcome.read ? 1u : 0u;
    }
    if (sample.demands.format == "jarp") {
        EXPECT_GE(readable * stride(), sample.bytes.size() / 2);
    }
}

TEST_P(Hostile, EveryByteCorrupted) {
    const Sample& sample = GetParam();
    std::size_t scenes = 0, damages = 0;
    for (std::size_t place = 0; place < sample.bytes.size(); ++place) {
        const bool is_dense = place < sample.dense;
        const bool is_header = is_dense && sample.dense < sample.bytes.size();
        std::vector<std::byte> tried{sample.bytes[place]};
        for (std::size_t number = 0; number < (is_dense ? sample.wrongs.size() : 2u); ++number) {
            const std::byte wrong = sample.wrongs[number].of(sample.bytes[place]);
            if (std::ranges::find(tried, wrong) != tried.end()) continue;
            tried.push_back(wrong);
            if (damages++ % stride() != 0) continue;
            Bytes bytes = sample.bytes;
            bytes[place] = wrong;
            Demands demands = sample.demands;
            demands.dump = number == 0 && (is_header || place % sample.dump_every == 0);
            demands.scene = number < sample.wrong_scenes && sample.scene_every != 0 && place % sample.scene_every == 0;
            const Outcome outcome = exercise(bytes, demands);
            ASSERT_EQ(outcome.fault, "") << "byte " << place << " is " << std::to_integer<int>(wrong);
            scenes += outcome.scene ? 1u : 0u;
        }
    }
    EXPECT_GE(scenes, sample.min_scenes / stride());
}

/// Reading needs at most what the limit says, whatever the file announces.
TEST_P(Hostile, MemoryStaysWithinItsLimit) {
    const Sample& sample = GetParam();
    bool fits = false;
    for (std::uint64_t memory = 1; memory < std::uint64_t{1} << 20; memory += memory < 8192 ? 61 : memory) {
        SCOPED_TRACE(memory);
        Limits limits;
        limits.memory = memory;
        const test::PeakMemory peak;
        const auto loaded = read_as(sample.demands.format, sample.bytes, limits);
        EXPECT_LE(peak.bytes(), memory + sample.slack);
        if (loaded) {
            fits = true;
            EXPECT_EQ(loaded->value.write().value(), sample.bytes);
        } else {
            EXPECT_FALSE(fits) << "more memory must not make it fail";
            EXPECT_EQ(loaded.error().code, "limit-memory");
        }
    }
    EXPECT_TRUE(fits);
}

}  // namespace
}  // namespace effigy::harness
