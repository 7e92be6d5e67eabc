/// How the vertices of glTF's primitives lie in one mesh: shared ranges, places of accessors.

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"
#include "gltf/read/mesh.hpp"

namespace effigy::gltf {
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
    const auto stride = whole_member_or(views[*view], "byteStride", size);
    const auto length = whole_member_or(views[*view], "byteLength", 0);
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
        return {};
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
