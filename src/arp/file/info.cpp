/// What is in an avatar, as JSON: docs/json.md, "info".

#include <algorithm>
#include <string>

#include "arp/file/arp_format.hpp"
#include "arp/file/layout_elements.hpp"
#include "arp/file/units.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

/// Binds are recovered of so many meshes: real avatars have one, and each takes as long as there are bones.
constexpr std::size_t max_binds = 16;

Json short_number(double value) { return json_number(static_cast<float>(value)); }

/// Makes the parts; names of a damaged file may be of any length.
class Info {
public:
    Info(const File& file, const std::string& encoding) noexcept : file_(file), encoding_(encoding) {}

    Json bones() const {
        Json list = Json::array();
        for (const Bone& bone : file_.bones) {
            Json entry{{"name", name(bone.name)}};
            if (std::string parent = name(bone.parent); !parent.empty()) entry["parent"] = std::move(parent);
            entry["length"] = json_number(bone.length);
            list.push_back(std::move(entry));
        }
        return list;
    }
    Json meshes() const {
        Json list = Json::array();
        for (std::size_t number = 0; number < file_.meshes.size(); ++number) {
            const Mesh& mesh = file_.meshes[number];
            list.push_back({{"switch_distance", json_number(mesh.switch_distance)},
                            {"points", mesh.points.size()},
                            {"links", mesh.points.offsets.size()},
                            {"duplicates", duplicate_points(mesh, file_.layout).size()},
                            {"strip_indices", mesh.strip.size()},
                            {"texture_coordinates", mesh.texcoords.size()},
                            {"morph_targets", mesh.morph_targets.size()}});
            if (number < max_binds) list.back()["bind"] = bind_json(recover_bind(file_, number));
        }
        return list;
    }
    /// Of the first mesh, which is the only one that players draw.
    Json morph_targets() const {
        Json list = Json::array();
        if (file_.meshes.empty()) return list;
        for (const MorphTarget& target : file_.meshes.front().morph_targets)
            list.push_back({{"name", name(target.name)}, {"points", target.sets.size()}});
        return list;
    }
    Json texture() const {
        const Texture& texture = file_.texture;
        Json json;
        if (!texture.name.empty()) json["name"] = name(texture.name);
        json["embedded"] = has_image(file_);
        if (has_image(file_)) json["bytes"] = texture.image.size();
        if (file_.layout.texture == TextureForm::named) json["flags"] = texture.flags;
        return json;
    }

private:
    std::string name(std::string_view raw) const { return to_utf8(shortened(up_to_nul(raw), 256), encoding_); }

    const File& file_;
    const std::string& encoding_;
};

Json counts_json(const File& file) {
    std::size_t points = 0, links = 0, duplicates = 0, indices = 0, targets = 0, sets = 0;
    for (const Mesh& mesh : file.meshes) {
        points += mesh.points.size();
        links += mesh.points.offsets.size();
        duplicates += duplicate_points(mesh, file.layout).size();
        indices += mesh.strip.size();
        targets += mesh.morph_targets.size();
        for (const MorphTarget& target : mesh.morph_targets) sets += target.sets.size();
    }
    return {{"meshes", file.meshes.size()},
            {"points", points},
            {"links", links},
            {"duplicates", duplicates},
            {"strip_indices", indices},
            {"morph_targets", targets},
            {"morph_sets", sets},
            {"pose_entries", file.default_pose.size()},
            {"bones", file.bones.size()}};
}

/// Timed frames are played at 25 a second.
Json ambient_json(const File& file) {
    if (!file.ambient) return {{"frames", 0}};
    return {{"frames", file.ambient->frames.size()},
            {"frames_per_second", json_number(file.ambient->frames_per_second)}};
}

}  // namespace

Json bind_json(const Bind& bind) {
    const auto count = [&](BindSource source) {
        return static_cast<std::size_t>(std::count(bind.sources.begin(), bind.sources.end(), source));
    };
    const bool recovered = bind.fits && bind.shared_points > 0;
    Json json{{"pose", recovered ? "recovered" : "rest"},
              {"fits", bind.fits},
              {"shared_points", bind.shared_points},
              {"median_residual", short_number(bind.median_residual)},
              {"worst_residual", short_number(bind.worst_residual)},
              {"worst_point", bind.worst_point},
              {"height", short_number(bind.height)}};
    if (bind.height > 0) json["worst_percent"] = short_number(100 * bind.worst_residual / bind.height);
    json["bones"] = {{"rigid", count(BindSource::rigid)},
                     {"rotation", count(BindSource::rotation)},
                     {"stored", count(BindSource::stored)}};
    return json;
}

Json info(const File& file, const std::string& encoding) {
    const Info parts(file, encoding);
    Json json;
    json["format"] = "jarp";
    json["version"] = to_utf8(shortened(file.version), encoding);
    json["layout"] = describe(file.layout);
    json["scale"] = json_number(file.scale);
    json["volume"] = {{"min", json_numbers(file.volume_low)}, {"max", json_numbers(file.volume_high)}};
    json["metres_per_unit"] = json_number(metres_per_unit(file));
    json["height"] = json_number(double{file.volume_high.y} - double{file.volume_low.y});
    json["counts"] = counts_json(file);
    json["meshes"] = parts.meshes();
    json["bones"] = parts.bones();
    json["morph_targets"] = parts.morph_targets();
    json["texture"] = parts.texture();
    json["ambient"] = ambient_json(file);
    return json;
}

}  // namespace effigy::arp
