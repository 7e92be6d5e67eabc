/// Animated GIF through giflib: one palette for all pictures, chosen here and mixed in patterns, one entry of which is
/// "nothing".

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <gif_lib.h>
#include <new>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/image_codes.hpp"

#include "animation.hpp"
#include "internal.hpp"

namespace effigy::image::detail {

namespace {

using Rgb = std::array<std::uint8_t, 3>;

// Pixels less opaque than this are left out of a GIF.
constexpr std::uint8_t min_alpha = 128;

std::uint32_t key_of(Rgb color) noexcept {
    return static_cast<std::uint32_t>(color[0]) << 16U | static_cast<std::uint32_t>(color[1]) << 8U | color[2];
}

Rgb color_of(std::uint32_t key) noexcept {
    return {static_cast<std::uint8_t>(key >> 16U), static_cast<std::uint8_t>(key >> 8U & 255U),
            static_cast<std::uint8_t>(key & 255U)};
}

template <class Visit>
void for_each_opaque(std::span<const Bytes> frames, Visit&& visit) {
    for (const Bytes& frame : frames) {
        const auto* pixel = reinterpret_cast<const std::uint8_t*>(frame.data());
        for (std::size_t left = frame.size() / 4; left != 0; --left, pixel += 4) {
            if (pixel[3] >= min_alpha && !visit(Rgb{pixel[0], pixel[1], pixel[2]})) return;
        }
    }
}

// All colours, ascending, unless there are more than `most`.
std::vector<Rgb> few_colors(std::span<const Bytes> frames, std::size_t most) {
    std::unordered_set<std::uint32_t> seen;
    for_each_opaque(frames, [&](Rgb color) {
        seen.insert(key_of(color));
        return seen.size() <= most;
    });
    if (seen.size() > most) return {};
    std::vector<std::uint32_t> keys(seen.begin(), seen.end());
    std::sort(keys.begin(), keys.end());
    std::vector<Rgb> colors;
    colors.reserve(keys.size());
    for (const std::uint32_t key : keys) colors.push_back(color_of(key));
    return colors;
}

struct Weighted {
    Rgb color;
    double count = 0;
};

// The colours of so many pixels, evenly over all frames, as are needed to know what is there.
std::vector<Weighted> take_sample(std::span<const Bytes> frames) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    std::size_t total = 0;
    for (const Bytes& frame : frames) total += frame.size() / 4;
    // Odd, so that it does not hit the same columns of each row.
    const std::size_t step = (total / enough) | 1U;
    std::size_t count = 0;
    std::vector<std::uint32_t> keys;
    for_each_opaque(frames, [&](Rgb color) {
        if (count++ % step == 0) keys.push_back(key_of(color));
        return true;
    });
    std::sort(keys.begin(), keys.end());
    std::vector<Weighted> sample;
    for (const std::uint32_t key : keys) {
        if (sample.empty() || key_of(sample.back().color) != key) sample.push_back({color_of(key), 0});
        sample.back().count += 1;
    }
    return sample;
}

// Colours that one colour is to stand for.
struct Cluster {
    std::span<Weighted> colors;
    std::array<double, 3> mean{};
    std::size_t widest = 0;  // the channel in which they differ most
    double error = 0;        // by how much, squared and summed

    explicit Cluster(std::span<Weighted> all) : colors(all) {
        std::array<double, 3> sums{}, squares{};
        double count = 0;
        for (const Weighted& each : colors) {
            count += each.count;
            for (std::size_t i = 0; i < 3; ++i) {
                sums[i] += each.count * each.color[i];
                squares[i] += each.count * each.color[i] * each.color[i];
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            mean[i] = sums[i] / count;
            const double spread = squares[i] - sums[i] * mean[i];
            if (spread <= error) continue;
            error = spread;
            widest = i;
        }
    }

    // Where the colours above the mean begin, once they are sorted so.
    [[nodiscard]] std::size_t partition() const {
        const auto middle = std::partition(colors.begin(), colors.end(), [this](const Weighted& each) {
            return static_cast<double>(each.color[widest]) <= mean[widest];
        });
        return static_cast<std::size_t>(middle - colors.begin());
    }
    [[nodiscard]] Rgb color() const noexcept {
        Rgb rounded{};
        for (std::size_t i = 0; i < 3; ++i) rounded[i] = static_cast<std::uint8_t>(std::lround(mean[i]));
        return rounded;
    }
};

// Halves what is worst off, again and again. (giflib's own GifQuantizeBuffer errs three times as much on shaded
// surfaces, and sorts with the help of a global variable.)
std::vector<Cluster> find_clusters(std::span<Weighted> sample, std::size_t most) {
    std::vector<Cluster> clusters{Cluster(sample)};
    while (clusters.size() < most) {
        const auto worst = std::max_element(clusters.begin(), clusters.end(),
                                            [](const Cluster& a, const Cluster& b) { return a.error < b.error; });
        if (worst->error <= 0) break;
        const std::size_t middle = worst->partition();
        const std::span<Weighted> colors = worst->colors;
        if (middle == 0 || middle == colors.size()) {
            worst->error = 0;  // no more than rounding
            continue;
        }
        *worst = Cluster(colors.first(middle));
        clusters.emplace_back(colors.subspan(middle));
    }
    return clusters;
}

// Differences that the eye sees weigh more.
constexpr std::array<float, 3> channel_weights{3, 6, 1};

using Vector = std::array<float, 3>;

Vector minus(Rgb a, Rgb b) noexcept {
    Vector difference{};
    for (std::size_t i = 0; i < 3; ++i) difference[i] = static_cast<float>(a[i]) - static_cast<float>(b[i]);
    return difference;
}

float dot(const Vector& a, const Vector& b) noexcept {
    float sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += channel_weights[i] * a[i] * b[i];
    return sum;
}

// The threshold of a pixel in an ordered 8 x 8 pattern, between 0 and 1: bits of x ^ y and y, reversed, in turn.
float threshold(std::uint32_t x, std::uint32_t y) noexcept {
    std::uint32_t value = 0;
    for (std::uint32_t bit = 0; bit < 3; ++bit) {
        value = value << 2U | ((x ^ y) >> bit & 1U) << 1U | (y >> bit & 1U);
    }
    return (static_cast<float>(value) + 0.5F) / 64;
}

// The colours that show all opaque pixels of the RGBA frames best, at most `most` (2 to 255): the very colours where
// there are no more.
std::vector<Rgb> choose_colors(std::span<const Bytes> frames, std::size_t most) {
    std::vector<Rgb> colors = few_colors(frames, most);
    if (!colors.empty()) return colors;
    std::vector<Weighted> sample = take_sample(frames);
    if (sample.empty()) return {Rgb{}};
    for (const Cluster& cluster : find_clusters(sample, most)) colors.push_back(cluster.color());
    return colors;
}

// Which colour of a palette stands for a pixel. A colour that the palette lacks is a pattern of the two that mix it
// best. The pattern stays in place from frame to frame, so that nothing flickers.
class Dither {
public:
    explicit Dither(std::vector<Rgb> palette) : palette_(std::move(palette)) {}

    std::uint8_t index_of(Rgb color, std::uint32_t x, std::uint32_t y) {
        constexpr std::size_t max_known = std::size_t{1} << 18U;
        if (known_.size() > max_known) known_.clear();
        const auto [entry, is_new] = known_.try_emplace(key_of(color));
        if (is_new) entry->second = mix_of(color);
        return threshold(x, y) < entry->second.share ? entry->second.far : entry->second.near;
    }

private:
    struct Mix {
        std::uint8_t near = 0, far = 0;
        float share = 0;  // of `far`
    };

    [[nodiscard]] Mix mix_of(Rgb color) const noexcept {
        Mix mix;
        float least = -1;
        for (std::size_t i = 0; i < palette_.size(); ++i) {
            const Vector difference = minus(color, palette_[i]);
            const float distance = dot(difference, difference);
            if (least >= 0 && distance >= least) continue;
            least = distance;
            mix.near = static_cast<std::uint8_t>(i);
        }
        mix.far = mix.near;
        if (least == 0) return mix;
        // The other one, with which a mixture comes closest to the colour; one far away would be seen as a pattern.
        const Vector wanted = minus(color, palette_[mix.near]);
        float best = least;
        for (std::size_t i = 0; i < palette_.size(); ++i) {
            const Vector way = minus(palette_[i], palette_[mix.near]);
            const float length = dot(way, way);
            if (length == 0 || length > 16 * least) continue;
            const float share = dot(wanted, way) / length;
            const float rest = least - share * share * length;
            if (share <= 0 || share > 0.5F || rest >= best) continue;
            best = rest;
            mix.far = static_cast<std::uint8_t>(i);
            mix.share = share;
        }
        return mix;
    }

    std::vector<Rgb> palette_;
    std::unordered_map<std::uint32_t, Mix> known_;
};

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
std::int64_t start_of(std::size_t index, double frame_time) noexcept {
    return std::llround(static_cast<double>(index) * frame_time / 10);
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
