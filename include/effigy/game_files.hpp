#pragma once
/// The files of an Egosoft game as the game sees them: folders, catalogs and extensions laid over one another.
/// Paths have either slash and any case, and never leave the roots.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/catalog.hpp"
#include "effigy/files.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::egosoft {

/// Where the bytes of a file are.
struct Location {
    std::filesystem::path file;  ///< the file itself, or the .dat that holds it
    std::string name;            ///< for people: "mod/assets/x.xmf", or "assets/x.xmf in 01.cat"
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool in_catalog = false;
    bool in_memory = false;  ///< of the files that were added
    std::string path{};      ///< by which it was found: lower case, with slashes
};

/// What the game sees under one path.
struct Listed {
    std::string path;  ///< as it is spelled where it stands, with slashes
    Location location;
};

/// One entry of one layer, whether the game sees it or not.
struct LayerEntry {
    Listed listed;                    ///< no bytes if it deletes
    std::int64_t time = 0;            ///< seconds since 1970
    std::filesystem::path catalog;    ///< empty: a loose file
    std::optional<catalog::Md5> md5;  ///< of what is in a catalog
    bool deletes = false;             ///< whatever lower layers have
    bool overridden = false;          ///< by a higher layer
};

class GameFiles {
public:
    GameFiles();  ///< no roots: there are no files
    GameFiles(GameFiles&&) noexcept;
    GameFiles& operator=(GameFiles&&) noexcept;
    ~GameFiles();

    /// Lays the roots over one another, later ones on top. A root is
    /// - a game's folder: 01.cat, 02.cat ..., then loose files, then what is in extensions/;
    /// - an extension's folder (it has a content.xml): its files are there under their own paths and as
    ///   extensions/<name>/..., for its folder's name and its id;
    /// - a `.cat` file.
    /// What is odd in a catalog is reported; a root that is not there fails with "input-open".
    [[nodiscard]] static Result<Loaded<GameFiles>> open(const std::vector<std::filesystem::path>& roots,
                                                        const Limits& limits = {});
    /// Adds a root on top of all others, unless it is one already.
    [[nodiscard]] Result<Report> add_root(const std::filesystem::path& root);
    /// The same with those of `files` that lie below `root`; they must have a list.
    [[nodiscard]] Result<Report> add_files(const Files& files, const std::filesystem::path& root);
    /// Tells of each file that is read from now on. Of several layers of one path (layers()), the first that is read
    /// has its own path, the others stand in extensions that have no other files.
    void on_read(std::function<void(const std::string& path, std::span<const std::byte> bytes)> taken);

    /// Nothing if there is no such file, or if the path would leave the roots, by ".." or by a link. Where no extension
    /// of the name is known, extensions/<name>/<path> is looked for as <path>: mods are unpacked under many names.
    [[nodiscard]] std::optional<Location> find(std::string_view path) const;
    /// Fails with "file-missing", "path-outside", "input-read", "catalog-data", "catalog-md5" or "limit-memory".
    [[nodiscard]] Result<Bytes> read(std::string_view path) const;
    [[nodiscard]] Result<Bytes> read(const Location& location) const;

    /// The files that match a pattern ("assets/units/**"; "*.xml" is for one folder), sorted by path, each once.
    [[nodiscard]] std::vector<Listed> list(std::string_view pattern = "**") const;
    /// All that the layers have under paths that match, sorted by path, then from the lowest layer to the highest.
    void visit_layers(std::string_view pattern, const std::function<void(LayerEntry entry)>& visit) const;
    /// The same all at once: of a game's half a million files, half a gigabyte.
    [[nodiscard]] std::vector<LayerEntry> list_layers(std::string_view pattern = "**") const;
    /// The files in all layers that a library of this path is made of, the one that counts last at the end: the game's
    /// own, then those of its extensions (extensions/<name>/<path>). Of a path in an extension, its own file and those
    /// that others have for it (extensions/<other>/extensions/<name>/...).
    [[nodiscard]] std::vector<Listed> layers(std::string_view path) const;

    [[nodiscard]] bool empty() const noexcept;
    /// For messages: the roots as they were named.
    [[nodiscard]] const std::vector<std::filesystem::path>& roots() const noexcept;

private:
    friend std::string find_component(const GameFiles& files, std::string_view name);
    friend std::string find_macro(const GameFiles& files, std::string_view name);
    struct State;
    std::unique_ptr<State> state_;
};

/// The root that a file belongs to: the nearest folder above it with a content.xml or a 01.cat, else the one that holds
/// the folder "assets", "index" or "libraries" which the file is in, else the file's own folder.
[[nodiscard]] std::filesystem::path root_of(const std::filesystem::path& file);

/// Lower case, with slashes, without doubled ones or one at the start; nothing if the path is absolute, has a drive, a
/// NUL or a step "..".
[[nodiscard]] std::optional<std::string> normal_path(std::string_view path);
/// Whether a normal path matches a pattern with * (not over slashes), ** and ?, in any case.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view path) noexcept;

}  // namespace effigy::egosoft
