/// Texts and a ware, for the modder to fill in.

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

std::string new_texts(const Plan& plan) {
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
           "<diff>\n"
           "  <add sel=\"/language\">\n"
           "    <!-- The number of the page is this mod's own: no other mod may have it. -->\n"
           "    <page id=\"" +
           std::to_string(plan.text_page) + "\" title=\"" + escaped(plan.title) +
           "\" descr=\"Names\" voice=\"no\">\n"
           "    </page>\n"
           "  </add>\n"
           "</diff>\n";
}

std::set<std::string> ids_of(pugi::xml_node list, const char* element) {
    std::set<std::string> ids;
    for (const pugi::xml_node node : list.children(element)) ids.emplace(node.attribute("id").value());
    return ids;
}

/// In a page that is the mod's own; all else is the modder's.
Result<void> add_texts(Output& output, const std::vector<Plan>& plans) {
    const Plan& of_mod = plans.front();
    auto texts = XmlText::open(output.text(texts_path).value_or(new_texts(of_mod)), output.limits);
    if (!texts) return fail(std::move(texts.error()));
    const pugi::xml_node page = texts->root().find_node([&](pugi::xml_node node) {
        return std::string_view(node.name()) == "page" &&
               node.attribute("id").as_string() == std::to_string(of_mod.text_page);
    });
    if (!page) return {};
    std::set<std::string> ids = ids_of(page, "t");
    bool changed = false;
    for (const Plan& plan : plans) {
        for (int number = 0; number < 2; ++number) {
            const std::string id = std::to_string(plan.first_text + number);
            if (!ids.insert(id).second) continue;
            const std::string words = number == 0 ? escaped(plan.title) : "Say here what it is.";
            if (auto added = texts->append(page, "<t id=\"" + id + "\">" + words + "</t>"); !added) return added;
            changed = true;
        }
    }
    if (changed) output.put(texts_path, texts->text());
    return {};
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
    auto wares = XmlText::open(output.text(wares_path).value_or(new_wares), output.limits);
    if (!wares) return fail(std::move(wares.error()));
    std::set<std::string> ids;
    for (pugi::xml_node node = wares->root(); node; node = next_in_document(node)) {
        if (std::string_view(node.name()) == "ware") ids.emplace(node.attribute("id").value());
    }
    bool changed = false;
    for (const Plan& plan : plans) {
        if (!plan.class_name.starts_with("ship_") || !ids.insert(plan.name).second) continue;
        pugi::xml_node list = wares->root();
        if (list.child("add")) list = list.child("add");
        auto added = list.name() == std::string_view("diff")
                         ? wares->append(list, "<add sel=\"/wares\">\n  " + ware(plan) + "\n</add>")
                         : wares->append(list, ware(plan));
        if (!added) return added;
        changed = true;
    }
    if (changed) output.put(wares_path, wares->text());
    return {};
}

}  // namespace

Result<void> add_stubs(Output& output, const std::vector<Plan>& plans) {
    return add_texts(output, plans).and_then([&] { return add_wares(output, plans); });
}

}  // namespace effigy::egosoft::mod
