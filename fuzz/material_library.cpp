// Any bytes as a material library, alone and on top of another.

#include "effigy/material_library.hpp"

#include <string_view>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace effigy;
    constexpr std::string_view base =
        "<materiallibrary><collection name=\"a\"><material name=\"b\" shader=\"s\"><properties>"
        "<property type=\"Float\" name=\"p\" value=\"1\"/></properties></material></collection></materiallibrary>";
    const auto base_bytes = std::as_bytes(std::span(base));
    const auto input = fuzz::as_input(data, size);
    const ReadOptions options{fuzz::small_limits()};
    fuzz::exercise(input, "material-library");
    egosoft::MaterialLibrary library;
    fuzz::demand(library.add(Bytes(base_bytes.begin(), base_bytes.end()), options).has_value());
    (void)library.add(Bytes(input.begin(), input.end()), options);
    for (const egosoft::LibraryMaterial& material : library.materials())
        fuzz::demand(library.find(material.collection + "." + material.name) != nullptr);
    return 0;
}
