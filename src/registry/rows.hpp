#pragma once
/// What a family gives to the registry: one row a format, and one function that makes a scene.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/rig.hpp"

#include "core/byte_source.hpp"
#include "core/file_set.hpp"
#include "core/json_fwd.hpp"

namespace effigy {

struct Document::Operations {
    const FormatInfo* format;
    const std::type_info* type;  ///< of the faithful file
    Result<Loaded<Document>> (*read)(ByteSource source, const ReadOptions& options);
    Result<Document> (*build)(const Json& nodes, bool normalize, const Limits& limits);
    Result<Bytes> (*write)(const void* file, const WriteOptions& options);
    Result<void> (*write_file)(const void* file, const std::filesystem::path& path, const WriteOptions& options);
    Report (*check)(const void* file, const CheckContext& context);
    Json (*info)(const void* file, const InfoOptions& options);
    Result<Json> (*dump)(const void* file, const DumpOptions& options);
    Result<std::string> (*hex_map)(const void* file, const DumpOptions& options);
};

/// What a family is asked for when something is opened once for many files.
struct SurroundingsRequest {
    const OptionValues& options;
    std::vector<std::filesystem::path> roots;  ///< of the family's files, as FamilyRow::root_of says
    const Files* files = nullptr;              ///< instead of the disk
    const Limits& limits;
    /// Given what is read, by its path below the first root; null where nobody wants to know.
    std::function<void(const std::string& path, std::span<const std::byte> bytes)> taken{};
};

using NewFiles = Loaded<std::vector<NewFile>>;

/// What is not read, told by how it begins, and what to say about it: one sentence.
struct Relative {
    std::string_view magic, answer;
};

/// What a user does about what the findings of a code say.
struct Advice {
    std::string_view code, text;
};

/// A format of files that are read and written byte by byte. Whether scenes are made of them or they of scenes, its
/// role says.
[[nodiscard]] constexpr FormatInfo faithful_format(std::string_view id, std::string_view name, std::string_view family,
                                                   Role role, std::span<const std::string_view> extensions,
                                                   std::string_view versions, const FormatTraits& traits = {}) {
    const bool from_scene = role == Role::model || role == Role::motion;
    const bool to_scene = from_scene || role == Role::companion;
    return {id, name, family, role, extensions, versions, true, true, to_scene, from_scene, traits};
}

/// A model and motions that a text file of a game names together: names of files without folders, in lower case.
struct DeclaredMotions {
    std::string model;
    std::vector<std::string> motions{};
};

/// Such text files: how they end, and in which folder of a game or mod they lie.
struct Declarations {
    std::string_view extension, folder;
    std::vector<DeclaredMotions> (*read)(std::string_view text);
};

struct FamilyRow {
    std::string_view name;
    std::string_view title;  ///< for people
    std::vector<const Document::Operations*> formats{};
    /// The format that `head` is of, or null. The name breaks a tie between formats that content does not tell apart.
    const Document::Operations* (*recognize)(std::span<const std::byte> head, std::string_view name) = nullptr;
    Result<Loaded<Scene>> (*to_scene)(std::vector<SceneSource> sources, const ConversionContext& context) = nullptr;
    /// Null for families whose files say nothing about each other.
    Report (*check_folder)(const std::filesystem::path& folder, const CheckContext& context) = nullptr;
    /// The files that mean the scene, that of `path` first; `format` is one of the family's with from_scene. Null: the
    /// family's files are not made from scenes, or by `write`.
    Result<NewFiles> (*from_scene)(const Scene& scene, const FormatInfo& format, const std::filesystem::path& path,
                                   const ConversionContext& context) = nullptr;
    /// The same in the folders of the game that the switch `target` names: a mod, or what is added to one. `path` is
    /// the mod's folder with the model's name behind it; names are from the folder on. Null: the family knows no such.
    Result<NewFiles> (*to_folder)(const Scene& scene, const std::filesystem::path& path,
                                  const ConversionContext& context) = nullptr;
    std::string_view folder_format{};                    ///< id of the format whose switches apply to it
    std::span<const std::string_view> folder_targets{};  ///< values of `target` that have such folders
    /// Formats that are written only, or only named.
    std::span<const FormatInfo> other_formats{};
    /// Relatives and namesakes of the family's formats, so that the answer is more than "unknown".
    std::span<const Relative> relatives{};
    std::span<const Advice> advices{};
    /// What takes a closer look: further relatives, and companions, which are among `other_formats`.
    Recognition (*recognize_relative)(std::span<const std::byte> head, std::string_view name) = nullptr;
    /// What the family declares: its switches.
    std::span<const OptionDeclaration> options{};
    /// Opens what lies around files; null for families that need nothing. A world is empty if nothing was asked for.
    Result<Loaded<Surroundings>> (*open_surroundings)(const SurroundingsRequest& request) = nullptr;
    /// The folder that a file of the family belongs to, from which it names others.
    std::filesystem::path (*root_of)(const std::filesystem::path& file, const Files* files) = nullptr;
    /// A file as another format or version of the family, without a scene between; nothing if there is no such way.
    Result<std::optional<Loaded<Document>>> (*recode)(Document& document, const FormatInfo& format,
                                                      const OptionValues& options,
                                                      const std::filesystem::path& output) = nullptr;
    /// Scenes that go to files piece by piece; the report is that of `losses`.
    Result<Report> (*write)(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                            FileSet& files) = nullptr;
    Report (*losses)(const Scene& scene, const SceneWriteOptions& options) = nullptr;
    /// Whether a file names others, which would be missing beside a copy, so that none is made. Null: none does.
    bool (*names_files)(const Document& document, const Limits& limits) = nullptr;
    /// What a model or a motion of the family is known by. Null: motions are in the models, or lie apart in no other
    /// way than by name.
    std::optional<Rig> (*rig)(const Document& document) = nullptr;
    std::optional<Declarations> declarations{};  ///< of which motions models have
    /// How files of models end whose motions are called after what stands before it; empty: there are none.
    std::string_view figure_ending{};
    /// The folder below a game's root in which, or below which, the textures of all models lie; empty: there is none.
    std::string_view texture_folder{};
    /// Folders whose files are parts of a model, which lies below `root`, in lower case below that; null: models are
    /// files of their own.
    std::vector<std::filesystem::path> (*part_folders)(const Document& document,
                                                       const std::filesystem::path& root) = nullptr;
    /// What files of one scene in a folder have in common, by their name: levels of detail. Null: nothing.
    std::string (*shared_stem)(const FormatInfo& format, std::string_view stem) = nullptr;
    /// Whether a sound file of the family holds nothing that could be seen, as changes to other files do. Null: none
    /// is.
    bool (*shows_nothing)(const Document& document) = nullptr;
    /// Custom properties of nodes that from_scene reads, by name: they are not lost.
    std::span<const std::string_view> known_properties{};
};

/// A file as an input of a conversion. Its hash, which scenes keep of all but exchange formats, is taken while it is
/// read.
[[nodiscard]] Result<Loaded<SceneSource>> open_scene_file(const std::filesystem::path& path, const ReadOptions& options,
                                                          const Registry& registry);

/// The switches that conversions have whatever the format.
[[nodiscard]] std::span<const OptionDeclaration> general_options() noexcept;

/// One line for each family: src/registry/registry.cpp lists them.
namespace emfx {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace egosoft {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace x42 {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace arp {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace gltf {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace obj {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}
namespace ply {
[[nodiscard]] const FamilyRow& family_row() noexcept;
}

}  // namespace effigy
