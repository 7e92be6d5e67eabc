/// Images loaded: which of them are one file, what its picture becomes, and PNG made on other threads.

#include "texture_images.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <future>
#include <iterator>
#include <map>
#include <utility>

#include "channel_planes.hpp"
#include "core/beside.hpp"
#include "image/alpha_green.hpp"
#include "texture_findings.hpp"

namespace effigy {
namespace {

/// A file and the images that it is for.
struct ImageFile {
    std::string name;  ///< for messages: where it was found
    std::vector<Index> images;
    ImageUse use;
    std::filesystem::path path{};  ///< in the folders
};

/// A picture that another thread makes the bytes of.
struct PngBeside {
    ImageFile file;
    Index image = no_index;
    std::future<Result<Bytes>> png;
};

void add_image(ImageFile& file, Index image, const ImageUse& use) {
    file.images.push_back(image);
    file.use.as_color = file.use.as_color || use.as_color;
    file.use.as_normal_map = file.use.as_normal_map || use.as_normal_map;
    std::vector<Index> materials;
    std::set_union(file.use.materials.begin(), file.use.materials.end(), use.materials.begin(), use.materials.end(),
                   std::back_inserter(materials));
    file.use.materials = std::move(materials);
}

bool is_alpha_green(const image::Picture& picture, NormalLayout layout) {
    if (layout != NormalLayout::automatic) return layout == NormalLayout::alpha_green;
    return image::looks_like_alpha_green(picture);
}

void set_content(Image& image, std::string_view type, Bytes bytes) {
    image = {std::move(image.name), std::string(type), std::move(bytes), {}};
}

/// False for a file of a kind that glTF does not have.
bool set_file(Image& image, Bytes& file) {
    const image::Kind kind = image::probe(file);
    if (kind != image::Kind::png && kind != image::Kind::jpeg) return false;
    set_content(image, kind == image::Kind::png ? "image/png" : "image/jpeg", std::move(file));
    return true;
}

/// Factors say what is left when no channel of an image has a texture.
void leave_constants(Scene& scene, Index image, const std::array<image::ChannelUse, 3>& channels) {
    for (Material& material : scene.materials) {
        if (material.metallic_roughness_texture.image != image) continue;
        material.roughness *= channels[1].apply(1);
        material.metallic *= channels[2].apply(1);
    }
}

class ImageLoader {
public:
    ImageLoader(Scene& scene, const TextureOptions& options, const std::vector<ImageUse>& uses, Report& report)
        : scene_(scene),
          options_(options),
          uses_(uses),
          report_(report),
          files_(options),
          planes_(scene, options, files_, report),
          ahead_(threads_beside(options.limits) / 2) {}

    /// Those that the source knows are loaded at once, so that one after the other is in memory; then, one for each
    /// file, those from the folders; at last those of channels, which may be the same files'.
    std::vector<ImageTarget> run() {
        std::vector<Index> of_channels;
        for (Index i = 0; i < uses_.size(); ++i) {
            targets_.push_back({i, i});
            if (!is_wanted(i) || scene_.images[i].channels.empty()) continue;
            of_channels.push_back(i);
            for (const ChannelSource& channel : scene_.images[i].channels) planes_.want(channel.image);
        }
        std::vector<Index> open;
        for (auto& [first, file] : files_by_name()) {
            if (auto found = files_.from_source(scene_.images[first].name)) {
                load(std::move(file), std::move(*found));
            } else {
                open.insert(open.end(), file.images.begin(), file.images.end());
            }
        }
        std::sort(open.begin(), open.end());
        for (ImageFile& file : files_in_folders(open)) {
            TextureFile found = files_.read(file.path);
            load(std::move(file), std::move(found));
        }
        for (const Index image : of_channels) put_together(image);
        while (!pngs_.empty()) take_png();
        return std::move(targets_);
    }

private:
    [[nodiscard]] bool is_wanted(Index image) const {
        const Image& known = scene_.images[image];
        return !uses_[image].materials.empty() && known.bytes.empty() && known.uri.empty();
    }

    /// By the first image of each name: images whose names differ in case or slashes only are one.
    std::map<Index, ImageFile> files_by_name() const {
        std::map<Index, ImageFile> files;
        std::map<std::string, Index> firsts;
        for (Index i = 0; i < uses_.size(); ++i) {
            const Image& image = scene_.images[i];
            if (!is_wanted(i) || !image.channels.empty()) continue;
            // Nameless images are all missing, each for itself.
            const Index first = image.name.empty() ? i : firsts.try_emplace(texture_key(image.name), i).first->second;
            add_image(files[first], i, uses_[i]);
        }
        return files;
    }

    /// One for each file, in the order of the first image of each.
    std::vector<ImageFile> files_in_folders(const std::vector<Index>& images) {
        std::vector<ImageFile> files;
        std::map<std::filesystem::path, std::size_t> numbers;
        for (const Index i : images) {
            const std::string& name = scene_.images[i].name;
            std::filesystem::path path = name.empty() ? std::filesystem::path() : files_.in_folders(name);
            if (path.empty()) {
                report_.add(missing_texture(scene_, options_, name, i, uses_[i].materials));
                targets_[i] = {};
                continue;
            }
            const auto [entry, is_new] = numbers.try_emplace(path, files.size());
            if (is_new) files.emplace_back().path = std::move(path);
            add_image(files[entry->second], i, uses_[i]);
        }
        return files;
    }

    void load(ImageFile file, TextureFile found) {
        file.name = std::move(found.name);
        Result<ImageTarget> target =
            found.bytes ? place(file, std::move(*found.bytes)) : fail(std::move(found.bytes.error()));
        if (!target) return leave_out(file, target.error());
        for (const Index image : file.images) targets_[image] = *target;
    }

    /// Gives the first image of the file its content, and adds one more if the normal map must differ from it.
    Result<ImageTarget> place(const ImageFile& file, Bytes bytes) {
        // PNG and JPEG are decoded too: a damaged one must not get into the glTF.
        Result<image::Picture> picture = files_.decode(bytes);
        if (!picture) return fail(std::move(picture.error()));

        const Index first = file.images.front();
        report_.append(noticed_in_texture(std::move(picture->report), file.name, first));
        planes_.offer(scene_.images[first].name, *picture);
        const bool spreads = file.use.as_normal_map && is_alpha_green(*picture, options_.normal_map_layout);
        const bool flips = file.use.as_normal_map && options_.normal_map_green == GreenChannel::flip;
        ImageTarget target{first, first, picture->has_alpha};
        const bool changes = flips || spreads;
        const bool stays = file.use.as_color || !changes;
        if (stays && !set_file(scene_.images[first], bytes)) {
            auto set = set_png(file, first, changes ? image::Picture(*picture) : std::move(*picture));
            if (!set) return fail(std::move(set.error()));
        }
        if (!changes) return target;
        if (stays) {
            target.normal_map = static_cast<Index>(scene_.images.size());
            scene_.images.push_back({scene_.images[first].name + ".normal", {}, {}, {}});
        }
        if (spreads) image::spread_alpha_green(*picture);
        if (flips) image::flip_green(*picture);
        return set_png(file, target.normal_map, std::move(*picture)).map([&] { return target; });
    }

    /// A channel whose texture is missing is black before it is inverted: neither metal nor smooth.
    void put_together(Index index) {
        planes_.make_room();
        std::array<image::ChannelUse, 3> channels;
        bool has_plane = false;
        for (std::size_t i = 0; i < channels.size() && i < scene_.images[index].channels.size(); ++i) {
            const ChannelSource& source = scene_.images[index].channels[i];
            channels[i] = {nullptr, source.scale, source.inverted};
            if (source.image.empty()) continue;
            channels[i].plane = planes_.get(source.image, index, uses_[index].materials);
            if (channels[i].plane == nullptr) channels[i].scale = 0;
            has_plane = has_plane || channels[i].plane != nullptr;
        }
        if (!has_plane) {
            leave_constants(scene_, index, channels);
            targets_[index] = {};
            return;
        }
        const ImageFile no_file{{}, {index}, uses_[index]};
        Result<image::Picture> picture = image::compose(channels, options_.limits);
        auto made = picture ? set_png(no_file, index, std::move(*picture)) : fail(std::move(picture.error()));
        if (!made) leave_out(no_file, made.error());
    }

    /// Other threads make PNG while the next texture is decoded.
    Result<void> set_png(const ImageFile& file, Index image, image::Picture picture) {
        auto encode = [picture = std::move(picture), quick = options_.quick] {
            return image::encode_png(picture, quick);
        };
        Image& target = scene_.images[image];
        if (ahead_ == 0) return encode().map([&](Bytes png) { set_content(target, "image/png", std::move(png)); });
        if (pngs_.size() >= ahead_) take_png();
        set_content(target, "image/png", {});
        pngs_.push_back({file, image, start_beside(std::move(encode))});
        return {};
    }

    void take_png() {
        PngBeside done = std::move(pngs_.front());
        pngs_.pop_front();
        Result<Bytes> png = done.png.get();
        if (!png) return leave_out(done.file, png.error());
        scene_.images[done.image].bytes = std::move(*png);
    }

    void leave_out(const ImageFile& file, const Diagnostic& cause) {
        const Index first = file.images.front();
        const std::string& name = scene_.images[first].name;
        report_.add(damaged_texture(scene_, name, first, file.use.materials, file.name, cause));
        for (const Index image : file.images) targets_[image] = {};
    }

    Scene& scene_;
    const TextureOptions& options_;
    const std::vector<ImageUse>& uses_;
    Report& report_;
    TextureFiles files_;
    ChannelPlanes planes_;
    std::vector<ImageTarget> targets_;
    std::size_t ahead_;  ///< so many pictures are encoded at once by other threads
    std::deque<PngBeside> pngs_;
};

}  // namespace

std::vector<ImageTarget> load_images(Scene& scene, const TextureOptions& options, const std::vector<ImageUse>& uses,
                                     Report& report) {
    return ImageLoader(scene, options, uses, report).run();
}

}  // namespace effigy
