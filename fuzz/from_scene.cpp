// Any glTF scene whose records are believed, whatever their hashes say, as files of every game.

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"

#include "native.hpp"

using namespace effigy;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const auto file = gltf::read(input, {fuzz::small_limits()});
    if (!file) return 0;
    gltf::SceneOptions options;
    options.limits = fuzz::small_limits();
    auto scene = gltf::to_scene(file->value, options);
    if (!scene) return 0;
    set_hashes(scene->value);
    fuzz::make_all(scene->value, fuzz::native_options(size / 4), true);
    return 0;
}
