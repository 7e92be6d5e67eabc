/// Makes small X42 models in memory, and looks at their scenes.

#include "x42/scene_files.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <utility>

#include "scene/records.hpp"
#include "x42/to_scene/file_records.hpp"

namespace effigy::test::x42 {
namespace {

constexpr effigy::x42::Range whole_numbers{-32765, 32765};

std::uint16_t code(float value) { return static_cast<std::uint16_t>(std::lround(value) + 32765); }

effigy::x42::PackedVec3 codes(Vec3 v) { return {code(v.x), code(v.y), code(v.z)}; }

}  // namespace

FileBuilder::FileBuilder() {
    file.header.frame_count = 2;
    file.pack.animation_positions.fill(whole_numbers);
    file.pack.animation_scales = whole_numbers;
    file.pack.vertex_positions.fill(whole_numbers);
    file.pack.texcoords.fill(whole_numbers);
    file.pack.morph_positions.fill(whole_numbers);
    file.strings.push_back('\0');
}

std::uint16_t FileBuilder::name(const std::string& text) {
    if (text.empty()) return 0;
    const auto place = static_cast<std::uint16_t>(file.strings.size());
    file.strings.insert(file.strings.end(), text.begin(), text.end());
    file.strings.push_back('\0');
    return place;
}

std::uint16_t FileBuilder::bone(const std::string& text, std::uint16_t parent, Vec3 offset) {
    effigy::x42::Bone bone;
    bone.name = name(text);
    bone.parent = parent;
    bone.extent = 7;
    file.bones.push_back(bone);
    offsets_.push_back(offset);
    return static_cast<std::uint16_t>(file.bones.size() - 1);
}

std::uint16_t FileBuilder::influence(std::uint16_t bone, const Matrix& mesh_to_bone) {
    file.influences.push_back({bone, 0, mesh_to_bone});
    return static_cast<std::uint16_t>(file.influences.size() - 1);
}

std::uint16_t FileBuilder::vertex(Vec3 position) {
    file.vertices.push_back(codes(position));
    return static_cast<std::uint16_t>(file.vertices.size() - 1);
}

effigy::x42::Group& FileBuilder::group(const std::string& surface, std::uint32_t first, std::uint32_t count,
                                       std::initializer_list<int> indices) {
    effigy::x42::Group group;
    group.material = name("shader/" + surface);
    group.surface = name(surface);
    group.first_vertex = first;
    group.vertex_count = count;
    group.element_count = count;
    if (indices.size() != 0) {
        group.first_index = static_cast<std::uint32_t>(file.indices.size());
        group.element_count = static_cast<std::uint32_t>(indices.size());
        for (const int index : indices) file.indices.push_back(static_cast<std::uint16_t>(index));
    }
    file.groups.push_back(group);
    return file.groups.back();
}

effigy::x42::Group& FileBuilder::triangle(const std::string& surface, float z) {
    const std::uint16_t first = vertex({0, 0, z});
    vertex({1, 0, z});
    vertex({0, 1, z});
    return group(surface, first, 3, {0, 1, 2});
}

void FileBuilder::blend(std::initializer_list<int> bytes) {
    for (const int byte : bytes) file.blend.push_back(static_cast<std::byte>(byte));
}

void FileBuilder::lod(const std::string& text, int first, int count) {
    file.lods.push_back({name(text), static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)});
}

File FileBuilder::build() const {
    using effigy::x42::KeyType;
    File result = file;
    result.positions.clear();
    for (const Vec3& offset : offsets_) result.positions.push_back(codes(offset));
    result.scales.assign(effigy::x42::scale_width(file.header), code(1));
    result.rotations.assign(1, {0, 0, 0, 32767});
    result.keys.clear();
    for (std::uint16_t bone = 0; bone < result.bones.size(); ++bone) {
        for (const KeyType type : {KeyType::position, KeyType::scale, KeyType::rotation}) {
            const std::uint16_t value = type == KeyType::position ? bone : std::uint16_t{0};
            result.keys.push_back({type, bone, 0, value});
            result.keys.push_back({type, bone, 1, value});
        }
    }
    return result;
}

Matrix moved(Vec3 by) { return {1, 0, 0, 0, 1, 0, 0, 0, 1, by.x, by.y, by.z}; }

effigy::x42::ModelInput model(std::string stem, File file) { return {{std::move(stem), 0, {}}, std::move(file)}; }

Loaded<Scene> convert(effigy::x42::SceneInput input, const effigy::x42::SceneOptions& options) {
    auto loaded = effigy::x42::to_scene(std::move(input), options);
    if (!loaded) {
        ADD_FAILURE() << to_string(loaded.error());
        return {};
    }
    return std::move(*loaded);
}

Loaded<Scene> convert(File file, const effigy::x42::SceneOptions& options) {
    effigy::x42::SceneInput input;
    input.models.push_back(model("char", std::move(file)));
    return convert(std::move(input), options);
}

File kept_file(const Scene& scene) { return kept_file(record_of(scene.asset_extras)); }

File kept_file(Json record) {
    record.erase("parts");
    auto records = effigy::x42::bridge::records_from(record, {});
    EXPECT_TRUE(records);
    return records ? std::move(records->file) : File();
}

Index find(const Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& node) { return node.name == name; });
    if (found == scene.nodes.end()) {
        ADD_FAILURE() << "no node " << name;
        return 0;
    }
    return static_cast<Index>(found - scene.nodes.begin());
}

const Attribute* find(const Mesh& mesh, Semantic semantic) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                    [&](const Attribute& one) { return one.semantic == semantic; });
    return found == mesh.attributes.end() ? nullptr : &*found;
}

glm::dmat4 world(const Scene& scene, Index index) {
    const Node& node = scene.nodes.at(index);
    const auto& [t, r, s] = node.local;
    glm::dmat4 local(glm::mat3_cast(glm::dquat(glm::quat(r.w, r.x, r.y, r.z))));
    const std::array scale{s.x, s.y, s.z};
    for (int i = 0; i < 3; ++i) local[i] *= static_cast<double>(scale[static_cast<std::size_t>(i)]);
    local[3] = glm::dvec4(glm::vec4(t.x, t.y, t.z, 1));
    return node.parent == no_index ? local : world(scene, node.parent) * local;
}

glm::dvec3 place(const Scene& scene, const std::string& name) { return glm::dvec3(world(scene, find(scene, name))[3]); }

Diagnostic finding(const Report& report, const std::string& code) {
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.code == code) return one;
    }
    return {};
}

}  // namespace effigy::test::x42
