/// Makes the mod, damages and writes it.

#include "egosoft/check_mod_folder.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <zlib.h>

namespace effigy::test {

namespace {

constexpr std::array<std::array<std::uint32_t, 3>, 12> box_triangles{{{0, 2, 1},
                                                                      {1, 2, 3},
                                                                      {4, 5, 6},
                                                                      {5, 7, 6},
                                                                      {0, 1, 4},
                                                                      {1, 5, 4},
                                                                      {2, 6, 3},
                                                                      {3, 6, 7},
                                                                      {0, 4, 2},
                                                                      {2, 4, 6},
                                                                      {1, 3, 5},
                                                                      {3, 7, 5}}};

template <class T>
void append(Bytes& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

void append_corner(Bytes& bytes, float half_size, std::uint32_t corner) {
    for (const std::uint32_t axis : {1U, 2U, 4U}) append(bytes, (corner & axis) != 0 ? half_size : -half_size);
}

xmf::Buffer box_positions(float half_size) {
    xmf::Buffer buffer;
    buffer.format = static_cast<std::uint32_t>(xmf::ElementType::float3);
    buffer.item_size = 12;
    buffer.item_count = 8;
    for (std::uint32_t corner = 0; corner < buffer.item_count; ++corner)
        append_corner(buffer.content, half_size, corner);
    return buffer;
}

/// Positions, texture coordinates and colours.
xmf::Buffer box_vertices(float half_size) {
    xmf::Buffer buffer;
    buffer.format = 32;
    buffer.item_size = 24;
    buffer.item_count = 8;
    buffer.element_count = 3;
    buffer.elements[0] = {xmf::ElementType::float3, xmf::Usage::position, 0, {}};
    buffer.elements[1] = {xmf::ElementType::float2, xmf::Usage::texcoord, 0, {}};
    buffer.elements[2] = {xmf::ElementType::color, xmf::Usage::color, 0, {}};
    for (std::uint32_t corner = 0; corner < buffer.item_count; ++corner) {
        append_corner(buffer.content, half_size, corner);
        append(buffer.content, (corner & 1) != 0 ? 1.0F : 0.0F);
        append(buffer.content, (corner & 2) != 0 ? 1.0F : 0.0F);
        append(buffer.content, 0x00ffffffU);
    }
    return buffer;
}

xmf::Buffer box_indices(std::size_t triangles, bool wide) {
    xmf::Buffer buffer;
    buffer.kind = xmf::index_buffer_kind;
    buffer.format = wide ? xmf::index_format_32 : xmf::index_format_16;
    buffer.item_size = wide ? 4 : 2;
    buffer.item_count = static_cast<std::uint32_t>(triangles * 3);
    for (std::size_t triangle = 0; triangle < triangles; ++triangle) {
        for (const std::uint32_t index : box_triangles[triangle]) {
            if (wide) append(buffer.content, index);
            if (!wide) append(buffer.content, static_cast<std::uint16_t>(index));
        }
    }
    return buffer;
}

void set_counts(xmf::File& file) {
    file.header.vertex_count = file.buffers[0].item_count;
    file.header.index_count = file.buffers[1].item_count;
}

template <std::size_t Size>
void set_text(std::array<char, Size>& field, std::string_view text) {
    std::memcpy(field.data(), text.data(), std::min(text.size(), Size - 1));
}

ani::Animation moved_part(std::string_view part, std::string_view state) {
    ani::Animation animation;
    set_text(animation.part, part);
    set_text(animation.state, state);
    animation.duration = 1;
    animation.positions.assign(2, ani::Key{});
    animation.positions[1].time = 1;
    animation.positions[1].value = {0, 1, 0};
    return animation;
}

void write_bytes(const std::filesystem::path& path, const void* bytes, std::size_t size) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
}

constexpr const char* component_text = R"(<?xml version="1.0" encoding="utf-8"?>
<components>
  <component name="ship_test" class="ship_s">
    <source geometry="extensions\my_mod\assets\units\size_s\ship_test_data"/>
    <connections>
      <connection name="Connection01" tags="part">
        <parts>
          <part name="part_main" wreck="part_main_wreck">
            <lods>
              <lod index="0"><materials><material id="1" ref="my.hull"/></materials></lod>
              <lod index="1"><materials><material id="1" ref="my.hull"/></materials></lod>
            </lods>
            <size><max x="2" y="2" z="2"/><center x="0" y="0" z="0"/></size>
          </part>
        </parts>
      </connection>
      <connection name="Connection02" tags="part animation" parent="part_main">
        <animations>
          <animation name="door_opening" start="1" end="30"/>
          <animation name="door_closing" start="31" end="60"/>
        </animations>
        <parts>
          <part name="anim_door">
            <lods><lod index="0"><materials><material id="1" ref="my.hull"/></materials></lod></lods>
            <size><max x="1" y="9" z="1"/><center x="0" y="0" z="0"/></size>
            <size_raw><max x="1" y="1" z="1"/><center x="0" y="0" z="0"/></size_raw>
          </part>
        </parts>
      </connection>
      <connection name="Connection03" tags="part nocollision fx">
        <parts>
          <part name="fx_glow"><lods><lod index="0"><materials><material id="1" ref="my.hull"/></materials></lod></lods></part>
        </parts>
      </connection>
      <connection name="Connection04" tags="part" parent="part_main">
        <parts><part name="part_copy" ref="ship_test.part_main"/></parts>
      </connection>
      <connection name="position" tags="position" value="1"/>
      <connection name="space" tags="ship ship_s"/>
      <connection name="con_dock" tags="dock_xs"/>
    </connections>
  </component>
</components>
)";

constexpr const char* macro_text = R"(<?xml version="1.0" encoding="utf-8"?>
<macros>
  <macro name="ship_test_macro" class="ship_s">
    <component ref="ship_test"/>
    <properties><identification name="{987654,101}" description="{20101,7}"/></properties>
    <connections>
      <connection ref="con_dock"><macro ref="dock_test_macro" connection="space"/></connection>
    </connections>
  </macro>
  <macro name="dock_test_macro" class="ship_s"><component ref="ship_test"/></macro>
</macros>
)";

constexpr const char* wares_text = R"(<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="/wares">
    <ware id="ship_test" name="{987654,101}" transport="ship" tags="ship"><component ref="ship_test_macro"/></ware>
  </add>
</diff>
)";

constexpr const char* page_text = R"(<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="/language">
    <page id="987654" title="A mod" voice="no"><t id="101">Test</t></page>
  </add>
</diff>
)";

constexpr const char* library_text = R"(<?xml version="1.0" encoding="utf-8"?>
<diff>
  <add sel="//materiallibrary">
    <collection name="my">
      <material name="hull" shader="P1_complex_surface.fx" blendmode="NONE">
        <properties>
          <property type="BitMap" name="diffuse_map" value="extensions\my_mod\assets\textures\hull_diff"/>
          <property type="Float" name="diffuseStr" value="1.0"/>
        </properties>
      </material>
    </collection>
  </add>
</diff>
)";

}  // namespace

xmf::File box_mesh(float half_size, std::size_t triangles, const std::vector<std::string>& materials) {
    xmf::File file;
    file.buffers.push_back(box_vertices(half_size));
    file.buffers.push_back(box_indices(triangles, false));
    for (const std::string& name : materials) {
        xmf::Material material;
        set_text(material.name, name);
        file.materials.push_back(material);
    }
    if (!file.materials.empty()) file.materials.front().index_count = file.buffers[1].item_count;
    set_counts(file);
    return file;
}

xmf::File collision_mesh(float half_size) {
    xmf::File file;
    file.buffers.push_back(box_positions(half_size));
    file.buffers.push_back(box_indices(box_triangles.size(), true));
    set_counts(file);
    return file;
}

std::string dds_file(std::uint32_t width, std::uint32_t height, std::uint32_t levels, bool compressed) {
    std::size_t size = 0;
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::size_t across = std::max(width >> level, 1U), down = std::max(height >> level, 1U);
        size += compressed ? (across + 3) / 4 * ((down + 3) / 4) * 16 : across * down * 4;
    }
    std::string file(128 + size, '\0');
    const auto set = [&](std::size_t offset, std::uint32_t value) { std::memcpy(&file[offset], &value, sizeof value); };
    file.replace(0, 4, "DDS ");
    set(4, 124);
    set(8, 0x21007);
    set(12, height);
    set(16, width);
    set(28, levels);
    set(80, compressed ? 4 : 0x41);
    if (compressed) {
        file.replace(84, 4, "DXT5");
    } else {
        set(88, 32);
        set(92, 0xff0000);
        set(96, 0xff00);
        set(100, 0xff);
        set(104, 0xff000000);
    }
    return file;
}

std::string gzipped(const std::string& bytes) {
    std::string packed(bytes.size() + 1024, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string source = bytes;
    stream.next_in = reinterpret_cast<Bytef*>(source.data());
    stream.avail_in = static_cast<uInt>(source.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

void ModFiles::replace(const std::string& path, std::string_view from, std::string_view to) {
    std::string& text = texts.at(path);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is there more than once";
    text.replace(at, from.size(), to);
}

void ModFiles::write(const std::filesystem::path& folder) const {
    for (const auto& [path, text] : texts) write_bytes(folder / path, text.data(), text.size());
    for (const auto& [path, mesh] : meshes) {
        const auto bytes = xmf::write(mesh, {.normalize = true});
        ASSERT_TRUE(bytes.has_value()) << path << ": " << bytes.error().message;
        write_bytes(folder / path, bytes->data(), bytes->size());
    }
    if (animations.animations.empty()) return;
    const auto bytes = ani::write(animations, {.normalize = true});
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
    write_bytes(folder / ani_path, bytes->data(), bytes->size());
}

ModFiles whole_mod() {
    ModFiles mod;
    mod.texts["content.xml"] = R"(<content id="my_mod" name="A mod" version="100"/>)";
    mod.texts[index_path] =
        R"(<diff><add sel="/index"><entry name="ship_test" value="extensions\my_mod\assets\units\size_s\ship_test"/></add></diff>)";
    mod.texts["index/macros.xml"] =
        R"(<index><entry name="ship_test_macro" value="extensions\my_mod\assets\units\size_s\macros\ship_test_macro"/>)"
        R"(<entry name="dock_test_macro" value="extensions\my_mod\assets\units\size_s\macros\ship_test_macro"/></index>)";
    mod.texts[macro_path] = macro_text;
    mod.texts[wares_path] = wares_text;
    mod.texts[texts_path] = page_text;
    mod.texts[component_path] = component_text;
    mod.texts[library_path] = library_text;
    mod.texts["assets/textures/hull_diff.gz"] = gzipped(dds_file(64, 64, 7, true));
    mod.meshes[data_path + "part_main-lod0.xmf"] = box_mesh(2, 12, {"my.hull"});
    mod.meshes[data_path + "part_main-lod1.xmf"] = box_mesh(2, 6, {"my.hull"});
    mod.meshes[data_path + "part_main-collision.xmf"] = collision_mesh(2);
    mod.meshes[data_path + "part_main_wreck-lod0.xmf"] = box_mesh(2, 12, {"my.hull"});
    mod.meshes[data_path + "part_main_wreck-collision.xmf"] = collision_mesh(2);
    mod.meshes[data_path + "anim_door-lod0.xmf"] = box_mesh(1, 12, {"my.hull"});
    mod.meshes[data_path + "anim_door-collision.xmf"] = collision_mesh(1);
    mod.meshes[data_path + "fx_glow-lod0.xmf"] = box_mesh(1, 12, {"my.hull"});
    mod.meshes[data_path + "assets_units_size_s_ship_test-lod0.xmf"] = box_mesh(1, 12, {"standardmaterial"});
    mod.animations.animations = {moved_part("anim_door", "door_opening"), moved_part("anim_door", "door_closing")};
    return mod;
}

}  // namespace effigy::test
