/// Weights of skins that do not add up to 1, as glTF wants it: what shows them differs in what it makes of them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene.hpp"
#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "gltf/read/context.hpp"

namespace effigy::gltf {
namespace {

/// What rounding to steps of 1/255 leaves, or what can be seen of floats.
double tolerance_of(const Mesh& mesh) {
    const bool is_rounded = std::any_of(mesh.attributes.begin(), mesh.attributes.end(), [](const Attribute& one) {
        return one.semantic == Semantic::weights && one.data.component != ComponentType::f32;
    });
    return is_rounded ? 0.02 : 0.001;
}

/// Of each vertex, what its weights are to be multiplied by; 1 where they are right, or where none has any.
Bulk<float> factors_of(const Mesh& mesh, std::size_t& uneven) {
    Bulk<float> factors(mesh.vertex_count, 0);
    for (const Attribute& one : mesh.attributes) {
        if (one.semantic != Semantic::weights) continue;
        const FloatView weights(&one);
        const std::size_t width = weights.width();
        for (std::size_t i = 0; i < weights.values().size(); ++i) factors[i / width] += weights.values()[i];
    }
    const double tolerance = tolerance_of(mesh);
    for (float& sum : factors) {
        const bool is_uneven = sum > std::numeric_limits<float>::min() && std::abs(double{sum} - 1) > tolerance;
        sum = is_uneven ? 1 / sum : 1;
        uneven += is_uneven ? 1u : 0u;
    }
    return factors;
}

template <class T>
void multiply(Attribute& weights, const Bulk<float>& factors) {
    const std::span<T> values = weights.data.as<T>();
    const std::size_t width = component_count(weights.data.element);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float product = static_cast<float>(values[i]) * factors[i / width];
        if constexpr (std::is_integral_v<T>) {
            constexpr auto most = static_cast<float>(std::numeric_limits<T>::max());
            values[i] = static_cast<T>(std::min(std::round(product), most));
        } else {
            values[i] = product;
        }
    }
}

}  // namespace

void normalize_weights(Reading& reading, Index number) {
    Mesh& mesh = reading.scene.meshes[number];
    if (mesh.extras.hash != 0) return;
    std::size_t uneven = 0;
    const Bulk<float> factors = factors_of(mesh, uneven);
    if (uneven == 0) return;
    for (Attribute& one : mesh.attributes) {
        if (one.semantic != Semantic::weights) continue;
        switch (one.data.component) {
            case ComponentType::f32:
                multiply<float>(one, factors);
                break;
            case ComponentType::u8:
                multiply<std::uint8_t>(one, factors);
                break;
            case ComponentType::u16:
                multiply<std::uint16_t>(one, factors);
                break;
            default:
                break;
        }
    }
    reading.note(codes::gltf_weights, element_path("meshes", number) + " / WEIGHTS_0", {},
                 std::to_string(uneven) + " vertices", "a sum of 1");
}

}  // namespace effigy::gltf
