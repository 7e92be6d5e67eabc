/// Every real XMF, ANI and component: converted, judged by the Khronos validator, and its surfaces measured as viewers
/// see them.

#include "corpus/egosoft.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "effigy/egosoft_scene.hpp"

#include "egosoft/scene_builders.hpp"
#include "proof/convert.hpp"
#include "proof/glb.hpp"
#include "proof/judge.hpp"

namespace {

namespace egosoft = effigy::egosoft;
using corpus::EgosoftFile;
using corpus::EgosoftKind;

template <class T>
T value_or_throw(effigy::Result<T> result) {
    if (!result) throw std::runtime_error(effigy::to_string(result.error()));
    return std::move(*result);
}

effigy::Bytes copy_of(const EgosoftFile& file) { return {file.bytes.begin(), file.bytes.end()}; }

effigy::Source source_of(const EgosoftFile& file) { return {file.path.stem().string(), file.bytes.size(), {}}; }

effigy::Scene scene_of_mesh(const EgosoftFile& file) {
    egosoft::SceneInput input;
    input.meshes.push_back({source_of(file), value_or_throw(effigy::xmf::read(file.bytes)).value});
    return value_or_throw(egosoft::to_scene(std::move(input))).value;
}

effigy::Loaded<effigy::Scene> scene_of_component(const EgosoftFile& file) {
    egosoft::SceneInput input;
    input.components.push_back({source_of(file), value_or_throw(egosoft::read_components(copy_of(file))).value});
    const auto files = value_or_throw(egosoft::GameFiles::open({egosoft::root_of(file.path)}));
    input.files = &files.value;
    return value_or_throw(egosoft::to_scene(std::move(input)));
}

TEST(EgosoftCorpus, EveryConversionIsValid) {
    EFFIGY_NEEDS_EGOSOFT_CORPUS();
    if (const std::string why_not = judge::no_validator(); !why_not.empty()) GTEST_SKIP() << why_not;
    judge::Judge judge;
    std::map<EgosoftKind, std::size_t> counts;
    std::size_t still = 0;
    for (const EgosoftFile& file : corpus::egosoft_files()) {
        SCOPED_TRACE(file.name);
        ++counts[file.kind];
        if (file.kind == EgosoftKind::xmf) {
            judge.add(file.path.stem().string(), scene_of_mesh(file));
        } else if (file.kind == EgosoftKind::component) {
            judge.add(file.path.stem().string(), scene_of_component(file).value);
        } else {
            egosoft::SceneInput input;
            input.animations.push_back({source_of(file), value_or_throw(effigy::ani::read(file.bytes)).value});
            const bool empty = input.animations.front().file.animations.empty();
            const auto scene = egosoft::to_scene(std::move(input));
            EXPECT_EQ(scene.has_value(), !empty);
            if (!scene) {
                EXPECT_EQ(scene.error().code, "nothing-to-show");
            }
            if (scene) judge.add(file.path.stem().string(), scene->value);
            still += scene ? 0u : 1u;
        }
    }
    judge.judge();
    std::printf("corpus: %zu GLB files validated: %zu meshes, %zu animations (%zu more hold none), %zu components\n",
                judge.count(), counts[EgosoftKind::xmf], counts[EgosoftKind::ani] - still, still,
                counts[EgosoftKind::component]);
}

/// What of a surface agrees with what it should be.
struct Surface {
    std::size_t faces = 0, agreeing_faces = 0;
    std::size_t corners = 0, agreeing_tangents = 0;
    std::size_t mirrored = 0, agreeing_mirrored = 0;  ///< corners whose sign is certain
    std::size_t others = 0, agreeing_others = 0;

    void add(const Surface& other) {
        faces += other.faces;
        agreeing_faces += other.agreeing_faces;
        corners += other.corners;
        agreeing_tangents += other.agreeing_tangents;
        mirrored += other.mirrored;
        agreeing_mirrored += other.agreeing_mirrored;
        others += other.others;
        agreeing_others += other.agreeing_others;
    }
};

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

Surface measure(const glb::Primitive& primitive) {
    Surface surface;
    if (primitive.normals.empty()) return surface;
    const bool has_tangents =
        !primitive.tangents.empty() && !primitive.tangents.front().empty() && !primitive.uvs.empty();
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        const std::array<std::size_t, 3> v{primitive.indices[i], primitive.indices[i + 1], primitive.indices[i + 2]};
        const glb::Vec3 one = primitive.positions[v[1]] - primitive.positions[v[0]];
        const glb::Vec3 two = primitive.positions[v[2]] - primitive.positions[v[0]];
        const glb::Vec3 face = glm::cross(one, two);
        if (glm::length(face) < 1e-4 * (glm::dot(one, one) + glm::dot(two, two))) continue;  // no direction to speak of
        const glb::Vec3 sum = primitive.normals[v[0]] + primitive.normals[v[1]] + primitive.normals[v[2]];
        ++surface.faces;
        surface.agreeing_faces += glm::dot(face, sum) > 0 ? 1u : 0u;
        if (!has_tangents) continue;
        const auto& uv = primitive.uvs.front();
        const glb::Vec2 a = uv[v[1]] - uv[v[0]], b = uv[v[2]] - uv[v[0]];
        const double area = a.x * b.y - a.y * b.x;
        if (std::abs(area) < 1e-9) continue;
        const glb::Vec3 along_u = (one * b.y - two * a.y) / area;
        const glb::Vec3 along_v = (two * a.x - one * b.x) / area;
        for (const std::size_t corner : v) {
            const glb::Vec4& tangent = primitive.tangents.front()[corner];
            const glb::Vec3 bitangent = glm::cross(primitive.normals[corner], glb::Vec3(tangent)) * tangent.w;
            ++surface.corners;
            surface.agreeing_tangents += glm::dot(glb::Vec3(tangent), along_u) > 0 ? 1u : 0u;
            const bool agrees = glm::dot(bitangent, along_v) < 0;
            ++(tangent.w < 0 ? surface.mirrored : surface.others);
            if (agrees) ++(tangent.w < 0 ? surface.agreeing_mirrored : surface.agreeing_others);
        }
    }
    return surface;
}

/// Two quads or fewer a material: a decal, whose source may look the other way.
bool is_decal(const glb::Mesh& mesh) {
    return std::ranges::all_of(mesh.primitives, [](const glb::Primitive& one) { return one.indices.size() <= 12; });
}

/// Meshes that say so mostly, and those that do not, by name.
struct Verdict {
    std::size_t all = 0, agreeing = 0;
    std::string others;

    void add(std::size_t part, std::size_t whole, double least, const std::string& name) {
        if (whole == 0) return;
        ++all;
        if (share(part, whole) >= least) {
            ++agreeing;
            return;
        }
        others += "\n    " + name + ": " + std::to_string(part) + " of " + std::to_string(whole);
    }
};

/// The recipe as it was measured on the format: x negated, indices kept, tangents turned round, their sign from the
/// normals' alpha, which is certain where it says "mirrored".
TEST(EgosoftCorpus, SurfacesAreTurnedAsTheFilesMeanThem) {
    EFFIGY_NEEDS_EGOSOFT_CORPUS();
    Surface sum;
    Verdict faces, tangents, mirrored;
    std::size_t without_normals = 0, decals = 0;
    for (const EgosoftFile* file : corpus::egosoft_files(EgosoftKind::xmf)) {
        SCOPED_TRACE(file->name);
        const glb::Document document = glb::read(convert::to_glb(scene_of_mesh(*file)));
        for (const glb::Mesh& mesh : document.meshes) {
            Surface surface;
            for (const glb::Primitive& primitive : mesh.primitives) surface.add(measure(primitive));
            if (surface.faces == 0) {
                ++without_normals;  // collision meshes
                continue;
            }
            if (is_decal(mesh) && surface.agreeing_faces == 0) {
                ++decals;  // inverted in their source
                continue;
            }
            faces.add(surface.agreeing_faces, surface.faces, 0.9, file->name);
            tangents.add(surface.agreeing_tangents, surface.corners, 0.9, file->name);
            mirrored.add(surface.agreeing_mirrored, surface.mirrored, 0.99, file->name);
            sum.add(surface);
        }
    }
    // Some sources are odd in themselves; a wrong sign of ours would turn all.
    EXPECT_GE(share(faces.agreeing, faces.all), 0.97) << faces.others;
    EXPECT_GE(share(tangents.agreeing, tangents.all), 0.95) << tangents.others;
    EXPECT_GE(share(mirrored.agreeing, mirrored.all), 0.99) << mirrored.others;
    EXPECT_GE(share(sum.agreeing_faces, sum.faces), 0.99);
    EXPECT_GE(share(sum.agreeing_tangents, sum.corners), 0.97);
    EXPECT_GE(share(sum.agreeing_mirrored, sum.mirrored), 0.999);
    EXPECT_GE(share(sum.agreeing_others, sum.others), 0.8);
    std::printf(
        "corpus: %zu meshes measured, %zu without normals, %zu decals inverted in their source\n"
        "  meshes that agree: faces %zu of %zu, tangents %zu of %zu, mirrored bitangents %zu of %zu\n"
        "  of all: %.2f %% of %zu faces, %.2f %% of %zu tangents, %.2f %% of %zu mirrored bitangents, %.2f %% of %zu "
        "others%s%s\n",
        faces.all, without_normals, decals, faces.agreeing, faces.all, tangents.agreeing, tangents.all,
        mirrored.agreeing, mirrored.all, 100 * share(sum.agreeing_faces, sum.faces), sum.faces,
        100 * share(sum.agreeing_tangents, sum.corners), sum.corners, 100 * share(sum.agreeing_mirrored, sum.mirrored),
        sum.mirrored, 100 * share(sum.agreeing_others, sum.others), sum.others, faces.others.c_str(),
        tangents.others.c_str());
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Lower-case stems of the meshes in the folder of that name, wherever it is below `root`.
std::set<std::string> meshes_in(const std::filesystem::path& root, const std::string& folder) {
    std::set<std::string> stems;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        const std::filesystem::path& path = entry.path();
        if (lower(path.parent_path().filename().string()) != folder || lower(path.extension().string()) != ".xmf")
            continue;
        stems.insert(lower(path.stem().string()));
    }
    return stems;
}

/// What is in a component and in its folder, counted without the library's search for files.
struct Counted {
    std::size_t parts = 0, borrowing = 0, shown = 0, levels = 0, collisions = 0;
};

Counted count(const egosoft::Component& component, const std::set<std::string>& stems) {
    Counted counted;
    for (const egosoft::Connection& connection : component.connections)
        for (const egosoft::Part& part : connection.parts) {
            ++counted.parts;
            counted.borrowing += part.reference.empty() ? 0u : 1u;
            if (!part.reference.empty()) continue;
            const std::string name = lower(part.name);
            counted.shown += stems.contains(name + "-lod0");
            for (int level = 1; level < 10; ++level)
                counted.levels += stems.contains(name + "-lod" + std::to_string(level));
            for (const std::string& owner : {name, lower(part.wreck)})
                for (const char* number : {"", "1", "2", "3"})
                    counted.collisions += !owner.empty() && stems.contains(owner + "-collision" + number);
        }
    return counted;
}

/// The sum of what findings of one code count: "3: one, two, three".
std::size_t count_of(const effigy::Report& report, std::string_view code) {
    std::size_t sum = 0;
    for (const effigy::Diagnostic& one : report.diagnostics()) {
        if (one.code == code) sum += std::stoul(one.found);
    }
    return sum;
}

TEST(EgosoftCorpus, ComponentsHaveAllThePartsThatAreThere) {
    EFFIGY_NEEDS_EGOSOFT_CORPUS();
    for (const EgosoftFile* file : corpus::egosoft_files(EgosoftKind::component)) {
        SCOPED_TRACE(file->name);
        const auto xml = value_or_throw(egosoft::read_components(copy_of(*file))).value;
        const effigy::Loaded<effigy::Scene> loaded = scene_of_component(*file);
        const effigy::Scene& scene = loaded.value;
        Counted expected;
        for (const egosoft::Component& component : xml.components) {
            const std::string geometry = lower(component.geometry);
            const std::string folder = geometry.substr(geometry.find_last_of("\\/") + 1);
            const Counted one = count(component, meshes_in(egosoft::root_of(file->path), folder));
            expected.parts += one.parts;
            expected.borrowing += one.borrowing;
            expected.shown += one.shown;
            expected.levels += one.levels;
            expected.collisions += one.collisions;
        }
        Counted found;
        for (const effigy::Node& node : scene.nodes) {
            const auto extras = nlohmann::json::parse(node.extras.json.empty() ? "{}" : node.extras.json);
            found.parts += extras.value("kind", "") == "part";
            found.borrowing += extras.contains("reference");
            found.shown += node.mesh != effigy::no_index && !node.hidden;
            found.levels += node.lods.size();
            found.collisions += extras.value("kind", "") == "collision";
        }
        EXPECT_EQ(found.parts, expected.parts);
        EXPECT_EQ(found.borrowing, expected.borrowing);
        EXPECT_EQ(found.levels, expected.levels);
        EXPECT_EQ(found.collisions, expected.collisions);
        // Parts that borrow have a mesh if the game is there, and are counted in the report if not.
        const std::size_t missing = count_of(loaded.report, "reference-missing");
        EXPECT_EQ(found.shown + missing, expected.shown + expected.borrowing);
        std::printf(
            "%s: %zu parts, %zu of them borrow (%zu of it missing); %zu shown, %zu further levels, %zu collision "
            "meshes, %zu lights, %zu clips\n",
            file->path.stem().c_str(), found.parts, found.borrowing, missing, found.shown, found.levels,
            found.collisions, scene.lights.size(), scene.clips.size());
        if (file->path.stem() == "ship_otas_s_solano") {
            EXPECT_EQ(found.parts, 50u);
            EXPECT_EQ(found.borrowing, 11u);
            EXPECT_EQ(found.shown, 39u);
        }
    }
}

using Box = std::pair<glm::dvec3, glm::dvec3>;  ///< low and high

double box_error(const Box& one, const Box& other) {
    const glm::dvec3 low = glm::abs(one.first - other.first), high = glm::abs(one.second - other.second);
    const glm::dvec3 size = other.second - other.first;
    return std::max({low.x, low.y, low.z, high.x, high.y, high.z}) / std::max({size.x, size.y, size.z, 1e-9});
}

/// The box around a part in all its clips, in the file's frame relative to its connection. `backwards`: with all
/// rotations the other way round.
Box swept(const effigy::Scene& scene, effigy::Index node, const effigy::Mesh& mesh, bool backwards) {
    Box box{glm::dvec3(1e30), glm::dvec3(-1e30)};
    const auto positions = builders::points(*builders::find(mesh, effigy::Semantic::position));
    for (const effigy::Clip& clip : scene.clips) {
        std::map<effigy::TrackPath, const effigy::Track*> tracks;
        for (const effigy::Track& track : clip.tracks)
            if (track.node == node) tracks[track.path] = &track;
        if (tracks.empty()) continue;
        float end = 0;
        for (const auto& [path, track] : tracks) end = std::max(end, track->times.back());
        for (int i = 0; i <= 30; ++i) {
            const auto read = [&](effigy::TrackPath path, std::vector<double> otherwise) {
                return tracks.contains(path) ? builders::sample(*tracks[path], static_cast<double>(end) * i / 30)
                                             : otherwise;
            };
            const auto t = read(effigy::TrackPath::translation, {0, 0, 0});
            const auto q = read(effigy::TrackPath::rotation, {0, 0, 0, 1});
            const auto s = read(effigy::TrackPath::scale, {1, 1, 1});
            const glm::dquat turn(q[3], q[0], q[1], q[2]);
            for (const effigy::Vec3& p : positions) {
                glm::dvec3 v(p.x * s[0], p.y * s[1], p.z * s[2]);
                v = (backwards ? glm::conjugate(turn) : turn) * v + glm::dvec3(t[0], t[1], t[2]);
                v.x = -v.x;
                box = {glm::min(box.first, v), glm::max(box.second, v)};
            }
        }
    }
    return box;
}

/// The stated size of a part that moves is the envelope of its movement, which tells how angles are meant.
TEST(EgosoftCorpus, RotationsSweepTheStatedSizes) {
    EFFIGY_NEEDS_EGOSOFT_CORPUS();
    std::size_t decisive = 0, right = 0, undecided = 0;
    for (const EgosoftFile* file : corpus::egosoft_files(EgosoftKind::component)) {
        SCOPED_TRACE(file->name);
        const auto xml = value_or_throw(egosoft::read_components(copy_of(*file))).value;
        const effigy::Scene scene = scene_of_component(*file).value;
        for (const egosoft::Component& component : xml.components)
            for (const egosoft::Connection& connection : component.connections)
                for (const egosoft::Part& part : connection.parts) {
                    if (!part.size || !builders::has(scene, part.name) || !builders::has(scene, part.name + "-lod0"))
                        continue;
                    const effigy::Index node = builders::find(scene, part.name);
                    const bool turns = std::ranges::any_of(scene.clips, [&](const effigy::Clip& clip) {
                        return builders::find(clip, node, effigy::TrackPath::rotation) != nullptr;
                    });
                    if (!turns) continue;
                    const effigy::Mesh& mesh =
                        scene.meshes[scene.nodes[builders::find(scene, part.name + "-lod0")].mesh];
                    const glm::dvec3 center(part.size->center.x, part.size->center.y, part.size->center.z);
                    const glm::dvec3 half(part.size->half_size.x, part.size->half_size.y, part.size->half_size.z);
                    const Box stated{center - half, center + half};
                    const double error = box_error(swept(scene, node, mesh, false), stated);
                    const double other = box_error(swept(scene, node, mesh, true), stated);
                    std::printf("%s: stated size differs by %.1f %%, with angles the other way round by %.1f %%\n",
                                part.name.c_str(), 100 * error, 100 * other);
                    if (std::min(error, other) > 0.05 || std::abs(error - other) < 0.05) {
                        ++undecided;
                        continue;
                    }
                    ++decisive;
                    right += error < other;
                }
    }
    if (decisive == 0) GTEST_SKIP() << "no part's stated size tells how angles are meant";
    EXPECT_EQ(right, decisive);
    std::printf("corpus: %zu of %zu decisive boxes agree, %zu decide nothing\n", right, decisive, undecided);
}

}  // namespace
