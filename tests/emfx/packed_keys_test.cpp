// Lists of 16-bit rotations become what one after the other gives, bit by bit, whichever vectors the machine has.

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "effigy/xsm.hpp"

namespace effigy::test {
namespace {

xsm::RotationKey<Quat> plain(const xsm::RotationKey<xsm::PackedQuat>& key) {
    const auto x = static_cast<float>(key.value.x), y = static_cast<float>(key.value.y);
    const auto z = static_cast<float>(key.value.z), w = static_cast<float>(key.value.w);
    const float square = x * x + y * y + z * z + w * w;
    const float unit = 1.0f / std::sqrt(square > 0 ? square : 1.0f);
    return {{x * unit, y * unit, z * unit, w * unit}, key.time};
}

TEST(PackedKeys, AreDecodedAlikeWhateverTheirNumber) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> any(-32768, 32767);
    const auto number = [&] { return static_cast<std::int16_t>(any(random)); };
    for (std::size_t count = 0; count < 100; ++count) {
        std::vector<xsm::RotationKey<xsm::PackedQuat>> keys;
        for (std::size_t i = 0; i < count; ++i)
            keys.push_back({{number(), number(), number(), number()}, 0.25f * static_cast<float>(i)});
        if (count > 5) keys[5].value = {0, 0, 0, 0};
        if (count > 7) keys[7].value = {-32768, -32768, -32768, -32768};
        const auto decoded = xsm::decode(keys);
        ASSERT_EQ(decoded.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto expected = plain(keys[i]);
            ASSERT_EQ(std::memcmp(&decoded[i], &expected, sizeof expected), 0) << count << " keys, " << i;
        }
    }
}

}  // namespace
}  // namespace effigy::test
