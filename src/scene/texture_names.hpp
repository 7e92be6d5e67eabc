#pragma once
/// Images of a scene as files of a game.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/hashes.hpp"
#include "effigy/scene.hpp"

#include "core/json_fwd.hpp"

namespace effigy {

/// Member of records of materials: Pictures::hashes().
inline constexpr const char* pictures_key = "pictures";

/// A name of a picture without its folder, after / or \, and without what pictures end in; another dot stays.
[[nodiscard]] std::string picture_stem(std::string_view source);

/// What names of textures have besides letters and digits; some games part names by blanks.
inline constexpr std::string_view texture_marks = "-_ ()", texture_marks_without_blanks = "-_";

/// One name for each image, without folder and extension: plain characters, none twice whatever the case.
[[nodiscard]] std::vector<std::string> texture_names(const Scene& scene, std::string_view marks = texture_marks);

/// Images without names are called after the model and what they are first used for: "soldier_base_color".
void name_images(Scene& scene, std::string_view model);

/// Whether a game has the material already: nobody edited it, and its record is one of that game's, all of which have
/// the member `mark`.
[[nodiscard]] bool is_known(const Untouched& untouched, const Material& material, std::string_view mark);

/// Whether a material would have it, had its texture been found: a slot by its name. `record`: the material's.
[[nodiscard]] bool is_left_out(const Json& record, std::string_view what);

/// Images that say how rough something is and nothing that is seen, which some games have a mask for.
[[nodiscard]] std::vector<Index> mask_images(const Scene& scene);

/// The pictures that materials use, each hashed once, when it is first asked for: whoever paints on a texture edits no
/// material.
class Pictures {
public:
    explicit Pictures(const Scene& scene) : scene_(scene), hashes_(scene.images.size()) {}
    /// Of a material's slots, in their order, for its record.
    [[nodiscard]] std::string hashes(const Material& material) const;
    /// Images that are no pictures of the record, or in other slots; none where it does not say.
    [[nodiscard]] std::vector<Index> edited(const Material& material) const;

private:
    const Scene& scene_;
    mutable std::vector<std::string> hashes_;
};

/// Which textures of its materials a format names; empty: all.
using Slots = std::span<TextureSlot Material::*const>;

/// Images that the game does not have yet: they have bytes, and are edited, or a material uses them that is not known.
[[nodiscard]] std::vector<Index> new_images(const Scene& scene, std::string_view mark, Slots slots = {});

}  // namespace effigy
