/// Reads and writes the Huffman code of wavelet motions: several symbols for each look into a table.

#include "emfx/file/wavelet_code.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace effigy::xsm {
namespace {

constexpr std::size_t four_zeros = 256, end_mark = 257, symbol_count = 258;
constexpr unsigned window_bits = 11;  // of the longest code

/// How often the exporter's makers met each byte, four zeros, and the end.
constexpr std::array<std::uint32_t, symbol_count> frequencies{
    213661, 44123, 25311, 16472, 11848,  8993, 7390, 5852, 4685, 4240, 3596, 3221, 2984, 2938, 2504, 2468, 2479, 2136,
    1872,   1962,  1923,  1868,  1894,   1735, 1895, 1751, 1630, 1711, 1697, 1545, 1691, 1716, 1570, 1591, 1849, 1975,
    2219,   2329,  2229,  2458,  2339,   2291, 2245, 2340, 2473, 3483, 2506, 2478, 2368, 2347, 2558, 2346, 2152, 2262,
    2221,   2210,  2195,  2075,  2204,   2219, 2468, 2719, 3125, 5615, 7796, 3211, 2751, 2562, 2202, 2258, 2306, 2400,
    2318,   2272,  2255,  2467,  2143,   2262, 2462, 2172, 2028, 2073, 2103, 2285, 2167, 2149, 2137, 2037, 2266, 1963,
    3057,   2064,  1936,  2177,  1963,   1998, 1931, 2061, 1773, 1940, 2093, 1951, 2022, 2017, 1914, 1959, 1854, 2057,
    1975,   2080,  1976,  2024,  2267,   2277, 1911, 1835, 2135, 2012, 1903, 1948, 2069, 1871, 2072, 1955, 2114, 2276,
    2875,   4846,  1979,  1936,  2081,   1957, 1969, 1994, 2050, 1889, 1960, 1831, 1923, 1779, 1942, 1868, 1953, 2187,
    2114,   1843,  1804,  1968,  1873,   1899, 2091, 1981, 1954, 2034, 1831, 1892, 2146, 1949, 1947, 1954, 2067, 2031,
    1898,   1998,  2023,  2637,  2214,   2026, 1967, 2182, 2092, 2059, 2004, 2071, 2218, 2249, 2158, 2087, 1959, 1924,
    2167,   2157,  2193,  2099,  2155,   2196, 2241, 2295, 1895, 2143, 2096, 2187, 2162, 2172, 2090, 2121, 2101, 2007,
    1990,   2026,  2207,  2086,  2157,   2002, 2038, 2112, 2474, 2328, 2590, 2614, 3642, 2234, 2158, 2339, 2218, 2160,
    2225,   2227,  2259,  2266,  2070,   2200, 1830, 1705, 1576, 1672, 1675, 1574, 1635, 1763, 1824, 1942, 1911, 1798,
    2039,   1906,  1895,  1971,  2123,   2474, 2500, 2634, 3123, 3167, 3387, 4086, 4176, 5173, 5518, 7090, 8703, 12673,
    16477,  25415, 43613, 99964, 165407, 1};

/// The first bit of a code is its lowest.
struct SymbolCode {
    std::uint32_t bits = 0;
    unsigned length = 0;
};

/// What the next bits of a stream mean: up to 12 bytes, of which only the first six are not 0. An end mark uses up no
/// bits, so that reading stays there.
struct Lookup {
    std::uint64_t packed;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return packed & 0xffff'ffff'ffffu; }
    [[nodiscard]] std::size_t count() const noexcept { return packed >> 48 & 0xffu; }
    [[nodiscard]] unsigned length() const noexcept { return static_cast<unsigned>(packed >> 56); }
};

struct CodeTables {
    std::array<SymbolCode, symbol_count> codes;
    std::array<Lookup, 1u << window_bits> lookups;
};

std::array<SymbolCode, symbol_count> make_codes() {
    // Nodes by frequency, then by number: of equal ones the older counts.
    using Node = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    for (std::uint32_t symbol = 0; symbol < symbol_count; ++symbol) open.emplace(frequencies[symbol], symbol);
    std::array<std::array<std::uint32_t, 2>, symbol_count - 1> children{};
    for (std::uint32_t number = symbol_count; open.size() > 1; ++number) {
        std::uint32_t sum = 0;
        for (std::uint32_t& child : children[number - symbol_count]) {
            sum += open.top().first;
            child = open.top().second;
            open.pop();
        }
        open.emplace(sum, number);
    }
    std::array<SymbolCode, 2 * symbol_count - 1> nodes{};
    for (std::size_t number = nodes.size(); number-- > symbol_count;) {
        const SymbolCode above = nodes[number];
        const auto [left, right] = children[number - symbol_count];
        nodes[left] = {above.bits, above.length + 1};
        nodes[right] = {above.bits | 1u << above.length, above.length + 1};
    }
    std::array<SymbolCode, symbol_count> codes{};
    std::copy_n(nodes.begin(), symbol_count, codes.begin());
    return codes;
}

Lookup make_lookup(std::uint32_t window, const std::array<std::uint16_t, 1u << window_bits>& first,
                   const std::array<SymbolCode, symbol_count>& codes) {
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
    unsigned length = 0;
    while (true) {
        const std::size_t symbol = first[window >> length];
        const unsigned next = length + codes[symbol].length;
        const bool has_room = symbol == four_zeros || symbol == 0 || count < 6;
        if (next > window_bits || symbol == end_mark || !has_room) break;
        if (symbol < four_zeros && symbol != 0) bytes |= std::uint64_t{symbol} << 8 * count;
        count += symbol == four_zeros ? 4 : 1;
        length = next;
    }
    return {bytes | count << 48 | std::uint64_t{length} << 56};
}

CodeTables make_tables() {
    CodeTables tables{make_codes(), {}};
    std::array<std::uint16_t, 1u << window_bits> first{};
    for (std::uint16_t symbol = 0; symbol < symbol_count; ++symbol) {
        const SymbolCode& code = tables.codes[symbol];
        for (std::uint32_t window = code.bits; window < first.size(); window += 1u << code.length)
            first[window] = symbol;
    }
    for (std::uint32_t window = 0; window < first.size(); ++window)
        tables.lookups[window] = make_lookup(window, first, tables.codes);
    return tables;
}

const CodeTables& code_tables() {
    static const CodeTables tables = make_tables();
    return tables;
}

/// Bits of a block, from the lowest of each byte on; behind its end come zeros.
class BitReader {
public:
    explicit BitReader(std::span<const std::byte> block) noexcept
        : next_(block.data()), end_(block.data() + block.size()) {}

    /// At least 56 bits.
    void refill() noexcept {
        if (end_ - next_ >= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, next_, sizeof word);
            bits_ |= word << count_;
            next_ += (63 - count_) >> 3;
            count_ |= 56;
            return;
        }
        for (; count_ <= 56; count_ += 8) {
            if (next_ == end_)
                beyond_ += 8;
            else
                bits_ |= std::uint64_t{std::to_integer<std::uint8_t>(*next_++)} << count_;
        }
    }
    [[nodiscard]] std::size_t window() const noexcept { return bits_ & ((1u << window_bits) - 1); }
    void skip(unsigned length) noexcept {
        bits_ >>= length;
        count_ -= length;
    }
    /// Whether all bits that were skipped, and `more`, were the block's own.
    [[nodiscard]] bool has_been_inside(unsigned more) const noexcept { return beyond_ + more <= count_; }

private:
    const std::byte *next_, *end_;
    std::uint64_t bits_ = 0, beyond_ = 0;
    unsigned count_ = 0;
};

}  // namespace

CodeEnd read_codes(std::span<const std::byte> block, std::span<std::byte> out, std::size_t due) noexcept {
    const CodeTables& tables = code_tables();
    BitReader reader(block);
    std::byte* next = out.data();
    const std::byte* const end = next + due;
    while (true) {
        reader.refill();
        constexpr int lookups = 56 / window_bits;
        Lookup found{};
        for (int i = 0; i < lookups; ++i) {
            found = tables.lookups[reader.window()];
            const std::array<std::uint64_t, 2> bytes{found.bytes(), 0};
            std::memcpy(next, bytes.data(), sizeof bytes);
            next += found.count();
            reader.skip(found.length());
        }
        if (found.length() == 0) break;
        if (!reader.has_been_inside(0)) return CodeEnd::missing;
        if (next > end) return CodeEnd::late;
    }
    if (!reader.has_been_inside(tables.codes[end_mark].length)) return CodeEnd::missing;
    if (next == end) return CodeEnd::exact;
    return next < end ? CodeEnd::early : CodeEnd::late;
}

void write_codes(std::span<const std::byte> bytes, Bytes& block) {
    const CodeTables& tables = code_tables();
    std::uint64_t bits = 0;
    unsigned count = 0;
    const auto put = [&](std::size_t symbol) {
        const SymbolCode code = tables.codes[symbol];
        bits |= std::uint64_t{code.bits} << count;
        for (count += code.length; count >= 8; count -= 8) {
            block.push_back(static_cast<std::byte>(bits & 0xffu));
            bits >>= 8;
        }
    };
    for (std::size_t i = 0; i < bytes.size();) {
        std::uint32_t four = 1;
        if (bytes.size() - i >= 4) std::memcpy(&four, bytes.data() + i, sizeof four);
        put(four == 0 ? four_zeros : std::to_integer<std::size_t>(bytes[i]));
        i += four == 0 ? 4 : 1;
    }
    put(end_mark);
    if (count != 0) block.push_back(static_cast<std::byte>(bits & 0xffu));
}

}  // namespace effigy::xsm
