// Any bytes as an X42 model; what can be read comes back as the other version as well.

#include "effigy/x42.hpp"

#include "check.hpp"

namespace {

using namespace effigy;

void change_version(const x42::File& file) {
    for (const int version : {5, 6}) {
        const auto changed = x42::with_version(file, version);
        if (!changed) continue;
        const auto written = x42::write(changed->value);
        fuzz::demand(written.has_value());
        fuzz::demand(x42::read(*written, {fuzz::small_limits()}).has_value());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const auto loaded = x42::read(input, {fuzz::small_limits()});
    if (loaded) change_version(loaded->value);
    fuzz::exercise(input, "x42");
    return 0;
}
