#include "effigy/registry.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/guard.hpp"
#include "core/text.hpp"
#include "registry/foreign.hpp"
#include "registry/rows.hpp"

namespace effigy {

namespace {

constexpr std::array<std::string_view, 1> obj_extensions{"obj"};
constexpr std::array<std::string_view, 1> ply_extensions{"ply"};
constexpr std::array<std::string_view, 1> ticks_extensions{"xsmtime"};
constexpr std::array<std::string_view, 1> jolt_extensions{"jcs"};

constexpr FormatInfo written_formats[] = {
    {"obj", "Wavefront OBJ with .mtl and images", "obj", Role::scene, obj_extensions, "the rest pose, in triangles",
     false, false, false, true},
    {"ply", "Stanford PLY", "ply", Role::scene, ply_extensions, "1.0 binary, little-endian; the rest pose as one mesh",
     false, false, false, true},
};
constexpr FormatInfo companion_formats[] = {
    {"xsmtime", "times beside an EMotion FX motion", "emfx", Role::companion, ticks_extensions, "Tree of Savior", true,
     false, false, false},
    {"jcs", "Jolt collision shape", "egosoft", Role::companion, jolt_extensions,
     "X4 6.0 and later; named only: each version of the game has its own", false, false, false, false},
};

/// The families, in the order in which they are asked.
const auto& families() {
    static const std::array<const FamilyRow*, 5> rows{&emfx::family_row(), &egosoft::family_row(), &x42::family_row(),
                                                      &arp::family_row(), &gltf::family_row()};
    return rows;
}

std::vector<FormatInfo> collect_formats() {
    std::vector<FormatInfo> all;
    for (const FamilyRow* family : families()) {
        for (const Document::Operations* operations : family->formats) all.push_back(*operations->format);
    }
    all.insert(all.end(), std::begin(companion_formats), std::end(companion_formats));
    all.insert(all.end(), std::begin(written_formats), std::end(written_formats));
    return all;
}

const Document::Operations* operations_of(std::string_view id) {
    for (const FamilyRow* family : families()) {
        for (const Document::Operations* operations : family->formats) {
            if (operations->format->id == id) return operations;
        }
    }
    return nullptr;
}

const FamilyRow* family_of(std::string_view name) {
    for (const FamilyRow* family : families()) {
        if (family->name == name) return family;
    }
    return nullptr;
}

const Document::Operations* recognize_content(std::span<const std::byte> head, std::string_view name) {
    for (const FamilyRow* family : families()) {
        if (const Document::Operations* operations = family->recognize(head, name)) return operations;
    }
    return nullptr;
}

Diagnostic unknown_format(std::string_view name, const std::string& foreign) {
    Diagnostic diagnostic;
    diagnostic.code = foreign.empty() ? "unknown-format" : "foreign-format";
    diagnostic.file = name;
    diagnostic.offset = 0;
    diagnostic.message =
        foreign.empty() ? "this is no file of a format that effigy reads; `effigy formats` lists them" : foreign;
    return diagnostic;
}

/// The original bytes of every input: what cannot get lost.
Result<void> embed(const std::vector<SceneSource>& sources, Json& list) {
    for (const SceneSource& source : sources) {
        const Result<Bytes> bytes = source.document.write();
        if (!bytes) return fail(bytes.error());
        list.push_back({{"name", source.path.filename().string()},
                        {"format", source.document.format().id},
                        {"bytes", to_base64(*bytes)}});
    }
    return {};
}

Result<Loaded<Document>> open_source(ByteSource source, std::string_view name, const ReadOptions& options) {
    std::array<std::byte, 4096> buffer{};
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), source.size()));
    if (!source.peek(buffer.data(), size)) {
        Diagnostic diagnostic;
        diagnostic.code = "input-read";
        diagnostic.file = name;
        diagnostic.message = "the file cannot be read";
        return fail(std::move(diagnostic));
    }
    const std::span<const std::byte> head(buffer.data(), size);
    const Document::Operations* operations = recognize_content(head, name);
    if (operations == nullptr) {
        return fail(
            unknown_format(name, looks_like_ticks(head)
                                     ? "these are the times beside a motion; name the motion, and they are read with it"
                                     : foreign_relative(head, name)));
    }
    auto loaded = operations->read(std::move(source), options);
    if (!loaded) {
        loaded.error().file = name;
    } else {
        loaded->report.name_file(name);
    }
    return loaded;
}

}  // namespace

std::span<const FormatInfo> formats() noexcept {
    static const std::vector<FormatInfo> all = collect_formats();
    return all;
}

const FormatInfo* find_format(std::string_view extension) noexcept {
    const std::string wanted = lower(extension.starts_with('.') ? extension.substr(1) : extension);
    for (const FormatInfo& format : formats()) {
        if (format.id == wanted) return &format;
        if (std::find(format.extensions.begin(), format.extensions.end(), wanted) != format.extensions.end())
            return &format;
    }
    return nullptr;
}

Recognition recognize(std::span<const std::byte> head, std::string_view name) {
    const Document::Operations* operations = recognize_content(head, name);
    if (operations != nullptr) return {operations->format, {}, {}};
    if (looks_like_ticks(head)) return {&companion_formats[0], {}, {}};
    const std::string_view shape = jolt_shape(head, name);
    if (!shape.empty()) return {&companion_formats[1], {}, shape};
    return {nullptr, foreign_relative(head, name), {}};
}

const FormatInfo& Document::format() const noexcept { return *operations_->format; }

Result<Bytes> Document::write(const WriteOptions& options) const { return operations_->write(file_.get(), options); }

Result<void> Document::write_file(const std::filesystem::path& path, const WriteOptions& options) const {
    return operations_->write_file(file_.get(), path, options);
}

Report Document::check(const CheckContext& context) const { return operations_->check(file_.get(), context); }

std::string Document::info(const InfoOptions& options) const {
    return to_text(operations_->info(file_.get(), options));
}

Result<std::string> Document::dump(const DumpOptions& options) const {
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
    return without_exceptions([&] { return operations_->hex_map(file_.get(), options); });
}

Result<Loaded<Document>> open_file(const std::filesystem::path& path, const ReadOptions& options) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    return open_source(std::move(*source), path.string(), options);
}

Result<Loaded<Document>> open_bytes(std::span<const std::byte> bytes, std::string_view name,
                                    const ReadOptions& options) {
    return open_source(ByteSource(bytes), name, options);
}

Report check_folder(const std::filesystem::path& folder, const CheckContext& context) {
    Report report;
    for (const FamilyRow* family : families()) {
        if (family->check_folder != nullptr) report.append(family->check_folder(folder, context));
    }
    return report;
}

Result<Document> build(std::string_view dump, bool normalize, const Limits& limits) {
    Diagnostic diagnostic;
    diagnostic.code = "build-json";
    std::optional<Json> parsed = parse_json(dump);
    const Json json = parsed ? std::move(*parsed) : Json();
    const bool is_dump = json.is_object() && json.contains("effigy_dump") && json.contains("format") &&
                         json["format"].is_string() && json.contains("value") && json["value"].is_array();
    if (!is_dump) {
        diagnostic.message =
            !parsed ? "the dump is not valid JSON" : "this JSON is no dump; `effigy dump FILE --json` makes one";
        return fail(std::move(diagnostic));
    }
    if (json["effigy_dump"] != 1) {
        diagnostic.message = "the dump has a version that this program does not know";
        diagnostic.found = to_text(json["effigy_dump"]);
        diagnostic.expected = "1";
        return fail(std::move(diagnostic));
    }
    const Document::Operations* operations = operations_of(json["format"].get_ref<const std::string&>());
    if (operations == nullptr) {
        diagnostic.message = "the dump is of a format that cannot be built";
        diagnostic.found = to_text(json["format"]);
        return fail(std::move(diagnostic));
    }
    return operations->build(json["value"], normalize, limits);
}

Result<Loaded<Scene>> to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    Diagnostic diagnostic;
    diagnostic.code = "nothing-to-show";
    diagnostic.message = "there is nothing to convert";
    if (sources.empty()) return fail(std::move(diagnostic));
    const std::string_view family = sources.front().document.format().family;
    for (const SceneSource& source : sources) {
        if (source.document.format().family == family) continue;
        diagnostic.code = "families-differ";
        diagnostic.message = "files of different families cannot be joined into one scene";
        diagnostic.found = source.document.format().family;
        diagnostic.expected = family;
        diagnostic.file = source.path.string();
        return fail(std::move(diagnostic));
    }
    const FamilyRow* row = family_of(family);
    Json embedded = Json::array();
    if (settings.embed_source) {
        if (auto done = embed(sources, embedded); !done) return fail(std::move(done.error()));
    }
    auto scene = row->to_scene(std::move(sources), settings);
    if (scene && settings.embed_source) {
        Json extras = Json::parse(scene->value.asset_extras.json, nullptr, false);
        if (!extras.is_object()) extras = Json::object();
        extras["embedded"] = std::move(embedded);
        scene->value.asset_extras.json = to_text(extras);
    }
    return scene;
}

Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const std::filesystem::path& path,
                                                const NativeOptions& options) {
    const FormatInfo* format = find_format(path.extension().string());
    const FamilyRow* family = format == nullptr || !format->from_scene ? nullptr : family_of(format->family);
    if (family != nullptr && family->from_scene != nullptr) {
        return without_exceptions([&] { return family->from_scene(scene, *format, path, options); });
    }
    Diagnostic diagnostic;
    diagnostic.code = "unknown-format";
    diagnostic.file = path.string();
    diagnostic.message = "no scene can be written in a format of this extension; `effigy formats` lists the formats";
    diagnostic.found = path.extension().string();
    return fail(std::move(diagnostic));
}

}  // namespace effigy
