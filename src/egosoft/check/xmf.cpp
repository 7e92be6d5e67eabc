/// Rules for XMF files: header, descriptors, compressed streams, vertex declarations, materials.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/file/xmf_streams.hpp"

namespace effigy::egosoft {

namespace {

using xmf::Buffer;
using xmf::Element;
using xmf::PlacedElement;
using xmf::Usage;

std::string hex_text(std::span<const std::uint8_t> bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        if (!text.empty()) text += ' ';
        text += {digits[byte >> 4], digits[byte & 15]};
    }
    return text;
}

std::string element_path(std::size_t buffer, std::size_t element, const char* field) {
    return buffer_path(buffer, "element[" + std::to_string(element) + "] / " + field);
}

/// Two names of 3ds Max that the games' own files have on the roots of scenes.
bool is_default_material(std::string_view name) noexcept {
    return name == "standardmaterial" || name == "colormaterial";
}

class MeshCheck {
public:
    MeshCheck(const xmf::File& file, bool named_collision, Report& report)
        : file_(file), collision_(named_collision || xmf::is_collision_mesh(file)), findings_(report) {
        for (std::size_t index = 0; index < file.buffers.size(); ++index)
            (xmf::is_index_buffer(file.buffers[index]) ? index_buffers_ : vertex_buffers_).push_back(index);
    }

    void run() {
        check_header();
        check_streams(file_, findings_);
        for (std::size_t index = 0; index < file_.buffers.size(); ++index) check_buffer(index);
        check_numbers_of_buffers();
        check_elements_together();
        for (const std::size_t index : index_buffers_) check_indices(index);
        for (const std::size_t index : vertex_buffers_) check_vertices(index);
        collision_ ? check_collision() : check_materials();
        if (!collision_) check_geometry(file_, findings_);
    }

private:
    const Buffer& buffer(std::size_t index) const noexcept { return file_.buffers[index]; }

    std::uint64_t vertices() const noexcept {
        return vertex_buffers_.empty() ? 0 : xmf::item_count(buffer(vertex_buffers_.front()));
    }
    std::uint64_t indices() const noexcept {
        return index_buffers_.empty() ? 0 : xmf::item_count(buffer(index_buffers_.front()));
    }

    /// A number that has to be another one.
    template <class Number>
    void expect(const Code& code, const std::string& path, Number found, std::uint64_t expected) {
        if (found != expected) findings_.add(code, path, std::to_string(found), std::to_string(expected));
    }

    void check_header() {
        const xmf::Header& header = file_.header;
        expect(codes::xmf_version, "version", header.version, 3);
        if (header.big_endian > 1)
            findings_.add(codes::xmf_endian, "big_endian", std::to_string(header.big_endian), "0 or 1");
        expect(codes::xmf_primitive, "primitive_type", header.primitive_type, 4);
        expect(codes::xmf_header_size, "size", header.size, 64);
        if (header.descriptor_size != 56 && header.descriptor_size != 188 && !file_.buffers.empty())
            findings_.add(codes::xmf_record_size, "descriptor_size", std::to_string(header.descriptor_size),
                          "56 or 188");
        if (!file_.materials.empty()) expect(codes::xmf_record_size, "material_size", header.material_size, 136);
        check_counts(header);
        check_reserved(header);
    }

    void check_counts(const xmf::Header& header) {
        const bool vertices_differ = header.vertex_count != vertices(),
                   indices_differ = header.index_count != indices();
        if (!vertices_differ && !indices_differ) return;
        const auto both = [](std::uint64_t vertex_count, std::uint64_t index_count) {
            return count_text(vertex_count, "vertices") + ", " + count_text(index_count, "indices");
        };
        findings_.add(codes::xmf_header_counts, vertices_differ ? "vertex_count" : "index_count",
                      both(header.vertex_count, header.index_count), both(vertices(), indices()));
    }

    void check_reserved(const xmf::Header& header) {
        const std::array<std::uint8_t, 2> garbage{header.reserved, header.right_handed};
        if (garbage != std::array<std::uint8_t, 2>{})
            findings_.add(codes::xmf_header_reserved, header.reserved != 0 ? "reserved" : "right_handed",
                          hex_text(garbage), "00 00");
        auto end = header.reserved_end;
        if (end[2] == 0x84 && end[3] == 0x80) end[2] = end[3] = 0;  // the public tools' mark
        if (end != std::array<std::uint8_t, 10>{})
            findings_.add(codes::xmf_header_reserved, "reserved_end", hex_text(header.reserved_end), "zeros");
    }

    void check_buffer(std::size_t index) {
        const Buffer& tested = buffer(index);
        expect(codes::xmf_sections, buffer_path(index, "section_count"), tested.section_count, 1);
        if (tested.compressed == 0) findings_.add(codes::xmf_uncompressed, buffer_path(index, "compressed"), "0", "1");
        if (xmf::is_index_buffer(tested)) return check_index_format(index);
        tested.element_count == 0 ? check_implicit(index) : check_explicit(index);
    }

    void check_index_format(std::size_t index) {
        const Buffer& tested = buffer(index);
        const std::uint32_t expected = index_size_of(tested.format);
        if (expected == 0 || tested.item_size != expected) {
            findings_.add(codes::xmf_index_format, buffer_path(index, "format"),
                          "format " + std::to_string(tested.format) + " with " + count_text(tested.item_size, "bytes"),
                          "format 30 with 2 bytes or 31 with 4");
        } else if (tested.item_size == 4 && !collision_ && vertices() <= 65535) {
            findings_.add(codes::xmf_index_width, buffer_path(index, "format"), "31", "30");
        }
    }

    void check_implicit(std::size_t index) {
        const Buffer& tested = buffer(index);
        const std::uint32_t size = xmf::size_of(static_cast<xmf::ElementType>(tested.format));
        if (size == 0) {
            findings_.add(codes::xmf_element_type, buffer_path(index, "format"), std::to_string(tested.format),
                          "0 to 16");
        } else {
            expect(codes::xmf_item_size, buffer_path(index, "item_size"), tested.item_size, size);
        }
    }

    void check_explicit(std::size_t index) {
        const Buffer& tested = buffer(index);
        const std::size_t max_count = element_room(file_.header);
        if (tested.element_count > max_count) {
            findings_.add(codes::xmf_element_count, buffer_path(index, "element_count"),
                          std::to_string(tested.element_count), "at most " + std::to_string(max_count));
        }
        expect(tested.format == 0 ? codes::xmf_format_zero : codes::xmf_format, buffer_path(index, "format"),
               tested.format, 32);
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < std::min<std::size_t>(tested.element_count, max_count); ++at) {
            const Element& element = tested.elements[at];
            if (element.type > xmf::ElementType::unused) {
                findings_.add(codes::xmf_element_type, element_path(index, at, "type"),
                              std::to_string(static_cast<std::uint32_t>(element.type)), "0 to 17");
            }
            if (element.usage > Usage::sample) {
                findings_.add(codes::xmf_element_usage, element_path(index, at, "usage"),
                              std::to_string(static_cast<unsigned>(element.usage)), "0 to 13");
            }
            sum += xmf::size_of(element.type);
        }
        expect(codes::xmf_item_size, buffer_path(index, "item_size"), tested.item_size, sum);
    }

    void check_numbers_of_buffers() {
        if (index_buffers_.size() != 1)
            findings_.add(codes::xmf_index_buffers, "buffer_count", count_text(index_buffers_.size(), "index buffers"),
                          "1");
        if (vertex_buffers_.empty())
            findings_.add(codes::xmf_vertex_buffers, "buffer_count", "0 vertex buffers", "1 or more");
        for (const std::size_t index : vertex_buffers_) {
            const std::uint64_t count = xmf::item_count(buffer(index));
            if (count == vertices()) continue;
            findings_.add(codes::xmf_vertex_counts, buffer_path(index, "item_count"), std::to_string(count),
                          std::to_string(vertices()));
            break;
        }
    }

    void check_elements_together() {
        std::set<std::pair<Usage, unsigned>> seen;
        for (const std::size_t index : vertex_buffers_) {
            for (const PlacedElement& placed : xmf::declaration(buffer(index))) {
                if (seen.emplace(placed.element.usage, placed.element.usage_index).second) continue;
                findings_.add(codes::xmf_element_repeated, buffer_path(index),
                              "usage " + std::to_string(static_cast<unsigned>(placed.element.usage)) + " with index " +
                                  std::to_string(placed.element.usage_index) + " again");
            }
        }
        if (!vertex_buffers_.empty() && !seen.contains({Usage::position, 0}))
            findings_.add(codes::xmf_position_missing, "");
        if (!collision_ && !vertex_buffers_.empty() && !seen.contains({Usage::normal, 0}))
            findings_.add(codes::xmf_normal_missing, "");
        check_sparse(seen, Usage::texcoord, "texture coordinates");
        check_sparse(seen, Usage::color, "colours");
    }

    void check_sparse(const std::set<std::pair<Usage, unsigned>>& seen, Usage usage, const char* noun) {
        unsigned next = 0;
        std::string found;
        bool gap = false;
        for (const auto& [some_usage, index] : seen) {
            if (some_usage != usage) continue;
            gap = gap || index != next++;
            found += (found.empty() ? "" : ", ") + std::to_string(index);
        }
        if (gap) findings_.add(codes::xmf_sets_sparse, "", std::string(noun) + " " + found);
    }

    void check_indices(std::size_t index) {
        const Buffer& tested = buffer(index);
        const std::uint64_t count = xmf::item_count(tested);
        if (count == 0 && !collision_)
            findings_.add(codes::xmf_triangles_missing, buffer_path(index, "item_count"), "0", "3 or more");
        if (count % 3 != 0)
            findings_.add(codes::xmf_index_count, buffer_path(index, "item_count"), std::to_string(count),
                          "a multiple of 3");
        const Bulk<std::uint32_t> all = xmf::indices(tested);
        Tally bad;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (all[at] >= vertices()) bad.hit(at);
        }
        if (bad) {
            findings_.add(codes::xmf_index_range, buffer_path(index, "content[" + std::to_string(bad.first) + "]"),
                          first_of(std::to_string(all[static_cast<std::size_t>(bad.first)]), bad.count),
                          "less than " + std::to_string(vertices()));
        }
        if (all.empty() || (tested.minimum == 0 && tested.maximum == 0)) return;
        const double last = vertices() == 0 ? 0 : static_cast<double>(vertices() - 1);
        if (tested.minimum != 0 || tested.maximum != last) check_range(index, {0, last});
    }

    void check_range(std::size_t index, std::pair<double, double> expected) {
        const Buffer& tested = buffer(index);
        findings_.add(codes::xmf_range, buffer_path(index, tested.minimum != expected.first ? "minimum" : "maximum"),
                      number_text(tested.minimum) + " to " + number_text(tested.maximum),
                      number_text(expected.first) + " to " + number_text(expected.second));
    }

    void check_vertices(std::size_t index) {
        const Buffer& tested = buffer(index);
        if (tested.item_size == 0) return;
        Tally bad;
        const std::vector<PlacedElement> elements = xmf::declaration(tested);
        for (std::size_t at = 0; (at + 1) * tested.item_size <= tested.content.size(); ++at) {
            if (std::any_of(elements.begin(), elements.end(),
                            [&](const PlacedElement& placed) { return !finite(value(tested, placed, at)); })) {
                bad.hit(at);
            }
        }
        if (bad) {
            findings_.add(codes::xmf_not_finite, buffer_path(index, "content[" + std::to_string(bad.first) + "]"),
                          first_of("a vertex", bad.count), "finite numbers");
        } else if (tested.element_count == 0 && elements.size() == 1 && !tested.content.empty()) {
            check_vertex_range(index, elements.front());
        }
    }

    static Vec4 value(const Buffer& tested, const PlacedElement& placed, std::size_t vertex) noexcept {
        return xmf::decode(placed.element.type, tested.content.data() + vertex * tested.item_size + placed.offset);
    }
    static bool finite(const Vec4& v) noexcept {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
    }

    /// Positions only: packed directions and colours state what they can hold, not what they do.
    void check_vertex_range(std::size_t index, const PlacedElement& placed) {
        const Buffer& tested = buffer(index);
        if (placed.element.usage != Usage::position || (tested.minimum == 0 && tested.maximum == 0)) return;
        // The games' converter takes the range before it turns z round.
        std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};
        for (std::size_t at = 0; (at + 1) * tested.item_size <= tested.content.size(); ++at) {
            const Vec4 v = value(tested, placed, at);
            for (const std::size_t flipped : {0u, 1u}) {
                const float z = flipped == 1 ? -v.z : v.z;
                low[flipped] = std::min({low[flipped], double{v.x}, double{v.y}, double{z}});
                high[flipped] = std::max({high[flipped], double{v.x}, double{v.y}, double{z}});
            }
        }
        const auto near = [](double left, double right) {
            return std::fabs(left - right) <= 1e-3 * std::max({1.0, std::fabs(left), std::fabs(right)});
        };
        const bool right = (near(tested.minimum, low[0]) && near(tested.maximum, high[0])) ||
                           (near(tested.minimum, low[1]) && near(tested.maximum, high[1]));
        if (!right) check_range(index, {low[0], high[0]});
    }

    void check_collision() {
        if (!file_.materials.empty()) {
            findings_.add(codes::xmf_collision_stream, "material_count",
                          count_text(file_.materials.size(), "materials"), "0");
        }
        if (vertex_buffers_.size() != 1) {
            findings_.add(codes::xmf_collision_stream, "buffer_count",
                          count_text(vertex_buffers_.size(), "vertex buffers"), "1");
        }
        for (const std::size_t index : vertex_buffers_) {
            const Buffer& tested = buffer(index);
            const bool implicit = tested.element_count == 0 && tested.kind <= 1;
            if (implicit && tested.format == static_cast<std::uint32_t>(xmf::ElementType::float3)) continue;
            findings_.add(codes::xmf_collision_stream, buffer_path(index),
                          "kind " + std::to_string(tested.kind) + ", format " + std::to_string(tested.format) + ", " +
                              count_text(tested.element_count, "elements"),
                          "kind 0, format 2, 0 elements");
            break;
        }
        for (const std::size_t index : index_buffers_) {
            if (buffer(index).item_size == 2)
                findings_.add(codes::xmf_collision_indices, buffer_path(index, "format"), "16 bits", "32 bits");
        }
    }

    void check_materials() {
        if (file_.materials.empty() && indices() != 0)
            return findings_.add(codes::xmf_materials_missing, "material_count", "0", "1 or more");
        std::uint64_t next = 0, sum = 0;
        bool in_order = true;
        for (std::size_t index = 0; index < file_.materials.size(); ++index) {
            const xmf::Material& material = file_.materials[index];
            const std::string path = "material[" + std::to_string(index) + "] / ";
            const std::uint64_t end = std::uint64_t{material.first_index} + material.index_count;
            if (end > indices()) {
                findings_.add(codes::xmf_material_range, path + "index_count", "up to " + std::to_string(end),
                              "at most " + std::to_string(indices()));
            }
            if (material.index_count % 3 != 0)
                findings_.add(codes::xmf_material_count, path + "index_count", std::to_string(material.index_count),
                              "a multiple of 3");
            if (in_order) expect(codes::xmf_material_order, path + "first_index", material.first_index, next);
            in_order = in_order && material.first_index == next;
            next = end;
            sum += material.index_count;
            check_name(material, path + "name");
        }
        if (sum != indices() && !file_.materials.empty())
            findings_.add(codes::xmf_material_sum, "material_count", count_text(sum, "indices"),
                          std::to_string(indices()));
    }

    void check_name(const xmf::Material& material, const std::string& path) {
        const std::string_view name = xmf::name_of(material);
        if (name.size() == material.name.size())
            findings_.add(codes::xmf_material_name_end, path, {}, "at most 127 characters");
        if (is_default_material(name)) return;
        if (std::count(name.begin(), name.end(), '.') != 1 || name.front() == '.' || name.back() == '.')
            findings_.add(codes::xmf_material_name, path, std::string(name), "collection.material");
    }

    const xmf::File& file_;
    bool collision_;
    Findings findings_;
    std::vector<std::size_t> index_buffers_, vertex_buffers_;
};

/// What decoding has to say once more: the file may come from a program that did not read it.
void check_decoding(const xmf::File& file, Report& report) {
    StreamDecoder decoder;
    Limits limits;
    for (std::size_t index = 0; index < file.buffers.size(); ++index) {
        const Buffer& tested = file.buffers[index];
        if (file.data.empty() && !tested.content.empty()) continue;  // not stored yet
        limits.memory = std::max<std::uint64_t>(tested.content.size(), std::uint64_t{64} << 20);
        Budget budget(limits, 0);
        Stream stream = decoder.decode(tested, file.data, file.header.big_endian != 0, budget);
        if (!stream.problem) continue;
        stream.problem->path = buffer_path(index, stream.problem->path);
        report.add(std::move(*stream.problem));
    }
}

}  // namespace

Report check_mesh(const xmf::File& file, bool named_collision) {
    Report report;
    check_decoding(file, report);
    MeshCheck(file, named_collision, report).run();
    locate(file, report);
    return report;
}

}  // namespace effigy::egosoft

namespace effigy::xmf {

Report check(const File& file) { return egosoft::check_mesh(file, false); }

}  // namespace effigy::xmf
