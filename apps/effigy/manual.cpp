/// Writes the manual page (troff) and the completions of bash, zsh and fish.

#include "manual.hpp"

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& program) {
    return program.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& verb, bool positional) {
    return verb.get_options([=](const CLI::Option* option) { return option->get_positional() == positional; });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// "-o" and "--output"
std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

std::string replaced(std::string text, char letter, const std::string& by) {
    for (std::size_t at = text.find(letter); at != std::string::npos; at = text.find(letter, at + by.size()))
        text.replace(at, 1, by);
    return text;
}

/// The words that an option takes, as its checks are described: see word_list(). CLI::IsMember does so by itself.
std::string choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t start = type.find('{'), end = type.find('}', start);
    if (end == std::string::npos) return {};
    return replaced(type.substr(start + 1, end - start - 1), ',', " ");
}

std::string quoted(const std::string& text) { return "'" + replaced(text, '\'', "'\\''") + "'"; }

// man

std::string troff(const std::string& text) { return replaced(replaced(text, '\\', "\\e"), '-', "\\-"); }

/// Lines as they stand, none of which is taken for a command.
std::string troff_lines(const std::string& text) {
    std::string lines = ".nf\n\\&";
    for (const char letter : troff(text)) lines += letter == '\n' ? std::string("\n\\&") : std::string(1, letter);
    return lines + "\n.fi\n";
}

std::string troff_option(const CLI::Option& option) {
    std::string label = joined(names_of(option), ", ");
    if (label.empty()) label = option.get_name(true);
    std::string text = ".TP\n\\fB" + troff(label) + "\\fR";
    if (!label.starts_with('-')) return text + "\n" + troff(option.get_description()) + "\n";
    if (takes_value(option)) text += " \\fI" + troff(option.get_option_text()) + "\\fR";
    text += "\n\\&" + troff(option.get_description());
    if (!option.get_default_str().empty()) text += " (default: " + troff(option.get_default_str()) + ")";
    return text + "\n";
}

std::string man_page(const CLI::App& program, const std::string& version) {
    std::string text = ".TH EFFIGY 1 \"\" \"effigy " + version + "\" \"User Commands\"\n.SH NAME\neffigy \\- " +
                       "converts, checks and shows game\\-character formats\n.SH SYNOPSIS\n.B effigy\n.I VERB\n" +
                       "[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" + troff(program.get_description()) + "\n.SH VERBS\n";
    for (const CLI::App* verb : verbs_of(program)) {
        text += ".SS effigy " + troff(verb->get_name()) + "\n" + troff(verb->get_description()) + "\n";
        for (const bool positional : {true, false}) {
            for (const CLI::Option* option : options_of(*verb, positional)) text += troff_option(*option);
        }
        text += ".PP\n" + troff_lines(verb->get_footer());
    }
    return text + ".SH EXIT STATUS AND EXAMPLES\n" + troff_lines(program.get_footer());
}

// bash

std::string bash_completion(const CLI::App& program) {
    std::vector<std::string> verbs{"help"};
    std::string options, choices;
    for (const CLI::App* verb : verbs_of(program)) {
        verbs.push_back(verb->get_name());
        std::vector<std::string> names;
        for (const CLI::Option* option : options_of(*verb, false)) {
            for (const std::string& name : names_of(*option)) names.push_back(name);
            const std::string words = choices_of(*option), start = verb->get_name() + ":";
            if (words.empty()) continue;
            choices += "        " + start + joined(names_of(*option), "|" + start) + ") words='" + words + "' ;;\n";
        }
        options += "        " + verb->get_name() + ") words='" + joined(names, " ") + "' ;;\n";
    }
    return "# bash completion of effigy\n_effigy() {\n    local word=${COMP_WORDS[COMP_CWORD]} words=''\n"
           "    case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]} in\n" +
           choices +
           "    esac\n"
           "    if [[ -z $words && $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n" +
           options +
           "        esac\n    fi\n"
           "    if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == help ]]; then\n        words='" +
           joined(verbs, " ") +
           "'\n    fi\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
           "complete -o default -F _effigy effigy\n";
}

// zsh

std::string zsh_option(const CLI::Option& option) {
    std::string help = option.get_description();
    for (const char letter : {'[', ']', ':'}) help = replaced(help, letter, std::string("\\") + letter);
    std::string words = choices_of(option);
    words = words.empty() ? "_files" : "(" + words + ")";
    std::string text;
    for (const std::string& name : names_of(option)) {
        const std::string value =
            takes_value(option) ? ":" + replaced(option.get_option_text(), ':', "\\:") + ":" + words : "";
        text += " \\\n            " + quoted("*" + name + "[" + help + "]" + value);
    }
    return text;
}

std::string zsh_completion(const CLI::App& program) {
    std::string verbs, cases;
    for (const CLI::App* verb : verbs_of(program)) {
        verbs += "        " + quoted(verb->get_name() + ":" + replaced(verb->get_description(), ':', "\\:")) + "\n";
        cases += "        " + verb->get_name() + ") _arguments";
        for (const CLI::Option* option : options_of(*verb, false)) cases += zsh_option(*option);
        cases += " \\\n            '*:file:_files' ;;\n";
    }
    return "#compdef effigy\n_effigy() {\n    local -a verbs=(\n" + verbs +
           "        'help:Explain a verb'\n    )\n    if (( CURRENT == 2 )) || [[ $CURRENT == 3 && $words[2] == help "
           "]]; then\n"
           "        _describe verb verbs\n        return\n    fi\n    shift words\n    (( CURRENT-- ))\n    case "
           "$words[1] in\n" +
           cases + "    esac\n}\n_effigy \"$@\"\n";
}

// fish

std::string fish_completion(const CLI::App& program) {
    std::string text =
        "# fish completion of effigy\ncomplete -c effigy -n __fish_use_subcommand -a help -d 'Explain a verb'\n";
    for (const CLI::App* verb : verbs_of(program)) {
        text += "complete -c effigy -n __fish_use_subcommand -a " + verb->get_name() + " -d " +
                replaced(quoted(verb->get_description()), '\n', " ") + "\n";
        for (const CLI::Option* option : options_of(*verb, false)) {
            text += "complete -c effigy -n '__fish_seen_subcommand_from " + verb->get_name() + "'";
            for (const std::string& name : option->get_snames()) text += " -s " + name;
            for (const std::string& name : option->get_lnames()) text += " -l " + name;
            if (takes_value(*option)) text += " -r";
            if (const std::string words = choices_of(*option); !words.empty()) text += " -f -a " + quoted(words);
            text += " -d " + quoted(option->get_description()) + "\n";
        }
    }
    return text;
}

int write_manual(const CLI::App& program, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const ManualFile& file : manual_files(program, EFFIGY_VERSION)) {
        const std::string path = (std::filesystem::path(folder) / file.name).string();
        if (const auto done = write_text(path, file.text); !done) return fail_with(done.error());
    }
    return exit_code::fine;
}

}  // namespace

std::vector<ManualFile> manual_files(const CLI::App& program, const std::string& version) {
    return {{"effigy.1", man_page(program, version)},
            {"effigy", bash_completion(program)},
            {"_effigy", zsh_completion(program)},
            {"effigy.fish", fish_completion(program)}};
}

void add_manual(CLI::App& program, std::function<int()>& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* verb = add_verb(program, "manual", "Write the manual page and the completions of shells.", "");
    verb->group("");
    verb->add_option("FOLDER", *folder, "Where to write them")->required();
    verb->callback(
        [folder, &program, &chosen] { chosen = [folder, &program] { return write_manual(program, *folder); }; });
}

}  // namespace effigy::app
