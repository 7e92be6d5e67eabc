/// Which surface of the file each primitive of an edited mesh is.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "x42/file/x42_format.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/from_scene/mesh_parts.hpp"

namespace effigy::x42::bridge {
namespace {

/// A group of the file that the mesh had as a primitive.
struct RecordedGroup {
    std::string surface;
    std::optional<std::string> other_shader;     ///< which a skin gave it
    std::optional<std::string_view> own_shader;  ///< nothing where the file's records are not used
    std::uint64_t elements = 0;
    bool is_taken = false;

    [[nodiscard]] std::optional<std::string_view> shader() const {
        return other_shader ? std::optional<std::string_view>(*other_shader) : own_shader;
    }
};

/// What is not drawn all the same was hidden by a skin.
bool could_be_drawn(const Group& group) {
    return is_known(group.type) && group.vertex_count != 0 && group.element_count != 0;
}

class SurfacePairs {
public:
    SurfacePairs(const FileBuild& build, const Mesh& mesh) : build_(build), mesh_(mesh) {
        pairs_.resize(mesh.primitives.size());
    }

    void read(const Json& groups, std::set<std::string>& hidden) {
        std::size_t next = 0;
        for (const Json& record : groups) {
            const auto number = static_cast<std::size_t>(integer_at(record, "group").value_or(next));
            next = number + 1;
            std::string surface = text_at(record, "surface").value_or("");
            const Group* const group = build_.records && number < build_.records->file.groups.size()
                                           ? &build_.records->file.groups[number]
                                           : nullptr;
            if (member(record, "drawn") != nullptr) {
                if (group != nullptr && could_be_drawn(*group)) hidden.insert(std::move(surface));
                continue;
            }
            groups_.push_back({std::move(surface), text_at(record, "shader"), {}, 0, false});
            if (group == nullptr) continue;
            groups_.back().own_shader = name_of(build_.records->file, group->material);
            groups_.back().elements = group->element_count;
        }
    }

    /// Shaders tell surfaces from each other wherever their primitives stand; of several with one, the number of
    /// elements does, and then the order.
    void pair() {
        pair_by_shader(true);
        pair_by_shader(false);
        if (groups_.size() == pairs_.size()) pair_by_place();
        share_shaders();
    }

    [[nodiscard]] Surfaces surfaces(KnownSurfaces& known) const {
        Surfaces result{{}, pairs_};
        for (const RecordedGroup& group : groups_) {
            result.names.push_back(group.surface);
            auto& replaced = result.replaced_shaders.emplace_back();
            if (group.other_shader && group.own_shader) replaced.emplace(*group.other_shader, *group.own_shader);
            if (!group.surface.empty()) known.recorded.insert(group.surface);
        }
        for (const auto& pair : pairs_) {
            if (pair) known.found.insert(groups_[*pair].surface);
        }
        return result;
    }

private:
    void take(std::size_t primitive, std::size_t group) {
        pairs_[primitive] = group;
        groups_[group].is_taken = true;
    }

    void pair_by_shader(bool with_elements) {
        std::map<std::pair<std::string_view, std::uint64_t>, std::vector<std::size_t>> open;  // the first stands last
        for (std::size_t i = groups_.size(); i-- > 0;) {
            const auto shader = groups_[i].shader();
            if (shader && !groups_[i].is_taken) open[{*shader, with_elements ? groups_[i].elements : 0}].push_back(i);
        }
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (pairs_[i]) continue;
            const Primitive& primitive = mesh_.primitives[i];
            const std::string shader = build_.shader(primitive.material);
            const auto found = open.find({shader, with_elements ? primitive.indices.size() : 0});
            if (found == open.end() || found->second.empty()) continue;
            take(i, found->second.back());
            found->second.pop_back();
        }
    }

    /// A material that is called otherwise now.
    void pair_by_place() {
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (!pairs_[i] && !groups_[i].is_taken) take(i, i);
        }
    }

    /// A primitive that was split.
    void share_shaders() {
        std::map<std::string_view, std::size_t> firsts;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (const auto shader = groups_[i].shader()) firsts.try_emplace(*shader, i);
        }
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (pairs_[i]) continue;
            const std::string shader = build_.shader(mesh_.primitives[i].material);
            if (const auto found = firsts.find(shader); found != firsts.end()) pairs_[i] = found->second;
        }
    }

    const FileBuild& build_;
    const Mesh& mesh_;
    std::vector<RecordedGroup> groups_;
    std::vector<std::optional<std::size_t>> pairs_;  ///< of each primitive
};

}  // namespace

Surfaces surfaces_of(const FileBuild& build, const Mesh& mesh, const Json& extras, KnownSurfaces& known) {
    const Json* const groups = member(extras, "groups");
    if (groups == nullptr || !groups->is_array() || groups->size() > 0xffff) return {};
    SurfacePairs pairs(build, mesh);
    pairs.read(*groups, known.hidden);
    pairs.pair();
    return pairs.surfaces(known);
}

}  // namespace effigy::x42::bridge
