// Each rule is broken once, and nothing else is said.

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/x42.hpp"

#include "rule_tables.hpp"
#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::test {
namespace {

using Codes = std::set<std::string>;
using x42::File;
using x42::KeyType;
using x42::Section;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint16_t add_string(File& file, std::string_view text) {
    const auto begin = static_cast<std::uint16_t>(file.strings.size());
    file.strings.insert(file.strings.end(), text.begin(), text.end());
    file.strings.push_back('\0');
    return begin;
}

void add_keys(File& file) {
    for (std::uint16_t bone = 0; bone < 2; ++bone) {
        for (const KeyType type : {KeyType::position, KeyType::scale, KeyType::rotation}) {
            const bool turns = bone == 1 && type == KeyType::rotation;
            const std::uint16_t value = type == KeyType::position ? bone : 0;
            file.keys.push_back({type, bone, 0, value});
            file.keys.push_back(turns ? x42::Key{type, bone, 5, 1} : x42::Key{type, bone, 9, value});
        }
    }
    file.keys.push_back({KeyType::rotation, 1, 9, 0});
}

x42::Group make_group(File& file, const char* material, std::uint16_t weights, x42::PrimitiveType type) {
    x42::Group group;
    group.material = add_string(file, material);
    group.surface = group.material;
    group.vertex_influences = weights;
    group.type = type;
    group.first_vertex = static_cast<std::uint32_t>(file.vertices.size());
    group.vertex_count = 4;
    group.first_index = static_cast<std::uint32_t>(file.indices.size());
    return group;
}

/// A square of two triangles that follows nothing, and a strip of which each vertex follows two bones.
void add_groups(File& file) {
    x42::Group still = make_group(file, "still", 0, x42::PrimitiveType::triangles);
    still.influence_count = 1;
    still.influences[0] = 2;
    still.element_count = 6;
    file.groups.push_back(still);
    const auto add_vertices = [&] {
        for (const x42::PackedVec3 vertex : {x42::PackedVec3{0, 0, 0}, x42::PackedVec3{65530, 0, 0},
                                             x42::PackedVec3{0, 65530, 0}, x42::PackedVec3{65530, 65530, 65530}}) {
            file.vertices.push_back(vertex);
            file.normals.push_back({0, 0, 127});
            file.tangents.push_back({127, 0, 0, -127, 0, 127, 0});
            file.texcoords.push_back({vertex[0], vertex[1]});
            file.colors.push_back({1, 2, 3, 4});
        }
    };
    add_vertices();
    for (const int index : {0, 1, 2, 2, 1, 3}) file.indices.push_back(static_cast<std::uint16_t>(index));
    x42::Group moved = make_group(file, "moved", 2, x42::PrimitiveType::triangle_strip);
    moved.influence_count = 2;
    moved.influences[1] = 1;
    moved.element_count = 4;
    file.groups.push_back(moved);
    add_vertices();
    for (const int index : {0, 1, 2, 3}) file.indices.push_back(static_cast<std::uint16_t>(index));
    for (int vertex = 0; vertex < 4; ++vertex)
        for (const int byte : {0, 100, 1}) file.blend.push_back(static_cast<std::byte>(byte));
}

File sound() {
    File file;
    file.header.model_flags = x42::has_normals | x42::has_tangents | x42::has_texcoords | x42::has_colors;
    file.header.frame_count = 10;
    file.header.bounds_low = {-1, -1, -1};
    file.header.bounds_high = {1, 1, 1};
    file.header.sphere_radius = 2;
    file.pack.animation_positions = {{{0, 1}, {0, 1}, {0, 1}}};
    file.pack.animation_scales = {1, 2};
    file.pack.vertex_positions = {{{-1, 1}, {-1, 1}, {-1, 1}}};
    file.pack.texcoords = {{{0, 1}, {0, 1}}};
    file.bones.push_back({add_string(file, "root"), 0, x42::no_bone, 0, 1});
    file.bones.push_back({add_string(file, "arm"), 0, 0, 0, 1});
    file.animation_groups.push_back({add_string(file, "legs"), 0, 1});
    file.animation_groups.push_back({add_string(file, "torso"), 1, 2});
    file.positions = {{0, 0, 0}, {1, 2, 3}};
    file.scales = {0, 0, 0};
    file.rotations = {{0, 0, 0, 32767}, {32767, 0, 0, 0}};
    add_keys(file);
    file.animations.push_back({add_string(file, "walk"), 0, 9, 2, 9, 30});
    file.tags.push_back({add_string(file, "tag_weapon"), 1, x42::identity});
    for (const std::uint16_t bone : {std::uint16_t{0}, std::uint16_t{1}, x42::no_bone})
        file.influences.push_back({bone, 0, x42::identity});
    add_groups(file);
    file.lods.push_back({add_string(file, "near"), 0, 1});
    file.lods.push_back({add_string(file, "far"), 1, 1});
    return file;
}

File sound_with_morphs() {
    File file = sound();
    file.version = x42::version_6;
    x42::Morphs& morphs = file.morphs;
    morphs.layout = x42::MorphLayout::small;
    morphs.targets.push_back({add_string(file, "smile"), 0, 0, 2});
    morphs.targets.push_back({add_string(file, "frown"), 0, 2, 1});
    morphs.indices = {0, 3, 0};
    morphs.positions.resize(3, x42::PackedVec3{});
    morphs.normals.resize(3, x42::PackedNormal{});
    morphs.tangents.resize(3, x42::PackedTangent{});
    return file;
}

Codes codes_of(const Report& report) {
    Codes codes;
    for (const Diagnostic& finding : report.diagnostics()) {
        EXPECT_NE(finding.message, "") << finding.code;
        codes.insert(finding.code);
    }
    return codes;
}

struct Case {
    const char* code;
    std::function<void(File&)> change;
    bool with_morphs = false;
};

std::byte& blend_byte(File& file, std::size_t vertex, std::size_t place) { return file.blend[3 * vertex + place]; }

/// The only track with three keys: of the second bone's rotation.
x42::Key& third_key(File& file) { return file.keys.back(); }

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"x42-missing", [](File& f) { f.missing[static_cast<std::size_t>(Section::strings)] = 3; }},
        {"x42-version", [](File& f) { f.version = 255; }},
        {"x42-trailing", [](File& f) { f.trailing.resize(2, std::byte{0}); }},
        {"x42-array-size", [](File& f) { f.normals.pop_back(); }},
        {"x42-array-size", [](File& f) { f.header.model_flags &= 0xfff7; }},
        {"x42-array-size", [](File& f) { f.blend.push_back({}); }},
        {"x42-array-size", [](File& f) { f.scales.push_back(0); }},
        {"x42-array-size", [](File& f) { f.morphs.normals.clear(); }, true},
        {"x42-flags", [](File& f) { f.header.model_flags |= 0x10; }},
        {"x42-frames", [](File& f) { f.header.frame_count = 0; }},
        {"x42-base-frame",
         [](File& f) {
             f.header.base_frame = -1;
             f.animations[0] = {f.animations[0].name, 0, 8, x42::no_loop, 77, 30};
         }},
        {"x42-not-finite", [](File& f) { f.bones[0].extent = nan; }},
        {"x42-not-finite", [](File& f) { f.tags[0].matrix[11] = infinity; }},
        {"x42-not-finite", [](File& f) { f.influences[1].mesh_to_bone[0] = nan; }},
        {"x42-not-finite", [](File& f) { f.header.bounds_low.y = nan; }},
        {"x42-not-finite", [](File& f) { f.header.sphere_center.z = infinity; }},
        {"x42-not-finite", [](File& f) { f.header.sphere_radius = nan; }},
        {"x42-range",
         [](File& f) {
             f.pack.animation_positions[1] = {1, 0};
         }},
        {"x42-range", [](File& f) { f.pack.animation_scales.high = nan; }},
        {"x42-range", [](File& f) { f.pack.vertex_positions[2].low = -infinity; }},
        {"x42-range",
         [](File& f) {
             f.pack.texcoords[0] = {-3e38f, 3e38f};
         }},
        {"x42-range",
         [](File& f) {
             f.pack.texcoords[0] = {0, 1e37f};
         }},
        {"x42-range", [](File& f) { f.pack.morph_positions[0].low = 1; }, true},
        {"x42-code-high", [](File& f) { f.positions[0][1] = 65531; }},
        {"x42-code-high", [](File& f) { f.scales[2] = 65535; }},
        {"x42-code-high", [](File& f) { f.vertices[3][2] = 65531; }},
        {"x42-code-high", [](File& f) { f.texcoords[1][0] = 65531; }},
        {"x42-bounds", [](File& f) { f.header.bounds_high.x = 0.9f; }},
        {"x42-bounds", [](File& f) { std::swap(f.header.bounds_high, f.header.bounds_low); }},
        {"x42-sphere", [](File& f) { f.header.sphere_radius = 1.7f; }},
        {"x42-sphere", [](File& f) { f.header.sphere_radius = -2; }},
        {"x42-name-range", [](File& f) { f.bones[1].name = static_cast<std::uint16_t>(f.strings.size()); }},
        {"x42-name-range", [](File& f) { f.groups[1].surface = 0xffff; }},
        {"x42-name-range", [](File& f) { f.tags[0].name = 5000; }},
        {"x42-name-range", [](File& f) { f.lods[0].name = 5000; }},
        {"x42-name-range", [](File& f) { f.animations[0].name = 5000; }},
        {"x42-name-range", [](File& f) { f.animation_groups[0].name = 5000; }},
        {"x42-name-range", [](File& f) { f.morphs.targets[1].name = 5000; }, true},
        {"x42-name-end",
         [](File& f) {
             f.lods[1].name = static_cast<std::uint16_t>(f.strings.size());
             f.strings.push_back('x');
             f.missing[static_cast<std::size_t>(Section::strings)] = 0;
         }},
        {"x42-strings-end", [](File& f) { f.strings.push_back('x'); }},
        {"x42-name-duplicate", [](File& f) { f.bones[1].name = f.bones[0].name; }},
        {"x42-name-duplicate", [](File& f) { f.bones[1].name = add_string(f, "root"); }},
        {"x42-name-duplicate",
         [](File& f) {
             f.tags.push_back({add_string(f, "TAG_Weapon"), x42::no_bone, x42::identity});
         }},
        // What stands behind the first 256 characters is not looked at.
        {"x42-name-duplicate",
         [](File& f) {
             f.bones[0].name = add_string(f, std::string(256, 'a') + "b");
             f.bones[1].name = add_string(f, std::string(256, 'a') + "c");
         }},
        {"x42-name-duplicate", [](File& f) { f.animation_groups[1].name = f.animation_groups[0].name; }},
        {"x42-name-duplicate", [](File& f) { f.animations.push_back(f.animations[0]); }},
        {"x42-name-duplicate", [](File& f) { f.morphs.targets[1].name = f.morphs.targets[0].name; }, true},
        {"x42-parent-range", [](File& f) { f.bones[1].parent = 2; }},
        {"x42-parent-order", [](File& f) { f.bones[1].parent = 1; }},
        {"x42-parent-order", [](File& f) { f.bones[0].parent = 1; }},
        {"x42-bone-flags", [](File& f) { f.bones[0].flags = 2; }},
        {"x42-inverse-parent-scale", [](File& f) { f.bones[0].flags = 1; }},
        {"x42-extent", [](File& f) { f.bones[0].extent = -1; }},
        {"x42-animation-group-range", [](File& f) { f.animation_groups[1].end_bone = 3; }},
        {"x42-animation-group-range",
         [](File& f) {
             f.animation_groups.push_back({add_string(f, "hands"), 2, 1});
         }},
        {"x42-animation-group-count",
         [](File& f) {
             for (int i = 0; i < 31; ++i) f.animation_groups.push_back({add_string(f, std::to_string(i)), 2, 2});
         }},
        {"x42-animation-group-overlap", [](File& f) { f.animation_groups[1].begin_bone = 0; }},
        {"x42-animation-group-loose", [](File& f) { f.animation_groups.pop_back(); }},
        {"x42-rotation-length",
         [](File& f) {
             f.rotations[1] = {0, 0, 0, 0};
         }},
        {"x42-rotation-length", [](File& f) { f.rotations[1][1] = 10000; }},
        {"x42-value-unused", [](File& f) { f.positions.push_back({}); }},
        {"x42-value-unused", [](File& f) { f.scales.resize(6, 0); }},
        {"x42-keys-short",
         [](File& f) {
             f.keys.resize(11);
             f.rotations.pop_back();
         }},
        {"x42-key-type", [](File& f) { f.keys[1].type = static_cast<KeyType>(3); }},
        {"x42-key-bone", [](File& f) { f.keys[1].bone = 2; }},
        {"x42-key-value", [](File& f) { f.keys[3].value = 1; }},
        {"x42-key-frame", [](File& f) { third_key(f).frame = 10; }},
        {"x42-key-head", [](File& f) { f.keys[2].type = KeyType::position; }},
        {"x42-key-order", [](File& f) { third_key(f).frame = 5; }},
        {"x42-key-order",
         [](File& f) {
             f.keys[1] = {KeyType::position, 0, 0, 1};
         }},
        {"x42-key-repeated",
         [](File& f) {
             const x42::Key again = third_key(f);
             f.keys.push_back(again);
         }},
        {"x42-key-need-order",
         [](File& f) {
             f.keys[3].frame = 4;
             f.keys.push_back({KeyType::scale, 0, 9, 0});
         }},
        {"x42-key-first", [](File& f) { f.keys[0].frame = 1; }},
        {"x42-key-last", [](File& f) { third_key(f).frame = 8; }},
        {"x42-animation-range", [](File& f) { f.animations[0].last_frame = 10; }},
        {"x42-animation-range",
         [](File& f) {
             f.header.base_frame = 1;
             f.animations[0].last_frame = 10;
         }},
        {"x42-animation-range", [](File& f) { f.animations[0].loop_end = x42::no_loop; }},
        {"x42-loop-order", [](File& f) { f.animations[0].loop_end = 1; }},
        {"x42-loop-order", [](File& f) { std::swap(f.animations[0].first_frame, f.animations[0].last_frame); }},
        {"x42-loop-range", [](File& f) { f.animations[0].first_frame = 3; }},
        {"x42-frame-rate", [](File& f) { f.animations[0].frame_rate = 0; }},
        {"x42-frame-rate", [](File& f) { f.animations[0].frame_rate = 4800; }},
        {"x42-tag-bone", [](File& f) { f.tags[0].bone = 2; }},
        {"x42-influence-bone", [](File& f) { f.influences[0].bone = 2; }},
        {"x42-influence-singular",
         [](File& f) { f.influences[0].mesh_to_bone = {1, 2, 3, 0, 1, 0, 1, 3, 3, 0, 0, 0}; }},
        {"x42-lod-range", [](File& f) { f.lods[1].group_count = 2; }},
        {"x42-lod-order", [](File& f) { std::swap(f.lods[0], f.lods[1]); }},
        {"x42-lod-overlap", [](File& f) { f.lods[0].group_count = 2; }},
        {"x42-lod-loose", [](File& f) { f.lods.pop_back(); }},
        {"x42-group-palette", [](File& f) { f.groups[1].influence_count = 61; }},
        {"x42-group-influence", [](File& f) { f.groups[1].influences[1] = 3; }},
        {"x42-group-weights",
         [](File& f) {
             f.groups[1].vertex_influences = 5;
             f.blend.resize(9 * 4, std::byte{0});
         }},
        {"x42-group-static", [](File& f) { f.groups[0].influences[0] = 0; }},
        {"x42-group-static", [](File& f) { f.influences[2].mesh_to_bone[9] = 1; }},
        {"x42-group-vertices",
         [](File& f) {
             f.groups[0].first_vertex = 8;
             f.groups[1].first_vertex = 0;
             f.groups[1].vertex_count = 8;
             f.blend.insert(f.blend.end(), 3 * 4, std::byte{0});
             for (std::size_t vertex = 4; vertex < 8; ++vertex) blend_byte(f, vertex, 2) = std::byte{1};
         }},
        {"x42-group-overlap", [](File& f) { f.groups[0].vertex_count = 5; }},
        {"x42-group-wide",
         [](File& f) {
             f.groups[1].vertex_count = 70000;
             f.blend.resize(3 * 70000, std::byte{0});
             f.vertices.resize(70004, x42::PackedVec3{});
             f.normals.resize(70004, x42::PackedNormal{1, 0, 0});
             f.tangents.resize(70004, f.tangents[0]);
             f.texcoords.resize(70004, x42::PackedVec2{});
             f.colors.resize(70004, x42::PackedColor{});
             for (std::size_t vertex = 0; vertex < 70000; ++vertex) blend_byte(f, vertex, 2) = std::byte{1};
         }},
        {"x42-vertex-loose",
         [](File& f) {
             f.groups[0].vertex_count = 3;
             f.indices[5] = 0;
         }},
        {"x42-group-type", [](File& f) { f.groups[0].type = static_cast<x42::PrimitiveType>(2); }},
        {"x42-group-type", [](File& f) { f.groups[0].type = static_cast<x42::PrimitiveType>(7); }},
        {"x42-group-elements", [](File& f) { f.groups[1].first_index = 7; }},
        {"x42-group-elements",
         [](File& f) {
             f.groups[1].first_index = x42::no_indices;
             f.groups[1].element_count = 5;
         }},
        {"x42-group-incomplete", [](File& f) { f.groups[0].element_count = 5; }},
        {"x42-group-incomplete",
         [](File& f) {
             f.groups[0].type = x42::PrimitiveType::lines;
             f.groups[0].element_count = 5;
         }},
        {"x42-group-incomplete", [](File& f) { f.groups[1].element_count = 2; }},
        {"x42-group-points", [](File& f) { f.groups[1].type = x42::PrimitiveType::points; }},
        {"x42-index-range", [](File& f) { f.indices[9] = 4; }},
        {"x42-blend-index", [](File& f) { blend_byte(f, 1, 0) = std::byte{2}; }},
        {"x42-blend-index", [](File& f) { blend_byte(f, 1, 2) = std::byte{2}; }},
        {"x42-weight-sum",
         [](File& f) {
             f.groups[1].vertex_influences = 3;
             f.groups[1].influence_count = 3;
             f.groups[1].influences[2] = 2;
             f.blend.clear();
             for (int vertex = 0; vertex < 4; ++vertex)
                 for (const int byte : {0, 200, 1, 56, 2}) f.blend.push_back(static_cast<std::byte>(byte));
         }},
        {"x42-blend-repeated", [](File& f) { blend_byte(f, 1, 2) = std::byte{0}; }},
        {"x42-normal-length", [](File& f) { f.normals[1] = {}; }},
        {"x42-tangent-length", [](File& f) { f.tangents[1][0] = 0; }},
        {"x42-tangent-length", [](File& f) { f.tangents[1][5] = 0; }},
        {"x42-tangent-sign", [](File& f) { f.tangents[1][3] = 1; }},
        {"x42-morphs-undetermined",
         [](File& f) {
             f.version = x42::version_6;
             f.morphs.layout = x42::MorphLayout::undetermined;
             f.morphs.opaque.resize(7, std::byte{0});
         }},
        {"x42-morph-range", [](File& f) { f.morphs.targets[1].delta_count = 2; }, true},
        {"x42-morph-overlap",
         [](File& f) {
             f.morphs.targets[1].first_delta = 0;
             f.morphs.targets[1].delta_count = 3;
         },
         true},
        {"x42-morph-index", [](File& f) { f.morphs.indices[2] = 8; }, true},
        {"x42-morph-repeated", [](File& f) { f.morphs.indices[1] = 0; }, true},
    };
    return all;
}

TEST(X42Check, SoundFilesHaveNoFindings) {
    EXPECT_EQ(codes_of(x42::check(sound())), Codes{});
    EXPECT_EQ(codes_of(x42::check(sound_with_morphs())), Codes{"x42-version"}) << "no game loads version 6";
}

TEST(X42Check, EachBreachIsReportedAlone) {
    std::map<std::string_view, int> numbers;
    for (const Case& one : cases()) {
        SCOPED_TRACE(std::string(one.code) + ", case " + std::to_string(++numbers[one.code]));
        File file = one.with_morphs ? sound_with_morphs() : sound();
        one.change(file);
        Codes expected{one.code};
        if (file.version != x42::version_5) expected.insert("x42-version");
        EXPECT_EQ(codes_of(x42::check(file)), expected);
    }
}

TEST(X42Check, FindingsHaveOffsets) {
    for (const Case& one : cases()) {
        File file = one.with_morphs ? sound_with_morphs() : sound();
        one.change(file);
        const Report report = x42::check(file);
        for (const Diagnostic& finding : report.diagnostics()) {
            // What is not there stands nowhere, and behind an array that does not fit nothing can be found.
            if (finding.code == "x42-missing" || finding.code == "x42-array-size") continue;
            EXPECT_NE(finding.offset, no_offset) << to_string(finding);
        }
    }
}

TEST(X42CheckRules, AreAllTested) {
    Codes tested;
    for (const Case& one : cases()) tested.insert(one.code);
    expect_all_tested(codes_in({"x42 model"}), tested);
}

// What is no mistake though it looks like one.
TEST(X42Check, AllowsWhatTheFormatAllows) {
    const auto after = [](auto&& change) {
        File file = sound();
        change(file);
        return codes_of(x42::check(file));
    };
    // A motionless model has one frame, and both keys of a track at it.
    EXPECT_EQ(after([](File& f) {
                  f.header.frame_count = 1;
                  f.animations.clear();
                  for (x42::Key& key : f.keys)
                      key = {key.type, key.bone, 0, key.type == KeyType::position ? key.bone : std::uint16_t{0}};
                  f.rotations.resize(1);
              }),
              Codes{});
    // Every track has two keys, also one that never changes.
    EXPECT_EQ(after([](File& f) { f.keys[1].frame = 0; }), Codes{});
    // Nothing changes behind the last key.
    EXPECT_EQ(after([](File& f) { f.keys[1].frame = 4; }), Codes{});
    // Played backwards, loop and all.
    EXPECT_EQ(after([](File& f) { f.animations[0] = {f.animations[0].name, 9, 0, 7, 3, 30}; }), Codes{});
    // What ends a loop that does not exist.
    EXPECT_EQ(after([](File& f) {
                  f.animations[0].loop_start = x42::no_loop;
                  f.animations[0].loop_end = 1234;
              }),
              Codes{});
    // Frames count from the base.
    EXPECT_EQ(after([](File& f) {
                  f.header.base_frame = 1;
                  f.animations[0] = {f.animations[0].name, 1, 10, 2, 10, 30};
              }),
              Codes{});
    // Or from 0, as the keys do, whatever the base is.
    for (const std::int16_t base : {std::int16_t{1}, std::int16_t{-3}})
        EXPECT_EQ(after([&](File& f) { f.header.base_frame = base; }), Codes{"animation-base-frame"}) << base;
    // Terms that weigh nothing fill up.
    EXPECT_EQ(after([](File& f) {
                  blend_byte(f, 2, 1) = std::byte{255};
                  blend_byte(f, 2, 2) = std::byte{0};
              }),
              Codes{});
    // Ranges of what is not there.
    EXPECT_EQ(after([](File& f) {
                  f.header.model_flags &= static_cast<std::uint16_t>(~x42::has_texcoords);
                  f.texcoords.clear();
                  f.pack.texcoords[0] = {infinity, -infinity};
              }),
              Codes{});
    // The file's order of vertices is free.
    EXPECT_EQ(after([](File& f) { std::swap(f.groups[0].first_vertex, f.groups[1].first_vertex); }), Codes{});
}

TEST(X42Check, EmptyFileIsNotSound) { EXPECT_EQ(codes_of(x42::check(File{})), Codes{"x42-frames"}); }

TEST(X42Check, CutOffFilesAreNotBlamedForWhatIsMissing) {
    File file = sound();
    const auto lose = [&](auto& array, Section section, std::size_t rest) {
        file.missing[static_cast<std::size_t>(section)] = array.size() - rest;
        array.resize(rest);
    };
    lose(file.vertices, Section::vertices, 3);
    lose(file.blend, Section::blend, 0);
    lose(file.normals, Section::normals, 0);
    lose(file.tangents, Section::tangents, 0);
    lose(file.texcoords, Section::texcoords, 0);
    lose(file.colors, Section::colors, 0);
    lose(file.indices, Section::indices, 0);
    lose(file.strings, Section::strings, 0);
    file.trailing.resize(5, std::byte{0});
    const Report report = x42::check(file);
    EXPECT_EQ(codes_of(report), Codes{"x42-missing"});
    EXPECT_EQ(report.diagnostics().size(), 1u);
    EXPECT_TRUE(x42::check_after_reading(file).empty());
}

/// Read from their bytes, so that offsets are those of the file.
File reference(const char* name) {
    auto loaded = x42::read_file(std::string(EFFIGY_SOURCE_DIR "/tests/x42/reference/") + name + ".x42");
    EXPECT_TRUE(loaded) << name;
    return loaded ? std::move(loaded->value) : File{};
}

TEST(X42Check, ReferenceFilesHaveNoErrors) {
    for (const char* name : {"be_full", "le_full", "le_nonorm", "le_notc", "le_uniform"}) {
        const Report report = x42::check(reference(name));
        EXPECT_FALSE(report.has_errors()) << name;
        for (const Diagnostic& finding : report.diagnostics())
            EXPECT_TRUE(finding.path.empty() || finding.offset != no_offset) << to_string(finding);
        const Codes tolerated{"x42-value-unused", "x42-blend-repeated"};
        for (const std::string& code : codes_of(report)) EXPECT_TRUE(tolerated.contains(code)) << name << ": " << code;
    }
}

TEST(X42Check, OffsetsAreThoseOfTheFile) {
    File file = reference("le_full");
    file.bones[3].parent = 99;
    const Report report = x42::check(file);
    const auto found = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                    [](const Diagnostic& finding) { return finding.code == "x42-parent-range"; });
    ASSERT_NE(found, report.diagnostics().end());
    EXPECT_EQ(found->offset, 160u + 3 * 12 + 4);
    EXPECT_EQ(found->path, "bone[3] / parent");
}

TEST(X42Check, BulkDamageIsOneFinding) {
    File file = sound();
    for (std::uint16_t& index : file.indices) index = 9;
    for (x42::PackedNormal& normal : file.normals) normal = {};
    const Report report = x42::check(file);
    EXPECT_EQ(report.count("x42-index-range"), 1u);
    EXPECT_EQ(report.count("x42-normal-length"), 1u);
    EXPECT_THAT(report.diagnostics().back().found, testing::HasSubstr("8"));
}

/// 65535 records of each kind that all use all of everything: what takes too long for one of them never ends for all.
TEST(X42Check, CopesWithRecordsThatShareEverything) {
    constexpr std::size_t many = 65535;
    File file = sound();
    file.strings.assign(many, 'a');
    file.strings.back() = '\0';
    file.bones.resize(many, x42::Bone{0, 0, 0, 0, 1});
    file.animation_groups.resize(many, x42::AnimationGroup{1, 0, 0xffff});
    file.tags.resize(many, x42::Tag{2, 0, x42::identity});
    file.influences.resize(many, file.influences[0]);
    file.lods.resize(many, x42::Lod{3, 0, 0xffff});
    file.indices.resize(std::size_t{1} << 20, 1);
    file.indices.back() = 60000;
    x42::Group group = file.groups[0];
    group.first_index = 0;
    group.element_count = static_cast<std::uint32_t>(file.indices.size());
    group.vertex_count = 0xffffffff;
    group.vertex_influences = 0xffff;
    group.influence_count = 0xffff;
    file.groups.assign(many, group);
    file.keys.resize(many, file.keys[0]);
    file.morphs = sound_with_morphs().morphs;
    file.morphs.targets.assign(many, x42::MorphTarget{0, 0, 0, 3});
    for (std::size_t i = 0; i < many; ++i) {
        file.bones[i].name = static_cast<std::uint16_t>(i);
        file.tags[i].name = static_cast<std::uint16_t>(i);
    }
    const Report report = x42::check(file);
    EXPECT_TRUE(report.has_errors());
    EXPECT_LE(report.diagnostics().size(), Report::max_per_code * codes_in({"x42 model"}).size());
}

TEST(X42Check, NamesThatEndAlikeDiffer) {
    File file = sound();
    file.bones[1].name = static_cast<std::uint16_t>(file.bones[0].name + 1);  // "oot"
    EXPECT_EQ(codes_of(x42::check(file)), Codes{});
}

}  // namespace
}  // namespace effigy::test
