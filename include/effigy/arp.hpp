#pragma once
/// ARP and JARP: avatar definitions of UEA's signing avatars, exactly as they stand on disk. Facts:
/// docs/formats/arp.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::arp {

/// Four raw bytes, filled up with NUL (in old ambient frames with blanks).
using FourCC = std::array<char, 4>;

/// How the map of duplicates is stored.
enum class DuplicateForm : std::uint8_t {
    u32,        ///< a count and 32-bit points: 2.2 and later
    u16,        ///< a count and 16-bit points: 2.0
    uncounted,  ///< 32-bit points without a count, as many as the texture coordinates need: the page read literally
    triples,    ///< a count and 32-bit numbers that are three times the point: a 2.1 saved by an option
    lists,      ///< a count, 16-bit numbers of copies, and for each point its copies: another 2.1
};

/// When the ambient motion stands in the file.
enum class AmbientForm : std::uint8_t {
    none,     ///< 2.0, 2.1
    counted,  ///< 3.1: before the texture, with frames a second
    timed,    ///< 2.2, 3.0x: behind the texture, to the end of the file, each frame with its time; may be missing
};

enum class TextureForm : std::uint8_t {
    named,  ///< a file name and 12 flags
    flag,   ///< 2.0, 2.1: one 32-bit flag, and the image if it is 1
};

/// What versions and their variants differ in. Which one a file is, its version and an exact fit say.
struct Layout {
    bool material_first = true;  ///< reflectance and skeleton offset in the header; false (2.0): behind the skeleton
    std::uint8_t reflectance_count = 3;  ///< 1: the page read literally
    bool link_name_lengths = true;       ///< false: raw four characters, the page read literally
    bool adjacency = false;              ///< lists of neighbouring points: 2.x
    DuplicateForm duplicates = DuplicateForm::u32;
    bool morph_normals = true;       ///< false: 2.x
    bool bone_name_lengths = false;  ///< true: strings, before 3.1
    AmbientForm ambient = AmbientForm::counted;
    TextureForm texture = TextureForm::named;
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// Points of a mesh and what they hang on. A point's links stand one behind the other; those of all points make up the
/// arrays below.
struct Points {
    Bulk<std::uint32_t> link_counts;  ///< of each point
    Bulk<Vec3> offsets;               ///< of each link: the point in the bone's bind frame, in units of the file
    Bulk<Vec3> normals;               ///< likewise; direction only
    Bulk<std::uint32_t> bones;        ///< likewise: places in File::link_names
    Bulk<float> weights;              ///< likewise; a point's add up to 1. Links without weight have garbage offsets
    Bulk<float> distances;            ///< likewise: how far along the bone, for the twist of arms
    Bulk<std::uint32_t> neighbour_counts;  ///< with Layout::adjacency, of each point
    Bulk<std::uint32_t> neighbours;        ///< of all points
    [[nodiscard]] std::size_t size() const noexcept { return link_counts.size(); }
};

struct MorphSet {
    std::uint32_t point = 0;
    float weight = 1;  ///< no reader uses it: the offset is final
    Vec3 offset;       ///< head frame; in units of the file, by File::scale
    Vec3 normal;       ///< head frame, absolute at amount 1; not there without Layout::morph_normals
};

struct MorphTarget {
    std::string name;  ///< raw
    Bulk<MorphSet> sets;
};

struct Mesh {
    float switch_distance = 0;  ///< of levels of detail; 0 in all known files
    Points points;
    Bulk<std::uint16_t> strip;        ///< one strip of triangles over points and their duplicates
    Bulk<std::uint32_t> duplicates;   ///< as stored: see duplicate_points()
    Bulk<std::uint16_t> list_counts;  ///< DuplicateForm::lists only
    Bulk<std::uint32_t> list_sizes;   ///< likewise: copies of each point; the copies are in `duplicates`
    Bulk<Vec2> texcoords;             ///< of points, then of duplicates
    std::vector<MorphTarget> morph_targets;
};

/// A bone's local transform.
struct PoseEntry {
    FourCC bone{};
    Vec3 translation;  ///< in the parent's frame, in units of the file
    Quat rotation;     ///< of unit length to 2.2e-3 in real files
};

struct Bone {
    std::string name;    ///< raw; four characters where bones have FourCCs
    std::string parent;  ///< no characters or four NULs: none
    Vec3 translation;    ///< in the parent's frame, in units of the file
    Quat rotation;
    Quat inverse_twist;  ///< inverse of the rest rotation's twist about x
    float length = 0;    ///< to a child, in units of the file
};

struct MorphAmount {
    FourCC target{};
    float amount = 0;  ///< may be above 1
};

struct AmbientFrame {
    float time = 0;  ///< milliseconds; AmbientForm::timed only
    Bulk<MorphAmount> morphs;
    Bulk<PoseEntry> bones;  ///< rotations are put behind those of the pose
};

struct Ambient {
    float frames_per_second = 25;  ///< AmbientForm::counted only
    std::vector<AmbientFrame> frames;
};

struct Texture {
    std::string name;                      ///< TextureForm::named
    std::array<std::uint8_t, 12> flags{};  ///< likewise: embedded, compressed, PNG, TGA, JIB, flipped
    std::uint32_t embedded = 0;            ///< TextureForm::flag
    std::uint32_t stored_size = 0;         ///< of the image, as it stands before it
    Bytes image;                           ///< as stored
};

/// The parts of a file that are read whole or not at all, in the order of 3.1.
enum class Part : std::uint8_t {
    header,
    mesh_count,
    points,  ///< this and the next four: of each mesh
    strip,
    duplicates,
    texcoords,
    morph_targets,
    default_pose,
    bones,
    material,  ///< 2.0 only, where it is not in the header
    ambient,   ///< with AmbientForm::timed behind the texture
    texture,
    end,
};

struct File {
    std::string version = "3.1";
    Layout layout;
    /// Of a damaged file: from this part on, everything is in `trailing`. Where it is one of a mesh behind its points,
    /// that mesh is the last in `meshes`.
    Part first_missing = Part::end;
    std::uint32_t mesh_count = 0;        ///< as stored in a file that ends within its meshes; else meshes.size() counts
    float scale = 1;                     ///< of the offsets of morph targets
    Vec3 volume_low, volume_high;        ///< no bounding box; from version 3 on, its height is 1.8 m
    std::array<float, 3> reflectance{};  ///< red, green, blue, 0 to 1
    float skeleton_offset = 0;           ///< added to the height of ROOT, in units of the file
    std::vector<Mesh> meshes;
    std::vector<std::string> link_names;  ///< of bones that points hang on, raw, each once
    Bulk<PoseEntry> default_pose;
    std::vector<Bone> bones;
    std::optional<Ambient> ambient;
    Texture texture;
    Bytes trailing;
};

/// Told apart by version, then by which layout ends exactly at the end of the file and breaks no rule; where several
/// do, "arp-layout-ambiguous". A file that ends early is read as far as it goes, with the error "truncated" in the
/// report. Fails with "not-this-format", "input-version", "arp-string-form" or "limit-..." as well.
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});
/// Byte for byte what was read. With `normalize`, counts and the image's size are true, and what could not be read of a
/// damaged file is not there. Fails with "write-contradiction" where arrays disagree, and with "write-too-large" where
/// the layout has no room for a number or a name.
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

/// Every rule that the file breaks: docs/diagnostics.md, "ARP avatars".
[[nodiscard]] Report check(const File& file);

/// "2.1, lists of duplicates" for people.
[[nodiscard]] std::string describe(const Layout& layout);
/// The point that each duplicate stands for, whatever the form; numbers that name none are points.size().
[[nodiscard]] Bulk<std::uint32_t> duplicate_points(const Mesh& mesh, const Layout& layout);
/// The first link of each point, and the number of all links at the end.
[[nodiscard]] Bulk<std::uint32_t> first_links(const Points& points);
/// Up to the first NUL; blanks at the end of old ambient frames count as NULs.
[[nodiscard]] std::string_view text_of(const FourCC& code) noexcept;
/// The bone of that name, or no bone: bones.size().
[[nodiscard]] std::size_t find_bone(const File& file, std::string_view name) noexcept;

}  // namespace effigy::arp
