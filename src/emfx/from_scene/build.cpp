/// Names in the code page of the actor, and other small services for writing actors.

#include "emfx/from_scene/build.hpp"

#include <iconv.h>
#include <optional>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Nothing if the encoding cannot say the text, or only in bytes that are UTF-8 by chance and would be read as that.
std::optional<std::string> encoded(const std::string& text, const std::string& encoding) {
    iconv_t handle = iconv_open(encoding.c_str(), "UTF-8");
    if (handle == reinterpret_cast<iconv_t>(-1)) return std::nullopt;  // NOLINT(performance-no-int-to-ptr)
    std::string input = text;
    std::string output(4 * text.size() + 16, '\0');
    char* from = input.data();
    char* to = output.data();
    std::size_t from_left = input.size();
    std::size_t to_left = output.size();
    const std::size_t outcome = iconv(handle, &from, &from_left, &to, &to_left);
    iconv_close(handle);
    if (outcome != 0) return std::nullopt;  // also what was only replaced by something alike
    output.resize(output.size() - to_left);
    return to_utf8(output, encoding) == text ? std::optional(std::move(output)) : std::nullopt;
}

}  // namespace

std::string to_raw(const std::string& text, const std::string& encoding) {
    if (encoding.empty() || is_ascii(text)) return text;
    return encoded(text, encoding).value_or(text);
}

Diagnostic Build::memory_limit() const {
    return problem_at({}, codes::limit_memory,
                      "The memory limit is reached while the actor is made; raise it with --limit-memory.", {},
                      "at most " + std::to_string(budget.limit()) + " bytes in all");
}

std::string Build::raw_name(const std::string& name, const Json& extras, const char* member_name) {
    if (const auto bytes = bytes_at(extras, member_name)) {
        std::string raw(as_text(*bytes));
        if (means(raw, name)) return raw;
    }
    const bool reads_utf8 = options.target == Target::any || options.target == Target::x_rebirth;
    if (is_ascii(name) || options.encoding.empty() || (reads_utf8 && !has_raw_names)) return name;
    const std::optional<std::string> raw = encoded(name, options.encoding);
    if (!raw) beyond_page.insert(name);
    return raw.value_or(name);
}

bool Build::means(const std::string& raw, const std::string& name) const { return effigy::means(raw, name, encodings); }

Diagnostic beyond(const Code& code, std::string path, std::string message, std::uint64_t found, std::uint64_t most) {
    return problem_at(std::move(path), code, std::move(message), std::to_string(found),
                      "at most " + std::to_string(most));
}

std::optional<std::uint64_t> number_member(const Json& json, const char* name) noexcept {
    const Json* found = member(json, name);
    if (found == nullptr || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
}

std::string text_member(const Json& json, const char* name) {
    const Json* found = member(json, name);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::uint32_t> size_member(const Json& json) noexcept {
    const auto size = number_member(json, "size");
    return size && *size <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*size)) : std::nullopt;
}

}  // namespace effigy::emfx::bridge
