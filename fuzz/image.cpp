// Any bytes as a picture: a diagnostic or a picture of the size it declares, within the limit.

#include "effigy/image.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    effigy::Limits limits;
    limits.memory = std::uint64_t{64} * 1024 * 1024;
    const auto picture = effigy::image::decode(std::as_bytes(std::span(data, size)), limits);
    if (picture) {
        const std::uint64_t bytes = std::uint64_t{picture->width} * picture->height * 4;
        if (picture->rgba.size() != bytes || bytes > limits.memory) std::abort();
    }
    return 0;
}
