#pragma once
/// Strings of old exporters: raw bytes in some code page, shown as UTF-8.

#include <string>
#include <string_view>

namespace effigy::emfx {

/// Whether the system can decode `encoding` (a name as iconv takes it).
[[nodiscard]] bool is_known_encoding(const std::string& encoding) noexcept;

/// Valid UTF-8 stays as it is; everything else is decoded from `encoding`. Bytes that mean nothing there, or that are
/// not ASCII where the encoding is unknown, become U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view raw, const std::string& encoding);

}  // namespace effigy::emfx
