/// The program: one verb a file.

#include <algorithm>
#include <array>
#include <string_view>

#include "command_line.hpp"
#include "common.hpp"

namespace {

constexpr const char* description =
    "effigy reads, writes, checks, shows and converts game-character formats that other tools dropped.";

constexpr const char* footer =
    "Exit codes: 0 fine; 1 errors found, or a conversion failed; 2 wrong usage;\n"
    "            3 unreadable or unknown format; 4 a limit was reached, or cancelled.\n"
    "\n"
    "Examples:\n"
    "  effigy info soldier.xac walk.xsm\n"
    "  effigy check models --json\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "  effigy render soldier.xac walk.xsm --time 0.4 -o soldier.png --textures gfx\n"
    "\n"
    "`effigy VERB --help` says more about a verb.";

struct VerbRow {
    std::string_view name;
    void (*add)(CLI::App& program, effigy::app::Verb& chosen);
};

/// The verb that is wanted, or all of them if that is none: building the command line of every verb would take longer
/// than most of what is asked for.
void add_verbs(CLI::App& program, effigy::app::Verb& chosen, std::string_view wanted) {
    using namespace effigy::app;
    constexpr std::array verbs{
        VerbRow{"info", add_info},       VerbRow{"check", add_check}, VerbRow{"diff", add_diff},
        VerbRow{"convert", add_convert}, VerbRow{"pose", add_pose},   VerbRow{"render", add_render},
        VerbRow{"dump", add_dump},       VerbRow{"build", add_build}, VerbRow{"ls", add_ls},
        VerbRow{"unpack", add_unpack},   VerbRow{"pack", add_pack},   VerbRow{"formats", add_formats}};
    const bool is_verb =
        std::any_of(verbs.begin(), verbs.end(), [&](const VerbRow& verb) { return verb.name == wanted; });
    for (const VerbRow& verb : verbs) {
        if (!is_verb || verb.name == wanted) verb.add(program, chosen);
    }
}

}  // namespace

int main(int argc, char** argv) {
    using namespace effigy::app;
    watch_for_cancel();
    CLI::App program(description, "effigy");
    program.formatter(std::make_shared<HelpFormatter>());
    program.footer(footer);
    program.set_version_flag("--version", "effigy " EFFIGY_VERSION, "Print the version and exit");
    program.get_help_ptr()->description("Print this help and exit");
    program.require_subcommand(1);
    Verb chosen;
    add_verbs(program, chosen, argc > 1 ? argv[1] : "");
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finish_parse(program, error);
    }
    return chosen ? chosen() : exit_code::usage;
}
