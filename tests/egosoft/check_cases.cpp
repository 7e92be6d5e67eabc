/// One damage for each rule, and what is expected of it.

#include "egosoft/check_cases.hpp"

#include <chrono>

namespace effigy::test {

namespace {

namespace fs = std::filesystem;

std::string data(const char* name) { return data_path + name; }

void add_file(ModFiles& mod, const std::string& path, const std::string& content = "x") { mod.texts[path] = content; }

void add_shape(ModFiles& mod, const char* name) { add_file(mod, data(name), std::string("\0\0\0\0\6", 5)); }

Case names(const char* code, const char* from, const char* to) {
    return {code, [from, to](ModFiles& mod) { mod.replace(component_path, from, to); }};
}

/// Of the macro that another hangs on it.
void rename_component(ModFiles& mod) {
    mod.replace(macro_path, R"(class="ship_s"><component ref="ship_test"/>)",
                R"(class="ship_s"><component ref="ship_lost"/>)");
}

/// The same triangles again and again.
xmf::File many_triangles(float half_size, std::size_t times) {
    xmf::File mesh = box_mesh(half_size, 12, {"my.hull"});
    xmf::Buffer& indices = mesh.buffers[1];
    const Bytes once = indices.content;
    for (std::size_t time = 1; time < times; ++time)
        indices.content.insert(indices.content.end(), once.begin(), once.end());
    indices.item_count *= static_cast<std::uint32_t>(times);
    mesh.header.index_count = mesh.materials.front().index_count = indices.item_count;
    return mesh;
}

/// Takes the meaning of an element of the vertices.
void without(xmf::File& mesh, std::size_t element) { mesh.buffers[0].elements[element].usage = xmf::Usage::depth; }

std::vector<Case> name_cases() {
    return {
        names("part-name-case", R"(name="part_copy" ref)", R"(name="Part_Main" ref)").causing({"name-upper-case"}),
        names("name-upper-case", R"(name="part_copy" ref)", R"(name="part copy" ref)"),
        names("connection-position-missing", R"(tags="position")", R"(tags="info")"),
        names("connection-space-missing", R"(name="space" tags="ship ship_s")", R"(name="place" tags="weapon small")")
            .causing({"macro-child-connection-missing"}),
        names("class-missing", R"( class="ship_s")", ""),
        names("connection-name-case", "Connection04", "CONNECTION03"),
        names("connection-parent-missing", R"(name="Connection04" tags="part" parent="part_main")",
              R"(name="Connection04" tags="part" parent="part_wing")"),
        names("connection-parent-cycle", R"(name="Connection01" tags="part")",
              R"(name="Connection01" tags="part" parent="part_copy")"),
    };
}

std::vector<Case> reference_cases() {
    return {
        names("reference-form", "ship_test.part_main", "part_main"),
        names("reference-part-missing", "ship_test.part_main", "ship_test.part_wing"),
        names("reference-cycle", "ship_test.part_main", "ship_test.part_copy"),
        names("reference-unresolved", "ship_test.part_main", "ship_game.part_main"),
        {"reference-component-missing",
         [](ModFiles& mod) { mod.replace(component_path, "ship_test.part_main", "ship_game.part_main"); }, true},
    };
}

std::vector<Case> mesh_cases() {
    return {
        {"geometry-missing",
         [](ModFiles& mod) {
             mod.meshes.clear();
             mod.animations.animations.clear();
         }},
        {"geometry-unresolved",
         [](ModFiles& mod) {
             mod.meshes.clear();
             mod.animations.animations.clear();
             mod.replace(component_path, R"(extensions\my_mod\assets\units\size_s\ship_test_data)",
                         R"(assets\units\size_xl\ship_game_data)");
         }},
        names("geometry-case", R"(assets\units\size_s\ship_test_data)", R"(assets\units\Size_S\ship_test_data)"),
        {"lod-missing", [](ModFiles& mod) { mod.meshes.erase(data("part_main-lod1.xmf")); }},
        {"lod-gap",
         [](ModFiles& mod) {
             auto mesh = mod.meshes.extract(data("part_main-lod1.xmf"));
             mesh.key() = data("part_main-lod2.xmf");
             mod.meshes.insert(std::move(mesh));
             mod.replace(component_path, R"(<lod index="1">)", R"(<lod index="2">)");
         }},
        {"lod-order", [](ModFiles& mod) { mod.meshes[data("part_main-lod0.xmf")] = box_mesh(2, 4, {"my.hull"}); }},
        {"lod-equal", [](ModFiles& mod) { mod.meshes[data("part_main-lod1.xmf")] = box_mesh(2, 12, {"my.hull"}); }},
        {"lod-unnamed", [](ModFiles& mod) { mod.meshes[data("part_main-lod2.xmf")] = box_mesh(2, 3, {"my.hull"}); }},
        {"mesh-damaged",
         [](ModFiles& mod) {
             mod.meshes.erase(data("part_main-lod0.xmf"));
             add_file(mod, data("part_main-lod0.xmf"), "XUMF and no more");
         }},
        {"collision-missing", [](ModFiles& mod) { mod.meshes.erase(data("part_main-collision.xmf")); }},
        {"collision-layout",
         [](ModFiles& mod) { mod.meshes[data("part_main-collision.xmf")] = box_mesh(2, 12, {"my.hull"}); }},
        names(
            "part-levels-missing",
            R"(<part name="fx_glow"><lods><lod index="0"><materials><material id="1" ref="my.hull"/></materials></lod></lods></part>)",
            R"(<part name="fx_glow"/>)"),
        {"part-level-single",
         [](ModFiles& mod) {
             mod.replace(component_path,
                         R"(<lod index="1"><materials><material id="1" ref="my.hull"/></materials></lod>)", "");
             mod.meshes.erase(data("part_main-lod1.xmf"));
             mod.meshes[data("part_main-lod0.xmf")] = many_triangles(2, 500);
         }},
        {"mesh-uv-missing", [](ModFiles& mod) { without(mod.meshes[data("fx_glow-lod0.xmf")], 1); }},
        {"mesh-color-missing", [](ModFiles& mod) { without(mod.meshes[data("part_main-lod0.xmf")], 2); }},
        {"wreck-collision-missing", [](ModFiles& mod) { mod.meshes.erase(data("part_main_wreck-collision.xmf")); }},
        {"wreck-absent",
         [](ModFiles& mod) {
             mod.replace(component_path, R"( wreck="part_main_wreck")", "");
             mod.meshes.erase(data("part_main_wreck-collision.xmf"));
             mod.meshes.erase(data("part_main_wreck-lod0.xmf"));
         }},
        {"wreck-missing", [](ModFiles& mod) { mod.meshes.erase(data("part_main_wreck-lod0.xmf")); }},
        names("size-small", R"(<max x="2" y="2" z="2"/>)", R"(<max x="1.9" y="2" z="2"/>)"),
        names("size-raw-differs", R"(<size_raw><max x="1" y="1" z="1"/>)", R"(<size_raw><max x="1" y="1" z="2"/>)"),
        names("size-large", R"(<max x="2" y="2" z="2"/>)", R"(<max x="2" y="2" z="2.2"/>)"),
    };
}

std::vector<Case> shape_cases() {
    const auto make_older = [](const fs::path& folder) {
        const fs::path shape = folder / data("part_main-hull.jcs");
        fs::last_write_time(shape, fs::last_write_time(shape) - std::chrono::hours(24));
    };
    const auto add_both = [](ModFiles& mod) {
        add_shape(mod, "part_main-hull.jcs");
        add_shape(mod, "part_main-mesh.jcs");
    };
    return {
        {"jcs-rebake", add_both},
        {.code = "jcs-alone",
         .damage = [](ModFiles& mod) { add_shape(mod, "part_main-mesh.jcs"); },
         .also = {"jcs-rebake"}},
        {.code = "jcs-older", .damage = add_both, .also = {"jcs-rebake"}, .damage_folder = make_older},
        {.code = "jcs-orphan",
         .damage = [](ModFiles& mod) { add_shape(mod, "part_wing-hull.jcs"); },
         .also = {"file-unnamed"}},
    };
}

std::vector<Case> material_cases() {
    return {
        {"material-list-differs",
         [](ModFiles& mod) { mod.meshes[data("part_main-lod1.xmf")] = box_mesh(2, 6, {"other.hull"}); }},
        names("material-unknown",
              R"(<part name="fx_glow"><lods><lod index="0"><materials><material id="1" ref="my.hull"/>)",
              R"(<part name="fx_glow"><lods><lod index="0"><materials>)")
            .with([](ModFiles& mod) { mod.meshes[data("fx_glow-lod0.xmf")] = box_mesh(1, 12, {"my.glow"}); }),
        names("material-unresolved",
              R"(<part name="fx_glow"><lods><lod index="0"><materials><material id="1" ref="my.hull"/>)",
              R"(<part name="fx_glow"><lods><lod index="0"><materials>)")
            .with([](ModFiles& mod) { mod.meshes[data("fx_glow-lod0.xmf")] = box_mesh(1, 12, {"game.glow"}); }),
        {"material-texture-missing", [](ModFiles& mod) { mod.texts.erase("assets/textures/hull_diff.gz"); }},
        {"material-texture-form",
         [](ModFiles& mod) {
             mod.texts.erase("assets/textures/hull_diff.gz");
             add_file(mod, "assets/textures/hull_diff.png");
         }},
        {"material-texture-ending",
         [](ModFiles& mod) {
             mod.replace(library_path, R"(value="extensions\my_mod\assets\textures\hull_diff")",
                         R"(value="extensions\my_mod\assets\textures\hull_diff.gz")");
         }},
        {"material-shader-unknown",
         [](ModFiles& mod) { mod.replace(library_path, "P1_complex_surface.fx", "complex_surface.fx"); }},
        {"material-texture-unresolved",
         [](ModFiles& mod) {
             mod.replace(library_path, R"(value="extensions\my_mod\assets\textures\hull_diff")",
                         R"(value="assets\textures\generic\dirt")");
         }},
    };
}

std::vector<Case> animation_cases() {
    return {
        {"animation-file-missing", [](ModFiles& mod) { mod.animations.animations.clear(); }},
        names("animation-range-order", R"(start="31" end="60")", R"(start="61" end="60")"),
        names("animation-state-missing", R"(name="door_closing")", R"(name="door_slamming")"),
        {"animation-unnamed",
         [](ModFiles& mod) {
             mod.replace(component_path, R"(<animation name="door_opening" start="1" end="30"/>)", "");
             mod.replace(component_path, R"(<animation name="door_closing" start="31" end="60"/>)", "");
         }},
        {"animation-part-missing",
         [](ModFiles& mod) {
             mod.animations.animations.push_back(mod.animations.animations.front());
             mod.animations.animations.back().part[0] = 'b';
         }},
    };
}

std::vector<Case> folder_cases() {
    return {
        {"content-missing", [](ModFiles& mod) { mod.texts.erase("content.xml"); }},
        {"path-case", [](ModFiles& mod) { add_file(mod, "readme.txt"), add_file(mod, "README.txt"); }},
        {"file-unnamed", [](ModFiles& mod) { mod.meshes[data("part_wing-lod0.xmf")] = box_mesh(1, 12, {"my.hull"}); }},
        {"index-dangling",
         [](ModFiles& mod) {
             mod.replace(index_path, "</add>",
                         R"(<entry name="ship_lost" value="extensions\my_mod\assets\units\ship_lost"/></add>)");
         }},
        {"index-dangling-used",
         [](ModFiles& mod) {
             mod.replace(index_path, "</add>",
                         R"(<entry name="ship_lost" value="extensions\my_mod\assets\units\ship_lost"/></add>)");
             rename_component(mod);
         }},
        {"component-unindexed",
         [](ModFiles& mod) { mod.replace(index_path, R"(name="ship_test")", R"(name="ship_best")"); },
         false,
         {"index-dangling"}},
        {"content-damaged", [](ModFiles& mod) { mod.texts["content.xml"] = "<contents id=\"my_mod\"/>"; }},
        {"content-id", [](ModFiles& mod) { mod.replace("content.xml", R"( id="my_mod")", ""); }},
        {"content-version", [](ModFiles& mod) { mod.replace("content.xml", R"("100")", R"("1.0.b")"); }},
        {.code = "folder-name", .damage = [](ModFiles& /*mod*/) {}, .folder = "extensions/other"},
        {"path-folder",
         [](ModFiles& mod) { mod.replace(index_path, R"(extensions\my_mod)", R"(extensions\your_mod)"); }},
        {"macro-unindexed",
         [](ModFiles& mod) { mod.replace(macro_index_path, R"("dock_test_macro")", R"("dock_best_macro")"); },
         false,
         {"index-dangling"}},
        {"macro-stub",
         [](ModFiles& mod) {
             mod.replace(macro_path, "</macros>",
                         R"(<macro name="engine_test_macro" class="engine"><properties><hull max="5"/></properties>)"
                         R"(</macro></macros>)");
             mod.replace(macro_index_path, "</index>",
                         R"(<entry name="engine_test_macro" value=")"
                         R"(extensions\my_mod\assets\units\size_s\macros\ship_test_macro"/></index>)");
         }},
        {"macro-class-differs",
         [](ModFiles& mod) {
             mod.replace(macro_path, R"("ship_test_macro" class="ship_s")", R"("ship_test_macro" class="ship_m")");
         }},
        {"macro-component-missing", rename_component, true},
        {"macro-component-unresolved", rename_component},
        {"macro-connection-missing",
         [](ModFiles& mod) { mod.replace(macro_path, R"(ref="con_dock")", R"(ref="con_duck")"); }},
        {"macro-child-connection-missing",
         [](ModFiles& mod) { mod.replace(macro_path, R"(connection="space")", R"(connection="spice")"); }},
        {"ware-macro-missing",
         [](ModFiles& mod) {
             mod.replace(wares_path, R"(ware id="ship_test")", R"(ware id="ship_lost")");
             mod.replace(wares_path, R"(ref="ship_test_macro")", R"(ref="ship_lost_macro")");
         }},
        {"text-missing", [](ModFiles& mod) { mod.replace(macro_path, "{987654,101}", "{987654,102}"); }},
        {"text-file-case",
         [](ModFiles& mod) {
             auto text = mod.texts.extract(texts_path);
             text.key() = "t/0001-L044.xml";
             mod.texts.insert(std::move(text));
         }},
        {"file-name-case",
         [](ModFiles& mod) {
             auto mesh = mod.meshes.extract(data("fx_glow-lod0.xmf"));
             mesh.key() = data("FX_Glow-lod0.xmf");
             mod.meshes.insert(std::move(mesh));
         }},
        {"diff-dead", [](ModFiles& mod) { mod.replace(wares_path, R"("/wares")", R"("/ware")"); }},
        {"texture-damaged-header", [](ModFiles& mod) { add_file(mod, "assets/textures/x.dds", "no picture"); }},
        {"texture-power",
         [](ModFiles& mod) { add_file(mod, "assets/textures/x.gz", gzipped(dds_file(96, 64, 7, true))); }},
        {"texture-levels",
         [](ModFiles& mod) { add_file(mod, "assets/textures/x.gz", gzipped(dds_file(64, 64, 1, true))); }},
        {"texture-uncompressed",
         [](ModFiles& mod) { add_file(mod, "assets/textures/x.gz", gzipped(dds_file(64, 64, 7, false))); }},
        {"texture-header-dx10",
         [](ModFiles& mod) {
             std::string file = dds_file(64, 64, 7, true);
             file.replace(84, 4, "DX10");
             file.insert(128, std::string(20, '\0'));
             file[128] = 98;  // BC7
             add_file(mod, "assets/textures/x.gz", gzipped(file));
         }},
        {"texture-unpacked", [](ModFiles& mod) { add_file(mod, "assets/textures/x.dds", dds_file(64, 64, 7, true)); }},
    };
}

}  // namespace

Case Case::with(std::function<void(ModFiles&)> more) && {
    damage = [first = std::move(damage), more = std::move(more)](ModFiles& mod) {
        first(mod);
        more(mod);
    };
    return std::move(*this);
}

Case Case::causing(std::set<std::string> more) && {
    also = std::move(more);
    return std::move(*this);
}

std::vector<Case> check_cases() {
    std::vector<Case> all;
    for (const auto& some : {name_cases(), reference_cases(), mesh_cases(), shape_cases(), material_cases(),
                             animation_cases(), folder_cases()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace effigy::test
