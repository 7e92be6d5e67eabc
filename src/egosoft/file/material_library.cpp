/// Material libraries from files and games: read, laid over one another, materials found by name.

#include "effigy/material_library.hpp"

#include <utility>

#include "effigy/core_codes.hpp"

#include "core/byte_source.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"
#include "core/xml.hpp"
#include "egosoft/file/material_library_model.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::string_view library_path = "libraries/material_library.xml";

Result<XmlReader> open_library(const Bytes& text, const ReadOptions& options) {
    auto reader = XmlReader::open(text, options);
    if (!reader) return reader;
    const std::string_view root = reader->name(reader->root());
    if (root != "materiallibrary" && root != "diff")
        return fail(unexpected_root(*reader, "<materiallibrary>, or a <diff> for one"));
    return reader;
}

Diagnostic library_failure(const LibraryModel& model, const XmlReader& reader) {
    if (!model.is_exhausted()) return reader.failure();
    return problem_at({}, codes::limit_changes,
                      "the changes to the material library need more comparisons than is reasonable; give their "
                      "selectors the names of materials");
}

Result<Bytes> read_whole(const std::filesystem::path& path, const Limits& limits) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    auto bytes = layout::read_all(*source, limits);
    if (!bytes) bytes.error().file = path.string();
    return bytes;
}

/// Lays a file over the library; one that cannot be read is left out and reported.
void lay_over(MaterialLibrary& library, Result<Bytes> bytes, const std::string& name, const Limits& limits,
              Report& report) {
    auto added = bytes ? library.add(std::move(*bytes), {limits}) : Result<Report>(fail(std::move(bytes.error())));
    Report findings;
    if (added) {
        findings = std::move(*added);
    } else {
        findings.add(std::move(added.error()));
    }
    findings.name_file(name);
    report.append(std::move(findings));
}

}  // namespace

Result<Loaded<MaterialLibraryFile>> read_material_library(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<MaterialLibraryFile>> {
        auto reader = open_library(text, options);
        if (!reader) return fail(std::move(reader.error()));
        MaterialLibraryFile file;
        file.is_diff = reader->name(reader->root()) == "diff";
        LibraryModel model({}, {}, !file.is_diff);
        if (!model.apply(*reader)) return fail(library_failure(model, *reader));
        file.materials = model.take();
        file.text = std::move(text);
        return Loaded<MaterialLibraryFile>{std::move(file), std::move(reader->report())};
    });
}

Result<Report> MaterialLibrary::add(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Report> {
        auto reader = open_library(text, options);
        if (!reader) return fail(std::move(reader.error()));
        const bool has_base = has_base_ || reader->name(reader->root()) != "diff";
        // A copy, so that a file that fails changes nothing.
        LibraryModel model(materials_, collections_, has_base);
        if (!model.apply(*reader)) return fail(library_failure(model, *reader));
        has_base_ = has_base;
        materials_ = model.take();
        collections_ = model.take_collections();
        names_.clear();
        for (std::size_t index = 0; index < materials_.size(); ++index)
            names_.insert_or_assign(material_key(materials_[index].collection, materials_[index].name), index);
        return std::move(reader->report());
    });
}

void MaterialLibrary::add(LibraryMaterial material) {
    names_.insert_or_assign(material_key(material.collection, material.name), materials_.size());
    materials_.push_back(std::move(material));
}

const LibraryMaterial* MaterialLibrary::find(std::string_view name) const {
    const auto found = names_.find(lower(name));
    return found == names_.end() ? nullptr : &materials_[found->second];
}

Result<Loaded<MaterialLibrary>> load_material_library(const GameFiles& files,
                                                      const std::vector<std::filesystem::path>& more,
                                                      const Limits& limits) {
    return without_exceptions([&]() -> Result<Loaded<MaterialLibrary>> {
        Loaded<MaterialLibrary> loaded;
        for (const Listed& layer : files.layers(library_path))
            lay_over(loaded.value, files.read(layer.location), layer.location.name, limits, loaded.report);
        for (const std::filesystem::path& path : more) {
            auto bytes = read_whole(path, limits);
            // The user named this one: without it the result is not what was asked for.
            if (!bytes) return fail(std::move(bytes.error()));
            lay_over(loaded.value, std::move(bytes), path.string(), limits, loaded.report);
        }
        return loaded;
    });
}

}  // namespace effigy::egosoft
