/// effigy info: what is in a file.

#include <algorithm>
#include <array>
#include <cstdio>

#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct InfoArguments {
    CommonOptions common;
    OptionValues values;
    std::vector<std::string> paths;
    bool is_long = false;
};

std::string scalar_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

bool is_scalar_list(const Json& value) {
    return value.is_array() &&
           std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
}

std::string spaced(std::string key) {
    std::replace(key.begin(), key.end(), '_', ' ');
    return key;
}

std::string singular(const std::string& noun) {
    const auto with = [&](std::size_t cut, const char* end) { return noun.substr(0, noun.size() - cut) + end; };
    if (noun.ends_with("ries")) return with(3, "y");
    if (noun.ends_with("indices") || noun.ends_with("vertices")) return with(4, "ex");
    return with(noun.ends_with("shes") ? 2 : 1, "");
}

/// "2 uv sets", "1 mesh": a count's key is the plural of its noun.
std::string count_text(const std::string& key, const Json& value) {
    const std::string noun = key == "uv_sets" ? "UV sets" : spaced(key);
    return value.dump() + " " + (value == 1 ? singular(noun) : noun);
}

bool is_count(const std::string& key, const Json& value) {
    return value.is_number_unsigned() && key.ends_with('s') && key != "phoneme_sets";
}

std::string one_line(const Json& object);

/// One property of an object that is shown on one line; empty where there is nothing to say.
std::string property_text(const std::string& key, const Json& value) {
    if (key == "max_influences") return "up to " + count_text("influences", value);
    if (value.is_boolean()) return value.get<bool>() ? spaced(key) : "";
    if (is_count(key, value)) return value == 0 ? "" : count_text(key, value);
    if (key == "phoneme_sets" && value == 0) return "";
    if (is_scalar_list(value)) return value.empty() ? "" : spaced(key) + " (" + joined(value, ", ", scalar_text) + ")";
    if (value.is_object()) return spaced(key) + " (" + one_line(value) + ")";
    const std::string text = scalar_text(value);
    if (text.empty()) return "";
    return key == "name" || key == "node" || key == "kind" ? text : spaced(key) + " " + text;
}

std::string one_line(const Json& object) {
    std::string text;
    for (const auto& [key, value] : object.items()) {
        if (key == "textures") continue;
        const std::string property = property_text(key, value);
        if (!property.empty()) text += (text.empty() ? "" : ", ") + property;
    }
    return text;
}

/// Names wrapped to the width of a terminal.
std::string wrapped(const Json& names, const std::string& margin) {
    constexpr std::size_t width = 100;
    std::string text, line = margin;
    for (const Json& name : names) {
        const std::string item = scalar_text(name) + (&name == &names.back() ? "" : ",");
        if (line.size() + item.size() > width && line.size() > margin.size()) {
            line.pop_back();
            text += line + "\n";
            line = margin;
        }
        line += item + " ";
    }
    line.pop_back();
    return text + line + "\n";
}

std::string aligned(const std::string& left, std::size_t width) {
    return std::string(width - std::min(width, left.size()), ' ') + left;
}

void append_chunks(std::string& text, const Json& chunks, const std::string& margin) {
    for (const Json& chunk : chunks) {
        text += margin + aligned(chunk["count"].dump(), 5) + " x " + chunk["kind"].get<std::string>() + " v" +
                chunk["version"].dump() + " (id " + chunk["id"].dump() + ")\n";
    }
}

/// Materials and the textures that they name, one a line.
void append_textures(std::string& text, const Json& item, const std::string& margin) {
    if (!item.contains("textures")) return;
    for (const Json& texture : item["textures"]) {
        text += margin + texture["map"].get<std::string>() + ": " + texture["texture"].get<std::string>() + "\n";
    }
}

void append_text(std::string& text, const Json& info, const std::string& margin) {
    const std::string inner = margin + "  ";
    for (const auto& [key, value] : info.items()) {
        if (value.is_array() && value.empty()) continue;
        if (value.is_boolean() && !value.get<bool>()) continue;
        if (value.is_object() && value.contains("format")) {
            text += margin + spaced(key) + ":\n";
            append_text(text, value, inner);
        } else if (value.is_object()) {
            text += margin + spaced(key) + ": " + one_line(value) + "\n";
        } else if (is_scalar_list(value)) {
            text += margin + spaced(key) + ":\n" + wrapped(value, inner);
        } else if (key == "chunks") {
            text += margin + "chunks:\n";
            append_chunks(text, value, inner);
        } else if (value.is_array()) {
            text += margin + spaced(key) + ":\n";
            for (const Json& item : value) {
                if (item.contains("format")) {
                    append_text(text, item, inner);
                    continue;
                }
                text += inner + one_line(item) + "\n";
                append_textures(text, item, inner + "  ");
            }
        } else if (!scalar_text(value).empty()) {
            text += margin + spaced(key) + ": " + scalar_text(value) + "\n";
        }
    }
}

Json companion_info(const Recognition& companion) {
    Json info{{"format", companion.format->id}, {"description", companion.format->name}};
    if (!companion.variant.empty()) info["shape"] = companion.variant;
    return info;
}

Result<Json> file_info(const std::string& path, const InfoArguments& options, Report& report) {
    Json info{{"file", path}};
    if (is_companion(path)) {
        info.update(companion_info(recognize_file(path)));
        return info;
    }
    auto loaded = open(path, options.common.limits);
    if (!loaded) return fail(loaded.error());
    report.append(std::move(loaded->report));
    const auto text = loaded->value.info({options.values.text("encoding", InfoOptions().encoding)});
    if (!text) return fail(text.error());
    info.update(Json::parse(*text, nullptr, false));
    return info;
}

/// "0.6 x 1.8 x 0.3" of bounds, "1.8 m high" of a signing avatar, "1.2 s" of a motion.
std::string extent_text(const Json& info) {
    const auto number = [](double value) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.3g", value);
        return std::string(text.data());
    };
    if (const auto bounds = info.find("bounds"); bounds != info.end()) {
        std::string text;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Json &low = (*bounds)["min"][axis], &high = (*bounds)["max"][axis];
            if (!low.is_number() || !high.is_number()) return "";
            text += (axis == 0 ? "" : " x ") + number(high.get<double>() - low.get<double>());
        }
        return text;
    }
    const auto member = [](const Json& json, const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
    };
    if (const auto seconds = member(info, "duration")) return number(*seconds) + " s";
    if (const auto milliseconds = member(info, "milliseconds")) return number(*milliseconds / 1000) + " s";
    const auto packed = info.find("avatar");
    const Json& avatar = packed != info.end() && packed->is_object() ? *packed : info;
    const auto height = member(avatar, "height"), unit = member(avatar, "metres_per_unit");
    return height && unit ? number(*height * *unit) + " m high" : "";
}

/// A line for each of many files.
class Table {
public:
    explicit Table(const std::vector<std::string>& paths) {
        for (const std::string& path : paths) widths_[0] = std::max(widths_[0], letters_of(path).size());
        for (const FormatInfo& format : formats()) widths_[1] = std::max(widths_[1], format.id.size());
    }
    [[nodiscard]] std::string head() const { return line("file", "format", "extent", "contents"); }
    [[nodiscard]] std::string line_of(const Json& info) const {
        const auto problem = info.find("problem");
        const auto counts = info.find("counts");
        const std::string contents = problem != info.end()  ? scalar_text(*problem)
                                     : counts != info.end() ? one_line(*counts)
                                                            : info.value("description", "");
        return line(scalar_text(info["file"]), scalar_text(info["format"]), extent_text(info), contents);
    }

private:
    [[nodiscard]] std::string line(const std::string& file, const std::string& format, const std::string& extent,
                                   const std::string& contents) const {
        std::string text = padded(file, widths_[0]) + "  " + padded(format, widths_[1]) + "  " +
                           padded(extent, widths_[2]) + "  " + contents;
        text.erase(text.find_last_not_of(' ') + 1);
        std::replace(text.begin(), text.end(), '\n', '?');
        return text + "\n";
    }
    std::array<std::size_t, 3> widths_{4, 6, 20};
};

int run_info(const InfoArguments& options) {
    const InputList inputs = collect_inputs(options.paths);
    int worst = exit_code::fine;
    for (const Diagnostic& problem : inputs.problems) worst = std::max(worst, fail_with(problem));
    Json all = Json::array();
    Report report;
    const Table table(inputs.paths);
    const bool as_table = inputs.paths.size() > 1 && !options.is_long;
    std::string before = as_table ? table.head() : "";
    Progress progress("reading", inputs.paths.size(), options.common.quiet);
    for (std::size_t index = 0; index < inputs.paths.size() && !cancelled(); ++index) {
        progress.step(index, inputs.paths[index]);
        Result<Json> info = file_info(inputs.paths[index], options, report);
        if (!info) {
            worst = std::max(worst, fail_with(info.error()));
        } else if (options.common.json) {
            all.push_back(std::move(*info));
        } else if (as_table) {
            print(before + table.line_of(*info));
            before.clear();
        } else {
            std::string text;
            append_text(text, *info, "");
            print((index == 0 ? "" : "\n") + text);
        }
    }
    print_report(report, options.common);
    if (options.common.json) print(pretty(all));
    if (report.has_errors()) worst = std::max(worst, exit_code::findings);
    return cancelled() ? exit_code::limit : worst;
}

constexpr const char* info_footer =
    "Folders are searched for files of known formats. Several files are a table, a line each: the\n"
    "size of what is drawn or the length of a motion, and counts. Bounds are in the scene's frame\n"
    "(right-handed, Y up) and the file's units.\n"
    "\n"
    "Examples:\n"
    "  effigy info soldier.xac walk.xsm\n"
    "  effigy info models --long\n"
    "  effigy info models --json\n"
    "  cat soldier.xac | effigy info -";

}  // namespace

void add_info(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_info, "info",
                 "Show what is in files: counts, nodes, materials, textures, bounds, producer.", info_footer);
    verb->add_option("PATH", options->paths, "Files or folders; - is standard input")->required();
    options->common.add_json(*verb);
    verb->add_flag("--long", options->is_long, "Of several files all that is known, as of one");
    add_encoding_option(*verb, options->values);
    options->common.add_limit(*verb);
    options->common.add_quiet(*verb);
}

}  // namespace effigy::app
