/// Rows of PNG images: filtered by libpng's rule, or as they are, and compressed by libdeflate in a third of zlib's
/// time.

#include "png_stream.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <libdeflate.h>
#include <memory>
#include <new>
#include <vector>

#include "internal.hpp"

namespace effigy::image::detail {
namespace {

using RowBytes = std::vector<std::uint8_t>;

enum class RowFilter : std::uint8_t { none = 0, sub = 1, up = 2, paeth = 4 };

// As differences are compared: numbers above 127 are small ones below 0.
unsigned magnitude(std::uint8_t difference) {
    return static_cast<unsigned>(std::abs(static_cast<std::int8_t>(difference)));
}

/// A row and the one above, each with a pixel of zeros in front.
struct RowPair {
    const std::uint8_t* row;
    const std::uint8_t* above;
    std::size_t size;   ///< of a row
    std::size_t pixel;  ///< size of one

    template <class Predict>
    unsigned differences(std::uint8_t* __restrict out, Predict&& predict) const {
        unsigned sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
            out[i] = static_cast<std::uint8_t>(row[i] - predict(i));
            sum += magnitude(out[i]);
        }
        return sum;
    }
    unsigned apply(RowFilter filter, std::uint8_t* out) const {
        const std::uint8_t* const left = row - pixel;
        const std::uint8_t* const corner = above - pixel;
        if (filter == RowFilter::sub) return differences(out, [&](std::size_t i) { return left[i]; });
        if (filter == RowFilter::up) return differences(out, [&](std::size_t i) { return above[i]; });
        return differences(out, [&](std::size_t i) {
            const auto a = static_cast<std::int16_t>(left[i]), b = static_cast<std::int16_t>(above[i]),
                       c = static_cast<std::int16_t>(corner[i]);
            const auto to_a = static_cast<std::int16_t>(std::abs(b - c)),
                       to_b = static_cast<std::int16_t>(std::abs(a - c)),
                       to_c = static_cast<std::int16_t>(std::abs(a + b - 2 * c));
            const std::int16_t nearer = to_b <= to_c ? b : c;
            return static_cast<std::uint8_t>(to_a <= to_b && to_a <= to_c ? a : nearer);
        });
    }
};

class RowWriter {
public:
    RowWriter(const Picture& picture, bool has_alpha)
        : picture_(picture),
          pixel_(has_alpha ? 4 : 3),
          size_(picture.width * pixel_),
          above_(pixel_ + size_),
          row_(pixel_ + size_),
          filtered_(size_) {}

    [[nodiscard]] std::size_t stored_size() const noexcept { return 1 + size_; }

    /// Rows from `first` on, one after the other.
    void write(std::size_t first, std::size_t count, bool are_filtered, std::uint8_t* out) {
        for (std::size_t y = first; y < first + count; ++y, out += stored_size()) {
            if (!are_filtered) {
                out[0] = static_cast<std::uint8_t>(RowFilter::none);
                take(y, out + 1);
                continue;
            }
            if (y == first && y > 0) take(y - 1, row_.data() + pixel_);
            std::swap(row_, above_);
            if (y == 0) std::fill(above_.begin(), above_.end(), std::uint8_t{0});
            take(y, row_.data() + pixel_);
            filter(out);
        }
    }

private:
    void take(std::size_t y, std::uint8_t* out) const {
        const std::uint8_t* from = pixels_of(picture_) + y * picture_.width * 4;
        if (pixel_ == 4) {
            std::memcpy(out, from, size_);
            return;
        }
        for (std::size_t x = 0; x < picture_.width; ++x, from += 4, out += 3) {
            out[0] = from[0];
            out[1] = from[1];
            out[2] = from[2];
        }
    }

    /// By the filter that leaves the smallest numbers.
    void filter(std::uint8_t* out) {
        const RowPair rows{row_.data() + pixel_, above_.data() + pixel_, size_, pixel_};
        unsigned smallest = 0;
        for (const RowFilter filter : {RowFilter::sub, RowFilter::up, RowFilter::paeth}) {
            const unsigned sum = rows.apply(filter, filtered_.data());
            if (filter != RowFilter::sub && sum >= smallest) continue;
            smallest = sum;
            out[0] = static_cast<std::uint8_t>(filter);
            std::memcpy(out + 1, filtered_.data(), size_);
        }
    }

    const Picture& picture_;
    std::size_t pixel_, size_;
    RowBytes above_, row_, filtered_;
};

class RowCompressor {
public:
    explicit RowCompressor(int level) : tool_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
        if (!tool_) throw std::bad_alloc();
    }
    [[nodiscard]] Bytes compress(const RowBytes& numbers) const {
        // Hardly any picture needs as much room as its rows, and none more than the bound.
        Bytes bytes(numbers.size() / 2);
        std::size_t size = run(numbers, bytes);
        if (size == 0) {
            bytes.resize(libdeflate_zlib_compress_bound(tool_.get(), numbers.size()));
            size = run(numbers, bytes);
        }
        bytes.resize(size);
        return bytes;
    }

private:
    [[nodiscard]] std::size_t run(const RowBytes& numbers, Bytes& bytes) const {
        return libdeflate_zlib_compress(tool_.get(), numbers.data(), numbers.size(), bytes.data(), bytes.size());
    }
    std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> tool_;
};

/// Looks at some bands of rows, or at all of a small picture.
bool is_better_filtered(const Picture& picture, RowWriter& rows) {
    constexpr std::size_t bands = 8, rows_a_band = 16;
    const bool is_small = picture.height < bands * rows_a_band;
    const std::size_t height = is_small ? picture.height : rows_a_band;
    const std::size_t count = is_small ? 1 : bands;
    RowBytes sample(count * height * rows.stored_size());
    const auto size = [&](bool are_filtered) {
        for (std::size_t band = 0; band < count; ++band) {
            rows.write(band * picture.height / count, height, are_filtered,
                       sample.data() + band * height * rows.stored_size());
        }
        return RowCompressor(1).compress(sample).size();
    };
    return size(true) < size(false);
}

}  // namespace

Bytes png_stream(const Picture& picture, bool has_alpha) {
    RowWriter writer(picture, has_alpha);
    const bool are_filtered = is_better_filtered(picture, writer);
    RowBytes rows(picture.height * writer.stored_size());
    writer.write(0, picture.height, are_filtered, rows.data());
    return RowCompressor(5).compress(rows);
}

}  // namespace effigy::image::detail
