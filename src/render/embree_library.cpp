/// Embree opened with dlopen when a picture is drawn, its functions taken by name.

#include "embree_library.hpp"

#include <dlfcn.h>
#include <string>

#include "effigy/playback_codes.hpp"

#include "embree_api.hpp"
#include "problem.hpp"

namespace effigy::render {
namespace {

Diagnostic unavailable(const char* name, const std::string& why) {
    return problem(codes::render_unavailable,
                   "pictures are drawn with Embree 3, whose library '" + std::string(name) +
                       "' cannot be used here: install it (Debian: libembree3-3); nothing else needs it",
                   why);
}

/// Takes functions out of a library and remembers the first one that it does not have.
class Symbols {
public:
    explicit Symbols(void* library) : library_(library) {}

    template <class Function>
    void take(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr && missing_.empty()) missing_ = name;
    }
    [[nodiscard]] const std::string& missing() const noexcept { return missing_; }

private:
    void* library_;
    std::string missing_;
};

}  // namespace

Result<std::shared_ptr<const Embree>> open_embree(const char* name) {
    // Once loaded it stays: its worker threads may outlive any renderer.
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
        const char* why = dlerror();
        return fail(unavailable(name, why != nullptr ? why : ""));
    }
    auto embree = std::make_shared<Embree>();
    Symbols symbols(library);
    symbols.take(embree->new_device, "rtcNewDevice");
    symbols.take(embree->release_device, "rtcReleaseDevice");
    symbols.take(embree->get_device_error, "rtcGetDeviceError");
    symbols.take(embree->new_scene, "rtcNewScene");
    symbols.take(embree->release_scene, "rtcReleaseScene");
    symbols.take(embree->set_scene_flags, "rtcSetSceneFlags");
    symbols.take(embree->commit_scene, "rtcCommitScene");
    symbols.take(embree->new_geometry, "rtcNewGeometry");
    symbols.take(embree->release_geometry, "rtcReleaseGeometry");
    symbols.take(embree->set_shared_geometry_buffer, "rtcSetSharedGeometryBuffer");
    symbols.take(embree->commit_geometry, "rtcCommitGeometry");
    symbols.take(embree->attach_geometry, "rtcAttachGeometry");
    symbols.take(embree->intersect1, "rtcIntersect1");
    symbols.take(embree->intersect8, "rtcIntersect8");
    symbols.take(embree->occluded8, "rtcOccluded8");
    dlclose(library);
    if (!symbols.missing().empty()) return fail(unavailable(name, "it has no " + symbols.missing()));
    return embree;
}

}  // namespace effigy::render
