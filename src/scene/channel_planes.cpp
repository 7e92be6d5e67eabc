/// Channels of textures: asked for, kept, read and forgotten.

#include "channel_planes.hpp"

#include <optional>
#include <utility>

#include "texture_findings.hpp"

namespace effigy {
namespace {

/// Bytes of single channels that are kept for the next image that is put together.
constexpr std::size_t max_kept = std::size_t{128} * 1024 * 1024;

}  // namespace

void ChannelPlanes::offer(std::string_view name, const image::Picture& picture) {
    if (kept_bytes_ >= max_kept) return;
    const std::string key = texture_key(name);
    if (wanted_.contains(key)) (void)keep(key, picture);
}

const image::Plane* ChannelPlanes::get(const std::string& name, Index image, const std::vector<Index>& materials) {
    const std::string key = texture_key(name);
    if (const auto known = planes_.find(key); known != planes_.end()) return &known->second;
    if (missing_.contains(key)) return nullptr;
    std::optional<TextureFile> file = files_.find(name);
    if (!file) {
        report_.add(missing_texture(scene_, options_, name, image, materials));
    } else if (auto picture = file->bytes ? files_.decode(*file->bytes) : fail(std::move(file->bytes.error()))) {
        report_.append(noticed_in_texture(std::move(picture->report), file->name, image));
        return &keep(key, *picture);
    } else {
        report_.add(damaged_texture(scene_, name, image, materials, file->name, picture.error()));
    }
    missing_.insert(key);
    return nullptr;
}

const image::Plane& ChannelPlanes::keep(const std::string& key, const image::Picture& picture) {
    const auto [place, is_new] = planes_.try_emplace(key);
    if (!is_new) return place->second;
    place->second = image::red_plane(picture);
    kept_bytes_ += place->second.values.size();
    order_.push_back(key);
    return place->second;
}

void ChannelPlanes::make_room() {
    std::size_t gone = 0;
    for (; gone < order_.size() && kept_bytes_ > max_kept; ++gone) {
        const auto place = planes_.find(order_[gone]);
        kept_bytes_ -= place->second.values.size();
        planes_.erase(place);
    }
    order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(gone));
}

}  // namespace effigy
