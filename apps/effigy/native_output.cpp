#include "native_output.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "effigy/diff.hpp"
#include "effigy/gltf.hpp"

namespace effigy::app {

namespace {

/// A folder of its own for files that nobody keeps.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "effigy-XXXXXX").string();
        if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code error;
        if (!path_.empty()) std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

bool is_picture(const std::string& name) { return name.ends_with(".png") || name.ends_with(".jpg"); }

std::function<std::string(const std::string&)> number_between(double least, double most, const char* problem) {
    return [=](const std::string& text) {
        double number = 0;
        const bool fits = CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
        return fits ? std::string() : std::string(problem);
    };
}

/// Pictures that materials name as their game does, and that a conversion to its folder would find there.
void add_known_pictures(const Scene& scene, std::vector<NewFile>& files) {
    for (const Image& image : scene.images) {
        const std::string stem = image.name.substr(image.name.find_last_of("/\\") + 1);  // folders do not count
        const std::string name = stem + (image.mime_type == "image/jpeg" ? ".jpg" : ".png");
        const auto is_same = [&](const NewFile& file) { return file.name == name; };
        if (!stem.empty() && !image.bytes.empty() && std::none_of(files.begin(), files.end(), is_same))
            files.push_back({name, image.bytes});
    }
}

/// Motions lie beside their model under its name and theirs.
void take_off_prefix(Scene& scene, const std::string& stem) {
    for (Clip& clip : scene.clips) {
        if (clip.name.starts_with(stem + "_")) clip.name.erase(0, stem.size() + 1);
    }
}

/// The inputs of the way back: the files that were written, without pictures and what an avatar's container holds.
SceneInput input_of(const std::vector<NewFile>& files, const std::filesystem::path& folder, const SceneInput& input) {
    SceneInput back;
    back.common = input.common;
    back.common.quiet = true;
    back.output = input.output;
    back.morph_normal_range = input.morph_normal_range;
    back.arm_twist = input.arm_twist;
    back.game = input.game;
    back.textures = {folder.string()};
    for (const NewFile& file : files) {
        const bool goes_along = file.name.find('/') != std::string::npos || is_picture(file.name);
        if (!goes_along) back.inputs.push_back((folder / file.name).string());
    }
    return back;
}

}  // namespace

void NativeOutput::add(CLI::App& verb) {
    verb.add_option("--target", target,
                    "Game to write for: victoria2, eu3, tos, xrebirth (EMotion FX); x4, xrebirth (Egosoft)")
        ->check(CLI::IsMember({"victoria2", "eu3", "tos", "xrebirth", "x4"}))
        ->option_text("GAME");
    verb.add_option("--max-error", max_error,
                    "To a game's format: leave out keys of animations where the others say the same up to this much "
                    "(units of length, radians, factors, weights)")
        ->check(number_between(0, 1000, "a number between 0 and 1000 is needed"))
        ->option_text("NUMBER");
    verb.add_option("--bones", most_bones, "EMotion FX, X42: at most this many joints in one submesh or group")
        ->check(number_between(4, 65535, "a number between 4 and 65535 is needed"))
        ->option_text("COUNT");
    verb.add_option("--levels", levels, "EMotion FX: levels of detail as whole actors (embedded) or by number (fields)")
        ->check(CLI::IsMember({"embedded", "fields"}))
        ->option_text("HOW");
    verb.add_flag("--collision", collision, "To .xmf: write a collision mesh");
    verb.add_option("--height", height, "To .jar and .jarp: metres from the avatar's lowest point to its highest")
        ->check(number_between(0.01, 1000, "metres between 0.01 and 1000 are needed"))
        ->option_text("METRES");
    verb.add_flag("--animation-config", animation_config, "To .x42: write animation.cfg beside it");
}

bool NativeOutput::asked() const noexcept {
    return !target.empty() || !levels.empty() || most_bones != 0 || max_error != 0 || height != 0 || collision ||
           animation_config;
}

std::string NativeOutput::problem(const FormatInfo& format) const {
    const auto belongs = [&](bool asked, const char* name, std::initializer_list<std::string_view> families) {
        if (!asked || std::find(families.begin(), families.end(), format.family) != families.end())
            return std::string();
        return std::string(name) + " says nothing about ." + std::string(format.extensions.front());
    };
    const std::array problems{
        belongs(!target.empty(), "--target", {"emfx", "egosoft"}),
        belongs(!levels.empty(), "--levels", {"emfx"}),
        belongs(most_bones != 0, "--bones", {"emfx", "x42"}),
        belongs(max_error != 0, "--max-error", {"emfx", "egosoft", "x42", "arp"}),
        belongs(collision, "--collision", {"egosoft"}),
        belongs(height != 0, "--height", {"arp"}),
        belongs(animation_config, "--animation-config", {"x42"}),
    };
    for (const std::string& problem : problems) {
        if (!problem.empty()) return problem;
    }
    const bool is_egosoft = format.family == "egosoft";
    if (!target.empty() && (is_egosoft ? target != "x4" && target != "xrebirth" : target == "x4"))
        return "--target " + target + " has no ." + std::string(format.extensions.front()) + " files";
    return {};
}

NativeOptions NativeOutput::options(const SceneInput& input) const {
    NativeOptions options;
    options.limits = input.common.limits;
    options.encoding = input.common.encoding;
    options.target = target;
    options.levels = levels;
    options.most_bones = most_bones;
    options.morph_normal_range = input.morph_normal_range;
    options.max_error = max_error;
    options.frames_per_second = input.frames_per_second;
    options.height = height;
    options.collision = collision;
    options.animation_config = animation_config;
    options.write_images = !input.no_textures;
    return options;
}

Result<Scene> with_records(const Scene& scene) {
    auto bytes = gltf::write_glb(scene);
    if (!bytes) return fail(std::move(bytes.error()));
    auto file = gltf::read(*bytes);
    if (!file) return fail(std::move(file.error()));
    auto loaded = gltf::to_scene(file->value);
    if (!loaded) return fail(std::move(loaded.error()));
    return std::move(loaded->value);
}

void keep_pictures(std::vector<NewFile>& files, const std::filesystem::path& folder, Report& report) {
    std::erase_if(files, [&](const NewFile& file) {
        std::error_code error;
        if (!is_picture(file.name) || !std::filesystem::exists(folder / file.name, error)) return false;
        Diagnostic finding = make_error("output-picture-kept", (folder / file.name).string(),
                                        "There is a picture of this name already; it was not overwritten.");
        finding.severity = Severity::info;
        report.add(std::move(finding));
        return true;
    });
}

std::string replaced_input(const std::vector<NewFile>& files, const std::filesystem::path& folder,
                           const SceneInput& input) {
    for (const NewFile& file : files) {
        for (const std::string& path : input.inputs) {
            if (is_same_file((folder / file.name).string(), path)) return path;
        }
    }
    return {};
}

Result<Scene> there_and_back(const Scene& scene, const FormatInfo& format, const NativeOutput& output,
                             const SceneInput& input, Report& report) {
    const TemporaryFolder folder;
    if (folder.path().empty()) {
        return fail(make_error("output-create", input.output,
                               "no temporary folder can be made for the files on the way; set TMPDIR to a folder that "
                               "can be written to"));
    }
    const std::string stem = std::filesystem::path(input.inputs.front()).stem().string();
    const std::filesystem::path path =
        folder.path() / ((stem.empty() || stem == "-" ? "scene" : stem) + "." + std::string(format.extensions.front()));
    auto files = make_files(scene, path, output.options(input));
    if (!files) return fail(std::move(files.error()));
    report.append(std::move(files->report));
    add_known_pictures(scene, files->value);
    if (auto written = write_files(files->value, folder.path()); !written) return fail(std::move(written.error()));
    Report noticed;
    auto back = load_scene(input_of(files->value, folder.path(), input), noticed);
    // Which textures are lost is said by the comparison, without the folder.
    std::erase_if(noticed.diagnostics(), [](const Diagnostic& finding) { return finding.code == "texture-missing"; });
    report.append(std::move(noticed));
    if (!back) return back;
    take_off_prefix(*back, path.stem().string());
    DiffOptions options;
    options.limits = input.common.limits;
    auto difference = diff_scenes(scene, *back, options);
    if (!difference) return fail(std::move(difference.error()));
    report.append(std::move(*difference));
    return back;
}

}  // namespace effigy::app
