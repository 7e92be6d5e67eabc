#pragma once
/// A whole scene at one moment: the jobs of effigy/playback.hpp in their order, with buffers of their own.

#include <memory>
#include <span>

#include "effigy/playback.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::playback {

struct PoserOptions {
    int level = 0;           ///< level of detail to show; the coarsest there is, if a node has fewer
    bool collision = false;  ///< collision meshes as well
    Kernel kernel = Kernel::vector;
};

/// A mesh where it stands at the moment, in the scene's space.
struct PosedMesh {
    Index node = no_index;
    Index mesh = no_index;
    bool collision = false;
    bool mirrored = false;  ///< triangles turn the other way round than in the mesh
    VertexView vertices;
};

class Poser {
public:
    /// Prepares all that is drawn, in the rest pose. The scene must stay as it is. Fails if skins or attributes
    /// contradict each other ("playback-..." codes).
    [[nodiscard]] static Result<Poser> make(const Scene& scene, const PoserOptions& options = {});
    Poser(Poser&&) noexcept;
    Poser& operator=(Poser&&) noexcept;
    ~Poser();

    /// The scene's clip `clip` at `time` seconds; no_index is the rest pose. Allocates nothing.
    [[nodiscard]] Result<void> pose(Index clip, double time, bool loop = true);

    [[nodiscard]] const Scene& scene() const noexcept;
    [[nodiscard]] const Skeleton& skeleton() const noexcept;
    [[nodiscard]] std::span<const Mat4> models() const noexcept;  ///< one for each of the skeleton's joints
    [[nodiscard]] std::span<const float> weights() const noexcept;
    [[nodiscard]] std::span<const PosedMesh> meshes() const noexcept;
    [[nodiscard]] Bounds bounds() const noexcept;  ///< of all vertices; of the joints where nothing is drawn

private:
    struct State;
    explicit Poser(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// What the poser shows now as a scene of its own that stands still: one node a mesh or light, in place, without skins,
/// morph targets and clips; materials and images as they are.
[[nodiscard]] Result<Scene> bake(const Poser& poser);

}  // namespace effigy::playback
