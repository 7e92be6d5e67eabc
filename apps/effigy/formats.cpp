/// effigy formats: what is supported.

#include "effigy/convert.hpp"

#include "common.hpp"

namespace effigy::app {

namespace {

int run_formats(bool json) {
    if (json) {
        print(formats_json());
        return exit_code::fine;
    }
    const auto cell = [](std::string value, std::size_t width) {
        return value.resize(std::max(width, value.size()), ' '), value;
    };
    std::size_t width = 7;
    for (const FormatInfo& format : formats()) width = std::max(width, format.id.size());
    std::string text = cell("format", width + 2) + "read  write  to glTF  what\n";
    for (const FormatInfo& format : formats()) {
        const auto yes = [](bool value) { return std::string(value ? "yes" : "-"); };
        text += cell(std::string(format.id), width + 2) + cell(yes(format.reads), 6) +
                cell(yes(format.writes || format.from_scene), 7) + cell(yes(format.to_scene), 9) +
                std::string(format.name) + "\n" + std::string(width + 24, ' ') + std::string(format.versions) + "\n";
    }
    print(text);
    return exit_code::fine;
}

}  // namespace

void add_formats(CLI::App& program, Verb& chosen) {
    auto json = std::make_shared<bool>(false);
    CLI::App* verb = add_verb(program, "formats", "List what is supported, by format, version and direction.",
                              "Examples:\n"
                              "  effigy formats\n"
                              "  effigy formats --json");
    verb->add_flag("--json", *json, "Print JSON for programs instead of text");
    verb->callback([json, &chosen] { chosen = [json] { return run_formats(*json); }; });
}

}  // namespace effigy::app
