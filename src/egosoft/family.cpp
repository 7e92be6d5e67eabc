/// The rows that Egosoft's formats give to the registry.

#include <utility>
#include <vector>

#include "effigy/egosoft_scene.hpp"

#include "egosoft/formats.hpp"
#include "registry/document_row.hpp"

namespace effigy::egosoft {

namespace {

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_xmf(head)) return &operations<XmfFormat>();
    switch (xml_kind(head)) {
        case XmlKind::component:
            return &operations<ComponentFormat>();
        case XmlKind::material_library:
            return &operations<LibraryFormat>();
        case XmlKind::index:
            return &operations<IndexFormat>();
        case XmlKind::macros:
            return &operations<MacroFormat>();
        case XmlKind::none:
            break;
    }
    if (looks_like_ani(head, name)) return &operations<AniFormat>();
    if (looks_like_catalog(head, name)) return &operations<CatalogFormat>();
    return nullptr;
}

Diagnostic no_part_of_a_scene(const SceneSource& source) {
    Diagnostic diagnostic;
    diagnostic.code = "nothing-to-show";
    diagnostic.file = source.path.string();
    diagnostic.message =
        "this file has nothing to show: name meshes or components to convert, a game's folder with "
        "--game, a material library with --materials";
    diagnostic.found = source.document.format().name;
    return diagnostic;
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    SceneInput input;
    input.files = settings.files;
    for (SceneSource& source : sources) {
        Source origin{source.path.stem().string(), source.size, source.hash};
        const std::string_view id = source.document.format().id;
        if (id == XmfFormat::format().id) {
            input.meshes.push_back({std::move(origin), std::move(source.document.as<xmf::File>())});
        } else if (id == AniFormat::format().id) {
            input.animations.push_back({std::move(origin), std::move(source.document.as<ani::File>())});
        } else if (id == ComponentFormat::format().id) {
            input.components.push_back({std::move(origin), std::move(source.document.as<ComponentFile>())});
        } else {
            return fail(no_part_of_a_scene(source));
        }
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.lod = settings.lod;
    options.resample = settings.resample;
    options.colors = settings.raw_colors ? ColorExport::vertex : ColorExport::custom;
    return to_scene(std::move(input), options);
}

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{"egosoft",
                                  {&operations<XmfFormat>(), &operations<AniFormat>(), &operations<ComponentFormat>(),
                                   &operations<LibraryFormat>(), &operations<IndexFormat>(), &operations<MacroFormat>(),
                                   &operations<CatalogFormat>()},
                                  recognize,
                                  sources_to_scene,
                                  check_mod};
    return family;
}

}  // namespace effigy::egosoft
