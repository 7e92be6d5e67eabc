// Builds the example ship with the public API and writes it as a mod for X4: component, meshes, animations, materials
// and textures. Usage: make_ship FOLDER

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "effigy/files.hpp"

#include "ship/files.hpp"
#include "ship/parts.hpp"
#include "ship/texture.hpp"

namespace {

using namespace effigy;
using namespace ship;

constexpr std::string_view content = R"(<?xml version="1.0" encoding="utf-8"?>
<content id="courier" name="Courier" description="The example ship of effigy" version="100" save="false"/>
)";

constexpr std::string_view index = R"(<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="/index">
    <entry name="ship_courier" value="extensions\courier\assets\units\size_s\ship_courier"/>
  </add>
</diff>
)";

constexpr std::string_view library = R"(<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="/materiallibrary">
    <collection name="courier">
      <material name="hull" shader="P1_complex_surface.fx" blendmode="NONE" preview="none">
        <properties>
          <property type="BitMap" name="diffuse_map" value="extensions\courier\assets\textures\courier_diffuse"/>
          <property type="BitMap" name="normal_map" value="extensions\courier\assets\textures\courier_normal"/>
          <property type="BitMap" name="metal_map" value="extensions\courier\assets\textures\courier_metal"/>
          <property type="BitMap" name="smooth_map" value="extensions\courier\assets\textures\courier_smooth"/>
          <property type="Float" name="diffuseStr" value="1.0"/>
          <property type="Float" name="normalStr" value="1.0"/>
          <property type="Float" name="Smoothness" value="1.0"/>
          <property type="Float" name="Metallness" value="1.0"/>
        </properties>
      </material>
      <material name="glow" shader="P1_complex_surface.fx" blendmode="NONE" preview="none">
        <properties>
          <property type="BitMap" name="color_glow_map" value="extensions\courier\assets\textures\courier_glow"/>
          <property type="Float" name="color_glowStr" value="1.0"/>
          <property type="Float" name="Smoothness" value="0.2"/>
        </properties>
      </material>
      <material name="glass" shader="P1_complex_surface.fx" blendmode="ALPHA8_SINGLE" preview="none">
        <properties>
          <property type="Color" name="diffuse_color" r="35" g="70" b="95" a="150"/>
          <property type="Float" name="Smoothness" value="0.95"/>
          <property type="Float" name="Metallness" value="0.0"/>
        </properties>
      </material>
    </collection>
  </add>
</diff>
)";

class Writer {
public:
    explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void text(const std::string& path, std::string_view words) {
        place(path, [&](const auto& target) { return write_bytes(target, std::as_bytes(std::span(words))); });
    }
    void bytes(const std::string& path, const Bytes& block) {
        place(path, [&](const auto& target) { return write_bytes(target, block); });
    }
    template <class File>
    void file(const std::string& path, const File& faithful) {
        place(path, [&](const auto& target) { return write_file(faithful, target); });
    }
    [[nodiscard]] bool good() const { return good_; }

private:
    template <class Write>
    void place(const std::string& path, Write&& write) {
        const std::filesystem::path target = folder_ / path;
        std::error_code error;
        std::filesystem::create_directories(target.parent_path(), error);
        const Result<void> written = write(target);
        if (written) return;
        std::fprintf(stderr, "%s\n", to_string(written.error()).c_str());
        good_ = false;
    }
    std::filesystem::path folder_;
    bool good_ = true;
};

void write_meshes(Writer& writer, const std::string& folder, const std::vector<Part>& parts, const Shape& wreck) {
    for (const Part& part : parts) {
        for (std::size_t level = 0; level < part.levels.size(); ++level) {
            writer.file(folder + part.name + "-lod" + std::to_string(level) + ".xmf", mesh_file(part.levels[level]));
        }
        if (!part.collision.indices.empty()) {
            writer.file(folder + part.name + "-collision.xmf", collision_file(part.collision));
        }
    }
    writer.file(folder + "part_hull_wreck-lod0.xmf", mesh_file(wreck));
    writer.file(folder + "part_hull_wreck-collision.xmf", collision_file(wreck));
}

bool make_ship(const std::filesystem::path& folder) {
    Writer writer(folder);
    const std::vector<Part> parts = make_parts();
    const Shape wreck = make_wreck();
    const std::string units = "assets/units/size_s/", textures = "assets/textures/courier_";
    writer.text("content.xml", content);
    writer.text("index/components.xml", index);
    writer.text("libraries/material_library.xml", library);
    writer.text(units + "ship_courier.xml", component_text(parts));
    write_meshes(writer, units + "ship_courier_data/", parts, wreck);
    writer.file(units + "SHIP_COURIER_DATA.ANI", animation_file(parts));
    writer.bytes(textures + "diffuse.gz", texture_file(Map::diffuse));
    writer.bytes(textures + "normal.gz", texture_file(Map::normal));
    writer.bytes(textures + "metal.gz", texture_file(Map::metal));
    writer.bytes(textures + "smooth.gz", texture_file(Map::smooth));
    writer.bytes(textures + "glow.gz", texture_file(Map::glow));
    return writer.good();
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count != 2) return std::fprintf(stderr, "usage: make_ship FOLDER\n"), 2;
    return make_ship(arguments[1]) ? 0 : 1;
}
