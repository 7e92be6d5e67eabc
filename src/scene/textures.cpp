#include "effigy/textures.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "material_slots.hpp"

namespace effigy {
namespace {

/// Larger than a 16384 x 16384 texture with all its levels; keeps a file that is no texture out of memory.
constexpr std::uint64_t default_file_limit = std::uint64_t{512} * 1024 * 1024;

/// Lists in messages are cut after this many names.
constexpr std::size_t most_names = 5;

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
        if (count++ >= most_names) continue;
        if (!result.empty()) result += ", ";
        result += in_quotes(to_text(item));
    }
    if (count > most_names) result += " and " + std::to_string(count - most_names) + " more";
    return result;
}

Diagnostic finding(std::string code, Severity severity, std::string path, std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.severity = severity;
    diagnostic.path = std::move(path);
    diagnostic.message = std::move(message);
    return diagnostic;
}

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const auto failure = [](const char* code, std::string message) {
        return fail(finding(code, Severity::error, {}, std::move(message)));
    };
    std::error_code error;
    // Opening a pipe or a device could wait for ever.
    if (!std::filesystem::is_regular_file(path, error)) return failure("texture-damaged", "it is not a readable file");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return failure("texture-damaged", "its size cannot be read: " + error.message());
    if (size > limit) {
        return failure("limit-memory",
                       "its " + std::to_string(size) + " bytes exceed the limit of " + std::to_string(limit));
    }
    std::ifstream stream(path, std::ios::binary);
    Bytes bytes(static_cast<std::size_t>(size));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        return failure("texture-damaged", "it cannot be read");
    }
    return bytes;
}

/// What materials do with an image.
struct Use {
    bool as_color = false;  ///< in any slot but that of a normal map
    bool as_normal_map = false;
    std::vector<Index> materials;  ///< increasing
};

/// A file and the images that it is for.
struct Source {
    std::filesystem::path path;
    std::vector<Index> images;
    Use use;
};

/// Where the slots of an image lead once it is loaded.
struct Target {
    Index color = no_index;
    Index normal_map = no_index;
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
          alpha_(scene.images.size(), Alpha::unknown) {
        if (options.limits.memory != 0) file_limit_ = options.limits.memory;
    }

    Report run() {
        collect_uses();
        for (const Source& source : find_sources()) load(source);
        redirect_slots();
        settle_alpha();
        report_unused_images();
        remove_images(scene_, find_unused_images(scene_));
        return std::move(report_);
    }

private:
    void collect_uses() {
        for (Index m = 0; m < scene_.materials.size(); ++m) {
            for (const NamedSlot& named : slots_of(scene_.materials[m])) {
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

    void clear_dangling(Index material, const NamedSlot& named) {
        Diagnostic diagnostic = finding("texture-missing", Severity::warning,
                                        element_path("materials", material) + " / " + std::string(named.name),
                                        "the material " + in_quotes(scene_.materials[material].name) +
                                            " names an image that does not exist: the texture is left out");
        diagnostic.found = std::to_string(named.slot->image);
        diagnostic.expected = "an index below " + std::to_string(uses_.size());
        report_.add(std::move(diagnostic));
        *named.slot = {};
    }

    /// One source for each file, in the order of the first image of each.
    std::vector<Source> find_sources() {
        std::vector<Source> sources;
        std::map<std::filesystem::path, std::size_t> numbers;
        for (Index i = 0; i < uses_.size(); ++i) {
            targets_.push_back({i, i});
            const Image& image = scene_.images[i];
            if (uses_[i].materials.empty() || !image.bytes.empty() || !image.uri.empty()) continue;
            std::filesystem::path path = image.name.empty() ? std::filesystem::path() : library_.find(image.name);
            if (path.empty()) {
                report_missing(i);
                targets_[i] = {};
                continue;
            }
            const auto [entry, is_new] = numbers.try_emplace(path, sources.size());
            if (is_new) sources.push_back({std::move(path), {}, {}});
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

    void load(const Source& source) {
        const Result<Target> target = place(source);
        if (!target) report_damaged(source, target.error());
        for (const Index image : source.images) targets_[image] = target.value_or(Target{});
    }

    /// Gives the first image of the source its content, and adds one more if the normal map must differ from it.
    Result<Target> place(const Source& source) {
        Result<Bytes> file = read_file(source.path, file_limit_);
        if (!file) return fail(std::move(file.error()));
        // PNG and JPEG are decoded too: a damaged one must not get into the glTF.
        Result<image::Picture> picture = image::decode(*file, options_.limits);
        if (!picture) return fail(std::move(picture.error()));

        const Index first = source.images.front();
        forward(std::move(picture->report), source);
        const bool flips = source.use.as_normal_map && options_.normal_map_green == GreenChannel::flip;
        alpha_[first] = picture->has_alpha ? Alpha::some : Alpha::none;
        std::optional<Image> color;
        std::optional<Image> flipped;
        if (source.use.as_color || !flips) {
            Result<Image> made = as_is(std::move(*file), *picture);
            if (!made) return fail(std::move(made.error()));
            color = std::move(*made);
        }
        if (flips) {
            image::flip_green(*picture);
            Result<Image> made = as_png(*picture);
            if (!made) return fail(std::move(made.error()));
            flipped = std::move(*made);
        }

        Target target{first, first};
        if (color) set_content(first, std::move(*color));
        if (color && flipped) {
            target.normal_map = static_cast<Index>(scene_.images.size());
            scene_.images.push_back({scene_.images[first].name + ".normal", {}, {}, {}});
        }
        if (flipped) set_content(target.normal_map, std::move(*flipped));
        return target;
    }

    /// What was noticed while the file of the source was decoded.
    void forward(Report noticed, const Source& source) {
        noticed.name_file(text(source.path));
        for (Diagnostic& diagnostic : noticed.diagnostics()) {
            diagnostic.path = element_path("images", source.images.front());
        }
        report_.append(std::move(noticed));
    }

    Result<Image> as_is(Bytes file, const image::Picture& picture) const {
        const image::Kind kind = image::probe(file);
        if (kind == image::Kind::png) return Image{{}, "image/png", std::move(file), {}};
        if (kind == image::Kind::jpeg) return Image{{}, "image/jpeg", std::move(file), {}};
        return as_png(picture);
    }

    Result<Image> as_png(const image::Picture& picture) const {
        Result<Bytes> png = image::encode_png(picture, options_.quick);
        if (!png) return fail(std::move(png.error()));
        return Image{{}, "image/png", std::move(*png), {}};
    }

    void set_content(Index image, Image content) {
        content.name = std::move(scene_.images[image].name);
        scene_.images[image] = std::move(content);
    }

    void redirect_slots() {
        for (Material& material : scene_.materials) {
            for (const NamedSlot& named : slots_of(material)) {
                if (!named.slot->used()) continue;
                const Target& target = targets_[named.slot->image];
                const Index image = named.is_normal_map ? target.normal_map : target.color;
                if (image == no_index) {
                    *named.slot = {};
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

    void report_missing(Index image) {
        const std::string subject = about(scene_.images[image].name, uses_[image].materials);
        const std::string message =
            options_.folders.empty()
                ? subject +
                      " was not looked for and is left out: name the folder with the game's textures with "
                      "--textures DIR"
                : subject + " was not found in " + list(options_.folders, text) +
                      " or the folders in them, and is left out: name its folder with --textures DIR";
        report_.add(finding("texture-missing", Severity::warning, element_path("images", image), message));
    }

    void report_damaged(const Source& source, const Diagnostic& cause) {
        const bool is_limit = cause.code.starts_with("limit-");
        Diagnostic diagnostic = cause;
        diagnostic.code = is_limit ? cause.code : "texture-damaged";
        diagnostic.severity = Severity::warning;
        diagnostic.path = element_path("images", source.images.front());
        diagnostic.file = text(source.path);
        diagnostic.message = about(scene_.images[source.images.front()].name, source.use.materials) +
                             " cannot be used and is left out (" + cause.message +
                             "): " + (is_limit ? "raise the limit, or " : "") +
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
                report_.add(finding(
                    "texture-alpha-unused", Severity::info, path,
                    "the material " + in_quotes(material.name) + " is opaque: the alpha channel of its texture " +
                        in_quotes(scene_.images[image].name) + " is kept, but makes nothing transparent"));
            }
            if (alpha == Alpha::none && material.alpha_mode == AlphaMode::blend && material.base_color.a >= 1) {
                material.alpha_mode = AlphaMode::opaque;
                report_.add(finding("texture-without-alpha", Severity::info, path,
                                    "the material " + in_quotes(material.name) +
                                        " takes its opacity from the texture " + in_quotes(scene_.images[image].name) +
                                        ", every pixel of which is opaque: it becomes an opaque material"));
            }
        }
    }

    void report_unused_images() {
        for (Index i = 0; i < uses_.size(); ++i) {
            const Image& image = scene_.images[i];
            if (!uses_[i].materials.empty() || (image.bytes.empty() && image.uri.empty())) continue;
            report_.add(finding("texture-unused", Severity::info, element_path("images", i),
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
    Report report_;
};

}  // namespace

Report load_textures(Scene& scene, const TextureOptions& options) { return Loader(scene, options).run(); }

}  // namespace effigy
