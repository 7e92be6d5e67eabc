/// Textures of materials searched, read and converted: folders, games, channels, normal maps.

#include "effigy/textures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/beside.hpp"
#include "core/json_members.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "image/compose.hpp"
#include "material_slots.hpp"

namespace effigy {
namespace {

/// Larger than a 16384 x 16384 texture with all its levels; keeps a file that is no texture out of memory.
constexpr std::uint64_t default_file_limit = std::uint64_t{512} * 1024 * 1024;

/// Bytes of single channels that are kept for the next image that is put together.
constexpr std::size_t max_kept = std::size_t{128} * 1024 * 1024;

/// Lists in messages are cut after this many names.
constexpr std::size_t max_names = 5;

std::string text(const std::filesystem::path& path) {
    const std::u8string utf8 = path.u8string();
    return {utf8.begin(), utf8.end()};
}

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

template <class Range, class ToText>
std::string list(const Range& range, ToText&& to_text) {
    std::string result;
    std::size_t count = 0;
    for (const auto& item : range) {
        if (count++ >= max_names) continue;
        if (!result.empty()) result += ", ";
        result += in_quotes(to_text(item));
    }
    if (count > max_names) result += " and " + std::to_string(count - max_names) + " more";
    return result;
}

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const auto failure = [](const Code& code, std::string message) {
        return fail(problem_at({}, code, std::move(message)));
    };
    std::error_code error;
    // Opening a pipe or a device could wait for ever.
    if (!std::filesystem::is_regular_file(path, error))
        return failure(codes::texture_damaged, "it is not a readable file");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return failure(codes::texture_damaged, "its size cannot be read: " + error.message());
    if (size > limit) {
        return failure(codes::limit_memory,
                       "its " + std::to_string(size) + " bytes exceed the limit of " + std::to_string(limit));
    }
    std::ifstream stream(path, std::ios::binary);
    Bytes bytes(static_cast<std::size_t>(size));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        return failure(codes::texture_damaged, "it cannot be read");
    }
    return bytes;
}

/// The name of a texture as sources and materials spell it: any case, either slash.
std::string key_of(std::string_view name) {
    std::string key = lower(name);
    std::replace(key.begin(), key.end(), '/', '\\');
    return key;
}

/// Whether the picture has x in alpha and y in green, as normal maps in BC3 often do: nothing varies in red, and alpha
/// is no mask of opaque pixels.
bool looks_like_alpha_green(const image::Picture& picture) {
    const Bytes& rgba = picture.rgba;
    bool alpha_varies = false;
    for (std::size_t i = 4; i < rgba.size(); i += 4) {
        if (rgba[i] != rgba[0]) return false;
        alpha_varies = alpha_varies || rgba[i + 3] != rgba[3];
    }
    return alpha_varies;
}

/// The normal's third component always points out of the surface.
void spread_alpha_green(image::Picture& picture) {
    const auto as_float = [](std::byte value) { return static_cast<float>(value) / 127.5F - 1; };
    Bytes& rgba = picture.rgba;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const float x = as_float(rgba[i + 3]);
        const float y = as_float(rgba[i + 1]);
        const float z = std::sqrt(std::max(0.0F, 1 - x * x - y * y));
        rgba[i] = rgba[i + 3];
        rgba[i + 2] = static_cast<std::byte>(std::lround((z + 1) * 127.5F));
        rgba[i + 3] = std::byte{255};
    }
    picture.has_alpha = false;
}

/// In the record: what a material would have, so that nobody has taken it away who edits the material.
void note_left_out(Material& material, const char* member) {
    if (material.extras.json.empty()) return;
    nlohmann::json record = object_of(material.extras.json);
    record[left_out_key].push_back(member);
    material.extras.json = record.dump();
}

/// What materials do with an image.
struct Use {
    bool as_color = false;  ///< in any slot but that of a normal map
    bool as_normal_map = false;
    std::vector<Index> materials;  ///< increasing
};

/// A file and the images that it is for.
struct Source {
    std::filesystem::path path;  ///< empty: it comes from the options' source
    std::string name;            ///< for messages
    std::vector<Index> images;
    Use use;
};

/// Where the slots of an image lead once it is loaded.
struct Target {
    Index color = no_index;
    Index normal_map = no_index;
};

/// A picture that another thread makes the bytes of.
struct Encoding {
    Source source;
    Index image = no_index;
    std::future<Result<Bytes>> png;
};

/// What is known of an image's alpha channel: images that were not loaded here are not looked into.
enum class Alpha : std::uint8_t { unknown, none, some };

class Loader {
public:
    Loader(Scene& scene, const TextureOptions& options)
        : scene_(scene),
          options_(options),
          library_(options.folders),
          uses_(scene.images.size()),
          alpha_(scene.images.size(), Alpha::unknown),
          ahead_(threads_beside(options.limits) / 2) {
        if (options.limits.memory != 0) file_limit_ = options.limits.memory;
    }

    Report run() {
        collect_uses();
        load_images();
        for (Index i = 0; i < uses_.size(); ++i) {
            if (is_wanted(i) && !scene_.images[i].channels.empty()) put_together(i);
        }
        while (!encodings_.empty()) take_encoded();
        redirect_slots();
        settle_alpha();
        report_unused_images();
        remove_images(scene_, find_unused_images(scene_));
        return std::move(report_);
    }

private:
    void collect_uses() {
        for (Index m = 0; m < scene_.materials.size(); ++m) {
            for (const auto& named : slots_of(scene_.materials[m])) {
                if (!named.slot->used()) continue;
                if (named.slot->image >= uses_.size()) {
                    clear_dangling(m, named);
                    continue;
                }
                Use& use = uses_[named.slot->image];
                (named.is_normal_map ? use.as_normal_map : use.as_color) = true;
                if (use.materials.empty() || use.materials.back() != m) use.materials.push_back(m);
            }
        }
    }

    void clear_dangling(Index material, const NamedSlot<TextureSlot>& named) {
        Diagnostic diagnostic =
            problem_at(element_path("materials", material) + " / " + named.name, codes::texture_missing,
                       "the material " + in_quotes(scene_.materials[material].name) +
                           " names an image that does not exist: the texture is left out");
        diagnostic.found = std::to_string(named.slot->image);
        diagnostic.expected = "an index below " + std::to_string(uses_.size());
        report_.add(std::move(diagnostic));
        *named.slot = {};
    }

    [[nodiscard]] bool is_wanted(Index image) const {
        const Image& known = scene_.images[image];
        return !uses_[image].materials.empty() && known.bytes.empty() && known.uri.empty();
    }

    /// Those that the source knows are loaded at once, so that one after the other is in memory; then, one for each
    /// file, those from the folders.
    void load_images() {
        for (Index i = 0; i < uses_.size(); ++i) {
            targets_.push_back({i, i});
            if (!is_wanted(i)) continue;
            for (const ChannelSource& channel : scene_.images[i].channels) channel_names_.insert(key_of(channel.image));
        }
        std::vector<Index> open;
        for (auto& [first, source] : sources_by_name()) {
            if (!load_from_source(source)) open.insert(open.end(), source.images.begin(), source.images.end());
        }
        std::sort(open.begin(), open.end());
        for (const Source& source : find_sources(open)) load(source, read_file(source.path, file_limit_));
    }

    /// By the first image of each name: images whose names differ in case or slashes only are one.
    std::map<Index, Source> sources_by_name() const {
        std::map<Index, Source> sources;
        std::map<std::string, Index> firsts;
        for (Index i = 0; i < uses_.size(); ++i) {
            const Image& image = scene_.images[i];
            if (!is_wanted(i) || !image.channels.empty()) continue;
            // Nameless images are all missing, each for itself.
            const Index first = image.name.empty() ? i : firsts.try_emplace(key_of(image.name), i).first->second;
            add_image(sources[first], i);
        }
        return sources;
    }

    /// False if there is no such texture.
    bool load_from_source(Source& source) {
        const std::string& name = scene_.images[source.images.front()].name;
        if (!options_.source || name.empty()) return false;
        Result<FoundTexture> found = options_.source(name);
        if (!found && found.error().code == codes::file_missing) return false;
        source.name = found ? found->name : found.error().file;
        load(source, found ? Result<Bytes>(std::move(found->bytes)) : fail(std::move(found.error())));
        return true;
    }

    /// One source for each file, in the order of the first image of each.
    std::vector<Source> find_sources(const std::vector<Index>& images) {
        std::vector<Source> sources;
        std::map<std::filesystem::path, std::size_t> numbers;
        for (const Index i : images) {
            const Image& image = scene_.images[i];
            std::filesystem::path path = image.name.empty() ? std::filesystem::path() : find_in_folders(image.name);
            if (path.empty()) {
                report_missing(image.name, i, uses_[i].materials);
                targets_[i] = {};
                continue;
            }
            const auto [entry, is_new] = numbers.try_emplace(path, sources.size());
            if (is_new) {
                Source& source = sources.emplace_back();
                source.name = text(path);
                source.path = std::move(path);
            }
            add_image(sources[entry->second], i);
        }
        return sources;
    }

    void add_image(Source& source, Index image) const {
        const Use& use = uses_[image];
        source.images.push_back(image);
        source.use.as_color = source.use.as_color || use.as_color;
        source.use.as_normal_map = source.use.as_normal_map || use.as_normal_map;
        std::vector<Index> materials;
        std::set_union(source.use.materials.begin(), source.use.materials.end(), use.materials.begin(),
                       use.materials.end(), std::back_inserter(materials));
        source.use.materials = std::move(materials);
    }

    void load(const Source& source, Result<Bytes> file) {
        Result<Target> target = file ? place(source, std::move(*file)) : fail(std::move(file.error()));
        if (!target) return leave_out(source, target.error());
        for (const Index image : source.images) targets_[image] = *target;
    }

    [[nodiscard]] Result<image::Picture> decode(Bytes& file) const {
        if (image::is_gzip(file)) {
            Result<Bytes> plain = image::gunzip(file, options_.limits);
            if (!plain) return fail(std::move(plain.error()));
            file = std::move(*plain);
        }
        return image::decode(file, options_.limits);
    }

    [[nodiscard]] bool is_alpha_green(const image::Picture& picture) const {
        if (options_.normal_map_layout != NormalLayout::automatic) {
            return options_.normal_map_layout == NormalLayout::alpha_green;
        }
        return looks_like_alpha_green(picture);
    }

    /// Gives the first image of the source its content, and adds one more if the normal map must differ from it.
    Result<Target> place(const Source& source, Bytes file) {
        // PNG and JPEG are decoded too: a damaged one must not get into the glTF.
        Result<image::Picture> picture = decode(file);
        if (!picture) return fail(std::move(picture.error()));

        const Index first = source.images.front();
        forward(std::move(picture->report), source);
        if (kept_bytes_ < max_kept) keep_plane(scene_.images[first].name, *picture);
        const bool spreads = source.use.as_normal_map && is_alpha_green(*picture);
        const bool flips = source.use.as_normal_map && options_.normal_map_green == GreenChannel::flip;
        alpha_[first] = picture->has_alpha ? Alpha::some : Alpha::none;
        const bool changes = flips || spreads;
        const bool stays = source.use.as_color || !changes;
        if (stays && !set_file(first, file)) {
            auto set = set_png(source, first, changes ? image::Picture(*picture) : std::move(*picture));
            if (!set) return fail(std::move(set.error()));
        }
        Target target{first, first};
        if (!changes) return target;
        if (stays) {
            target.normal_map = static_cast<Index>(scene_.images.size());
            scene_.images.push_back({scene_.images[first].name + ".normal", {}, {}, {}});
        }
        if (spreads) spread_alpha_green(*picture);
        if (flips) image::flip_green(*picture);
        return set_png(source, target.normal_map, std::move(*picture)).map([&] { return target; });
    }

    /// Keeps what images that are put together will ask for; the oldest are forgotten when there is too much.
    void keep_plane(const std::string& name, const image::Picture& picture) {
        const std::string key = key_of(name);
        if (!channel_names_.contains(key)) return;
        const auto [place, is_new] = planes_.try_emplace(key);
        if (!is_new) return;
        place->second = image::red_plane(picture);
        kept_bytes_ += place->second.values.size();
        plane_order_.push_back(key);
    }

    /// Not while planes are in use.
    void forget_planes() {
        std::size_t gone = 0;
        for (; gone < plane_order_.size() && kept_bytes_ > max_kept; ++gone) {
            const auto place = planes_.find(plane_order_[gone]);
            kept_bytes_ -= place->second.values.size();
            planes_.erase(place);
        }
        plane_order_.erase(plane_order_.begin(), plane_order_.begin() + static_cast<std::ptrdiff_t>(gone));
    }

    /// Null if there is no such texture, or none that can be used; that is reported once.
    const image::Plane* plane_of(const std::string& name, Index image) {
        const std::string key = key_of(name);
        if (const auto known = planes_.find(key); known != planes_.end()) return &known->second;
        if (missing_channels_.contains(key)) return nullptr;
        Source source;
        source.images = {image};
        source.use.materials = uses_[image].materials;
        source.name = name;
        Result<Bytes> file = find_file(name, source);
        if (!file && file.error().code == codes::file_missing) {
            report_missing(name, image, source.use.materials);
        } else if (Result<image::Picture> picture = file ? decode(*file) : fail(std::move(file.error())); picture) {
            forward(std::move(picture->report), source);
            keep_plane(name, *picture);
            return &planes_.at(key);
        } else {
            report_damaged(source, picture.error(), name);
        }
        missing_channels_.insert(key);
        return nullptr;
    }

    [[nodiscard]] std::filesystem::path find_in_folders(std::string_view name) const {
        return options_.find ? options_.find(name) : library_.find(name);
    }

    /// From the source or the folders; where it was looked for last stands in `source`.
    Result<Bytes> find_file(const std::string& name, Source& source) {
        if (options_.source) {
            Result<FoundTexture> found = options_.source(name);
            if (found) {
                source.name = std::move(found->name);
                return std::move(found->bytes);
            }
            if (found.error().code != codes::file_missing) return fail(std::move(found.error()));
        }
        const std::filesystem::path path = find_in_folders(name);
        if (path.empty()) return fail(problem_at({}, codes::file_missing));
        source.name = text(path);
        return read_file(path, file_limit_);
    }

    /// A channel whose texture is missing is black before it is inverted: neither metal nor smooth.
    void put_together(Index index) {
        forget_planes();
        std::array<image::ChannelUse, 3> uses;
        bool has_plane = false;
        for (std::size_t i = 0; i < uses.size() && i < scene_.images[index].channels.size(); ++i) {
            const ChannelSource& channel = scene_.images[index].channels[i];
            uses[i] = {nullptr, channel.scale, channel.inverted};
            if (channel.image.empty()) continue;
            uses[i].plane = plane_of(channel.image, index);
            if (uses[i].plane == nullptr) uses[i].scale = 0;
            has_plane = has_plane || uses[i].plane != nullptr;
        }
        if (!has_plane) return leave_constants(index, uses);
        Source source;
        source.images = {index};
        source.use = uses_[index];
        Result<image::Picture> picture = image::compose(uses, options_.limits);
        auto made = picture ? set_png(source, index, std::move(*picture)) : fail(std::move(picture.error()));
        if (!made) leave_out(source, made.error());
    }

    /// Factors say what is left when no channel of an image has a texture.
    void leave_constants(Index index, const std::array<image::ChannelUse, 3>& uses) {
        for (Material& material : scene_.materials) {
            if (material.metallic_roughness_texture.image != index) continue;
            material.roughness *= uses[1].apply(1);
            material.metallic *= uses[2].apply(1);
        }
        targets_[index] = {};
    }

    /// What was noticed while the file of the source was decoded.
    void forward(Report noticed, const Source& source) {
        noticed.name_file(source.name);
        for (Diagnostic& diagnostic : noticed.diagnostics()) {
            diagnostic.path = element_path("images", source.images.front());
        }
        report_.append(std::move(noticed));
    }

    /// False for a file of a kind that glTF does not have.
    bool set_file(Index image, Bytes& file) {
        const image::Kind kind = image::probe(file);
        if (kind != image::Kind::png && kind != image::Kind::jpeg) return false;
        set_content(image, kind == image::Kind::png ? "image/png" : "image/jpeg", std::move(file));
        return true;
    }

    /// Other threads make PNG while the next texture is decoded.
    Result<void> set_png(const Source& source, Index image, image::Picture picture) {
        auto encode = [picture = std::move(picture), quick = options_.quick] {
            return image::encode_png(picture, quick);
        };
        if (ahead_ == 0) return encode().map([&](Bytes png) { set_content(image, "image/png", std::move(png)); });
        if (encodings_.size() >= ahead_) take_encoded();
        set_content(image, "image/png", {});
        encodings_.push_back({source, image, start_beside(std::move(encode))});
        return {};
    }

    void take_encoded() {
        Encoding done = std::move(encodings_.front());
        encodings_.pop_front();
        Result<Bytes> png = done.png.get();
        if (!png) return leave_out(done.source, png.error());
        scene_.images[done.image].bytes = std::move(*png);
    }

    void set_content(Index image, std::string_view type, Bytes bytes) {
        scene_.images[image] = {std::move(scene_.images[image].name), std::string(type), std::move(bytes), {}};
    }

    void leave_out(const Source& source, const Diagnostic& cause) {
        report_damaged(source, cause);
        for (const Index image : source.images) targets_[image] = {};
    }

    void redirect_slots() {
        for (Material& material : scene_.materials) {
            for (const auto& named : slots_of(material)) {
                if (!named.slot->used()) continue;
                const Target& target = targets_[named.slot->image];
                const Index image = named.is_normal_map ? target.normal_map : target.color;
                if (image == no_index) {
                    *named.slot = {};
                    note_left_out(material, named.name);
                    // Without its texture, nothing says where it glows.
                    if (named.slot == &material.emissive_texture) material.emissive = {0, 0, 0};
                } else {
                    named.slot->image = image;
                }
            }
        }
    }

    std::string about(std::string_view image_name, const std::vector<Index>& materials) const {
        return "the texture " + in_quotes(image_name) + " of the material" + (materials.size() > 1 ? "s " : " ") +
               list(materials, [&](Index m) -> const std::string& { return scene_.materials[m].name; });
    }

    [[nodiscard]] std::string where_looked_for() const {
        if (options_.folders.empty()) {
            return options_.source
                       ? " is not among the game's files and is left out: name the game's folder with --game "
                         "DIR, or a folder with textures with --textures DIR"
                       : " was not looked for and is left out: name the folder with the game's textures "
                         "with --textures DIR";
        }
        const std::string folders = list(options_.folders, text) + " or the folders in them, and is left out: name ";
        return options_.source ? " was found neither among the game's files nor in " + folders +
                                     "the game's folder with --game DIR, or its own with --textures DIR"
                               : " was not found in " + folders + "its folder with --textures DIR";
    }

    void report_missing(std::string_view name, Index image, const std::vector<Index>& materials) {
        report_.add(problem_at(element_path("images", image), codes::texture_missing,
                               about(name, materials) + where_looked_for()));
    }

    void report_damaged(const Source& source, const Diagnostic& cause, std::string_view name = {}) {
        const bool limit_reached = is_limit(cause);
        if (name.empty()) name = scene_.images[source.images.front()].name;
        Diagnostic diagnostic = passed_on(cause, codes::texture_damaged);
        diagnostic.path = element_path("images", source.images.front());
        diagnostic.file = source.name;
        diagnostic.message = about(name, source.use.materials) + " cannot be used and is left out (" + cause.message +
                             "): " + (limit_reached ? "raise the limit, or " : "") +
                             "name a folder with a good copy before the others with --textures DIR";
        report_.add(std::move(diagnostic));
    }

    /// Blending without an alpha channel would only cost viewers their depth buffer; an alpha channel without blending
    /// makes nothing transparent.
    void settle_alpha() {
        for (Index m = 0; m < scene_.materials.size(); ++m) {
            Material& material = scene_.materials[m];
            const Index image = material.base_color_texture.image;
            const Alpha alpha = image < alpha_.size() ? alpha_[image] : Alpha::unknown;
            const std::string path = element_path("materials", m) + " / base_color_texture";
            if (alpha == Alpha::some && material.alpha_mode == AlphaMode::opaque) {
                report_.add(problem_at(
                    path, codes::texture_alpha_unused,
                    "the material " + in_quotes(material.name) + " is opaque: the alpha channel of its texture " +
                        in_quotes(scene_.images[image].name) + " is kept, but makes nothing transparent"));
            }
            if (alpha == Alpha::none && material.alpha_mode == AlphaMode::blend && material.base_color.a >= 1) {
                material.alpha_mode = AlphaMode::opaque;
                note_left_out(material, "alpha_mode");
                report_.add(problem_at(path, codes::texture_without_alpha,
                                       "the material " + in_quotes(material.name) +
                                           " takes its opacity from the texture " +
                                           in_quotes(scene_.images[image].name) +
                                           ", every pixel of which is opaque: it becomes an opaque material"));
            }
        }
    }

    void report_unused_images() {
        for (Index i = 0; i < uses_.size(); ++i) {
            const Image& image = scene_.images[i];
            if (!uses_[i].materials.empty() || (image.bytes.empty() && image.uri.empty())) continue;
            report_.add(problem_at(element_path("images", i), codes::texture_unused,
                                   "no material uses the image " + in_quotes(image.name) + ": it is left out"));
        }
    }

    Scene& scene_;
    const TextureOptions& options_;
    image::Library library_;
    std::uint64_t file_limit_ = default_file_limit;
    std::vector<Use> uses_;        ///< one for each image of the scene as it came
    std::vector<Target> targets_;  ///< likewise
    std::vector<Alpha> alpha_;     ///< likewise; known for the images that were loaded
    /// Of textures whose red channel goes into an image that is put together, by key_of() their names.
    std::set<std::string, std::less<>> channel_names_, missing_channels_;
    std::map<std::string, image::Plane, std::less<>> planes_;
    std::vector<std::string> plane_order_;  ///< the oldest first
    std::size_t kept_bytes_ = 0;
    std::size_t ahead_;  ///< so many pictures are encoded at once by other threads
    std::deque<Encoding> encodings_;
    Report report_;
};

}  // namespace

Report load_textures(Scene& scene, const TextureOptions& options) {
    const KeepMaterials keep(scene);
    return Loader(scene, options).run();
}

}  // namespace effigy
