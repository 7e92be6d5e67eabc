#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <string_view>

#include "effigy/registry.hpp"
#include "effigy/x42.hpp"
#include "effigy/x42_companions.hpp"

#include "registry/text_format.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

struct ModelFormat {
    using File = x42::File;
    static const FormatInfo& format();
    static constexpr Result<Loaded<File>> (*read)(ByteSource, const ReadOptions&) = x42::read;
    static constexpr auto build = x42::build;
    static constexpr auto write = x42::write;
    static constexpr auto write_file = x42::write_file;
    static constexpr auto dump = x42::dump;
    static constexpr auto hex_map = x42::hex_map;
    static Report check(const File& file, const CheckContext& /*context*/) { return check_after_reading(file); }
    static Json info(const File& file, const InfoOptions& options) { return x42::info(file, options.encoding); }
};

struct ConfigFormat : TextFormat<AnimationConfig, read_animation_config> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);  ///< with context.model, frames that it lacks
    static Json info(const File& file, const InfoOptions& options);
};

struct SkinFormat : TextFormat<Skin, read_skin> {
    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);  ///< with context.model, surfaces that it lacks
    static Json info(const File& file, const InfoOptions& options);
};

/// By content and extension (".cfg", ".skin"): both formats are plain text without a mark.
[[nodiscard]] bool looks_like_config(std::span<const std::byte> head, std::string_view name) noexcept;
[[nodiscard]] bool looks_like_skin(std::span<const std::byte> head, std::string_view name) noexcept;

}  // namespace effigy::x42
