/// Reading of component XML: connections, parts, levels, animations, lights.

#include "effigy/component.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/xml.hpp"
#include "egosoft/file/xml_changes.hpp"

namespace effigy::egosoft {

namespace {

Quat product(const Quat& a, const Quat& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

class ComponentReader {
public:
    explicit ComponentReader(XmlReader& reader) : xml_(reader) {}

    std::vector<Component> read() {
        if (xml_.name(xml_.root()) == "components") {
            read_components(xml_.root());
        } else {
            for (const pugi::xml_node change : xml_.root().children()) read_change(change);
            without_base_.note(xml_, "a component in another file");
        }
        note_repeated(components_);
        return std::move(components_);
    }

private:
    void read_components(pugi::xml_node parent) {
        std::set<std::string_view> names;
        for (const pugi::xml_node node : parent.children("component")) {
            if (!xml_.take_record<Component>()) return;
            note_name(node, names);
            components_.push_back(read_component(node));
        }
    }

    /// Whole components can be read without the file that the change is for; other changes cannot.
    void read_change(pugi::xml_node change) {
        if (change.type() != pugi::node_element) return;
        const std::size_t before = components_.size();
        read_components(change);
        if (components_.size() == before && xml_.ok()) without_base_.add(change);
    }

    Component read_component(pugi::xml_node node) {
        Component component;
        component.place = xml_.place(node);
        component.name = xml_.text(node, "name");
        component.class_name = xml_.text(node, "class");
        component.geometry = xml_.text(xml_.only_child(node, "source"), "geometry");
        for (const pugi::xml_node layers : node.children("layers")) {
            for (const pugi::xml_node layer : layers.children("layer")) read_lights(layer, component.lights);
        }
        std::set<std::string_view> connections, parts;
        for (const pugi::xml_node list : node.children("connections")) {
            for (const pugi::xml_node connection : list.children("connection")) {
                if (!xml_.take_record<Connection>()) return component;
                note_name(connection, connections);
                component.connections.push_back(read_connection(connection, parts));
            }
        }
        return component;
    }

    Connection read_connection(pugi::xml_node node, std::set<std::string_view>& part_names) {
        Connection connection;
        connection.place = xml_.place(node);
        connection.name = xml_.text(node, "name");
        connection.parent = xml_.text(node, "parent");
        connection.group = xml_.text(node, "group");
        connection.value = xml_.text(node, "value");
        read_tags(node.attribute("tags").value(), connection.tags);
        if (const pugi::xml_node offset = xml_.only_child(node, "offset")) connection.offset = read_offset(offset);
        for (const pugi::xml_node parts : node.children("parts")) {
            for (const pugi::xml_node part : parts.children("part")) {
                if (!xml_.take_record<Part>()) return connection;
                note_name(part, part_names);
                connection.parts.push_back(read_part(part));
            }
        }
        for (const pugi::xml_node list : node.children("animations")) {
            for (const pugi::xml_node animation : list.children("animation")) {
                if (!xml_.take_record<AnimationRange>()) return connection;
                connection.animations.push_back({xml_.text(animation, "name"), xml_.integer(animation, "start", 0),
                                                 xml_.integer(animation, "end", 0)});
            }
        }
        return connection;
    }

    Part read_part(pugi::xml_node node) {
        Part part;
        part.place = xml_.place(node);
        part.name = xml_.text(node, "name");
        part.reference = xml_.text(node, "ref");
        part.wreck = xml_.text(node, "wreck");
        part.offset = read_optional_offset(node);
        part.pivot = read_optional_offset(xml_.only_child(node, "pivot"));
        part.size = read_box(xml_.only_child(node, "size"));
        part.size_raw = read_box(xml_.only_child(node, "size_raw"));
        read_lights(node, part.lights);
        read_lods(node, part.lods);
        if (const pugi::xml_node animations = xml_.only_child(node, "uv_animations")) {
            TextWriter writer;
            animations.print(writer, "", pugi::format_raw | pugi::format_no_declaration);
            if (xml_.take(2 * writer.text.size())) part.uv_animations = std::move(writer.text);
        }
        return part;
    }

    void read_lods(pugi::xml_node part, std::vector<Lod>& lods) {
        std::set<std::uint32_t> indices;
        for (const pugi::xml_node list : part.children("lods")) {
            for (const pugi::xml_node node : list.children("lod")) {
                if (!xml_.take_record<Lod>()) return;
                Lod lod = read_lod(node);
                if (!indices.insert(lod.index).second) {
                    xml_.add(codes::xml_duplicate, node,
                             "the part has this level of detail twice; the first one is used",
                             std::to_string(lod.index));
                    continue;
                }
                lods.push_back(std::move(lod));
            }
        }
    }

    Lod read_lod(pugi::xml_node node) {
        Lod lod;
        lod.place = xml_.place(node);
        lod.index = read_index(node, "index", 0);
        for (const pugi::xml_node list : node.children("materials")) {
            for (const pugi::xml_node material : list.children("material")) {
                if (!xml_.take_record<MaterialReference>()) return lod;
                lod.materials.push_back({read_index(material, "id", 0), xml_.text(material, "ref")});
            }
        }
        return lod;
    }

    std::uint32_t read_index(pugi::xml_node node, const char* attribute, std::uint32_t fallback) {
        const std::int32_t value = xml_.integer(node, attribute, static_cast<std::int32_t>(fallback));
        if (value >= 0) return static_cast<std::uint32_t>(value);
        xml_.add(codes::xml_number, node, std::string("the attribute ") + attribute + " is below zero",
                 std::to_string(value), "0 or more");
        return fallback;
    }

    void read_tags(std::string_view text, std::vector<std::string>& tags) {
        constexpr std::string_view spaces = " \t\r\n";
        while (true) {
            const std::size_t first = text.find_first_not_of(spaces);
            if (first == std::string_view::npos) return;
            text.remove_prefix(first);
            const std::size_t end = std::min(text.find_first_of(spaces), text.size());
            if (!xml_.take(end) || !xml_.take_record<std::string>()) return;
            tags.emplace_back(text.substr(0, end));
            text.remove_prefix(end);
        }
    }

    std::optional<Offset> read_optional_offset(pugi::xml_node parent) {
        const pugi::xml_node node = xml_.only_child(parent, "offset");
        return node ? std::optional<Offset>(read_offset(node)) : std::nullopt;
    }

    Offset read_offset(pugi::xml_node node) {
        Offset offset;
        offset.position = read_vector(xml_.only_child(node, "position"));
        const pugi::xml_node quaternion = xml_.only_child(node, "quaternion");
        const pugi::xml_node angles = xml_.only_child(node, "rotation");
        if (quaternion && angles) {
            xml_.add(codes::xml_duplicate, angles,
                     "the offset has both a quaternion and angles; the quaternion is used");
        }
        if (quaternion) {
            offset.rotation = read_quaternion(quaternion);
        } else if (angles) {
            offset.has_angles = true;
            offset.rotation = rotation_of(xml_.number(angles, "pitch", 0), xml_.number(angles, "yaw", 0),
                                          xml_.number(angles, "roll", 0));
        }
        return offset;
    }

    Vec3 read_vector(pugi::xml_node node) {
        return {xml_.number(node, "x", 0), xml_.number(node, "y", 0), xml_.number(node, "z", 0)};
    }

    Quat read_quaternion(pugi::xml_node node) {
        const std::array<double, 4> q{xml_.number(node, "qx", 0), xml_.number(node, "qy", 0),
                                      xml_.number(node, "qz", 0), xml_.number(node, "qw", 0)};
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        constexpr double min_length = 1e-6, tolerance = 0.01;
        if (!(length > min_length)) {
            xml_.add(codes::offset_rotation.as(Severity::info), node,
                     "the quaternion has no length and says nothing; it is read as no rotation");
            return {};
        }
        if (std::abs(length - 1) > tolerance) {
            xml_.add(codes::offset_rotation, node,
                     "the quaternion is not of unit length, as rotations are; it is scaled to that",
                     std::to_string(length), "1");
        }
        return {static_cast<float>(q[0] / length), static_cast<float>(q[1] / length), static_cast<float>(q[2] / length),
                static_cast<float>(q[3] / length)};
    }

    std::optional<Box> read_box(pugi::xml_node node) {
        if (!node) return std::nullopt;
        return Box{read_vector(xml_.only_child(node, "center")), read_vector(xml_.only_child(node, "max"))};
    }

    void read_lights(pugi::xml_node parent, std::vector<Light>& lights) {
        for (const pugi::xml_node list : parent.children("lights")) {
            for (const pugi::xml_node node : list.children()) {
                if (node.type() != pugi::node_element) continue;
                if (!xml_.take_record<Light>()) return;
                lights.push_back(read_light(node));
            }
        }
    }

    Light read_light(pugi::xml_node node) {
        Light light;
        light.place = xml_.place(node);
        light.kind = shortened(xml_.name(node));
        light.name = xml_.text(node, "name");
        constexpr float max_level = 255;
        light.color = {xml_.number(node, "r", max_level) / max_level, xml_.number(node, "g", max_level) / max_level,
                       xml_.number(node, "b", max_level) / max_level};
        light.intensity = xml_.number(node, "intensity", 1);
        light.range = xml_.number(node, "range", 0);
        light.offset = read_optional_offset(node).value_or(Offset{});
        for (const pugi::xml_attribute attribute : node.attributes()) {
            const std::string_view name = attribute.name(), value = attribute.value();
            if (!xml_.take(name.size() + value.size()) || !xml_.take_record<std::pair<std::string, std::string>>()) {
                return light;
            }
            light.attributes.emplace_back(name, value);
        }
        return light;
    }

    /// Connections, parts and components are found by name.
    void note_name(pugi::xml_node node, std::set<std::string_view>& names) {
        const std::string_view name = node.attribute("name").value();
        const std::string element = "<" + std::string(xml_.name(node)) + ">";
        if (name.empty()) {
            xml_.add(codes::xml_name, node, "a " + element + " has no name; nothing can refer to it");
        } else if (!names.insert(name).second) {
            repeated_.push_back({node, element == "<component>"});
        }
    }

    struct Repeated {
        pugi::xml_node node;
        bool is_component = false;
    };

    /// Several instances of one thing may share a name, unless something is meant by it.
    void note_repeated(const std::vector<Component>& components) {
        if (repeated_.empty()) return;
        std::set<std::string_view> parents;
        for (const Component& component : components) {
            for (const Connection& connection : component.connections) parents.insert(connection.parent);
        }
        for (const auto& [node, is_component] : repeated_) {
            const std::string_view name = node.attribute("name").value();
            const bool is_meant = is_component || (xml_.name(node) == "part" && parents.contains(name));
            xml_.add(is_meant ? codes::name_repeated.as(Severity::warning) : codes::name_repeated, node,
                     "a second <" + std::string(xml_.name(node)) +
                         "> has this name; which one the game takes is not certain",
                     shortened(name));
        }
    }

    XmlReader& xml_;
    std::vector<Component> components_;
    std::vector<Repeated> repeated_;
    ChangesWithoutBase without_base_;
};

}  // namespace

Result<Loaded<ComponentFile>> read_components(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<ComponentFile>> {
        auto reader = XmlReader::open(text, options);
        if (!reader) return fail(std::move(reader.error()));
        const std::string_view root = reader->name(reader->root());
        if (root != "components" && root != "diff")
            return fail(unexpected_root(*reader, "<components>, or a <diff> for one"));
        ComponentFile file;
        file.components = ComponentReader(*reader).read();
        if (!reader->ok()) return fail(reader->failure());
        file.text = std::move(text);
        return Loaded<ComponentFile>{std::move(file), std::move(reader->report())};
    });
}

Quat rotation_of(float pitch, float yaw, float roll) noexcept {
    constexpr double half_degree = 3.14159265358979323846 / 360;
    const auto about = [](double degrees) {
        return std::pair{static_cast<float>(std::sin(degrees * half_degree)),
                         static_cast<float>(std::cos(degrees * half_degree))};
    };
    const auto [sin_x, cos_x] = about(-double{pitch});
    const auto [sin_y, cos_y] = about(double{yaw});
    const auto [sin_z, cos_z] = about(-double{roll});
    const Quat q = product({0, sin_y, 0, cos_y}, product({sin_x, 0, 0, cos_x}, {0, 0, sin_z, cos_z}));
    const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x / length, q.y / length, q.z / length, q.w / length};
}

}  // namespace effigy::egosoft
