#include "diff_pair.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "effigy/textures.hpp"

#include "scene_input.hpp"

namespace effigy::app {

namespace {

bool is_one_of(const FormatInfo& format, std::initializer_list<std::string_view> ids) {
    return std::find(ids.begin(), ids.end(), format.id) != ids.end();
}

bool is_gltf(const FormatInfo& format) { return is_one_of(format, {"glb", "gltf"}); }

/// Motions that show nothing without a model, and files that only say what others mean, are compared by their fields.
bool makes_scene(const FormatInfo& format) {
    return format.to_scene && format.role != Role::companion && !is_one_of(format, {"xpm", "cas"});
}

/// What they mean stands in their bytes alone.
bool is_self_contained(const FormatInfo& format) { return !is_one_of(format, {"component", "gltf", "xsm", "jarp"}); }

bool have_equal_bytes(const std::string& a, const std::string& b) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(a, error) || !std::filesystem::is_regular_file(b, error)) return false;
    if (std::filesystem::file_size(a, error) != std::filesystem::file_size(b, error) || error) return false;
    std::ifstream file_a(a, std::ios::binary), file_b(b, std::ios::binary);
    std::array<char, 65536> block_a{}, block_b{};
    while (file_a && file_b) {
        file_a.read(block_a.data(), block_a.size());
        file_b.read(block_b.data(), block_b.size());
        if (file_a.gcount() != file_b.gcount()) return false;
        if (!std::equal(block_a.begin(), block_a.begin() + file_a.gcount(), block_b.begin())) return false;
    }
    return file_a.eof() && file_b.eof();
}

/// One side of the comparison.
struct Side {
    SceneInput input;
    Sources sources;
    [[nodiscard]] SceneSource& source() { return sources.files.front(); }
    [[nodiscard]] const FormatInfo& format() const { return sources.files.front().document.format(); }
};

/// read_sources() passes over files that go with others.
Result<Side> read_companion(Side side, const std::string& path, Report& report) {
    auto loaded = open(path, side.input.common.limits);
    if (!loaded) return fail(std::move(loaded.error()));
    report.append(std::move(loaded->report));
    side.sources.files.push_back({std::move(loaded->value), path, 0, ""});
    return side;
}

Result<Side> read_side(const std::string& path, const DiffInput& input, Report& report) {
    Side side;
    side.input.common = input.common;
    side.input.game = input.game;
    side.input.inputs = {path};
    side.input.textures = input.textures;
    side.input.allow_damaged = true;
    side.input.common.quiet = true;
    if (is_companion(path)) return read_companion(std::move(side), path, report);
    auto sources = read_sources(side.input, report);
    if (!sources) return fail(std::move(sources.error()));
    side.sources = std::move(*sources);
    return side;
}

/// Names that come from a file's name are the same for both.
void share_names(Side& a, Side& b) {
    const FormatInfo& format = a.format();
    if (format.id != b.format().id || is_one_of(format, {"component", "xsm"}) || is_gltf(format)) return;
    b.source().path = b.source().path.parent_path() / a.source().path.filename();
}

/// A motion's clip is named after its file.
void share_clip_names(Scene& scene, const std::string& own, const std::string& shared) {
    const std::string stem = std::filesystem::path(own).stem().string();
    for (Clip& clip : scene.clips) {
        if (clip.name == stem) clip.name = std::filesystem::path(shared).stem().string();
    }
}

Report load_pictures(Scene& scene, const Side& side) {
    TextureOptions textures;
    textures.source = texture_source(side.sources.game.files);
    textures.folders = texture_folders(side.input);
    textures.limits = side.input.common.limits;
    return load_textures(scene, textures);
}

Result<Scene> scene_of(Side& side, const DiffInput& input, bool like_gltf, PairOutcome& outcome) {
    SceneSettings settings;
    settings.limits = input.common.limits;
    settings.encoding = input.common.encoding;
    settings.files = side.sources.game.files.empty() ? nullptr : &side.sources.game.files;
    auto loaded = to_scene(std::move(side.sources.files), settings);
    if (!loaded) return fail(std::move(loaded.error()));
    Report report = std::move(loaded->report);
    report.append(egosoft::resolve_materials(loaded->value, side.sources.game.materials, side.sources.game.expected));
    if (!input.textures.empty()) report.append(load_pictures(loaded->value, side));
    if (like_gltf) report.append(generate_missing_tangents(loaded->value));
    // What converting has to say counts only where it keeps something from being compared.
    for (Diagnostic& finding : report.diagnostics()) {
        if (finding.severity != Severity::error) continue;
        finding.file = side.input.inputs.front();
        outcome.damage.push_back(std::move(finding));
    }
    return std::move(loaded->value);
}

Result<Report> compare_sides(Side& a, Side& b, const DiffInput& input, PairOutcome& outcome) {
    const FormatInfo &format_a = a.format(), &format_b = b.format();
    if (!makes_scene(format_a) || !makes_scene(format_b))
        return diff_documents(a.source().document, b.source().document, input.options);
    share_names(a, b);
    const bool is_motion = format_a.id == "xsm" && format_b.id == "xsm";
    const bool like_gltf = is_gltf(format_a) != is_gltf(format_b);
    auto scene_a = scene_of(a, input, like_gltf, outcome);
    if (!scene_a) return fail(std::move(scene_a.error()));
    auto scene_b = scene_of(b, input, like_gltf, outcome);
    if (!scene_b) return fail(std::move(scene_b.error()));
    if (is_motion) share_clip_names(*scene_b, outcome.b, outcome.a);
    return diff_scenes(*scene_a, *scene_b, input.options);
}

void fail_pair(PairOutcome& outcome, Diagnostic failure, const std::string& path) {
    if (failure.file.empty()) failure.file = path;
    outcome.code = std::max(outcome.code, exit_code_of(failure));
    outcome.damage.push_back(std::move(failure));
}

void compare(PairOutcome& outcome, const DiffInput& input) {
    Report reading;
    auto a = read_side(outcome.a, input, reading);
    if (!a) return fail_pair(outcome, std::move(a.error()), outcome.a);
    auto b = read_side(outcome.b, input, reading);
    if (!b) return fail_pair(outcome, std::move(b.error()), outcome.b);
    if (reading.has_errors()) outcome.code = exit_code::findings;
    for (Diagnostic& finding : reading.diagnostics()) outcome.damage.push_back(std::move(finding));
    outcome.format_a = a->format().id;
    outcome.format_b = b->format().id;
    outcome.identical = have_equal_bytes(outcome.a, outcome.b);
    if (outcome.identical && is_self_contained(a->format())) return;
    auto report = compare_sides(*a, *b, input, outcome);
    if (!report) return fail_pair(outcome, std::move(report.error()), outcome.b);
    outcome.report = std::move(*report);
    if (outcome.report.count(Severity::warning) != 0) outcome.code = std::max(outcome.code, exit_code::findings);
}

}  // namespace

PairOutcome compare_files(const std::string& a, const std::string& b, const DiffInput& input) {
    PairOutcome outcome;
    outcome.a = a;
    outcome.b = b;
    compare(outcome, input);
    return outcome;
}

}  // namespace effigy::app
