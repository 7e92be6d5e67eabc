/// The program: one verb a file.

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/core_codes.hpp"

#include "batch.hpp"
#include "command_line.hpp"
#include "common.hpp"
#include "declared_options.hpp"
#include "manual.hpp"

namespace {

constexpr const char* description =
    "effigy reads, writes, checks, shows and converts game-character formats that other tools dropped.";

constexpr const char* main_footer =
    "Exit codes: 0 fine; 1 errors found, or a conversion failed; 2 wrong usage;\n"
    "            3 unreadable or unknown format; 4 a limit was reached, or cancelled.\n"
    "\n"
    "Examples:\n"
    "  effigy info soldier.xac walk.xsm\n"
    "  effigy check models --json\n"
    "  effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx\n"
    "  effigy render soldier.xac walk.xsm --time 0.4 -o soldier.png --textures gfx\n"
    "  effigy view soldier.xac walk.xsm --textures gfx --no-open\n"
    "\n"
    "`effigy help VERB` says more about a verb.";

struct VerbRow {
    std::string_view name;
    void (*add)(CLI::App& program, effigy::app::Verb& chosen);
};

constexpr std::array verbs{VerbRow{"info", effigy::app::add_info},       VerbRow{"check", effigy::app::add_check},
                           VerbRow{"diff", effigy::app::add_diff},       VerbRow{"match", effigy::app::add_match},
                           VerbRow{"convert", effigy::app::add_convert}, VerbRow{"pose", effigy::app::add_pose},
                           VerbRow{"render", effigy::app::add_render},   VerbRow{"view", effigy::app::add_view},
                           VerbRow{"dump", effigy::app::add_dump},       VerbRow{"build", effigy::app::add_build},
                           VerbRow{"ls", effigy::app::add_ls},           VerbRow{"unpack", effigy::app::add_unpack},
                           VerbRow{"pack", effigy::app::add_pack},       VerbRow{"report", effigy::app::add_report},
                           VerbRow{"formats", effigy::app::add_formats}};

bool is_verb(std::string_view word) {
    return std::any_of(verbs.begin(), verbs.end(), [&](const VerbRow& verb) { return verb.name == word; });
}

/// The verb that is wanted, or all of them if that is none and not just the version is asked for: building the command
/// line of every verb would take longer than most of what is asked for.
void add_verbs(CLI::App& program, effigy::app::Verb& chosen, std::string_view wanted) {
    if (wanted == "--version") return;
    for (const VerbRow& verb : verbs) {
        if (!is_verb(wanted) || verb.name == wanted) verb.add(program, chosen);
    }
    if (wanted == "manual") effigy::app::add_manual(program, chosen);  // which needs to know the others
}

/// `effigy help VERB` is `effigy VERB --help`; what is no verb is left to be complained of.
std::vector<std::string> with_help_first(std::vector<std::string> words) {
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    if (words.empty() || is_verb(words.front())) words.emplace_back("--help");
    return words;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace effigy::app;
    watch_for_cancel();
    CLI::App program(description, "effigy");
    program.formatter(std::make_shared<HelpFormatter>());
    program.footer(main_footer);
    program.set_version_flag("--version", "effigy " EFFIGY_VERSION, "Print the version and exit");
    program.get_help_ptr()->description("Print this help and exit");
    program.require_subcommand(1);
    Verb chosen;
    std::vector<std::string> words = with_help_first({argv + 1, argv + argc});
    add_verbs(program, chosen, words.empty() ? "" : words.front());
    words = with_values_of_lone_switches(program, std::move(words));
    try {
        program.parse(std::vector(words.rbegin(), words.rend()));  // CLI11 takes them from the end
    } catch (const CLI::ParseError& error) {
        return finish_parse(program, error);
    }
    try {
        return chosen ? chosen() : exit_code::usage;
    } catch (const std::bad_alloc&) {
        return fail_with(make_finding(effigy::codes::out_of_memory, {}, "there is not enough memory for this"));
    }
}
