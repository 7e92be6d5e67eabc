/// What the loader puts into a test program, such as the runtime of sanitizers, is not for the programs that it starts.

#include <cstdlib>

namespace {
[[maybe_unused]] const bool is_for_the_test_alone = unsetenv("LD_PRELOAD") == 0;
}
