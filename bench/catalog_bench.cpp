/// Catalogs: the lines of a whole game's index, against a scan of its text for line feeds.

#include <cstring>
#include <string>

#include "effigy/catalog.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

constexpr std::uint32_t entries = 500'000;

/// Paths as long as a game's, sizes of all magnitudes.
Bytes make_catalog() {
    std::string text;
    std::uint64_t random = 1;
    for (std::uint32_t number = 0; number < entries; ++number) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const std::string name = std::to_string(random >> 40);
        text += "assets/units/size_" + name.substr(0, 1) + "/ship_gen_" + name + "_data/part main " +
                std::to_string(number) + "-lod0.xmf " + std::to_string((random >> 33) >> (random >> 58)) +
                " 1700000000 ";
        for (unsigned digit = 0; digit < 32; ++digit) text += "0123456789abcdef"[random >> (2 * digit % 60) & 15];
        text += '\n';
    }
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::uint64_t count_lines(std::span<const std::byte> bytes) {
    const auto* at = reinterpret_cast<const char*>(bytes.data());
    const char* const end = at + bytes.size();
    std::uint64_t lines = 0;
    while (at != end) {
        const auto* feed = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        if (feed == nullptr) break;
        ++lines;
        at = feed + 1;
    }
    return lines;
}

void list_catalog(benchmark::State& state) {
    const Bytes bytes = make_catalog();
    std::uint64_t read = 0, scanned = 0;
    // A reading consumes its bytes: each is given a copy, made outside of the time that counts.
    Times times;
    for (auto _ : state) {
        Bytes copy = bytes;
        const bool subject_first = times.subject.size() % 2 == 0;
        const auto subject = [&] {
            const double start = now();
            const auto loaded = catalog::read(std::move(copy));
            times.subject.push_back(now() - start);
            read = loaded ? loaded->value.entries.size() : 0;
        };
        const auto reference = [&] {
            const double start = now();
            scanned = count_lines(bytes);
            benchmark::DoNotOptimize(scanned);
            times.reference.push_back(now() - start);
        };
        if (subject_first) subject();
        reference();
        if (!subject_first) subject();
        state.SetIterationTime(times.subject.back());
    }
    if (read != entries || scanned != entries) return state.SkipWithError("entries were lost");
    report(state, times, Ratio::time, 0);
    state.counters.erase("goal_at_most");
    state.counters["entries"] = entries;
    state.counters["MB"] = static_cast<double>(bytes.size()) / 1e6;
    state.counters["M_entries_per_s"] = entries / quantile(times.subject, 0.5) / 1e6;
}
BENCHMARK(list_catalog)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(51);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
