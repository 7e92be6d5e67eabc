#pragma once
/// A folder for one test.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <string_view>

namespace effigy::test {

/// An empty folder of its own, gone at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "effigy-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
        path_ = std::filesystem::canonical(name);
    }
    ~TemporaryFolder() {
        std::error_code problem;
        std::filesystem::remove_all(path_, problem);
        EXPECT_FALSE(problem) << path_ << " stays: " << problem.message();
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

    /// With the folders on the way to it.
    void write(const std::string& name, std::string_view content) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        EXPECT_TRUE(std::ofstream(path_ / name, std::ios::binary) << content << std::flush) << name;
    }

private:
    std::filesystem::path path_;
};

[[nodiscard]] inline std::size_t count_files(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace effigy::test
