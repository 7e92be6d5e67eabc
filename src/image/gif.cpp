/// Animated GIF through giflib: one palette for all pictures, one entry of which is "nothing".

#include <climits>
#include <gif_lib.h>
#include <new>

#include "effigy/image_codes.hpp"

#include "animation.hpp"
#include "gif_colors.hpp"
#include "internal.hpp"

namespace effigy::image::detail {

namespace {

constexpr int palette_size = 256;
constexpr int nothing = 255;  // the palette's entry for pixels that are not opaque

struct Target {
    Bytes bytes;
    bool out_of_memory = false;
};

int write_bytes(GifFileType* gif, const GifByteType* source, int size) {
    auto* target = static_cast<Target*>(gif->UserData);
    const auto* first = reinterpret_cast<const std::byte*>(source);
    try {
        target->bytes.insert(target->bytes.end(), first, first + size);
        return size;
    } catch (const std::exception&) {
        target->out_of_memory = true;
        return 0;
    }
}

class Writer {
public:
    explicit Writer(Target& target) : gif_(EGifOpen(&target, write_bytes, nullptr)) {
        if (gif_ == nullptr) throw std::bad_alloc();
        EGifSetGifVersion(gif_, true);  // animations came with the second version
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { close(); }

    [[nodiscard]] GifFileType* get() const noexcept { return gif_; }
    bool close() noexcept {
        const bool done = gif_ == nullptr || EGifCloseFile(gif_, nullptr) == GIF_OK;
        gif_ = nullptr;
        return done;
    }

private:
    GifFileType* gif_;
};

struct ColorMap {
    explicit ColorMap(std::span<const Rgb> colors) : map(GifMakeMapObject(palette_size, nullptr)) {
        if (map == nullptr) throw std::bad_alloc();
        for (int i = 0; i < palette_size; ++i) map->Colors[i] = {0, 0, 0};
        for (std::size_t i = 0; i < colors.size(); ++i) map->Colors[i] = {colors[i][0], colors[i][1], colors[i][2]};
    }
    ColorMap(const ColorMap&) = delete;
    ColorMap& operator=(const ColorMap&) = delete;
    ~ColorMap() { GifFreeMapObject(map); }
    ColorMapObject* map;
};

bool put_endless_loop(GifFileType* gif) noexcept {
    constexpr std::array<GifByteType, 3> for_ever{1, 0, 0};
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, static_cast<int>(for_ever.size()), for_ever.data()) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

// Each picture is cleared away before the next: what is transparent there must not show what was here.
bool put_control(GifFileType* gif, int delay) noexcept {
    const GraphicsControlBlock control{DISPOSE_BACKGROUND, false, delay, nothing};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data()) == GIF_OK;
}

bool put_pixels(GifFileType* gif, const Bytes& frame, Dither& dither) {
    const auto width = static_cast<std::uint32_t>(gif->SWidth);
    const auto height = static_cast<std::uint32_t>(gif->SHeight);
    if (EGifPutImageDesc(gif, 0, 0, gif->SWidth, gif->SHeight, false, nullptr) != GIF_OK) return false;
    std::vector<GifPixelType> row(width);
    const auto* pixel = reinterpret_cast<const std::uint8_t*>(frame.data());
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x, pixel += 4) {
            row[x] =
                pixel[3] < min_alpha ? GifPixelType{nothing} : dither.index_of({pixel[0], pixel[1], pixel[2]}, x, y);
        }
        if (EGifPutLine(gif, row.data(), gif->SWidth) != GIF_OK) return false;
    }
    return true;
}

// Hundredths of a second from the beginning to that of frame `index`: rounded for each frame, so that the whole has
// the right length.
std::uint64_t start_of(std::size_t index, int frame_time) noexcept {
    return (std::uint64_t{index} * static_cast<std::uint64_t>(frame_time) + 5) / 10;
}

}  // namespace

Result<void> GifWriter::add(const Picture& picture) {
    frames_.push_back(picture.rgba);
    return {};
}

Result<Bytes> GifWriter::finish() {
    std::vector<Rgb> colors = choose_colors(frames_, nothing);
    const ColorMap map(colors);
    Dither dither(std::move(colors));
    Target target;
    Writer writer(target);
    GifFileType* gif = writer.get();
    bool done =
        EGifPutScreenDesc(gif, static_cast<int>(width_), static_cast<int>(height_), 8, nothing, map.map) == GIF_OK &&
        put_endless_loop(gif);
    for (std::size_t i = 0; i < frames_.size() && done; ++i) {
        const auto delay = static_cast<int>(start_of(i + 1, frame_time_) - start_of(i, frame_time_));
        done = put_control(gif, delay) && put_pixels(gif, frames_[i], dither);
    }
    const int error = gif->Error;
    done = writer.close() && done;
    if (target.out_of_memory) throw std::bad_alloc();
    if (done) return std::move(target.bytes);
    const char* reason = GifErrorString(error);
    return fail(
        problem(codes::image_encode, "The animation cannot be written as GIF.", reason != nullptr ? reason : ""));
}

}  // namespace effigy::image::detail
