#include "proof/egosoft_corpus.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "proof/corpus.hpp"

namespace corpus {
namespace {

namespace fs = std::filesystem;

std::uint32_t number_at(const std::string& text, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, text.data() + offset, sizeof value);
    return value;
}

/// An ANI has no magic: a table of descriptors that fits the file, version 1 and a zero.
bool is_ani(const std::string& head, std::uintmax_t size) {
    if (head.size() < 16 || number_at(head, 8) != 1 || number_at(head, 12) != 0) return false;
    const std::uint64_t keys = 16 + std::uint64_t{160} * number_at(head, 0);
    return keys <= size && (number_at(head, 4) == keys || (number_at(head, 0) == 0 && number_at(head, 4) == 0));
}

std::optional<EgosoftKind> kind_of(const std::string& head, std::uintmax_t size) {
    if (head.starts_with("XUMF")) return EgosoftKind::xmf;
    if (is_ani(head, size)) return EgosoftKind::ani;
    if (head.find('<') < 16 && head.find("<components") != std::string::npos) return EgosoftKind::component;
    return std::nullopt;
}

std::vector<EgosoftFile> load() {
    std::vector<EgosoftFile> found;
    std::error_code failed;
    const auto options =
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
    for (auto entry = fs::recursive_directory_iterator(folder(), options, failed);
         !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        if (!entry->is_regular_file()) continue;
        std::ifstream stream(entry->path(), std::ios::binary);
        std::string head(4096, '\0');
        stream.read(head.data(), static_cast<std::streamsize>(head.size()));
        head.resize(static_cast<std::size_t>(stream.gcount()));
        const auto kind = kind_of(head, entry->file_size());
        if (!kind) continue;
        stream.clear();
        stream.seekg(0);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        EgosoftFile& file = found.emplace_back();
        file.path = entry->path();
        file.name = entry->path().lexically_relative(folder()).string();
        file.kind = *kind;
        file.bytes.resize(text.size());
        std::ranges::transform(text, file.bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    }
    std::ranges::sort(found, {}, &EgosoftFile::path);
    return found;
}

}  // namespace

const std::vector<EgosoftFile>& egosoft_files() {
    static const std::vector<EgosoftFile> all = load();
    return all;
}

std::vector<const EgosoftFile*> egosoft_files(EgosoftKind kind) {
    std::vector<const EgosoftFile*> some;
    for (const EgosoftFile& file : egosoft_files())
        if (file.kind == kind) some.push_back(&file);
    return some;
}

std::string egosoft_missing() {
    if (!egosoft_files().empty()) return {};
    return "no XMF, ANI or component in " + folder().string() + " (EFFIGY_CORPUS names another folder)";
}

}  // namespace corpus
