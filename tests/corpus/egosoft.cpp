/// Finds the real files of Egosoft's family.

#include "corpus/egosoft.hpp"

#include <cstdint>
#include <cstring>
#include <optional>

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
    for (const fs::path& path : paths()) {
        const effigy::Bytes head = head_of(path);
        const auto kind = kind_of({reinterpret_cast<const char*>(head.data()), head.size()}, fs::file_size(path));
        if (kind) found.push_back({path, name_of(path), *kind, bytes_of(path)});
    }
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

}  // namespace corpus
