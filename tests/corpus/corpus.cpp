/// Finds the folder of real files and lists what is in it.

#include "corpus/corpus.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

#include "contents.hpp"

namespace corpus {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> find_paths() {
    std::vector<fs::path> found;
    std::error_code failed;
    const auto options =
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
    for (auto entry = fs::recursive_directory_iterator(folder(), options, failed);
         !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        if (entry->is_regular_file()) found.push_back(entry->path());
    }
    std::ranges::sort(found);
    return found;
}

/// A test that is not known to want the corpus would not be tried without one.
void expect_name_of_corpus_test() {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    if (test == nullptr) return;
    const std::string name = std::string(test->test_suite_name()) + "." + test->name();
    EXPECT_NE(name.find("Corpus"), std::string::npos) << name << " uses the corpus: its name has to say so";
}

std::vector<File> load() {
    std::vector<File> found;
    for (const fs::path& path : paths()) {
        const effigy::Bytes head = head_of(path);
        if (head.size() < 4) continue;
        const std::string magic(reinterpret_cast<const char*>(head.data()), 4);
        if (magic != "XAC " && magic != "XSM " && magic != "XPM ") continue;
        found.push_back({path.lexically_relative(folder()), magic, bytes_of(path)});
    }
    return found;
}

}  // namespace

fs::path folder() {
    const char* const named = std::getenv("EFFIGY_CORPUS");
    return named != nullptr ? fs::path(named) : fs::path(EFFIGY_SOURCE_DIR) / "../shared/samples";
}

const std::vector<fs::path>& paths() {
    expect_name_of_corpus_test();
    static const std::vector<fs::path> all = find_paths();
    return all;
}

effigy::Bytes bytes_of(const fs::path& path) { return effigy::test::read_bytes(path); }

effigy::Bytes head_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::array<char, 4096> head{};
    stream.read(head.data(), head.size());
    const auto bytes = std::as_bytes(std::span(head)).first(static_cast<std::size_t>(stream.gcount()));
    return {bytes.begin(), bytes.end()};
}

bool is_for_slow_readers(std::uintmax_t bytes) {
    constexpr std::uintmax_t usual = 64 * 1024;
    return bytes <= usual || std::getenv("EFFIGY_CORPUS_WHOLE") != nullptr;
}

std::string name_of(const fs::path& path) { return path.lexically_relative(folder()).string(); }

std::string has_no(const std::string& files) {
    return "no " + files + " in '" + folder().string() + "' (EFFIGY_CORPUS names another folder)";
}

const std::vector<File>& files() {
    expect_name_of_corpus_test();
    static const std::vector<File> all = load();
    return all;
}

std::vector<const File*> files_of(const std::string& magic) {
    std::vector<const File*> some;
    for (const File& file : files())
        if (file.magic == magic) some.push_back(&file);
    return some;
}

}  // namespace corpus
