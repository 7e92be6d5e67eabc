/// Texts and a ware, for the modder to fill in.

#include <string>

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

/// In a page that is the mod's own; all else is the modder's.
Result<void> add_text(Output& output, const Plan& plan, int number, const std::string& words) {
    auto texts = XmlText::open(output.text(texts_path).value_or(new_texts(plan)), output.limits);
    if (!texts) return fail(std::move(texts.error()));
    const std::string id = std::to_string(plan.first_text + number);
    const pugi::xml_node page = texts->root().find_node([&](pugi::xml_node node) {
        return std::string_view(node.name()) == "page" &&
               node.attribute("id").as_string() == std::to_string(plan.text_page);
    });
    if (!page || page.find_child_by_attribute("t", "id", id.c_str())) return {};
    auto added = texts->append(page, "<t id=\"" + id + "\">" + words + "</t>");
    if (added) output.put(texts_path, texts->text());
    return added;
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

Result<void> add_ware(Output& output, const Plan& plan) {
    auto wares = XmlText::open(output.text(wares_path).value_or(new_wares), output.limits);
    if (!wares) return fail(std::move(wares.error()));
    const auto is_ware = [&](pugi::xml_node node) {
        return std::string_view(node.name()) == "ware" && plan.name == node.attribute("id").value();
    };
    if (wares->root().find_node(is_ware)) return {};
    pugi::xml_node list = wares->root();
    if (list.child("add")) list = list.child("add");
    auto added = list.name() == std::string_view("diff")
                     ? wares->append(list, "<add sel=\"/wares\">\n  " + ware(plan) + "\n</add>")
                     : wares->append(list, ware(plan));
    if (added) output.put(wares_path, wares->text());
    return added;
}

}  // namespace

Result<void> add_stubs(Output& output, const Plan& plan) {
    return add_text(output, plan, 0, escaped(plan.title))
        .and_then([&] { return add_text(output, plan, 1, "Say here what it is."); })
        .and_then([&] { return plan.class_name.starts_with("ship_") ? add_ware(output, plan) : Result<void>(); });
}

}  // namespace effigy::egosoft::mod
