#pragma once
/// Files of any format to files of any other, with everything that lies between: recognising, what goes with the
/// inputs, materials, textures, tangents. On the disk or in memory.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/diff.hpp"
#include "effigy/files.hpp"
#include "effigy/option_values.hpp"
#include "effigy/options.hpp"
#include "effigy/registry.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// A file to read: on the disk, in ConvertOptions::files, or with its bytes. What it is called says where the files
/// beside it are.
struct InputFile {
    std::filesystem::path path;
    std::optional<Bytes> bytes{};
    /// The game's folder or the catalogs that it lies in, the last one on top; empty: that is found by its path.
    std::vector<std::filesystem::path> roots{};

    InputFile(std::filesystem::path name) : path(std::move(name)) {}  // NOLINT(google-explicit-constructor)
    InputFile(std::string name) : path(std::move(name)) {}            // NOLINT(google-explicit-constructor)
    InputFile(const char* name) : path(name) {}                       // NOLINT(google-explicit-constructor)
    InputFile(std::filesystem::path name, Bytes content) : path(std::move(name)), bytes(std::move(content)) {}
};

/// Where a conversion stands.
struct Step {
    std::string_view what;  ///< "reading"
    std::string_view name;  ///< of the file
    std::size_t done = 0, total = 0;
};

/// Games and folders of textures that many conversions look into: opened once, by any number of threads.
class SharedLookups;
[[nodiscard]] std::shared_ptr<SharedLookups> make_shared_lookups(const Limits& limits = {});

struct ConvertOptions {
    OptionValues values{};  ///< the switches: docs/options.md
    Limits limits{};
    Files files{};  ///< instead of the disk
    /// With `files`: games and mods are opened on the disk all the same, and this is given each file that was read in
    /// them, under a name that `files` would have it by. With all of these the same conversion needs no disk.
    std::function<void(const std::string& name, std::span<const std::byte> bytes)> from_game{};
    std::function<bool(const Step& step)> progress{};  ///< called before each step; false ends with "limit-cancelled"
    /// Called when all is known but nothing is written yet. A failure of it ends the conversion with that.
    std::function<Result<void>(const Report& report)> before_output{};
    /// Asked before each file is written; empty: keep_others() says it. Models and motions in a game's folder stay
    /// whatever it says, but for the switch `overwrite`.
    BeforeFile before_file{};
    Report* report_of_failure = nullptr;      ///< gets what was noticed before a failure
    std::shared_ptr<SharedLookups> shared{};  ///< null: everything is opened for this conversion
    /// Given each file of the disk that a texture was found in, and others' pictures that stay and will be shown.
    std::function<void(const std::filesystem::path& file)> on_texture{};
    /// Given each input that was read, by its place among the inputs, with its content_hash() where that is known.
    std::function<void(std::size_t input, const std::string& hash)> on_input{};
    bool quick_textures = false;  ///< the pictures are only drawn, not written
    bool keep_scene = true;       ///< false: less memory; Conversion::scene lacks vertices that are in a game's files
    bool pass_over_switches = false;     ///< those that say nothing about the inputs
    const Registry* registry = nullptr;  ///< null: all formats of effigy

    [[nodiscard]] const Registry& formats() const noexcept {
        return registry != nullptr ? *registry : Registry::standard();
    }
};

/// The files beside the inputs that were read: buffers of a glTF, and textures. Copies are of the same files. convert()
/// spares them by itself.
class ReadFiles {
public:
    ReadFiles();

    /// Notes what is read with the options from now on, on any thread.
    void note(ConvertOptions& options) const;
    [[nodiscard]] bool contains(const std::filesystem::path& file) const;
    /// Lets these files stay: to write something else over one fails with "output-kept". All else is as `next` says.
    [[nodiscard]] BeforeFile spare(BeforeFile next = {}) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Where nobody else says what stays: beside an output that is new, another file that is there. One that was there has
/// its files beside it, which are replaced with it. Empty: nothing stays.
[[nodiscard]] BeforeFile keep_others(const std::filesystem::path& output);

/// Inputs that were read, and what lies around them.
struct Sources {
    std::vector<SceneSource> files;  ///< without those that only go with others
    std::vector<Surroundings> surroundings;
    std::vector<std::filesystem::path> inputs;  ///< as they were named
};

/// The first half of load_scene(). Fails with "usage-..." for what speaks against the inputs or the switches, and with
/// "damaged-input" unless the switch `allow-damaged` is given.
[[nodiscard]] Result<Loaded<Sources>> open_sources(const std::vector<InputFile>& inputs,
                                                   const ConvertOptions& options = {});
/// The second half: one scene of them, with materials, textures and tangents.
[[nodiscard]] Result<Loaded<Scene>> load_scene(Sources sources, const ConvertOptions& options = {});

/// The inputs as one scene: a model, its parts, its motions and what goes with them. Findings name the inputs as they
/// are named here.
[[nodiscard]] Result<Loaded<Scene>> load_scene(const std::vector<InputFile>& inputs,
                                               const ConvertOptions& options = {});

/// Where a conversion on the disk looks for textures: the folders of the switch `textures`, then the inputs' own, then
/// those that their games have for all models; each once, as the user wrote it first.
[[nodiscard]] std::vector<std::filesystem::path> texture_folders(const std::vector<std::filesystem::path>& inputs,
                                                                 const ConvertOptions& options = {});

/// What a conversion writes: a file and those that go with it.
struct OutputFiles {
    std::filesystem::path path{};  ///< its extension says the format, unless the switch `to` does
    /// Takes all files, the one of `path` first, instead of the disk.
    std::function<Result<void>(std::vector<NewFile> files)> take{};

    OutputFiles() = default;
    OutputFiles(std::filesystem::path name) : path(std::move(name)) {}  // NOLINT(google-explicit-constructor)
    OutputFiles(const char* name) : path(name) {}                       // NOLINT(google-explicit-constructor)
};

struct Conversion {
    Report report;                    ///< what was lost, replaced or baked
    std::vector<std::string> files;   ///< that were written, the one that was asked for first
    std::optional<Scene> scene;       ///< nothing where bytes were copied
    std::vector<std::string> kept{};  ///< pictures that go with it and were there already, just so
};

/// Writes a scene. Pictures of the same name that are there already stay: games' own textures are not overwritten.
[[nodiscard]] Result<Conversion> save_scene(Scene scene, const OutputFiles& output, const ConvertOptions& options = {});

/// Same format to same format is byte-exact. Inputs are never changed.
[[nodiscard]] Result<Conversion> convert(const std::vector<InputFile>& inputs, const OutputFiles& output,
                                         const ConvertOptions& options = {});

/// The surroundings of files of a format, in the root that they belong to; nothing for families that need none.
[[nodiscard]] Result<std::optional<Loaded<Surroundings>>> open_surroundings(const FormatInfo& format,
                                                                            const std::filesystem::path& root,
                                                                            const ConvertOptions& options = {});
/// The same of a game whose parts lie over one another, the last one on top.
[[nodiscard]] Result<std::optional<Loaded<Surroundings>>> open_surroundings(
    const FormatInfo& format, const std::vector<std::filesystem::path>& roots, const ConvertOptions& options = {});
/// The folder that a file belongs to, as its family sees it; nothing for families that do not care.
[[nodiscard]] std::optional<std::filesystem::path> root_of(const FormatInfo& format, const std::filesystem::path& file,
                                                           const Registry& registry = Registry::standard());

/// How two files differ in meaning, each with its own surroundings; of formats that show nothing alone, in their
/// fields.
struct FileDifference {
    Report report;                   ///< as of diff_scenes()
    std::vector<Diagnostic> damage;  ///< what was noticed while they were read
    std::string format_a, format_b;  ///< ids
    bool is_damaged = false;         ///< a file could not be read as a whole
    bool identical = false;          ///< byte by byte; of what lies beside them only a note says that it differs
};
/// Pictures are compared if the switch `textures` says where they are.
[[nodiscard]] Result<FileDifference> diff_files(const InputFile& a, const InputFile& b,
                                                const DiffOptions& diff_options = {},
                                                const ConvertOptions& options = {});

/// Every format with its directions and switches: docs/json.md, "formats".
[[nodiscard]] std::string formats_json(const Registry& registry = Registry::standard());

/// docs/options.md: every switch with its formats, as Markdown.
[[nodiscard]] std::string options_page(const Registry& registry = Registry::standard());

}  // namespace effigy
