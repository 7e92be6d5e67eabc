/// The types of Kaitai Struct descriptions: one for each record, versions as conditions.

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "docs/layouts.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::test {
namespace {

/// Counts that the layouts do not say in a form that an expression can take.
const std::map<std::string, std::string>& expressions() {
    static const std::map<std::string, std::string> all{
        {"xac/skinning/ranges", "(size - (version == 2 ? 12 : version == 3 ? 16 : 20) - influence_count * 8) / 8"},
        {"x42/scales", "header.scale_count * ((header.model_flags & 0x100) != 0 ? 1 : 3)"},
        {"x42/blend", "header.group_count == 0 ? 0 : group.last.blend_end"},
    };
    return all;
}

/// What hangs on other fields than versions.
const std::map<std::string, std::string>& conditions() {
    static const std::map<std::string, std::string> all{
        {"emfx/motion_events/track/event/padding", "not packed"},
        {"xac/node_groups/group_count", "counted"},
        {"xac/node_motion_sources/axes", "size > 4 + 2 * node_count"},
        {"xac/node_motion_sources/flags", "size > 4 + 2 * node_count"},
        {"x42/normals", "(header.model_flags & 1) != 0"},
        {"x42/tangents", "(header.model_flags & 2) != 0"},
        {"x42/padding_before_texcoords", "(header.model_flags & 4) != 0"},
        {"x42/texcoords", "(header.model_flags & 4) != 0"},
        {"x42/padding_before_colors", "(header.model_flags & 8) != 0"},
        {"x42/colors", "(header.model_flags & 8) != 0"},
        {"arp/frames_per_second", "frame_count != 0"},
        {"arp/frame_count", "(version_number == 310 or not _io.eof)"},
        {"arp/frame", "(version_number == 310 or not _io.eof)"},
        {"arp/image_size", "has_image"},
        {"arp/image", "has_image"},
        {"ani/gap", "key_offset > 16 + 160 * animation_count and has_keys"},
    };
    return all;
}

/// Fields that no rule below describes, as they stand in the description.
const std::map<std::string, std::string>& written_by_hand() {
    static const std::map<std::string, std::string> all{
        {"xac/mesh/layer/data",
         "size: element_size * _parent.vertex_count\n"
         "type:\n"
         "  switch-on: type * 256 + element_size\n"
         "  cases:\n"
         "    0x00c: vec3_list\n"
         "    0x10c: vec3_list\n"
         "    0x210: vec4_list\n"
         "    0x308: vec2_list\n"
         "    0x404: u4_list\n"
         "    0x504: u4_list\n"
         "    0x610: color_list\n"
         "    0x70c: vec3_list\n"
         "    0x804: u4_list\n"},
        {"xac/skinning/vertex", "type: skinning_vertex\nrepeat: expr\nrepeat-expr: vertex_count\n"},
        {"xac/node_groups/group", "type: node_groups_group\nrepeat: expr\nrepeat-expr: 'counted ? group_count : 1'\n"},
        {"emfx/motion_events/track",
         "type: motion_events_track(version, size, _io.pos)\nrepeat: expr\nrepeat-expr: 'version >= 4 ? track_count : "
         "1'\n"},
        {"emfx/motion_events/track/event",
         "type: motion_events_track_event(version, packed)\nrepeat: expr\nrepeat-expr: event_count\n"},
        {"xac/mesh_lod/bytes", "size: size\ntype: xac\n"},
        {"ani/keys", "type: keys(animation[_index])\nrepeat: expr\nrepeat-expr: animation_count\n"},
        {"ani/gap", "size: key_offset - 16 - 160 * animation_count\n"},
        {"x42/group", "type: group(_index)\nrepeat: expr\nrepeat-expr: header.group_count\n"},
        {"xmf/buffer", "type: buffer\nsize: header.descriptor_size\nrepeat: expr\nrepeat-expr: header.buffer_count\n"},
        {"xmf/material",
         "type: material\nsize: header.material_size\nrepeat: expr\nrepeat-expr: header.material_count\n"},
        {"xmf/buffer/element",
         "type: buffer_element\nrepeat: expr\nrepeat-expr: '_io.size < 188 ? (_io.size - 60) / 8 : 16'\n"},
        {"xmf/header", "type: header\nsize: header_size\n"},
        {"xmf/material/name", "size: '_io.size < 136 ? _io.size - 8 : 128'\n"},
    };
    return all;
}

/// Further members of types: parameters and instances.
const std::map<std::string, std::string>& additions() {
    static const std::map<std::string, std::string> all{
        {"xac/skinning",
         "instances:\n"
         "  vertex_count:\n"
         "    doc: Entries of the table; they stand in the chunk of the mesh with the same node, level and kind.\n"
         "    value: '_parent._parent.chunk[_parent.index - 1].content.as<mesh>.original_vertex_count'\n"},
        {"xac/node_groups",
         "instances:\n"
         "  first_count:\n"
         "    pos: start\n"
         "    type: u2\n"
         "  first_name_length:\n"
         "    pos: start + 4\n"
         "    type: u4\n"
         "  counted:\n"
         "    doc: Some exporters write a number of groups first. Only the size of the chunk tells.\n"
         "    value: size < 8 or size != 8 + first_name_length + 2 * first_count\n"},
        {"emfx/motion_events/track",
         "instances:\n"
         "  packed:\n"
         "    doc: |\n"
         "      Events of version 3 and later may lack their two bytes of padding, which only the size of the chunk "
         "tells.\n"
         "      Of version 4 this description reads padded ones only.\n"
         "    value: 'version == 3 and event_count > 0 and (start + size - _io.pos) / event_count == 14'\n"},
        {"x42/group",
         "instances:\n"
         "  blend_size:\n"
         "    doc: Bytes of this group among the blend weights.\n"
         "    value: 'vertex_influences == 0 ? 0 : (2 * vertex_influences - 1) * vertex_count'\n"
         "  blend_end:\n"
         "    value: 'blend_size + (index == 0 ? 0 : _parent.group[index - 1].blend_end.as<u4>)'\n"},
        {"xmf/buffer",
         "instances:\n"
         "  stored:\n"
         "    doc: The bytes as they stand in the file.\n"
         "    io: _root._io\n"
         "    pos: _root.data_start + data_offset\n"
         "    size: stored_size\n"
         "  content:\n"
         "    doc: The vertices or indices of a compressed buffer.\n"
         "    io: _root._io\n"
         "    pos: _root.data_start + data_offset\n"
         "    size: stored_size\n"
         "    process: zlib\n"
         "    if: compressed != 0\n"},
    };
    return all;
}

/// Parameters of types beside the version.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>>& parameters() {
    static const std::map<std::string, std::vector<std::pair<std::string, std::string>>> all{
        {"xac/skinning", {{"size", "u4"}}},
        {"xac/node_groups", {{"size", "u4"}, {"start", "u4"}}},
        {"xac/node_motion_sources", {{"size", "u4"}}},
        {"emfx/motion_events", {{"size", "u4"}}},
        {"emfx/motion_events/track", {{"size", "u4"}, {"start", "u4"}}},
        {"emfx/motion_events/track/event", {{"packed", "bool"}}},
        {"ani/keys", {{"animation", "animation"}}},
        {"x42/group", {{"index", "u4"}}},
    };
    return all;
}

std::string text_at(const std::map<std::string, std::string>& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string() : found->second;
}

std::string indented(const std::string& text, std::size_t by) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += std::string(by, ' ') + line + "\n";
    return result;
}

/// "mesh_layer" of "xac/mesh/layer"
std::string type_name(const std::string& record) {
    std::string name = record.substr(record.find('/') + 1);
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

/// Writes the types of one format.
class Types {
public:
    explicit Types(std::string format) : format_(std::move(format)) {}

    [[nodiscard]] std::string write() {
        std::string text;
        for (const RecordLayout& record : record_layouts()) {
            if (belongs(record)) text += type(record);
        }
        text += elements();
        return text;
    }

    /// The fields of a file from its beginning to its end.
    [[nodiscard]] std::string write_file() { return sequence(find_layout(format_ + "/file"), format_); }

private:
    [[nodiscard]] bool is_chunked() const { return format_ == "xac" || format_ == "xsm" || format_ == "xpm"; }
    [[nodiscard]] bool belongs(const RecordLayout& record) const {
        if (record.name.find("/elements/") != std::string::npos || record.name.ends_with("/file")) return false;
        if (record.name.starts_with("emfx/")) return is_chunked() && record.name != "emfx/chunk";
        if (record.name == "x42/morph_target" || record.name == "arp/mesh/duplicate_list") return false;
        return record.name.starts_with(format_ + "/");
    }

    /// Variants that the description covers: of X42 version 5, since what later ones are is found by trying.
    [[nodiscard]] static std::vector<Variant> covered(const RecordLayout& record) {
        std::vector<Variant> variants = record.variants;
        if (record.name.starts_with("x42")) variants.resize(1);
        return variants;
    }

    [[nodiscard]] static bool differs(const RecordLayout& record) {
        const auto variants = covered(record);
        const auto rows = merged(variants);
        return std::any_of(rows.begin(), rows.end(),
                           [](const MergedField& row) {
                               return std::any_of(row.offsets.begin(), row.offsets.end(),
                                                  [](const auto& offset) { return offset.empty(); });
                           }) ||
               needs_version_below(record);
    }
    [[nodiscard]] static bool needs_version_below(const RecordLayout& record) {
        for (const RecordLayout& other : record_layouts()) {
            if (other.name.starts_with(record.name + "/") && other.name != record.name && differs(other)) return true;
        }
        return false;
    }

    std::string type(const RecordLayout& record) {
        const std::string name = type_name(record.name);
        std::string text = name + ":\n";
        std::string params;
        if (differs(record)) params += "    - id: version\n      type: u4\n";
        const auto more = parameters().find(record.name);
        if (more != parameters().end()) {
            for (const auto& [id, type] : more->second) params += "    - id: " + id + "\n      type: " + type + "\n";
        }
        if (!params.empty()) text += "  params:\n" + params;
        text += "  seq:\n" + indented(sequence(record, record.name), 4);
        text += indented(text_at(additions(), record.name), 2);
        return text;
    }

    /// "version >= 2": when a field is there.
    [[nodiscard]] static std::string version_condition(const RecordLayout& record,
                                                       const std::vector<std::string>& offsets) {
        std::size_t first = offsets.size(), last = 0, number = 0;
        for (std::size_t variant = 0; variant < offsets.size(); ++variant) {
            if (offsets[variant].empty()) continue;
            first = std::min(first, variant), last = variant, ++number;
        }
        if (number == offsets.size()) return {};
        if (last - first + 1 != number) throw std::logic_error(record.name + " has a field in versions with a gap");
        const auto label = [&](std::size_t variant) {
            std::string digits;
            for (const char c : record.variants[variant].label) {
                if (c >= '0' && c <= '9') digits += c;
            }
            return record.name.starts_with("arp") ? digits + "0" : digits;
        };
        if (first == last) return "version == " + label(first);
        if (last + 1 == offsets.size()) return "version >= " + label(first);
        if (first == 0) return "version <= " + label(last);
        return "version >= " + label(first) + " and version <= " + label(last);
    }

    std::string sequence(const RecordLayout& record, const std::string& path) {
        const std::vector<Variant> variants = covered(record);
        const std::vector<MergedField> rows = merged(variants);
        std::string text;
        count_names(rows);
        std::uint64_t size = 0;
        for (std::size_t index = 0; index < rows.size(); ++index) {
            const MergedField& row = rows[index];
            const Field& field = *row.field;
            size += field.size().value_or(0);
            std::string condition = version_condition(record, row.offsets);
            if (path == "arp") condition = with_number(std::move(condition));
            // A field whose type changes from version to version is one field.
            if (index + 1 < rows.size() && rows[index + 1].field->name == field.name) {
                const std::string other = version_condition(record, rows[index + 1].offsets);
                if (!condition.empty() && !other.empty() && !overlap(row, rows[index + 1])) {
                    text +=
                        "- id: " + id_of(field) + "\n" + alternatives(path, field, *rows[index + 1].field, condition);
                    ++index;
                    continue;
                }
            }
            const std::string at = path + "/" + field.name;
            std::string more = text_at(conditions(), at);
            if (field.by_size) more = "_io.size >= " + std::to_string(size);
            if (at == "xmf/buffer/element") more = "_io.size >= 68";
            if (at == "xmf/material/name") more = {};
            if (!more.empty()) condition = condition.empty() ? more : condition + " and " + more;
            text += "- id: " + id_of(field) + "\n";
            text += indented(member(at, field), 2);
            if (!condition.empty()) text += "  if: " + condition + "\n";
        }
        return text;
    }

    void count_names(const std::vector<MergedField>& rows) {
        seen_.clear();
        total_.clear();
        for (std::size_t index = 0; index < rows.size(); ++index) {
            const bool is_same = index + 1 < rows.size() && rows[index + 1].field->name == rows[index].field->name;
            if (!is_same) ++total_[rows[index].field->name];
        }
    }

    [[nodiscard]] static bool overlap(const MergedField& left, const MergedField& right) {
        for (std::size_t variant = 0; variant < left.offsets.size(); ++variant) {
            if (!left.offsets[variant].empty() && !right.offsets[variant].empty()) return true;
        }
        return false;
    }

    /// What stands at several places, of which a version has one, has a number behind its name where it is not the
    /// last.
    [[nodiscard]] std::string numbered(const std::string& name) const {
        const auto total = total_.find(name);
        if (total == total_.end() || total->second <= 1) return name;
        const auto seen = seen_.find(name);
        const int number = total->second - (seen == seen_.end() ? 0 : seen->second) + 1;
        return number == 1 ? name : name + "_" + std::to_string(number);
    }
    [[nodiscard]] std::string id_of(const Field& field) {
        ++seen_[field.name];
        return numbered(field.name);
    }
    [[nodiscard]] static std::string with_number(std::string condition) {
        const std::string name = "version ";
        for (std::size_t at = condition.find(name); at != std::string::npos; at = condition.find(name, at + 15))
            condition.replace(at, name.size(), "version_number ");
        return condition;
    }

    std::string alternatives(const std::string& path, const Field& first, const Field& second,
                             const std::string& condition) {
        const std::string at = path + "/" + first.name;
        std::string one = member(at, first), other = member(at, second), rest;
        const auto type_of = [](std::string& text) {
            const std::size_t begin = text.find("type: ");
            if (!text.starts_with("type: ")) throw std::logic_error("no type in " + text);
            const std::size_t end = text.find('\n', begin);
            std::string type = text.substr(begin + 6, end - begin - 6);
            text.erase(begin, end + 1 - begin);
            return type;
        };
        const std::string one_type = type_of(one), other_type = type_of(other);
        if (one != other) throw std::logic_error(at + " changes more than its type");
        return "  type:\n    switch-on: " + condition + "\n    cases:\n      true: " + one_type +
               "\n      false: " + other_type + "\n" + indented(one, 2);
    }

    /// Type, size and repetition of a field.
    std::string member(const std::string& path, const Field& field) {
        const std::string by_hand = text_at(written_by_hand(), path);
        if (!by_hand.empty()) return by_hand;
        switch (field.kind) {
            case Field::Kind::text:
                return field.count.empty() ? "type: text\n"
                                           : "type: text\nrepeat: expr\nrepeat-expr: " + field.count + "\n";
            case Field::Kind::align: {
                const std::string by = std::to_string(field.alignment);
                return "size: (" + by + " - _io.pos % " + by + ") % " + by + "\n";
            }
            case Field::Kind::value:
                return value(field.type);
            case Field::Kind::block:
                return block(path, field);
            case Field::Kind::record:
                break;
        }
        const RecordLayout record = find_layout(path);
        const std::string name = record.variants.empty() ? type_name(path) : type_name(record.name);
        std::string text = "type: " + name;
        if (!record.variants.empty() && differs(record))
            text +=
                path.starts_with("arp/") && path.find('/', 4) == std::string::npos ? "(version_number)" : "(version)";
        text += "\n";
        if (!field.count.empty()) text += "repeat: expr\nrepeat-expr: " + count(path, field) + "\n";
        return text;
    }

    [[nodiscard]] std::string count(const std::string& path, const Field& field) const {
        const std::string known = text_at(expressions(), path);
        return numbered(known.empty() ? field.count : known);
    }

    static std::string scalar(const layout::Part& part) {
        const std::string width = std::to_string(part.width);
        switch (part.kind) {
            case layout::Kind::real:
                return "f" + width;
            case layout::Kind::signed_integer:
                return "s" + width;
            default:
                return "u" + width;
        }
    }

    std::string value(const layout::ElementType& type) {
        const layout::Part& part = type.parts.front();
        const std::string name = type.name;
        if (type.parts.size() > 1 || name.starts_with("vec") || name == "quat" || name == "color" ||
            name.starts_with("packed"))
            return "type: " + element(type) + "\n";
        if (part.kind == layout::Kind::character) return "size: " + std::to_string(part.count) + "\n";
        if (part.count == 1) return "type: " + scalar(part) + "\n";
        return "type: " + scalar(part) + "\nrepeat: expr\nrepeat-expr: " + std::to_string(part.count) + "\n";
    }

    std::string block(const std::string& path, const Field& field) {
        const std::string number = count(path, field);
        const std::string name = field.type.name;
        if (path == "xmf/data" || path.ends_with("/rest")) return "size-eos: true\n";
        if (field.type.size == 1 && field.type.parts.size() == 1) return "size: '" + number + "'\n";
        const layout::Part& part = field.type.parts.front();
        const bool is_plain = field.type.parts.size() == 1 && part.count == 1;
        return "type: " + (is_plain ? scalar(part) : element(field.type)) +
               "\nrepeat: expr\nrepeat-expr: " + (number.find(' ') == std::string::npos ? number : "'" + number + "'") +
               "\n";
    }

    /// Elements that are used get a type each.
    std::string element(const layout::ElementType& type) {
        std::string name = type.name;
        const bool is_array = name.size() <= 3 && type.parts.size() == 1;
        if (is_array) name += "_x" + std::to_string(type.parts.front().count);
        for (auto& [known, other] : elements_) {
            if (known.starts_with(name) && other.parts.data() == type.parts.data()) return known;
        }
        if (elements_.contains(name)) name += "_of_" + std::to_string(type.size);
        elements_.emplace(name, type);
        return name;
    }

    [[nodiscard]] std::string elements() {
        if (format_ == "xac") {
            for (const auto& type : {layout::element_type<Vec2>, layout::element_type<Vec3>, layout::element_type<Vec4>,
                                     layout::element_type<Color>})
                (void)element(type);
        }
        std::string text;
        for (const auto& [name, type] : elements_) {
            text += name + ":\n  seq:\n";
            static const std::array<const char*, 4> axes{"x", "y", "z", "w"}, colors{"r", "g", "b", "a"};
            for (const layout::Part& part : type.parts) {
                const bool is_named = *part.name != 0;
                if (part.kind == layout::Kind::character || part.kind == layout::Kind::padding) {
                    text +=
                        std::string("    - id: ") + part.name + "\n      size: " + std::to_string(part.count) + "\n";
                } else if (is_named || part.count > 4) {
                    text += std::string("    - id: ") + (is_named ? part.name : "values") +
                            "\n      type: " + scalar(part) + "\n";
                    if (part.count > 1)
                        text += "      repeat: expr\n      repeat-expr: " + std::to_string(part.count) + "\n";
                } else {
                    for (std::uint8_t index = 0; index < part.count; ++index) {
                        text += std::string("    - id: ") + (name == "color" ? colors : axes).at(index) +
                                "\n      type: " + scalar(part) + "\n";
                    }
                }
            }
        }
        if (format_ == "xac") {
            for (const char* of : {"vec2", "vec3", "vec4", "color", "u4"}) {
                text +=
                    std::string(of) + "_list:\n  seq:\n    - id: value\n      type: " + of + "\n      repeat: eos\n";
            }
        }
        return text;
    }

    std::string format_;
    std::map<std::string, layout::ElementType> elements_;
    std::map<std::string, int> seen_, total_;  // names in the sequence that is being written
};

/// The kinds of chunks: id times 65536 plus version.
template <class Format>
std::string cases(const std::map<std::uint32_t, std::string>& names) {
    std::ostringstream text;
    for (const auto& [id, name] : names) {
        for (std::uint32_t version = 1; Format::make_record(id, version); ++version) {
            static constexpr char digits[] = "0123456789abcdef";
            std::string hex;
            for (int shift = 28; shift >= 0; shift -= 4) hex += digits[((id << 16 | version) >> shift) & 15u];
            text << "0x" << hex << ": " << name << "\n";
        }
    }
    return text.str();
}

std::string chunk_cases(const std::string& format) {
    const std::string events = "motion_events(version, size)";
    if (format == "xac") {
        return cases<emfx::XacFormat>({{0, "node(version)"},
                                       {1, "mesh(version)"},
                                       {2, "skinning(version, size)"},
                                       {3, "standard_material(version)"},
                                       {4, "material_layer"},
                                       {5, "fx_material(version)"},
                                       {6, "limit"},
                                       {7, "info(version)"},
                                       {8, "mesh_lod"},
                                       {9, "morph_target"},
                                       {10, "node_groups(size, _io.pos)"},
                                       {11, "nodes"},
                                       {12, "morph_targets"},
                                       {13, "material_info(version)"},
                                       {14, "node_motion_sources(size)"},
                                       {15, "attachment_nodes"},
                                       {50, events},
                                       {51, "timestamp"}});
    }
    if (format == "xsm") {
        return cases<emfx::XsmFormat>({{200, "submotion(version)"},
                                       {201, "motion_info(version)"},
                                       {202, "submotions(version)"},
                                       {203, "wavelet"},
                                       {50, events},
                                       {51, "timestamp"}});
    }
    return cases<emfx::XpmFormat>(
        {{100, "submotion"}, {101, "motion_info"}, {102, "submotions"}, {50, events}, {51, "timestamp"}});
}

}  // namespace

std::string kaitai_part(const std::string& format, const std::string& part) {
    if (part == "cases") return chunk_cases(format);
    Types types(format);
    const bool is_file = format != "xac" && format != "xsm" && format != "xpm";
    const std::string sequence = is_file ? types.write_file() : std::string();
    return part == "seq" ? sequence : types.write();
}

}  // namespace effigy::test
