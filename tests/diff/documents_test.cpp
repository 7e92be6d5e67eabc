/// Documents of the same bytes: no difference, whatever they are called.

#include <gtest/gtest.h>

#include "effigy/diff.hpp"
#include "effigy/registry.hpp"

#include "arp/raw_arp.hpp"

namespace effigy::test {
namespace {

TEST(DiffDocuments, NamesAreNoDifference) {
    const Bytes bytes = arp::make(arp::figure());
    const auto a = open_bytes(bytes, "anna/avatardef.jarp");
    const auto b = open_bytes(bytes, "otto.arp");
    ASSERT_TRUE(a && b);
    const auto same = diff_documents(a->value, b->value);
    ASSERT_TRUE(same) << to_string(same.error());
    EXPECT_TRUE(same->empty()) << to_string(same->diagnostics().front());
    Bytes changed = bytes;
    changed[bytes.size() - 1] ^= std::byte{1};
    const auto c = open_bytes(changed, "otto.arp");
    ASSERT_TRUE(c);
    const auto other = diff_documents(a->value, c->value);
    ASSERT_TRUE(other) << to_string(other.error());
    EXPECT_FALSE(other->empty());
}

}  // namespace
}  // namespace effigy::test
