/// Rules for files inside a mod's catalogs (.cat, .dat), each checked by its own format's.

#include "egosoft/check/packed.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "core/byte_source.hpp"
#include "egosoft/check/rules.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

namespace fs = std::filesystem;

template <class Format>
Report check_as(std::span<const std::byte> bytes, const CheckContext& context) {
    auto loaded = Format::read(ByteSource(bytes), {context.limits});
    Report report;
    if (!loaded) {
        report.add(std::move(loaded.error()));
        return report;
    }
    report = std::move(loaded->report);
    report.append(Format::check(loaded->value, context));
    return report;
}

Report check_bytes(std::span<const std::byte> bytes, const std::string& path, const CheckContext& context) {
    if (path.ends_with(".xmf")) return check_as<XmfFormat>(bytes, context);
    if (path.ends_with(".ani")) return check_as<AniFormat>(bytes, context);
    switch (xml_kind(bytes)) {
        case XmlKind::component:
            return check_as<ComponentFormat>(bytes, context);
        case XmlKind::material_library:
            return check_as<LibraryFormat>(bytes, context);
        case XmlKind::index:
            return check_as<IndexFormat>(bytes, context);
        case XmlKind::macros:
            return check_as<MacroFormat>(bytes, context);
        case XmlKind::none:
            break;
    }
    return {};
}

bool has_rules(const std::string& path) {
    return path.ends_with(".xmf") || path.ends_with(".ani") || path.ends_with(".xml");
}

/// "mod/ext_01.cat/assets/x.xmf"
std::string name_of(const fs::path& folder, const Listed& file) {
    return (folder / file.location.file.filename().replace_extension(".cat") / file.path).string();
}

}  // namespace

Report check_packed(const fs::path& folder, const GameFiles& mod, CheckContext context) {
    Report report;
    for (const Listed& file : mod.list()) {
        const std::string path = lower(file.path);
        if (!file.location.in_catalog || !has_rules(path)) continue;
        auto bytes = mod.read(file.location);
        Report found;
        if (bytes) {
            context.path = folder / file.path;
            found = check_bytes(*bytes, path, context);
        } else {
            found.add(std::move(bytes.error()));
        }
        for (Diagnostic& finding : found.diagnostics()) finding.file.clear();
        found.name_file(name_of(folder, file));
        report.append(std::move(found));
    }
    return report;
}

}  // namespace effigy::egosoft::checks
