// Every avatar of the corpus comes back to the byte, straight and through a dump.

#include <gtest/gtest.h>
#include <iostream>

#include "arp/file/formats.hpp"
#include "avatars.hpp"
#include "core/json.hpp"

namespace effigy::test::arp {
namespace {

TEST(Corpus, AvatarsAreKept) {
    EFFIGY_NEEDS_AVATARS();
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        EXPECT_TRUE(report.empty()) << to_string(report.diagnostics().front());
        EXPECT_EQ(effigy::arp::write(file).value(), bytes);
        const auto nodes = parse_json(to_text(effigy::arp::dump(file, {}).value()));
        ASSERT_TRUE(nodes);
        const auto built = effigy::arp::build(*nodes, false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(effigy::arp::write(*built).value(), bytes);
    }
    std::cout << "corpus: " << avatars::all().size() << " avatars kept to the byte\n";
}

}  // namespace
}  // namespace effigy::test::arp
