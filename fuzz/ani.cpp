// Any bytes as an Egosoft animation, which has no magic.

#include "effigy/ani.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    const auto opened = open_bytes(input, "x.ani", {fuzz::small_limits()});
    if (opened && opened->value.format().id == "ani") {
        (void)opened->value.check();
        (void)opened->value.info();
        const auto built = build(opened->value.dump().value(), false, fuzz::small_limits());
        if (built) fuzz::demand_same(built->write().value(), input);
        fuzz::demand(built || built.error().code == "limit-memory");
    }
    fuzz::exercise<ani::File>(input, ani::read, ani::write);
    return 0;
}
