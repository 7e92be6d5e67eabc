// Any text as a dump: what can be built and written is dumped and built again to the same bytes.

#include <string_view>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool normalize : {false, true}) {
        const auto built = build(text, normalize, fuzz::small_limits());
        if (!built) continue;
        const auto written = built->write();
        if (!written) continue;
        for (const bool expand : {false, true}) {
            const auto again = build(built->dump({expand}).value());
            fuzz::demand(again.has_value());
            const auto rewritten = again->write();
            fuzz::demand(rewritten.has_value());
            fuzz::demand_same(*rewritten, *written);
        }
        (void)built->check();
    }
    return 0;
}
