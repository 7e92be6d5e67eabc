/// Reading of CAS motions: XML or JSON, by the first character.

#include "effigy/cas.hpp"

#include <utility>

#include "arp/file/cas_reader.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"

namespace effigy::cas {

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view without_mark(std::string_view text) noexcept {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

char first_character(std::string_view text) noexcept {
    text = without_mark(text);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? '\0' : text[first];
}

Result<Loaded<File>> read(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        const char first = first_character(as_text(text));
        const bool is_json = first == '{' || first == '[';
        auto loaded = is_json ? read_json(text, options) : read_xml(text, options);
        if (!loaded) return loaded;
        loaded->value.is_json = is_json;
        loaded->value.text = std::move(text);
        return loaded;
    });
}

}  // namespace effigy::cas
