#pragma once
/// Egosoft's XML files about meshes: components, and the indexes and macros that name them.
/// Facts: docs/formats/component.md. Values are in the file's own frame: left-handed, Y up, metres.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::egosoft {

/// An <offset>: position, and a quaternion or angles in degrees.
struct Offset {
    Vec3 position;
    Quat rotation;  ///< unit length; from the angles where there are some
    bool has_angles = false;
};

struct Box {
    Vec3 center;
    Vec3 half_size;
};

/// <material id ref>
struct MaterialReference {
    std::uint32_t id = 0;  ///< from 1
    std::string name;      ///< "collection.material"
};

struct Lod {
    std::uint32_t index = 0;
    std::vector<MaterialReference> materials;
    std::uint64_t place = 0;  ///< byte in the XML
};

/// A light of a layer or a part, whatever its kind.
struct Light {
    std::string kind;  ///< the element's name: "omni", "spot", "arealight" ...
    std::string name;
    Vec3 color{1, 1, 1};  ///< 0..1, from r, g, b in 0..255
    float intensity = 1;
    float range = 0;  ///< metres; 0: not given
    Offset offset;
    std::vector<std::pair<std::string, std::string>> attributes;  ///< all of them, as they are
    std::uint64_t place = 0;
};

struct Part {
    std::string name;
    std::string reference;  ///< "component.part" whose geometry is borrowed, or empty
    std::string wreck;      ///< name of the part that replaces it when destroyed, or empty
    std::optional<Offset> offset;
    std::optional<Offset> pivot;
    std::vector<Lod> lods;
    std::optional<Box> size, size_raw;
    std::vector<Light> lights;
    std::string uv_animations;  ///< the XML of <uv_animations>, or empty
    std::uint64_t place = 0;
};

/// Frames at 30 a second.
struct AnimationRange {
    std::string name;
    std::int32_t start = 0, end = 0;
};

struct Connection {
    std::string name;
    std::string parent;  ///< a part's name; empty: the component itself
    std::vector<std::string> tags;
    std::string group, value;
    Offset offset;
    std::vector<Part> parts;
    std::vector<AnimationRange> animations;
    std::uint64_t place = 0;
};

struct Component {
    std::string name;
    std::string class_name;
    std::string geometry;  ///< folder of the meshes, as it is spelled: backslashes, any case
    std::vector<Connection> connections;
    std::vector<Light> lights;  ///< of the layers
    std::uint64_t place = 0;
};

struct ComponentFile {
    Bytes text;  ///< the file as it is
    std::vector<Component> components;
};

/// Fails with "xml-syntax", "xml-entity", "limit-..." or "not-this-format". Numbers that are none are findings.
[[nodiscard]] Result<Loaded<ComponentFile>> read_components(Bytes text, const ReadOptions& options = {});

/// `if` of a change to an index: an entry is there, or is not.
struct IndexCondition {
    std::string entry;
    bool is_negated = false;
};
struct IndexEntry {
    std::string name;   ///< of a component or a macro
    std::string value;  ///< path without extension, as it is spelled; empty: of one that a change removes
    std::uint64_t place = 0;
    std::uint64_t change = 0;                   ///< number of the change that it is in, from 1; 0: it is in none
    std::optional<IndexCondition> condition{};  ///< of that change
};
/// index/components.xml and index/macros.xml, plain or as <diff>.
struct IndexFile {
    Bytes text;
    std::vector<IndexEntry> entries;
};
[[nodiscard]] Result<Loaded<IndexFile>> read_index(Bytes text, const ReadOptions& options = {});

/// What hangs on a macro: <connection ref><macro ref connection/></connection>.
struct MacroConnection {
    std::string reference;   ///< a connection of the macro's component
    std::string macro;       ///< the child's name; empty: it is a component, or nothing
    std::string component;   ///< of a child without a name
    std::string connection;  ///< of the child's component, or empty
    std::uint64_t place = 0;
};
struct Macro {
    std::string name;
    std::string class_name;
    std::string component;  ///< ref of <component>, or empty
    std::uint64_t place = 0;
    std::vector<MacroConnection> connections;
    std::vector<std::string> properties;  ///< names of the elements in <properties>
};
struct MacroFile {
    Bytes text;
    std::vector<Macro> macros;
};
[[nodiscard]] Result<Loaded<MacroFile>> read_macros(Bytes text, const ReadOptions& options = {});

class GameFiles;
/// The path of a component ("assets/units/size_s/x.xml") by name, from the indexes of the game and its extensions; the
/// last one counts. Empty if none names it.
[[nodiscard]] std::string find_component(const GameFiles& files, std::string_view name);
/// The same of a macro.
[[nodiscard]] std::string find_macro(const GameFiles& files, std::string_view name);

/// Rotation of <rotation pitch yaw roll> in degrees: Ry(yaw) * Rx(-pitch) * Rz(-roll) in the file's frame.
[[nodiscard]] Quat rotation_of(float pitch, float yaw, float roll) noexcept;

}  // namespace effigy::egosoft
