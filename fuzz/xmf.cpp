// Any bytes as an Egosoft mesh.

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    effigy::fuzz::exercise(effigy::fuzz::as_input(data, size), "xmf");
    return 0;
}
