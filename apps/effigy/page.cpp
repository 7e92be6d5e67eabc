/// Files as text inside of the page, and the page as a file that a browser opens.

#include "page.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "effigy/program_codes.hpp"

#include "common.hpp"

namespace effigy::app {

namespace {

constexpr std::string_view place_of_files = "<!--effigy-files-->";
constexpr std::string_view start_of_examples = R"(<script type="application/json" id="effigy-examples">)";

/// Of an installed program: its prefix has share/effigy. Of one that was built: build/effigy, or build/<name>/effigy.
std::vector<std::filesystem::path> page_candidates() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    if (error) return {};
    return {folder.parent_path() / "share/effigy/view.html", folder / "web/effigy.html",
            folder.parent_path() / "web/effigy.html"};
}

void append_base64(std::string& text, std::span<const std::byte> bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t place = 0; place < bytes.size(); place += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - place);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[place + i]) : 0);
        for (std::size_t i = 0; i < 4; ++i) text += i <= count ? letters[group >> (18 - 6 * i) & 63] : '=';
    }
}

/// JSON that no HTML parser takes for the end of the script that it stands in.
std::string script_text(const Json& json) {
    std::string text;
    for (const char letter : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        letter == '<' ? void(text += "\\u003c") : text.push_back(letter);
    return text;
}

Json options_json(const OptionValues& options) {
    Json json = Json::object();
    for (const auto& [name, values] : options.all()) {
        if (values.size() > 1)
            json[name] = values;
        else if (values.front() == "true" || values.front() == "false")
            json[name] = values.front() == "true";
        else
            json[name] = values.front();
    }
    return json;
}

std::string files_text(const std::vector<PageFile>& files, const OptionValues& options) {
    std::string text = R"({"files":[)";
    std::uint64_t size = 0;
    for (const PageFile& file : files) size += file.bytes.size() / 3 * 4 + file.name.size() + 64;
    text.reserve(static_cast<std::size_t>(size) + 256);
    for (const PageFile& file : files) {
        text += (&file == files.data() ? "" : ",") + std::string(R"({"name":)") + script_text(file.name);
        text += R"(,"base64":")";
        append_base64(text, file.bytes);
        text += file.is_input ? R"(","role":"input"})" : R"(","role":"side"})";
    }
    return text + R"(],"options":)" + script_text(options_json(options)) + "}";
}

/// The page's own examples, which are larger than most models.
void cut_examples(std::string& page) {
    constexpr std::string_view last = "</script>";
    const std::size_t first = page.find(start_of_examples);
    const std::size_t end = first == std::string::npos ? first : page.find(last, first);
    if (end != std::string::npos) page.erase(first, end + last.size() - first);
}

}  // namespace

Result<std::filesystem::path> find_page() {
    std::error_code error;
    if (const char* const named = std::getenv("EFFIGY_PAGE"); named != nullptr && *named != '\0') {
        if (std::filesystem::is_regular_file(named, error)) return named;
        return fail(make_finding(codes::view_page, named, "EFFIGY_PAGE names this file, and it is not there"));
    }
    for (const std::filesystem::path& path : page_candidates()) {
        if (std::filesystem::is_regular_file(path, error)) return path;
    }
    return fail(make_finding(codes::view_page, {},
                             "the page that shows models was not built with this program; `./dev web` in effigy's "
                             "sources makes build/web/effigy.html, which EFFIGY_PAGE may name"));
}

Result<std::string> page_with(std::string page, const std::vector<PageFile>& files, const OptionValues& options) {
    const std::size_t place = page.find(place_of_files);
    if (place == std::string::npos || page.find(place_of_files, place + 1) != std::string::npos)
        return fail(make_finding(codes::view_page, {}, "this page is not effigy's: it has no place for files"));
    cut_examples(page);
    page.replace(page.find(place_of_files), place_of_files.size(),
                 R"(<script type="application/json" id="effigy-files">)" + files_text(files, options) + "</script>");
    return page;
}

}  // namespace effigy::app
