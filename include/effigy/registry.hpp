#pragma once
/// Every format behind one door: recognising files by content, and doing with any of them what can be done with all.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/files.hpp"
#include "effigy/option_values.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/textures.hpp"

namespace effigy {

class Document;
class Registry;

/// A file in an archive.
struct ArchivedFile {
    std::string path;
    std::uint64_t size = 0;
    std::int64_t time = 0;  ///< seconds since 1970
    std::string hash{};     ///< of its bytes, as the archive has it ("md5:<32 hex digits>"); empty: it has none
};

/// What lies around files and is opened once for many of them: a game with its mods. Made by the family that knows it.
struct Surroundings {
    std::string_view family{};                              ///< that made it
    std::shared_ptr<const void> world{};                    ///< the family's own
    TextureSource file{};                                   ///< inputs that are not on the disk; empty: there are none
    TextureSource texture{};                                ///< likewise
    std::function<std::vector<ArchivedFile>()> archived{};  ///< what `file` takes from archives; empty: there are none
    std::function<Report(Scene& scene)> finish{};           ///< what a scene of any family gets from it: materials
};

/// What a file can be compared with when it is checked.
struct CheckContext {
    const Document* model = nullptr;             ///< what a motion is meant for
    std::filesystem::path path{};                ///< of the file itself; empty: not known
    const Surroundings* surroundings = nullptr;  ///< of the file's family
    Limits limits{};
    /// Findings of reading the file; the check takes out what it knows better, by what is around. Null: they stay.
    Report* noticed = nullptr;
};

enum class Role : std::uint8_t {
    model,      ///< nodes and meshes
    motion,     ///< moves the nodes or the morph targets of a model
    companion,  ///< says something about another file; an input of its own only if it goes to the scene
    library,    ///< says what names in other files mean
    archive,    ///< holds other files
    scene,      ///< written from a scene
};

/// What is peculiar to a format.
struct FormatTraits {
    bool shows_alone = true;          ///< makes a scene without a model
    bool goes_with_model = false;     ///< is checked with the model in its folder
    bool shares_extension = false;    ///< files that are called so can be anything
    bool reads_beside = false;        ///< files that lie beside it are read with it, and belong to what it means
    bool is_exchange = false;         ///< holds any scene as it stands, tangents and poses included
    bool streams = false;             ///< what standard output gets where nothing says another format
    bool has_wrecks = false;          ///< meshes `<part>_wreck` are seen in place of their parts, not beside them
    std::string_view foreign_code{};  ///< of failures to read what another program calls so, and begins so
    std::string_view instead{};       ///< of what has nothing to show: what a conversion is given instead
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
    FormatTraits traits{};
};

struct FamilyRow;

/// Families and their formats. What the functions below take is the list of all that effigy has, unless another one is
/// given: one family more, or fewer. It never changes.
class Registry {
public:
    explicit Registry(std::vector<const FamilyRow*> families);
    [[nodiscard]] static const Registry& standard() noexcept;

    /// In the order in which they are asked.
    [[nodiscard]] std::span<const FamilyRow* const> families() const noexcept { return families_; }
    /// In the order in which `effigy formats` lists them.
    [[nodiscard]] std::span<const FormatInfo> formats() const noexcept { return formats_; }
    [[nodiscard]] const FamilyRow* family(std::string_view id) const noexcept;
    /// The switches that the families declare, and the general ones in front of them.
    [[nodiscard]] std::span<const DeclaredOption> options() const noexcept { return options_; }

private:
    std::vector<const FamilyRow*> families_;
    std::vector<FormatInfo> formats_;
    std::vector<DeclaredOption> options_;
};

/// All formats, in the order in which `effigy formats` lists them.
[[nodiscard]] std::span<const FormatInfo> formats() noexcept;

/// The format that standard output gets where nothing says another one; null if there is none.
[[nodiscard]] const FormatInfo* stream_format(const Registry& registry = Registry::standard()) noexcept;

/// The format of an extension ("xac", ".GLB") or id, or null.
[[nodiscard]] const FormatInfo* find_format(std::string_view extension,
                                            const Registry& registry = Registry::standard()) noexcept;

/// The format that the name of a file says, by the longest ending that is one: "hello.cas.xml" is a motion. Or null.
[[nodiscard]] const FormatInfo* format_of_name(const std::filesystem::path& path,
                                               const Registry& registry = Registry::standard()) noexcept;

/// What a user does about the findings of a report, in words: of the first code that a family has advice for, or empty.
[[nodiscard]] std::string_view advice_for(const Report& report,
                                          const Registry& registry = Registry::standard()) noexcept;

/// Whether a declared switch says something about a format in one of the directions that it is for.
[[nodiscard]] bool applies(const DeclaredOption& option, const FormatInfo& format) noexcept;

struct Recognition {
    const FormatInfo* format = nullptr;
    std::string foreign;         ///< a relative or companion that is not read by itself: what it is, one sentence
    std::string_view variant{};  ///< of a companion that has several: "hull"
};

/// Content decides; the extension of `name` only breaks a tie. `head` is the first 4 KiB, or the whole of a shorter
/// file.
[[nodiscard]] Recognition recognize(std::span<const std::byte> head, std::string_view name,
                                    const Registry& registry = Registry::standard());
/// What a file is by its content, or by its extension where that says nothing and is not shared.
[[nodiscard]] Recognition recognize_file(const std::filesystem::path& path,
                                         const Registry& registry = Registry::standard());
/// Whether there is nothing to read: no file, or none of a known format. Folders are searched without such files.
[[nodiscard]] bool is_unreadable(const Diagnostic& failure, const Registry& registry = Registry::standard()) noexcept;
/// A file that goes with others, is found beside them and not looked at by itself.
[[nodiscard]] bool is_companion(const FormatInfo& format) noexcept;

struct InfoOptions {
    std::string encoding = "CP1252";  ///< of strings that are not UTF-8
};

/// One faithful file of whatever format. It moves and is not copied: what takes it takes the file with it. Of one that
/// was moved from, only format() and get_if(), which is null, may be asked; all else fails or is empty.
class Document {
public:
    struct Operations;  // one table a format

    /// `file` is of the type that `operations` are for.
    using Owner = std::unique_ptr<void, void (*)(void*)>;
    Document(const Operations& operations, Owner file) noexcept : operations_(&operations), file_(std::move(file)) {}

    [[nodiscard]] const FormatInfo& format() const noexcept;
    [[nodiscard]] Result<Bytes> write(const WriteOptions& options = {}) const;
    [[nodiscard]] Result<void> write_file(const std::filesystem::path& path, const WriteOptions& options = {}) const;
    /// Findings with addresses.
    [[nodiscard]] Report check(const CheckContext& context = {}) const;
    /// A JSON document with what is in the file: docs/json.md, "info".
    [[nodiscard]] Result<std::string> info(const InfoOptions& options = {}) const;
    /// A JSON document with every field: docs/json.md, "dump". Fails with "limit-memory".
    [[nodiscard]] Result<std::string> dump(const DumpOptions& options = {}) const;
    /// Every field beside its bytes, as text. Fails with "limit-memory".
    [[nodiscard]] Result<std::string> hex_map(const DumpOptions& options = {}) const;

    /// The faithful file, e.g. get_if<xac::File>(), or null if it is of another type.
    template <class File>
    [[nodiscard]] File* get_if() noexcept {
        return static_cast<File*>(get(typeid(File)));
    }
    template <class File>
    [[nodiscard]] const File* get_if() const noexcept {
        return static_cast<const File*>(get(typeid(File)));
    }

private:
    [[nodiscard]] void* get(const std::type_info& type) const noexcept;

    const Operations* operations_;
    Owner file_;
};

/// Reads a file of any format that effigy reads. Fails with "unknown-format" if it is none.
[[nodiscard]] Result<Loaded<Document>> open_file(const std::filesystem::path& path, const ReadOptions& options = {},
                                                 const Registry& registry = Registry::standard());
[[nodiscard]] Result<Loaded<Document>> open_bytes(std::span<const std::byte> bytes, std::string_view name,
                                                  const ReadOptions& options = {},
                                                  const Registry& registry = Registry::standard());

/// What can only be said about all files of a folder together: names that differ in case only, files that nothing
/// names, entries that lead nowhere.
[[nodiscard]] Report check_folder(const std::filesystem::path& folder, const CheckContext& context = {},
                                  const Registry& registry = Registry::standard());

/// The way back from Document::dump(). With `normalize`, counts and lengths are made true; otherwise counts must be.
[[nodiscard]] Result<Document> build(std::string_view dump, bool normalize = false, const Limits& limits = {},
                                     const Registry& registry = Registry::standard());

/// One input of a conversion.
struct SceneSource {
    Document document;
    std::filesystem::path path;    ///< names clips and is where companions are looked for; may be empty
    std::uint64_t size = 0;        ///< bytes
    std::string hash{};            ///< "xxh3:<16 hex digits>" or empty
    std::filesystem::path name{};  ///< what it is called in the scene, where that is not by its path

    [[nodiscard]] const std::filesystem::path& named() const noexcept { return name.empty() ? path : name; }
};

/// How files become a scene, and a scene becomes files.
struct ConversionContext {
    OptionValues options{};  ///< switches of the families, which pass over what is not theirs
    Limits limits{};
    const Surroundings* surroundings = nullptr;  ///< of the sources' family
    const Files* files = nullptr;                ///< what lies beside the sources, instead of on the disk if it reads
    const image::Library* textures = nullptr;    ///< files that go with a model as they are where nobody edited them
    bool for_disk = false;                       ///< large files may be made while they are written: NewFile::write
    Scene* spent = nullptr;  ///< the scene to write, if its vertices and indices may be moved into the files
};

/// Joins the inputs, which must be of one family, into one scene. Images are named, not loaded: effigy/textures.hpp.
[[nodiscard]] Result<Loaded<Scene>> to_scene(std::vector<SceneSource> sources, const ConversionContext& context = {},
                                             const Registry& registry = Registry::standard());

struct SceneWriteOptions {
    bool fsync = false;
    std::string image_stem{};  ///< of images beside the file; empty: that of the file
    bool write_images = true;  ///< false where another file's images of that stem are there already
    ConversionContext context{};
    BeforeFile before_file{};
};

/// The files of a game that mean the scene, in memory unless the context says for_disk: the one that `path` names
/// first, then those that go with it, their names relative to its folder. The report says what the format cannot hold.
/// Fails with "unknown-format" if the extension of `path` is not one of a family with from_scene.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const std::filesystem::path& path,
                                                              const ConversionContext& context = {},
                                                              const Registry& registry = Registry::standard());

/// The format that a folder of the game is written in that a value of the switch `target` names, or null.
[[nodiscard]] const FormatInfo* folder_format(std::string_view target,
                                              const Registry& registry = Registry::standard()) noexcept;
/// The files of a mod, or what is added to one, their names from its folder on: `path` is that folder with the model's
/// name behind it.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> make_folder(const Scene& scene, const std::filesystem::path& path,
                                                               const ConversionContext& context = {},
                                                               const Registry& registry = Registry::standard());

/// Writes files below `folder`, in folders that are made where they are missing. Either all appear or none.
[[nodiscard]] Result<void> write_files(const std::vector<NewFile>& files, const std::filesystem::path& folder,
                                       bool fsync = false, const BeforeFile& before = {});

/// Writes a scene in a format that has from_scene, by the extension of `path`; "-" is standard output, as .glb. Either
/// all files appear or none. The report says what the format cannot hold.
[[nodiscard]] Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path,
                                         const SceneWriteOptions& options = {},
                                         const Registry& registry = Registry::standard());
/// The same in memory, whatever the format: names are relative to the folder of `path`, the file of that name is first.
[[nodiscard]] Result<Loaded<std::vector<NewFile>>> write_scene_to_memory(
    const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options = {},
    const Registry& registry = Registry::standard());

/// The report that write_scene() will give, before anything is written.
[[nodiscard]] Report scene_losses(const Scene& scene, const std::filesystem::path& path,
                                  const SceneWriteOptions& options = {},
                                  const Registry& registry = Registry::standard());

/// "xxh3:<16 hex digits>" of bytes or of a file.
[[nodiscard]] std::string content_hash(std::span<const std::byte> bytes);
[[nodiscard]] Result<std::string> content_hash(const std::filesystem::path& path);

}  // namespace effigy
