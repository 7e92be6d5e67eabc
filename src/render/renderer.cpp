#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "effigy/render.hpp"

#include "draw.hpp"
#include "embree_library.hpp"
#include "problem.hpp"
#include "surface.hpp"
#include "texture.hpp"
#include "tracer.hpp"

namespace effigy::render {
namespace {

Diagnostic out_of_memory() { return problem(memory_code, "there is not enough memory to draw the scene"); }

}  // namespace

struct Renderer::State {
    std::vector<image::Picture> images;
    Surfaces surfaces;  ///< refers to `images`
    Tracer tracer;
    std::optional<Content> content;  ///< what `tracer` was built for
};

Renderer::Renderer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Loaded<Renderer>> Renderer::open(const Scene& scene, const Limits& limits) {
    try {
        auto embree = open_embree();
        if (!embree) return fail(std::move(embree.error()));
        auto tracer = Tracer::make(std::move(*embree));
        if (!tracer) return fail(std::move(tracer.error()));
        auto images = decode_images(scene, limits);
        Surfaces surfaces = make_surfaces(scene, images.value);
        auto state = std::make_unique<State>(
            State{std::move(images.value), std::move(surfaces), std::move(*tracer), std::nullopt});
        return Loaded<Renderer>{Renderer(std::move(state)), std::move(images.report)};
    } catch (const std::bad_alloc&) {
        return fail(out_of_memory());
    }
}

Result<void> Renderer::load(const playback::Poser& poser) {
    try {
        state_->content.reset();
        auto geometry = make_geometry(poser, state_->surfaces);
        if (!geometry) return fail(std::move(geometry.error()));
        state_->content.emplace(Content{std::move(*geometry), make_bones(poser)});
        auto built = state_->tracer.build(state_->content->geometry);
        if (!built) state_->content.reset();
        return built;
    } catch (const std::bad_alloc&) {
        state_->content.reset();
        return fail(out_of_memory());
    }
}

Result<Frame> Renderer::draw(const Camera& camera, const Options& options) const {
    try {
        if (!state_->content) return fail(problem(options_code, "nothing was loaded that could be drawn"));
        return draw_frame(*state_->content, state_->surfaces, state_->tracer, camera, options);
    } catch (const std::bad_alloc&) {
        return fail(out_of_memory());
    }
}

}  // namespace effigy::render
