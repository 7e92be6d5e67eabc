#pragma once
/// The textures of a mod: pictures of the scene in the form that the game loads.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/image.hpp"

#include "core/unique_names.hpp"
#include "egosoft/mod/mod.hpp"
#include "egosoft/mod/old_material.hpp"

namespace effigy::egosoft::mod {

/// Each picture once for each use.
class Textures {
public:
    Textures(Output& output, const Plan& plan, const Scene& scene);

    [[nodiscard]] Result<image::Picture> picture(const TextureSlot& slot) const;
    /// Whether there is a picture that can be used, as far as is known.
    [[nodiscard]] bool has(const TextureSlot& slot) const;
    /// From now on there is no such picture, because of a failure that is reported; false where the failure ends all.
    [[nodiscard]] bool leave_out(Index image, const Diagnostic& why);
    [[nodiscard]] bool is_left_out(const TextureSlot& slot) const { return left_out_.contains(slot.image); }
    [[nodiscard]] bool flips_green() const noexcept { return output_.normal_map_green == GreenChannel::flip; }
    [[nodiscard]] const std::string& name_of(const TextureSlot& slot) const { return names_[slot.image]; }

    /// The value of a property that names the texture; what has the same key is the same.
    [[nodiscard]] Result<std::string> add(const std::string& key, const std::string& wish, std::string_view use,
                                          image::Picture picture, const image::Filtering& filtering);
    /// Of a property that stays: a file of this mod that is not there is made of the scene's picture.
    [[nodiscard]] Result<void> keep(const MaterialProperty& property, const OldMaterial& old, const Material& material);
    /// Says what became of them.
    void note();

private:
    struct Map {
        Index image = no_index;
        image::Picture picture;
        image::Filtering filtering{};
    };

    [[nodiscard]] bool is_there(const std::string& path) const;
    void reserve(const std::string& path);
    [[nodiscard]] std::optional<Map> kept_map(std::string_view property, const OldMaterial& old,
                                              const Material& material);
    [[nodiscard]] Result<Bytes> packed(const std::string& name, const std::string& image_name, image::Picture picture,
                                       const image::Filtering& filtering);
    [[nodiscard]] Result<bool> enlarge(image::Picture& picture, const image::Filtering& filtering) const;

    Output& output_;
    const Plan& plan_;
    const Scene& scene_;
    std::string folder_;  ///< of new ones, from the mod's root
    std::vector<std::string> names_;
    UniqueNames unique_{UniqueNames::Case::is_ignored};
    std::map<std::string, std::string> values_;   ///< by key
    std::map<std::string, std::string> missing_;  ///< values of properties, by paths in lower case
    std::set<Index> left_out_;                    ///< images that cannot be used
    NameList resized_;
};

}  // namespace effigy::egosoft::mod
