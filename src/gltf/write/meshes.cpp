/// Meshes as glTF: primitives with ranges of vertices, accessors with bounds, morph targets.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gltf/file/colors.hpp"
#include "gltf/write/document.hpp"
#include "scene/attribute_names.hpp"
#include "scene/finite.hpp"
#include "scene/morph_slices.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {
namespace {

// The part of a morph target that falls into one range of the mesh.
struct Slice : MorphSlice {
    explicit Slice(const MorphSlice& slice) : MorphSlice(slice) {}
    std::uint64_t index_place = 0;  // in the views of sparse accessors
    std::array<std::uint64_t, 3> offset_places{};
};

void set_bounds(AccessorLayout& accessor, const Bounds& bounds) {
    accessor.bounded = 3;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Adding zero turns -0 into 0.
        accessor.min[axis] = bounds.least[axis] + 0.0f;
        accessor.max[axis] = bounds.greatest[axis] + 0.0f;
    }
}

std::span<const float> floats_of(std::span<const Vec3> vectors) {
    return {reinterpret_cast<const float*>(vectors.data()), vectors.size() * 3};
}

// Everything that must be known of floats, in one pass over memory. Returns one that is not finite.
std::optional<float> scan(std::span<const float> values, Bounds* bounds) {
    std::optional<float> bad;
    for_each_block(values, [&](std::span<const float> block, std::size_t) {
        if (const auto found = find_not_finite(block); found && !bad) bad = block[*found];
        if (bounds != nullptr) bounds->extend({reinterpret_cast<const Vec3*>(block.data()), block.size() / 3});
    });
    return bad;
}

// One mesh: vertex attributes, indices, morph targets, in this order.
class MeshWriter {
public:
    /// `joints`: of the mesh's skin, or no_index.
    MeshWriter(Document& document, const Mesh& mesh, std::size_t number, std::size_t joints)
        : document_(document), mesh_(mesh), number_(number), joints_(joints) {}

    // Null if nothing of the mesh can be drawn.
    Result<Json> write() {
        collect_primitives();
        if (primitives_.empty()) return Json();
        return document_.memory
            .take(std::uint64_t{primitives_.size()} * (mesh_.attributes.size() + 1), accessor_bytes,
                  "primitives of a mesh")
            .and_then([&] { return add_attributes(); })
            .and_then([&] { return add_indices(); })
            .and_then([&] { return add_targets(); })
            .and_then([&] { return to_json(); });
    }

private:
    struct Entry {
        const Primitive* primitive;
        std::size_t number;  // in the mesh
        std::size_t range;
        Index indices = no_index;
    };

    void collect_primitives() {
        ranges_ = vertex_runs(mesh_);
        std::map<VertexRun, std::size_t> known;
        for (std::size_t i = 0; i < ranges_.size(); ++i) known.emplace(ranges_[i], i);
        for (std::size_t i = 0; i < mesh_.primitives.size(); ++i) {
            const Primitive& primitive = mesh_.primitives[i];
            if (!is_drawn(primitive)) continue;
            primitives_.push_back({&primitive, i, known.at({primitive.first_vertex, primitive.vertex_count})});
        }
        attributes_.assign(ranges_.size(), Json::object());
        targets_.assign(ranges_.size(), Json::array());
    }

    Result<void> add_attributes() {
        for (std::size_t i = 0; i < mesh_.attributes.size(); ++i) {
            const Attribute& attribute = mesh_.attributes[i];
            const Accessor& data = attribute.data;
            // Every element of a vertex attribute begins at a multiple of four.
            const std::size_t tight = data.stride();
            const std::size_t stride = (tight + 3) / 4 * 4;
            const auto bytes = written_bytes(attribute);
            if (!bytes) return fail(bytes.error());
            const Piece piece = stride == tight ? Piece(*bytes) : Piece(StridePiece{*bytes, tight, stride});
            const auto offset = document_.buffer.add(piece);
            const bool needs_stride = stride != tight || ranges_.size() > 1;
            const Index view =
                document_.add_view(offset, size_of(piece), ViewTarget::vertices, needs_stride ? stride : 0);
            for (std::size_t range = 0; range < ranges_.size(); ++range) {
                auto accessor = attribute_accessor(i, ranges_[range], view, stride);
                if (!accessor) return fail(std::move(accessor.error()));
                attributes_[range][attribute_name(attribute)] = document_.add_accessor(*accessor);
            }
        }
        note_bad_weights(mesh_, number_, bad_weights_, document_.report);
        return {};
    }

    /// glTF has neither weights below 0 nor joints beyond the skin, which move nothing here.
    Result<std::span<const std::byte>> written_bytes(const Attribute& attribute) {
        const Accessor& data = attribute.data;
        if (attribute.semantic == Semantic::joints) {
            if (data.component == ComponentType::u8) return written_joints<std::uint8_t>(data);
            return written_joints<std::uint16_t>(data);
        }
        const std::uint64_t bad = count_bad_weights(attribute);
        bad_weights_ += bad;
        if (bad != 0) return with_zeros<float>(data, [](float weight) { return !(weight < 0); });
        return bytes_of(data.bytes);
    }

    template <class Number>
    Result<std::span<const std::byte>> written_joints(const Accessor& data) {
        if (!find_not_below(data.as<Number>(), static_cast<std::uint32_t>(joints_))) return bytes_of(data.bytes);
        if (auto checked = effigy::check_joints(mesh_, number_, joints_); !checked)
            return fail(std::move(checked.error()));
        return with_zeros<Number>(data, [&](Number joint) { return joint < joints_; });
    }

    template <class Number, class IsSound>
    std::span<const std::byte> with_zeros(const Accessor& data, IsSound is_sound) {
        Accessor repaired = data;
        for (Number& number : repaired.as<Number>()) number = is_sound(number) ? number : Number{0};
        return document_.buffer.keep(std::move(repaired.bytes));
    }

    Result<AccessorLayout> attribute_accessor(std::size_t number, const VertexRun& range, Index view,
                                              std::size_t stride) {
        const Attribute& attribute = mesh_.attributes[number];
        const Accessor& data = attribute.data;
        AccessorLayout accessor{.view = view,
                                .offset = std::uint64_t{range.first} * stride,
                                .count = range.count,
                                .component = data.component,
                                .element = data.element,
                                .normalized = data.normalized};
        const auto bytes =
            bytes_of(data.bytes).subspan(range.first * data.stride(), std::size_t{range.count} * data.stride());
        // Weights of which none is bad have been looked at.
        const bool is_known = attribute.semantic == Semantic::weights && bad_weights_ == 0;
        if (data.component != ComponentType::f32 || is_known) return accessor;
        const std::span<const float> values(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
        Bounds bounds;
        const bool is_position = attribute.semantic == Semantic::position;
        if (const auto bad = scan(values, is_position ? &bounds : nullptr)) {
            return not_finite({{"meshes", number_}, {"attributes", number}}, mesh_.name, *bad);
        }
        if (is_position) set_bounds(accessor, bounds);
        return accessor;
    }

    Result<void> add_indices() {
        for (const std::uint32_t width : {2u, 4u}) {
            if (auto added = add_indices(width); !added) return added;
        }
        return {};
    }

    // All indices of one width share a view.
    Result<void> add_indices(std::uint32_t width) {
        GrowingView view;
        for (Entry& entry : primitives_) {
            // The largest number of a width would restart the primitive, so that 65536 vertices are one too many.
            if ((entry.primitive->vertex_count <= 65535 ? 2u : 4u) != width) continue;
            if (auto scanned = scan_indices(entry); !scanned) return scanned;
            const auto& indices = entry.primitive->indices;
            const auto place = add_to_view(view, IndexPiece{indices, 0, width}, width, ViewTarget::indices);
            const bool is_list = entry.primitive->topology == Topology::triangles;
            entry.indices = document_.add_accessor({.view = view.number,
                                                    .offset = place,
                                                    .count = indices.size(),
                                                    .component = width == 2 ? ComponentType::u16 : ComponentType::u32,
                                                    .mode = is_list ? ViewMode::triangles : ViewMode::indices});
        }
        return {};
    }

    Result<void> scan_indices(const Entry& entry) {
        std::optional<std::size_t> bad;
        const std::span<const std::uint32_t> indices(entry.primitive->indices);
        for_each_block(indices, [&](std::span<const std::uint32_t> block, std::size_t offset) {
            const auto found = find_not_below(block, entry.primitive->vertex_count);
            if (found && !bad) bad = offset + *found;
        });
        if (!bad) return {};
        return scene_problem({{"meshes", number_}, {"primitives", entry.number}, {"indices", *bad}},
                             "the index is not one of the primitive's vertices", std::to_string(indices[*bad]),
                             "below " + std::to_string(entry.primitive->vertex_count));
    }

    Result<void> add_targets() {
        for (const MorphTarget& target : mesh_.targets) {
            moves_[1] = moves_[1] || !target.normals.empty();
            moves_[2] = moves_[2] || !target.tangents.empty();
        }
        if (auto taken = take_targets(); !taken) return taken;
        for (const MorphTarget& target : mesh_.targets) {
            for (const VertexRun& range : ranges_) slices_.emplace_back(slice_of(target, range));
        }
        add_sparse_views();
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            auto json = target_json(slices_[i], i / ranges_.size());
            if (!json) return fail(std::move(json.error()));
            targets_[i % ranges_.size()].push_back(std::move(*json));
        }
        return {};
    }

    // Beside their names a record cannot stay the text that it is.
    Result<void> take_targets() {
        if (mesh_.targets.empty()) return {};
        constexpr std::uint64_t bytes_of_letter = 16;
        const auto parts = static_cast<std::uint64_t>(std::count(moves_.begin(), moves_.end(), true));
        const std::uint64_t accessors = parts * mesh_.targets.size() * primitives_.size();
        const std::uint64_t letters = document_.with_records ? mesh_.extras.json.size() : 0;
        return document_.memory.take(accessors, morph_accessor_bytes, "morph targets of a mesh").and_then([&] {
            return document_.memory.take(letters, bytes_of_letter, "the record of a mesh with morph targets");
        });
    }

    // One view for the indices and one for the values of all sparse accessors of the mesh.
    void add_sparse_views() {
        for (Slice& slice : slices_) {
            if (!slice.is_sparse) continue;
            const IndexPiece piece{slice.indices, slice.range.first, slice.index_width()};
            slice.index_place = add_to_view(sparse_indices_, piece, slice.index_width());
        }
        for (Slice& slice : slices_) {
            if (!slice.is_sparse) continue;
            for (std::size_t part = 0; part < slice.offsets.size(); ++part) {
                if (slice.offsets[part].empty()) continue;
                slice.offset_places[part] = add_to_view(sparse_values_, std::as_bytes(slice.offsets[part]), 4);
            }
        }
    }

    struct GrowingView {
        Index number = no_index;
        std::uint64_t begin = 0;  // in the buffer
    };

    // The piece's place in the view.
    std::uint64_t add_to_view(GrowingView& view, const Piece& piece, std::uint64_t alignment,
                              ViewTarget target = ViewTarget::none) {
        const bool is_first = view.number == no_index;
        const auto offset = document_.buffer.add(piece, is_first ? 4 : alignment);
        if (is_first) view = {document_.add_view(offset, 0, target), offset};
        document_.views[view.number].size = document_.buffer.size() - view.begin;
        return offset - view.begin;
    }

    Result<Json> target_json(const Slice& slice, std::size_t number) {
        constexpr std::array names{"POSITION", "NORMAL", "TANGENT"};
        Json json = Json::object();
        for (std::size_t part = 0; part < names.size(); ++part) {
            if (!moves_[part]) continue;
            auto accessor = target_accessor(slice, part, number);
            if (!accessor) return fail(std::move(accessor.error()));
            json[names[part]] = *accessor;
        }
        return json;
    }

    Result<Index> target_accessor(const Slice& slice, std::size_t part, std::size_t number) {
        const auto offsets = slice.offsets[part];
        if (offsets.empty()) return zeros(slice.range.count);
        AccessorLayout accessor = slice.is_sparse ? sparse_accessor(slice, part) : dense_accessor(slice, part);
        Bounds bounds;
        if (offsets.size() < slice.range.count) bounds.extend(std::array<Vec3, 1>{});
        if (const auto bad = scan(floats_of(offsets), &bounds)) {
            return not_finite({{"meshes", number_}, {"targets", number}}, mesh_.name, *bad);
        }
        if (part == 0) set_bounds(accessor, bounds);
        return document_.add_accessor(accessor);
    }

    [[nodiscard]] AccessorLayout sparse_accessor(const Slice& slice, std::size_t part) const {
        return {.count = slice.range.count,
                .element = ElementType::vec3,
                .sparse = SparseLayout{slice.indices.size(), sparse_indices_.number, sparse_values_.number,
                                       slice.index_place, slice.offset_places[part],
                                       slice.index_width() == 2 ? ComponentType::u16 : ComponentType::u32}};
    }

    AccessorLayout dense_accessor(const Slice& slice, std::size_t part) {
        const ScatterPiece piece{slice.indices, slice.offsets[part], slice.range.first, slice.range.count};
        const auto offset = document_.buffer.add(piece);
        const Index view = document_.add_view(offset, size_of(piece), ViewTarget::vertices);
        return {.view = view, .count = slice.range.count, .element = ElementType::vec3};
    }

    // An accessor without a view holds zeros.
    Index zeros(std::uint32_t count) {
        const auto [known, is_new] = zeros_.try_emplace(count, no_index);
        if (is_new) {
            known->second = document_.add_accessor({.count = count, .element = ElementType::vec3, .bounded = 3});
        }
        return known->second;
    }

    // Points have no surface that a tangent could lie in.
    static void drop_tangents(Json& primitive) {
        primitive["attributes"].erase("TANGENT");
        if (!primitive.contains("targets")) return;
        for (Json& target : primitive["targets"]) target.erase("TANGENT");
    }

    Result<Json> to_json() {
        Json json = Json::object();
        if (!mesh_.name.empty()) json["name"] = mesh_.name;
        for (const Entry& entry : primitives_) {
            Json primitive = {{"attributes", attributes_[entry.range]}, {"indices", entry.indices}};
            if (entry.primitive->topology != Topology::triangles)
                primitive["mode"] = static_cast<std::uint8_t>(entry.primitive->topology);
            if (entry.primitive->material != no_index) primitive["material"] = entry.primitive->material;
            if (!mesh_.targets.empty()) primitive["targets"] = targets_[entry.range];
            if (entry.primitive->topology == Topology::points) drop_tangents(primitive);
            json["primitives"].push_back(std::move(primitive));
        }
        if (!mesh_.weights.empty()) json["weights"] = numbers(mesh_.weights);
        for (const MorphTarget& target : mesh_.targets) json["extras"]["targetNames"].push_back(target.name);
        const std::uint64_t hash = hash_to_write(mesh_, !mesh_.extras.json.empty());
        if (auto added = add_extras(document_, json, mesh_.extras, hash, {{"meshes", number_}}, hints()); !added) {
            return fail(std::move(added.error()));
        }
        return json;
    }

    // What modelling programs lose.
    [[nodiscard]] nlohmann::json hints() const {
        nlohmann::json hints = nlohmann::json::object();
        if (mesh_.extras.json.empty() || !document_.with_records) return hints;
        if (nlohmann::json colors = color_record(mesh_, document_.keep_colors); !colors.is_null())
            hints["kept_colors"] = std::move(colors);
        return hints;
    }

    Document& document_;
    const Mesh& mesh_;
    std::size_t number_;
    std::size_t joints_;
    std::uint64_t bad_weights_ = 0;
    std::vector<Entry> primitives_;
    std::vector<VertexRun> ranges_;
    std::vector<Json> attributes_;                   // for each range
    std::vector<Json> targets_;                      // for each range
    std::vector<Slice> slices_;                      // for each target, for each range
    std::array<bool, 3> moves_{true, false, false};  // positions, normals, tangents
    GrowingView sparse_indices_;
    GrowingView sparse_values_;
    std::map<std::uint32_t, Index> zeros_;
};

}  // namespace

Result<void> add_meshes(Document& document, const Scene& scene) {
    const std::vector<std::size_t> joints = joint_counts(scene);
    document.mesh_numbers.assign(scene.meshes.size(), no_index);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        auto json = MeshWriter(document, scene.meshes[i], i, joints[i]).write();
        if (!json) return fail(std::move(json.error()));
        if (json->is_null()) continue;
        document.mesh_numbers[i] = static_cast<Index>(document.meshes.size());
        document.meshes.push_back(*json);
    }
    return {};
}

}  // namespace effigy::gltf
