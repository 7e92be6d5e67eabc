/// Fields of records taken from a dump, edited or not: how files are built.

#include "dump_fields.hpp"

#include <algorithm>
#include <cstring>

#include "effigy/core_codes.hpp"

#include "json_members.hpp"
#include "problem.hpp"

namespace effigy::layout {

namespace {

std::string_view name_of(const Json& node) {
    const Json* name = member(node, "name");
    return name != nullptr && name->is_string() ? std::string_view(name->get_ref<const std::string&>()) : "";
}

// "chunk[12] mesh" is the record "chunk" of kind "mesh".
bool is_record(std::string_view node_name, std::string_view name) {
    return node_name.starts_with(name) && (node_name.size() == name.size() || node_name[name.size()] == '[');
}

std::string_view kind_in(std::string_view node_name) {
    const std::size_t space = node_name.find(' ');
    return space == std::string_view::npos ? "" : node_name.substr(space + 1);
}

// What to quote of a value that does not fit; printing one that is nested deep could exhaust the stack.
std::string shown(const Json& value) {
    const bool nested = value.is_structured() &&
                        std::any_of(value.begin(), value.end(), [](const Json& part) { return part.is_structured(); });
    return nested ? value.type_name() : to_text(value).substr(0, 80);
}

std::uint64_t base64_size(std::string_view text) {
    const std::uint64_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    return text.size() / 4 * 3 - (text.empty() ? 0 : padding);
}

}  // namespace

const Json* DumpFields::find(std::string_view name) const {
    const Record& record = open_.back();
    for (std::size_t index = record.next; index < record.nodes->size(); ++index) {
        if (name_of((*record.nodes)[index]) == name) return &(*record.nodes)[index];
    }
    return nullptr;
}

const Json* DumpFields::take(const char* name) {
    Record& record = open_.back();
    if (record.next < record.nodes->size() && name_of((*record.nodes)[record.next]) == name) {
        const Json* value = member((*record.nodes)[record.next++], "value");
        if (value != nullptr) return value;
        refuse(codes::build_value, "a node of the dump has no value");
        return nullptr;
    }
    const std::string found = record.next < record.nodes->size() ? std::string(name_of((*record.nodes)[record.next]))
                                                                 : "the end of the record";
    refuse(codes::build_missing, "the dump lacks a field that the format has here", found, name);
    return nullptr;
}

bool DumpFields::refuse(const Code& code, std::string message, std::string found, std::string expected) {
    failure_ = problem_at({}, code, std::move(message), std::move(found), std::move(expected));
    return false;
}

bool DumpFields::element(const char* name, const ElementType& type, void* destination) {
    const Json* value = take(name);
    if (value == nullptr) return false;
    if (element_from_json(type, *value, static_cast<std::byte*>(destination))) return true;
    return refuse(codes::build_value, "a value does not fit its type", shown(*value), type.name);
}

bool DumpFields::elements(const char* name, const ElementType& type, void* destination, std::uint64_t count) {
    const Json* value = take(name);
    if (value == nullptr) return false;
    auto* bytes = static_cast<std::byte*>(destination);
    if (value->is_string()) {
        const std::optional<Bytes> decoded = from_base64(value->get_ref<const std::string&>());
        if (!decoded) return refuse(codes::build_value, "a block is not valid base64");
        if (decoded->size() != count * type.size) {
            return refuse(codes::build_value, "a block does not have the length that its record says",
                          std::to_string(decoded->size()) + " bytes", std::to_string(count * type.size) + " bytes");
        }
        if (!decoded->empty()) std::memcpy(bytes, decoded->data(), decoded->size());
        if (swapped_) swap_bytes(type, bytes, count);
        return true;
    }
    if (!value->is_array() || value->size() != count) {
        return refuse(codes::build_value, "a block is neither base64 nor a list of the right length", {},
                      std::to_string(count) + " elements");
    }
    for (std::size_t index = 0; index < count; ++index) {
        if (!element_from_json(type, (*value)[index], bytes + index * type.size)) {
            return refuse(codes::build_value, "an element of a block does not fit its type", shown((*value)[index]),
                          std::string(type.name) + " at index " + std::to_string(index));
        }
    }
    return true;
}

bool DumpFields::number(const char* name, const ElementType& type, const char* of, std::size_t size,
                        std::uint64_t& value) {
    value = 0;
    if (!element(name, type, &value)) return false;  // little-endian: the low bytes come first
    const std::uint64_t actual = actual_count(of, size);
    if (actual == value) return true;
    if (!normalize_) {
        return refuse(codes::build_count,
                      "a count does not match the elements in the dump; correct it or use --normalize",
                      std::to_string(actual) + " x " + of, std::to_string(value));
    }
    value = actual;
    return true;
}

bool DumpFields::text(const char* name, std::string& text, std::uint32_t) {
    const Json* value = take(name);
    if (value == nullptr) return false;
    std::optional<std::string> decoded = text_from_json(*value);
    if (!decoded) return refuse(codes::build_value, "a string is neither text nor {\"bytes\": base64}", shown(*value));
    text = std::move(*decoded);
    return true;
}

void DumpFields::note(const char* name, bool& value) {
    Record& record = open_.back();
    if (record.next >= record.nodes->size() || name_of((*record.nodes)[record.next]) != name) return;
    const Json* stated = member((*record.nodes)[record.next++], "value");
    if (stated != nullptr && stated->is_boolean()) value = stated->get<bool>();
}

std::optional<std::uint64_t> DumpFields::stated_length(const char* name, std::uint64_t size) const {
    const Json* node = find(name);
    const Json* value = node == nullptr ? nullptr : member(*node, "value");
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return base64_size(value->get_ref<const std::string&>()) / size;
    return value->is_array() ? std::optional<std::uint64_t>(value->size()) : std::nullopt;
}

std::optional<std::uint64_t> DumpFields::stated_records(const char* name) const {
    const Record& record = open_.back();
    std::uint64_t count = 0;
    for (std::size_t index = record.next; index < record.nodes->size(); ++index) {
        if (is_record(name_of((*record.nodes)[index]), name)) ++count;
    }
    return count;
}

std::uint64_t DumpFields::actual_count(const char* of, std::size_t size) const {
    if (has(of)) return stated_length(of, size).value_or(0);
    return stated_records(of).value_or(0);
}

bool DumpFields::enter(const Path& path) {
    const std::string last = path.last();
    const std::string name = last.substr(0, last.find('['));
    Record& record = open_.back();
    const std::string_view found = record.next < record.nodes->size() ? name_of((*record.nodes)[record.next]) : "";
    if (!is_record(found, name)) {
        return refuse(codes::build_missing, "the dump lacks a record that the format has here",
                      found.empty() ? "the end of the record" : std::string(found), name);
    }
    const Json* value = member((*record.nodes)[record.next++], "value");
    if (value == nullptr || !value->is_array())
        return refuse(codes::build_value, "a record of the dump has no list of fields");
    open_.push_back({value, 0, kind_in(found)});
    return true;
}

bool DumpFields::leave() {
    const Record record = open_.back();
    open_.pop_back();
    if (record.next == record.nodes->size()) return true;
    return refuse(codes::build_unexpected, "the dump holds a field that the format does not have here",
                  std::string(name_of((*record.nodes)[record.next])));
}

}  // namespace effigy::layout
