// Any bytes as a component, an index and macros.

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    for (const char* format : {"component", "index", "macros"}) fuzz::exercise(input, format);
    return 0;
}
