// Any bytes as an Egosoft mesh; what can be read comes back through a dump as well.

#include "effigy/xmf.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    const auto opened = open_bytes(input, "", {fuzz::small_limits()});
    if (opened && opened->value.format().id == "xmf") {
        (void)opened->value.info();
        const auto built = build(opened->value.dump().value(), false, fuzz::small_limits());
        // A dump is larger than the file, and may meet the limit where the file did not.
        if (built) fuzz::demand_same(built->write().value(), input);
        fuzz::demand(built || built.error().code == "limit-memory");
    }
    fuzz::exercise<xmf::File>(input, xmf::read, xmf::write);
    return 0;
}
