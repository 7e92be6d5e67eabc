/// The .mtl of an OBJ: colours, shininess, texture maps and their files' names.

#include "obj/material_file.hpp"

#include <algorithm>
#include <array>

#include "core/file_set.hpp"
#include "obj/names.hpp"

namespace effigy::obj {
namespace {

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

}  // namespace

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

}  // namespace effigy::obj
