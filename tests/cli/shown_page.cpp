/// Reads the files out of a page.

#include "cli/shown_page.hpp"

#include <algorithm>

#include "effigy/convert.hpp"
#include "effigy/core_codes.hpp"

#include "contents.hpp"

namespace effigy::test {

namespace {

std::string decoded_base64(const std::string& text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t group = 0;
    int bits = 0;
    for (const char letter : text) {
        const std::size_t value = letters.find(letter);
        if (value == std::string_view::npos) break;
        group = group << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xff);
    }
    return bytes;
}

std::vector<std::string> names_of(const ShownPage& page, bool inputs) {
    std::vector<std::string> names;
    for (const ShownFile& file : page.files) {
        if (file.is_input == inputs) names.push_back(file.name);
    }
    return names;
}

}  // namespace

std::vector<std::string> ShownPage::inputs() const { return names_of(*this, true); }
std::vector<std::string> ShownPage::sides() const { return names_of(*this, false); }

const ShownFile* ShownPage::find(const std::string& name) const {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const ShownFile& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
}

std::string ShownPage::glb() const {
    ConvertOptions settings;
    for (const auto& [name, value] : options.items())
        settings.values.set(name, value.is_string() ? value.get<std::string>() : value.dump());
    settings.files.read = [this](const std::string& name) -> Result<Bytes> {
        if (const ShownFile* file = find(name)) return bytes_of_text(file->bytes);
        return fail({std::string(codes::file_missing.name),
                     codes::file_missing.severity,
                     0,
                     0,
                     {},
                     "not in the page",
                     {},
                     {},
                     name});
    };
    settings.files.list = [this] {
        std::vector<std::string> names;
        for (const ShownFile& file : files) names.push_back(file.name);
        return names;
    };
    OutputFiles output("x.glb");
    std::string made;
    output.take = [&](std::vector<NewFile> written) -> Result<void> {
        made.assign(reinterpret_cast<const char*>(written.front().bytes.data()), written.front().bytes.size());
        return {};
    };
    const std::vector<std::string> names = inputs();
    const auto done = convert({names.begin(), names.end()}, output, settings);
    EXPECT_TRUE(done) << to_string(done.error());
    return made;
}

ShownPage shown_page(const std::string& html) {
    const std::string start = R"(<script type="application/json" id="effigy-files">)";
    const std::size_t begin = html.find(start);
    const std::size_t end = begin == std::string::npos ? begin : html.find("</script>", begin);
    if (end == std::string::npos) {
        ADD_FAILURE() << "no files in the page: " << html.substr(0, 200);
        return {};
    }
    EXPECT_EQ(html.find(start, begin + 1), std::string::npos);
    EXPECT_EQ(html.find("<!--effigy-files-->"), std::string::npos);
    const std::string text = html.substr(begin + start.size(), end - begin - start.size());
    EXPECT_EQ(text.find('<'), std::string::npos);
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        ADD_FAILURE() << "no JSON: " << text.substr(0, 200);
        return {};
    }
    ShownPage page{{}, json["options"]};
    for (const Json& file : json["files"])
        page.files.push_back({file["name"], decoded_base64(file["base64"]), file["role"] == "input"});
    return page;
}

}  // namespace effigy::test
