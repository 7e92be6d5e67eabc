/// Published mods as plain glTF, without any of effigy's records, and from there into a mod: what it has of what the
/// published one has, file by file and attribute by attribute. Why they differ: docs/conversion/egosoft.md, "A mod".

#include <array>
#include <bit>
#include <cstdio>
#include <pugixml.hpp>
#include <set>

#include "effigy/convert.hpp"
#include "effigy/image.hpp"

#include "core/json.hpp"
#include "corpus/corpus.hpp"
#include "egosoft/from_scene_component_files.hpp"

namespace {

using namespace effigy;
using namespace builders;
namespace fs = std::filesystem;

using Values = std::map<std::string, std::string>;  ///< by what they are of

/// What both have, by kind of value.
class Table {
public:
    struct Row {
        std::size_t same = 0, other = 0, missing = 0, more = 0;
        std::string example{};
    };

    void add(const std::string& kind, const Values& sample, const Values& made) {
        Row& row = rows_[kind];
        for (const auto& [where, value] : sample) {
            const auto found = made.find(where);
            const bool is_there = found != made.end();
            ++(!is_there ? row.missing : found->second == value ? row.same : row.other);
            if (row.example.empty() && (!is_there || found->second != value))
                row.example = where + ": " + value + " / " + (is_there ? found->second : "-");
        }
        for (const auto& [where, value] : made) row.more += sample.contains(where) ? 0u : 1u;
    }

    [[nodiscard]] const Row& operator[](const std::string& kind) const { return rows_.at(kind); }

    void print(const std::string& title) const {
        std::printf("corpus: %s\n%-26s %6s %6s %8s %6s  %s\n", title.c_str(), "", "same", "other", "missing", "more",
                    "first: sample / made");
        for (const auto& [kind, row] : rows_)
            std::printf("%-26s %6zu %6zu %8zu %6zu  %.100s\n", kind.c_str(), row.same, row.other, row.missing, row.more,
                        row.example.c_str());
    }

private:
    std::map<std::string, Row> rows_;
};

/// A mod on the disk with one component.
struct Mod {
    fs::path root, component_path;
    egosoft::Component component{};
    pugi::xml_document xml{};

    Mod(fs::path folder, fs::path path) : root(std::move(folder)), component_path(std::move(path)) {
        auto read = egosoft::read_components(corpus::bytes_of(component_path));
        EXPECT_TRUE(read && !read->value.components.empty());
        if (read && !read->value.components.empty()) component = std::move(read->value.components.front());
        EXPECT_TRUE(xml.load_file(component_path.c_str()));
    }
};

std::string rounded(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return std::string(text.data()) == "-0.00" ? "0.00" : text.data();
}
std::string rounded(const Vec3& v) { return rounded(v.x) + " " + rounded(v.y) + " " + rounded(v.z); }

/// As both have it: below the extension.
std::string game_path(std::string path) {
    std::replace(path.begin(), path.end(), '\\', '/');
    path = lower(path);
    return path.starts_with("extensions/") ? path.substr(path.find('/', 11) + 1) : path;
}

Values attributes_of(pugi::xml_node node) {
    Values values;
    for (const pugi::xml_attribute one : node.attributes()) values[one.name()] = one.value();
    return values;
}

struct ComponentValues {
    Values places, tags, groups, parents, levels, sizes, wrecks, borrowed, on_borrowed, states, materials;

    explicit ComponentValues(const egosoft::Component& component) {
        std::map<std::string, int> times;
        std::set<std::string> absent;  // parts whose meshes are not in the mod
        for (const egosoft::Connection& connection : component.connections) {
            for (const egosoft::Part& part : connection.parts) {
                if (!part.reference.empty()) absent.insert(lower(part.name));
            }
        }
        for (const egosoft::Connection& connection : component.connections) {
            std::string key = lower(connection.name);
            // Connections of parts are called as their parts; a name that is there twice gets a number.
            if (!connection.parts.empty()) {
                key = lower(connection.parts.front().name);
                if (const int time = ++times[key]; time > 1) key += "_" + std::to_string(time);
                if (!add_part(key, connection.parts.front())) continue;
            }
            if (absent.contains(lower(connection.parent))) {
                on_borrowed[key] = connection.parent;
                continue;
            }
            const std::set<std::string> sorted(connection.tags.begin(), connection.tags.end());
            std::string all;
            for (const std::string& tag : sorted) all += tag + " ";
            places[key] = rounded(connection.offset.position);
            if (!all.empty()) tags[key] = all;
            if (!connection.group.empty()) groups[key] = connection.group;
            if (!connection.parent.empty()) parents[key] = lower(connection.parent);
            for (const egosoft::AnimationRange& range : connection.animations)
                states[key + " / " + lower(range.name)] = std::to_string(range.end - range.start);
        }
    }

private:
    /// Whether it has meshes of its own.
    bool add_part(const std::string& key, const egosoft::Part& part) {
        if (!part.reference.empty()) borrowed[key] = part.reference;
        if (!part.reference.empty() || part.lods.empty()) return false;
        for (const egosoft::Lod& lod : part.lods) {
            levels[key] += std::to_string(lod.index) + " ";
            std::string& names = materials[key + "-lod" + std::to_string(lod.index)];
            for (const egosoft::MaterialReference& one : lod.materials) names += lower(one.name) + " ";
        }
        if (part.size) sizes[key] = rounded(part.size->half_size);
        if (!part.wreck.empty()) wrecks[key] = lower(part.wreck);
        return true;
    }
};

struct FileValues {
    Values triangles, layouts, collisions, textures, shapes;

    explicit FileValues(const Mod& mod, const Values& levels, const Values& wrecks) {
        const fs::path data = fs::path(mod.component_path).replace_extension().string() + "_data";
        for (const auto& entry : fs::directory_iterator(data)) {
            const std::string stem = lower(entry.path().stem().string());
            const std::string part = stem.substr(0, stem.rfind('-'));
            const bool is_wreck =
                std::any_of(wrecks.begin(), wrecks.end(), [&](const auto& one) { return one.second == part; });
            if (!levels.contains(part) && !is_wreck) continue;
            if (lower(entry.path().extension().string()) == ".jcs") shapes[stem] = "yes";
            if (lower(entry.path().extension().string()) == ".xmf") add_mesh(stem, entry.path());
        }
        const fs::path pictures = mod.root / "assets/textures";
        if (!fs::exists(pictures)) return;
        for (const auto& entry : fs::recursive_directory_iterator(pictures)) {
            if (entry.is_regular_file()) textures[entry.path().filename().string()] = form_of(entry.path());
        }
    }

private:
    void add_mesh(const std::string& stem, const fs::path& path) {
        const auto document = open_file(path);
        ASSERT_TRUE(document) << path;
        const Json info = parse_json(document->value.info({}).value_or("")).value_or(Json());
        const std::string count = std::to_string(info.value("triangles", std::size_t{0}));
        (stem.find("-collision") == std::string::npos ? triangles : collisions)[stem] = count;
        layouts[stem] = info.value("layout", std::string());
    }

    /// "DXT5 gz, all levels"
    static std::string form_of(const fs::path& path) {
        const auto bytes = image::gunzip(corpus::bytes_of(path));
        if (!bytes || bytes->size() < 128) return "no gzip";
        std::uint32_t width = 0, levels = 0;
        std::memcpy(&width, bytes->data() + 16, 4);
        std::memcpy(&levels, bytes->data() + 28, 4);
        const std::string coding(reinterpret_cast<const char*>(bytes->data() + 84), 4);
        return coding + " gz" + (levels == static_cast<std::uint32_t>(std::bit_width(width)) ? ", all levels" : "");
    }
};

/// What moves parts, "part / state".
Values states_of(const Mod& mod) {
    Values states;
    for (const auto& entry : fs::directory_iterator(mod.component_path.parent_path())) {
        if (lower(entry.path().extension().string()) != ".ani") continue;
        const auto file = ani::read(corpus::bytes_of(entry.path()));
        EXPECT_TRUE(file) << entry.path();
        if (!file) continue;
        for (const ani::Animation& one : file->value.animations) {
            const bool has_keys = !one.positions.empty() || !one.rotations.empty() || !one.scales.empty();
            const std::string name = lower(ani::part_of(one)) + " / " + lower(ani::state_of(one));
            if (has_keys) states[name] = std::to_string(std::lround(one.duration * 30));
        }
    }
    return states;
}

Values library_of(const fs::path& root, const std::set<std::string>& used) {
    pugi::xml_document xml;
    xml.load_file((root / "libraries/material_library.xml").c_str());
    Values values;
    for (const auto& found : xml.select_nodes("//material")) {
        const pugi::xml_node node = found.node();
        const std::string name = node.attribute("name").value();
        if (!used.contains(lower(node.parent().attribute("name").value()) + "." + lower(name))) continue;
        for (const char* attribute : {"shader", "blendmode"})
            values[name + " " + attribute] = node.attribute(attribute).value();
        for (const pugi::xml_node property : node.child("properties").children())
            values[name + " " + property.attribute("name").value()] =
                std::string(property.attribute("type").value()) == "BitMap" ? "BitMap"
                                                                            : property.attribute("value").value();
    }
    return values;
}

std::set<std::string> words_of(const Values& values) {
    std::set<std::string> words;
    for (const auto& [where, list] : values) {
        for (std::size_t at = 0, end = 0; (end = list.find(' ', at)) != std::string::npos; at = end + 1)
            words.insert(list.substr(at, end - at));
    }
    return words;
}

Values entries_of(const fs::path& path, const std::string& name) {
    Values values;
    const auto index = egosoft::read_index(corpus::bytes_of(path));
    if (!index) return values;
    for (const egosoft::IndexEntry& entry : index->value.entries) {
        if (entry.name == name) values[name] = game_path(entry.value);
    }
    return values;
}

Table compare(const Mod& sample, const Mod& made) {
    Table table;
    pugi::xml_document one, other;
    one.load_file((sample.root / "content.xml").c_str());
    other.load_file((made.root / "content.xml").c_str());
    table.add("content.xml", attributes_of(one.document_element()), attributes_of(other.document_element()));
    const std::string& name = sample.component.name;
    table.add("index", entries_of(sample.root / "index/components.xml", name),
              entries_of(made.root / "index/components.xml", name));
    const auto head = [](const Mod& mod) {
        return Values{{"name", mod.component.name},
                      {"class", mod.component.class_name},
                      {"geometry", game_path(mod.component.geometry)}};
    };
    table.add("component", head(sample), head(made));
    const auto layers = [](const Mod& mod) {
        Values counts;
        for (const auto& list : mod.xml.select_nodes("//layer/*"))
            counts[list.node().name()] = std::to_string(std::distance(list.node().begin(), list.node().end()));
        return counts;
    };
    table.add("layers", layers(sample), layers(made));
    const ComponentValues a(sample.component), b(made.component);
    table.add("connection places", a.places, b.places);
    table.add("connection tags", a.tags, b.tags);
    table.add("connection groups", a.groups, b.groups);
    table.add("connection parents", a.parents, b.parents);
    table.add("animation lengths", a.states, b.states);
    table.add("ani states", states_of(sample), states_of(made));
    table.add("part levels", a.levels, b.levels);
    table.add("part sizes", a.sizes, b.sizes);
    table.add("part wrecks", a.wrecks, b.wrecks);
    table.add("parts borrowed", a.borrowed, b.borrowed);
    table.add("on borrowed parts", a.on_borrowed, b.on_borrowed);
    table.add("materials", a.materials, b.materials);
    const FileValues c(sample, a.levels, a.wrecks), d(made, b.levels, b.wrecks);
    table.add("mesh triangles", c.triangles, d.triangles);
    table.add("mesh layouts", c.layouts, d.layouts);
    table.add("collision triangles", c.collisions, d.collisions);
    table.add("jcs", c.shapes, d.shapes);
    table.add("textures", c.textures, d.textures);
    table.add("library", library_of(sample.root, words_of(a.materials)), library_of(made.root, words_of(b.materials)));
    return table;
}

/// Pictures of thousands of pixels would take minutes, and say no more.
void shrink_images(Scene& scene) {
    for (Image& image : scene.images) {
        if (image.bytes.empty()) continue;
        auto picture = image::decode(image.bytes);
        ASSERT_TRUE(picture);
        auto small = image::resized(*picture, 64, 64);
        ASSERT_TRUE(small);
        image.bytes = *image::encode_png(*small);
    }
}

TEST(EgosoftCorpusMod, PublishedModsAreMadeOfPlainModels) {
    for (const std::string mod : {"dam-legion", "otas-solano"}) {
        fs::path path;
        for (const fs::path& one : corpus::paths()) {
            if (corpus::name_of(one).find(mod + "/assets/units") != std::string::npos && one.extension() == ".xml")
                path = one;
        }
        if (path.empty()) GTEST_SKIP() << corpus::has_no(mod);
        ConvertOptions reading;
        reading.quick_textures = true;
        auto loaded = load_scene({path}, reading);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        shrink_images(loaded->value);
        gltf::WriteOptions plain;
        plain.records = false;
        const Scene scene = through_glb(loaded->value, plain);
        const Mod sample(egosoft::root_of(path), path);
        const Folder folder;
        const fs::path root = folder.path() / mod;
        ConversionContext context;
        context.options = {{"target", "x4"}, {"class", sample.component.class_name}};
        const auto files = make_folder(scene, root / path.stem(), context);
        ASSERT_TRUE(files) << to_string(files.error());
        ASSERT_TRUE(write_files(files->value, root));
        const Mod made(root, root / fs::relative(path, sample.root));
        const Table table = compare(sample, made);
        table.print(mod);
        // All that a plain model says is there.
        EXPECT_EQ(table["index"].same, 1u);
        for (const char* all : {"component", "connection places", "connection parents", "ani states", "part levels",
                                "part wrecks", "mesh triangles", "collision triangles"})
            EXPECT_EQ(table[all].other + table[all].missing, 0u) << all;
        // And all that is written is in the form that the game has most often.
        const ComponentValues values(made.component);
        const FileValues written(made, values.levels, values.wrecks);
        for (const auto& [name, form] : written.textures) EXPECT_EQ(form, "DXT5 gz, all levels") << name;
        for (const auto& [name, layout] : written.layouts) {
            const bool is_collision = name.find("-collision") != std::string::npos;
            EXPECT_TRUE(is_collision ? layout == "P3, I32" : layout.starts_with("P3 N ")) << name << ": " << layout;
        }
        EXPECT_EQ(codes_of(check_folder(root), Severity::warning), "");
        EXPECT_EQ(codes_of(findings_of(made.component_path), Severity::warning), "");
        EXPECT_LE(distance_of(scene, component_scene(made.component_path)), 1e-3);
    }
}

}  // namespace
