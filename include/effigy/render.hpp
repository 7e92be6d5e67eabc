#pragma once
/// Pictures of a scene, ray-cast on the processor: no GPU, no display, the same picture on every run whatever the
/// number of threads.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "effigy/bytes.hpp"
#include "effigy/image.hpp"
#include "effigy/poser.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::render {

/// Where the camera stands, seen from what it looks at. Degrees.
struct View {
    float yaw = 0;    ///< 0 looks along -Z, at the front unless Scene::facing is another; 90 along -X, 180 at the back
    float pitch = 0;  ///< 90 looks from above
};

/// A camera with perspective.
struct Camera {
    Vec3 position;
    Vec3 target;
    Vec3 up{0, 1, 0};
    float field_of_view = 30;  ///< degrees, of the picture's smaller side
};

/// A camera that has all of `bounds` in the picture, with a small margin.
[[nodiscard]] Camera frame(const playback::Bounds& bounds, View view, float aspect) noexcept;

/// The same for what a poser shows at several moments: by its vertices, which reach less far than the corners of boxes.
class Framer {
public:
    Framer(View view, float aspect) noexcept : view_(view), aspect_(aspect) {}
    void add(const playback::Poser& poser);
    [[nodiscard]] Camera camera() const noexcept;

    /// How far points reach beyond planes through the origin that stand as the picture's edges do.
    struct Reach {
        double right = -1e300, left = -1e300, top = -1e300, bottom = -1e300, front = -1e300;
    };

private:
    View view_;
    float aspect_;
    playback::Bounds bounds_;
    Reach reach_;
};

enum class Shading : std::uint8_t {
    lit,        ///< materials under a key light, a fill light and an occluded sky
    normals,    ///< shading normals, x y z as red green blue
    texcoords,  ///< a checker of the first texture coordinates
};

struct Options {
    std::uint32_t width = 1024;
    std::uint32_t height = 1024;
    std::uint32_t samples = 16;  ///< rays for each pixel; a square number is best
    Shading shading = Shading::lit;
    bool wireframe = false;
    bool skeleton = false;         ///< joints and bones on top
    Color background{0, 0, 0, 0};  ///< sRGB, as it will stand in the picture; alpha 0 is transparent
    unsigned threads = 0;          ///< 0: as many as the machine has
    /// Asked now and then, from several threads at once: true ends the drawing with "limit-cancelled".
    std::function<bool()> cancelled;
};

/// A picture, and what its pixels show. Depth and normals are those of the ray through the pixel's centre.
struct Frame {
    image::Picture picture;
    Bulk<float> depth;   ///< distance from the camera's plane, infinity where nothing is
    Bulk<Vec3> normals;  ///< of the surface, unit, in the scene's space
};

/// Whether pictures can be drawn here: "" or what is missing and how to get it.
[[nodiscard]] std::string missing_component();

class Renderer {
public:
    /// Decodes the scene's textures and opens the ray tracer; "render-unavailable" if that is not there. The scene
    /// must stay as it is. Textures that cannot be decoded are reported and left out.
    [[nodiscard]] static Result<Loaded<Renderer>> open(const Scene& scene, const Limits& limits = {});
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;
    ~Renderer();

    /// Takes over what the poser (of the same scene) shows now.
    [[nodiscard]] Result<void> load(const playback::Poser& poser);
    /// Draws what was loaded last.
    [[nodiscard]] Result<Frame> draw(const Camera& camera, const Options& options) const;

private:
    struct State;
    explicit Renderer(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace effigy::render
