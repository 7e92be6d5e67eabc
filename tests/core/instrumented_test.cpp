/// Where tests are to run with an instrumented library, that is the one they run with, and it finds what it is for.

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <memory>
#include <string_view>

#include "core/text.hpp"

namespace effigy {
namespace {

TEST(Instrumented, FindsWhatIsReadBehindAnAllocation) {
    const char* const folder = std::getenv("EFFIGY_INSTRUMENTED");
    if (folder == nullptr) {
        GTEST_SKIP() << "this build's tests do not run with another library";
    }
    Dl_info library{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(&cut), &library), 0);
    EXPECT_TRUE(std::string_view(library.dli_fname).starts_with(folder)) << library.dli_fname;

    const auto eight = std::make_unique<char[]>(8);
    const std::string_view nine(eight.get(), 9);
    EXPECT_DEATH((void)cut(nine, 8), "heap-buffer-overflow");
}

}  // namespace
}  // namespace effigy
