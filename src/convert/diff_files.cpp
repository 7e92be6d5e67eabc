/// Two files, compared as the scenes that they make or in their fields.

#include <system_error>
#include <utility>

#include "effigy/convert.hpp"
#include "effigy/diff.hpp"
#include "effigy/diff_codes.hpp"
#include "effigy/textures.hpp"

#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/output.hpp"
#include "core/problem.hpp"

namespace effigy {
namespace conversion {
namespace {

/// Motions that show nothing without a model, and files that only say what others mean, are compared by their fields.
bool makes_scene(const FormatInfo& format) {
    return format.to_scene && format.role != Role::companion && format.traits.shows_alone;
}

bool are_on_disk(const InputFile& a, const InputFile& b) {
    std::error_code error;
    return !a.bytes && !b.bytes && std::filesystem::is_regular_file(a.path, error) &&
           std::filesystem::is_regular_file(b.path, error);
}

/// Of what is read from elsewhere only what was read is there, which is written as it was.
bool are_written_alike(const Document& a, const Document& b) {
    const auto bytes_a = a.write({}), bytes_b = b.write({});
    return bytes_a && bytes_b && *bytes_a == *bytes_b;
}

Result<Sources> read_side(const InputFile& input, const ConvertOptions& options, Report& report) {
    Sources side;
    side.inputs = {input.path};
    auto around = open_all_surroundings({input}, formats_of({input}, options), options, report);
    if (!around) return fail(std::move(around.error()));
    side.surroundings = std::move(*around);
    auto source = read_source(input, side.surroundings, options, report);
    if (!source) return fail(std::move(source.error()));
    side.files.push_back(std::move(*source));
    return side;
}

Result<Scene> scene_of(Sources side, bool with_tangents, const ConvertOptions& options, FileDifference& difference) {
    Report report;
    auto scene = join(side, options, report);
    if (!scene) return scene;
    if (options.values.has("textures")) report.append(add_textures(*scene, side, options));
    if (with_tangents) report.append(generate_missing_tangents(*scene));
    // What converting has to say counts only where it keeps something from being compared.
    for (Diagnostic& finding : report.diagnostics()) {
        if (finding.severity != Severity::error) continue;
        finding.file = side.inputs.front().string();
        difference.damage.push_back(std::move(finding));
    }
    return scene;
}

Result<Report> compare(Sources a, Sources b, const DiffOptions& diff_options, const ConvertOptions& options,
                       FileDifference& difference) {
    SceneSource &file_a = a.files.front(), &file_b = b.files.front();
    const FormatInfo &format_a = file_a.document.format(), &format_b = file_b.document.format();
    if (!makes_scene(format_a) || !makes_scene(format_b))
        return diff_documents(file_a.document, file_b.document, diff_options);
    // What is called after its file is called alike.
    if (format_a.id == format_b.id) file_b.name = file_a.named();
    // Exchange formats have tangents where what they were made from has none.
    const bool with_tangents = format_a.traits.is_exchange != format_b.traits.is_exchange;
    auto scene_a = scene_of(std::move(a), with_tangents, options, difference);
    if (!scene_a) return fail(std::move(scene_a.error()));
    auto scene_b = scene_of(std::move(b), with_tangents, options, difference);
    if (!scene_b) return fail(std::move(scene_b.error()));
    return diff_scenes(*scene_a, *scene_b, diff_options);
}

/// Of files with the same bytes: whether what is read with them differs.
void note_beside(Sources a, Sources b, const DiffOptions& diff_options, const ConvertOptions& options,
                 FileDifference& difference) {
    FileDifference beside;
    const auto report = compare(std::move(a), std::move(b), diff_options, options, beside);
    const std::size_t count = report ? report->count(Severity::warning) : 0;
    if (count != 0) difference.report.add(problem_at({}, codes::diff_beside, {}, std::to_string(count), "0"));
}

}  // namespace
}  // namespace conversion

Result<FileDifference> diff_files(const InputFile& a, const InputFile& b, const DiffOptions& diff_options,
                                  const ConvertOptions& options) {
    using namespace conversion;
    return without_exceptions([&]() -> Result<FileDifference> {
        FileDifference difference;
        if (auto checked = check_options(options.values, options.formats().options()); !checked)
            return fail(std::move(checked.error()));
        Report reading;
        const auto failed = [&](Diagnostic failure, const InputFile& input) {
            if (failure.file.empty()) failure.file = input.path.string();
            return stop<FileDifference>(std::move(failure), std::move(reading), options);
        };
        auto side_a = read_side(a, options, reading);
        if (!side_a) return failed(std::move(side_a.error()), a);
        auto side_b = read_side(b, options, reading);
        if (!side_b) return failed(std::move(side_b.error()), b);
        difference.format_a = side_a->files.front().document.format().id;
        difference.format_b = side_b->files.front().document.format().id;
        difference.damage = std::move(reading.diagnostics());
        difference.is_damaged = std::any_of(difference.damage.begin(), difference.damage.end(),
                                            [](const Diagnostic& one) { return one.severity == Severity::error; });
        difference.identical = a.bytes && b.bytes ? *a.bytes == *b.bytes
                               : are_on_disk(a, b)
                                   ? have_same_bytes(a.path, b.path)
                                   : are_written_alike(side_a->files.front().document, side_b->files.front().document);
        if (difference.identical) {  // whatever they are called
            if (side_a->files.front().document.format().traits.reads_beside)
                note_beside(std::move(*side_a), std::move(*side_b), diff_options, options, difference);
            return difference;
        }
        auto report = compare(std::move(*side_a), std::move(*side_b), diff_options, options, difference);
        if (!report) return failed(std::move(report.error()), b);
        difference.report = std::move(*report);
        return difference;
    });
}

}  // namespace effigy
