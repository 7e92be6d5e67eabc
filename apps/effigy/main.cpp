/// The program: one verb a file.

#include "command_line.hpp"
#include "common.hpp"

namespace {

constexpr const char* description =
    "effigy reads, writes, checks and converts the game-character formats that mainstream tools dropped.";

constexpr const char* footer =
    "Exit codes: 0 fine; 1 errors found, or a conversion failed; 2 wrong usage;\n"
    "            3 unreadable or unknown format; 4 a limit was reached, or cancelled.\n"
    "\n"
    "Examples:\n"
    "  effigy info soldier.xac walk.xsm\n"
    "  effigy check models --json\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "\n"
    "`effigy VERB --help` says more about a verb.";

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
    add_info(program, chosen);
    add_check(program, chosen);
    add_convert(program, chosen);
    add_pose(program, chosen);
    add_render(program, chosen);
    add_dump(program, chosen);
    add_build(program, chosen);
    add_formats(program, chosen);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finish_parse(program, error);
    }
    return chosen ? chosen() : exit_code::usage;
}
