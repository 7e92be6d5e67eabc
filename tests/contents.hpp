#pragma once
/// Whole files, and bytes that are text.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "effigy/bytes.hpp"

namespace effigy::test {

[[nodiscard]] inline Bytes bytes_of_text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}
[[nodiscard]] inline std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// They fail the test if the file cannot be opened.
[[nodiscard]] inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}
[[nodiscard]] inline Bytes read_bytes(const std::filesystem::path& path) { return bytes_of_text(read_text(path)); }

}  // namespace effigy::test
