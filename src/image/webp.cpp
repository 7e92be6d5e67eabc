/// WebP through libwebp, animated through libwebpmux: lossless, pixels without opacity included.

#include <climits>
#include <cmath>
#include <cstring>
#include <new>
#include <string>
#include <webp/encode.h>
#include <webp/mux.h>

#include "effigy/image_codes.hpp"

#include "animation.hpp"
#include "internal.hpp"

namespace effigy::image::detail {

namespace {

class WebpPicture {
public:
    WebpPicture() {
        if (WebPPictureInit(&picture_) == 0) throw std::bad_alloc();
    }
    WebpPicture(const WebpPicture&) = delete;
    WebpPicture& operator=(const WebpPicture&) = delete;
    ~WebpPicture() { WebPPictureFree(&picture_); }

    WebPPicture& operator*() noexcept { return picture_; }
    WebPPicture* operator->() noexcept { return &picture_; }

    void take(const Picture& picture) {
        picture_.use_argb = 1;
        picture_.width = static_cast<int>(picture.width);
        picture_.height = static_cast<int>(picture.height);
        if (WebPPictureImportRGBA(&picture_, pixels_of(picture), static_cast<int>(row_bytes(picture))) == 0)
            throw std::bad_alloc();
    }

private:
    WebPPicture picture_{};
};

Diagnostic failure(const std::string& reason) {
    return problem(codes::image_encode, "The picture cannot be written as WebP.", reason);
}

bool set_lossless(WebPConfig& config) noexcept {
    if (WebPConfigInit(&config) == 0) return false;
    config.lossless = 1;
    config.exact = 1;
    config.quality = 75;  // for lossless files: how much work
    config.method = 4;
    return WebPValidateConfig(&config) != 0;
}

struct Assembled {
    WebPData data{};
    Assembled() noexcept { WebPDataInit(&data); }
    Assembled(const Assembled&) = delete;
    Assembled& operator=(const Assembled&) = delete;
    ~Assembled() { WebPDataClear(&data); }
};

struct WebpMemory {
    WebPMemoryWriter writer{};
    WebpMemory() noexcept { WebPMemoryWriterInit(&writer); }
    WebpMemory(const WebpMemory&) = delete;
    WebpMemory& operator=(const WebpMemory&) = delete;
    ~WebpMemory() { WebPMemoryWriterClear(&writer); }
};

}  // namespace

void WebpWriter::Delete::operator()(WebPAnimEncoder* encoder) const noexcept { WebPAnimEncoderDelete(encoder); }

WebpWriter::WebpWriter(std::uint32_t width, std::uint32_t height, double frame_time) : frame_time_(frame_time) {
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options) == 0) throw std::bad_alloc();
    options.anim_params.loop_count = 0;  // for ever
    options.anim_params.bgcolor = 0;
    encoder_.reset(WebPAnimEncoderNew(static_cast<int>(width), static_cast<int>(height), &options));
    if (encoder_ == nullptr) throw std::bad_alloc();
}

/// Milliseconds from the beginning: rounded for each picture, so that the whole has the right length.
int WebpWriter::start_of_next() const noexcept {
    return static_cast<int>(std::lround(static_cast<double>(count_) * frame_time_));
}

Result<void> WebpWriter::add(const Picture& picture) {
    if (static_cast<double>(count_ + 2) * frame_time_ > INT_MAX) return fail(failure("it takes longer than 24 days"));
    WebPConfig config;
    if (!set_lossless(config)) return fail(failure("libwebp is of another version"));
    WebpPicture frame;
    frame.take(picture);
    if (WebPAnimEncoderAdd(encoder_.get(), &*frame, start_of_next(), &config) == 0)
        return fail(failure(WebPAnimEncoderGetError(encoder_.get())));
    ++count_;
    return {};
}

Result<Bytes> WebpWriter::finish() {
    Assembled file;
    // The end of the last picture is the beginning of one that is none.
    if (WebPAnimEncoderAdd(encoder_.get(), nullptr, start_of_next(), nullptr) == 0 ||
        WebPAnimEncoderAssemble(encoder_.get(), &file.data) == 0) {
        return fail(failure(WebPAnimEncoderGetError(encoder_.get())));
    }
    Bytes bytes(file.data.size);
    std::memcpy(bytes.data(), file.data.bytes, file.data.size);
    return bytes;
}

}  // namespace effigy::image::detail

namespace effigy::image {

Result<Bytes> encode_webp(const Picture& picture) {
    using namespace detail;
    if (auto fits = check_size(picture); !fits) return fail(std::move(fits.error()));
    if (picture.width > WEBP_MAX_DIMENSION || picture.height > WEBP_MAX_DIMENSION)
        return fail(problem(codes::image_encode, "The picture is too large for WebP."));
    WebPConfig config;
    if (!set_lossless(config)) return fail(failure("libwebp is of another version"));
    try {
        WebpPicture frame;
        frame.take(picture);
        WebpMemory memory;
        frame->custom_ptr = &memory.writer;
        frame->writer = WebPMemoryWrite;
        if (WebPEncode(&config, &*frame) == 0)
            return fail(failure("error " + std::to_string(static_cast<int>(frame->error_code))));
        const auto* const begin = reinterpret_cast<const std::byte*>(memory.writer.mem);
        return Bytes(begin, begin + memory.writer.size);
    } catch (const std::bad_alloc&) {
        return fail(problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

}  // namespace effigy::image
