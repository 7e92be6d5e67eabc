/// What the loader is told for a test program, such as to take an instrumented library, is not for the programs that
/// it starts.

#include <cstdlib>

namespace {
[[maybe_unused]] const bool is_for_the_test_alone =
    std::getenv("EFFIGY_INSTRUMENTED") == nullptr || (unsetenv("LD_PRELOAD") == 0 && unsetenv("LD_LIBRARY_PATH") == 0);
}
