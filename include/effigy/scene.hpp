#pragma once
/// The scene: what a file means. glTF's frame: right-handed, Y up, facing +Z (but see Scene::facing), quaternions xyzw,
/// counter-clockwise winding, v = 0 at the top of an image. References are indices into the scene's own arrays.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"

namespace effigy {

using Index = std::uint32_t;
inline constexpr Index no_index = 0xffffffffu;

/// Numbers as in glTF.
enum class ComponentType : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };
enum class ElementType : std::uint8_t { scalar, vec2, vec3, vec4, mat4 };

[[nodiscard]] std::size_t component_size(ComponentType type) noexcept;  ///< bytes of one component
[[nodiscard]] std::size_t component_count(ElementType type) noexcept;   ///< components of one element

/// A tightly packed array of elements.
struct Accessor {
    Bytes bytes;
    ElementType element = ElementType::scalar;
    ComponentType component = ComponentType::f32;
    bool normalized = false;

    [[nodiscard]] std::size_t stride() const noexcept { return component_size(component) * component_count(element); }
    [[nodiscard]] std::size_t count() const noexcept { return bytes.size() / stride(); }
    /// The elements as T; the caller knows that T matches element and component.
    template <class T>
    [[nodiscard]] std::span<T> as() noexcept {
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T>
    [[nodiscard]] std::span<const T> as() const noexcept {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

/// What travels with an object beside its data.
struct Extras {
    /// What the faithful file knows and glTF does not: the text of one JSON object, `extras.effigy`. Empty: nothing.
    std::string json{};
    /// Bulk parts of it (per vertex, per key, tables), one after the other: {"bulk": [offset, size]} stands where each
    /// belongs. In glTF a buffer view of its own.
    Bytes bulk{};
    /// Other members of a glTF object's `extras` (custom properties): the text of one JSON object. Empty: none.
    std::string other{};
    /// hash_of() the object when `json` was made (effigy/hashes.hpp): while it still is, nobody has edited the object,
    /// and the record describes it. 0: nobody knows.
    std::uint64_t hash = 0;
};

struct Transform {
    Vec3 translation;
    Quat rotation;
    Vec3 scale{1, 1, 1};
    friend bool operator==(const Transform&, const Transform&) = default;
};

struct Node {
    std::string name;         ///< UTF-8
    Index parent = no_index;  ///< kept in step with the parent's children
    std::vector<Index> children;
    Transform local;
    std::optional<Mat4> matrix;  ///< instead of `local`, for static nodes whose transform TRS cannot say
    Index mesh = no_index;
    Index skin = no_index;
    Index light = no_index;
    std::vector<Index> lods;   ///< nodes that replace this one at a distance, finest first (MSFT_lod)
    bool hidden = false;       ///< stands in no scene's list: levels of detail, collision meshes, wrecks
    bool collision = false;    ///< what hits are tested against, not what is seen
    Index follows = no_index;  ///< of a hidden node: it stands in the world of the rest pose and moves with this node
    Extras extras;
};

enum class Semantic : std::uint8_t { position, normal, tangent, texcoord, color, joints, weights, custom };

struct Attribute {
    Semantic semantic = Semantic::position;
    std::uint32_t set = 0;    ///< the n of TEXCOORD_n, COLOR_n, JOINTS_n, WEIGHTS_n
    std::string custom_name;  ///< for Semantic::custom: the whole name, e.g. "_TANGENT_1"
    Accessor data;            ///< one element for each vertex of the mesh
};

/// Numbers as in glTF.
enum class Topology : std::uint8_t {
    points = 0,
    lines = 1,
    line_strip = 3,
    triangles = 4,
    triangle_strip = 5,
    triangle_fan = 6
};

/// Triangles, lines or points over one contiguous range of a mesh's vertices.
struct Primitive {
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    Bulk<std::uint32_t> indices;  ///< relative to first_vertex, all below vertex_count
    Index material = no_index;
    Topology topology = Topology::triangles;
};

/// Triangles that are seen: those of strips and fans that have one corner twice are not.
[[nodiscard]] std::size_t triangle_count(const Primitive& primitive) noexcept;

/// Offsets for the vertices that a target moves; all others stay.
struct MorphTarget {
    std::string name;
    Bulk<std::uint32_t> indices;  ///< vertices of the mesh, strictly increasing
    Bulk<Vec3> positions;         ///< empty, or one offset for each of `indices`
    Bulk<Vec3> normals;           ///< likewise
    Bulk<Vec3> tangents;          ///< likewise
};

struct Mesh {
    std::string name;
    std::uint32_t vertex_count = 0;
    std::vector<Attribute> attributes;
    std::vector<Primitive> primitives;
    std::vector<MorphTarget> targets;
    std::vector<float> weights;  ///< default weights, empty or one for each target
    Extras extras;
};

struct Skin {
    std::string name;
    std::vector<Index> joints;                ///< nodes
    std::vector<Mat4> inverse_bind_matrices;  ///< one for each joint
    Index skeleton = no_index;                ///< common root of the joints
    Extras extras;
};

/// One channel of an image that is put together from others when textures are loaded.
struct ChannelSource {
    std::string image;      ///< name of the texture whose red channel is taken; empty: a constant
    float scale = 1;        ///< what it is multiplied with; the constant itself where there is no texture
    bool inverted = false;  ///< 1 minus that
    friend bool operator==(const ChannelSource&, const ChannelSource&) = default;
};

struct Image {
    std::string name;
    std::string mime_type;  ///< "image/png" or "image/jpeg"
    Bytes bytes;            ///< the encoded image; empty if only `uri` is known
    std::string uri;        ///< where the image is when it is not embedded
    /// Red, green and blue of an image that has no file of its own; empty: an ordinary image.
    std::vector<ChannelSource> channels{};
};

enum class Wrap : std::uint16_t { repeat = 10497, clamp_to_edge = 33071, mirrored_repeat = 33648 };

/// A texture slot of a material.
struct TextureSlot {
    Index image = no_index;
    std::uint32_t texcoord = 0;
    Wrap wrap_u = Wrap::repeat;
    Wrap wrap_v = Wrap::repeat;
    Vec2 offset;         ///< KHR_texture_transform, written if not the default
    float rotation = 0;  ///< radians
    Vec2 scale{1, 1};
    float strength = 1;  ///< normal scale or occlusion strength
    [[nodiscard]] bool used() const noexcept { return image != no_index; }
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

struct Material {
    std::string name;
    Color base_color{1, 1, 1, 1};
    TextureSlot base_color_texture;
    float metallic = 0;
    float roughness = 1;
    TextureSlot metallic_roughness_texture;
    TextureSlot normal_texture;
    TextureSlot occlusion_texture;
    Vec3 emissive;
    TextureSlot emissive_texture;
    AlphaMode alpha_mode = AlphaMode::opaque;
    float alpha_cutoff = 0.5f;
    bool double_sided = false;
    bool unlit = false;            ///< KHR_materials_unlit
    float ior = 1.5f;              ///< KHR_materials_ior: 1 or more, or 0
    float specular = 1;            ///< KHR_materials_specular: strength of what is reflected, 0 to 1
    Vec3 specular_color{1, 1, 1};  ///< its colour, linear, from 0 on
    Extras extras;
};

enum class LightKind : std::uint8_t { directional, point, spot };

/// KHR_lights_punctual; shines along its node's -Z.
struct Light {
    std::string name;
    LightKind kind = LightKind::point;
    Vec3 color{1, 1, 1};   ///< linear
    float intensity = 1;   ///< candela; lux if directional
    float range = 0;       ///< metres; 0: endless
    float inner_cone = 0;  ///< spot: radians from the axis to where the light starts to fade
    float outer_cone = 0.7853982f;
    Extras extras;
};

enum class TrackPath : std::uint8_t { translation, rotation, scale, weights };
enum class Interpolation : std::uint8_t { linear, step, cubic_spline };

struct Track {
    Index node = no_index;
    TrackPath path = TrackPath::translation;
    Interpolation interpolation = Interpolation::linear;
    Bulk<float> times;   ///< seconds, strictly increasing, from 0
    Bulk<float> values;  ///< 3, 4 or (number of morph targets) numbers for each time; cubic splines have three such
                         ///< groups for each: in-tangent, value, out-tangent
};

/// How a rotation runs from one key to the next (linear interpolation).
enum class RotationRule : std::uint8_t {
    slerp,  ///< glTF: at constant speed
    nlerp,  ///< EMotion FX: straight, then to unit length; the shorter way round
    /// X42, the shorter way round: straight and left as it is where the keys' dot product is at least 1 - 1e-5,
    /// straight and then to unit length from 0.2 on, at constant speed below. Keys need not be of unit length.
    by_angle,
};

/// How the format that a clip comes from reads its keys. The default is glTF's way, and glTF files are always read so.
struct ClipRules {
    RotationRule rotation = RotationRule::slerp;
    bool last_before_first = false;  ///< before its first key a track shows its last one instead of the first
    friend bool operator==(const ClipRules&, const ClipRules&) = default;
};

struct Clip {
    std::string name;
    std::vector<Track> tracks;
    float duration = 0;  ///< seconds, the length of one loop
    ClipRules rules;
    Extras extras;
};

struct Scene {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Skin> skins;
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<Light> lights;
    std::vector<Clip> clips;
    float facing = 0;     ///< where models of the format look, for pictures: degrees about +Y, 0 is +Z, 90 is +X
    Extras asset_extras;  ///< goes to asset.extras.effigy
};

/// Links `child` under `parent`, both existing nodes.
void add_child(Scene& scene, Index parent, Index child);

}  // namespace effigy
