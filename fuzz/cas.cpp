// Any bytes as motion of a signing avatar.

#include "effigy/cas.hpp"

#include <cmath>

#include "check.hpp"

namespace {

using namespace effigy;

bool is_finite(const cas::BoneKey& key) {
    const Vec3 place = key.translation.value_or(Vec3{});
    const Quat turn = key.rotation.value_or(Quat{});
    for (const float number : {place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w}) {
        if (!std::isfinite(number)) return false;
    }
    return true;
}

void exercise(const cas::File& file) {
    for (const cas::Frame& frame : file.frames) {
        fuzz::demand(std::isfinite(frame.time) && std::isfinite(frame.duration));
        for (const cas::BoneKey& key : frame.bones) fuzz::demand(!key.name.empty() && is_finite(key));
        for (const cas::MorphKey& key : frame.morphs) fuzz::demand(!key.name.empty() && std::isfinite(key.amount));
    }
    for (const cas::Sign& sign : file.signs) fuzz::demand(sign.first_frame <= file.frames.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    const ReadOptions options{fuzz::small_limits()};
    const auto loaded = cas::read(Bytes(input.begin(), input.end()), options);
    if (!loaded) return 0;
    fuzz::demand_same(loaded->value.text, input);
    exercise(loaded->value);
    fuzz::exercise(input, "cas");
    return 0;
}
