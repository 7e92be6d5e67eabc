/// What each format promises of damaged files beyond the others.

#include "effigy/arp.hpp"
#include "effigy/x42.hpp"

#include "hostile/harness.hpp"
#include "x42/file/formats.hpp"
#include "x42/file/layout_x42.hpp"

namespace effigy::harness {
namespace {

std::string fault_of_avatar(const Loaded<Document>& loaded, std::span<const std::byte> /*bytes*/) {
    const bool ends_early = loaded.value.get_if<arp::File>()->first_missing != arp::Part::end;
    return (loaded.report.count("truncated") != 0) == ends_early ? "" : "does not say that it ends early, or does";
}

std::string fault_of_x42(const Loaded<Document>& loaded, std::span<const std::byte> /*bytes*/) {
    const x42::File& file = *loaded.value.get_if<x42::File>();
    if ((loaded.report.count("truncated") != 0) != x42::is_cut_off(file)) return "does not say that it is cut off";
    if (file.version != x42::version_5) return {};
    const auto again = x42::read(x42::write(file, {.normalize = true}).value());
    if (!again) return "cannot be read when normalized: " + to_string(again.error());
    return x42::is_cut_off(again->value) ? "is still cut off when normalized" : "";
}

}  // namespace

Demands demands_of(std::string_view format) {
    Demands demands;
    demands.format = format;
    demands.limits.memory = std::uint64_t{1} << 20;
    if (format == "jarp") demands.also = fault_of_avatar;
    if (format == "x42") demands.also = fault_of_x42;
    if (format == "glb" || format == "gltf") {
        demands.limits.memory = std::uint64_t{16} << 20;
        demands.must_write = true;
    }
    return demands;
}

}  // namespace effigy::harness
