/// The switches that conversions have whatever the format.

#include <array>
#include <string>

#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy {
namespace {

constexpr std::array<std::string_view, 1> all_levels{"all"};
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
    OptionDeclaration{
        .name = "allow-damaged", .help = "Convert what can be read of damaged inputs (exit code 1)", .reads = true},
    OptionDeclaration{
        .name = "embed-source", .help = "Keep the inputs' original bytes in extras", .reads = true, .rare = true},
    OptionDeclaration{.name = "normalize",
                      .help = "Same format: write true lengths instead of the declared ones",
                      .writes = true,
                      .rare = true},
    OptionDeclaration{
        .name = "fsync", .help = "Flush to the device before the file takes its name", .writes = true, .rare = true},
};

}  // namespace

std::span<const OptionDeclaration> general_options() noexcept { return declarations; }

}  // namespace effigy
