/// Reading and writing of ARP avatars (.jarp, .arp) in the layout that fits them; damaged files as far as they go.

#include "effigy/arp.hpp"

#include <algorithm>
#include <utility>

#include "effigy/arp_codes.hpp"

#include "arp/file/arp_format.hpp"
#include "arp/file/layout_arp.hpp"
#include "arp/file/variants.hpp"
#include "core/byte_fields.hpp"
#include "core/byte_source.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"

namespace effigy::arp {

namespace {

/// A file read with one layout.
struct Attempt {
    File file;
    std::optional<Diagnostic> failure;
    Part part = Part::header;  ///< where it failed
    std::size_t mesh = 0;
    std::uint64_t left = 0;  ///< bytes behind its end
    [[nodiscard]] bool fits() const { return !failure && left == 0; }
};

/// With a `stop`, everything from there on is kept as bytes.
Attempt read_as(ByteSource& source, const Layout& layout, const Limits& limits, Part stop = Part::end,
                std::size_t stop_mesh = 0) {
    Attempt attempt;
    Walk walk;
    walk.stop = attempt.file.first_missing = stop;
    walk.stop_mesh = stop_mesh;
    source.seek(0);
    Budget budget(limits, source.size());
    layout::Path path;
    layout::ByteFields fields(source, false);
    layout::ReadVisitor<layout::ByteFields> visitor(fields, path, budget, limits);
    visitor.field("version", attempt.file.version);
    attempt.file.layout = layout;
    layout_parts(visitor, attempt.file, walk, [&] { return source.remaining(); });
    attempt.left = source.remaining();
    if (visitor.ok()) layout_trailing(visitor, attempt.file, attempt.left);
    attempt.failure = visitor.failure();
    attempt.part = walk.part;
    attempt.mesh = walk.mesh;
    return attempt;
}

bool is_accepted(const Attempt& attempt) { return attempt.fits() && broken_rule(attempt.file).empty(); }

/// All that fit among the layouts which a version does not usually have, but for those that are one and the same for
/// this file. Only one file is in memory at a time.
std::vector<Layout> fitting_others(ByteSource& source, std::string_view version, const Limits& limits) {
    std::vector<Layout> accepted, known;
    for (const LayoutGroup& group : other_layouts(version)) {
        for (const Layout& layout : group) {
            const Attempt attempt = read_as(source, layout, limits);
            if (attempt.failure && attempt.part <= Part::morph_targets) break;
            if (!is_accepted(attempt)) continue;
            const Layout matters = what_matters(attempt.file);
            if (std::find(known.begin(), known.end(), matters) != known.end()) continue;
            known.push_back(matters);
            accepted.push_back(layout);
        }
    }
    return accepted;
}

Diagnostic ambiguous(const std::vector<Layout>& layouts) {
    return problem_at({}, codes::arp_layout_ambiguous,
                      "the avatar is not laid out as its version says, and fits several of the other layouts, which "
                      "give it different contents; save it again as version 3.1 with the program that it is from",
                      joined(layouts, "; ", describe), "one layout");
}

/// What the usual layout makes of a file that fits no layout.
Result<Loaded<File>> damaged(ByteSource& source, Attempt usual, const Limits& limits) {
    Loaded<File> loaded;
    if (usual.failure) {
        if (usual.failure->code != codes::truncated) return fail(std::move(*usual.failure));
        loaded.report.add(std::move(*usual.failure));
        const Layout layout = usual.file.layout;
        usual.file = {};
        usual = read_as(source, layout, limits, usual.part, usual.mesh);
        if (usual.failure) return fail(std::move(*usual.failure));
    } else if (usual.left != 0) {
        Diagnostic diagnostic = problem_at("trailing", codes::arp_trailing, {}, std::to_string(usual.left) + " bytes");
        diagnostic.offset = source.size() - usual.left;
        diagnostic.length = usual.left;
        loaded.report.add(std::move(diagnostic));
    } else {
        loaded.report.add(
            problem_at({}, codes::arp_layout_doubtful,
                       "the avatar ends where the layout of its version ends, but its content breaks a rule by which "
                       "layouts are told apart; it is read by its version, and `effigy check` says what is wrong",
                       broken_rule(usual.file)));
    }
    loaded.value = std::move(usual.file);
    return loaded;
}

Result<Loaded<File>> read_any(ByteSource& source, const ReadOptions& options) {
    std::array<std::byte, max_head> head{};
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(source.size(), head.size()));
    if (!source.peek(head.data(), size)) return fail(problem_at({}, codes::input_read, "the file cannot be read"));
    const auto version = read_version(std::span(head).first(size));
    if (!version) return fail(version.error());
    const Layout usual = usual_layout(*version);
    {
        Attempt attempt = read_as(source, usual, options.limits);
        if (is_accepted(attempt)) return Loaded<File>{std::move(attempt.file), {}};
    }
    const std::vector<Layout> others = fitting_others(source, *version, options.limits);
    if (others.size() > 1) return fail(ambiguous(others));
    if (others.empty()) return damaged(source, read_as(source, usual, options.limits), options.limits);
    Attempt attempt = read_as(source, others.front(), options.limits);
    if (attempt.failure) return fail(std::move(*attempt.failure));
    Loaded<File> loaded{std::move(attempt.file), {}};
    loaded.report.add(problem_at({}, codes::arp_layout_other, {}, describe(loaded.value.layout), describe(usual)));
    return loaded;
}

auto walk_of(const File& file) {
    return [&file](auto& visitor) {
        Walk walk;
        layout(visitor, file, walk);
    };
}

/// Ends where its content ends. What could not be read of a damaged file is not there.
void normalize(File& file) {
    file.first_missing = Part::end;
    file.mesh_count = 0;
    file.trailing = {};
    if (file.layout.texture == TextureForm::named)
        file.texture.stored_size = static_cast<std::uint32_t>(file.texture.image.size());
    if (file.ambient && file.layout.ambient == AmbientForm::counted && file.ambient->frames.empty())
        file.ambient.reset();
    for (Mesh& mesh : file.meshes) {
        if (file.layout.duplicates == DuplicateForm::lists) mesh.list_sizes.resize(mesh.points.size(), 0);
    }
}

}  // namespace

Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&] { return read_any(source, options); });
}

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return read(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(path, [&](ByteSource source) { return read(std::move(source), options); });
}

Result<Bytes> write(const File& file, const WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize,
                                  [](const File& asked) { return layout::to_bytes(walk_of(asked)); });
}

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return layout::write_as_asked(file, options, normalize, [&](const File& asked) {
        return layout::to_file(walk_of(asked), path, options.fsync);
    });
}

Result<File> build(const Json& nodes, bool normalized, const Limits& limits) {
    File file;
    Walk walk;
    walk.normalize = normalized;
    auto built = layout::from_dump(nodes, normalized, limits,
                                   [&](auto& visitor, layout::Path&) { layout(visitor, file, walk); });
    if (!built) return fail(std::move(built.error()));
    if (normalized) normalize(file);
    return file;
}

Result<Json> dump(const File& file, const DumpOptions& options) { return layout::dump_nodes(walk_of(file), options); }

Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file), options);
}

void locate(const File& file, Report& report) { layout::locate(walk_of(file), report); }

}  // namespace effigy::arp
