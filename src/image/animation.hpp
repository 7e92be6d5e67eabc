#pragma once
/// What AnimationEncoder is made of: one writer a kind of file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "effigy/image.hpp"

struct WebPAnimEncoder;

namespace effigy::image::detail {

// All pictures are known to be of the size given here.

class WebpWriter {
public:
    WebpWriter(std::uint32_t width, std::uint32_t height, double frame_time);

    [[nodiscard]] Result<void> add(const Picture& picture);
    [[nodiscard]] Result<Bytes> finish();

private:
    struct Delete {
        void operator()(WebPAnimEncoder* encoder) const noexcept;
    };
    std::unique_ptr<WebPAnimEncoder, Delete> encoder_;
    [[nodiscard]] int start_of_next() const noexcept;

    double frame_time_;
    std::size_t count_ = 0;
};

// Keeps all pictures, as the colours are chosen over all of them.
class GifWriter {
public:
    GifWriter(std::uint32_t width, std::uint32_t height, double frame_time) noexcept
        : width_(width), height_(height), frame_time_(frame_time) {}

    [[nodiscard]] Result<void> add(const Picture& picture);
    [[nodiscard]] Result<Bytes> finish();

private:
    std::uint32_t width_, height_;
    double frame_time_;
    std::vector<Bytes> frames_;
};

}  // namespace effigy::image::detail
