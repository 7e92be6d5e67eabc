#pragma once
/// What the checks of XAC, XSM and XPM share: the table of rules, addresses, and the collector of findings.

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "effigy/emfx_codes.hpp"
#include "effigy/result.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"
#include "emfx/file/container.hpp"

namespace effigy::emfx::checks {

/// A part of a path. Parts are linked, so that the text is only made when there is something to report.
struct Where {
    static constexpr std::uint64_t no_index = ~std::uint64_t{0};

    const Where* parent = nullptr;
    std::string_view name = {};
    std::uint64_t index = no_index;
    std::string_view kind = {};  ///< of a chunk
};

[[nodiscard]] std::string to_string(const Where& where);

/// Tallies the indices for which `bad` holds. Counting goes before searching because a loop without exits is one
/// that compilers can vectorise, and because nearly always nothing is found.
template <class Bad>
[[nodiscard]] Tally tally(std::size_t size, Bad bad) {
    std::size_t count = 0;
    for (std::size_t index = 0; index < size; ++index) count += bad(index) ? 1u : 0u;
    if (count == 0) return {};
    std::size_t first = 0;
    while (!bad(first)) ++first;
    return {count, first};
}

/// Collects the findings of one file, or of one file inside another.
class Findings {
public:
    explicit Findings(Report& report, const Where* base = nullptr) : report_(&report), base_(base) {}

    /// The parent of all paths: null, or the place of the embedded file.
    [[nodiscard]] const Where* base() const noexcept { return base_; }
    [[nodiscard]] Report& report() const noexcept { return *report_; }
    [[nodiscard]] Where file() const noexcept { return base_ == nullptr ? Where{} : *base_; }

    /// `count` findings of one kind, reported as one with the address of the first.
    void add(const Code& code, const Where& where, std::string found, std::string expected, std::uint64_t count = 1);
    /// As add(), but one for the whole file: counted, and reported by finish().
    void collect(const Code& code, const Where& where, std::string_view found, std::string_view expected);
    /// Looks at the encoding of a string.
    void text(std::string_view bytes, const Where& where);
    void finish();

private:
    struct Collected {
        Code code;
        std::string path, found, expected;
        std::uint64_t count;
    };
    void add(const Code& code, std::string path, std::string found, std::string expected, std::uint64_t count);

    Report* report_;
    const Where* base_;
    std::vector<Collected> collected_;
    std::string utf8_;  ///< the first text that is UTF-8 and not ASCII
};

/// Numbers and raw strings as text for `found` and `expected`.
[[nodiscard]] inline std::string number(std::integral auto value) { return std::to_string(value); }
[[nodiscard]] inline std::string number(float value) { return number_text(value); }
[[nodiscard]] std::string numbers(std::span<const float> values);
[[nodiscard]] std::string numbers(const Vec3& value);
[[nodiscard]] std::string numbers(const Quat& value);
[[nodiscard]] std::string in_quotes(std::string_view bytes);

[[nodiscard]] inline bool not_finite(float value) noexcept {
    return (std::bit_cast<std::uint32_t>(value) & 0x7f800000u) == 0x7f800000u;
}
[[nodiscard]] inline bool not_finite(const Vec3& v) noexcept {
    return not_finite(v.x) || not_finite(v.y) || not_finite(v.z);
}
[[nodiscard]] inline bool not_finite(const Quat& q) noexcept {
    return not_finite(q.x) || not_finite(q.y) || not_finite(q.z) || not_finite(q.w);
}

/// |length - 1| up to about 0.001 is rounding.
inline constexpr float square_tolerance = 2e-3f;

[[nodiscard]] inline bool not_unit(float square_of_length) noexcept {
    return std::fabs(square_of_length - 1.0f) > square_tolerance;
}
[[nodiscard]] inline bool not_unit(const Quat& q) noexcept {
    return not_unit(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/// Single values: not-finite and rotation-norm.
void check_finite(float value, const Where& where, Findings& findings);
void check_finite(const Vec3& value, const Where& where, Findings& findings);
void check_rotation(const Quat& value, const Where& where, Findings& findings);

/// Positions in `names` whose name occurs earlier, in order.
struct Duplicate {
    std::size_t index, earlier;
};
[[nodiscard]] std::vector<Duplicate> duplicates(std::span<const std::string_view> names);

void check_header(const Header& header, Findings& findings);
void check_events(const MotionEvents& events, std::uint32_t version, const Where& where, Findings& findings);
void check_timestamp(const Timestamp& timestamp, const Where& where, Findings& findings);
void check_motion_info(const MotionInfo& info, const Where& where, Findings& findings);
/// The place of the info chunk among the others, given the chunks that are info.
void check_info_place(std::span<const std::size_t> infos, std::string_view kind, Findings& findings);

template <class File>
[[nodiscard]] Where chunk_place(const File& file, std::size_t chunk, const Findings& findings) noexcept {
    return {findings.base(), "chunk", chunk, kind_of(file.chunks[chunk].record)};
}

/// Calls `use` with the place of one of a chunk's elements, or of the chunk if `element` is no_index.
template <class File, class Use>
void with_element(const File& file, std::size_t chunk, std::string_view name, std::uint64_t element,
                  const Findings& findings, Use&& use) {
    const Where place = chunk_place(file, chunk, findings);
    if (element == Where::no_index)
        use(place);
    else
        use(Where{&place, name, element});
}

/// declared-size
template <class File>
void check_lengths(const File& file, Findings& findings) {
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const auto& chunk = file.chunks[index];
        if (!chunk.size || std::holds_alternative<Opaque>(chunk.record)) continue;
        const Result<std::uint64_t> size = measure_content(chunk, false);
        if (!size || *size == *chunk.size) continue;
        const Where place = chunk_place(file, index, findings);
        findings.add(codes::declared_size, {&place, "size"}, number(*chunk.size), number(*size));
    }
}

/// What concerns every file: header, sizes, bytes that nothing explains, the info chunk.
template <class InfoRecord, class File>
void check_container(const File& file, Findings& findings) {
    check_header(file.header, findings);
    std::vector<std::size_t> infos;
    std::string_view info_kind;
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const auto& chunk = file.chunks[index];
        const Where place = chunk_place(file, index, findings);
        if (const auto* opaque = std::get_if<Opaque>(&chunk.record))
            findings.add(codes::opaque_chunk, place,
                         "id " + number(chunk.id) + ", version " + number(chunk.version) + ", " +
                             number(opaque->bytes.size()) + " bytes",
                         "a chunk that can be read");
        if (!chunk.trailing.empty())
            findings.add(codes::extra_bytes, {&place, "trailing"}, number(chunk.trailing.size()) + " bytes", "0 bytes");
        if (std::holds_alternative<InfoRecord>(chunk.record)) {
            infos.push_back(index);
            info_kind = place.kind;
        }
    }
    check_info_place(infos, info_kind, findings);
    check_lengths(file, findings);
    if (!file.trailing.empty())
        findings.add(codes::trailing_bytes, {findings.base(), "trailing"}, number(file.trailing.size()) + " bytes",
                     "0 bytes");
}

}  // namespace effigy::emfx::checks
