// Any bytes as a skeletal motion.

#include "effigy/xsm.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    fuzz::exercise(fuzz::as_input(data, size), "xsm");
    return 0;
}
