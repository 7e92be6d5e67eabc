/// A still scene as Wavefront OBJ, with its .mtl.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/obj.hpp"
#include "effigy/obj_codes.hpp"
#include "effigy/scene.hpp"

#include "core/file_set.hpp"
#include "core/output.hpp"
#include "obj/names.hpp"
#include "playback/still.hpp"
#include "registry/rows.hpp"

namespace effigy::obj {

namespace {

constexpr std::size_t capacity = std::size_t{1} << 18;
constexpr std::size_t max_number_length = 32;

template <class Value>
void append(std::string& buffer, Value value) {
    char digits[max_number_length];
    const auto [end, error] = std::to_chars(digits, digits + max_number_length, value);
    if (error == std::errc()) buffer.append(digits, end);
}

/// Words and numbers on lines, gathered into large pieces.
class TextWriter {
public:
    explicit TextWriter(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(capacity); }

    TextWriter& text(std::string_view words) {
        make_room(words.size());
        buffer_.append(words);
        return *this;
    }
    TextWriter& number(std::uint64_t value) {
        make_room(max_number_length);
        append(buffer_, value);
        return *this;
    }
    /// The shortest decimal that gives the same float again.
    TextWriter& number(float value) {
        make_room(max_number_length);
        append(buffer_, value == 0 ? 0.0f : value);  // "-0" says nothing
        return *this;
    }
    /// "v 1 2.5 -3": a line of a keyword and numbers.
    TextWriter& line(std::string_view keyword, std::span<const float> values) {
        text(keyword);
        for (const float value : values) text(" ").number(value);
        return text("\n");
    }

    /// Hands on what is gathered; says whether all went well since the beginning.
    [[nodiscard]] Result<void> finish() {
        if (state_ && !buffer_.empty()) state_ = sink_(std::as_bytes(std::span(buffer_)));
        buffer_.clear();
        return state_;
    }

private:
    void make_room(std::size_t size) {
        if (buffer_.size() + size <= capacity) return;
        if (state_) state_ = sink_(std::as_bytes(std::span(buffer_)));
        buffer_.clear();
    }

    Sink sink_;
    std::string buffer_;
    Result<void> state_;
};

/// An image that becomes a file beside the .obj.
struct ImageFile {
    std::string name;
    const Image* image = nullptr;
};

struct MaterialFile {
    std::vector<std::string> names;        ///< of each material; empty for those that are not used
    std::vector<std::string> image_names;  ///< what stands for each image in the .mtl; empty for those not used
    std::vector<ImageFile> images;
};

/// What stands in the .mtl for an image that is not embedded: its address, which must stay in its line.
std::string address_of(const Image& image) {
    std::string address = image.uri;
    for (char& c : address) c = static_cast<unsigned char>(c) < 0x20 ? '_' : c == '\\' ? '/' : c;
    return address;
}

class Planner {
public:
    Planner(const Scene& scene, const std::string& stem, MaterialFile& file)
        : scene_(scene), stem_(FileNames::plain(stem)), file_(file) {
        file_.names.resize(scene.materials.size());
        file_.image_names.resize(scene.images.size());
    }

    void add(std::size_t number) {
        const Material& material = scene_.materials[number];
        file_.names[number] = words_.add(material.name, "material" + std::to_string(number));
        add(material.base_color_texture);
        add(material.normal_texture);
        add(material.emissive_texture);
    }

private:
    void add(const TextureSlot& slot) {
        if (!slot.used()) return;
        const Image& image = scene_.images[slot.image];
        std::string& name = file_.image_names[slot.image];
        if (!name.empty()) return;
        if (image.bytes.empty()) {
            name = address_of(image);
            return;
        }
        name = names_.add(stem_, image.name.empty() ? "image" + std::to_string(slot.image) : image.name,
                          image.mime_type == "image/jpeg" ? ".jpg" : ".png");
        file_.images.push_back({name, &image});
    }

    const Scene& scene_;
    std::string stem_;
    MaterialFile& file_;
    UniqueWords words_;
    FileNames names_;
};

/// Blinn-Phong's exponent for the width of highlight that a roughness stands for.
float shininess(float roughness) {
    const float alpha = std::max(roughness * roughness, 0.04f);
    return std::clamp(2 / (alpha * alpha) - 2, 0.0f, 1000.0f);
}

Vec3 reflection(const Material& material) {
    constexpr float glassy = 0.04f;  // of all that is no metal, seen from the front
    const float metallic = std::clamp(material.metallic, 0.0f, 1.0f);
    const auto mix = [&](float color) { return glassy + (color - glassy) * metallic; };
    return {mix(material.base_color.r), mix(material.base_color.g), mix(material.base_color.b)};
}

void write_color(TextWriter& out, const char* keyword, float r, float g, float b) {
    out.line(keyword, std::array{r, g, b});
}

void write_surface(const Material& material, TextWriter& out) {
    const Color& color = material.base_color;
    const bool shines = !material.unlit && material.roughness < 1;
    write_color(out, "Kd", color.r, color.g, color.b);
    if (shines) {
        const Vec3 specular = reflection(material);
        write_color(out, "Ks", specular.x, specular.y, specular.z);
        out.line("Ns", std::array{shininess(material.roughness)});
    } else {
        write_color(out, "Ks", 0, 0, 0);
    }
    out.line("Pr", std::array{material.roughness}).line("Pm", std::array{material.metallic});
    if (material.emissive != Vec3{})
        write_color(out, "Ke", material.emissive.x, material.emissive.y, material.emissive.z);
    out.line("d", std::array{material.alpha_mode == AlphaMode::opaque ? 1.0f : color.a});
    out.text("illum ").number(std::uint64_t{material.unlit ? 0u : shines ? 2u : 1u}).text("\n");
}

void write_map(TextWriter& out, const char* keyword, const std::string& image) {
    out.text(keyword).text(" ").text(image).text("\n");
}

void write_maps(const Material& material, const MaterialFile& file, TextWriter& out) {
    const auto image_of = [&](const TextureSlot& slot) {
        return slot.used() ? file.image_names[slot.image] : std::string();
    };
    if (const std::string image = image_of(material.base_color_texture); !image.empty()) {
        write_map(out, "map_Kd", image);
        if (material.alpha_mode != AlphaMode::opaque) write_map(out, "map_d", image);
    }
    if (const std::string image = image_of(material.emissive_texture); !image.empty()) write_map(out, "map_Ke", image);
    if (const std::string image = image_of(material.normal_texture); !image.empty()) {
        // The one is the newer keyword for tangent-space normals, the other what most readers look at.
        write_map(out, "norm", image);
        out.text("map_Bump -bm ").number(material.normal_texture.strength).text(" ").text(image).text("\n");
    }
}

MaterialFile plan_materials(const Scene& scene, const std::vector<bool>& used, const std::string& stem) {
    MaterialFile file;
    Planner planner(scene, stem, file);
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        if (used[i]) planner.add(i);
    }
    return file;
}

void write_materials(const Scene& scene, const MaterialFile& file, TextWriter& out) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        if (file.names[i].empty()) continue;
        out.text("newmtl ").text(file.names[i]).text("\n");
        write_surface(scene.materials[i], out);
        write_maps(scene.materials[i], file, out);
        out.text("\n");
    }
}

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
        if (auto added = files.add(path.parent_path() / file.name, file.image->bytes); !added)
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
    return write_together(options.fsync, [&](FileSet& files) { return write_into(scene, path, options, files); });
}

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "obj", .title = "OBJ", .other_formats = obj_format, .write = write_scene, .losses = losses_of};
    return family;
}

}  // namespace effigy::obj
