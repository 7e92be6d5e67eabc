/// The primitives of a glTF mesh with their accessors, checked before anything is read, and the places of their ranges
/// in the mesh.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/mesh.hpp"

namespace effigy::gltf {

namespace {

class SourceReader {
public:
    SourceReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), accessors_(reading.asset.array("accessors")) {
        source_.path = element_path("meshes", number);
    }

    Result<MeshSource> read() {
        const Value& primitives = reading_.list(json_, "primitives", source_.path);
        for (std::size_t i = 0; i < primitives.size(); ++i) {
            const std::string path = source_.path + " / " + element_path("primitives", i);
            if (auto added = add(primitives[i], path); !added) return fail(std::move(added.error()));
        }
        if (lost_targets_ != 0) {
            reading_.note(codes::gltf_target_lost, source_.path, {}, std::to_string(lost_targets_) + " accessors");
        }
        return std::move(source_);
    }

private:
    // What primitives must have in common to share their vertices. Points have no tangents, whatever they share.
    using Key = std::tuple<AccessorNumbers, std::vector<std::array<Index, 2>>, std::uint64_t>;
    struct Candidates {
        std::map<std::vector<Index>, std::size_t> by_tangents;
        std::size_t first = 0;
        std::optional<std::size_t> bare_points;  // a range of points, which can still get tangents
    };

    Result<void> add(const Value& json, const std::string& path) {
        VertexRange range;
        range.path = path;
        PrimitiveSource primitive;
        primitive.json = &json;
        primitive.path = path;
        return read_attributes(range, json)
            .and_then([&] { return read_targets(range, json); })
            .and_then([&] { return read_mode(primitive); })
            .and_then([&] { return read_indices(primitive); })
            .and_then([&]() -> Result<void> {
                if (!range.attributes.contains("POSITION")) return leave_out(primitive);
                return add(std::move(primitive), std::move(range));
            });
    }

    Result<void> leave_out(const PrimitiveSource& primitive) {
        reading_.note(codes::gltf_primitive_lost, primitive.path, "a primitive without positions cannot be drawn");
        return {};
    }

    Result<void> add(PrimitiveSource primitive, VertexRange range) {
        auto decoded = reading_.asset.draco(*primitive.json);
        if (!decoded) return fail(std::move(decoded.error()));
        if (decoded->has_value()) {
            range.decoded = std::move((*decoded)->attributes);
            primitive.decoded_indices = std::move((*decoded)->indices);
        }
        auto number = range_of(std::move(range), primitive);
        if (!number) return fail(std::move(number.error()));
        primitive.range = *number;
        source_.primitives.push_back(std::move(primitive));
        return {};
    }

    Result<void> read_attributes(VertexRange& range, const Value& json) {
        for (const auto& [name, value] : reading_.object(json, "attributes", range.path).items()) {
            const auto number = accessor(value, range.path + " / attributes / " + name);
            if (!number) return fail(number.error());
            range.attributes.emplace(name, *number);
        }
        return {};
    }

    Result<void> read_targets(VertexRange& range, const Value& json) {
        const Value& targets = reading_.list(json, "targets", range.path);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            auto& numbers = range.targets.emplace_back(std::array{no_index, no_index, no_index});
            if (!targets[i].is_object()) continue;
            for (const auto& [name, value] : targets[i].items()) {
                const auto part = std::find(target_names.begin(), target_names.end(), name);
                if (part == target_names.end()) {
                    ++lost_targets_;
                    continue;
                }
                const auto number = accessor(value, range.path + " / " + element_path("targets", i) + " / " + name);
                if (!number) return fail(number.error());
                numbers[static_cast<std::size_t>(part - target_names.begin())] = *number;
            }
        }
        return {};
    }

    Result<void> read_mode(PrimitiveSource& primitive) {
        constexpr std::uint64_t line_loop = 2;
        const auto mode = whole_member_or(*primitive.json, "mode", 4);
        if (!mode || *mode > 6) {
            return refuse(primitive.path + " / mode", codes::gltf_mode, {}, shown((*primitive.json)["mode"]), "0 to 6");
        }
        primitive.is_loop = *mode == line_loop;
        primitive.topology = primitive.is_loop ? Topology::line_strip : static_cast<Topology>(*mode);
        return {};
    }

    Result<void> read_indices(PrimitiveSource& primitive) {
        const auto number = reading_.reference(*primitive.json, "indices", "accessors", primitive.path);
        if (!number) return fail(number.error());
        primitive.indices = *number;
        return {};
    }

    Result<Index> accessor(const Value& value, const std::string& path) {
        return reading_.target_of(value, "accessors", accessors_.size(), path);
    }

    static std::vector<Index> tangents_of(const VertexRange& range) {
        std::vector<Index> tangents;
        const auto tangent = range.attributes.find("TANGENT");
        if (tangent != range.attributes.end()) tangents.push_back(tangent->second);
        for (const auto& target : range.targets) {
            if (target[2] != no_index) tangents.push_back(target[2]);
        }
        return tangents;
    }

    static Key key_of(const VertexRange& range, const Value& json) {
        Key key{range.attributes, {}, 0};
        std::get<0>(key).erase("TANGENT");
        for (const auto& target : range.targets) std::get<1>(key).push_back({target[0], target[1]});
        if (const Value* const draco = extension_of(json, "KHR_draco_mesh_compression")) {
            std::get<2>(key) = whole_member(*draco, "bufferView").value_or(0) + 1;
        }
        return key;
    }

    Result<std::size_t> range_of(VertexRange range, const PrimitiveSource& primitive) {
        auto tangents = tangents_of(range);
        Candidates& known = known_[key_of(range, *primitive.json)];
        if (!known.by_tangents.empty()) {
            if (primitive.topology == Topology::points && tangents.empty()) return known.first;
            const auto same = known.by_tangents.find(tangents);
            if (same != known.by_tangents.end()) return same->second;
            if (known.bare_points) return give_tangents(known, std::move(range), std::move(tangents));
        }
        if (auto counted = count_vertices(range); !counted) return fail(std::move(counted.error()));
        const std::size_t number = source_.ranges.size();
        if (known.by_tangents.empty()) known.first = number;
        if (primitive.topology == Topology::points && tangents.empty()) known.bare_points = number;
        known.by_tangents.emplace(std::move(tangents), number);
        source_.ranges.push_back(std::move(range));
        return number;
    }

    std::size_t give_tangents(Candidates& known, VertexRange range, std::vector<Index> tangents) {
        const std::size_t number = *known.bare_points;
        source_.ranges[number].attributes = std::move(range.attributes);
        source_.ranges[number].targets = std::move(range.targets);
        known.by_tangents.erase(std::vector<Index>());
        known.by_tangents.emplace(std::move(tangents), number);
        known.bare_points.reset();
        return number;
    }

    Result<void> count_vertices(VertexRange& range) const {
        std::uint64_t count =
            whole_member_or(accessors_[range.attributes.find("POSITION")->second], "count", 0).value_or(0);
        if (const auto decoded = range.decoded.find("POSITION"); decoded != range.decoded.end()) {
            count = decoded->second.count();
        }
        if (count > 0xfffffffeu) {
            return refuse(range.path, codes::gltf_too_many_vertices, "a mesh has at most 4294967294 vertices",
                          std::to_string(count));
        }
        range.count = static_cast<std::uint32_t>(count);
        return {};
    }

    Reading& reading_;
    const Value& json_;
    const Value& accessors_;
    MeshSource source_;
    std::map<Key, Candidates> known_;
    std::size_t lost_targets_ = 0;
};

}  // namespace

Result<MeshSource> read_mesh_source(Reading& reading, const Value& json, std::size_t number) {
    return SourceReader(reading, json, number).read();
}

namespace {

constexpr std::uint64_t max_vertices = 0xfffffffeu;

// Where an accessor's elements are in its buffer view.
struct Place {
    std::uint64_t view = 0;
    std::uint64_t rest = 0;      // bytes before the view's first element
    std::uint64_t first = 0;     // element
    std::uint64_t elements = 0;  // of the whole view
};

std::uint64_t components(std::string_view type) {
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    if (type.size() != 4 || !type.starts_with("VEC") || type[3] < '2' || type[3] > '4') return 0;
    return static_cast<std::uint64_t>(type[3] - '0');
}

std::uint64_t element_size(const Value& accessor) {
    const auto type = whole_member_or(accessor, "componentType", 0).value_or(0);
    if (type > 0xffff) return 0;
    return components(text_member(accessor, "type")) * component_size(static_cast<ComponentType>(type));
}

std::optional<Place> place_of(const Reading& reading, Index number) {
    const Value& accessor = reading.asset.array("accessors")[number];
    const auto view = whole_member(accessor, "bufferView");
    const std::uint64_t size = element_size(accessor);
    const auto offset = whole_member_or(accessor, "byteOffset", 0);
    const Value& views = reading.asset.array("bufferViews");
    if (!view || *view >= views.size() || !offset || size == 0 || member(accessor, "sparse") != nullptr)
        return std::nullopt;
    const auto stride = whole_member_or(views[static_cast<std::size_t>(*view)], "byteStride", size);
    const auto length = whole_member_or(views[static_cast<std::size_t>(*view)], "byteLength", 0);
    if (!stride || *stride < size || !length) return std::nullopt;
    const std::uint64_t rest = *offset % *stride;
    const std::uint64_t elements = *length < rest + size ? 0 : (*length - rest - size) / *stride + 1;
    return Place{*view, rest, *offset / *stride, elements};
}

class RangePlacer {
public:
    RangePlacer(Reading& reading, MeshSource& source) : reading_(reading), source_(source) {}

    Result<void> run(bool untouched) {
        const bool have_places = find_places();
        if (have_places && untouched && has_equal_views()) return take_whole_views();
        if (!have_places || !close_up()) put_in_a_row();
        if (total_ <= max_vertices) {
            source_.vertex_count = static_cast<std::uint32_t>(total_);
            return {};
        }
        return refuse(source_.path, codes::gltf_too_many_vertices, "a mesh has at most 4294967294 vertices",
                      std::to_string(total_));
    }

private:
    // False if the accessors of some attribute are not parts of one array, or not the same parts for all attributes.
    bool find_places() {
        places_.assign(source_.ranges.size(), 0);
        for (std::size_t i = 0; i < source_.ranges.size(); ++i) {
            const VertexRange& range = source_.ranges[i];
            if (!range.decoded.empty()) return false;
            bool is_first = true;
            for (const auto& [name, number] : range.attributes) {
                const auto place = place_of(reading_, number);
                if (!place || (!is_first && places_[i] != place->first) || !fits(name, *place)) return false;
                places_[i] = place->first;
                is_first = false;
            }
        }
        return true;
    }

    bool fits(const std::string& name, const Place& place) {
        const auto [known, is_new] = arrays_.try_emplace(name, place);
        return is_new || (known->second.view == place.view && known->second.rest == place.rest);
    }

    [[nodiscard]] bool has_equal_views() const {
        const std::uint64_t count = arrays_.empty() ? 0 : arrays_.begin()->second.elements;
        return count <= max_vertices && std::all_of(arrays_.begin(), arrays_.end(), [&](const auto& array) {
                   return array.second.elements == count && array.second.rest == 0;
               });
    }

    Result<void> take_whole_views() {
        source_.takes_whole_views = true;
        source_.vertex_count = arrays_.empty() ? 0 : static_cast<std::uint32_t>(arrays_.begin()->second.elements);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            VertexRange& range = source_.ranges[i];
            if (places_[i] > source_.vertex_count || range.count > source_.vertex_count - places_[i]) {
                return refuse(range.path, codes::gltf_accessor, "an array ends beyond its buffer view");
            }
            range.first = static_cast<std::uint32_t>(places_[i]);
        }
        source_.is_tentative = !are_tiled() || !are_alike();
        return {};
    }

    // Whether each vertex is in one range.
    [[nodiscard]] bool are_tiled() const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
        for (const VertexRange& range : source_.ranges) order.emplace_back(range.first, range.count);
        std::sort(order.begin(), order.end());
        std::uint64_t end = 0;
        for (const auto& [first, count] : order) {
            if (first != end) return false;
            end += count;
        }
        return end == source_.vertex_count;
    }

    // Whether all ranges have the same attributes, of the same types, each as long as its range.
    [[nodiscard]] bool are_alike() const {
        const auto accessor = [&](Index number) -> const Value& { return reading_.asset.array("accessors")[number]; };
        const auto has_equal = [&](const Value& one, const Value& other, const char* name) {
            const Value *const a = member(one, name), *const b = member(other, name);
            return a == nullptr || b == nullptr ? a == b : *a == *b;
        };
        if (source_.ranges.empty()) return true;
        const AccessorNumbers& all = source_.ranges.front().attributes;
        return std::all_of(source_.ranges.begin(), source_.ranges.end(), [&](const VertexRange& range) {
            const auto is_like = [&](const auto& one, const auto& other) {
                const Value &mine = accessor(one.second), &first = accessor(other.second);
                return one.first == other.first && whole_member(mine, "count") == range.count &&
                       has_equal(mine, first, "componentType") && has_equal(mine, first, "type") &&
                       has_equal(mine, first, "normalized");
            };
            return std::equal(range.attributes.begin(), range.attributes.end(), all.begin(), all.end(), is_like);
        });
    }

    // Moves the ranges to the mesh's beginning. False if there is a gap between them.
    bool close_up() {
        if (places_.empty()) return true;
        std::vector<std::size_t> order(places_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places_[a] < places_[b]; });
        const bool they_may_overlap = may_overlap();
        const std::uint64_t begin = places_[order.front()];
        std::uint64_t end = begin;
        for (const std::size_t i : order) {
            const bool overlaps = places_[i] < end;
            if (places_[i] > end || (overlaps && !they_may_overlap)) return false;
            end = std::max(end, places_[i] + source_.ranges[i].count);
        }
        if (end - begin > max_vertices) return false;
        for (const std::size_t i : order) source_.ranges[i].first = static_cast<std::uint32_t>(places_[i] - begin);
        total_ = end - begin;
        return true;
    }

    // Vertices that two ranges share must mean the same in both.
    [[nodiscard]] bool may_overlap() const {
        return std::all_of(source_.ranges.begin(), source_.ranges.end(), [&](const VertexRange& range) {
            return range.targets.empty() && range.attributes.size() == arrays_.size();
        });
    }

    void put_in_a_row() {
        total_ = 0;
        for (VertexRange& range : source_.ranges) {
            range.first = static_cast<std::uint32_t>(std::min(total_, max_vertices));
            total_ += range.count;
        }
    }

    Reading& reading_;
    MeshSource& source_;
    std::vector<std::uint64_t> places_;    // of each range
    std::map<std::string, Place> arrays_;  // of each attribute
    std::uint64_t total_ = 0;
};

}  // namespace

Result<void> place_ranges(Reading& reading, MeshSource& source, bool untouched) {
    return RangePlacer(reading, source).run(untouched);
}

}  // namespace effigy::gltf
