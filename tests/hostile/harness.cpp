/// One file of any format through everything that can be done with it.

#include "hostile/harness.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "effigy/ani.hpp"
#include "effigy/arp.hpp"
#include "effigy/gltf.hpp"
#include "effigy/gltf_file.hpp"
#include "effigy/x42.hpp"
#include "effigy/xac.hpp"
#include "effigy/xmf.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "core/json.hpp"
#include "registry/rows.hpp"

namespace effigy::harness {
namespace {

const Document::Operations* operations_of(std::string_view id) {
    for (const FamilyRow* family :
         {&emfx::family_row(), &egosoft::family_row(), &x42::family_row(), &arp::family_row(), &gltf::family_row()}) {
        for (const Document::Operations* operations : family->formats)
            if (operations->format->id == id) return operations;
    }
    return nullptr;
}

std::string fault_of(const Diagnostic& diagnostic) {
    if (diagnostic.code.empty()) return "a finding without a code: " + diagnostic.message;
    if (diagnostic.message.empty()) return "a finding without a sentence: " + std::string(diagnostic.code);
    return {};
}

std::string fault_of(const Report& report, std::size_t size) {
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        if (std::string fault = fault_of(diagnostic); !fault.empty()) return fault;
        if (diagnostic.offset != no_offset && diagnostic.offset > size)
            return "a finding behind the end of the file: " + to_string(diagnostic);
    }
    return {};
}

std::string fault_of_copy(const Document& document, std::span<const std::byte> bytes) {
    const auto written = document.write();
    if (!written) return "cannot be written: " + to_string(written.error());
    if (!std::ranges::equal(*written, bytes)) return "is written as other bytes";
    const auto normalized = document.write({.normalize = true});
    return normalized ? "" : "cannot be normalized: " + to_string(normalized.error());
}

std::string fault_of_build(const Result<Document>& built, bool normalize, std::span<const std::byte> bytes,
                           const Limits& limits) {
    if (!built) {
        const bool too_large = built.error().code == "limit-memory" && limits.memory < Limits{}.memory;
        return too_large ? "" : "cannot be built from its dump: " + to_string(built.error());
    }
    const auto written = built->write();
    if (!written) return "cannot be written after a dump: " + to_string(written.error());
    return normalize || std::ranges::equal(*written, bytes) ? "" : "comes as other bytes from its dump";
}

/// The faithful file of a binary format.
const void* file_in(const Document& document) {
    const auto first_of = [&]<class... Files>(std::type_identity<Files>...) {
        const void* file = nullptr;
        static_cast<void>((((file = document.get_if<Files>()) != nullptr) || ...));
        return file;
    };
    return first_of(std::type_identity<xac::File>(), std::type_identity<xsm::File>(), std::type_identity<xpm::File>(),
                    std::type_identity<xmf::File>(), std::type_identity<ani::File>(), std::type_identity<x42::File>(),
                    std::type_identity<arp::File>(), std::type_identity<gltf::File>());
}

/// What stands in the dump; of binary formats without the text, which takes longest.
Result<Json> dumped_nodes(const Document& document) {
    if (const void* const file = file_in(document)) return operations_of(document.format().id)->dump(file, {});
    return document.dump().map([](const std::string& text) { return (*parse_json(text))["value"]; });
}

std::string fault_of_dumps(const Document& document, std::span<const std::byte> bytes, const Limits& limits) {
    const auto expanded = document.dump({.expand = true});
    const auto nodes = dumped_nodes(document);
    if (!expanded) return "cannot be dumped: " + to_string(expanded.error());
    if (!nodes) return "cannot be dumped: " + to_string(nodes.error());
    std::string fault = fault_of_build(build(*expanded, false, limits), false, bytes, limits);
    for (const bool normalize : {false, true}) {
        if (!fault.empty()) return fault;
        const auto* const operations = operations_of(document.format().id);
        fault = fault_of_build(operations->build(*nodes, normalize, limits), normalize, bytes, limits);
    }
    if (!fault.empty()) return fault;
    const auto map = document.hex_map();
    return map || map.error().code == "limit-memory" ? "" : "has no hex map: " + to_string(map.error());
}

/// Takes the document: scenes take their bulk data out of the files.
std::string fault_of_scene(Document document, const Demands& demands, bool& is_scene) {
    std::vector<SceneSource> sources;
    if (demands.model) {
        for (Document& model : demands.model(document)) sources.push_back({std::move(model), "model", 0, {}});
    }
    sources.push_back({std::move(document), "hostile", 0, {}});
    ConversionContext context;
    context.limits = demands.limits;
    context.limits.memory = std::max<std::uint64_t>(demands.limits.memory, std::uint64_t{64} << 20);
    const auto scene = to_scene(std::move(sources), context);
    is_scene = scene.has_value();
    if (!scene) return fault_of(scene.error());
    if (std::string fault = fault_of(scene->report, no_offset); !fault.empty()) return fault;
    const auto written = gltf::write_glb(scene->value);
    if (!written) {
        if (demands.must_write) return "becomes a scene that cannot be written: " + to_string(written.error());
        return written.error().code == "scene-not-finite" ? "becomes numbers that are none" : fault_of(written.error());
    }
    return demands.use ? demands.use(scene->value) : "";
}

std::string fault_of_findings(const Document& document, const Demands& demands, std::size_t size) {
    if (std::string fault = fault_of(document.check(), size); !fault.empty()) return fault;
    if (const Document* const model = demands.check_model ? demands.check_model(document) : nullptr)
        (void)document.check({.model = model});
    const auto info = document.info();
    if (!info) return "has no info: " + to_string(info.error());
    return Json::accept(*info) ? "" : "has an info that is no JSON";
}

}  // namespace

Result<Loaded<Document>> read_as(std::string_view format, std::span<const std::byte> bytes, const Limits& limits) {
    const Document::Operations* const operations = operations_of(format);
    if (operations == nullptr) return fail({});
    return operations->read(ByteSource(bytes), {limits});
}

Outcome exercise(std::span<const std::byte> bytes, const Demands& demands) {
    auto loaded = read_as(demands.format, bytes, demands.limits);
    if (!loaded) return {false, false, fault_of(loaded.error())};
    Outcome outcome{true, false, fault_of(loaded->report, bytes.size())};
    Document& document = loaded->value;
    const auto demand = [&](auto&& find) {
        if (outcome.fault.empty()) outcome.fault = find();
    };
    demand([&] { return fault_of_copy(document, bytes); });
    demand([&] { return fault_of_findings(document, demands, bytes.size()); });
    if (demands.dump) demand([&] { return fault_of_dumps(document, bytes, demands.dump_limits); });
    if (demands.also) demand([&] { return demands.also(*loaded, bytes); });
    if (demands.scene && document.format().to_scene)
        demand([&] { return fault_of_scene(std::move(document), demands, outcome.scene); });
    return outcome;
}

}  // namespace effigy::harness
