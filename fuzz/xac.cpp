// Any bytes as an actor; behind a first byte of 'M', as an actor and a motion for it.

#include "effigy/xac.hpp"

#include <algorithm>

#include "check.hpp"

namespace {

using namespace effigy;

/// 'M', the actor's size in two bytes, the actor, the motion.
void exercise_pair(std::span<const std::byte> input) {
    if (input.size() < 3) return;
    const std::size_t wanted = std::to_integer<std::size_t>(input[1]) | std::to_integer<std::size_t>(input[2]) << 8;
    const auto rest = input.subspan(3);
    const std::size_t size = std::min(wanted, rest.size());
    const ReadOptions options{fuzz::small_limits()};
    auto actor = open_bytes(rest.first(size), "actor", options);
    auto motion = open_bytes(rest.subspan(size), "motion", options);
    if (!actor || !motion) return;
    (void)motion->value.check({.model = &actor->value});
    fuzz::convert(std::move(actor->value), std::move(motion->value), (rest.size() & 1U) != 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = fuzz::as_input(data, size);
    if (!input.empty() && input.front() == std::byte{'M'}) {
        exercise_pair(input);
    } else {
        fuzz::exercise(input, "xac");
    }
    return 0;
}
