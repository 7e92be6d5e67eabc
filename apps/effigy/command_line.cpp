/// Columns, groups and widths of --help; the words about a wrong command line.

#include "command_line.hpp"

#include <cstdio>
#include <sstream>

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

constexpr std::size_t left_column = 30;
constexpr std::size_t page_width = 100;

/// "  left          right", the right column wrapped.
std::string two_columns(const std::string& left, const std::string& right) {
    std::string text;
    std::string line = "  " + left;
    if (line.size() + 2 > left_column) {
        text = line + "\n";
        line.clear();
    }
    line.resize(left_column, ' ');
    std::istringstream words(right);
    for (std::string word; words >> word;) {
        if (line.size() + word.size() > page_width) {
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line.assign(left_column, ' ');
        }
        line += word + " ";
    }
    return text + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string option_label(const CLI::Option& option, bool is_positional) {
    if (is_positional) return option.get_name(true, false);
    std::string names;
    for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
    for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
    names.resize(names.size() - 2);
    return option.get_option_text().empty() ? names : names + " " + option.get_option_text();
}

std::vector<std::string> verb_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

std::string did_you_mean(const std::string& suggestion) {
    return suggestion.empty() ? "" : "; did you mean " + suggestion + "?";
}

/// What stands on the command line and is not known, or an empty text: it explains more than what is missing then.
std::string about_leftovers(const CLI::App& app, const std::vector<std::string>& known) {
    const std::vector<std::string> leftovers = app.remaining();
    if (leftovers.empty()) return {};
    const std::string word = leftovers.front().substr(0, leftovers.front().find('='));
    const std::string kind = word.starts_with('-') ? "option" : app.get_parent() != nullptr ? "argument" : "verb";
    const std::string suggestion = closest(word, known);
    const std::string verbs = kind == "verb" && suggestion.empty() ? "; the verbs are " + joined(known) : "";
    return "there is no " + kind + " " + word + did_you_mean(suggestion) + verbs;
}

int explain_usage(const std::string& command, const std::string& message) {
    print_error(command + ": " + message);
    print_error("`" + command + " --help` explains the usage.");
    return exit_code::usage;
}

}  // namespace

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    std::string text = "\nUsage: " + name;
    if (app->get_parent() == nullptr) return text + " VERB [OPTIONS]\n";
    for (const CLI::Option* option : app->get_options([](const CLI::Option* one) { return one->get_positional(); })) {
        text += " " + make_option_usage(option);
    }
    for (const CLI::Option* option :
         app->get_options([](const CLI::Option* one) { return one->nonpositional() && one->get_required(); })) {
        text += " -" + option->get_snames().front() + " " + option->get_option_text();
    }
    return text + " [OPTIONS]\n";
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
    std::string text = "\n" + (is_positional ? "Arguments" : group) + ":\n";
    for (const CLI::Option* option : options) {
        const std::string fallback =
            option->get_default_str().empty() ? "" : " (default: " + option->get_default_str() + ")";
        text += two_columns(option_label(*option, is_positional), option->get_description() + fallback);
    }
    return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
    return two_columns(verb->get_name(), verb->get_description());
}

std::string closest(const std::string& typed, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = typed.size() / 3 + 1;  // half-matching words of three letters are no help
    for (const std::string& word : known) {
        const std::size_t distance = edit_distance(typed, word);
        if (distance > least || (distance == least && !best.empty())) continue;
        least = distance;
        best = word;
    }
    return best;
}

int finish_parse(const CLI::App& program, const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    const CLI::App& app = chosen.empty() ? program : *chosen.front();
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
        print(program.help());
        return exit_code::fine;
    }
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
        print("effigy " EFFIGY_VERSION "\n");
        return exit_code::fine;
    }
    const std::string command = chosen.empty() ? "effigy" : "effigy " + app.get_name();
    const std::string leftovers = about_leftovers(app, chosen.empty() ? verb_names(program) : option_names(app));
    if (!leftovers.empty()) return explain_usage(command, leftovers);
    if (chosen.empty()) {
        std::fputs((program.help() + "\n").c_str(), stderr);
        return exit_code::usage;
    }
    return explain_usage(command, error.what());
}

}  // namespace effigy::app
