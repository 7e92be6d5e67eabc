#pragma once
/// What the tests of the game's files need: text as bytes, findings by code, folders that go away.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/catalog.hpp"
#include "effigy/result.hpp"

namespace effigy::test {

[[nodiscard]] inline Bytes bytes_of_text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}
[[nodiscard]] inline std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[nodiscard]] inline std::string utf16(std::string_view text) {
    std::string wide = "\xff\xfe";
    for (const char letter : text) wide += {letter, '\0'};
    return wide;
}

[[nodiscard]] inline std::vector<std::string> codes_of(const Report& report) {
    std::vector<std::string> codes;
    for (const Diagnostic& finding : report.diagnostics()) codes.push_back(finding.code);
    return codes;
}

template <class T>
[[nodiscard]] std::string code_of(const Result<T>& result) {
    return result ? "fine" : result.error().code;
}

/// "path size 1 md5" and a line feed.
[[nodiscard]] inline std::string catalog_line(const std::string& path, const std::string& content) {
    const auto sum = catalog::md5_of(std::as_bytes(std::span(content)));
    const std::string hex = content.empty() ? std::string(32, '0') : catalog::to_hex(sum);
    return path + " " + std::to_string(content.size()) + " 1 " + hex + "\n";
}

/// A folder for one test.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "effigy-files-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder can be made";
        path_ = std::filesystem::canonical(name);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    void write(const std::string& name, const std::string& content) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << content;
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream file(path_ / name, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    /// `name`.cat and .dat with these paths and contents; an empty content deletes.
    void write_catalog(const std::string& name, const std::vector<std::pair<std::string, std::string>>& files) const {
        std::string index, data;
        for (const auto& [path, content] : files) {
            index += catalog_line(path, content);
            data += content;
        }
        write(name + ".cat", index);
        write(name + ".dat", data);
    }

private:
    std::filesystem::path path_;
};

}  // namespace effigy::test
