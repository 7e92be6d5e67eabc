// Any bytes as glTF: kept as they are, and whatever can be read of them is a scene that can be written and posed.

#include "effigy/gltf_file.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    const auto opened = open_bytes(input, "", {fuzz::small_limits()});
    if (opened && opened->value.format().family == "gltf") {
        (void)opened->value.info();
        const auto built = build(opened->value.dump().value(), false, fuzz::small_limits());
        // A dump is larger than the file, and may meet the limit where the file did not.
        if (built) fuzz::demand_same(built->write().value(), input);
        fuzz::demand(built || built.error().code == "limit-memory");
    }
    fuzz::exercise<gltf::File>(input, gltf::read, gltf::write);
    return 0;
}
