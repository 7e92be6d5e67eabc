#pragma once
/// What the tests of the game's files need: text as bytes, findings by code, folders that go away.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/catalog.hpp"
#include "effigy/result.hpp"

#include "contents.hpp"
#include "reports.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {

[[nodiscard]] inline std::string utf16(std::string_view text) {
    std::string wide = "\xff\xfe";
    for (const char letter : text) wide += {letter, '\0'};
    return wide;
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
class Folder : public TemporaryFolder {
public:
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
};

}  // namespace effigy::test
