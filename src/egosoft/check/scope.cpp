/// What belongs to a mod and what to the game: content.xml ids, extension folders, paths in either.

#include "egosoft/check/scope.hpp"

#include <algorithm>
#include <fstream>
#include <pugixml.hpp>
#include <system_error>

namespace effigy::egosoft::checks {

namespace {

/// The id in a content.xml, or nothing.
std::string content_id(const std::filesystem::path& root) {
    constexpr std::uintmax_t max_size = 1 << 20;
    const std::filesystem::path path = root / "content.xml";
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size > max_size) return {};
    std::string text(static_cast<std::size_t>(size), '\0');
    std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size));
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size())) return {};
    return document.child("content").attribute("id").value();
}

bool is_same(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code error;
    return std::filesystem::equivalent(a, b, error);
}

bool holds_game(const std::filesystem::path& root) {
    std::error_code error;
    return root.extension() == ".cat" || std::filesystem::exists(root / "01.cat", error);
}

}  // namespace

bool Scope::owns(std::string_view path) const {
    const std::optional<std::string> normal = normal_path(path);
    const std::string name(normal ? extension_of(*normal) : std::string_view());
    return !name.empty() && names.contains(name);
}

std::optional<Location> Scope::find(std::string_view path) const {
    return files == nullptr ? std::nullopt : files->find(path);
}

Scope scope_of(const GameFiles* files, const std::filesystem::path& root) {
    std::error_code error;
    Scope scope{files, root, false, std::filesystem::exists(root / "content.xml", error), {}};
    const std::filesystem::path absolute = std::filesystem::absolute(root, error).lexically_normal();
    const std::filesystem::path name =
        absolute.has_filename() ? absolute.filename() : absolute.parent_path().filename();
    if (!name.empty()) scope.names.insert(lower(name.string()));
    if (std::string id = content_id(root); !id.empty()) scope.names.insert(lower(id));
    if (files == nullptr) return scope;
    for (const std::filesystem::path& other : files->roots()) {
        scope.game = scope.game || holds_game(other) || !is_same(other, root);
    }
    return scope;
}

std::string name_of(const Location& location) {
    return location.in_catalog ? location.name : location.file.filename().string();
}

std::string with_slashes(std::string_view path) {
    std::string text;
    for (const char letter : path) {
        const char one = letter == '\\' ? '/' : letter;
        if (one != '/' || (!text.empty() && text.back() != '/')) text += one;
    }
    return text;
}

std::string listed(const std::vector<std::string>& names, std::string_view noun) {
    constexpr std::size_t max_names = 5;
    std::string text = std::to_string(names.size()) + " " + std::string(noun) + (names.size() == 1 ? ": " : "s: ");
    for (std::size_t index = 0; index < std::min(max_names, names.size()); ++index)
        text += (index == 0 ? "" : ", ") + names[index];
    if (names.size() > max_names) text += ", ...";
    return text;
}

}  // namespace effigy::egosoft::checks
