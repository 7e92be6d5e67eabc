/// The zlib streams of an XMF: inflated within limits, compressed anew where content has changed, laid out in the file.

#include "egosoft/file/xmf_streams.hpp"

#include <algorithm>
#include <libdeflate.h>
#include <new>
#include <numeric>
#include <vector>
#include <zlib.h>

#include "effigy/egosoft_codes.hpp"

#include "core/lists.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "egosoft/file/vertex_elements.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::uint64_t max_stored = UINT32_MAX;

std::string bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

/// No deflate stream holds more: a match of 258 bytes takes two bits at least.
bool can_hold(std::uint64_t stored, std::uint64_t content) noexcept { return content / 1032 <= stored; }

Diagnostic size_overflow(const xmf::Buffer& buffer) {
    return problem_at("item_size", codes::stream_size,
                      "item size, item count and sections multiply to more than any memory; the buffer is not decoded",
                      std::to_string(buffer.item_size) + " x " + std::to_string(buffer.item_count) + " x " +
                          std::to_string(buffer.section_count));
}

Diagnostic outside(const xmf::Buffer& buffer, std::uint64_t size) {
    return problem_at("data_offset", codes::stream_outside,
                      "the buffer's bytes lie beyond the end of the file; the game reads foreign memory or refuses it",
                      std::to_string(buffer.data_offset) + " + " + bytes_text(buffer.stored_size),
                      "within " + bytes_text(size));
}

Diagnostic too_short(std::uint64_t found, std::uint64_t expected) {
    return problem_at("stored_size", codes::stream_too_short,
                      "the buffer's bytes end before all items that its descriptor announces; none are used",
                      bytes_text(found), bytes_text(expected));
}

Diagnostic too_long(std::uint64_t expected) {
    return problem_at("stored_size", codes::stream_too_long,
                      "the compressed stream goes on behind the last item that its descriptor announces, as a bomb or "
                      "a wrong count would; nothing of it is used",
                      "more", bytes_text(expected));
}

Diagnostic damaged() {
    return problem_at("stored_size", codes::stream_damaged,
                      "the compressed stream is damaged or is none: it does not decompress, or to bytes that do not "
                      "match its checksum; it is kept as it is",
                      {}, "a zlib stream");
}

Diagnostic extra_bytes(std::uint64_t extra) {
    return problem_at("stored_size", codes::stream_extra_bytes, {}, bytes_text(extra), "0 bytes");
}

}  // namespace

std::optional<std::uint64_t> content_size(const xmf::Buffer& buffer) noexcept {
    std::uint64_t items = xmf::item_count(buffer), size = 0;
    if (__builtin_mul_overflow(items, std::uint64_t{buffer.item_size}, &size)) return std::nullopt;
    return size;
}

std::optional<std::span<const std::byte>> stored_bytes(const xmf::Buffer& buffer, const Bytes& data) noexcept {
    if (buffer.data_offset > data.size() || buffer.stored_size > data.size() - buffer.data_offset) return std::nullopt;
    return std::span<const std::byte>(data).subspan(buffer.data_offset, buffer.stored_size);
}

Bytes compressed(std::span<const std::byte> plain, int level) {
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    Bytes packed(size);
    const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()), level);
    if (result != Z_OK) throw std::bad_alloc();  // there is room enough, so nothing else can be missing
    packed.resize(size);
    return packed;
}

StreamDecoder::StreamDecoder() : decompressor_(libdeflate_alloc_decompressor()) {
    if (decompressor_ == nullptr) throw std::bad_alloc();
}

void StreamDecoder::Release::operator()(libdeflate_decompressor* decompressor) const noexcept {
    libdeflate_free_decompressor(decompressor);
}

Stream StreamDecoder::decode(const xmf::Buffer& buffer, const Bytes& data, bool big_endian, Budget& budget) {
    Stream stream;
    const auto size = content_size(buffer);
    const auto stored = stored_bytes(buffer, data);
    if (!size) {
        stream.problem = size_overflow(buffer);
    } else if (!stored) {
        stream.problem = outside(buffer, data.size());
    } else if (*size == 0 && stored->empty()) {
        return stream;
    } else if (buffer.compressed == 0 ? stored->size() < *size : !can_hold(stored->size(), *size)) {
        stream.problem = too_short(buffer.compressed == 0 ? stored->size() : 1032 * stored->size(), *size);
    } else if (!budget.take(*size)) {
        stream.exceeds_limit = true;
    }
    if (stream.problem || stream.exceeds_limit) return stream;
    Bytes content(static_cast<std::size_t>(*size));
    if (buffer.compressed != 0) {
        inflate(*stored, content, stream);
    } else {
        std::copy_n(stored->begin(), content.size(), content.begin());
        if (stored->size() > *size) stream.problem = extra_bytes(stored->size() - *size);
    }
    if (stream.problem && stream.problem->severity == Severity::error) {
        budget.give_back(*size);
        return stream;
    }
    if (big_endian) swap_content(buffer, content);
    stream.content = std::move(content);
    return stream;
}

void StreamDecoder::inflate(std::span<const std::byte> stored, Bytes& content, Stream& stream) {
    std::byte nothing{};
    std::byte* destination = content.empty() ? &nothing : content.data();
    std::size_t consumed = 0, produced = 0;
    const libdeflate_result result = libdeflate_zlib_decompress_ex(decompressor_.get(), stored.data(), stored.size(),
                                                                   destination, content.size(), &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
        stream.problem = too_long(content.size());
    } else if (result != LIBDEFLATE_SUCCESS) {
        stream.problem = damaged();
    } else if (produced != content.size()) {
        stream.problem = too_short(produced, content.size());
    } else if (consumed != stored.size()) {
        stream.problem = extra_bytes(stored.size() - consumed);
    }
}

namespace {

/// Lays the streams of one file out.
class Layout {
public:
    Layout(const xmf::File& file, bool normalize) : file_(file), normalize_(normalize) {}

    Result<std::optional<xmf::File>> run() {
        for (std::size_t index = 0; index < file_.buffers.size(); ++index) {
            const layout::PathScope scope(path_, "buffer", index);
            if (auto done = choose(file_.buffers[index]); !done) return fail(std::move(done.error()));
        }
        const bool changed =
            std::any_of(fresh_.begin(), fresh_.end(), [](const auto& stream) { return stream.has_value(); });
        if (!changed && !normalize_) return std::optional<xmf::File>();
        return rebuilt();
    }

private:
    bool big_endian() const noexcept { return file_.header.big_endian != 0; }

    /// Keeps a buffer's stored bytes if they are its content, else makes new ones.
    Result<void> choose(const xmf::Buffer& buffer) {
        fresh_.emplace_back();
        const bool empty = buffer.content.empty();
        if (!empty && content_size(buffer) != buffer.content.size()) return refuse_size(buffer);
        const std::optional<Bytes> stored = decoded(buffer);
        if (stored ? same_bytes(*stored, buffer.content) : empty) return {};
        if (empty) return refuse_size(buffer);
        if (auto done = check_elements(buffer); !done) return done;
        return compress(buffer);
    }

    /// What the stored bytes mean, if anything.
    std::optional<Bytes> decoded(const xmf::Buffer& buffer) {
        Limits limits;  // never in the way of what the caller holds in memory
        limits.memory = std::max<std::uint64_t>(buffer.content.size(), std::uint64_t{64} << 20);
        Budget budget(limits, 0);
        Stream stored = decoder_.decode(buffer, file_.data, big_endian(), budget);
        const bool failed = stored.problem && stored.problem->severity == Severity::error;
        if (stored.exceeds_limit || failed) return std::nullopt;
        return std::move(stored.content);
    }

    Result<void> refuse_size(const xmf::Buffer& buffer) {
        const auto expected = content_size(buffer);
        return fail(problem_at(path_.string("content"), codes::write_contradiction,
                               "a buffer's content does not have the size that its items have together",
                               bytes_text(buffer.content.size()), expected ? bytes_text(*expected) : "less"));
    }

    Result<void> check_elements(const xmf::Buffer& buffer) {
        if (xmf::is_index_buffer(buffer)) return {};
        std::uint64_t sum = xmf::size_of(static_cast<xmf::ElementType>(buffer.format));
        if (buffer.element_count != 0) {
            sum = 0;
            const std::size_t count = std::min<std::size_t>(buffer.element_count, xmf::max_elements);
            for (std::size_t index = 0; index < count; ++index) sum += xmf::size_of(buffer.elements[index].type);
        }
        if (sum == buffer.item_size && buffer.element_count <= xmf::max_elements) return {};
        return fail(problem_at(path_.string("item_size"), codes::write_contradiction,
                               "the elements of a vertex do not add up to its size", bytes_text(sum),
                               bytes_text(buffer.item_size)));
    }

    Result<void> compress(const xmf::Buffer& buffer) {
        Bytes plain = buffer.content;
        if (big_endian()) swap_content(buffer, plain);
        if (buffer.compressed == 0) {
            fresh_.back() = std::move(plain);
            return {};
        }
        constexpr int level = 9;  // as the games' own tools
        fresh_.back() = compressed(plain, level);
        return {};
    }

    Result<std::optional<xmf::File>> rebuilt() {
        xmf::File laid;
        laid.header = file_.header;
        laid.materials = file_.materials;
        for (const xmf::Buffer& buffer : file_.buffers) {
            laid.buffers.push_back(buffer);
            laid.buffers.back().content = {};
        }
        const bool placed = normalize_ ? place_in_order(laid) : disjoint() ? splice(laid) : append(laid);
        if (!placed) {
            return fail(problem_at("data", codes::write_too_large,
                                   "the streams together are larger than 4 GiB; offsets in "
                                   "the file cannot reach them"));
        }
        if (normalize_) set_counts(laid);
        return std::optional(std::move(laid));
    }

    /// Puts a stream at the end of the data.
    static bool put(xmf::File& laid, xmf::Buffer& buffer, std::span<const std::byte> stream) {
        if (laid.data.size() + stream.size() > max_stored) return false;
        buffer.data_offset = static_cast<std::uint32_t>(laid.data.size());
        buffer.stored_size = static_cast<std::uint32_t>(stream.size());
        laid.data.insert(laid.data.end(), stream.begin(), stream.end());
        return true;
    }

    /// A buffer's stored bytes as far as the file has them.
    std::span<const std::byte> reachable(const xmf::Buffer& buffer) const {
        const std::span<const std::byte> data(file_.data);
        const std::size_t start = std::min<std::size_t>(buffer.data_offset, data.size());
        return data.subspan(start, std::min<std::size_t>(buffer.stored_size, data.size() - start));
    }

    bool place_in_order(xmf::File& laid) const {
        for (std::size_t index = 0; index < laid.buffers.size(); ++index) {
            if (share_earlier(laid, index)) continue;
            const auto& fresh = fresh_[index];
            if (!put(laid, laid.buffers[index],
                     fresh ? std::span<const std::byte>(*fresh) : reachable(file_.buffers[index])))
                return false;
        }
        return true;
    }

    /// Buffers that stand for the same bytes go on doing so: 255 copies of one stream would be no true layout.
    bool share_earlier(xmf::File& laid, std::size_t index) const {
        const xmf::Buffer& buffer = file_.buffers[index];
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            const xmf::Buffer& other = file_.buffers[earlier];
            if (fresh_[earlier] || fresh_[index] || other.data_offset != buffer.data_offset ||
                other.stored_size != buffer.stored_size) {
                continue;
            }
            laid.buffers[index].data_offset = laid.buffers[earlier].data_offset;
            laid.buffers[index].stored_size = laid.buffers[earlier].stored_size;
            return true;
        }
        return false;
    }

    /// Buffers in the order in which their bytes stand.
    std::vector<std::size_t> by_offset() const {
        std::vector<std::size_t> order(file_.buffers.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return file_.buffers[left].data_offset < file_.buffers[right].data_offset;
        });
        return order;
    }

    bool disjoint() const {
        std::uint64_t end = 0;
        for (const std::size_t index : by_offset()) {
            const xmf::Buffer& buffer = file_.buffers[index];
            // A buffer that has never been stored stands nowhere.
            if (buffer.stored_size == 0 && fresh_[index]) continue;
            if (buffer.data_offset < end || !stored_bytes(buffer, file_.data)) return false;
            end = std::uint64_t{buffer.data_offset} + buffer.stored_size;
        }
        return true;
    }

    /// New streams take the places of the old ones; what lies between streams stays between them.
    bool splice(xmf::File& laid) const {
        std::size_t at = 0;
        const auto keep_until = [&](std::size_t end) {
            if (end <= at) return;
            laid.data.insert(laid.data.end(), file_.data.begin() + static_cast<std::ptrdiff_t>(at),
                             file_.data.begin() + static_cast<std::ptrdiff_t>(end));
            at = end;
        };
        for (const std::size_t index : by_offset()) {
            const xmf::Buffer& buffer = file_.buffers[index];
            if (buffer.stored_size == 0 && fresh_[index]) continue;
            keep_until(buffer.data_offset);
            if (!put(laid, laid.buffers[index],
                     fresh_[index] ? std::span<const std::byte>(*fresh_[index]) : reachable(buffer))) {
                return false;
            }
            at = std::size_t{buffer.data_offset} + buffer.stored_size;
        }
        keep_until(file_.data.size());
        for (std::size_t index = 0; index < laid.buffers.size(); ++index) {
            if (file_.buffers[index].stored_size == 0 && fresh_[index] &&
                !put(laid, laid.buffers[index], *fresh_[index])) {
                return false;
            }
        }
        return true;
    }

    /// Where streams overlap or lie outside, nothing that is there can be moved.
    bool append(xmf::File& laid) const {
        laid.data = file_.data;
        for (std::size_t index = 0; index < laid.buffers.size(); ++index) {
            if (fresh_[index] && !put(laid, laid.buffers[index], *fresh_[index])) return false;
        }
        return true;
    }

    static void set_counts(xmf::File& laid) {
        laid.header.vertex_count = laid.header.index_count = 0;
        for (const xmf::Buffer& buffer : laid.buffers) {
            const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(xmf::item_count(buffer), UINT32_MAX));
            std::uint32_t& stated = xmf::is_index_buffer(buffer) ? laid.header.index_count : laid.header.vertex_count;
            if (stated == 0) stated = count;
        }
    }

    const xmf::File& file_;
    bool normalize_;
    layout::Path path_;
    StreamDecoder decoder_;
    std::vector<std::optional<Bytes>> fresh_;
};

}  // namespace

Result<std::optional<xmf::File>> lay_out(const xmf::File& file, bool normalize) {
    return Layout(file, normalize).run();
}

std::string buffer_path(std::size_t buffer, std::string_view field) {
    std::string path = "buffer[" + std::to_string(buffer) + "]";
    if (!field.empty()) path += " / " + std::string(field);
    return path;
}

void check_streams(const xmf::File& file, Findings& findings) {
    std::vector<std::size_t> order;
    for (std::size_t index = 0; index < file.buffers.size(); ++index) {
        if (file.buffers[index].stored_size != 0 && stored_bytes(file.buffers[index], file.data))
            order.push_back(index);
    }
    const auto start = [&](std::size_t index) { return file.buffers[index].data_offset; };
    const bool sorted = std::is_sorted(order.begin(), order.end(),
                                       [&](std::size_t left, std::size_t right) { return start(left) < start(right); });
    if (!sorted) findings.add(codes::stream_order, "");
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t left, std::size_t right) { return start(left) < start(right); });
    std::uint64_t end = 0;
    for (const std::size_t index : order) {
        if (start(index) > end) {
            findings.add(codes::stream_gap, buffer_path(index, "data_offset"), count_text(start(index) - end, "bytes"),
                         "0 bytes");
        } else if (start(index) < end) {
            findings.add(codes::stream_overlap, buffer_path(index, "data_offset"), std::to_string(start(index)),
                         "at least " + std::to_string(end));
        }
        end = std::max(end, std::uint64_t{start(index)} + file.buffers[index].stored_size);
    }
    if (end < file.data.size()) {
        findings.add(codes::stream_trailing, "data[" + std::to_string(end) + "]",
                     count_text(file.data.size() - end, "bytes"), "0 bytes");
    }
}

}  // namespace effigy::egosoft
