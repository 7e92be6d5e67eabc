#pragma once
/// Names of levels of detail and collision meshes beside the mesh that they belong to: one rule for whoever makes
/// levels and whoever writes them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "effigy/scene.hpp"

namespace effigy {

struct LevelName {
    enum class Kind : std::uint8_t { plain, level, collision };
    std::string part;  ///< "hull" of "hull-lod1"; the whole name if it is plain
    Kind kind = Kind::plain;
    std::uint32_t number = 0;  ///< of the level, 0 for the finest; or of the collision mesh
};

/// Of what a person or a program calls a node, in any case: `<part>-lod1`, `<part>_lod1`, `<part>.lod1`,
/// `<part>-collision`, `<part>.collision`, with or without the ".001" that modelling programs put behind names.
[[nodiscard]] LevelName parse_level_name(std::string_view name);

/// The name without ".001".
[[nodiscard]] std::string_view without_copy_number(std::string_view name) noexcept;
/// ".001" of a name that ends so, else nothing.
[[nodiscard]] std::string_view copy_number_of(std::string_view name) noexcept;

/// The part of "<part>_wreck" or "<part>-wreck"; nothing for other names. All in lower case.
[[nodiscard]] std::optional<std::string_view> part_of_wreck(std::string_view name) noexcept;
/// The part of "<part>_collision", as parts are called that games show, and as people call collision meshes; nothing
/// for other names. All in lower case.
[[nodiscard]] std::optional<std::string_view> part_of_shown_collision(std::string_view name) noexcept;

/// What a mesh and all that belongs to it have in common, in lower case: "hull" and ".001" of "hull.001",
/// "hull.001-lod1" and "hull-lod1.001".
struct PartName {
    std::string stem;
    std::string copy;  ///< empty for what is no copy
    bool operator==(const PartName&) const = default;
};
[[nodiscard]] PartName part_name_of(std::string_view name);
/// The same, where meshes may be called "hull.mesh", too.
[[nodiscard]] PartName part_name_of_mesh(std::string_view name);

/// Which nodes levels, collision meshes and wrecks belong to, by their names.
class PartFinder {
public:
    explicit PartFinder(const Scene& scene) : scene_(&scene) {}

    void add(Index node) { add(node, part_name_of(scene_->nodes[node].name)); }
    void add(Index node, PartName name);
    /// The node of that name, for what `from` is: the same copy, if there is one; else the part that it hangs below, or
    /// the one that is no copy, or the only one. Of several, the one above it, then one beside it.
    [[nodiscard]] Index find(const PartName& name, Index from) const;
    /// Only the same copy.
    [[nodiscard]] Index find_copy(const PartName& name, Index from) const;

private:
    struct Alike {
        Index first = no_index;
        std::unordered_map<Index, Index> by_parent{};
    };
    using Copies = std::map<std::string, Alike>;

    template <class Accepts>
    [[nodiscard]] Index above(Index from, Accepts&& accepts) const;
    [[nodiscard]] Index nearest(const Alike& alike, const PartName& name, Index from) const;

    const Scene* scene_;
    std::unordered_map<std::string, Copies> stems_;
    std::unordered_map<Index, PartName> names_;
};

}  // namespace effigy
