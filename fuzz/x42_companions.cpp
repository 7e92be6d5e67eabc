// Any bytes as the text files beside an X42 model.

#include "effigy/x42_companions.hpp"

#include <cmath>

#include "check.hpp"

namespace {

using namespace effigy;

template <class File>
void exercise(std::span<const std::byte> input, const char* name,
              Result<Loaded<File>> (*read)(Bytes, const ReadOptions&)) {
    const ReadOptions options{fuzz::small_limits()};
    const auto loaded = read(Bytes(input.begin(), input.end()), options);
    if (loaded) fuzz::demand_same(loaded->value.text, input);
    const auto opened = open_bytes(input, name, options);
    if (!opened) return;
    (void)opened->value.check();
    (void)opened->value.info();
    const auto built = build(opened->value.dump().value(), false, options.limits);
    fuzz::demand(built.has_value());
    fuzz::demand_same(built->write().value(), input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    exercise(input, "animation.cfg", x42::read_animation_config);
    exercise(input, "default.skin", x42::read_skin);
    const auto config = x42::read_animation_config(Bytes(input.begin(), input.end()));
    if (!config) return 0;
    for (const auto& animation : config->value.animations) {
        fuzz::demand(std::isfinite(animation.frame_rate) && !animation.name.empty());
    }
    return 0;
}
