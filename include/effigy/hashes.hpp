#pragma once
/// Hashes of a scene's objects: whether somebody has edited one since its record (Extras) was made. What glTF holds of
/// an object is what is hashed, so that a hash is the same before a file and after it: docs/gltf.md, "Hashes".

#include <cstdint>
#include <set>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

[[nodiscard]] std::uint64_t hash_of(const Node& node);
[[nodiscard]] std::uint64_t hash_of(const Mesh& mesh);
[[nodiscard]] std::uint64_t hash_of(const Skin& skin);
[[nodiscard]] std::uint64_t hash_of(const Light& light);
[[nodiscard]] std::uint64_t hash_of(const Scene& scene, const Material& material);
[[nodiscard]] std::uint64_t hash_of(const Scene& scene, const Clip& clip);

/// Gives every object with a record the hash of what it is: the records describe the scene as it stands. Every
/// `to_scene` of a game's format ends with this.
void set_hashes(Scene& scene);

/// Which objects of a scene with a record still have its hash. Each is hashed once, when it is first asked for; they
/// must not change meanwhile, nor move.
class Untouched {
public:
    explicit Untouched(const Scene& scene);
    [[nodiscard]] bool operator()(const Node& node) const;
    [[nodiscard]] bool operator()(const Mesh& mesh) const;
    [[nodiscard]] bool operator()(const Skin& skin) const;
    [[nodiscard]] bool operator()(const Material& material) const;
    [[nodiscard]] bool operator()(const Light& light) const;
    [[nodiscard]] bool operator()(const Clip& clip) const;

private:
    enum class Answer : std::uint8_t { open, no, yes };
    using Answers = std::vector<Answer>;
    const Scene& scene_;
    mutable Answers nodes_, meshes_, skins_, materials_, lights_, clips_;
};

/// For what completes a scene's materials without being an edit of anybody's (loading textures, resolving names): those
/// that are untouched when this begins, or have no record, are untouched when it ends.
class KeepMaterials {
public:
    explicit KeepMaterials(Scene& scene);
    ~KeepMaterials();
    KeepMaterials(const KeepMaterials&) = delete;
    KeepMaterials& operator=(const KeepMaterials&) = delete;

private:
    Scene& scene_;
    std::vector<bool> untouched_;
    std::set<std::uint64_t> hashes_;  ///< of the untouched ones
};

}  // namespace effigy
