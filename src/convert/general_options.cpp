/// The switches that conversions have whatever the format; docs/options.md, and what is supported as JSON, from the
/// declarations.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "effigy/convert.hpp"

#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy {

namespace {

constexpr std::array<std::string_view, 1> all_levels{"all"};
constexpr std::array<std::string_view, 3> texture_choices{"keep", "png", "dds"};
constexpr std::array<std::string_view, 3> green_choices{"auto", "flip", "keep"};
constexpr std::array<std::string_view, 3> layout_choices{"auto", "rgb", "ag"};

std::string encoding_problem(std::string_view name) {
    if (is_known_encoding(std::string(name))) return {};
    return "the code page " + std::string(name) + " is not known; `iconv -l` lists the known ones";
}

constexpr std::array declarations{
    OptionDeclaration{.name = "to",
                      .type = OptionType::text,
                      .help = "Format to write, if the output's extension does not say it",
                      .argument = "FORMAT",
                      .writes = true},
    OptionDeclaration{.name = "via",
                      .type = OptionType::text,
                      .help = "There and back through this format, of which nothing is kept: the report says what it "
                              "loses, and the output, if there is one, holds what is left",
                      .argument = "FORMAT",
                      .writes = true},
    OptionDeclaration{.name = "textures",
                      .type = OptionType::path,
                      .help = "Folder to search for textures, before the inputs' own; may be repeated",
                      .argument = "DIR",
                      .reads = true,
                      .repeats = true},
    OptionDeclaration{.name = "motions",
                      .type = OptionType::path,
                      .help = "Folder to search for motions that fit the model (docs/match.md); may be repeated",
                      .argument = "DIR",
                      .reads = true,
                      .repeats = true},
    OptionDeclaration{.name = "no-textures", .help = "Leave out all textures", .reads = true, .excludes = "textures"},
    OptionDeclaration{
        .name = "normal-map-green",
        .type = OptionType::choice,
        .help = "Green of normal maps: flip, keep, or auto (flips, as these games' maps are DirectX-style)",
        .argument = "HOW",
        .default_value = "auto",
        .choices = green_choices,
        .reads = true},
    OptionDeclaration{
        .name = "normal-map-layout",
        .type = OptionType::choice,
        .help = "Normal maps hold x, y, z in red, green, blue (rgb), or x in alpha and y in green (ag); auto looks",
        .argument = "HOW",
        .default_value = "auto",
        .choices = layout_choices,
        .reads = true},
    OptionDeclaration{.name = "lod",
                      .type = OptionType::integer,
                      .help = "Level of detail to write: 0, 1, ..., or all: level 0 shown, the others as MSFT_lod",
                      .argument = "LEVEL",
                      .default_value = "all",
                      .max = 999,
                      .range_text = "a level (0, 1, ...) or all is needed",
                      .choices = all_levels,
                      .reads = true},
    OptionDeclaration{.name = "resample",
                      .type = OptionType::number,
                      .help = "Bake motions at this many frames a second, exactly as the engine plays them",
                      .argument = "FPS",
                      .min = 0.001,
                      .max = 10000,
                      .range_text = "frames a second between 0.001 and 10000 are needed",
                      .reads = true},
    OptionDeclaration{.name = "encoding",
                      .type = OptionType::text,
                      .help = "Code page of names that are not UTF-8, e.g. CP949 for Korean games",
                      .argument = "CODEPAGE",
                      .default_value = "CP1252",
                      .reads = true,
                      .writes = true,
                      .way_back = true,
                      .problem = encoding_problem},
    OptionDeclaration{.name = "clips",
                      .type = OptionType::text,
                      .help = "Write only these of the animations: NAME or NAME,NAME; may be repeated",
                      .argument = "NAMES",
                      .writes = true,
                      .repeats = true},
    OptionDeclaration{.name = "attach",
                      .type = OptionType::text,
                      .help = "Hang a model on a node: hat.xac@Head; may be repeated",
                      .argument = "FILE@NODE",
                      .reads = true,
                      .repeats = true},
    OptionDeclaration{.name = "split",
                      .help = "Take a model that was put together from several (--attach, several inputs) apart again: "
                              "the first as the output, the others beside it",
                      .writes = true},
    OptionDeclaration{
        .name = "allow-damaged", .help = "Convert what can be read of damaged inputs (exit code 1)", .reads = true},
    OptionDeclaration{
        .name = "embed-source", .help = "Keep the inputs' original bytes in extras", .reads = true, .rare = true},
    OptionDeclaration{.name = "normalize",
                      .help = "Same format: write true lengths instead of the declared ones",
                      .writes = true,
                      .rare = true},
    OptionDeclaration{
        .name = "textures-as",
        .type = OptionType::choice,
        .help =
            "To a game's files: pictures as DDS, as PNG, or as they are; DDS where --target names a game, and always "
            "in mods",
        .argument = "FORM",
        .choices = texture_choices,
        .writes = true},
    OptionDeclaration{.name = "overwrite",
                      .help = "Replace what is there under the same names, whoever made or changed it: pictures beside "
                              "a model, files beside a new output, models and motions in the folder of a game, "
                              "components of mods, and outputs in a run over folders",
                      .writes = true},
    OptionDeclaration{
        .name = "fsync", .help = "Flush to the device before the file takes its name", .writes = true, .rare = true},
};

}  // namespace

std::span<const OptionDeclaration> general_options() noexcept { return declarations; }

namespace {

std::string value_text(const OptionDeclaration& option) {
    std::string text;
    const auto number = [](double value) {
        std::string digits = std::to_string(value);
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.ends_with('.')) digits.pop_back();
        return digits;
    };
    switch (option.type) {
        case OptionType::flag:
            return "flag";
        case OptionType::integer:
        case OptionType::number:
            text = number(option.min) + " to " + number(option.max);
            break;
        case OptionType::choice:
            break;
        case OptionType::text:
            text = "text";
            break;
        case OptionType::path:
            text = "path";
            break;
    }
    for (const std::string_view choice : option.choices)
        text += (text.empty() ? "`" : ", `") + std::string(choice) + "`";
    return text + (option.repeats ? ", repeated" : "");
}

std::string formats_text(const DeclaredOption& option, bool reads, const Registry& registry) {
    if (!(reads ? option.declaration.reads : option.declaration.writes)) return "";
    if (option.family.empty() || option.declaration.locates) return "all";
    std::string text;
    for (const FormatInfo& format : registry.formats()) {
        const auto& only = option.declaration.formats;
        const bool named = only.empty() || std::find(only.begin(), only.end(), format.id) != only.end();
        if (format.family == option.family && named && (reads ? format.to_scene : format.from_scene))
            text += (text.empty() ? "" : ", ") + std::string(format.id);
    }
    return text;
}

std::string row(const DeclaredOption& option, const Registry& registry) {
    const OptionDeclaration& declaration = option.declaration;
    const std::string fallback =
        declaration.default_value.empty() ? "" : "`" + std::string(declaration.default_value) + "`";
    std::string help(declaration.help);
    return "| `" + std::string(declaration.name) + "` | " + value_text(declaration) + " | " + fallback + " | " +
           formats_text(option, true, registry) + " | " + formats_text(option, false, registry) + " | " + help + " |\n";
}

}  // namespace

std::string options_page(const Registry& registry) {
    std::string page =
        "# Options of conversions\n\n"
        "This page is made from the declarations in the code; `EFFIGY_RENEW=1 test_convert` writes it anew.\n\n"
        "On the command line, `max-error` is `--max-error`; in C++ it is `options.values.set(\"max-error\", "
        "\"0.001\")` "
        "([effigy/convert.hpp](../include/effigy/convert.hpp)); `effigy formats --json` lists the same by format. "
        "\"Read\" and \"written\" name the formats that an option says something about when files become a scene, or a "
        "scene becomes files.\n\n"
        "A conversion replaces the output that was named, and with it the files that go with it. Where the output is "
        "new, files that would go with it and are there already are somebody else's: unless they are the very same, "
        "nothing is written (`output-kept`). So it is with models, motions and their texts in the folder of a game, "
        "where no output is named; definitions and lists are extended, and what belongs to an X4 component goes with "
        "it. `overwrite` replaces them, but never an input or what one refers to. Of a "
        "game's pictures those stay that were not written for the model (`output-picture-kept`). Pictures that are "
        "written for a game say for which model: in a PNG's text, a comment of JPEG or gzip, or a DDS header's "
        "reserved bytes. That changes no pixel, and a game's own file that is written again has none.\n";
    std::vector<std::string_view> families{""};
    for (const FamilyRow* family : registry.families()) families.push_back(family->name);
    for (const std::string_view family : families) {
        std::string rows;
        for (const bool rare : {false, true}) {
            for (const DeclaredOption& option : registry.options()) {
                if (option.family == family && option.declaration.rare == rare) rows += row(option, registry);
            }
        }
        if (rows.empty()) continue;
        const FamilyRow* known = registry.family(family);
        page += "\n## " + std::string(known == nullptr ? "General" : known->title) +
                "\n\n| option | value | default | read | written | what it does |\n|---|---|---|---|---|---|\n" + rows;
    }
    return page;
}

namespace {

const char* role_name(Role role) {
    constexpr std::array<const char*, 6> names{"model", "motion", "companion", "library", "archive", "scene"};
    return names[static_cast<std::size_t>(role)];
}

const char* type_name(OptionType type) {
    constexpr std::array<const char*, 6> names{"flag", "integer", "number", "choice", "text", "path"};
    return names[static_cast<std::size_t>(type)];
}

Json option_json(const OptionDeclaration& option) {
    Json json{{"name", option.name}, {"type", type_name(option.type)}, {"help", option.help}};
    if (!option.default_value.empty()) json["default"] = option.default_value;
    if (option.type == OptionType::integer || option.type == OptionType::number) {
        json["min"] = option.min;
        json["max"] = option.max;
    }
    for (const std::string_view choice : option.choices) json["choices"].push_back(choice);
    json["repeats"] = option.repeats;
    return json;
}

/// The switches that say something about files of a format, by direction.
Json switches_json(const FormatInfo& format, const Registry& registry) {
    Json read = Json::array(), write = Json::array();
    for (const DeclaredOption& option : registry.options()) {
        if (!applies(option, format)) continue;
        if (option.declaration.reads && format.to_scene) read.push_back(option_json(option.declaration));
        if (option.declaration.writes && format.from_scene) write.push_back(option_json(option.declaration));
    }
    return {{"read", std::move(read)}, {"write", std::move(write)}};
}

Json format_json(const FormatInfo& format, const Registry& registry) {
    Json extensions = Json::array();
    for (const std::string_view extension : format.extensions) extensions.push_back(extension);
    return {{"id", format.id},
            {"name", format.name},
            {"family", format.family},
            {"role", role_name(format.role)},
            {"extensions", std::move(extensions)},
            {"versions", format.versions},
            {"read", format.reads},
            {"write", format.writes},
            {"to_scene", format.to_scene},
            {"from_scene", format.from_scene},
            {"options", switches_json(format, registry)}};
}

}  // namespace

std::string formats_json(const Registry& registry) {
    Json list = Json::array();
    for (const FormatInfo& format : registry.formats()) list.push_back(format_json(format, registry));
    return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace effigy
