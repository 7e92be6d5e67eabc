/// Makes a glTF file that has something of everything.

#include "gltf_read/rich_asset.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace effigy::gltf_test {
namespace {

constexpr int u16 = 5123, f32 = 5126;

}  // namespace

AssetBuilder rich_asset() {
    AssetBuilder b;
    const auto floats = [&](const std::vector<float>& values, const char* type, std::size_t count) {
        return b.accessor(packed(values), f32, type, count);
    };
    const auto positions = floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    const auto texcoords = floats({0, 0, 1, 0, 0, 1}, "VEC2", 3);
    const auto joints =
        b.accessor(packed(std::vector<std::uint16_t>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}), u16, "VEC4", 3);
    const auto weights = floats({0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 3);
    const auto indices = b.accessor(packed(std::vector<std::uint16_t>{0, 1, 2}), u16, "SCALAR", 3);
    const auto moved_at = b.view(packed(std::vector<std::uint16_t>{1}));
    const auto moved_by = b.view(packed(std::vector<float>{0, 0, 1}));
    const auto target = b.accessor({{"componentType", f32},
                                    {"type", "VEC3"},
                                    {"count", 3},
                                    {"sparse",
                                     {{"count", 1},
                                      {"indices", {{"bufferView", moved_at}, {"componentType", u16}}},
                                      {"values", {{"bufferView", moved_by}}}}}});
    std::vector<float> matrices;
    for (int i = 0; i < 2; ++i) matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    const auto binds = floats(matrices, "MAT4", 2);
    const auto times = floats({0, 1}, "SCALAR", 2);
    const auto turns = floats({0, 0, 0, 1, 0, 1, 0, 0}, "VEC4", 2);
    const auto picture = b.view(std::string("\x89PNG\r\n\x1a\n\0\0\0\0IEND\xae\x42\x60\x82", 20));
    b.root["images"] = {{{"bufferView", picture}, {"mimeType", "image/png"}}};
    b.root["textures"] = {{{"source", 0}}};
    b.root["materials"] = {{{"name", "skin"}, {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    const json primitive = {
        {"attributes",
         {{"POSITION", positions}, {"TEXCOORD_0", texcoords}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
        {"indices", indices},
        {"material", 0},
        {"targets", {{{"POSITION", target}}}}};
    b.root["meshes"] = {{{"primitives", {primitive}}, {"extras", {{"targetNames", {"smile"}}}}}};
    b.root["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", binds}}};
    b.root["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"name", "hip"}, {"children", {2}}}, {{"name", "knee"}}};
    b.root["scenes"] = {{{"nodes", {0, 1}}}};
    b.root["scene"] = 0;
    b.root["animations"] = {{{"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
                             {"samplers", {{{"input", times}, {"output", turns}}}}}};
    return b;
}

}  // namespace effigy::gltf_test
