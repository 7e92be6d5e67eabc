// An actor and a motion become one GLB: first_use figure.xac walk.xsm figure.glb

#include <cstdio>
#include <filesystem>

#include "effigy/emfx_scene.hpp"
#include "effigy/gltf.hpp"
#include "effigy/textures.hpp"

int main(int count, char** arguments) {
    if (count != 4) return std::puts("usage: first_use ACTOR MOTION OUTPUT"), 2;
    auto actor = effigy::xac::read_file(arguments[1]);
    auto motion = effigy::xsm::read_file(arguments[2]);
    if (!actor || !motion) return std::puts("not readable"), 1;

    effigy::emfx::SceneInput input;
    input.actors.emplace_back().file = std::move(actor->value);
    input.motions.emplace_back().file = std::move(motion->value);
    input.motions.back().source.stem = "walk";  // names the clip
    auto scene = effigy::emfx::to_scene(std::move(input));
    if (!scene) return std::puts(to_string(scene.error()).c_str()), 1;

    effigy::TextureOptions options;
    options.folders = {std::filesystem::absolute(arguments[1]).parent_path()};
    const effigy::Report report = load_textures(scene->value, options);
    for (const auto& finding : report.diagnostics()) std::puts(to_string(finding).c_str());
    return effigy::gltf::write_file(scene->value, arguments[3]) ? 0 : 1;
}
