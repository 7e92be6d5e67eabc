/// effigy info: what is in a file.

#include "common.hpp"

namespace effigy::app {

namespace {

struct Options {
    CommonOptions common;
    std::vector<std::string> paths;
};

std::string scalar_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

bool is_scalar_list(const Json& value) {
    return value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
}

std::string joined(const Json& list) {
    std::string text;
    for (const Json& item : list) text += (text.empty() ? "" : ", ") + scalar_text(item);
    return text;
}

std::string one_line(const Json& object) {
    std::string text;
    for (const auto& [key, value] : object.items()) {
        if (value.is_array() && value.empty()) continue;
        text += text.empty() ? "" : "  ";
        if (is_scalar_list(value)) {
            text += key + " " + joined(value);
        } else if (value.is_array()) {
            for (const Json& item : value) text += (text.empty() || text.back() == ' ' ? "" : "; ") + one_line(item);
        } else {
            text += key + " " + (value.is_object() ? one_line(value) : scalar_text(value));
        }
    }
    return text;
}

/// Names wrapped to the width of a terminal.
std::string wrapped(const Json& names, const std::string& margin) {
    constexpr std::size_t width = 110;
    std::string text, line = margin;
    for (const Json& name : names) {
        const std::string item = scalar_text(name);
        if (line.size() + item.size() + 2 > width && line.size() > margin.size()) {
            text += line + "\n";
            line = margin;
        }
        line += item + (&name == &names.back() ? "" : ", ");
    }
    return text + line + "\n";
}

void append_text(std::string& text, const Json& info, const std::string& margin) {
    for (const auto& [key, value] : info.items()) {
        if (value.is_array() && value.empty()) continue;
        if (value.is_object()) {
            text += margin + key + ": " + one_line(value) + "\n";
        } else if (is_scalar_list(value)) {
            text += margin + key + ":\n" + wrapped(value, margin + "  ");
        } else if (value.is_array()) {
            text += margin + key + ":\n";
            for (const Json& item : value) {
                if (item.contains("format")) {
                    append_text(text, item, margin + "  ");
                } else {
                    text += margin + "  " + one_line(item) + "\n";
                }
            }
        } else if (!scalar_text(value).empty()) {
            text += margin + key + ": " + scalar_text(value) + "\n";
        }
    }
}

int run(const Options& options) {
    const Result<std::vector<Input>> inputs = collect_inputs(options.paths);
    if (!inputs) {
        print_error(to_string(inputs.error()));
        return exit_code_of(inputs.error());
    }
    int worst = exit_code::fine;
    Json all = Json::array();
    Progress progress("reading", inputs->size(), options.common.quiet);
    for (std::size_t index = 0; index < inputs->size() && !cancelled(); ++index) {
        const Input& input = (*inputs)[index];
        progress.step(index, input.path);
        if (!input.named && !is_readable_format(input.path)) continue;
        const auto loaded = open(input.path, options.common.limits);
        if (!loaded) {
            print_error(to_string(loaded.error()));
            worst = std::max(worst, exit_code_of(loaded.error()));
            continue;
        }
        if (loaded->report.has_errors()) worst = std::max(worst, exit_code::findings);
        print_report(loaded->report, !options.common.quiet);
        Json info{{"file", input.path}};
        info.update(Json::parse(loaded->value.info({options.common.encoding}), nullptr, false));
        if (options.common.json) {
            all.push_back(std::move(info));
            continue;
        }
        std::string text;
        append_text(text, info, "");
        print(text + "\n");
    }
    if (options.common.json) print(all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return cancelled() ? exit_code::limit : worst;
}

}  // namespace

void add_info(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = program.add_subcommand("info", "Show what is in files: counts, nodes, materials, textures, bounds, producer");
    verb->add_option("PATH", options->paths, "Files or folders; - is standard input")->required();
    options->common.add_to(*verb);
    verb->footer("Bounds are in the scene's frame (right-handed, Y up) and the file's units.\n"
                 "Example: effigy info soldier.xac walk.xsm --json");
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
