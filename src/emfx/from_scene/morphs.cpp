/// Morph targets of the scene as those of an actor.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// A morph target of a mesh of the scene, and the mesh that it is written for.
struct SceneTarget {
    const NativeMesh* native = nullptr;
    Index mesh = no_index;
    std::size_t target = 0;
    bool used = false;
};

struct Offsets {
    Bulk<std::uint32_t> vertices;
    std::vector<Vec3> positions, normals, tangents;  ///< in the file's frame
};

std::uint16_t packed(double value, double low, double step) {
    return static_cast<std::uint16_t>(step > 0 ? std::clamp(std::round((value - low) / step), 0.0, 65535.0) : 0.0);
}

bool has_all_old_meshes(const FileParts& parts) {
    const Json& chunks = chunks_of(parts.json);
    return std::count_if(chunks.begin(), chunks.end(), is_mesh) ==
           std::count_if(parts.meshes.begin(), parts.meshes.end(),
                         [](const NativeMesh& mesh) { return mesh.chunk.has_value(); });
}

class MorphAdder {
public:
    MorphAdder(Build& build, const FileParts& parts, xac::File& file) : build_(build), parts_(parts), file_(file) {}

    Result<void> run(bool complete) {
        collect();
        if (out_of_memory_) return fail(build_.memory_limit());
        for (xac::Chunk& chunk : file_.chunks) {
            for (xac::MorphTarget& target : records_in(chunk.record, &xac::MorphTargets::targets)) {
                if (rename(target)) chunk.size.reset();
                fill(target);
            }
        }
        drop_empty();
        if (!complete) add_fresh();
        return out_of_memory_ ? Result<void>(fail(build_.memory_limit())) : Result<void>{};
    }

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< node and level

    /// What the targets of one old name are called now, in their order; those before `next` have been given.
    struct NewNames {
        std::vector<std::string_view> names;
        std::size_t next = 0;
        [[nodiscard]] bool is_at_end() const noexcept { return next == names.size(); }
    };

    void collect() {
        std::set<Key> seen;
        for (const NativeMesh& native : parts_.meshes) {
            const MeshPlace& place = build_.places[native.place];
            const Key key{native.mesh.node, native.mesh.lod};
            if (!is_raw(native, place.mesh)) edited_.insert(key);
            if (place.collision || !seen.insert(key).second) continue;
            const auto& names = build_.map.targets[place.mesh];
            if (!build_.budget.take(names.size(), 384)) {
                out_of_memory_ = true;
                return;
            }
            for (std::size_t t = 0; t < names.size(); ++t) {
                targets_[{key, names[t].raw_name}].push_back({&native, place.mesh, t, false});
                if (is_raw(native, place.mesh))
                    names_now_[{key, names[t].old_name.value_or(names[t].raw_name)}].names.push_back(names[t].raw_name);
            }
        }
    }

    // --- targets that the old file has

    /// Gives a target the name that unedited meshes have for it now. Where they have several, its offsets for those
    /// with the others belong to new targets. True if something has changed.
    bool rename(xac::MorphTarget& target) {
        std::map<std::uint32_t, std::string> by_node;
        std::set<std::string> names;
        for (const xac::MorphDeformation& deformation : target.deformations) {
            const auto found = names_now_.find({{deformation.node, target.lod}, target.name});
            if (by_node.contains(deformation.node) || found == names_now_.end() || found->second.is_at_end()) continue;
            const std::string_view name = found->second.names[found->second.next++];
            names.emplace(name);
            by_node.emplace(deformation.node, name);
        }
        if (names.empty() || (names.size() == 1 && names.contains(target.name))) return false;
        if (!names.contains(target.name)) target.name = *names.begin();
        std::erase_if(target.deformations, [&](const xac::MorphDeformation& deformation) {
            const auto found = by_node.find(deformation.node);
            return found != by_node.end() && found->second != target.name;
        });
        return true;
    }

    void fill(xac::MorphTarget& target) {
        const std::size_t before = target.deformations.size();
        std::unordered_set<SceneTarget*> mine;
        std::erase_if(target.deformations, [&](xac::MorphDeformation& deformation) {
            const auto found = targets_.find({{deformation.node, target.lod}, target.name});
            if (found == targets_.end()) return !is_untold(deformation, target.lod);
            if (stays(deformation, found->second)) return false;
            for (SceneTarget& source : found->second) {
                if (source.used) continue;
                source.used = true;
                mine.insert(&source);
                fill_deformation(deformation, source);
                return deformation.vertices.empty();
            }
            return true;
        });
        if (target.deformations.size() != before && target.deformations.empty() && target.transformations.empty()) {
            dropped_.insert(&target);
        }
    }

    [[nodiscard]] bool is_raw(const NativeMesh& native, Index mesh) const {
        return native.is_raw && build_.untouched(build_.scene.meshes[mesh]);
    }
    [[nodiscard]] bool is_raw(const SceneTarget& source) const { return is_raw(*source.native, source.mesh); }

    /// Whether a deformation has its offsets, because its chunk was kept as bytes, and they are still true. `sources`:
    /// all targets of its name on its mesh.
    bool stays(const xac::MorphDeformation& deformation, std::vector<SceneTarget>& sources) const {
        if (deformation.vertices.empty() || !is_raw(sources.front())) return false;
        const auto next = std::find_if(sources.begin(), sources.end(), [](const auto& source) { return !source.used; });
        if (next != sources.end()) next->used = true;
        return true;
    }

    /// Whether the scene has no target for a deformation that was kept as bytes, and had none: of a node without a
    /// mesh, or of vertices that its mesh lacks.
    [[nodiscard]] bool is_untold(const xac::MorphDeformation& deformation, std::uint32_t lod) const {
        return !deformation.vertices.empty() && !edited_.contains({deformation.node, lod}) && has_old_meshes_;
    }

    void fill_deformation(xac::MorphDeformation& deformation, const SceneTarget& source) {
        deformation.positions.clear();
        deformation.normals.clear();
        deformation.tangents.clear();
        Offsets offsets = offsets_of(source);
        pack(deformation, offsets, is_raw(source));
    }

    void drop_empty() {
        for (xac::Chunk& chunk : file_.chunks) {
            auto* list = std::get_if<xac::MorphTargets>(&chunk.record);
            if (list == nullptr) continue;
            std::vector<xac::MorphTarget> kept;
            for (xac::MorphTarget& target : list->targets) {
                if (!dropped_.contains(&target)) kept.push_back(std::move(target));
            }
            if (kept.size() != list->targets.size()) chunk.size.reset();
            list->targets = std::move(kept);
        }
        std::erase_if(file_.chunks, [&](const xac::Chunk& chunk) {
            return dropped_.contains(std::get_if<xac::MorphTarget>(&chunk.record));
        });
    }

    // --- new ones

    void add_fresh() {
        find_old();
        std::map<std::uint32_t, xac::MorphTargets> lists;  // by level
        std::map<std::pair<std::uint32_t, std::string>, std::size_t> places;
        for (const auto& [name, mesh, target] : in_order()) {
            auto found = targets_.find(name);
            for (SceneTarget& source : found->second) {
                if (source.used || source.mesh != mesh || source.target != target) continue;
                source.used = true;
                if (add_to_old(source, name.first.second, name.second)) continue;
                xac::MorphTargets& list = lists[name.first.second];
                list.lod = name.first.second;
                const auto [place, is_new] = places.try_emplace({list.lod, name.second}, list.targets.size());
                if (is_new) list.targets.push_back(fresh_target(source, list.lod));
                xac::MorphDeformation deformation = fresh_deformation(source);
                if (!deformation.vertices.empty())
                    list.targets[place->second].deformations.push_back(std::move(deformation));
            }
        }
        insert(lists);
    }

    /// Motions reach only the first target of a name, so that another mesh's offsets belong to it.
    struct OldTarget {
        xac::Chunk* chunk;
        xac::MorphTarget* target;
    };

    void find_old() {
        for (xac::Chunk& chunk : file_.chunks) {
            for (xac::MorphTarget& target : records_in(chunk.record, &xac::MorphTargets::targets))
                old_.try_emplace({target.lod, target.name}, OldTarget{&chunk, &target});
        }
    }

    /// False if the file has no such target.
    bool add_to_old(const SceneTarget& source, std::uint32_t lod, const std::string& name) {
        const auto found = old_.find({lod, name});
        if (found == old_.end()) return false;
        xac::MorphDeformation deformation = fresh_deformation(source);
        if (deformation.vertices.empty()) return true;
        found->second.target->deformations.push_back(std::move(deformation));
        found->second.chunk->size.reset();
        return true;
    }

    [[nodiscard]] xac::MorphDeformation fresh_deformation(const SceneTarget& source) {
        xac::MorphDeformation deformation;
        deformation.node = source.native->mesh.node;
        Offsets offsets = offsets_of(source);
        pack(deformation, offsets, false);
        return deformation;
    }

    using Name = std::pair<Key, std::string>;
    struct Wanted {
        Name name;
        Index mesh;
        std::size_t target;
    };

    /// In the order of the meshes, and of their targets.
    [[nodiscard]] std::vector<Wanted> in_order() const {
        std::vector<Wanted> list;
        for (const NativeMesh& native : parts_.meshes) {
            const Index mesh = build_.places[native.place].mesh;
            if (build_.places[native.place].collision) continue;
            const auto& names = build_.map.targets[mesh];
            for (std::size_t t = 0; t < names.size(); ++t) {
                const Name name{{native.mesh.node, native.mesh.lod}, names[t].raw_name};
                if (targets_.contains(name)) list.push_back({name, mesh, t});
            }
        }
        return list;
    }

    [[nodiscard]] xac::MorphTarget fresh_target(const SceneTarget& source, std::uint32_t lod) const {
        const MappedTarget& mapped = build_.map.targets[source.mesh][source.target];
        xac::MorphTarget target;
        target.name = mapped.raw_name;
        target.lod = lod;
        target.range_min = mapped.range_min;
        target.range_max = mapped.range_max;
        target.phoneme_sets = mapped.phoneme_sets;
        return target;
    }

    /// Behind the last mesh.
    void insert(std::map<std::uint32_t, xac::MorphTargets>& lists) {
        std::size_t at = file_.chunks.size();
        while (at > 0 && file_.chunks[at - 1].id == 8) --at;
        std::vector<xac::Chunk> chunks;
        for (auto& [lod, list] : lists) {
            std::erase_if(list.targets, [](const xac::MorphTarget& target) { return target.deformations.empty(); });
            if (!list.targets.empty()) chunks.push_back({12, 1, std::nullopt, std::move(list), {}});
        }
        file_.chunks.insert(file_.chunks.begin() + static_cast<std::ptrdiff_t>(at),
                            std::make_move_iterator(chunks.begin()), std::make_move_iterator(chunks.end()));
    }

    // --- offsets

    Offsets offsets_of(const SceneTarget& source) {
        const MorphTarget& target = build_.scene.meshes[source.mesh].targets[source.target];
        const std::vector<std::uint32_t>& sources = source.native->sources;
        Offsets offsets;
        const OffsetFrame frame = offset_frame(source.native->placement);
        const auto add = [&](std::uint32_t vertex, std::size_t i) {
            offsets.vertices.push_back(vertex);
            offsets.positions.push_back(moved(target.positions, i, frame.positions));
            offsets.normals.push_back(moved(target.normals, i, frame.normals));
            offsets.tangents.push_back(moved(target.tangents, i, frame.tangents));
        };
        const std::size_t count = target.indices.size();
        if (!build_.budget.take(sources.empty() ? count : sources.size(), 64)) {
            out_of_memory_ = true;
            return offsets;
        }
        if (sources.empty()) {
            for (std::size_t i = 0; i < count; ++i) add(target.indices[i], i);
            return offsets;
        }
        for (std::size_t v = 0; v < sources.size(); ++v) {
            const auto found = std::lower_bound(target.indices.begin(), target.indices.end(), sources[v]);
            if (found == target.indices.end() || *found != sources[v]) continue;
            add(static_cast<std::uint32_t>(v), static_cast<std::size_t>(found - target.indices.begin()));
        }
        return offsets;
    }

    static Vec3 moved(const Bulk<Vec3>& list, std::size_t i, const glm::dmat3& linear) {
        if (i >= list.size()) return {};
        const glm::dvec3 v = linear == glm::dmat3(1) ? wide(list[i]) : linear * wide(list[i]);
        const auto finite = [](double value) { return std::isfinite(value) ? value : 0.0; };
        return narrow(glm::dvec3(finite(v.x), finite(v.y), -finite(v.z)));
    }

    void pack(xac::MorphDeformation& deformation, Offsets& offsets, bool is_raw) const {
        if (!is_raw) find_range(deformation, offsets);
        const auto low = static_cast<double>(deformation.min_value);
        const double step = (static_cast<double>(deformation.max_value) - low) / 65535.0;
        for (std::size_t i = 0; i < offsets.vertices.size(); ++i) {
            const Vec3& p = offsets.positions[i];
            deformation.positions.push_back(
                {{packed(static_cast<double>(p.x), low, step), packed(static_cast<double>(p.y), low, step),
                  packed(static_cast<double>(p.z), low, step)}});
            deformation.normals.push_back(direction(offsets.normals[i]));
            deformation.tangents.push_back(direction(offsets.tangents[i]));
        }
        deformation.vertices = std::move(offsets.vertices);
    }

    static void find_range(xac::MorphDeformation& deformation, const Offsets& offsets) {
        float least = 0;
        float most = 0;
        for (const Vec3& p : offsets.positions) {
            least = std::min({least, p.x, p.y, p.z});
            most = std::max({most, p.x, p.y, p.z});
        }
        deformation.min_value = least;
        deformation.max_value = most;
    }

    [[nodiscard]] xac::PackedDirection direction(const Vec3& v) const {
        const float range = build_.options.morph_normal_range > 0 ? build_.options.morph_normal_range : 1.0f;
        const auto byte = [&](float value) {
            return static_cast<std::uint8_t>(std::clamp(std::round((value / range + 1.0f) * 127.5f), 0.0f, 255.0f));
        };
        return {{byte(v.x), byte(v.y), byte(v.z)}};
    }

    Build& build_;
    const FileParts& parts_;
    xac::File& file_;
    const bool has_old_meshes_ = has_all_old_meshes(parts_);
    std::set<Key> edited_;  ///< meshes
    std::map<Name, std::vector<SceneTarget>> targets_;
    std::map<Name, NewNames> names_now_;  ///< of the targets of unedited meshes, by their old names
    std::map<std::pair<std::uint32_t, std::string>, OldTarget> old_;  ///< by level and name
    std::unordered_set<const void*> dropped_;
    bool out_of_memory_ = false;
};

/// The record of a target among those of its mesh: the same place, if the name is the same or nobody has edited it.
const Json* record_of(const Json& extras, std::size_t target) {
    const Json& list = list_at(extras, "targets");
    return target < list.size() ? &list[target] : nullptr;
}

/// Names are not hashed: a target of an untouched mesh is what its record says, whatever it is called.
MappedTarget mapped_target(Build& build, const Json& extras, std::size_t target, const std::string& name,
                           bool is_untouched) {
    MappedTarget mapped;
    xac::MorphTarget record;
    const Json* json = record_of(extras, target);
    const bool is_told = json != nullptr && read_record(build, *json, 1, record);
    const bool keeps_name = is_told && (build.means(record.name, name) || (is_untouched && name.empty()));
    if (keeps_name || (is_told && is_untouched))
        mapped = {record.name, record.range_min, record.range_max, record.phoneme_sets};
    if (keeps_name) return mapped;
    if (is_told && is_untouched) mapped.old_name = record.name;
    mapped.raw_name = build.raw_name(name.empty() ? "morph_" + std::to_string(target) : name, extras, "");
    return mapped;
}

/// An actor begins with every target at 0, or at the nearest end of its range.
bool begins_on(const Mesh& mesh, std::size_t target, const MappedTarget& mapped) {
    if (target >= mesh.weights.size()) return false;
    const float least = std::min(mapped.range_min, mapped.range_max);
    const float most = std::max(mapped.range_min, mapped.range_max);
    const float start = std::clamp(0.0f, least, most);
    return std::isfinite(mesh.weights[target]) && std::abs(mesh.weights[target] - start) > 1e-6f;
}

}  // namespace

void name_targets(Build& build) {
    build.map.targets.assign(build.scene.meshes.size(), {});
    NameList begin_on;
    for (std::size_t m = 0; m < build.scene.meshes.size(); ++m) {
        const Mesh& mesh = build.scene.meshes[m];
        if (mesh.targets.empty()) continue;
        const Json extras = record_of(mesh.extras);
        const bool is_untouched = build.untouched(mesh);
        for (std::size_t t = 0; t < mesh.targets.size(); ++t) {
            const std::string& name = mesh.targets[t].name;
            MappedTarget mapped = mapped_target(build, extras, t, name, is_untouched);
            if (begins_on(mesh, t, mapped)) begin_on.add(name.empty() ? mapped.raw_name : name);
            build.map.targets[m].push_back(std::move(mapped));
        }
    }
    if (begin_on.empty()) return;
    build.note(codes::emfx_weights_lost, "meshes",
               "Actors begin with their morph targets off, and these are on at rest: a clip has to turn them on.",
               begin_on.text());
}

bool has_renamed_targets(const Build& build, const FileParts& parts) {
    return std::ranges::any_of(parts.meshes, [&](const NativeMesh& native) {
        const MeshPlace& place = build.places[native.place];
        return !place.collision && std::ranges::any_of(build.map.targets[place.mesh], [](const MappedTarget& target) {
            return target.old_name.has_value();
        });
    });
}

Result<void> add_morphs(Build& build, const FileParts& parts, xac::File& file, bool complete) {
    return MorphAdder(build, parts, file).run(complete);
}

}  // namespace effigy::emfx::bridge
