/// The avatar's only material, and its texture: embedded, beside the avatar in a container, or looked for later.

#include <algorithm>

#include "effigy/arp_codes.hpp"
#include "effigy/image.hpp"
#include "effigy/scene_codes.hpp"

#include "arp/file/layout_elements.hpp"
#include "arp/file/names.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/to_scene/to_scene.hpp"
#include "core/text.hpp"

namespace effigy::arp::bridge {
namespace {

std::string_view mime_type(image::Kind kind) noexcept {
    if (kind == image::Kind::png) return "image/png";
    return kind == image::Kind::jpeg ? "image/jpeg" : "";
}

class MaterialBuilder {
public:
    MaterialBuilder(Build& build, Avatar& avatar) : build_(build), avatar_(avatar), file_(*avatar.file) {}

    Result<void> add() {
        if (file_.meshes.empty()) return {};
        avatar_.material = static_cast<Index>(build_.scene.materials.size());
        Material& material = build_.scene.materials.emplace_back();
        material.name = own_name();
        material.extras.json = material_extras(file_);
        auto image = find_image();
        if (!image) return fail(std::move(image.error()));
        if (image->name.empty()) return {};
        material.base_color_texture.image = static_cast<Index>(build_.scene.images.size());
        build_.scene.images.push_back(std::move(*image));
        return {};
    }

private:
    [[nodiscard]] std::string own_name() const {
        const std::string& name = avatar_.name;
        return name.empty() ? "avatar" : name;
    }

    [[nodiscard]] Limits left() const {
        Limits limits = build_.options.limits;
        if (limits.memory != 0)
            limits.memory = std::max<std::uint64_t>(1, build_.budget.limit() - build_.budget.used());
        return limits;
    }

    /// Without a name: there is none.
    Result<Image> find_image() {
        Image image;
        const std::string_view named = up_to_nul(file_.texture.name);
        if (auto taken = build_.take(named.size(), 8, "names"); !taken) return fail(std::move(taken.error()));
        image.name = build_.text(named);
        if (has_image(file_)) {
            if (image.name.empty()) image.name = own_name();
            return embedded(std::move(image));
        }
        for (const auto& [name, content] : avatar_.input->companions) {
            if (!named.empty() && lower(without_folder(name)) == lower(without_folder(named))) {
                return beside(std::move(image), content);
            }
        }
        return image;
    }

    /// An image that cannot be used is looked for by its name, as any other is.
    Result<Image> embedded(Image image) {
        auto png = texture_png(file_, left());
        if (!png) {
            note_damaged(png.error());
            return image;
        }
        if (*png != file_.texture.image)
            build_.note(codes::arp_texture_embedded, "texture", "The embedded image becomes a PNG of the same pixels.");
        return with_bytes(std::move(image), std::move(*png), "image/png");
    }

    Result<Image> beside(Image image, const Bytes& content) {
        // What cannot be decoded would break every viewer.
        const auto picture = image::decode(content, left());
        if (!picture) {
            note_damaged(picture.error());
            return image;
        }
        const std::string_view mime = image::is_gzip(content) ? "" : mime_type(image::probe(content));
        if (!mime.empty()) return with_bytes(std::move(image), Bytes(content), mime);
        auto png = image::encode_png(*picture);
        if (!png) return fail(std::move(png.error()));
        return with_bytes(std::move(image), std::move(*png), "image/png");
    }

    Result<Image> with_bytes(Image image, Bytes bytes, std::string_view mime) {
        if (auto taken = build_.take(bytes.size(), 1, "the texture"); !taken) return fail(std::move(taken.error()));
        image.bytes = std::move(bytes);
        image.mime_type = mime;
        return image;
    }

    void note_damaged(const Diagnostic& why) {
        build_.note(codes::texture_damaged, "texture", "The avatar's texture cannot be used: " + why.message, why.found,
                    why.expected);
    }

    Build& build_;
    Avatar& avatar_;
    const File& file_;
};

}  // namespace

Result<void> add_material(Build& build, Avatar& avatar) { return MaterialBuilder(build, avatar).add(); }

}  // namespace effigy::arp::bridge
