/// effigy render FOLDER --sheet: every model in it, one picture each.

#include <algorithm>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"
#include "effigy/program_codes.hpp"

#include "common.hpp"
#include "render.hpp"
#include "sheet.hpp"
#include "short_names.hpp"

namespace effigy::app {

namespace {

struct Contact {
    std::string path;
    std::string label;
};

bool is_model(const std::string& path) {
    const FormatInfo* format = format_of_file(path);
    // What is of no known format was named by the user: it gets its cell, which says so.
    return format == nullptr || (format->role == Role::model && format->to_scene);
}

std::vector<Contact> find_contacts(const RenderOptions& options, Report& report, int& code) {
    InputList list = collect_inputs(options.input.inputs);
    for (Diagnostic& problem : list.problems) {
        code = std::max(code, exit_code_of(problem));
        report.add(std::move(problem));
    }
    std::erase_if(list.paths, [](const std::string& path) { return !is_model(path); });
    const std::vector<std::string> names = without_common_path(list.paths);
    std::vector<Contact> contacts;
    for (std::size_t i = 0; i < names.size(); ++i) contacts.push_back({list.paths[i], names[i]});
    return contacts;
}

std::vector<std::string> labels_of(const std::vector<Contact>& contacts) {
    std::vector<std::string> labels;
    labels.reserve(contacts.size());
    for (const Contact& contact : contacts) labels.push_back(contact.label);
    return labels;
}

class ContactSheet {
public:
    ContactSheet(std::vector<Contact> contacts, const RenderOptions& options)
        : contacts_(std::move(contacts)),
          options_(options),
          cell_(picture_size(options, Form::contacts)),
          drawing_(drawing_options(options, cell_)),
          sheet_(labels_of(contacts_), cell_, drawing_.background, options.has_plain_letters()) {}

    [[nodiscard]] Result<void> draw(Report& report, int& code) {
        Progress progress("drawing", contacts_.size(), options_.input.common.quiet);
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            progress.step(i, contacts_[i].label);
            if (cancelled()) return fail(cancelled_error(options_.input));
            Report noticed;
            auto picture = picture_of(contacts_[i], noticed);
            if (cancelled()) return fail(cancelled_error(options_.input));
            if (picture) {
                sheet_.put(i, *picture);
            } else if (exit_code_of(picture.error()) == exit_code::usage) {
                return fail(std::move(picture.error()));
            } else {
                sheet_.put_word(i, word_for(picture.error()));
                code = std::max(code, exit_code_of(picture.error()));
                noticed.add(std::move(picture.error()));
            }
            noticed.name_file(contacts_[i].path);
            report.append(std::move(noticed));
        }
        return {};
    }

    [[nodiscard]] const image::Picture& picture() const noexcept { return sheet_.picture(); }

private:
    Result<image::Picture> picture_of(const Contact& contact, Report& report) {
        SceneInput input = options_.input;
        input.inputs = {contact.path};
        input.output = contact.path;
        input.allow_damaged = true;  // a picture of what is left says more than a word
        input.common.quiet = true;
        auto scene = load_scene(input, report);
        name_files(report, input);
        if (!scene) return fail(std::move(scene.error()));
        if (auto spared = spare_textures(*scene, input, {options_.output()}); !spared) return fail(spared.error());
        auto studio = Studio::open(std::move(*scene), {.collision = options_.collision}, input.common.limits, report);
        if (!studio) return fail(std::move(studio.error()));
        const float aspect = static_cast<float>(cell_.width) / static_cast<float>(cell_.height);
        if (auto done = studio->arrange({portrait(options_, contact.label)}, no_index, Framing::together, aspect);
            !done) {
            return fail(std::move(done.error()));
        }
        render::Options drawing = drawing_;
        if (studio->is_bare()) drawing.skeleton = true;
        auto picture = studio->draw(0, drawing);
        studio->note_blank(report);
        return picture;
    }

    static std::string word_for(const Diagnostic& failure) {
        return exit_code_of(failure) == exit_code::limit ? "too large" : "cannot be read";
    }

    std::vector<Contact> contacts_;
    const RenderOptions& options_;
    Size cell_;
    render::Options drawing_;
    Sheet sheet_;
};

/// One model of a run.
Result<batch::Outcome> draw_job(const batch::Task& task, const RenderOptions& options) {
    ConvertOptions loading = task.options;
    loading.quick_textures = true;
    loading.values.set("allow-damaged");  // a picture of what is left says more than none
    auto scene = effigy::load_scene(task.inputs, loading);
    if (!scene) return fail(std::move(scene.error()));
    batch::Outcome outcome{std::move(scene->report), {task.output.string()}};
    auto studio =
        Studio::open(std::move(scene->value), {.collision = options.collision}, task.options.limits, outcome.report);
    if (!studio) return fail(std::move(studio.error()));
    const Size size = picture_size(options, Form::contacts);
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const std::string name = task.plan.name(task.job);
    if (auto done = studio->arrange({portrait(options, name)}, no_index, Framing::together, aspect); !done)
        return fail(std::move(done.error()));
    render::Options drawing = drawing_options(options, size);
    if (studio->is_bare()) drawing.skeleton = true;
    if (options.threads == 0 && options.batch.jobs != 1) drawing.threads = 1;  // the others draw other models
    auto picture = studio->draw(0, drawing);
    studio->note_blank(outcome.report);
    outcome.report.name_file(task.inputs.front().path.string());
    auto bytes = picture ? image::encode_png(*picture) : Result<Bytes>(fail(std::move(picture.error())));
    if (!bytes) return fail(std::move(bytes.error()));
    if (auto written = batch::write_output(task, *bytes); !written) return fail(std::move(written.error()));
    return outcome;
}

}  // namespace

int draw_run(const RenderOptions& options) {
    const auto refuse = [&](const char* message) {
        return fail_run("render", make_finding(codes::usage_option, {}, message), options.input.common);
    };
    if (options.sheet || options.frames != 0 || options.frames_per_second != 0 || options.animate || options.turntable)
        return refuse("to a folder goes one picture of each model; a sheet of all is a file: -o all.png");
    if (!options.clip.name.empty() || options.clip.rest || options.time)
        return refuse(
            "of a folder each model is drawn in its own pose: --clip, --time and --rest are for "
            "one model");
    batch::Options run;
    run.kind = batch::Kind::models;
    run.convert.values = options.input.values;
    run.output = options.output();
    run.ending = ".png";
    run.report = options.input.report;
    run.purpose = "\n" + options.size + "\n" + options.view + "\n" + options.background + "\n" +
                  std::to_string(options.samples) + (options.wireframe ? " w" : "") + (options.skeleton ? " s" : "") +
                  (options.normals ? " n" : "") + (options.texcoords ? " t" : "") + (options.collision ? " c" : "");
    return run_batch("render", options.input.inputs, options.input.common, options.batch, std::move(run),
                     [&](const batch::Task& task) { return draw_job(task, options); });
}

int draw_contacts(const RenderOptions& options) {
    Report report;
    int code = exit_code::fine;
    std::vector<Contact> contacts = find_contacts(options, report, code);
    if (contacts.empty()) {
        return failed(make_finding(codes::input_none, options.input.inputs.front(), "there is no model here to draw"),
                      std::move(report), options.input);
    }
    const Size cell = picture_size(options, Form::contacts);
    if (const std::string problem = amount_problem(Form::contacts, contacts.size(), cell); !problem.empty())
        return failed("render", make_finding(codes::usage_option, {}, problem), std::move(report), options.input);
    RenderOutcome outcome{{options.output()}, Sheet::size_of(contacts.size(), cell), {}, {}};
    for (const Contact& contact : contacts) outcome.shots.push_back(portrait(options, contact.label));
    for (const Contact& contact : contacts) {
        if (is_same_file(contact.path, options.output()))
            return failed("render",
                          make_finding(codes::usage_output, {}, "the output is one of the inputs: " + contact.path),
                          std::move(report), options.input);
    }

    ContactSheet sheet(std::move(contacts), options);
    if (auto done = sheet.draw(report, code); !done) return failed(done.error(), std::move(report), options.input);
    if (const auto done = write_report(report, options.input); !done)
        return failed(done.error(), std::move(report), options.input);
    const auto bytes = image::encode_png(sheet.picture());
    if (!bytes) return failed(bytes.error(), std::move(report), options.input);
    if (auto done = write_bytes(options.output(), *bytes); !done)
        return failed(done.error(), std::move(report), options.input);
    return std::max(code, finish_render(outcome, report, options));
}

}  // namespace effigy::app
