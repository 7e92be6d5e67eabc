/// Reading, writing, dumps and offsets of ANI files (animations).

#include "effigy/ani.hpp"

#include <algorithm>

#include "effigy/egosoft_codes.hpp"

#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"
#include "egosoft/file/layout_ani.hpp"

namespace effigy::ani {

namespace {

auto walk_of(const File& file) {
    return [&file](auto& visitor) {
        Counts counts{std::any_of(file.animations.begin(), file.animations.end(), lacks_keys), {}};
        layout(visitor, file, counts, [] { return std::uint64_t{0}; });
    };
}

void forget_missing(File& file) noexcept {
    for (Animation& animation : file.animations) animation.missing = {};
}

/// With a true key_offset, and counts of the keys that are there.
Result<File> normalized(const File& file) {
    const std::uint64_t offset = header_size + descriptor_size * file.animations.size() + file.gap.size();
    if (offset > UINT32_MAX) {
        return fail(problem_at("key_offset", codes::write_too_large,
                               "the keys start beyond 4 GiB; the file cannot say so", std::to_string(offset)));
    }
    File copy = file;
    copy.header.key_offset = static_cast<std::uint32_t>(offset);
    forget_missing(copy);
    return copy;
}

}  // namespace

Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        Loaded<File> loaded;
        Budget budget(options.limits, source.size());
        layout::Path path;
        layout::ByteFields fields(source, false);
        layout::ReadVisitor<layout::ByteFields> visitor(fields, path, budget, options.limits);
        Counts counts;
        layout(visitor, loaded.value, counts, [&] { return source.remaining(); });
        if (!visitor.ok()) return fail(*visitor.failure());
        egosoft::check_places(loaded.value, loaded.report);
        egosoft::locate(loaded.value, loaded.report);
        return loaded;
    });
}

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return read(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path, [&](ByteSource source) { return read(std::move(source), options); });
}

/// `put` of the walk over the file as it is asked for.
template <class Put>
static auto put_as_asked(const File& file, const WriteOptions& options, Put put) -> decltype(put(walk_of(file))) {
    if (!options.normalize) return put(walk_of(file));
    return without_exceptions([&]() -> decltype(put(walk_of(file))) {
        const auto true_file = normalized(file);
        return true_file ? put(walk_of(*true_file)) : fail(true_file.error());
    });
}

Result<Bytes> write(const File& file, const WriteOptions& options) {
    return put_as_asked(file, options, [](const auto& walk) { return layout::to_bytes(walk); });
}

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return put_as_asked(file, options, [&](const auto& walk) { return layout::to_file(walk, path, options.fsync); });
}

Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
    File file;
    Counts counts;
    auto built = layout::from_dump(nodes, normalize, limits, [&](auto& visitor, layout::Path&) {
        layout(visitor, file, counts, [] { return std::uint64_t{0}; });
    });
    if (!built) return fail(std::move(built.error()));
    if (normalize) {
        forget_missing(file);
        return file;
    }
    for (std::size_t index = 0; index < file.animations.size() && counts.wrong.empty(); ++index) {
        if (!counts.incomplete && lacks_keys(file.animations[index]))
            counts.wrong = "more than there are in animation[" + std::to_string(index) + "]";
    }
    if (counts.wrong.empty()) return file;
    return fail(problem_at("keys", codes::build_count,
                           "a count does not match the elements in the dump; correct it or use --normalize",
                           counts.wrong));
}

Result<Json> dump(const File& file, const DumpOptions& options) { return layout::dump_nodes(walk_of(file), options); }

Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file), options);
}

std::string_view part_of(const Animation& animation) noexcept { return up_to_nul(animation.part); }
std::string_view state_of(const Animation& animation) noexcept { return up_to_nul(animation.state); }

}  // namespace effigy::ani

namespace effigy::egosoft {

namespace {

void check_missing(const ani::File& file, Findings& findings) {
    std::uint64_t missing = 0;
    std::string path, first;
    for (std::size_t index = 0; index < file.animations.size(); ++index) {
        ani::for_each_track(file.animations[index],
                            [&](const char* count, const char*, const auto& keys, std::uint32_t lacking) {
                                missing += lacking;
                                if (lacking == 0 || !path.empty()) return;
                                path = animation_path(index, count);
                                first = count_text(keys.size(), "keys");
                            });
    }
    if (missing != 0) findings.add(codes::ani_keys_missing, path, first, std::to_string(missing) + " more in all");
}

}  // namespace

void check_places(const ani::File& file, Report& report) {
    Findings findings(report);
    const std::uint64_t table_end = ani::header_size + ani::descriptor_size * file.animations.size();
    const std::uint64_t expected = table_end + file.gap.size();
    const auto has_keys = [](const ani::Animation& animation) {
        bool any = lacks_keys(animation);
        ani::for_each_track(
            animation, [&](const char*, const char*, const auto& keys, const auto&) { any = any || !keys.empty(); });
        return any;
    };
    const bool any = std::any_of(file.animations.begin(), file.animations.end(), has_keys);
    const std::uint64_t offset = file.header.key_offset;
    if (offset != expected && (any || (offset != 0 && offset != ani::header_size)))
        findings.add(codes::ani_key_offset, "key_offset", std::to_string(offset), std::to_string(expected));
    if (!file.gap.empty()) findings.add(codes::ani_gap, "gap", count_text(file.gap.size(), "bytes"), "0 bytes");
    check_missing(file, findings);
    if (!file.trailing.empty())
        findings.add(codes::ani_trailing, "trailing", count_text(file.trailing.size(), "bytes"), "0 bytes");
}

void locate(const ani::File& file, Report& report) { layout::locate(ani::walk_of(file), report); }

}  // namespace effigy::egosoft
