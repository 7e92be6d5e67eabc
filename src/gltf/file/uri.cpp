/// File names escaped for URIs.

#include "gltf/file/uri.hpp"

namespace effigy::gltf {
namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

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

}  // namespace effigy::gltf
