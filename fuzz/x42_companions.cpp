// Any bytes as the text files beside an X42 model.

#include "effigy/x42_companions.hpp"

#include <cmath>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    for (const char* format : {"animation-cfg", "skin"}) fuzz::exercise(input, format);
    const auto config = x42::read_animation_config(Bytes(input.begin(), input.end()));
    if (!config) return 0;
    for (const auto& animation : config->value.animations) {
        fuzz::demand(std::isfinite(animation.frame_rate) && !animation.name.empty());
    }
    return 0;
}
