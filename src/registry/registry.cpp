/// Formats recognised by content, documents of any of them, scenes from several and files from a scene.

#include "effigy/registry.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "effigy/program_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/byte_source.hpp"
#include "core/file_hash.hpp"
#include "core/guard.hpp"
#include "core/hasher.hpp"
#include "core/lists.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/rows.hpp"
#include "scene/join.hpp"
#include "scene/records.hpp"

namespace effigy {

namespace {

/// What any family's files may lie among.
constexpr Relative relatives[] = {
    {"Kaydara FBX Binary", "this is an FBX file, which effigy does not read; Blender and Assimp do"},
    {"DDS ", "this is a DDS texture; name its folder with --textures when you convert a model"},
    {"\x89PNG", "this is a PNG image; name its folder with --textures when you convert a model"},
};

/// Files that modelling programs write, told by how they begin, how they are called (because they may be compressed, or
/// begin with anything), or what stands near their beginning.
struct ForeignFile {
    std::string_view magic, extension, mark;
    std::string_view answer;
};
constexpr ForeignFile foreign_files[] = {
    {"BLENDER", ".blend", {}, "this is a Blender file (.blend): open it in Blender and export it as glTF 2.0 (.glb)"},
    {{}, ".dae", "<COLLADA", "this is a COLLADA file (.dae): import it into Blender and export it as glTF 2.0 (.glb)"},
    {{},
     ".obj",
     {},
     "this is an OBJ file, which effigy writes and does not read: import it into Blender and export it as glTF 2.0 "
     "(.glb)"},
    {"ply\n",
     ".ply",
     {},
     "this is a PLY file, which effigy writes and does not read: import it into Blender and export it as glTF 2.0 "
     "(.glb)"},
    {"\xabKTX ",
     ".ktx2",
     {},
     "this is a KTX texture, which effigy does not decode: export the model with PNG or JPEG textures, or convert this "
     "one"},
    {"PK\x03\x04", ".zip", {}, "this is a ZIP archive: unpack it and name the folder or the files that were in it"},
};

/// By their beginning first: names lie.
const ForeignFile* find_foreign_file(std::string_view text, std::string_view name) {
    const auto* by_content = first_where(foreign_files, [&](const ForeignFile& file) {
        const bool has_mark = !file.mark.empty() && text.find(file.mark) != std::string_view::npos;
        return has_mark || (!file.magic.empty() && text.starts_with(file.magic));
    });
    if (by_content != nullptr) return by_content;
    const std::string lowered = lower(name);
    return first_where(foreign_files, [&](const ForeignFile& file) { return lowered.ends_with(file.extension); });
}

const Document::Operations* operations_of(std::string_view id, const Registry& registry) {
    for (const FamilyRow* family : registry.families()) {
        for (const Document::Operations* operations : family->formats) {
            if (operations->format->id == id) return operations;
        }
    }
    return nullptr;
}

const Document::Operations* recognize_content(std::span<const std::byte> head, std::string_view name,
                                              const Registry& registry) {
    for (const FamilyRow* family : registry.families()) {
        if (family->recognize == nullptr) continue;
        if (const Document::Operations* operations = family->recognize(head, name)) return operations;
    }
    return nullptr;
}

const Relative* find_relative(std::span<const Relative> known, std::string_view text) {
    return first_where(known, [&](const Relative& one) { return text.starts_with(one.magic); });
}

/// What is recognised and not read by itself.
Recognition recognize_relative(std::span<const std::byte> head, std::string_view name, const Registry& registry) {
    if (head.empty()) return {};
    const std::string_view text = as_text(head);
    if (const ForeignFile* file = find_foreign_file(text, name)) return {nullptr, std::string(file->answer), {}};
    const Relative* relative = find_relative(relatives, text);
    for (const FamilyRow* family : registry.families()) {
        if (relative == nullptr) relative = find_relative(family->relatives, text);
    }
    if (relative != nullptr) return {nullptr, std::string(relative->answer), {}};
    for (const FamilyRow* family : registry.families()) {
        if (family->recognize_relative == nullptr) continue;
        Recognition recognition = family->recognize_relative(head, name);
        if (recognition.format != nullptr || !recognition.foreign.empty()) return recognition;
    }
    const bool xml = text.starts_with("<") || text.starts_with("\xef\xbb\xbf<");
    if (!xml || !lower(name).ends_with(".xml")) return {};
    return {nullptr,
            "this is an XML file, but no component, material library, index, macros or motion, which effigy reads",
            {}};
}

Diagnostic unknown_format(std::span<const std::byte> head, std::string_view name, const Registry& registry) {
    const std::string foreign = recognize_relative(head, name, registry).foreign;
    const char* const unknown = head.empty()
                                    ? "the file is empty: whatever made it did not finish, so make or copy it again"
                                    : "this is no file of a format that effigy reads; `effigy formats` lists them";
    Diagnostic diagnostic =
        file_problem(std::string(name), foreign.empty() ? codes::unknown_format : codes::foreign_format,
                     foreign.empty() ? unknown : foreign);
    diagnostic.offset = 0;
    return diagnostic;
}

/// The original bytes of every input: what cannot get lost.
Result<void> embed(const std::vector<SceneSource>& sources, Json& list) {
    for (const SceneSource& source : sources) {
        const Result<Bytes> bytes = source.document.write();
        if (!bytes) return fail(bytes.error());
        list.push_back({{"name", source.path.filename().string()},
                        {"format", source.document.format().id},
                        {"bytes", json_bytes(*bytes)}});
    }
    return {};
}

using SourceGroup = std::vector<SceneSource>;

/// Files of one family say one thing together; those that hold whole scenes say one each.
Result<std::vector<SourceGroup>> groups_of(std::vector<SceneSource> sources) {
    std::vector<SourceGroup> groups;
    std::size_t shared = 0;  // the number of the group that takes several, from 1
    for (SceneSource& source : sources) {
        const FormatInfo& format = source.document.format();
        if (format.traits.is_exchange || shared == 0) {
            groups.emplace_back().push_back(std::move(source));
            if (!format.traits.is_exchange) shared = groups.size();
            continue;
        }
        const std::string_view family = groups[shared - 1].front().document.format().family;
        if (format.family != family)
            return fail(file_problem(source.path.string(), codes::families_differ,
                                     "files of different families cannot be joined into one scene",
                                     std::string(format.family), std::string(family)));
        groups[shared - 1].push_back(std::move(source));
    }
    return groups;
}

Result<Loaded<Scene>> scene_of(SourceGroup sources, const ConversionContext& context, const Registry& registry) {
    const FamilyRow* const row = registry.family(sources.front().document.format().family);
    if (row == nullptr || row->to_scene == nullptr)
        return fail(problem_at({}, codes::nothing_to_show, "there is nothing to convert"));
    return row->to_scene(std::move(sources), context);
}

Result<Loaded<Scene>> joined_scene(std::vector<SourceGroup> groups, const ConversionContext& context,
                                   const Registry& registry) {
    Loaded<Scene> all;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::filesystem::path file = groups[i].front().named();
        const bool is_alone = groups[i].size() == 1;
        auto scene = scene_of(std::move(groups[i]), context, registry);
        if (!scene && is_alone && scene.error().file.empty()) scene.error().file = file.string();
        if (!scene || groups.size() == 1) return scene;
        all.report.append(std::move(scene->report));
        if (i == 0) {
            all.value = std::move(scene->value);
            continue;
        }
        Report joined = append_scene(all.value, std::move(scene->value), file.stem().string());
        joined.name_file(file.string());
        all.report.append(std::move(joined));
    }
    return all;
}

Result<Loaded<Document>> open_source(ByteSource source, std::string_view name, const ReadOptions& options,
                                     const Registry& registry, FileHash* hash = nullptr) {
    std::array<std::byte, 4096> buffer{};
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), source.size()));
    if (!source.peek(buffer.data(), size))
        return fail(file_problem(std::string(name), codes::input_read, "the file cannot be read"));
    const std::span<const std::byte> head(buffer.data(), size);
    const Document::Operations* operations = recognize_content(head, name, registry);
    if (operations == nullptr) return fail(unknown_format(head, name, registry));
    if (hash != nullptr && !operations->format->traits.is_exchange) source.hash_into(*hash);
    auto loaded = operations->read(std::move(source), options);
    if (!loaded) {
        loaded.error().file = name;
    } else {
        loaded->report.name_file(name);
    }
    return loaded;
}

}  // namespace

Registry::Registry(std::vector<const FamilyRow*> families) : families_(std::move(families)) {
    for (const OptionDeclaration& option : general_options()) options_.push_back({option, {}, {}});
    for (const FamilyRow* family : families_) {
        for (const Document::Operations* operations : family->formats) formats_.push_back(*operations->format);
        for (const OptionDeclaration& option : family->options)
            options_.push_back({option, family->name, family->title});
    }
    for (const FamilyRow* family : families_)
        formats_.insert(formats_.end(), family->other_formats.begin(), family->other_formats.end());
}

const Registry& Registry::standard() noexcept {
    static const Registry registry({&emfx::family_row(), &egosoft::family_row(), &x42::family_row(), &arp::family_row(),
                                    &gltf::family_row(), &obj::family_row(), &ply::family_row()});
    return registry;
}

const FamilyRow* Registry::family(std::string_view id) const noexcept {
    const auto found =
        std::find_if(families_.begin(), families_.end(), [&](const FamilyRow* row) { return row->name == id; });
    return found == families_.end() ? nullptr : *found;
}

std::span<const FormatInfo> formats() noexcept { return Registry::standard().formats(); }

const FormatInfo* stream_format(const Registry& registry) noexcept {
    const auto formats = registry.formats();
    return first_where(formats, [](const FormatInfo& format) { return format.traits.streams; });
}

const FormatInfo* find_format(std::string_view extension, const Registry& registry) noexcept {
    const std::string wanted = lower(extension.starts_with('.') ? extension.substr(1) : extension);
    for (const FormatInfo& format : registry.formats()) {
        if (format.id == wanted) return &format;
        if (std::find(format.extensions.begin(), format.extensions.end(), wanted) != format.extensions.end())
            return &format;
    }
    return nullptr;
}

const FormatInfo* format_of_name(const std::filesystem::path& path, const Registry& registry) noexcept {
    const std::string extension = path.extension().string();
    const std::string longer = path.stem().extension().string() + extension;
    const FormatInfo* const format = find_format(longer, registry);
    return format != nullptr ? format : find_format(extension, registry);
}

bool applies(const DeclaredOption& option, const FormatInfo& format) noexcept {
    const OptionDeclaration& declaration = option.declaration;
    const bool direction = (declaration.reads && format.to_scene) || (declaration.writes && format.from_scene);
    if (declaration.locates || option.family.empty()) return declaration.locates ? format.reads : direction;
    const auto& formats = declaration.formats;
    const bool named = formats.empty() || std::find(formats.begin(), formats.end(), format.id) != formats.end();
    return direction && option.family == format.family && named;
}

std::string_view advice_for(const Report& report, const Registry& registry) noexcept {
    for (const FamilyRow* family : registry.families()) {
        for (const Advice& advice : family->advices) {
            if (report.count(advice.code) != 0) return advice.text;
        }
    }
    return {};
}

Recognition recognize(std::span<const std::byte> head, std::string_view name, const Registry& registry) {
    const Document::Operations* operations = recognize_content(head, name, registry);
    if (operations != nullptr) return {operations->format, {}, {}};
    return recognize_relative(head, name, registry);
}

Recognition recognize_file(const std::filesystem::path& path, const Registry& registry) {
    std::error_code error;
    // Opening a pipe to look at it would take its bytes from whoever reads it next.
    if (path == "-" || !std::filesystem::is_regular_file(path, error)) return {};
    std::array<char, 4096> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    const auto size = static_cast<std::size_t>(file.gcount());
    Recognition recognition = recognize(std::as_bytes(std::span(head.data(), size)), path.string(), registry);
    if (recognition.format != nullptr) return recognition;
    const FormatInfo* by_name = format_of_name(path, registry);
    if (by_name != nullptr && !by_name->traits.shares_extension) recognition.format = by_name;
    return recognition;
}

bool is_unreadable(const Diagnostic& failure, const Registry& registry) noexcept {
    constexpr std::array known{codes::input_open,     codes::input_none,     codes::input_read,
                               codes::input_version,  codes::unknown_format, codes::foreign_format,
                               codes::not_this_format};
    const auto formats = registry.formats();
    return std::find(known.begin(), known.end(), failure.code) != known.end() ||
           std::any_of(formats.begin(), formats.end(), [&](const FormatInfo& format) {
               return !format.traits.foreign_code.empty() && format.traits.foreign_code == failure.code;
           });
}

bool is_companion(const FormatInfo& format) noexcept { return format.role == Role::companion && !format.to_scene; }

void* Document::get(const std::type_info& type) const noexcept {
    return *operations_->type == type ? file_.get() : nullptr;
}

const FormatInfo& Document::format() const noexcept { return *operations_->format; }

namespace {

/// Why a document that was moved from has nothing to give.
Diagnostic moved_from() {
    return problem_at({}, codes::unknown_format, "the document was moved to another one, and holds no file");
}

}  // namespace

Result<Bytes> Document::write(const WriteOptions& options) const {
    if (!file_) return fail(moved_from());
    return without_exceptions([&] { return operations_->write(file_.get(), options); });
}

Result<void> Document::write_file(const std::filesystem::path& path, const WriteOptions& options) const {
    if (!file_) return fail(moved_from());
    return without_exceptions([&] { return operations_->write_file(file_.get(), path, options); });
}

Report Document::check(const CheckContext& context) const {
    if (!file_) return {};
    return without_exceptions([&] { return operations_->check(file_.get(), context); });
}

Result<std::string> Document::info(const InfoOptions& options) const {
    if (!file_) return fail(moved_from());
    return without_exceptions(
        [&]() -> Result<std::string> { return to_text(operations_->info(file_.get(), options)); });
}

Result<std::string> Document::dump(const DumpOptions& options) const {
    if (!file_) return fail(moved_from());
    return without_exceptions([&]() -> Result<std::string> {
        Result<Json> nodes = operations_->dump(file_.get(), options);
        if (!nodes) return fail(std::move(nodes.error()));
        Json json;
        json["effigy_dump"] = 1;
        json["format"] = format().id;
        json["value"] = std::move(*nodes);
        return to_text(json, 1);
    });
}

Result<std::string> Document::hex_map(const DumpOptions& options) const {
    if (!file_) return fail(moved_from());
    return without_exceptions([&] { return operations_->hex_map(file_.get(), options); });
}

Result<Loaded<Document>> open_file(const std::filesystem::path& path, const ReadOptions& options,
                                   const Registry& registry) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    return without_exceptions([&] { return open_source(std::move(*source), path.string(), options, registry); });
}

Result<Loaded<SceneSource>> open_scene_file(const std::filesystem::path& path, const ReadOptions& options,
                                            const Registry& registry) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    return without_exceptions([&]() -> Result<Loaded<SceneSource>> {
        FileHash hash;
        const std::uint64_t size = source->size();
        auto loaded = open_source(std::move(*source), path.string(), options, registry, &hash);
        if (!loaded) return fail(std::move(loaded.error()));
        Loaded<SceneSource> opened{{std::move(loaded->value), path, size, {}, {}}, std::move(loaded->report)};
        if (opened.value.document.format().traits.is_exchange) return opened;
        const auto known = hash.of(size);
        opened.value.hash = known ? hash_text(*known) : content_hash(path).value_or("");
        return opened;
    });
}

Result<Loaded<Document>> open_bytes(std::span<const std::byte> bytes, std::string_view name, const ReadOptions& options,
                                    const Registry& registry) {
    return without_exceptions([&] { return open_source(ByteSource(bytes), name, options, registry); });
}

Report check_folder(const std::filesystem::path& folder, const CheckContext& context, const Registry& registry) {
    return without_exceptions([&] {
        Report report;
        for (const FamilyRow* family : registry.families()) {
            if (family->check_folder != nullptr) report.append(family->check_folder(folder, context));
        }
        return report;
    });
}

Result<Document> build(std::string_view dump, bool normalize, const Limits& limits, const Registry& registry) {
    Diagnostic diagnostic = problem_at({}, codes::build_json);
    std::optional<Json> parsed = parse_json(dump, &diagnostic.offset);
    const Json json = parsed ? std::move(*parsed) : Json();
    const bool is_dump = json.is_object() && json.contains("effigy_dump") && json.contains("format") &&
                         json["format"].is_string() && json.contains("value") && json["value"].is_array();
    if (!is_dump) {
        diagnostic.message = parsed ? "this JSON is no dump; `effigy dump FILE --json` makes one"
                             : diagnostic.offset != no_offset
                                 ? "the dump is not valid JSON: reading it ended with this byte"
                                 : "no dump is nested so deeply, or has objects of so many members";
        return fail(std::move(diagnostic));
    }
    if (json["effigy_dump"] != 1) {
        diagnostic.message = "the dump has a version that this program does not know";
        diagnostic.found = to_text(json["effigy_dump"]);
        diagnostic.expected = "1";
        return fail(std::move(diagnostic));
    }
    const Document::Operations* operations = operations_of(json["format"].get_ref<const std::string&>(), registry);
    if (operations == nullptr) {
        diagnostic.message = "the dump is of a format that cannot be built";
        diagnostic.found = to_text(json["format"]);
        return fail(std::move(diagnostic));
    }
    return operations->build(json["value"], normalize, limits);
}

Result<Loaded<Scene>> to_scene(std::vector<SceneSource> sources, const ConversionContext& context,
                               const Registry& registry) {
    if (sources.empty()) return fail(problem_at({}, codes::nothing_to_show, "there is nothing to convert"));
    return without_exceptions([&]() -> Result<Loaded<Scene>> {
        const bool embeds = context.options.flag("embed-source");
        Json embedded = Json::array();
        if (embeds) {
            if (auto done = embed(sources, embedded); !done) return fail(std::move(done.error()));
        }
        auto scene = groups_of(std::move(sources)).and_then([&](std::vector<SourceGroup> groups) {
            return joined_scene(std::move(groups), context, registry);
        });
        if (scene && embeds) {
            Json extras = record_of(scene->value.asset_extras);
            extras["embedded"] = std::move(embedded);
            set_record(scene->value.asset_extras, std::move(extras));
        }
        return scene;
    });
}

std::string content_hash(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add(bytes);
    return hash_text(hasher.digest());
}

Result<std::string> content_hash(const std::filesystem::path& path) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    constexpr std::uint64_t block_size = 256 * 1024;
    const auto block = std::make_unique_for_overwrite<std::byte[]>(block_size);
    Hasher hasher;
    while (source->remaining() != 0) {
        const std::uint64_t size = std::min(block_size, source->remaining());
        if (!source->read(block.get(), size))
            return fail(file_problem(path.string(), codes::input_read, "the file cannot be read"));
        hasher.add({block.get(), static_cast<std::size_t>(size)});
    }
    return hash_text(hasher.digest());
}

}  // namespace effigy
