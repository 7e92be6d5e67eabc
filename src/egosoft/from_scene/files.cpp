#include "egosoft/from_scene/files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/egosoft_scene.hpp"
#include "effigy/game_files.hpp"
#include "effigy/program_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/mod/mod.hpp"
#include "registry/new_files.hpp"

namespace effigy::egosoft {
namespace {

/// What a mod's folder has: loose files, and below them what is packed in its catalogs.
class ModFiles {
public:
    ModFiles(std::filesystem::path folder, const Limits& limits) : folder_(std::move(folder)), limits_(limits) {}

    std::optional<std::string> read(const std::string& path) {
        constexpr std::uint64_t max_size = std::uint64_t{256} << 20;
        if (const auto bytes = read_beside(folder_ / spelled(folder_, path, listings_), nullptr, max_size))
            return std::string(as_text(*bytes));
        open_packed();
        const auto place = packed_.find(path);
        if (!place) return std::nullopt;
        const auto bytes = packed_.read(*place);
        if (bytes) return std::string(as_text(*bytes));
        keep(bytes.error());
        return std::nullopt;
    }

    /// Why something that is there could not be read: what hides it would lose it.
    [[nodiscard]] const std::optional<Diagnostic>& failure() const noexcept { return failure_; }

private:
    void open_packed() {
        std::error_code error;
        if (std::exchange(is_open_, true) || !std::filesystem::exists(folder_ / "content.xml", error)) return;
        auto opened = GameFiles::open({folder_}, limits_);
        if (!opened) return keep(opened.error());
        packed_ = std::move(opened->value);
    }
    void keep(const Diagnostic& problem) {
        if (!failure_) failure_ = problem;
    }

    std::filesystem::path folder_;
    Limits limits_;
    Listings listings_{};
    GameFiles packed_{};
    bool is_open_ = false;
    std::optional<Diagnostic> failure_{};
};

/// "extensions/mod/assets/units/size_m" for a file in it, as the game spells it; empty outside of "assets".
std::string folder_in_game(const std::filesystem::path& path, const Limits& limits) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error).lexically_normal();
    std::filesystem::path folder = whole.parent_path(), below;
    while (folder.has_relative_path()) {
        const std::filesystem::path name = folder.filename();
        below = below.empty() ? name : name / below;
        folder = folder.parent_path();
        if (lower(name.string()) == "assets") break;
    }
    if (below.empty() || lower(below.begin()->string()) != "assets") return {};
    const bool is_extension = lower(folder.parent_path().filename().string()) == "extensions" ||
                              std::filesystem::exists(folder / "content.xml", error);
    if (is_extension && !folder.filename().empty()) {
        ModFiles files(folder, limits);
        const auto name = mod::indexed_folder([&](const std::string& file) { return files.read(file); }, limits);
        below = std::filesystem::path("extensions") / name.value_or(folder.filename().string()) / below;
    }
    return below.generic_string();
}

FromSceneOptions settings_of(const FormatInfo& format, const ConversionContext& context,
                             const std::filesystem::path& path) {
    FromSceneOptions settings;
    settings.limits = context.limits;
    if (format.id == XmfFormat::format().id) settings.product = Product::mesh;
    if (format.id == AniFormat::format().id) settings.product = Product::animation;
    settings.name = path.stem().string();
    settings.folder = folder_in_game(path, context.limits);
    if (const auto target = context.options.choice("target", target_names))
        settings.target = static_cast<Target>(*target);
    const std::string collision = context.options.text("collision");
    settings.collision = (!collision.empty() && collision != "none") || names_collision(path);
    settings.makes_collision = collision != "none";
    settings.collection = path.stem().string();
    settings.max_error = context.options.number("max-error");
    if (const auto axis = context.options.choice("mirror-connections", mirror_axes))
        settings.mirror_axis = static_cast<int>(*axis);
    settings.class_name = context.options.text("class");
    return settings;
}

/// What becomes of normal maps' green on the way into the game.
GreenChannel green_of(const OptionValues& values) {
    return values.text("normal-map-green") == "keep" ? GreenChannel::keep : GreenChannel::flip;
}

/// The games that --game names.
Result<GameFiles> games_of(const OptionValues& values, const Limits& limits) {
    const std::vector<std::string> roots = values.list("game");
    auto opened = GameFiles::open({roots.begin(), roots.end()}, limits);
    return opened ? Result<GameFiles>(std::move(opened->value)) : fail(std::move(opened.error()));
}

/// Whether a component of the name is the game's or one of its own extensions', and no mod's.
bool is_games_own(const GameFiles& game, const std::string& name) {
    const std::string path = lower(find_component(game, name));
    return !path.empty() && (!path.starts_with("extensions/") || path.starts_with("extensions/ego_dlc_"));
}

}  // namespace

Result<NewFiles> files_of_scene(const Scene& scene, const FormatInfo& format, const std::filesystem::path& path,
                                const ConversionContext& context) {
    const FromSceneOptions settings = settings_of(format, context, path);
    auto made = from_scene(scene, settings);
    if (!made) return fail(std::move(made.error()));
    NewFiles files{{}, std::move(made->report)};
    Listings listings;
    for (NamedFile& file : made->value.files) {
        std::string name =
            files.value.empty() ? path.filename().string() : spelled(path.parent_path(), file.name, listings);
        files.value.push_back({std::move(name), std::move(file.bytes)});
    }
    if (!context.options.flag("no-textures") && settings.product != Product::animation)
        files.report.append(append_images(scene,
                                          {"material_library",
                                           green_of(context.options),
                                           texture_form(context.options),
                                           context.limits,
                                           {},
                                           {},
                                           context.textures},
                                          files.value));
    return files;
}

Result<NewFiles> mod_of_scene(const Scene& scene, const std::filesystem::path& path, const ConversionContext& context) {
    const OptionValues& values = context.options;
    const std::string form = values.text("textures-as", "dds");
    if (form != "dds") {
        return fail(problem_at("options / textures-as", codes::usage_option,
                               "the textures of a mod are always DDS, as the game loads no others well; leave "
                               "--textures-as out, or --no-textures leaves out all",
                               form, "dds"));
    }
    ModOptions options;
    options.scene = settings_of(ComponentFormat::format(), context, path);
    const std::filesystem::path folder = path.parent_path();
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
    options.author = values.text("author");
    options.stubs = values.flag("stubs");
    options.textures = !values.flag("no-textures");
    options.normal_map_green = green_of(values);
    options.originals = context.textures;
    options.replaces_others = values.flag("overwrite");
    ModFiles old(folder, context.limits);
    options.old_file = [&](const std::string& file) { return old.read(file); };
    std::optional<GameFiles> game;  // opened for components whose origin nothing else tells
    if (values.has("game")) {
        options.is_in_game = [&](const std::string& name) {
            if (!game) game = games_of(values, context.limits).value_or(GameFiles());
            return is_games_own(*game, name);
        };
    }
    const std::string local = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
    options.folder = values.text("mod", mod::indexed_folder(options.old_file, context.limits).value_or(local));
    auto made = mod_from_scene(scene, options);
    if (old.failure()) return fail(*old.failure());
    if (!made) return fail(std::move(made.error()));
    NewFiles files{{}, std::move(made->report)};
    Listings listings;
    for (NamedFile& file : made->value)
        files.value.push_back({spelled(folder, file.name, listings), std::move(file.bytes)});
    return files;
}

}  // namespace effigy::egosoft
