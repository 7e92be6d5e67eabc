/// A still scene as Wavefront OBJ.

#include <algorithm>
#include <array>
#include <string>

#include "effigy/obj.hpp"
#include "effigy/obj_codes.hpp"

#include "core/file_set.hpp"
#include "core/guard.hpp"
#include "obj/material_file.hpp"
#include "obj/names.hpp"
#include "obj/text_writer.hpp"
#include "playback/still.hpp"
#include "registry/rows.hpp"

namespace effigy::obj {
namespace {

constexpr StillFormat format{codes::obj_lost, codes::obj_lost.as(Severity::info), "OBJ", true, false, true};

/// How many of each kind stand in the file so far: OBJ numbers them through all meshes, from 1.
struct Counts {
    std::uint64_t positions = 1, texcoords = 1, normals = 1;
};

class Writer {
public:
    Writer(const MaterialFile& materials, TextWriter& out) : materials_(materials), out_(out) {}

    void write(const StillMesh& mesh) {
        out_.text("o ").text(words_.add(mesh.node->name, "mesh")).text("\n");
        for (const Vec3& v : mesh.vertices.positions) out_.line("v", std::array{v.x, v.y, v.z});
        for (const Vec2& v : mesh.texcoords) out_.line("vt", std::array{v.x, v.y});
        for (const Vec3& v : mesh.vertices.normals) out_.line("vn", std::array{v.x, v.y, v.z});
        for (const Primitive& primitive : mesh.mesh->primitives) write_elements(mesh, primitive);
        counts_.positions += mesh.vertices.positions.size();
        counts_.texcoords += mesh.texcoords.size();
        counts_.normals += mesh.vertices.normals.size();
    }

private:
    void write_elements(const StillMesh& mesh, const Primitive& primitive) {
        if (primitive.indices.empty()) return;
        use(primitive.material);
        switch (primitive.topology) {
            case Topology::points:
                return write_lines(mesh, primitive, "p", 1);
            case Topology::lines:
                return write_lines(mesh, primitive, "l", 2);
            case Topology::line_strip:
                return write_lines(mesh, primitive, "l", primitive.indices.size());
            default:
                return write_faces(mesh, primitive);
        }
    }

    void write_faces(const StillMesh& mesh, const Primitive& primitive) {
        for_each_triangle(mesh, primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            out_.text("f");
            for (const std::uint32_t vertex : {a, b, c}) write_corner(mesh, vertex);
            out_.text("\n");
        });
    }

    /// Points or lines of `length` vertices each. Points have nothing but positions there, lines no normals.
    void write_lines(const StillMesh& mesh, const Primitive& primitive, const char* keyword, std::size_t length) {
        for (std::size_t i = 0; i < primitive.indices.size(); ++i) {
            if (i % length == 0) out_.text(keyword);
            const std::uint64_t vertex = std::uint64_t{primitive.first_vertex} + primitive.indices[i];
            out_.text(" ").number(counts_.positions + vertex);
            if (length > 1 && !mesh.texcoords.empty()) out_.text("/").number(counts_.texcoords + vertex);
            if ((i + 1) % length == 0) out_.text("\n");
        }
    }

    /// A material stays in force until the next, so that none must be said as well.
    void use(Index material) {
        const std::string& name = material == no_index ? nothing_ : materials_.names[material];
        if (name == in_force_ || (name == nothing_ && in_force_.empty())) return;
        out_.text("usemtl ").text(name).text("\n");
        in_force_ = name;
    }

    /// v, v/vt, v//vn or v/vt/vn
    void write_corner(const StillMesh& mesh, std::uint32_t vertex) {
        out_.text(" ").number(counts_.positions + vertex);
        if (!mesh.texcoords.empty()) out_.text("/").number(counts_.texcoords + vertex);
        if (mesh.vertices.normals.empty()) return;
        out_.text(mesh.texcoords.empty() ? "//" : "/").number(counts_.normals + vertex);
    }

    const std::string nothing_ = "(null)";  // as other writers call it
    const MaterialFile& materials_;
    TextWriter& out_;
    UniqueWords words_;
    Counts counts_;
    std::string in_force_;
};

std::vector<bool> used_materials(const Scene& scene, const Still& still) {
    std::vector<bool> used(scene.materials.size(), false);
    for (const StillMesh& mesh : still.meshes) {
        for (const Primitive& primitive : mesh.mesh->primitives) {
            if (primitive.material != no_index && !primitive.indices.empty()) used[primitive.material] = true;
        }
    }
    return used;
}

/// A name that stays in its line.
std::string material_file_name(const std::filesystem::path& path) {
    std::string name = path.stem().string();
    for (char& c : name) c = static_cast<unsigned char>(c) < 0x20 ? '_' : c;
    return name + ".mtl";
}

Result<void> write_model(const Still& still, const MaterialFile& materials, const std::string& material_file,
                         const Sink& sink) {
    TextWriter out(sink);
    out.text("# effigy\n");
    if (!material_file.empty()) out.text("mtllib ").text(material_file).text("\n");
    Writer writer(materials, out);
    for (const StillMesh& mesh : still.meshes) writer.write(mesh);
    return out.finish();
}

Result<Report> write_into(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options,
                          FileSet& files) {
    const auto still = still_of(scene);
    if (!still) return fail(still.error());
    const std::vector<bool> used = used_materials(scene, *still);
    const std::string image_stem = options.image_stem.empty() ? path.stem().string() : options.image_stem;
    const MaterialFile materials = plan_materials(scene, used, image_stem);
    const bool has_materials = std::find(used.begin(), used.end(), true) != used.end();
    const std::string material_file = has_materials ? material_file_name(path) : "";

    // The file that refers to the others comes last.
    for (const ImageFile& file : materials.images) {
        if (!options.write_images) break;
        const Bytes& bytes = file.image->bytes;
        const auto write = [&](const Sink& sink) { return sink(bytes_of(bytes)); };
        if (auto added = files.add(path.parent_path() / file.name, bytes.size(), write); !added)
            return fail(std::move(added.error()));
    }
    if (has_materials) {
        const auto write = [&](const Sink& sink) {
            TextWriter out(sink);
            write_materials(scene, materials, out);
            return out.finish();
        };
        if (auto added = files.add(path.parent_path() / material_file, 0, write); !added)
            return fail(std::move(added.error()));
    }
    const auto write = [&](const Sink& sink) { return write_model(*still, materials, material_file, sink); };
    return files.add(path, 0, write).map([&] { return losses(scene); });
}

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                           FileSet& files) {
    return write_into(scene, path, {options.fsync, options.image_stem, options.write_images}, files);
}

constexpr std::array<std::string_view, 1> extensions{"obj"};
constexpr FormatInfo obj_format[] = {{"obj", "Wavefront OBJ with .mtl and images", "obj", Role::scene, extensions,
                                      "the rest pose, in triangles", false, false, false, true}};

Report losses_of(const Scene& scene, const SceneWriteOptions& /*options*/) { return losses(scene); }

}  // namespace

Report losses(const Scene& scene) { return still_losses(scene, format); }

Result<Report> write_file(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options) {
    return without_exceptions([&]() -> Result<Report> {
        FileSet files(options.fsync);
        auto report = write_into(scene, path, options, files);
        if (!report) return report;
        return files.commit().map([&] { return std::move(*report); });
    });
}

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "obj", .title = "OBJ", .other_formats = obj_format, .write = write_scene, .losses = losses_of};
    return family;
}

}  // namespace effigy::obj
