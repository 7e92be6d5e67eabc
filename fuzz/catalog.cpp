// Any bytes as a catalog, and as a path and a pattern.

#include "effigy/catalog.hpp"

#include <algorithm>
#include <string_view>

#include "effigy/game_files.hpp"

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const auto input = fuzz::as_input(data, size);
    const auto loaded = catalog::read(Bytes(input.begin(), input.end()), {fuzz::small_limits()});
    if (!loaded) return 0;
    fuzz::exercise(input, "cat");
    std::uint64_t offset = 0;
    for (const catalog::Entry& entry : loaded->value.entries) {
        fuzz::demand(entry.offset == offset && entry.path_offset + entry.path_size <= size);
        offset += entry.size;
        const auto normal = egosoft::normal_path(loaded->value.path(entry));
        if (!normal) continue;
        fuzz::demand(egosoft::normal_path(*normal) == normal);
        fuzz::demand(egosoft::matches("**", *normal));
    }
    const std::string_view text(reinterpret_cast<const char*>(input.data()), std::min<std::size_t>(size, 1000));
    (void)egosoft::matches(text.substr(0, text.size() / 2), text.substr(text.size() / 2));
    return 0;
}
