/// Animated pictures (GIF, WebP): the door to both kinds; what holds for both is checked here.

#include "animation.hpp"

#include <variant>

#include "effigy/image_codes.hpp"

#include "core/guard.hpp"
#include "core/text.hpp"
#include "internal.hpp"

namespace effigy::image {

namespace {

using detail::problem;

// GIF has 16 bits for a size, WebP 14.
constexpr std::uint32_t max_side(AnimationKind kind) noexcept { return kind == AnimationKind::gif ? 65535 : 16383; }

// WebP has 24 bits for a time, GIF 16 for hundredths of a second.
constexpr int max_time(AnimationKind kind) noexcept { return kind == AnimationKind::gif ? 65535 * 10 : (1 << 24) - 1; }

std::string size_text(std::uint32_t width, std::uint32_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

}  // namespace

struct AnimationEncoder::State {
    std::uint32_t width = 0, height = 0;
    std::variant<std::monostate, detail::WebpWriter, detail::GifWriter> writer;
    bool has_pictures = false;
};

AnimationEncoder::AnimationEncoder(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
AnimationEncoder::AnimationEncoder(AnimationEncoder&&) noexcept = default;
AnimationEncoder& AnimationEncoder::operator=(AnimationEncoder&&) noexcept = default;
AnimationEncoder::~AnimationEncoder() = default;

Result<AnimationEncoder> AnimationEncoder::make(AnimationKind kind, std::uint32_t width, std::uint32_t height,
                                                double frame_time) {
    const std::uint32_t most = max_side(kind);
    if (width == 0 || height == 0 || width > most || height > most) {
        return fail(problem(codes::image_encode, "An animation cannot have this size.", size_text(width, height),
                            "1 to " + std::to_string(most) + " pixels a side"));
    }
    // Written so that NaN fails.
    if (!(frame_time >= 1 && frame_time <= max_time(kind))) {
        return fail(problem(codes::image_encode, "A picture of an animation cannot stay for this time.",
                            number_text(frame_time) + " ms", "1 to " + std::to_string(max_time(kind)) + " ms"));
    }
    return without_exceptions([&]() -> Result<AnimationEncoder> {
        auto state = std::make_unique<State>();
        state->width = width;
        state->height = height;
        if (kind == AnimationKind::gif) {
            state->writer.emplace<detail::GifWriter>(width, height, frame_time);
        } else {
            state->writer.emplace<detail::WebpWriter>(width, height, frame_time);
        }
        return AnimationEncoder(std::move(state));
    });
}

Result<void> AnimationEncoder::add(const Picture& picture) {
    if (state_ == nullptr || state_->writer.index() == 0)
        return fail(problem(codes::image_encode, "The animation is finished: no picture can be added."));
    if (picture.width != state_->width || picture.height != state_->height ||
        picture.rgba.size() != std::size_t{picture.width} * picture.height * 4) {
        return fail(
            problem(codes::image_encode, "The picture does not fit the animation.",
                    size_text(picture.width, picture.height) + ", " + std::to_string(picture.rgba.size()) + " bytes",
                    size_text(state_->width, state_->height) + " of 4 bytes"));
    }
    return without_exceptions([&]() -> Result<void> {
        auto* webp = std::get_if<detail::WebpWriter>(&state_->writer);
        auto done = webp != nullptr ? webp->add(picture) : std::get<detail::GifWriter>(state_->writer).add(picture);
        if (done) state_->has_pictures = true;
        return done;
    });
}

Result<Bytes> AnimationEncoder::finish() {
    if (state_ == nullptr || state_->writer.index() == 0)
        return fail(problem(codes::image_encode, "The animation is finished already."));
    if (!state_->has_pictures) return fail(problem(codes::image_encode, "An animation needs at least one picture."));
    return without_exceptions([&]() -> Result<Bytes> {
        auto* webp = std::get_if<detail::WebpWriter>(&state_->writer);
        auto file = webp != nullptr ? webp->finish() : std::get<detail::GifWriter>(state_->writer).finish();
        state_->writer.emplace<std::monostate>();
        return file;
    });
}

}  // namespace effigy::image
