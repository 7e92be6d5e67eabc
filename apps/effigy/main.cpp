/// The program: one verb a file.

#include "common.hpp"

namespace {

constexpr const char* description =
    "Reads, writes, checks and converts the game-character formats that mainstream tools dropped, byte-exactly.\n"
    "Exit codes: 0 fine; 1 errors found or conversion failed; 2 wrong usage; 3 unreadable or unknown format;\n"
    "4 a limit was reached or cancelled.";

constexpr const char* examples =
    "Examples:\n"
    "  effigy info soldier.xac walk.xsm\n"
    "  effigy check models/ --json\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "`effigy VERB --help` says more.";

}  // namespace

int main(int argc, char** argv) {
    using namespace effigy::app;
    watch_for_cancel();
    CLI::App program(description, "effigy");
    program.footer(examples);
    program.set_version_flag("--version", "effigy " EFFIGY_VERSION);
    program.require_subcommand(1);
    Verb chosen;
    add_info(program, chosen);
    add_dump(program, chosen);
    add_build(program, chosen);
    add_check(program, chosen);
    add_convert(program, chosen);
    add_formats(program, chosen);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? exit_code::fine : exit_code::usage;
    }
    return chosen ? chosen() : exit_code::usage;
}
