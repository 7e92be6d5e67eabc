/// effigy dump: every field of a file.

#include <array>
#include <fstream>

#include "effigy/convert.hpp"
#include "effigy/program_codes.hpp"

#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct DumpArguments {
    CommonOptions common;
    OptionValues values;
    std::string path;
    std::string output = "-";
    bool hex = false;
    bool expand = false;
};

std::string aligned(std::uint64_t number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// Cuts long text, between UTF-8 characters.
std::string shortened(std::string text) {
    constexpr std::size_t max_shown = 100;
    if (text.size() <= max_shown) return text;
    std::size_t end = max_shown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
    return text.substr(0, end) + "...";
}

std::string value_text(const Json& node, const std::string& encoding) {
    const Json& value = node["value"];
    const std::string type = node["type"].get<std::string>();
    if (type.ends_with("[]") && value.is_null()) return counted(node["size"].get<std::uint64_t>(), "byte");
    if (type == "string" && value.is_object())
        return Json(text_of_base64(value["bytes"].get<std::string>(), encoding))
            .dump(-1, ' ', false, Json::error_handler_t::replace);
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void append_tree(std::string& text, const Json& nodes, const std::string& margin, const std::string& encoding) {
    for (const Json& node : nodes) {
        text += aligned(node["offset"].get<std::uint64_t>(), 10) + aligned(node["size"].get<std::uint64_t>(), 10) +
                "  " + margin + node["name"].get<std::string>();
        if (node["type"] == "record") {
            text += "\n";
            append_tree(text, node["value"], margin + "  ", encoding);
        } else {
            text += " = " + value_text(node, encoding) + "  " + node["type"].get<std::string>() + "\n";
        }
    }
}

Result<std::string> dump_text(const Document& document, const DumpArguments& options) {
    const bool shows_blocks = options.expand || options.common.json;
    const DumpOptions how{options.expand, options.common.limits, shows_blocks};
    if (options.hex) return document.hex_map(how);
    Result<std::string> json = document.dump(how);
    if (!json) return json;
    if (options.common.json) return *json + "\n";
    const Json dump = Json::parse(*json);
    json->clear();
    std::string text = "    offset      size  field = value  type\n";
    append_tree(text, dump["value"], "", options.values.text("encoding", InfoOptions().encoding));
    return text;
}

/// Whether the output is a buffer or a texture that the input refers to: only reading all of it tells, which no dump
/// that is written again is worth.
bool is_referred_to(const DumpArguments& options, std::string_view text) {
    std::error_code error;
    if (options.path == "-" || !std::filesystem::is_regular_file(options.output, error)) return false;
    std::array<char, 16> there{};
    std::ifstream(options.output, std::ios::binary).read(there.data(), there.size());
    if (text.starts_with(std::string_view(there.data(), there.size()))) return false;
    const ReadFiles read;
    ConvertOptions reading;
    reading.limits = options.common.limits;
    read.note(reading);
    static_cast<void>(load_scene({options.path}, reading));
    return read.contains(options.output);
}

int run_dump(const DumpArguments& options) {
    if (is_same_file(options.path, options.output))
        return fail_usage("dump", "the output is the input; inputs are never changed", options.common);
    const auto loaded = open(options.path, options.common.limits);
    if (!loaded) return fail_with(loaded.error(), options.common);
    print_report(loaded->report, options.common);
    Result<std::string> text = dump_text(loaded->value, options);
    if (!text) {
        text.error().file = options.path;
        return fail_with(text.error(), options.common);
    }
    if (is_referred_to(options, *text))
        return fail_with(
            make_finding(codes::usage_output, options.output, "the input refers to this file; write another one"),
            options.common);
    if (options.output == "-") {
        print(*text);
    } else if (const auto done = write_text(options.output, *text); !done) {
        return fail_with(done.error(), options.common);
    }
    return loaded->report.has_errors() ? exit_code::findings : exit_code::fine;
}

constexpr const char* dump_footer =
    "The JSON form goes back to bytes with `effigy build`; unedited, to the very same bytes. Damaged\n"
    "files are dumped as far as they can be read, the rest as bytes; the exit code is then 1. There is\n"
    "no dump of tables of contents that are cut off (XMF, ANI, X42) and of XML that is not well-formed.\n"
    "\n"
    "Examples:\n"
    "  effigy dump soldier.xac | head -20\n"
    "  effigy dump soldier.xac --hex -o soldier.txt\n"
    "  effigy dump soldier.xac --json -o soldier.json";

}  // namespace

void add_dump(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_dump, "dump",
                                          "Show every field of a file with its byte offset and size.", dump_footer);
    verb->add_option("FILE", options->path, "The file; - is standard input")->required();
    verb->add_option("-o,--output", options->output, "Where to write; - is standard output")
        ->capture_default_str()
        ->option_text("FILE");
    options->common.add_json(*verb);
    CLI::Option* hex =
        verb->add_flag("--hex", options->hex, "Print a hex map with a comment on every field")->excludes("--json");
    verb->add_flag("--expand", options->expand,
                   "Show blocks (vertices, indices, keys) as numbers; in JSON instead of base64")
        ->excludes(hex);
    add_encoding_option(*verb, options->values);
    options->common.add_limit(*verb);
    options->common.add_quiet(*verb);
}

}  // namespace effigy::app
