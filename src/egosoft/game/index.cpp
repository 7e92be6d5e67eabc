/// index/components.xml, index/macros.xml and the macros themselves.

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/xml.hpp"
#include "egosoft/file/xml_selector.hpp"

namespace effigy::egosoft {

namespace {

class IndexReader {
public:
    explicit IndexReader(XmlReader& reader) : xml_(reader) {}

    std::vector<IndexEntry> read() {
        if (xml_.name(xml_.root()) == "diff") {
            for (const pugi::xml_node change : xml_.root().children()) {
                if (change.type() == pugi::node_element) read_change(change);
            }
        } else {
            read_entries(xml_.root());
        }
        return std::move(entries_);
    }

private:
    void read_entries(pugi::xml_node parent) {
        for (const pugi::xml_node node : parent.children("entry")) {
            add(node, node.attribute("name").value(), node.attribute("value").value());
        }
    }

    void add(pugi::xml_node node, std::string_view name, std::string_view value) {
        if (!take(name.size() + value.size())) return;
        if (name.empty()) {
            xml_.add(codes::xml_name, node, "an entry has no name; nothing can refer to it");
        } else if (!names_.insert(name).second) {
            xml_.add(codes::xml_duplicate, node, "a second entry has this name; the last one counts", shortened(name));
        }
        entries_.push_back({std::string(name), std::string(value), xml_.place(node), change_, condition_});
    }

    static std::optional<IndexCondition> read_condition(std::string_view text) {
        const auto condition = parse_selector_condition(text);
        if (!condition || condition->selector.steps.back().name != "entry") return std::nullopt;
        const std::string* name = condition->selector.steps.back().wanted("name");
        return name == nullptr ? std::nullopt : std::optional(IndexCondition{*name, condition->is_negated});
    }

    [[nodiscard]] bool take(std::size_t size) {
        const std::size_t more = condition_ ? condition_->entry.size() : 0;
        return xml_.take_record<IndexEntry>() && xml_.take(size + more);
    }

    /// Entries of an index are found by name only, so a change is a set of entries of its own.
    void read_change(pugi::xml_node change) {
        const std::string_view condition = change.attribute("if").value();
        ++change_;
        condition_ = read_condition(condition);
        if (!condition.empty() && !condition_) return not_understood(change, condition);
        const std::string_view text = change.attribute("sel").value();
        const auto selector = parse_selector(text);
        const SelectorStep* last = selector ? &selector->steps.back() : nullptr;
        const std::string* name = last != nullptr && last->name == "entry" ? last->wanted("name") : nullptr;
        const std::string_view kind = xml_.name(change);
        if (last != nullptr && last->name == "index" && kind == "add" && selector->attribute.empty())
            return read_entries(change);
        if (name != nullptr && kind == "remove" && selector->attribute.empty()) return remember(change, *name, {});
        if (name != nullptr && kind == "replace" && selector->attribute == "value")
            return remember(change, *name, change.text().get());
        if (name != nullptr && selector->attribute.empty() && (kind == "replace" || kind == "add"))
            return read_entries(change);
        not_understood(change, text);
    }

    void not_understood(pugi::xml_node change, std::string_view text) {
        xml_.add(codes::diff_selector, change,
                 "this change is not understood and has no effect here: selectors of names with attributes are",
                 shortened(text));
    }

    void remember(pugi::xml_node change, const std::string& name, std::string_view value) {
        if (!take(name.size() + value.size())) return;
        entries_.push_back({name, std::string(value), xml_.place(change), change_, condition_});
    }

    XmlReader& xml_;
    std::uint64_t change_ = 0;
    std::optional<IndexCondition> condition_;
    std::vector<IndexEntry> entries_;
    std::set<std::string_view> names_;
};

/// What hangs on the connections of a macro.
std::vector<MacroConnection> read_hung(XmlReader& reader, pugi::xml_node macro) {
    std::vector<MacroConnection> hung;
    for (const pugi::xml_node list : macro.children("connections")) {
        for (const pugi::xml_node node : list.children("connection")) {
            if (!reader.take_record<MacroConnection>()) return hung;
            const pugi::xml_node child = node.child("macro"), component = child.child("component");
            MacroConnection one{reader.text(node, "ref"), reader.text(child, "ref"), reader.text(component, "ref"),
                                reader.text(child, "connection"), reader.place(node)};
            if (one.connection.empty()) one.connection = reader.text(component, "connection");
            hung.push_back(std::move(one));
        }
    }
    return hung;
}

std::vector<std::string> read_properties(const XmlReader& reader, pugi::xml_node macro) {
    std::vector<std::string> names;
    std::set<std::string_view> known;
    for (const pugi::xml_node list : macro.children("properties")) {
        for (const pugi::xml_node node : list.children()) {
            if (node.type() == pugi::node_element && known.insert(node.name()).second)
                names.emplace_back(reader.name(node));
        }
    }
    return names;
}

void read_macro_list(XmlReader& reader, pugi::xml_node parent, MacroFile& file) {
    std::set<std::string_view> names;
    for (const pugi::xml_node node : parent.children("macro")) {
        if (!reader.take_record<Macro>()) return;
        const std::string_view name = node.attribute("name").value();
        if (!names.insert(name).second) {
            reader.add(codes::xml_duplicate, node, "a second macro has this name", shortened(name));
        }
        file.macros.push_back({reader.text(node, "name"), reader.text(node, "class"),
                               reader.text(reader.only_child(node, "component"), "ref"), reader.place(node),
                               read_hung(reader, node), read_properties(reader, node)});
    }
}

/// `fill` of a file with that root, or of a change to one.
template <class File, class Fill>
Result<Loaded<File>> read_file(Bytes text, const ReadOptions& options, std::string_view root_name, Fill fill) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        auto reader = XmlReader::open(text, options);
        if (!reader) return fail(std::move(reader.error()));
        const std::string_view root = reader->name(reader->root());
        if (root != root_name && root != "diff")
            return fail(unexpected_root(*reader, "<" + std::string(root_name) + ">, or a <diff> for one"));
        File file;
        fill(*reader, file);
        if (!reader->ok()) return fail(reader->failure());
        file.text = std::move(text);
        return Loaded<File>{std::move(file), std::move(reader->report())};
    });
}

}  // namespace

Result<Loaded<IndexFile>> read_index(Bytes text, const ReadOptions& options) {
    return read_file<IndexFile>(std::move(text), options, "index",
                                [](XmlReader& reader, IndexFile& file) { file.entries = IndexReader(reader).read(); });
}

Result<Loaded<MacroFile>> read_macros(Bytes text, const ReadOptions& options) {
    return read_file<MacroFile>(std::move(text), options, "macros", [](XmlReader& reader, MacroFile& file) {
        if (reader.name(reader.root()) == "macros") return read_macro_list(reader, reader.root(), file);
        for (const pugi::xml_node change : reader.root().children()) read_macro_list(reader, change, file);
    });
}

}  // namespace effigy::egosoft
