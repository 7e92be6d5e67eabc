// Any bytes as an avatar; what can be read comes back through a dump as well, and becomes a scene without any number
// that is none.

#include "effigy/arp.hpp"

#include <string_view>

#include "effigy/arp_scene.hpp"

#include "check.hpp"

namespace {

using namespace effigy;

void come_back(const Document& document, std::span<const std::byte> input) {
    const std::string dump = document.dump().value();
    const auto built = build(dump, false, fuzz::small_limits());
    // A dump is larger than the file, and may meet the limit where the file did not.
    if (built) fuzz::demand_same(built->write().value(), input);
    fuzz::demand(built || built.error().code == "limit-memory");
    const auto normal = build(dump, true, fuzz::small_limits());
    fuzz::demand(normal ? normal->write().has_value() : normal.error().code == "limit-memory");
}

void show(const arp::File& file, arp::ArmTwist twist) {
    arp::SceneInput input;
    input.avatars.push_back({{}, file, {}});
    arp::SceneOptions options;
    options.limits = fuzz::small_limits();
    options.arm_twist = twist;
    const auto scene = arp::to_scene(std::move(input), options);
    if (!scene) return;
    const auto written = gltf::write_glb(scene->value);
    fuzz::demand(written || std::string_view(written.error().code) != "gltf-not-finite");
    if (written) fuzz::play(scene->value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const auto loaded = arp::read(input, {fuzz::small_limits()});
    if (loaded) {
        const auto opened = open_bytes(input, "", {fuzz::small_limits()});
        fuzz::demand(opened.has_value());
        (void)opened->value.info();
        (void)opened->value.hex_map();
        come_back(opened->value, input);
        for (const auto twist : {arp::ArmTwist::none, arp::ArmTwist::bake}) show(loaded->value, twist);
    }
    fuzz::exercise<arp::File>(input, arp::read, arp::write);
    return 0;
}
