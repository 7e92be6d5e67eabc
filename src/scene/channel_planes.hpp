#pragma once
/// The red channels of textures that images are put together from, read once and kept.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "image/compose.hpp"
#include "texture_files.hpp"

namespace effigy {

class ChannelPlanes {
public:
    ChannelPlanes(const Scene& scene, const TextureOptions& options, const TextureFiles& files, Report& report)
        : scene_(scene), options_(options), files_(files), report_(report) {}

    /// Says that an image will ask for the texture.
    void want(std::string_view name) { wanted_.insert(texture_key(name)); }
    /// A texture that was read for something else: kept if it is wanted and there is room.
    void offer(std::string_view name, const image::Picture& picture);
    /// For an image and the materials that use it. Null if there is no such texture, or none that can be used; that is
    /// reported once.
    [[nodiscard]] const image::Plane* get(const std::string& name, Index image, const std::vector<Index>& materials);
    /// Forgets the oldest when there is too much. Not while planes are in use.
    void make_room();

private:
    const image::Plane& keep(const std::string& key, const image::Picture& picture);

    const Scene& scene_;
    const TextureOptions& options_;
    const TextureFiles& files_;
    Report& report_;
    std::set<std::string, std::less<>> wanted_, missing_;  ///< by texture_key(), as all here
    std::map<std::string, image::Plane, std::less<>> planes_;
    std::vector<std::string> order_;  ///< the oldest first
    std::size_t kept_bytes_ = 0;
};

}  // namespace effigy
