/// Stands in for child.cpp and gallery.cpp where a program can neither start others nor be reached, as in Node.

#include "child.hpp"
#include "gallery.hpp"

namespace effigy::app {

bool start_apart(const std::string& /*program*/, const std::vector<std::string>& /*arguments*/) { return false; }

int serve_gallery(const GalleryArguments& /*arguments*/) {
    return fail_usage("view",
                      "--serve needs processes and a network, which WebAssembly has not; the program that is built for "
                      "this machine has both");
}

}  // namespace effigy::app
