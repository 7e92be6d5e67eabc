/// effigy dump: every field of a file.

#include "common.hpp"

namespace effigy::app {

namespace {

struct Options {
    CommonOptions common;
    std::string path;
    std::string output = "-";
    bool hex = false;
    bool expand = false;
};

void append_tree(std::string& text, const Json& nodes, const std::string& margin) {
    constexpr std::size_t most_shown = 100;
    for (const Json& node : nodes) {
        std::string offset = std::to_string(node["offset"].get<std::uint64_t>());
        text += std::string(10 - std::min<std::size_t>(offset.size(), 9), ' ') + offset + "  " + margin + node["name"].get<std::string>();
        const Json& value = node["value"];
        if (node["type"] == "record") {
            text += "  (" + std::to_string(node["size"].get<std::uint64_t>()) + " bytes)\n";
            append_tree(text, value, margin + "  ");
            continue;
        }
        const std::string type = node["type"].get<std::string>();
        std::string shown = type.ends_with("[]") && value.is_string() ? std::to_string(node["size"].get<std::uint64_t>()) + " bytes"
                                                                       : value.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (shown.size() > most_shown) shown = shown.substr(0, most_shown) + "...";
        text += " = " + shown + "  " + type + "\n";
    }
}

int run(const Options& options) {
    const auto loaded = open(options.path, options.common.limits);
    if (!loaded) {
        print_error(to_string(loaded.error()));
        return exit_code_of(loaded.error());
    }
    print_report(loaded->report, !options.common.quiet);
    std::string text;
    if (options.hex) {
        text = loaded->value.hex_map();
    } else {
        text = loaded->value.dump({options.expand});
        if (options.common.json) {
            text += "\n";
        } else {
            const Json dump = Json::parse(text);
            text.clear();
            append_tree(text, dump["value"], "");
        }
    }
    if (options.output == "-") {
        print(text);
    } else if (auto done = write_text(options.output, text); !done) {
        print_error(to_string(done.error()));
        return exit_code::findings;
    }
    return loaded->report.has_errors() ? exit_code::findings : exit_code::fine;
}

}  // namespace

void add_dump(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = program.add_subcommand("dump", "Show every field of a file with its byte offset");
    verb->add_option("FILE", options->path, "The file; - is standard input")->required();
    verb->add_option("-o,--output", options->output, "Where to write; - is standard output")->capture_default_str();
    CLI::Option* hex = verb->add_flag("--hex", options->hex, "An annotated hex map");
    verb->add_flag("--expand", options->expand, "Blocks (vertices, indices, keys) as numbers instead of base64")->excludes(hex);
    options->common.add_to(*verb);
    verb->get_option("--json")->excludes(hex);
    verb->footer("The JSON form goes back to bytes with `effigy build`; unedited, to the very same bytes.\n"
                 "Example: effigy dump soldier.xac --json > soldier.json");
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
