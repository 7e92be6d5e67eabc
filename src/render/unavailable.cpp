/// Stands in for all the rest where Embree's headers were not there when the library was built.

#include "effigy/playback_codes.hpp"
#include "effigy/render.hpp"

#include "embree_library.hpp"
#include "problem.hpp"

namespace effigy::render {

struct Renderer::State {};

Result<std::shared_ptr<const Embree>> open_embree(const char* /*name*/) {
    return fail(problem(codes::render_unavailable,
                        "this build draws no pictures, because Embree 3 was not there when it was made: take a program "
                        "that was built with it (Debian: install libembree-dev and build again)"));
}

Renderer::Renderer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Loaded<Renderer>> Renderer::open(const Scene& /*scene*/, const Limits& /*limits*/) {
    return fail(open_embree().error());
}
Result<void> Renderer::load(const playback::Poser& /*poser*/) { return fail(open_embree().error()); }
Result<Frame> Renderer::draw(const Camera& /*camera*/, const Options& /*options*/) const {
    return fail(open_embree().error());
}

}  // namespace effigy::render
