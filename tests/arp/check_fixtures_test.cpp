// Files of every version and variant, as raw bytes, have nothing that is an error.

#include <gtest/gtest.h>
#include <string_view>

#include "effigy/arp.hpp"

#include "arp/raw_arp.hpp"

namespace effigy::test::arp {
namespace {

/// What these have embedded is as long as it should be, and no image.
bool has_no_real_image(std::string_view name) {
    return name == "V31Png" || name.find("Compressed") != std::string_view::npos;
}

class ArpCheckFixtures : public testing::TestWithParam<Fixture> {};

TEST_P(ArpCheckFixtures, HaveNoErrors) {
    const auto loaded = effigy::arp::read(make(GetParam().description));
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const Report report = effigy::arp::check(loaded->value);
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.code == "arp-texture-size") continue;
        EXPECT_NE(finding.severity, Severity::error) << to_string(finding);
    }
    EXPECT_EQ(report.count("arp-texture-size"), has_no_real_image(GetParam().name) ? 1u : 0u);
    EXPECT_EQ(report.count("arp-version-old"), loaded->value.version == "3.1" ? 0u : 1u);
    EXPECT_EQ(report.count("arp-not-finite"), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, ArpCheckFixtures, testing::ValuesIn(all_fixtures()),
                         [](const auto& fixture) { return fixture.param.name; });

}  // namespace
}  // namespace effigy::test::arp
