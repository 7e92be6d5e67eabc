/// Which model a picture was written for: a remark in the file that changes no pixel, so that it can be written again
/// without taking a picture of somebody else's.

#include <algorithm>
#include <libdeflate.h>
#include <optional>
#include <string_view>

#include "effigy/image.hpp"

#include "core/hasher.hpp"
#include "core/text.hpp"

namespace effigy::image {
namespace {

using View = std::span<const std::byte>;

constexpr std::string_view png_start = "\x89PNG\r\n\x1a\n", png_end("\0\0\0\0IEND\xae\x42\x60\x82", 12);
constexpr char gzip_comment = 0x10;
constexpr std::size_t digits_size = 2 * 16;  // two hashes

std::string big_endian(std::uint32_t value) {
    std::string text;
    for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(value >> shift & 0xff);
    return text;
}

/// Where the files of a kind have room for a remark.
struct Kind {
    std::size_t at = 0;  ///< from the start, or from the end where `from_end`
    bool from_end = false;
    std::string before{};   ///< what stands in front of the digits
    std::size_t after = 0;  ///< bytes behind the digits that belong to them
    bool replaces = false;  ///< bytes that are 0 otherwise, instead of bytes more
};

/// PNG: a text chunk in front of the last chunk; JPEG: a comment; gzip: its comment; DDS: what is reserved.
std::optional<Kind> kind_of(std::string_view file) {
    if (file.starts_with(png_start) && file.ends_with(png_end)) {
        const std::string text = std::string("tEXteffigy") + '\0';
        const auto size = static_cast<std::uint32_t>(text.size() - 4 + digits_size);
        return Kind{png_end.size(), true, big_endian(size) + text, 4};
    }
    if (file.starts_with("\xff\xd8\xff")) {
        const auto size = static_cast<std::uint32_t>(2 + 7 + digits_size);
        return Kind{2, false, "\xff\xfe" + big_endian(size).substr(2) + "effigy "};
    }
    constexpr std::size_t dds_header = 128;
    if (file.starts_with("DDS ") && file.size() >= dds_header) return Kind{32, false, "effigy ", 0, true};
    const bool is_gzip_file = file.starts_with("\x1f\x8b\x08") && file.size() > 10;
    if (is_gzip_file && (file[3] == 0 || (file[3] == gzip_comment && file.substr(10).starts_with("effigy "))))
        return Kind{10, false, "effigy ", 1};
    return std::nullopt;
}

struct Split {
    Kind kind;
    std::string rest;    ///< the file without the remark
    std::string digits;  ///< of the remark; empty: there is none
};

std::optional<Split> split_origin(std::string_view file) {
    const auto kind = kind_of(file);
    if (!kind) return std::nullopt;
    const std::size_t size = kind->before.size() + digits_size + kind->after;
    const std::size_t end = kind->from_end ? file.size() - kind->at : kind->at + size;
    const std::size_t start = kind->from_end ? end - std::min(end, size) : kind->at;
    const bool is_there = end <= file.size() && file.substr(start, kind->before.size()) == kind->before;
    Split parts{*kind, std::string(file), {}};
    if (!is_there) return parts;
    parts.digits = file.substr(start + kind->before.size(), digits_size);
    if (kind->replaces) {
        parts.rest.replace(start, size, size, '\0');
    } else {
        parts.rest.erase(start, size);
    }
    if (file.starts_with("\x1f\x8b")) parts.rest[3] = 0;
    return parts;
}

std::string joined(Split parts) {
    std::string remark = parts.kind.before + parts.digits;
    if (parts.rest.starts_with("\x1f\x8b")) parts.rest[3] = gzip_comment;
    if (parts.kind.from_end) {
        remark += big_endian(libdeflate_crc32(0, remark.data() + 4, remark.size() - 4));
    } else {
        remark += std::string(parts.kind.after, '\0');
    }
    const std::size_t at = parts.kind.from_end ? parts.rest.size() - parts.kind.at : parts.kind.at;
    return parts.rest.replace(at, parts.kind.replaces ? remark.size() : 0, remark);
}

std::string hash_digits(std::string_view text) {
    Hasher hasher;
    hasher.add(std::as_bytes(std::span(text)));
    constexpr std::size_t prefix = 5;  // "xxh3:"
    return hash_text(hasher.digest()).substr(prefix);
}

std::string digits_of(std::string_view rest, std::string_view model) {
    return hash_digits(lower(model)) + hash_digits(rest);
}

}  // namespace

Bytes with_origin(Bytes picture, std::string_view model) {
    auto parts = split_origin(as_text(picture));
    if (!parts) return picture;
    parts->digits = digits_of(parts->rest, model);
    const std::string marked = joined(std::move(*parts));
    const View bytes = std::as_bytes(std::span(marked));
    return {bytes.begin(), bytes.end()};
}

bool was_written_for(View picture, std::string_view model) {
    const auto parts = split_origin(as_text(picture));
    return parts && !parts->digits.empty() && parts->digits == digits_of(parts->rest, model);
}

bool is_same_but_for_origin(View a, View b) {
    const auto one = split_origin(as_text(a)), other = split_origin(as_text(b));
    return one && other ? one->rest == other->rest : as_text(a) == as_text(b);
}

}  // namespace effigy::image
