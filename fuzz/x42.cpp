// Any bytes as an X42 model; what can be read comes back through a dump as well, and as the other version.

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
    if (loaded) {
        change_version(loaded->value);
        const auto opened = open_bytes(input, "", {fuzz::small_limits()});
        fuzz::demand(opened.has_value());
        (void)opened->value.info();
        const auto built = build(opened->value.dump().value(), false, fuzz::small_limits());
        // A dump is larger than the file, and may meet the limit where the file did not.
        if (built) fuzz::demand_same(built->write().value(), input);
        fuzz::demand(built || built.error().code == "limit-memory");
    }
    fuzz::exercise<x42::File>(input, x42::read, x42::write);
    return 0;
}
