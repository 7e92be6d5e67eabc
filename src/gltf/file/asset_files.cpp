/// Files beside a .gltf: URIs unescaped, data URIs decoded, nothing outside of the folder.

#include "gltf/file/asset_files.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/byte_source.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"

namespace effigy::gltf {

namespace {

bool is_plain(char c) { return is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos; }

std::string escape(std::string_view text, std::string_view also_allowed) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text) {
        if (is_plain(c) || also_allowed.find(c) != std::string_view::npos) {
            escaped += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        escaped += '%';
        escaped += digits[byte >> 4];
        escaped += digits[byte & 15];
    }
    return escaped;
}

}  // namespace

std::string escape_file_name(std::string_view name) { return escape(name, ""); }

std::string escape_uri(std::string_view uri) {
    std::string slashes(uri);
    for (char& c : slashes) c = c == '\\' ? '/' : c;
    return escape(slashes, "%/:?#[]@!$&'()*+,;=");
}

namespace {

namespace fs = std::filesystem;

int hex_value(char digit) noexcept {
    if (digit >= '0' && digit <= '9') return digit - '0';
    const char letter = lower(digit);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// "http:", "file:", and "C:" as well.
bool has_scheme(std::string_view uri) noexcept {
    const std::size_t end = uri.find_first_of(":/\\?#");
    return end != std::string_view::npos && end > 0 && uri[end] == ':';
}

/// Base64 as it should be, and without the equals signs at its end.
std::optional<Bytes> decode_base64(std::string text) {
    text.resize(text.find_last_not_of("= \r\n") + 1);
    while (text.size() % 4 != 0) text += '=';
    return from_base64(text);
}

Bytes to_bytes(std::string_view text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    return Bytes(begin, begin + text.size());
}

/// What a careless exporter may have meant by a URI, the right reading first.
std::array<std::string, 3> readings(std::string_view uri) {
    std::string slashes = unescape_uri(uri);
    std::replace(slashes.begin(), slashes.end(), '\\', '/');
    return {unescape_uri(uri), std::string(uri), std::move(slashes)};
}

}  // namespace

bool is_data_uri(std::string_view uri) noexcept { return uri.size() >= 5 && lower(uri.substr(0, 5)) == "data:"; }

bool is_relative(std::string_view uri) {
    const std::string plain = unescape_uri(uri);
    return !plain.empty() && !has_scheme(uri) && !has_scheme(plain) && plain.front() != '/' && plain.front() != '\\';
}

std::string unescape_uri(std::string_view uri) {
    std::string text;
    text.reserve(uri.size());
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const int high = uri[i] == '%' && i + 2 < uri.size() ? hex_value(uri[i + 1]) : -1;
        const int low = high < 0 ? -1 : hex_value(uri[i + 2]);
        if (low < 0) {
            text += uri[i];
            continue;
        }
        text += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return text;
}

Result<DataUri> decode_data_uri(std::string_view uri, Budget& budget) {
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos)
        return refuse({}, codes::gltf_uri, "a data: URI has no comma before its data", shortened(uri));
    if (!budget.take(2 * (uri.size() - comma))) return out_of_budget({}, budget);
    const std::string_view head = uri.substr(5, comma - 5);
    constexpr std::string_view marker = ";base64";
    const bool is_base64 = head.size() >= marker.size() && lower(head.substr(head.size() - marker.size())) == marker;
    DataUri data;
    data.mime_type = lower(head.substr(0, head.find(';')));
    std::string content = unescape_uri(uri.substr(comma + 1));
    if (!is_base64) {
        data.bytes = to_bytes(content);
        return data;
    }
    auto bytes = decode_base64(std::move(content));
    if (!bytes) return refuse({}, codes::gltf_uri, "the data of a data: URI is not base64", shortened(uri));
    data.bytes = std::move(*bytes);
    return data;
}

AssetFiles::AssetFiles(const SceneOptions& options, Budget& budget)
    : folder_(options.folder),
      allow_outside_(options.allow_outside),
      read_file_(options.read_file),
      file_seen_(options.file_seen),
      budget_(budget) {
    if (read_file_) return;
    std::error_code error;
    const fs::path& folder = options.folder;
    folder_ = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
    if (error) folder_ = fs::absolute(folder, error).lexically_normal();
}

bool AssetFiles::is_inside(const fs::path& real) const {
    const auto [in_folder, in_real] = std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end());
    return in_folder == folder_.end() && in_real != real.end();
}

Result<fs::path> AssetFiles::find(std::string_view uri) const {
    bool is_outside = false;
    for (const std::string& name : readings(uri)) {
        const fs::path wanted(name);
        if (name.empty() || name.find('\0') != std::string::npos || wanted.is_absolute()) continue;
        std::error_code error;
        const fs::path lexical = (folder_ / wanted).lexically_normal();
        const fs::path real = fs::canonical(folder_ / wanted, error);
        // Whether a file outside exists is not told.
        const fs::path& judged = error ? fs::weakly_canonical(lexical, error) : real;
        if (!allow_outside_ && !is_inside(judged)) {
            is_outside = true;
            continue;
        }
        if (!real.empty() && fs::is_regular_file(real, error)) return real;
    }
    if (is_outside)
        return refuse({}, codes::gltf_uri_outside,
                      "the file names another one that is not below its own folder; if you trust it, allow that with "
                      "--allow-outside",
                      shortened(uri));
    return refuse({}, codes::gltf_file_missing, "a file that belongs to this one is not there; put it beside it",
                  shortened(uri));
}

Result<std::span<const std::byte>> AssetFiles::keep(const fs::path& path, Bytes bytes) {
    return bytes_of(files_.emplace(path, std::move(bytes)).first->second);
}

Result<std::span<const std::byte>> AssetFiles::read_from_memory(std::string_view uri) {
    for (const std::string& name : readings(uri)) {
        const fs::path path = (folder_ / name).lexically_normal();
        const fs::path below = path.lexically_relative(folder_.empty() ? "." : folder_.lexically_normal());
        if (!allow_outside_ && (below.empty() || *below.begin() == "..")) continue;
        if (const auto known = files_.find(path); known != files_.end()) return bytes_of(known->second);
        auto bytes = read_file_(path.generic_string());
        if (!bytes) continue;
        budget_.add_input(bytes->size());
        if (!budget_.take(bytes->size())) return out_of_budget({}, budget_);
        return keep(path, std::move(*bytes));
    }
    return refuse({}, codes::gltf_file_missing, "a file that belongs to this one is not there; put it beside it",
                  shortened(uri));
}

Result<std::span<const std::byte>> AssetFiles::read(std::string_view uri) {
    const std::string plain = unescape_uri(uri);
    if (!is_relative(uri))
        return refuse({}, codes::gltf_uri, "only files with a relative name and data: URIs are read", shortened(uri),
                      "the name of a file beside this one");
    if (read_file_) return read_from_memory(uri);
    const auto path = find(uri);
    if (!path) return fail(path.error());
    const auto known = files_.find(*path);
    if (known != files_.end()) return bytes_of(known->second);
    auto source = ByteSource::open(*path);
    if (!source) return fail(std::move(source.error()));
    budget_.add_input(source->size());
    if (!budget_.take(source->size())) return out_of_budget({}, budget_);
    Bytes bytes(static_cast<std::size_t>(source->size()));
    if (!source->read(bytes.data(), bytes.size()))
        return refuse({}, codes::input_read, "the file cannot be read", shortened(uri));
    if (file_seen_) file_seen_(*path);
    return keep(*path, std::move(bytes));
}

}  // namespace effigy::gltf
