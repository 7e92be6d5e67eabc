/// PNG through libpng. Its error exit is a longjmp, so every function that it may leave that way keeps nothing but
/// trivial values on its stack; what must be released belongs to the callers.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <png.h>

#include "effigy/image_codes.hpp"

#include "internal.hpp"
#include "png_stream.hpp"

namespace effigy::image {

namespace {

using detail::problem;

struct Context {
    std::span<const std::byte> input;
    std::size_t position = 0;
    Bytes output;
    bool truncated = false;
    bool out_of_memory = false;
    std::array<char, 128> message{};
};

void on_error(png_structp png, png_const_charp message) {
    auto* context = static_cast<Context*>(png_get_error_ptr(png));
    std::snprintf(context->message.data(), context->message.size(), "%s", message);
    png_longjmp(png, 1);
}

// Warnings concern colour profiles and other side matters.
void on_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep target, std::size_t size) {
    auto* context = static_cast<Context*>(png_get_io_ptr(png));
    if (size > context->input.size() - context->position) {
        context->truncated = true;
        png_error(png, "the file ends early");
    }
    std::memcpy(target, context->input.data() + context->position, size);
    context->position += size;
}

bool append(Bytes& output, const std::byte* source, std::size_t size) noexcept {
    try {
        output.insert(output.end(), source, source + size);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

void write_bytes(png_structp png, png_bytep source, std::size_t size) {
    auto* context = static_cast<Context*>(png_get_io_ptr(png));
    if (!append(context->output, reinterpret_cast<const std::byte*>(source), size)) {
        context->out_of_memory = true;
        png_error(png, "out of memory");
    }
}

void flush(png_structp) {}

// What libpng keeps while it reads or writes.
class Png {
public:
    Png(Context& context, bool reads)
        : reads_(reads),
          png_((reads ? png_create_read_struct : png_create_write_struct)(PNG_LIBPNG_VER_STRING, &context, on_error,
                                                                          on_warning)),
          info_(png_ != nullptr ? png_create_info_struct(png_) : nullptr) {
        if (info_ == nullptr) {
            release();
            throw std::bad_alloc();
        }
        if (reads) {
            png_set_read_fn(png_, &context, read_bytes);
        } else {
            png_set_write_fn(png_, &context, write_bytes, flush);
        }
    }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;
    ~Png() { release(); }

    [[nodiscard]] png_structp png() const noexcept { return png_; }
    [[nodiscard]] png_infop info() const noexcept { return info_; }

private:
    void release() noexcept {
        if (reads_) {
            png_destroy_read_struct(&png_, &info_, nullptr);
        } else {
            png_destroy_write_struct(&png_, &info_);
        }
    }

    bool reads_;
    png_structp png_;
    png_infop info_;
};

// Reads up to the pixels and asks for 8-bit RGBA. Gamma and profiles are ignored, as glTF wants it.
bool read_png_header(png_structp png, png_infop info) noexcept {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(png, info);
    png_set_scale_16(png);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    return true;
}

void read_passes(png_structp png, std::uint8_t* pixels, std::size_t stride, std::uint32_t height, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        for (std::uint32_t row = 0; row < height; ++row) png_read_row(png, pixels + row * stride, nullptr);
    }
}

bool read_pixels(png_structp png, png_infop info, std::uint8_t* pixels, std::size_t stride,
                 std::uint32_t height) noexcept {
    if (setjmp(png_jmpbuf(png))) return false;
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != stride) png_error(png, "unexpected row size");
    read_passes(png, pixels, stride, height, passes);
    return true;
}

Diagnostic reading_failed(const Context& context) {
    if (context.truncated) return detail::truncated(context.input.size(), context.input.size() + 1);
    return problem(codes::image_damaged, "The PNG image is damaged.", context.message.data(), "an intact PNG image",
                   context.position);
}

// No deflate stream grows more than 1032-fold: what the file cannot hold is never made room for.
Result<std::uint64_t> check_plausible(png_structp png, png_infop info, const Context& context) {
    const std::uint64_t bits_per_pixel =
        std::uint64_t{png_get_bit_depth(png, info)} * std::uint64_t{png_get_channels(png, info)};
    const std::uint64_t row_bits = png_get_image_width(png, info) * bits_per_pixel;
    const std::uint64_t needed = (row_bits / 8) * png_get_image_height(png, info) / 1032;
    if (needed > context.input.size()) return fail(detail::truncated(context.input.size(), needed));
    return needed;
}

struct Encoding {
    std::uint32_t width;
    std::uint32_t height;
    bool alpha;
    const std::uint8_t* pixels;
    const Bytes* stream;  ///< of compressed rows; null: they are not compressed
};

void write_rows(png_structp png, const Encoding& encoding) {
    const std::size_t stride = std::size_t{encoding.width} * 4;
    for (std::uint32_t row = 0; row < encoding.height; ++row) png_write_row(png, encoding.pixels + row * stride);
}

void write_stream(png_structp png, const Bytes& stream) {
    constexpr std::size_t longest = std::size_t{1} << 30;
    const auto* bytes = reinterpret_cast<png_const_bytep>(stream.data());
    for (std::size_t at = 0; at < stream.size(); at += longest)
        png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), bytes + at,
                        std::min(longest, stream.size() - at));
    png_write_chunk(png, reinterpret_cast<png_const_bytep>("IEND"), nullptr, 0);
}

// Every setting that shapes the bytes is fixed here, so that they don't change with libpng's defaults.
bool write_image(png_structp png, png_infop info, const Encoding& encoding) noexcept {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, 0);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(png, info, encoding.width, encoding.height, 8,
                 encoding.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (encoding.stream != nullptr) {
        write_stream(png, *encoding.stream);
        return true;
    }
    if (!encoding.alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    write_rows(png, encoding);
    png_write_end(png, nullptr);
    return true;
}

Result<Bytes> encode_checked(const Picture& picture, bool quick) {
    const bool has_alpha = detail::any_transparent(picture);
    const Bytes stream = quick ? Bytes() : detail::png_stream(picture, has_alpha);
    Context context;
    const Png writer(context, false);
    const Encoding encoding{picture.width, picture.height, has_alpha, detail::pixels_of(picture),
                            quick ? nullptr : &stream};
    if (!write_image(writer.png(), writer.info(), encoding)) {
        const Code& code = context.out_of_memory ? codes::limit_memory : codes::image_unsupported;
        return fail(problem(code, "The picture cannot be written as PNG.", context.message.data()));
    }
    return std::move(context.output);
}

}  // namespace

Result<Picture> detail::decode_png(std::span<const std::byte> bytes, std::uint64_t budget) {
    Context context;
    context.input = bytes;
    const Png reader(context, true);
    if (!read_png_header(reader.png(), reader.info())) return fail(reading_failed(context));

    const std::uint32_t width = png_get_image_width(reader.png(), reader.info());
    const std::uint32_t height = png_get_image_height(reader.png(), reader.info());
    const Result<std::uint64_t> plausible = check_plausible(reader.png(), reader.info(), context);
    if (!plausible) return fail(plausible.error());

    const std::uint64_t row_buffers = std::uint64_t{width} * 3 * 8;
    Result<Picture> picture = make_picture(width, height, row_buffers, budget);
    if (!picture) return picture;
    if (!read_pixels(reader.png(), reader.info(), pixels_of(*picture), row_bytes(*picture), height)) {
        return fail(reading_failed(context));
    }
    return picture;
}

Result<Bytes> encode_png(const Picture& picture, bool quick) {
    if (auto fits = detail::check_size(picture); !fits) return fail(std::move(fits.error()));
    if (picture.width > PNG_UINT_31_MAX || picture.height > PNG_UINT_31_MAX) {
        return fail(problem(codes::image_size, "The picture is too large for PNG."));
    }
    try {
        return encode_checked(picture, quick);
    } catch (const std::bad_alloc&) {
        return fail(problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

}  // namespace effigy::image
