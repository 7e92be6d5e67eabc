/// Reading, writing, dumps and offsets of XMF files (meshes).

#include "effigy/xmf.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <vector>

#include "effigy/core_codes.hpp"

#include "core/beside.hpp"
#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/whole_file.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/layout_xmf.hpp"
#include "egosoft/file/xmf_streams.hpp"

namespace effigy::xmf {

namespace {

/// `size`: of what there is no room for beside what was read before.
std::string memory_needed(const Budget& budget, std::uint64_t size) {
    return size > UINT64_MAX - budget.used() ? std::string() : std::to_string(budget.used() + size) + " bytes";
}

Diagnostic memory_limit(const layout::Path& path, const Buffer& buffer, const Budget& budget) {
    return problem_at(path.string("content"), codes::limit_memory,
                      "reading this needs more memory than the limit allows; raise it with --limit-memory",
                      memory_needed(budget, egosoft::content_size(buffer).value_or(UINT64_MAX)),
                      "at most " + std::to_string(budget.limit()) + " bytes");
}

/// A failure names its field; where that is follows from what was read before it.
Diagnostic placed(Diagnostic failure, const File& file) {
    if (failure.offset != no_offset || failure.path.empty()) return failure;
    Report report;
    report.add(std::move(failure));
    egosoft::locate(file, report);
    return std::move(report.diagnostics().front());
}

/// Decodes buffers in their order, and where several are large, those on several threads: each thread takes the next
/// that none has taken.
class Decoding {
public:
    Decoding(const File& file, const Limits& limits, const Budget& budget) : file_(file) {
        if (std::count_if(file.buffers.begin(), file.buffers.end(), is_large) < 2) return;
        const std::size_t threads = threads_beside(limits);  // which asks the system
        if (threads < 2) return;
        std::uint64_t left = budget.limit() - budget.used();
        for (std::size_t number = 0; number < file.buffers.size(); ++number) {
            const Buffer& buffer = file.buffers[number];
            const std::uint64_t size = buffer.content.empty() ? egosoft::content_size(buffer).value_or(0) : 0;
            if (size > left) break;  // whether it can be had is seen when it is asked for
            left -= size;
            if (is_large(buffer)) large_.emplace_back(number, [this, number] { return decode_apart(number); });
        }
        for (std::size_t i = 1; i < std::min(threads, large_.size()); ++i)
            helpers_.push_back(start_beside([this] { run_all(); }));
    }
    ~Decoding() { next_ = large_.size(); }
    Decoding(const Decoding&) = delete;
    Decoding& operator=(const Decoding&) = delete;

    egosoft::Stream take(std::size_t number, Budget& budget) {
        if (taken_ == large_.size() || large_[taken_].number != number) return decode(decoder_, number, budget);
        auto& result = large_[taken_++].result;
        while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready && run_next()) {
        }
        egosoft::Stream stream = result.get();
        if (!budget.take(stream.content.size())) stream = {{}, {}, true};
        return stream;
    }

private:
    struct Large {
        template <class Work>
        Large(std::size_t buffer, Work&& work) : number(buffer), task(std::forward<Work>(work)) {}

        std::size_t number;  ///< of the buffer
        std::packaged_task<egosoft::Stream()> task;
        std::future<egosoft::Stream> result = task.get_future();
    };

    static bool is_large(const Buffer& buffer) noexcept {
        constexpr std::uint32_t worth_a_thread = 1U << 17U;
        return buffer.content.empty() && buffer.compressed != 0 && buffer.stored_size >= worth_a_thread;
    }

    /// False if none is left.
    bool run_next() {
        const std::size_t next = next_++;
        if (next >= large_.size()) return false;
        large_[next].task();
        return true;
    }

    void run_all() {
        while (run_next()) {
        }
    }

    egosoft::Stream decode(egosoft::StreamDecoder& decoder, std::size_t number, Budget& budget) const {
        return decoder.decode(file_.buffers[number], file_.data, file_.header.big_endian != 0, budget);
    }

    [[nodiscard]] egosoft::Stream decode_apart(std::size_t number) const {
        egosoft::StreamDecoder decoder;
        Limits limits;
        limits.memory = UINT64_MAX;
        Budget own(limits, 0);  // that there is room was seen before, and the file's is claimed when it is asked for
        return decode(decoder, number, own);
    }

    const File& file_;
    egosoft::StreamDecoder decoder_;
    std::vector<Large> large_;                ///< in the order of the buffers, if there are several
    std::atomic<std::size_t> next_ = 0;       ///< of the large ones that no thread has taken
    std::size_t taken_ = 0;                   ///< how many of them were asked for
    std::vector<std::future<void>> helpers_;  ///< end before what they work on is gone
};

/// Decodes the buffers that have no content yet.
Result<void> decode_streams(File& file, const Limits& limits, Budget& budget, Report& report) {
    Decoding decoding(file, limits, budget);
    layout::Path path;
    for (std::size_t index = 0; index < file.buffers.size(); ++index) {
        Buffer& buffer = file.buffers[index];
        if (!buffer.content.empty()) continue;
        const layout::PathScope scope(path, "buffer", index);
        egosoft::Stream stream = decoding.take(index, budget);
        if (stream.exceeds_limit) return fail(memory_limit(path, buffer, budget));
        buffer.content = std::move(stream.content);
        if (!stream.problem) continue;
        stream.problem->path = path.string(stream.problem->path.c_str());
        report.add(std::move(*stream.problem));
    }
    return {};
}

/// The counts of edited contents, as far as these are whole items in every section.
void count_items(File& file) {
    for (Buffer& buffer : file.buffers) {
        const std::uint64_t one_of_each = std::uint64_t{buffer.item_size} * buffer.section_count;
        if (buffer.content.empty() || one_of_each == 0 || buffer.content.size() % one_of_each != 0) continue;
        const std::uint64_t count = buffer.content.size() / one_of_each;
        if (count <= UINT32_MAX) buffer.item_count = static_cast<std::uint32_t>(count);
    }
}

Diagnostic not_xmf() {
    Diagnostic diagnostic = problem_at("magic", codes::not_this_format, "the file is no xmf", {}, "XUMF");
    diagnostic.offset = 0;
    diagnostic.length = 4;
    return diagnostic;
}

bool stores_big_endian(ByteSource& source) noexcept {
    std::array<std::byte, 6> head{};
    return source.peek(head.data(), head.size()) && head[5] != std::byte{0};
}

}  // namespace

Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        std::array<char, 4> magic{};
        if (source.peek(magic.data(), magic.size()) && magic != Header{}.magic) return fail(not_xmf());
        Loaded<File> loaded;
        File& file = loaded.value;
        Budget budget(options.limits, source.size());
        layout::Path path;
        layout::ByteFields fields(source, stores_big_endian(source));
        layout::ReadVisitor<layout::ByteFields> visitor(fields, path, budget, options.limits);
        layout(visitor, file, [&] { return source.remaining(); });
        if (!visitor.ok()) {
            Diagnostic failure = *visitor.failure();
            const bool is_data = failure.code == codes::limit_memory && failure.path == "data";
            if (is_data) failure.found = memory_needed(budget, source.remaining());
            return fail(placed(std::move(failure), file));
        }
        if (auto done = decode_streams(file, options.limits, budget, loaded.report); !done)
            return fail(placed(std::move(done.error()), file));
        Findings findings(loaded.report);
        egosoft::check_streams(file, findings);
        egosoft::locate(file, loaded.report);
        return loaded;
    });
}

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return read(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path, [&](ByteSource source) { return read(std::move(source), options); });
}

static auto walk_of(const File& file) {
    return [&file](auto& visitor) {
        visitor.handler().set_swapped(file.header.big_endian != 0);
        layout(visitor, file, [&] { return file.data.size(); });
    };
}

/// `put` of the walk over a file with every stream in its place.
template <class Put>
static auto put_laid_out(const File& file, const WriteOptions& options, Put put) -> decltype(put(walk_of(file))) {
    return without_exceptions([&]() -> decltype(put(walk_of(file))) {
        const auto laid = egosoft::lay_out(file, options.normalize);
        return laid ? put(walk_of(*laid ? **laid : file)) : fail(laid.error());
    });
}

Result<Bytes> write(const File& file, const WriteOptions& options) {
    return put_laid_out(file, options, [](const auto& walk) { return layout::to_bytes(walk); });
}

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return put_laid_out(file, options, [&](const auto& walk) { return layout::to_file(walk, path, options.fsync); });
}

Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
    File file;
    auto built = layout::from_dump(nodes, normalize, limits, [&](auto& visitor, layout::Path&) {
        layout(visitor, file, [] { return std::uint64_t{0}; });
        if (visitor.ok() && file.header.magic != Header{}.magic) {
            visitor.fail(problem_at("magic", codes::build_value, "the magic is not that of the dump's format",
                                    std::string(file.header.magic.data(), file.header.magic.size()), "XUMF"));
        }
    });
    if (!built) return fail(std::move(built.error()));
    if (normalize) count_items(file);
    return without_exceptions([&]() -> Result<File> {
        Report ignored;  // said when the file was read
        Budget budget(limits, file.data.size());
        if (auto done = decode_streams(file, limits, budget, ignored); !done) return fail(std::move(done.error()));
        return std::move(file);
    });
}

Result<Json> dump(const File& file, const DumpOptions& options) { return layout::dump_nodes(walk_of(file), options); }

Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file), options);
}

}  // namespace effigy::xmf

namespace effigy::egosoft {

namespace {

/// Content has no bytes of its own: its findings get the place of what it is decoded from.
void locate_content(const xmf::File& file, Report& report) {
    const std::uint64_t tables = std::uint64_t{file.header.size} +
                                 file.buffers.size() * std::uint64_t{file.header.descriptor_size} +
                                 file.materials.size() * std::uint64_t{file.header.material_size};
    for (std::size_t index = 0; index < file.buffers.size(); ++index) {
        const xmf::Buffer& buffer = file.buffers[index];
        const auto stored = stored_bytes(buffer, file.data);
        if (!stored || stored->empty()) continue;
        const std::string prefix = buffer_path(index, "content");
        for (Diagnostic& diagnostic : report.diagnostics()) {
            if (diagnostic.offset != no_offset || !diagnostic.path.starts_with(prefix)) continue;
            diagnostic.offset = tables + buffer.data_offset;
            diagnostic.length = buffer.stored_size;
        }
    }
}

}  // namespace

void locate(const xmf::File& file, Report& report) {
    if (report.empty()) return;
    layout::locate(xmf::walk_of(file), report);
    locate_content(file, report);
}

}  // namespace effigy::egosoft
