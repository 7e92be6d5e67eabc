/// Runs conversions and throws where they fail.

#include "proof/convert.hpp"

#include <stdexcept>
#include <utility>

#include "effigy/gltf.hpp"

namespace convert {
namespace {

template <class T>
T value_or_throw(effigy::Result<T> result) {
    if (!result) throw std::runtime_error(effigy::to_string(result.error()));
    return std::move(*result);
}

}  // namespace

effigy::Scene to_scene(const Input& input, const effigy::emfx::SceneOptions& options) {
    effigy::emfx::SceneInput files;
    for (const ByteView bytes : input.actors)
        files.actors.push_back({{"actor", bytes.size(), {}}, value_or_throw(effigy::xac::read(bytes)).value});
    for (const Input::Motion& motion : input.motions)
        files.motions.push_back(
            {{motion.stem, motion.bytes.size(), {}}, value_or_throw(effigy::xsm::read(motion.bytes)).value, {}});
    for (const Input::Motion& motion : input.morph_motions)
        files.morph_motions.push_back(
            {{motion.stem, motion.bytes.size(), {}}, value_or_throw(effigy::xpm::read(motion.bytes)).value});
    return value_or_throw(effigy::emfx::to_scene(std::move(files), options)).value;
}

effigy::Bytes to_glb(const effigy::Scene& scene) { return value_or_throw(effigy::gltf::write_glb(scene)); }

effigy::Bytes to_glb(const Input& input, const effigy::emfx::SceneOptions& options) {
    return to_glb(to_scene(input, options));
}

}  // namespace convert
