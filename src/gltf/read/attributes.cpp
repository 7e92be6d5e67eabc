/// Attributes of a mesh of glTF, gathered for the vertices of all its primitives.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene.hpp"

#include "core/text.hpp"
#include "gltf/file/accessors.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/content.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/mesh.hpp"
#include "scene/attribute_names.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {

namespace {

constexpr std::uint32_t max_sets = 64;  ///< of texture coordinates and the like

bool is_float(const Accessor& data) { return data.component == ComponentType::f32 && !data.normalized; }

std::optional<std::uint32_t> number_after(std::string_view prefix, std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    const bool is_plain = name == "0" || !name.starts_with('0');
    return is_plain ? number_from<std::uint32_t>(name) : std::nullopt;
}

float greatest(const Accessor& data) {
    if (data.component == ComponentType::u8) return std::numeric_limits<std::uint8_t>::max();
    if (data.component == ComponentType::u16) return std::numeric_limits<std::uint16_t>::max();
    return 1;
}

void set_component(Accessor& data, std::size_t index, float value) {
    if (data.component == ComponentType::u8) data.as<std::uint8_t>()[index] = static_cast<std::uint8_t>(value);
    if (data.component == ComponentType::u16) data.as<std::uint16_t>()[index] = static_cast<std::uint16_t>(value);
    if (data.component == ComponentType::f32) data.as<float>()[index] = value;
}

std::optional<Attribute> attribute_of(const std::string& name) {
    Attribute attribute;
    if (name == "POSITION") return attribute;
    if (name == "NORMAL") attribute.semantic = Semantic::normal;
    if (name == "TANGENT") attribute.semantic = Semantic::tangent;
    if (attribute.semantic != Semantic::position) return attribute;
    if (name.starts_with('_')) {
        attribute.semantic = Semantic::custom;
        attribute.custom_name = name;
        return attribute;
    }
    constexpr std::pair<std::string_view, Semantic> numbered[] = {{"TEXCOORD_", Semantic::texcoord},
                                                                  {"COLOR_", Semantic::color},
                                                                  {"JOINTS_", Semantic::joints},
                                                                  {"WEIGHTS_", Semantic::weights}};
    for (const auto& [prefix, semantic] : numbered) {
        const auto number = number_after(prefix, name);
        if (!number || *number >= max_sets) continue;
        attribute.semantic = semantic;
        attribute.set = *number;
        return attribute;
    }
    return std::nullopt;
}

/// Joints as 16-bit numbers; nothing if they are none.
std::optional<Accessor> to_u16(const Accessor& joints) {
    const Accessor numbers = to_floats(joints);
    Accessor narrow{{}, joints.element, ComponentType::u16, false};
    narrow.bytes.resize(numbers.count() * narrow.stride());
    const auto from = numbers.as<float>();
    const auto to = narrow.as<std::uint16_t>();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!(from[i] >= 0 && from[i] <= 65535) || from[i] != std::floor(from[i])) return std::nullopt;
        to[i] = static_cast<std::uint16_t>(from[i]);
    }
    return narrow;
}

/// Colours of three floats as such of four, the last one opaque.
Accessor with_alpha(const Accessor& colors) {
    Accessor wide{{}, ElementType::vec4, ComponentType::f32, false};
    wide.bytes.resize(colors.count() * wide.stride());
    const auto from = colors.as<float>();
    const auto to = wide.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = i % 4 == 3 ? 1.0f : from[i / 4 * 3 + i % 4];
    return wide;
}

/// White where nothing is known of colours; all of the weight on the first joint. All else is zero already.
void make_up(Attribute& attribute, std::size_t first, std::size_t count) {
    const std::size_t width = component_count(attribute.data.element);
    const float one = greatest(attribute.data);
    for (std::size_t i = first; i < first + count; ++i) {
        for (std::size_t part = 0; part < width; ++part) {
            const bool is_weight = attribute.semantic == Semantic::weights && attribute.set == 0 && part == 0;
            if (attribute.semantic == Semantic::color || is_weight) {
                set_component(attribute.data, i * width + part, one);
            }
        }
    }
}

class AttributeReader {
public:
    AttributeReader(Reading& reading, const MeshSource& source, Mesh& mesh)
        : reading_(reading), source_(source), mesh_(mesh) {}

    Result<MissingVectors> read() {
        for (const std::string& name : names()) {
            if (auto done = read(name); !done) return fail(std::move(done.error()));
        }
        pair_influences();
        if (auto filled = fill_sets(Semantic::texcoord); !filled) return fail(std::move(filled.error()));
        if (auto filled = fill_sets(Semantic::color); !filled) return fail(std::move(filled.error()));
        return std::move(missing_);
    }

private:
    using Pieces = std::vector<std::optional<Accessor>>;  // one for each range
    // More than anybody needs. Work grows with their number times that of primitives.
    static constexpr std::size_t max_customs = 256;

    // In the order of their accessors, which is that in which effigy wrote them.
    [[nodiscard]] std::vector<std::string> names() const {
        std::map<std::string, Index> numbers;
        for (const VertexRange& range : source_.ranges) {
            for (const auto& [name, number] : range.attributes) numbers.try_emplace(name, number);
        }
        std::vector<std::pair<Index, std::string>> order;
        order.reserve(numbers.size());
        for (const auto& [name, number] : numbers) order.emplace_back(number, name);
        std::sort(order.begin(), order.end());
        std::vector<std::string> names;
        names.reserve(order.size());
        for (auto& [number, name] : order) names.push_back(std::move(name));
        return names;
    }

    void spend(const std::string& name) {
        std::set<Index> accessors;
        for (const VertexRange& range : source_.ranges) {
            const auto found = range.attributes.find(name);
            if (found != range.attributes.end()) accessors.insert(found->second);
        }
        for (const Index accessor : accessors) reading_.asset.spend(accessor);
    }

    Result<void> read(const std::string& name) {
        auto attribute = attribute_of(name);
        if (!attribute) {
            lose(name, "glTF knows no such attribute");
            return {};
        }
        if (attribute->semantic == Semantic::custom && ++customs_ > max_customs) {
            lose(name, "a mesh has at most 256 attributes of its own");
            return {};
        }
        Pieces pieces(source_.ranges.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            auto piece = read_piece(name, attribute->semantic, i);
            if (!piece) return fail(std::move(piece.error()));
            pieces[i] = std::move(*piece);
            if (source_.takes_whole_views && pieces[i]) break;
        }
        if (!source_.is_tentative) spend(name);
        if (std::none_of(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.has_value(); })) return {};
        return combine(std::move(*attribute), name, pieces);
    }

    void lose(const std::string& name, const char* why) {
        reading_.note(codes::gltf_attribute_lost, source_.path, std::string("this attribute is left out: ") + why,
                      name.substr(0, 80));
    }

    // Nothing where the range does not have the attribute, or not in a form that can be used.
    Result<std::optional<Accessor>> read_piece(const std::string& name, Semantic semantic, std::size_t number) {
        const VertexRange& range = source_.ranges[number];
        const auto found = range.attributes.find(name);
        if (found == range.attributes.end()) return std::nullopt;
        if (semantic == Semantic::custom && is_small_matrix(found->second)) {
            lose(name, "the scene has no such type");
            return std::nullopt;
        }
        auto data = elements(range, name, found->second);
        if (!data) return fail(std::move(data.error()));
        const std::string path = range.path + " / attributes / " + name;
        if (data->count() != (source_.takes_whole_views ? source_.vertex_count : range.count)) {
            return refuse(path, codes::gltf_counts, "the attributes of a primitive do not have equally many elements",
                          std::to_string(data->count()), std::to_string(range.count));
        }
        if (!element_fits(semantic, data->element)) {
            if (semantic == Semantic::position) {
                return refuse(path, codes::gltf_attribute_type, "positions must have three components each");
            }
            lose(name, "glTF has no such type for it");
            return std::nullopt;
        }
        return fit(semantic, std::move(*data), path);
    }

    [[nodiscard]] bool is_small_matrix(Index accessor) const {
        const std::string_view type = text_member(reading_.asset.array("accessors")[accessor], "type");
        return type == "MAT2" || type == "MAT3";
    }

    Result<Accessor> elements(const VertexRange& range, const std::string& name, Index number) {
        if (const auto decoded = range.decoded.find(name); decoded != range.decoded.end()) return decoded->second;
        return source_.takes_whole_views ? reading_.asset.whole_view(number) : reading_.asset.accessor(number);
    }

    Result<std::optional<Accessor>> fit(Semantic semantic, Accessor data, const std::string& path) {
        if (!type_fits(semantic, data)) {
            const std::size_t numbers = data.count() * component_count(data.element);
            if (auto taken = reading_.take(numbers, sizeof(float), path); !taken) return fail(taken.error());
            if (semantic == Semantic::joints) {
                auto joints = to_u16(data);
                if (!joints)
                    return refuse(path, codes::gltf_attribute_type, "joints must be whole numbers up to 65535");
                return joints;
            }
            data = to_floats(data);
        }
        if (data.component == ComponentType::f32) repair(data, path);
        return data;
    }

    void repair(Accessor& data, const std::string& path) {
        const auto values = data.as<float>();
        if (!find_not_finite(values)) return;
        std::size_t count = 0;
        for (float& value : values) {
            if (std::isfinite(value)) continue;
            value = 0;
            ++count;
        }
        reading_.note(codes::gltf_not_a_number, path, "numbers that are not finite are replaced by 0",
                      std::to_string(count));
    }

    // One type for all ranges.
    Result<void> unify(Semantic semantic, Pieces& pieces) {
        const Accessor* first = nullptr;
        bool is_same = true, has_alpha = false;
        for (const auto& piece : pieces) {
            if (!piece) continue;
            if (first == nullptr) first = &*piece;
            is_same = is_same && piece->component == first->component && piece->normalized == first->normalized &&
                      piece->element == first->element;
            has_alpha = has_alpha || piece->element == ElementType::vec4;
        }
        if (is_same) return {};
        for (auto& piece : pieces) {
            if (!piece) continue;
            if (auto taken = reading_.take(piece->count(), 64, source_.path); !taken) return taken;
            if (semantic == Semantic::joints) {
                piece = to_u16(*piece);
                continue;
            }
            if (!is_float(*piece)) piece = to_floats(*piece);
            if (semantic == Semantic::color && has_alpha && piece->element == ElementType::vec3) {
                piece = with_alpha(*piece);
            }
        }
        return {};
    }

    static bool have_one_element(const Pieces& pieces) {
        const Accessor* first = nullptr;
        for (const auto& piece : pieces) {
            if (!piece) continue;
            if (first == nullptr) first = &*piece;
            if (piece->element != first->element) return false;
        }
        return true;
    }

    Result<void> combine(Attribute attribute, const std::string& name, Pieces& pieces) {
        if (auto unified = unify(attribute.semantic, pieces); !unified) return unified;
        if (!have_one_element(pieces)) {
            lose(name, "it has another type in each primitive");
            return {};
        }
        const auto first =
            std::find_if(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.has_value(); });
        const bool is_whole = source_.takes_whole_views || (pieces.size() == 1 && source_.vertex_count != 0);
        if (is_whole) {
            attribute.data = std::move(**first);
        } else if (auto joined = join(attribute, pieces, **first); !joined) {
            return joined;
        }
        mesh_.attributes.push_back(std::move(attribute));
        return {};
    }

    Result<void> join(Attribute& attribute, Pieces& pieces, const Accessor& like) {
        Accessor& data = attribute.data;
        data = {{}, like.element, like.component, like.normalized};
        const std::size_t stride = data.stride();
        if (auto taken = reading_.take(source_.vertex_count, stride, source_.path); !taken) return taken;
        data.bytes.assign(std::size_t{source_.vertex_count} * stride, std::byte{0});
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const VertexRange& range = source_.ranges[i];
            if (pieces[i]) {
                std::copy(pieces[i]->bytes.begin(), pieces[i]->bytes.end(),
                          data.bytes.begin() + static_cast<std::ptrdiff_t>(range.first * stride));
                pieces[i].reset();
            } else if (range.count != 0) {
                missing.push_back(i);
            }
        }
        if (!missing.empty()) fill(attribute, missing);
        return {};
    }

    void fill(Attribute& attribute, const std::vector<std::size_t>& ranges) {
        if (attribute.semantic == Semantic::normal) missing_.normals = ranges;
        if (attribute.semantic == Semantic::tangent) missing_.tangents = ranges;
        for (const std::size_t i : ranges) make_up(attribute, source_.ranges[i].first, source_.ranges[i].count);
        if (attribute.semantic == Semantic::tangent && only_points(ranges)) return;
        reading_.note(codes::gltf_attribute_made, source_.ranges[ranges.front()].path,
                      "the mesh has this attribute in other primitives only; it is made up here",
                      attribute_name(attribute));
    }

    // Points have no tangents in glTF.
    [[nodiscard]] bool only_points(const std::vector<std::size_t>& ranges) const {
        return std::all_of(source_.primitives.begin(), source_.primitives.end(), [&](const auto& primitive) {
            return primitive.topology == Topology::points ||
                   !std::binary_search(ranges.begin(), ranges.end(), primitive.range);
        });
    }

    [[nodiscard]] bool has(Semantic semantic, std::uint32_t set) const {
        return std::any_of(mesh_.attributes.begin(), mesh_.attributes.end(), [&](const Attribute& attribute) {
            return attribute.semantic == semantic && attribute.set == set;
        });
    }

    // Joints need weights and weights joints; what is left is numbered without a gap.
    void pair_influences() {
        std::array<std::uint32_t, max_sets> numbers{};
        std::uint32_t next = 0;
        for (std::uint32_t set = 0; set < max_sets; ++set) {
            const bool is_pair = has(Semantic::joints, set) && has(Semantic::weights, set);
            numbers[set] = is_pair ? next++ : max_sets;
        }
        const auto is_lone = [&](const Attribute& attribute) {
            return is_influence(attribute) && numbers[attribute.set] == max_sets;
        };
        for (const Attribute& attribute : mesh_.attributes) {
            if (is_lone(attribute))
                lose(attribute_name(attribute), "joints without weights, or weights without joints");
        }
        std::erase_if(mesh_.attributes, is_lone);
        for (Attribute& attribute : mesh_.attributes) {
            if (is_influence(attribute)) attribute.set = numbers[attribute.set];
        }
    }

    static bool is_influence(const Attribute& attribute) {
        return attribute.semantic == Semantic::joints || attribute.semantic == Semantic::weights;
    }

    // Materials name sets by number, so that a gap is closed by sets that say nothing.
    Result<void> fill_sets(Semantic semantic) {
        std::uint32_t end = 0;
        for (const Attribute& attribute : mesh_.attributes) {
            if (attribute.semantic == semantic) end = std::max(end, attribute.set + 1);
        }
        for (std::uint32_t set = 0; set < end; ++set) {
            if (has(semantic, set)) continue;
            Attribute attribute;
            attribute.semantic = semantic;
            attribute.set = set;
            attribute.data.element = semantic == Semantic::color ? ElementType::vec4 : ElementType::vec2;
            const std::size_t stride = attribute.data.stride();
            if (auto taken = reading_.take(mesh_.vertex_count, stride, source_.path); !taken) return taken;
            attribute.data.bytes.assign(std::size_t{mesh_.vertex_count} * stride, std::byte{0});
            make_up(attribute, 0, mesh_.vertex_count);
            reading_.note(codes::gltf_attribute_made, source_.path,
                          "sets are numbered from 0 without a gap; one that says nothing is put in",
                          attribute_name(attribute));
            mesh_.attributes.push_back(std::move(attribute));
        }
        return {};
    }

    Reading& reading_;
    const MeshSource& source_;
    Mesh& mesh_;
    MissingVectors missing_;
    std::size_t customs_ = 0;
};

}  // namespace

Result<MissingVectors> read_attributes(Reading& reading, const MeshSource& source, Mesh& mesh) {
    return AttributeReader(reading, source, mesh).read();
}

}  // namespace effigy::gltf
