/// What the games need of a mesh and other tools leave out.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <tuple>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// Normals further from unit length than this are brought to it.
constexpr double unit_tolerance = 0.01;

class Completer {
public:
    Completer(Context& context, Geometry& geometry, const std::string& path)
        : context_(context), geometry_(geometry), path_(path) {}

    Result<void> run(const MeshNeeds& needs) {
        repair_numbers();
        drop_flat_triangles(needs.position);
        if (!needs.normals) {
            geometry_.normals.clear();
        } else if (geometry_.normals.empty()) {
            if (auto made = make_flat(); !made) return made;
        } else {
            repair_normals();
        }
        join_ranges();
        if (needs.normals && needs.tangents && !geometry_.texcoords.empty())
            return complete_tangents(context_, geometry_, needs.sound_tangents, path_);
        // Without texture coordinates they say nothing; a layout that has them all the same gets what there is.
        if (!needs.normals || !needs.tangents || needs.sound_tangents) geometry_.tangents.clear();
        return {};
    }

private:
    void repair_numbers() {
        std::uint64_t bad = geometry_.not_finite;
        const auto repair = [&](float& value) {
            if (std::isfinite(value)) return;
            value = 0;
            ++bad;
        };
        for (auto& set : geometry_.texcoords) {
            for (Vec2& uv : set) {
                for (float* value : {&uv.x, &uv.y}) repair(*value);
            }
        }
        for (auto& [name, custom] : geometry_.customs) {
            for (float& value : custom.values) repair(value);
        }
        context_.note_any(bad, codes::xmf_number_repaired, path_, "Numbers that are not finite become 0.", " numbers");
    }

    /// Whether a triangle has no area once its corners are stored.
    [[nodiscard]] bool is_flat(std::size_t at, xmf::ElementType type) const {
        if (type == xmf::ElementType::float3) return face_of(geometry_, at) == glm::dvec3(0);
        std::array<glm::dvec3, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& p = geometry_.positions[geometry_.indices[at + k]];
            std::array<std::byte, 16> bytes{};
            encode(type, {-p.x, p.y, p.z, 0}, bytes.data());
            const Vec4 stored = xmf::decode(type, bytes.data());
            corners[k] = {stored.x, stored.y, stored.z};
        }
        return glm::cross(corners[1] - corners[0], corners[2] - corners[0]) == glm::dvec3(0);
    }

    void drop_flat_triangles(xmf::ElementType type) {
        std::size_t kept = 0, at = 0;
        std::uint64_t dropped = 0;
        for (Geometry::Range& range : geometry_.ranges) {
            const std::size_t end = at + range.count, first = kept;
            for (; at < end; at += 3) {
                if (is_flat(at, type)) {
                    ++dropped;
                    continue;
                }
                std::copy_n(geometry_.indices.begin() + static_cast<std::ptrdiff_t>(at), 3,
                            geometry_.indices.begin() + static_cast<std::ptrdiff_t>(kept));
                kept += 3;
            }
            range.count = static_cast<std::uint32_t>(kept - first);
        }
        geometry_.indices.resize(kept);
        std::erase_if(geometry_.ranges, [](const Geometry::Range& range) { return range.count == 0; });
        context_.note_any(dropped, codes::xmf_triangle_flat, path_,
                          "Triangles without an area show nothing; they are left out.", " triangles");
    }

    /// As glTF has it: without normals each triangle is flat, and so has vertices of its own.
    Result<void> make_flat() {
        const std::size_t count = geometry_.indices.size();
        if (auto taken = context_.take(count, geometry_.vertex_size() + sizeof(Vec3), "vertices"); !taken) return taken;
        const auto unroll = [&](auto& values, std::size_t width) {
            std::decay_t<decltype(values)> rolled;
            rolled.reserve(count * width);
            for (const std::uint32_t index : geometry_.indices) {
                const auto from = values.begin() + static_cast<std::ptrdiff_t>(index * width);
                rolled.insert(rolled.end(), from, from + static_cast<std::ptrdiff_t>(width));
            }
            values = std::move(rolled);
        };
        unroll(geometry_.positions, 1);
        for (auto& set : geometry_.texcoords) unroll(set, 1);
        for (auto& [name, custom] : geometry_.customs) unroll(custom.values, custom.width);
        geometry_.tangents.clear();
        std::iota(geometry_.indices.begin(), geometry_.indices.end(), 0u);
        geometry_.count = static_cast<std::uint32_t>(count);
        geometry_.normals.resize(count);
        for (std::size_t at = 0; at < count; at += 3) {
            const Vec3 normal = narrow(glm::normalize(face_of(geometry_, at)));
            for (std::size_t k = 0; k < 3; ++k) geometry_.normals[at + k] = normal;
        }
        context_.note_any(count / 3, codes::xmf_normals_made, path_,
                          "The mesh has no normals: each triangle is flat, with vertices of its own, as glTF says.",
                          " triangles");
        return {};
    }

    void repair_normals() {
        std::vector<std::uint32_t> bad;
        for (std::uint32_t i = 0; i < geometry_.count; ++i) {
            Vec3& normal = geometry_.normals[i];
            const double length = glm::length(wide(normal));
            if (!std::isfinite(length) || length < 1e-12) {
                bad.push_back(i);
            } else if (std::fabs(length - 1) > unit_tolerance) {
                normal = narrow(wide(normal) / length);
            }
        }
        if (bad.empty()) return;
        std::vector<glm::dvec3> sums(geometry_.count, glm::dvec3(0));
        for (std::size_t at = 0; at + 2 < geometry_.indices.size(); at += 3) {
            for (std::size_t k = 0; k < 3; ++k) sums[geometry_.indices[at + k]] += face_of(geometry_, at);
        }
        for (const std::uint32_t i : bad) geometry_.normals[i] = narrow(direction_of(sums[i], {0, 1, 0}));
        context_.note_any(bad.size(), codes::xmf_normals_made, path_,
                          "Normals without a direction are computed from the triangles.", " normals");
    }

    /// One range for each material, in the order in which they first occur.
    void join_ranges() {
        std::map<Index, std::size_t> numbers;
        std::vector<Geometry::Range> joined;
        std::vector<Bulk<std::uint32_t>> parts;
        std::size_t at = 0;
        for (const Geometry::Range& range : geometry_.ranges) {
            const auto [place, is_new] = numbers.try_emplace(range.material, joined.size());
            if (is_new) {
                joined.push_back({range.material, range.name, 0});
                parts.emplace_back();
            }
            joined[place->second].count += range.count;
            const auto from = geometry_.indices.begin() + static_cast<std::ptrdiff_t>(at);
            parts[place->second].insert(parts[place->second].end(), from,
                                        from + static_cast<std::ptrdiff_t>(range.count));
            at += range.count;
        }
        if (joined.size() == geometry_.ranges.size()) return;
        geometry_.indices.clear();
        for (const auto& part : parts) geometry_.indices.insert(geometry_.indices.end(), part.begin(), part.end());
        geometry_.ranges = std::move(joined);
    }

    Context& context_;
    Geometry& geometry_;
    const std::string& path_;
};

}  // namespace

glm::dvec3 face_of(const Geometry& geometry, std::size_t at) {
    const glm::dvec3 a = wide(geometry.positions[geometry.indices[at]]);
    const glm::dvec3 b = wide(geometry.positions[geometry.indices[at + 1]]);
    const glm::dvec3 c = wide(geometry.positions[geometry.indices[at + 2]]);
    return glm::cross(b - a, c - a);
}

Result<void> complete(Context& context, Geometry& geometry, const MeshNeeds& needs, const std::string& path) {
    return Completer(context, geometry, path).run(needs);
}

void reduce_to_collision(Geometry& geometry) {
    std::map<std::tuple<float, float, float>, std::uint32_t> numbers;
    std::vector<Vec3> kept;
    for (std::uint32_t& index : geometry.indices) {
        // Adding 0 makes one of the two zeros.
        const Vec3& p = geometry.positions[index];
        const Vec3 point{p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
        const auto [place, is_new] =
            numbers.try_emplace({point.x, point.y, point.z}, static_cast<std::uint32_t>(kept.size()));
        if (is_new) kept.push_back(point);
        index = place->second;
    }
    geometry.positions = std::move(kept);
    geometry.count = static_cast<std::uint32_t>(geometry.positions.size());
    geometry.normals.clear();
    geometry.tangents.clear();
    geometry.texcoords.clear();
    geometry.customs.clear();
    geometry.ranges.clear();
}

}  // namespace effigy::egosoft::bridge
