// Any bytes as an avatar; what can be read comes back through a dump as well, and becomes a scene without any number
// that is none.

#include "effigy/arp.hpp"

#include <string_view>

#include "effigy/arp_scene.hpp"

#include "check.hpp"

namespace {

using namespace effigy;

void show(const arp::File& file, arp::ArmTwist twist) {
    arp::SceneInput input;
    input.avatars.push_back({{}, file, {}});
    arp::SceneOptions options;
    options.limits = fuzz::small_limits();
    options.arm_twist = twist;
    const auto scene = arp::to_scene(std::move(input), options);
    if (!scene) return;
    const auto written = gltf::write_glb(scene->value);
    fuzz::demand(written || std::string_view(written.error().code) != "scene-not-finite");
    if (written) fuzz::play(scene->value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const auto loaded = arp::read(input, {fuzz::small_limits()});
    if (loaded) {
        for (const auto twist : {arp::ArmTwist::none, arp::ArmTwist::bake}) show(loaded->value, twist);
    }
    fuzz::exercise(input, "jarp");
    return 0;
}
