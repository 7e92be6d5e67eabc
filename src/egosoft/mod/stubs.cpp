/// Texts and a ware, for the modder to fill in.

#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/xml.hpp"
#include "egosoft/mod/mod.hpp"
#include "egosoft/mod/xml_text.hpp"

namespace effigy::egosoft::mod {
namespace {

constexpr const char* texts_path = "t/0001-l044.xml";

constexpr const char* new_texts =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<diff>\n"
    "  <add sel=\"/language\">\n"
    "    <!-- The number of the page is this mod's own: no other mod may have it. -->\n"
    "  </add>\n"
    "</diff>\n";

pugi::xml_node page_of(pugi::xml_node root, const Plan& plan) {
    return root.find_node([&](pugi::xml_node node) {
        return std::string_view(node.name()) == "page" &&
               node.attribute("id").as_string() == std::to_string(plan.text_page);
    });
}

std::set<std::string> ids_of(pugi::xml_node list, const char* element) {
    std::set<std::string> ids;
    for (const pugi::xml_node node : list.children(element)) ids.emplace(node.attribute("id").value());
    return ids;
}

/// In a page that is the mod's own; all else is the modder's.
Result<void> add_texts(Output& output, const std::vector<Plan>& plans) {
    const Plan& of_mod = plans.front();
    auto texts = open_list(output.text(texts_path).value_or(new_texts), "language", texts_path, output.limits);
    if (!texts) return fail(std::move(texts.error()));
    if (!page_of(texts->root(), of_mod)) {
        auto added = append_to_list(*texts, "language",
                                    "<page id=\"" + std::to_string(of_mod.text_page) + "\" title=\"" +
                                        escaped(of_mod.title) + "\" descr=\"Names\" voice=\"no\">\n</page>");
        if (!added) return added;
    }
    std::set<std::string> ids = ids_of(page_of(texts->root(), of_mod), "t");
    bool changed = false;
    for (const Plan& plan : plans) {
        for (int number = 0; number < 2; ++number) {
            const std::string id = std::to_string(plan.first_text + number);
            if (!ids.insert(id).second) continue;
            const pugi::xml_node page = page_of(texts->root(), of_mod);  // each change may move it
            const std::string words = number == 0 ? escaped(plan.title) : "Say here what it is.";
            if (auto added = texts->append(page, "<t id=\"" + id + "\">" + words + "</t>"); !added) return added;
            changed = true;
        }
    }
    if (changed) output.put(texts_path, texts->text());
    return {};
}

/// The number of the first text of the page that a macro names; nothing if it names none.
std::optional<int> named_text(const Output& output, const Plan& plan, const std::string& path) {
    const std::string macro = output.text(path).value_or(""), start = "{" + std::to_string(plan.text_page) + ",";
    const std::size_t own = macro.find("name=\"" + plan.macro() + "\"");
    const std::size_t at = own == std::string::npos ? own : macro.find(start, own);
    int number = 0;
    if (at == std::string::npos) return std::nullopt;
    const char* const begin = macro.data() + at + start.size();
    const auto [end, error] = std::from_chars(begin, macro.data() + macro.size(), number);
    return error == std::errc() && *end == '}' ? std::optional(number) : std::nullopt;
}

std::string ware(const Plan& plan) {
    return "<ware id=\"" + plan.name + "\" name=\"" + text_reference(plan, 0) + "\" description=\"" +
           text_reference(plan, 1) +
           "\" transport=\"ship\" volume=\"1\" tags=\"ship\">\n"
           "  <!-- What it costs, what it is built of, who may fly it and who sells it. -->\n"
           "  <price min=\"90000\" average=\"100000\" max=\"110000\" />\n"
           "  <production time=\"60\" amount=\"1\" method=\"default\" name=\"{20206,101}\">\n"
           "    <primary>\n"
           "      <ware ware=\"energycells\" amount=\"20\" />\n"
           "      <ware ware=\"hullparts\" amount=\"60\" />\n"
           "    </primary>\n"
           "  </production>\n"
           "  <component ref=\"" +
           plan.macro() +
           "\" />\n"
           "  <restriction licence=\"generaluseship\" />\n"
           "  <owner faction=\"player\" />\n"
           "</ware>";
}

constexpr const char* wares_path = "libraries/wares.xml";
constexpr const char* new_wares =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<diff>\n  <add sel=\"/wares\" />\n</diff>\n";

Result<void> add_wares(Output& output, const std::vector<Plan>& plans) {
    auto wares = open_list(output.text(wares_path).value_or(new_wares), "wares", wares_path, output.limits);
    if (!wares) return fail(std::move(wares.error()));
    std::set<std::string> ids;
    for (pugi::xml_node node = wares->root(); node; node = next_in_document(node)) {
        if (std::string_view(node.name()) == "ware") ids.emplace(node.attribute("id").value());
    }
    bool changed = false;
    for (const Plan& plan : plans) {
        if (!plan.class_name.starts_with("ship_") || !ids.insert(plan.name).second) continue;
        if (auto added = append_to_list(*wares, "wares", ware(plan)); !added) return added;
        changed = true;
    }
    if (changed) output.put(wares_path, wares->text());
    return {};
}

}  // namespace

void number_texts(const Output& output, const Places& known, std::vector<Plan>& plans) {
    const auto texts = XmlText::open(output.text(texts_path).value_or(new_texts), output.limits);
    std::set<std::string> ids;
    if (texts) ids = ids_of(page_of(texts->root(), plans.front()), "t");
    int next = plans.front().first_text;
    for (Plan& plan : plans) {
        if (const auto named = named_text(output, plan, macro_path(plan, known))) {
            plan.first_text = *named;
            plan.has_texts = true;
            continue;
        }
        while (ids.contains(std::to_string(next)) || ids.contains(std::to_string(next + 1))) next += 100;
        plan.first_text = next;
        next += 100;
    }
}

Result<void> add_stubs(Output& output, const std::vector<Plan>& plans) {
    return add_texts(output, plans).and_then([&] { return add_wares(output, plans); });
}

}  // namespace effigy::egosoft::mod
