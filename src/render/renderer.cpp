/// Renderer: posed scenes to pictures, images decoded once.

#include <optional>
#include <utility>
#include <vector>

#include "effigy/playback_codes.hpp"
#include "effigy/render.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "draw.hpp"
#include "embree_library.hpp"
#include "problem.hpp"
#include "scene/triangles.hpp"
#include "surface.hpp"
#include "tracer.hpp"

namespace effigy::render {
struct Renderer::State {
    std::vector<image::Picture> images;
    Surfaces surfaces;  ///< refers to `images`
    Tracer tracer;
    std::optional<Content> content;  ///< what `tracer` was built for
};

namespace {

void report_lines(const Scene& scene, Report& report) {
    std::uint64_t count = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives)
            count += primitive.indices.empty() || has_triangles(primitive.topology) ? 0 : 1;
    }
    if (count == 0) return;
    report.add(problem_at({}, codes::render_lines, "lines and points are not drawn", std::to_string(count)));
}

}  // namespace

Renderer::Renderer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Loaded<Renderer>> Renderer::open(const Scene& scene, const Limits& limits) {
    return without_exceptions([&]() -> Result<Loaded<Renderer>> {
        auto embree = open_embree();
        if (!embree) return fail(std::move(embree.error()));
        auto tracer = Tracer::make(std::move(*embree));
        if (!tracer) return fail(std::move(tracer.error()));
        auto images = decode_images(scene, limits);
        report_lines(scene, images.report);
        Surfaces surfaces = make_surfaces(scene, images.value);
        auto state = std::make_unique<State>(
            State{std::move(images.value), std::move(surfaces), std::move(*tracer), std::nullopt});
        return Loaded<Renderer>{Renderer(std::move(state)), std::move(images.report)};
    });
}

Result<void> Renderer::load(const playback::Poser& poser) {
    state_->content.reset();
    auto loaded = without_exceptions([&]() -> Result<void> {
        auto geometry = make_geometry(poser, state_->surfaces);
        if (!geometry) return fail(std::move(geometry.error()));
        state_->content.emplace(Content{std::move(*geometry), make_bones(poser)});
        return state_->tracer.build(state_->content->geometry);
    });
    if (!loaded) state_->content.reset();
    return loaded;
}

Result<Frame> Renderer::draw(const Camera& camera, const Options& options) const {
    return without_exceptions([&]() -> Result<Frame> {
        if (!state_->content) return fail(problem(codes::render_options, "nothing was loaded that could be drawn"));
        return draw_frame(*state_->content, state_->surfaces, state_->tracer, camera, options);
    });
}

}  // namespace effigy::render
