/// The XML that a component comes from, read once for its meaning and once for its elements.

#include <algorithm>
#include <cstdint>
#include <span>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/file/written_mark.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/file/xml_places.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

constexpr unsigned parse_flags = pugi::parse_full;

std::vector<pugi::xml_node> component_elements(pugi::xml_node root) {
    std::vector<pugi::xml_node> found;
    const auto add = [&](pugi::xml_node parent) {
        for (const pugi::xml_node node : parent.children("component")) found.push_back(node);
    };
    if (std::string_view(root.name()) == "components") {
        add(root);
    } else {
        for (const pugi::xml_node change : root.children()) add(change);
    }
    return found;
}

/// Whether the element has the connections and parts that were read of it.
bool is_alike(pugi::xml_node node, const Component& component) {
    const auto nodes = elements(node, "connections", "connection");
    return std::equal(nodes.begin(), nodes.end(), component.connections.begin(), component.connections.end(),
                      [](pugi::xml_node one, const Connection& connection) {
                          return elements(one, "parts", "part").size() == connection.parts.size();
                      });
}

/// What stands before the first element inside the root, or two spaces.
std::string indentation_of(std::string_view text) {
    const std::size_t component = text.find("<component ");
    const std::size_t line = component == std::string_view::npos ? component : text.rfind('\n', component);
    if (line == std::string_view::npos) return "  ";
    const std::string_view before = text.substr(line + 1, component - line - 1);
    const bool is_usual = !before.empty() && before.size() <= 8 && before.find_first_not_of(" \t") == std::string::npos;
    return is_usual ? std::string(before) : "  ";
}

}  // namespace

std::vector<pugi::xml_node> elements(pugi::xml_node parent, const char* list, const char* name) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node each : parent.children(list)) {
        for (const pugi::xml_node node : each.children(name)) found.push_back(node);
    }
    return found;
}

std::size_t number_in_file(const Json& file) {
    return static_cast<std::size_t>(std::max<std::int64_t>(integer_at(file, "component").value_or(0), 0));
}

std::string source_text(const Plan& plan) {
    const bool has_text = plan.text != nullptr && plan.text->xml != nullptr;
    return has_text ? text_from_json(*plan.text->xml).value_or("") : std::string();
}

Result<void> ComponentDocument::open(Context& context, const Plan& plan) {
    text_ = source_text(plan);
    if (!text_.empty()) {
        const std::uint64_t places = static_cast<std::uint64_t>(std::count(text_.begin(), text_.end(), '<'));
        if (auto taken = context.take(text_.size() + 100 * places, 7, "the component's XML"); !taken) return taken;
        if (open_old(plan, context.options.limits)) return {};
        context.note(codes::component_xml_damaged, "nodes",
                     "The XML in the extras is no component; a new one is made, without what only that XML says.");
    } else if (plan.text != nullptr && plan.text->was_shared) {
        context.note(codes::component_xml_lost, "nodes[" + std::to_string(plan.root) + "]",
                     "The component comes from a file with several, whose XML the first of them has in its extras, and "
                     "that one is not there: a new file is made, without what only the XML said.",
                     context.scene.nodes[plan.root].name);
    }
    *this = {};
    pugi::xml_node declaration = document_->append_child(pugi::node_declaration);
    declaration.append_attribute("version").set_value("1.0");
    declaration.append_attribute("encoding").set_value("utf-8");
    component_ = document_->append_child("components").append_child("component");
    return {};
}

bool ComponentDocument::open_old(const Plan& plan, const Limits& limits) {
    const auto raw = std::as_bytes(std::span(text_));
    auto read = read_components(Bytes(raw.begin(), raw.end()), {limits});
    if (!read || number_in_file(*member(plan.record, "file")) >= read->value.components.size()) return false;
    if (!document_->load_buffer(text_.data(), text_.size(), parse_flags)) return false;
    all_ = component_elements(document_->document_element());
    if (!std::equal(all_.begin(), all_.end(), read->value.components.begin(), read->value.components.end(), is_alike))
        return false;
    file_ = std::move(read->value);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (plan.text->numbers.contains(i))
            left_.insert(i);
        else
            edit.remove(all_[i]);
    }
    return true;
}

bool ComponentDocument::waits_for(const Plan& plan) const {
    const Json* const file = member(plan.record, "file");
    return file != nullptr && left_.contains(number_in_file(*file));
}

Result<void> ComponentDocument::begin(Context& context, Plan& plan) {
    if (left_.empty()) return {};
    number_ = number_in_file(*member(plan.record, "file"));
    left_.erase(*number_);
    component_ = all_[*number_];
    elements_.read(*old(), component_);
    return elements_.find(context, plan, edit);
}

const Component* ComponentDocument::old() const noexcept { return number_ ? &file_.components[*number_] : nullptr; }

std::string ComponentDocument::changed_text() const {
    const std::string unit = indentation_of(text_);
    if (auto kept = number_ ? spelled_as_before(*document_, text_, unit) : std::nullopt) return std::move(*kept);
    if (pugi::xml_attribute encoding = document_->first_child().attribute("encoding");
        document_->first_child().type() == pugi::node_declaration && encoding) {
        encoding.set_value("utf-8");
    }
    TextWriter writer;
    document_->save(writer, unit.c_str(), pugi::format_indent, pugi::encoding_utf8);
    return indented(writer.text, line_break_of(text_), {});
}

Bytes ComponentDocument::bytes() const {
    const std::string result = number_ && !edit.changed() ? text_ : with_mark(changed_text());
    const auto raw = std::as_bytes(std::span(result));
    return {raw.begin(), raw.end()};
}

}  // namespace effigy::egosoft::bridge
