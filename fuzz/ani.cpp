// Any bytes as an Egosoft animation, which has no magic.

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    effigy::fuzz::exercise(effigy::fuzz::as_input(data, size), "ani");
    return 0;
}
