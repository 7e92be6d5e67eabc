/// The primitives of a glTF mesh with their accessors, checked before anything is read.

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"
#include "gltf/read/mesh.hpp"

namespace effigy::gltf {
namespace {

class SourceReader {
public:
    SourceReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), accessors_(reading.asset.array("accessors")) {
        source_.path = place("meshes", number);
    }

    Result<MeshSource> read() {
        const Value& primitives = list_member(json_, "primitives");
        for (std::size_t i = 0; i < primitives.size(); ++i) {
            const std::string path = source_.path + " / " + place("primitives", i);
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
        const Value* const attributes = member(json, "attributes");
        if (attributes == nullptr || !attributes->is_object()) return {};
        for (const auto& [name, value] : attributes->items()) {
            const auto number = accessor(value, range.path + " / attributes / " + name);
            if (!number) return fail(number.error());
            range.attributes.emplace(name, *number);
        }
        return {};
    }

    Result<void> read_targets(VertexRange& range, const Value& json) {
        const Value& targets = list_member(json, "targets");
        for (std::size_t i = 0; i < targets.size(); ++i) {
            auto& numbers = range.targets.emplace_back(std::array{no_index, no_index, no_index});
            if (!targets[i].is_object()) continue;
            for (const auto& [name, value] : targets[i].items()) {
                const auto part = std::find(target_names.begin(), target_names.end(), name);
                if (part == target_names.end()) {
                    ++lost_targets_;
                    continue;
                }
                const auto number = accessor(value, range.path + " / " + place("targets", i) + " / " + name);
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

}  // namespace effigy::gltf
