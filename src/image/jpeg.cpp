/// JPEG through libjpeg-turbo. Its error exit is a longjmp, so the function that it may leave that way keeps nothing
/// but trivial values on its stack.

// jpeglib.h needs these two before it.
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// Its codes come after the library itself.
#include <algorithm>
#include <array>
#include <climits>
#include <csetjmp>
#include <jerror.h>

#include "effigy/image_codes.hpp"

#include "internal.hpp"

namespace effigy::image::detail {

namespace {

// A few bytes can declare a scan over the whole picture; real files have about ten.
constexpr int max_scans = 100;

struct Errors {
    jpeg_error_mgr manager{};  // first, so that the library's pointer to it is a pointer to this
    std::jmp_buf exit{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    std::array<char, JMSG_LENGTH_MAX> first_warning{};
    bool ended_early = false;
    bool too_many_scans = false;
};

Errors& errors_of(j_common_ptr common) { return *reinterpret_cast<Errors*>(common->err); }

[[noreturn]] void on_error(j_common_ptr common) {
    Errors& errors = errors_of(common);
    common->err->format_message(common, errors.message.data());
    std::longjmp(errors.exit, 1);
}

void on_message(j_common_ptr common, int level) {
    if (level >= 0) return;  // trace messages
    Errors& errors = errors_of(common);
    if (common->err->msg_code == JWRN_JPEG_EOF) errors.ended_early = true;
    if (common->err->num_warnings++ == 0) common->err->format_message(common, errors.first_warning.data());
}

void print_nothing(j_common_ptr) {}

void on_progress(j_common_ptr common) {
    if (reinterpret_cast<j_decompress_ptr>(common)->input_scan_number <= max_scans) return;
    errors_of(common).too_many_scans = true;
    on_error(common);
}

class Decoder {
public:
    explicit Decoder(std::span<const std::byte> input) : input_(input) {
        jpeg_.err = jpeg_std_error(&errors_.manager);
        errors_.manager.error_exit = on_error;
        errors_.manager.emit_message = on_message;
        errors_.manager.output_message = print_nothing;
        progress_.progress_monitor = on_progress;
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { jpeg_destroy_decompress(&jpeg_); }

    [[nodiscard]] bool read_header() noexcept {
        if (setjmp(errors_.exit)) return false;
        jpeg_create_decompress(&jpeg_);
        jpeg_.progress = &progress_;
        jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(input_.data()),
                     static_cast<unsigned long>(input_.size()));
        jpeg_read_header(&jpeg_, TRUE);
        return true;
    }

    // Four bytes for each pixel: RGBA, or CMYK where the file has inks.
    [[nodiscard]] bool read_pixels(std::uint8_t* pixels, std::size_t stride, long memory) noexcept {
        if (setjmp(errors_.exit)) return false;
        jpeg_.mem->max_memory_to_use = memory;
        jpeg_.out_color_space = has_inks() ? JCS_CMYK : JCS_EXT_RGBA;
        jpeg_start_decompress(&jpeg_);
        while (jpeg_.output_scanline < jpeg_.output_height) {
            JSAMPROW row = pixels + jpeg_.output_scanline * stride;
            jpeg_read_scanlines(&jpeg_, &row, 1);
        }
        return true;
    }

    [[nodiscard]] std::uint32_t width() const noexcept { return jpeg_.image_width; }
    [[nodiscard]] std::uint32_t height() const noexcept { return jpeg_.image_height; }
    [[nodiscard]] bool has_inks() const noexcept {
        return jpeg_.jpeg_color_space == JCS_CMYK || jpeg_.jpeg_color_space == JCS_YCCK;
    }
    [[nodiscard]] bool inverted_inks() const noexcept { return jpeg_.saw_Adobe_marker != 0; }
    [[nodiscard]] bool ended_early() const noexcept { return errors_.ended_early; }
    [[nodiscard]] const char* first_warning() const noexcept { return errors_.first_warning.data(); }

    [[nodiscard]] Diagnostic failure() const {
        if (errors_.too_many_scans) {
            return problem(codes::limit_scans, "The JPEG image has too many scans.",
                           "more than " + std::to_string(max_scans), "at most " + std::to_string(max_scans),
                           position());
        }
        switch (errors_.manager.msg_code) {
            case JERR_NO_BACKING_STORE:
            case JERR_OUT_OF_MEMORY:
                return problem(codes::limit_memory, "The image needs more memory than the limit allows.");
            case JERR_ARITH_NOTIMPL:
            case JERR_BAD_PRECISION:
            case JERR_CONVERSION_NOTIMPL:
            case JERR_SOF_UNSUPPORTED:
                return problem(codes::image_unsupported, "The JPEG image is of a kind that cannot be read.",
                               errors_.message.data(), "8-bit baseline or progressive JPEG", position());
            default:
                break;
        }
        if (ended_early()) return truncated(input_.size(), input_.size() + 1);
        return problem(codes::image_damaged, "The JPEG image is damaged.", errors_.message.data(),
                       "an intact JPEG image", position());
    }

private:
    // At the end of the input the library reads from a marker of its own.
    [[nodiscard]] std::uint64_t position() const noexcept {
        if (jpeg_.src == nullptr || ended_early()) return ended_early() ? input_.size() : no_offset;
        return input_.size() - std::min(input_.size(), jpeg_.src->bytes_in_buffer);
    }

    std::span<const std::byte> input_;
    jpeg_decompress_struct jpeg_{};
    Errors errors_;
    jpeg_progress_mgr progress_{};
};

// Adobe's files, nearly all there are, hold the light that the ink lets through instead of the ink.
void inks_to_rgb(Picture& picture, bool inverted) noexcept {
    std::uint8_t* pixels = pixels_of(picture);
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        const unsigned black = inverted ? pixels[i + 3] : 255U - pixels[i + 3];
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const unsigned light = inverted ? pixels[i + channel] : 255U - pixels[i + channel];
            pixels[i + channel] = static_cast<std::uint8_t>((light * black + 127) / 255);
        }
        pixels[i + 3] = 255;
    }
}

}  // namespace

Result<Picture> decode_jpeg(std::span<const std::byte> bytes, std::uint64_t budget) {
    Decoder decoder(bytes);
    if (!decoder.read_header()) return fail(decoder.failure());

    Result<Picture> picture = make_picture(decoder.width(), decoder.height(), 0, budget);
    if (!picture) return picture;
    const std::uint64_t left = budget - picture->rgba.size();
    const long memory = static_cast<long>(std::clamp<std::uint64_t>(left, 1, LONG_MAX));
    if (!decoder.read_pixels(pixels_of(*picture), row_bytes(*picture), memory)) return fail(decoder.failure());

    if (decoder.has_inks()) inks_to_rgb(*picture, decoder.inverted_inks());
    if (decoder.ended_early()) {
        picture->report.add(problem(codes::image_truncated.as(Severity::warning),
                                    "The JPEG image ends early; its last part is missing.", {}, {}, bytes.size()));
    } else if (*decoder.first_warning() != '\0') {
        picture->report.add(problem(codes::image_damaged.as(Severity::warning),
                                    "The JPEG image is damaged; parts of it may look wrong.", decoder.first_warning()));
    }
    return picture;
}

}  // namespace effigy::image::detail
