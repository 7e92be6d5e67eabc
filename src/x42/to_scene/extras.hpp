#pragma once
/// What glTF has no place for, as JSON for `extras.effigy`. Fields are named as in effigy/x42.hpp.

#include <span>
#include <string>

#include "core/json.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

/// Memory for the names of records, of which many may share one long text.
template <class Records>
[[nodiscard]] Result<void> take_names(Build& build, const File& file, const Records& records) {
    for (const auto& record : records) {
        if (auto taken = build.take(name_of(file, record.name).size(), 4, "names"); !taken) return taken;
    }
    return {};
}

[[nodiscard]] std::string bone_extras(const File& file, std::size_t number);
[[nodiscard]] std::string tag_extras(const File& file, std::size_t number);
[[nodiscard]] Json group_record(const File& file, std::size_t number);
[[nodiscard]] Json lod_record(const File& file, std::size_t number);
/// Which joint stands for which influence.
[[nodiscard]] std::string skin_extras(const File& file, const Joints& joints);
[[nodiscard]] Json morph_record(const File& file, std::size_t number);

/// asset.extras.effigy, when all is in the scene.
[[nodiscard]] Result<Json> asset_extras(Build& build, const SceneInput& input);

}  // namespace effigy::x42::bridge
