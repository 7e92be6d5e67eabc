// Any bytes as a component, an index and macros.

#include "effigy/component.hpp"

#include "check.hpp"

namespace {

template <class File>
void read(std::span<const std::byte> input,
          effigy::Result<effigy::Loaded<File>> (*reader)(effigy::Bytes, const effigy::ReadOptions&)) {
    using namespace effigy;
    const auto loaded = reader(Bytes(input.begin(), input.end()), {fuzz::small_limits()});
    if (loaded) fuzz::demand_same(loaded->value.text, input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    read(input, egosoft::read_components);
    read(input, egosoft::read_index);
    read(input, egosoft::read_macros);
    auto opened = open_bytes(input, "x.xml", {fuzz::small_limits()});
    if (!opened) return 0;
    (void)opened->value.info();
    (void)opened->value.check();
    fuzz::convert({opened->value});
    return 0;
}
