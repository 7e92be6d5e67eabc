#pragma once
/// The functions of Embree 3 that are used, with the types that its header gives them.

#include <embree3/rtcore.h>

namespace effigy::render {

struct Embree {
    decltype(&rtcNewDevice) new_device = nullptr;
    decltype(&rtcReleaseDevice) release_device = nullptr;
    decltype(&rtcGetDeviceError) get_device_error = nullptr;
    decltype(&rtcNewScene) new_scene = nullptr;
    decltype(&rtcReleaseScene) release_scene = nullptr;
    decltype(&rtcSetSceneFlags) set_scene_flags = nullptr;
    decltype(&rtcCommitScene) commit_scene = nullptr;
    decltype(&rtcNewGeometry) new_geometry = nullptr;
    decltype(&rtcReleaseGeometry) release_geometry = nullptr;
    decltype(&rtcSetSharedGeometryBuffer) set_shared_geometry_buffer = nullptr;
    decltype(&rtcCommitGeometry) commit_geometry = nullptr;
    decltype(&rtcAttachGeometry) attach_geometry = nullptr;
    decltype(&rtcIntersect1) intersect1 = nullptr;
    decltype(&rtcIntersect8) intersect8 = nullptr;
    decltype(&rtcOccluded8) occluded8 = nullptr;
};

}  // namespace effigy::render
