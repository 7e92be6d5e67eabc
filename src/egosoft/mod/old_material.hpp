#pragma once
/// What the entry of a material said before: all that glTF has no place for, or that nobody has edited, stays.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "effigy/hashes.hpp"
#include "effigy/material_library.hpp"
#include "effigy/scene.hpp"

#include "scene/texture_names.hpp"

namespace effigy::egosoft::mod {

/// Properties that become one thing in glTF.
enum class Group : std::uint8_t { diffuse, normal, surface, glow, none };
[[nodiscard]] Group group_of(std::string_view property);

class OldMaterial {
public:
    /// `edited`: images of the material that are other pictures than its record knows.
    OldMaterial(LibraryMaterial entry, const Material& material, const std::vector<Index>& edited);

    [[nodiscard]] const LibraryMaterial& entry() const noexcept { return entry_; }
    /// Whether the material means the same as the entry, but for what was left out when it was read.
    [[nodiscard]] bool is_same(Group group) const noexcept { return same_[static_cast<std::size_t>(group)]; }
    [[nodiscard]] bool is_same() const noexcept {
        return same_blending_ && std::ranges::all_of(same_, [](bool same) { return same; });
    }
    /// Whether the property stays: glTF has no place for it, or it means the same.
    [[nodiscard]] bool keeps(const MaterialProperty& property) const {
        const Group group = group_of(property.name);
        return group == Group::none || is_same(group);
    }
    /// What reading multiplied the map by.
    [[nodiscard]] float smoothness() const noexcept { return smoothness_; }
    [[nodiscard]] float metalness() const noexcept { return metalness_; }
    [[nodiscard]] bool has_same_blending() const noexcept { return same_blending_; }
    [[nodiscard]] bool was_glass() const noexcept { return was_glass_; }

private:
    LibraryMaterial entry_;
    std::array<bool, 4> same_{};
    float smoothness_ = 1, metalness_ = 1;
    bool same_blending_ = false, was_glass_ = false;
};

/// What tells whether materials of a scene are as they were read.
struct Edits {
    const Scene& scene;
    const Untouched& untouched;
    const Pictures& pictures;
};
/// Whether an entry of a library is the material still.
[[nodiscard]] bool is_as_read(const Edits& edits, const Material& material);
/// Whether it is another one than the library has under its name: edited, or with pictures of its own.
[[nodiscard]] bool differs_from_entry(const Edits& edits, const Material& material);
/// The entry that a material's record has; nothing without one.
[[nodiscard]] std::optional<LibraryMaterial> recorded_entry(const Material& material);

}  // namespace effigy::egosoft::mod
