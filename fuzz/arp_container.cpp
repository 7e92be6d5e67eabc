// Any bytes as the container of a signing avatar.

#include "effigy/arp_container.hpp"

#include "check.hpp"

namespace {

using namespace effigy;

void exercise(const arp::Container& container) {
    for (const arp::Entry& entry : container.entries) {
        fuzz::demand(!entry.name.empty() && entry.name.front() != '/');
        fuzz::demand(entry.readable || entry.content.empty());
    }
    (void)arp::find_entry(container, container.avatar.texture.name);
    // Without its archive it is packed anew, and holds the same.
    arp::Container loose = container;
    loose.archive.clear();
    const auto packed = arp::write_container(loose);
    if (!packed) return;  // an entry that could not be unpacked
    const auto again = arp::read_container(*packed);
    fuzz::demand(again.has_value());
    fuzz::demand(again->value.entries.size() == container.entries.size());
    for (std::size_t index = 0; index < container.entries.size(); ++index) {
        fuzz::demand(again->value.entries[index].name == container.entries[index].name);
        fuzz::demand_same(again->value.entries[index].content, container.entries[index].content);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const ReadOptions options{fuzz::small_limits()};
    const auto loaded = arp::read_container(Bytes(input.begin(), input.end()), options);
    if (!loaded) return 0;
    const auto written = arp::write_container(loaded->value);
    fuzz::demand(written.has_value());
    fuzz::demand_same(*written, input);
    exercise(loaded->value);
    fuzz::exercise(input, "jar");
    return 0;
}
