/// A still scene as binary PLY.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "effigy/obj_codes.hpp"
#include "effigy/ply.hpp"

#include "core/file_set.hpp"
#include "core/problem.hpp"
#include "core/srgb.hpp"
#include "playback/still.hpp"
#include "registry/rows.hpp"
#include "scene/wide_math.hpp"

namespace effigy::ply {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers go to the file as they are in memory");

constexpr StillFormat format{codes::ply_lost, codes::ply_lost.as(Severity::info), "PLY", false, true, false};

/// What all of the file's vertices have: whatever one of the meshes has.
struct Contents {
    std::uint64_t vertices = 0, triangles = 0;
    bool normals = false, texcoords = false, colors = false;
};

Contents contents_of(const Still& still) {
    Contents contents;
    for (const StillMesh& mesh : still.meshes) {
        contents.vertices += mesh.vertices.positions.size();
        for (const Primitive& primitive : mesh.mesh->primitives) contents.triangles += triangle_count(primitive);
        contents.normals = contents.normals || !mesh.vertices.normals.empty();
        contents.texcoords = contents.texcoords || !mesh.texcoords.empty();
        contents.colors = contents.colors || !mesh.colors.empty();
    }
    return contents;
}

std::string header_of(const Contents& contents) {
    std::string text = "ply\nformat binary_little_endian 1.0\ncomment effigy\nelement vertex ";
    text += std::to_string(contents.vertices) + "\n";
    const auto add = [&](const char* type, std::initializer_list<const char*> names) {
        for (const char* name : names) text.append("property ").append(type).append(" ").append(name).append("\n");
    };
    add("float", {"x", "y", "z"});
    if (contents.normals) add("float", {"nx", "ny", "nz"});
    if (contents.texcoords) add("float", {"s", "t"});
    if (contents.colors) add("uchar", {"red", "green", "blue", "alpha"});
    text += "element face " + std::to_string(contents.triangles) + "\n";
    return text + "property list uchar int vertex_indices\nend_header\n";
}

std::uint64_t vertex_size(const Contents& contents) {
    return 12u + (contents.normals ? 12u : 0u) + (contents.texcoords ? 8u : 0u) + (contents.colors ? 4u : 0u);
}

constexpr std::uint64_t face_size = 1 + 3 * sizeof(std::int32_t);

/// 8 bits hold colours as displays want them (sRGB), alpha as it is.
std::array<std::uint8_t, 4> to_bytes(const Color& color) {
    const auto encoded = [](float linear) { return byte_of(linear_to_srgb(std::clamp(linear, 0.0f, 1.0f))); };
    return {encoded(color.r), encoded(color.g), encoded(color.b), byte_of(color.a)};
}

/// Gathers small values into large pieces.
class Packer {
public:
    explicit Packer(const Sink& sink) : sink_(sink) { buffer_.reserve(capacity); }

    template <class Value>
    void add(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        if (buffer_.size() + sizeof value > capacity) flush();
        const std::size_t place = buffer_.size();
        buffer_.resize(place + sizeof value);
        std::memcpy(buffer_.data() + place, &value, sizeof value);
    }

    [[nodiscard]] Result<void> finish() {
        flush();
        return state_;
    }

private:
    static constexpr std::size_t capacity = std::size_t{1} << 18;

    void flush() {
        if (state_ && !buffer_.empty()) state_ = sink_(bytes_of(buffer_));
        buffer_.clear();
    }

    const Sink& sink_;
    Bytes buffer_;
    Result<void> state_;
};

/// As the faces around each vertex are turned. Zeros, which readers would take for directions, are left only where
/// there is no face.
std::vector<Vec3> normals_of_faces(const StillMesh& mesh) {
    const auto positions = mesh.vertices.positions;
    std::vector<glm::dvec3> sums(positions.size(), glm::dvec3(0));
    const auto at = [&](std::uint32_t i) { return wide(positions[i]); };
    for (const Primitive& primitive : mesh.mesh->primitives) {
        for_each_triangle(mesh, primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const glm::dvec3 face = glm::cross(at(b) - at(a), at(c) - at(a));
            for (const std::uint32_t i : {a, b, c}) sums[i] += face;
        });
    }
    std::vector<Vec3> normals;
    normals.reserve(sums.size());
    for (const glm::dvec3& sum : sums) {
        const double length = glm::length(sum);
        normals.push_back(length > 0 ? narrow(sum / length) : Vec3{});
    }
    return normals;
}

void pack_vertices(const StillMesh& mesh, const Contents& contents, Packer& out) {
    const auto& [positions, normals, tangents] = mesh.vertices;
    const auto computed = contents.normals && normals.empty() ? normals_of_faces(mesh) : std::vector<Vec3>();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        out.add(positions[i]);
        if (contents.normals) out.add(normals.empty() ? computed[i] : normals[i]);
        if (contents.texcoords) out.add(mesh.texcoords.empty() ? Vec2{} : mesh.texcoords[i]);
        if (contents.colors) out.add(to_bytes(mesh.colors.empty() ? Color{1, 1, 1, 1} : mesh.colors[i]));
    }
}

Result<void> write_body(const Still& still, const Contents& contents, const Sink& sink) {
    Packer out(sink);
    for (const StillMesh& mesh : still.meshes) pack_vertices(mesh, contents, out);
    std::uint32_t first = 0;
    for (const StillMesh& mesh : still.meshes) {
        for (const Primitive& primitive : mesh.mesh->primitives) {
            for_each_triangle(mesh, primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                out.add(std::uint8_t{3});
                out.add(std::array{first + a, first + b, first + c});
            });
        }
        first += static_cast<std::uint32_t>(mesh.vertices.positions.size());
    }
    return out.finish();
}

Result<Report> write_into(const Scene& scene, const std::filesystem::path& path, FileSet& files) {
    const auto still = still_of(scene);
    if (!still) return fail(still.error());
    const Contents contents = contents_of(*still);
    if (contents.vertices > std::numeric_limits<std::int32_t>::max()) {
        return fail(problem_at({}, codes::ply_too_large,
                               "a .ply cannot have so many vertices, as it numbers them with 31 bits",
                               std::to_string(contents.vertices)));
    }
    const std::string header = header_of(contents);
    const std::uint64_t size =
        header.size() + contents.vertices * vertex_size(contents) + contents.triangles * face_size;
    const auto write = [&](const Sink& sink) {
        return sink(std::as_bytes(std::span(header))).and_then([&] { return write_body(*still, contents, sink); });
    };
    return files.add(path, size, write).map([&] { return losses(scene); });
}

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions&,
                           FileSet& files) {
    return write_into(scene, path, files);
}

constexpr std::array<std::string_view, 1> extensions{"ply"};
constexpr FormatInfo ply_format[] = {{"ply", "Stanford PLY", "ply", Role::scene, extensions,
                                      "1.0 binary, little-endian; the rest pose as one mesh", false, false, false,
                                      true}};

Report losses_of(const Scene& scene, const SceneWriteOptions& /*options*/) { return losses(scene); }

}  // namespace

Report losses(const Scene& scene) { return still_losses(scene, format); }

Result<Report> write_file(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options) {
    return write_together(options.fsync, [&](FileSet& files) { return write_into(scene, path, files); });
}

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "ply", .title = "PLY", .other_formats = ply_format, .write = write_scene, .losses = losses_of};
    return family;
}

}  // namespace effigy::ply
