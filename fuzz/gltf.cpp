// Any bytes as glTF: kept as they are, and whatever can be read of them is a scene that can be written and posed.

#include "effigy/gltf_file.hpp"

#include "native.hpp"

namespace {

using namespace effigy;

/// What the reader lets pass the writer takes, and the reader takes again.
void demand_written(const Scene& scene) {
    const auto glb = gltf::write_glb(scene);
    fuzz::demand(glb.has_value());
    const auto file = gltf::read(*glb, {});
    fuzz::demand(file && gltf::to_scene(file->value, {}));
}

void read_scene(std::span<const std::byte> input) {
    const auto file = gltf::read(input, {fuzz::small_limits()});
    if (!file) return;
    gltf::SceneOptions options;
    options.limits = fuzz::small_limits();
    auto scene = gltf::to_scene(file->value, options);
    if (!scene) {
        fuzz::demand(scene.error().code != "scene-invalid" && scene.error().code != "scene-not-finite");
        return;
    }
    demand_written(scene->value);
    fuzz::for_all_extras(scene->value, [](Extras& extras) { extras = {}; });
    fuzz::make_all(scene->value, fuzz::native_options(input.size() / 4), false);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    for (const char* format : {"glb", "gltf"}) fuzz::exercise(input, format);
    read_scene(input);
    return 0;
}
