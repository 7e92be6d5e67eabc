// Any bytes as a morph motion.

#include "effigy/xpm.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    fuzz::exercise(fuzz::as_input(data, size), "xpm");
    return 0;
}
