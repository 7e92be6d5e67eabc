/// Whether Embree can be opened, and what is said if it cannot.

#include "effigy/render.hpp"

#include "embree_library.hpp"

namespace effigy::render {

std::string missing_component() {
    const auto library = open_embree();
    return library ? std::string() : library.error().message;
}

}  // namespace effigy::render
