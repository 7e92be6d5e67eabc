/// XMF's row in the registry.

#include <array>
#include <cstring>

#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/check/xmf.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::array<std::string_view, 1> xmf_extensions{"xmf"};
constexpr FormatInfo xmf_format{
    "xmf",       "Egosoft mesh", "egosoft",
    Role::model, xmf_extensions, "3, as X Rebirth and X4 have it; all sizes of descriptors; big-endian untested",
    true,        true,           true,
    true};

}  // namespace

bool names_collision(const std::filesystem::path& path) {
    std::string stem = lower(path.stem().string());
    stem.erase(stem.find_last_not_of("0123456789") + 1);
    return stem.ends_with("-collision");
}

const FormatInfo& XmfFormat::format() { return xmf_format; }

Report XmfFormat::check(const xmf::File& file, const CheckContext& context) {
    Report report = check_mesh(file, names_collision(context.path));
    report.append(check_mesh_materials(file, context));
    return report;
}

bool looks_like_xmf(std::span<const std::byte> head) noexcept {
    constexpr std::string_view magic = "XUMF";
    return head.size() >= magic.size() && std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

}  // namespace effigy::egosoft
