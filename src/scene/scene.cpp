/// Small services of scenes: sizes of components and elements, children.

#include "effigy/scene.hpp"

namespace effigy {

std::size_t component_size(ComponentType type) noexcept {
    switch (type) {
        case ComponentType::i8:
        case ComponentType::u8:
            return 1;
        case ComponentType::i16:
        case ComponentType::u16:
            return 2;
        case ComponentType::u32:
        case ComponentType::f32:
            return 4;
    }
    return 0;
}

std::size_t component_count(ElementType type) noexcept {
    switch (type) {
        case ElementType::scalar:
            return 1;
        case ElementType::vec2:
            return 2;
        case ElementType::vec3:
            return 3;
        case ElementType::vec4:
            return 4;
        case ElementType::mat4:
            return 16;
    }
    return 0;
}

void add_child(Scene& scene, Index parent, Index child) {
    Node& node = scene.nodes[child];
    if (node.parent != no_index) std::erase(scene.nodes[node.parent].children, child);
    node.parent = parent;
    scene.nodes[parent].children.push_back(child);
}

}  // namespace effigy
