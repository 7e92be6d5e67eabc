/// Reading, writing, dumps and offsets of XMF files (meshes).

#include "effigy/xmf.hpp"

#include <algorithm>
#include <future>
#include <map>

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

Diagnostic memory_limit(const layout::Path& path, const Budget& budget) {
    return problem_at(path.string("content"), codes::limit_memory,
                      "reading this needs more memory than the limit allows; raise it with --limit-memory", {},
                      "at most " + std::to_string(budget.limit()) + " bytes");
}

/// Decodes buffers in their order, and large ones ahead on other threads while one is decoded here.
class Decoding {
public:
    Decoding(const File& file, const Limits& limits) : file_(file) {
        if (std::count_if(file.buffers.begin(), file.buffers.end(), is_large) > 1) ahead_ = threads_beside(limits);
    }

    egosoft::Stream take(std::size_t number, Budget& budget) {
        next_ = std::max(next_, number + 1);
        auto started = started_.extract(number);
        for (; next_ < file_.buffers.size() && started_.size() < ahead_; ++next_) {
            if (is_large(file_.buffers[next_])) started_.emplace(next_, start(next_, budget.limit()));
        }
        if (!started) return decode(decoder_, number, budget);
        egosoft::Stream stream = started.mapped().get();
        if (!budget.take(stream.content.size())) stream = {{}, {}, true};
        return stream;
    }

private:
    static bool is_large(const Buffer& buffer) noexcept {
        constexpr std::uint32_t worth_a_thread = 1U << 17U;
        return buffer.content.empty() && buffer.compressed != 0 && buffer.stored_size >= worth_a_thread;
    }

    egosoft::Stream decode(egosoft::StreamDecoder& decoder, std::size_t number, Budget& budget) const {
        return decoder.decode(file_.buffers[number], file_.data, file_.header.big_endian != 0, budget);
    }

    [[nodiscard]] std::future<egosoft::Stream> start(std::size_t number, std::uint64_t limit) const {
        return start_beside([this, number, limit] {
            egosoft::StreamDecoder decoder;
            Limits limits;
            limits.memory = limit;
            Budget own(limits, 0);  // the file's is claimed when the stream is taken
            return decode(decoder, number, own);
        });
    }

    const File& file_;
    std::size_t ahead_ = 0, next_ = 0;
    egosoft::StreamDecoder decoder_;
    std::map<std::size_t, std::future<egosoft::Stream>> started_;
};

/// Decodes the buffers that have no content yet.
Result<void> decode_streams(File& file, const Limits& limits, Budget& budget, Report& report) {
    Decoding decoding(file, limits);
    layout::Path path;
    for (std::size_t index = 0; index < file.buffers.size(); ++index) {
        Buffer& buffer = file.buffers[index];
        if (!buffer.content.empty()) continue;
        const layout::PathScope scope(path, "buffer", index);
        egosoft::Stream stream = decoding.take(index, budget);
        if (stream.exceeds_limit) return fail(memory_limit(path, budget));
        buffer.content = std::move(stream.content);
        if (!stream.problem) continue;
        stream.problem->path = path.string(stream.problem->path.c_str());
        report.add(std::move(*stream.problem));
    }
    return {};
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
        if (!visitor.ok()) return fail(*visitor.failure());
        if (auto done = decode_streams(file, options.limits, budget, loaded.report); !done)
            return fail(std::move(done.error()));
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
