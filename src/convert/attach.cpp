/// Models that hang on nodes of another one: FILE@NODE.

#include <algorithm>

#include "effigy/option_values.hpp"
#include "effigy/parts.hpp"
#include "effigy/program_codes.hpp"

#include "convert/inputs.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::conversion {
namespace {

struct Attachment {
    std::string file, node;
};

Result<Attachment> parse_attachment(const std::string& text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        return fail(problem_at({}, codes::usage_option, "--attach wants FILE@NODE, as in hat.xac@Head", text));
    return Attachment{text.substr(0, at), text.substr(at + 1)};
}

/// The names that are most like one.
std::string nearest_names(const Scene& scene, const std::string& name) {
    constexpr std::size_t most = 3, longest = 200;
    std::vector<std::pair<std::size_t, std::string>> names;
    for (const Node& node : scene.nodes) {
        if (!node.name.empty())
            names.emplace_back(edit_distance(lower(name.substr(0, longest)), lower(node.name.substr(0, longest))),
                               node.name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i].second;
    return text;
}

/// The node of a name; of names that differ in case only, the very one.
Result<Index> find_node(const Scene& scene, const std::string& name) {
    Index found = no_index;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return i;
        if (found == no_index && lower(scene.nodes[i].name) == lower(name)) found = i;
    }
    if (found != no_index) return found;
    return fail(problem_at(
        "nodes", codes::usage_option,
        "--attach: there is no node called " + name + "; the nearest names are " + nearest_names(scene, name)));
}

}  // namespace

Result<void> attach_all(Scene& scene, const ConvertOptions& options, Report& report) {
    std::vector<std::pair<Index, std::string>> places;  // all are known before anything is read
    for (const std::string& text : options.values.list("attach")) {
        auto attachment = parse_attachment(text);
        auto node = attachment ? find_node(scene, attachment->node) : Result<Index>(fail(attachment.error()));
        if (!node) return fail(std::move(node.error()));
        places.emplace_back(*node, std::move(attachment->file));
    }
    ConvertOptions inner = options;
    for (const char* const name : {"attach", "motions", "to", "via"}) inner.values.erase(name);
    inner.pass_over_switches = true;
    for (auto& [node, file] : places) {
        auto part = load_scene(std::vector<InputFile>{InputFile(file)}, inner);
        if (!part) {
            if (part.error().file.empty()) part.error().file = file;
            return fail(std::move(part.error()));
        }
        report.append(std::move(part->report));
        attach_scene(scene, std::move(part->value), node, std::filesystem::path(file).stem().string());
    }
    return {};
}

}  // namespace effigy::conversion
