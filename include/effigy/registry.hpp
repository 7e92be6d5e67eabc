#pragma once
/// Every format behind one door: recognising files by content, and doing with any of them what can be done with all.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

namespace egosoft {
class GameFiles;
class MaterialLibrary;
}  // namespace egosoft
namespace arp {
enum class ArmTwist : std::uint8_t;  // effigy/arp_scene.hpp
}

class Document;

/// What a file can be compared with when it is checked.
struct CheckContext {
    const Document* model = nullptr;                      ///< what a motion is meant for
    std::filesystem::path path{};                         ///< of the file itself; empty: not known
    const egosoft::GameFiles* files = nullptr;            ///< the game and the mod that it belongs to
    const egosoft::MaterialLibrary* materials = nullptr;  ///< null: names of materials are not looked up
    Limits limits{};
};

enum class Role : std::uint8_t {
    model,      ///< nodes and meshes
    motion,     ///< moves the nodes or the morph targets of a model
    companion,  ///< says something about another file; an input of its own only if it goes to the scene
    library,    ///< says what names in other files mean
    archive,    ///< holds other files
    scene,      ///< written from a scene
};

/// What is supported of one format.
struct FormatInfo {
    std::string_view id;      ///< "xac"
    std::string_view name;    ///< "EMotion FX actor"
    std::string_view family;  ///< "emfx"
    Role role = Role::model;
    std::span<const std::string_view> extensions;  ///< lower case, without dot; the first is the usual one
    std::string_view versions;                     ///< for people: which versions and variants
    bool reads = false;                            ///< bytes to faithful file
    bool writes = false;                           ///< and back, byte-exactly
    bool to_scene = false;
    bool from_scene = false;
};

/// All formats, in the order in which `effigy formats` lists them.
[[nodiscard]] std::span<const FormatInfo> formats() noexcept;

/// The format of an extension ("xac", ".GLB") or id, or null.
[[nodiscard]] const FormatInfo* find_format(std::string_view extension) noexcept;

struct Recognition {
    const FormatInfo* format = nullptr;
    std::string foreign;         ///< a relative that effigy does not read: what it is, one sentence
    std::string_view variant{};  ///< of a companion that has several: "hull"
};

/// Content decides; the extension of `name` only breaks a tie. `head` is the first 4 KiB, or the whole of a shorter
/// file.
[[nodiscard]] Recognition recognize(std::span<const std::byte> head, std::string_view name);

struct InfoOptions {
    std::string encoding = "CP1252";  ///< of strings that are not UTF-8
};

/// One faithful file of whatever format.
class Document {
public:
    struct Operations;  // one table a format

    Document(const Operations& operations, std::shared_ptr<void> file) noexcept
        : operations_(&operations), file_(std::move(file)) {}

    [[nodiscard]] const FormatInfo& format() const noexcept;
    [[nodiscard]] Result<Bytes> write(const WriteOptions& options = {}) const;
    [[nodiscard]] Result<void> write_file(const std::filesystem::path& path, const WriteOptions& options = {}) const;
    /// Findings with addresses.
    [[nodiscard]] Report check(const CheckContext& context = {}) const;
    /// A JSON document with what is in the file: docs/json.md, "info".
    [[nodiscard]] std::string info(const InfoOptions& options = {}) const;
    /// A JSON document with every field: docs/json.md, "dump". Fails with "limit-memory".
    [[nodiscard]] Result<std::string> dump(const DumpOptions& options = {}) const;
    /// Every field beside its bytes, as text. Fails with "limit-memory".
    [[nodiscard]] Result<std::string> hex_map(const DumpOptions& options = {}) const;

    /// The faithful file, e.g. as<xac::File>(); the caller knows the format.
    template <class File>
    [[nodiscard]] File& as() noexcept {
        return *static_cast<File*>(file_.get());
    }
    template <class File>
    [[nodiscard]] const File& as() const noexcept {
        return *static_cast<const File*>(file_.get());
    }

private:
    const Operations* operations_;
    std::shared_ptr<void> file_;
};

/// Reads a file of any format that effigy reads. Fails with "unknown-format" if it is none.
[[nodiscard]] Result<Loaded<Document>> open_file(const std::filesystem::path& path, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<Document>> open_bytes(std::span<const std::byte> bytes, std::string_view name,
                                                  const ReadOptions& options = {});

/// What can only be said about all files of a folder together: names that differ in case only, files that nothing
/// names, entries that lead nowhere.
[[nodiscard]] Report check_folder(const std::filesystem::path& folder, const CheckContext& context = {});

/// The way back from Document::dump(). With `normalize`, counts and lengths are made true; otherwise counts must be.
[[nodiscard]] Result<Document> build(std::string_view dump, bool normalize = false, const Limits& limits = {});

/// One input of a conversion.
struct SceneSource {
    Document document;
    std::filesystem::path path;  ///< names clips and is where companions are looked for; may be empty
    std::uint64_t size = 0;      ///< bytes
    std::string hash{};          ///< "xxh3:<16 hex digits>" or empty
};

struct SceneSettings {
    Limits limits;
    std::string encoding = "CP1252";  ///< of strings that are not UTF-8, as iconv names it
    float morph_normal_range = 1;     ///< 1 or 2: docs/formats/emfx.md, "Morph targets"
    int lod = -1;                     ///< level to show; -1: level 0, with the others as MSFT_lod
    double resample = 0;              ///< frames a second to bake motions at; 0 keeps the keys
    double frames_per_second = 0;     ///< of motions whose keys stand at frames; 0: what the files say
    bool retarget = false;            ///< adapt motions to the model's proportions as their engine does
    bool raw_colors = false;          ///< vertex colours as COLOR_n even where their alpha means something else
    const egosoft::GameFiles* files = nullptr;  ///< where components find their meshes
    arp::ArmTwist arm_twist{1};                 ///< of signing avatars; 1 is ArmTwist::joints
    bool embed_source = false;                  ///< keep the inputs' original bytes in the asset's extras
    int gltf_scene = -1;                        ///< of a glTF file: which of its scenes; -1: the default one
    bool allow_outside = false;                 ///< glTF: also read files that are not below the input's own folder
};

/// Joins the inputs, which must be of one family, into one scene. Images are named, not loaded: effigy/textures.hpp.
[[nodiscard]] Result<Loaded<Scene>> to_scene(std::vector<SceneSource> sources, const SceneSettings& settings = {});

/// How a scene becomes files of a game.
struct NativeOptions {
    Limits limits{};
    std::string encoding = "CP1252";  ///< of names where the format does not read UTF-8
    std::string target{};             ///< "victoria2", "eu3", "tos", "xrebirth", "x4"; empty: no particular game
    std::string levels{};             ///< EMotion FX: "embedded", "fields"; empty: as the target's own files have them
    std::uint32_t most_bones = 0;     ///< joints of one submesh or group; 0: what the format takes
    float morph_normal_range = 1;     ///< EMotion FX
    double max_error = 0;             ///< of keys that are left out: units of length, radians, factors, weights
    double frames_per_second = 0;     ///< X42; 0: as it says, or 30
    double height = 0;                ///< signing avatars: metres; 0: as it is
    bool collision = false;           ///< XMF: a collision mesh
    bool animation_config = false;    ///< X42: animation.cfg beside the model
    bool write_images = true;         ///< textures that the scene brings, beside the model
};

struct SceneWriteOptions {
    bool fsync = false;
    bool embed_images = false;  ///< .gltf: images in the .bin instead of files beside it
    std::string image_stem{};   ///< of images beside the file; empty: that of the file
    bool write_images = true;   ///< false where another file's images of that stem are there already
    NativeOptions native{};
};

/// A file that a scene has become.
struct NewFile {
    std::string name;  ///< "soldier_walk.xsm", or with folders: "ship_x_data/part_main-lod0.xmf"
    Bytes bytes;
};

/// The files of a game that mean the scene, in memory: the one that `path` names first, then those that go with it,
/// their names relative to its folder. The report says what the format cannot hold. Fails with "unknown-format" if the
/// extension of `path` is not one of a family with from_scene.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const std::filesystem::path& path,
                                                              const NativeOptions& options = {});

/// Writes files below `folder`, in folders that are made where they are missing. Either all appear or none.
[[nodiscard]] Result<void> write_files(const std::vector<NewFile>& files, const std::filesystem::path& folder,
                                       bool fsync = false);

/// Writes a scene in a format that has from_scene, by the extension of `path`; "-" is standard output, as .glb. Either
/// all files appear or none. The report says what the format cannot hold.
[[nodiscard]] Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path,
                                         const SceneWriteOptions& options = {});

/// The report that write_scene() will give, before anything is written.
[[nodiscard]] Report scene_losses(const Scene& scene, const std::filesystem::path& path);

/// "xxh3:<16 hex digits>" of bytes or of a file.
[[nodiscard]] std::string content_hash(std::span<const std::byte> bytes);
[[nodiscard]] Result<std::string> content_hash(const std::filesystem::path& path);

}  // namespace effigy
