/// What a file's parts say, whatever its layout.

#include <algorithm>
#include <cstring>

#include "arp/file/layout_elements.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

/// The lists name a point's copies by their numbers behind the points; what names itself is no copy.
Bulk<std::uint32_t> points_of_lists(const Mesh& mesh) {
    const std::size_t points = mesh.points.size();
    const auto none = static_cast<std::uint32_t>(points);
    const auto is_copy = [&](std::uint32_t vertex) { return vertex >= points; };
    const auto copies = std::count_if(mesh.duplicates.begin(), mesh.duplicates.end(), is_copy);
    Bulk<std::uint32_t> result(static_cast<std::size_t>(copies), none);
    std::size_t begin = 0;
    for (std::size_t point = 0; point < mesh.list_sizes.size() && point < points; ++point) {
        const std::size_t end = std::min<std::size_t>(begin + mesh.list_sizes[point], mesh.duplicates.size());
        for (; begin < end; ++begin) {
            const std::uint32_t vertex = mesh.duplicates[begin];
            if (is_copy(vertex) && vertex - points < result.size())
                result[vertex - points] = static_cast<std::uint32_t>(point);
        }
    }
    return result;
}

/// A gzip file's last number is the size of its content, here that of whole texels and of numbers before them.
bool ends_with_gzip(ByteSource& source) noexcept {
    constexpr std::uint64_t max_ratio = 1040, least = 12;
    const std::uint64_t begin = source.position(), left = source.remaining();
    std::uint32_t size = 0;
    if (left < sizeof size) return false;
    source.seek(source.limit() - sizeof size);
    const bool is_read = source.peek(&size, sizeof size);
    source.seek(begin);
    return is_read && size % 4 == 0 && size >= least && size <= max_ratio * left;
}

}  // namespace

Bulk<std::uint32_t> duplicate_points(const Mesh& mesh, const Layout& layout) {
    if (layout.duplicates == DuplicateForm::lists) return points_of_lists(mesh);
    const auto points = static_cast<std::uint32_t>(mesh.points.size());
    Bulk<std::uint32_t> result(mesh.duplicates.begin(), mesh.duplicates.end());
    for (std::uint32_t& point : result) {
        if (layout.duplicates == DuplicateForm::triples) point = point % 3 == 0 ? point / 3 : points;
        point = std::min(point, points);
    }
    return result;
}

Bulk<std::uint32_t> first_links(const Points& points) {
    Bulk<std::uint32_t> result;
    result.reserve(points.size() + 1);
    std::uint32_t link = 0;
    for (const std::uint32_t count : points.link_counts) {
        result.push_back(link);
        link += count;
    }
    result.push_back(link);
    return result;
}

std::string_view text_of(const FourCC& code) noexcept {
    const std::string_view text(code.data(), code.size());
    return text.substr(0, up_to_nul(text).find_last_not_of(' ') + 1);
}

std::size_t find_bone(const File& file, std::string_view name) noexcept {
    const auto found = std::find_if(file.bones.begin(), file.bones.end(),
                                    [&](const Bone& bone) { return up_to_nul(bone.name) == up_to_nul(name); });
    return static_cast<std::size_t>(found - file.bones.begin());
}

std::uint64_t old_image_size(ByteSource& source, std::uint64_t stored) noexcept {
    struct {
        std::uint32_t pixels_size, width, height;
    } image{};
    if (!source.peek(&image, sizeof image)) return stored;
    constexpr std::uint32_t gzip_magic = 0x088b1f;
    // Nothing stands behind the image.
    if ((image.pixels_size & 0xffffff) == gzip_magic) return ends_with_gzip(source) ? source.remaining() : stored;
    const std::uint64_t texels = std::uint64_t{image.width} * image.height;
    if (image.width == 0 || image.height == 0 || texels != image.pixels_size / 4 || image.pixels_size % 4 != 0)
        return stored;
    const std::uint64_t size = sizeof image + std::uint64_t{image.pixels_size};
    return size <= source.remaining() ? size : stored;
}

}  // namespace effigy::arp
