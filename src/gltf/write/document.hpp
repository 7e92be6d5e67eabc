#pragma once
/// A scene laid out as glTF: the JSON, and what the binary buffer holds. Nothing is written yet.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "gltf/file/content.hpp"
#include "gltf/file/json.hpp"
#include "gltf/write/buffer.hpp"
#include "gltf/write/json_text.hpp"
#include "gltf/write/layout.hpp"
#include "gltf/write/node_hints.hpp"
#include "scene/bridge.hpp"
#include "scene/problem.hpp"

namespace effigy::gltf {

/// An image that becomes a file of its own.
struct ImageFile {
    std::string name;
    const Image* image;
};

/// The JSON's arrays while they grow, and the ways from the scene's numbers to theirs. no_index: left out.
struct Document {
    std::vector<AccessorLayout> accessors;
    std::vector<ViewLayout> views;
    ArrayText images, samplers, textures, materials, meshes, skins, nodes, animations, lights;
    std::set<std::string> extensions;
    std::set<std::string> required{};  ///< of the extensions
    Buffer buffer;
    std::uint64_t fallback_size = 0;  ///< of the second buffer, which is in no file: what is compressed stands for it

    std::map<Index, MoreJoints> more_joints;  ///< by skin
    std::vector<Index> image_numbers;
    std::set<Index> webp_images{};  ///< numbers in glTF
    std::vector<Index> mesh_numbers;
    std::vector<ImageFile> image_files;
    bool with_records = true;                          ///< `extras.effigy` is written
    bool keep_colors = false;                          ///< WriteOptions::keep_colors
    bool keeps_keys = false;                           ///< no rotation keys are inserted
    bool is_compact = false;                           ///< values of one kind stand together, for compression
    std::map<const std::byte*, Index> record_views{};  ///< by the bulk data of the record
    Report report;                                     ///< what the scene loses
    BridgeState memory{Budget({}, 0)};                 ///< for what is not the scene's

    Index add_view(std::uint64_t offset, std::uint64_t size, ViewTarget target, std::size_t stride = 0);
    Index add_accessor(const AccessorLayout& accessor);
    /// The view of a record's bulk data, which must not be empty.
    Index add_record_view(const Bytes& bulk);
};

/// What is written as an object's hash: that of its record, or for a record that was never hashed that of its data.
template <class Object>
[[nodiscard]] std::uint64_t hash_to_write(const Object& object, bool has_record) {
    return object.extras.hash != 0 || !has_record ? object.extras.hash : hash_of(object);
}

/// Puts extras, if there are any, into `object.extras`: what effigy knows into its member `effigy`, together with
/// `more` and, unless it is 0, `hash`; other custom properties beside it. Members of both come sorted.
[[nodiscard]] Result<void> add_extras(Document& document, Json& object, const Extras& extras, std::uint64_t hash,
                                      Steps steps, const nlohmann::json& more = nlohmann::json::object());

/// Checks the scene and lays it out. With `image_stem`, images become files whose names begin with it; otherwise they
/// go into the buffer.
[[nodiscard]] Result<Document> lay_out(const Scene& scene, const std::optional<std::string>& image_stem,
                                       const WriteOptions& options);

/// The same of a scene that was checked, with numbers that only glTF has.
[[nodiscard]] Result<Document> lay_out_checked(const Scene& scene, const std::optional<std::string>& image_stem,
                                               const WriteOptions& options);

/// The whole JSON on one line, for which the document gives up its arrays. `buffer_uri` is empty for the buffer of a
/// .glb.
[[nodiscard]] Result<std::string> to_text(Document& document, const Scene& scene, const std::string& buffer_uri);

/// Says how many weights of meshes[`number`] no glTF file may have, if there are any.
void note_bad_weights(const Mesh& mesh, std::size_t number, std::uint64_t bad, Report& report);

// The parts of lay_out(), in this order, each in a file of its own.
void add_images(Document& document, const Scene& scene, const std::optional<std::string>& image_stem);
[[nodiscard]] Result<void> add_materials(Document& document, const Scene& scene);
[[nodiscard]] Result<void> add_meshes(Document& document, const Scene& scene);
[[nodiscard]] Result<void> add_skins(Document& document, const Scene& scene);
[[nodiscard]] Result<void> add_lights(Document& document, const Scene& scene);
[[nodiscard]] Result<void> add_nodes(Document& document, const Scene& scene);
[[nodiscard]] Result<void> add_animations(Document& document, const Scene& scene);

}  // namespace effigy::gltf
