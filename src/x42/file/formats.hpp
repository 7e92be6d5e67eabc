#pragma once
/// The formats of the family as the registry takes them (registry/document_row.hpp says what each function does).

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/registry.hpp"
#include "effigy/x42.hpp"
#include "effigy/x42_companions.hpp"

#include "registry/text_format.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

struct ModelFormat {
    using File = x42::File;
    static const FormatInfo& format();
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return x42::read(std::move(source), options);
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        return x42::build(nodes, normalize, limits);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return x42::write(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return x42::write_file(file, path, options);
    }
    static Report check(const File& file, const CheckContext& /*context*/) { return check_after_reading(file); }
    static Json info(const File& file, const InfoOptions& options) { return x42::info(file, options.encoding); }
    static Result<Json> dump(const File& file, const DumpOptions& options) { return x42::dump(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return x42::hex_map(file, options);
    }
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
