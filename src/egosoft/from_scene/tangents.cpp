/// Tangents for meshes that come without, or with some that the games would light wrongly.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <unordered_map>

#include "effigy/egosoft_codes.hpp"
#include "effigy/textures.hpp"

#include "egosoft/from_scene/from_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

bool is_usable_tangent(const Vec4& t) noexcept {
    const double length = glm::length(glm::dvec3(t.x, t.y, t.z));
    return std::isfinite(length) && length > 1e-6;
}

template <class Element>
void add_attribute(Mesh& mesh, Semantic semantic, ElementType element, const std::vector<Element>& values) {
    Attribute& attribute = mesh.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.data.element = element;
    attribute.data.bytes.resize(values.size() * sizeof(Element));
    std::memcpy(attribute.data.bytes.data(), values.data(), attribute.data.bytes.size());
}

/// A number as a byte will say it: 0 is a little less, so that it matters which way an axis points in the file.
double as_byte(float value) { return std::round(static_cast<double>(packed_unit(value)) * 255) / 255 * 2 - 1; }
/// What fill_vertices() leaves of directions.
glm::dvec3 stored_normal(const Vec3& v) { return {-as_byte(-v.x), as_byte(v.y), as_byte(v.z)}; }
glm::dvec3 stored_tangent(const Vec3& v) { return {as_byte(v.x), -as_byte(-v.y), -as_byte(-v.z)}; }

class TangentMaker {
public:
    TangentMaker(Context& context, Geometry& geometry, const std::string& path)
        : context_(context), geometry_(geometry), path_(path) {}

    Result<void> run(bool sound) {
        const bool none = geometry_.tangents.empty();
        const bool bad = std::any_of(geometry_.tangents.begin(), geometry_.tangents.end(),
                                     [](const Vec4& tangent) { return !is_usable_tangent(tangent); });
        if (!none && !bad && !sound) return {};
        if (none) {
            if (auto taken = context_.take(geometry_.count, sizeof(Vec4), "tangents"); !taken) return taken;
            geometry_.tangents.resize(geometry_.count);
        }
        if (none || sound) {
            if (auto split = split_mirrored(); !split) return split;
        }
        const std::uint64_t at_work = size_at_work();
        if (auto taken = context_.take(at_work, 1, "tangents"); !taken) return taken;
        const std::vector<Vec4> made = computed();
        std::uint64_t replaced = 0;
        for (std::uint32_t i = 0; i < geometry_.count; ++i) {
            Vec4& tangent = geometry_.tangents[i];
            if (is_usable_tangent(tangent) && !(sound && contradicts(tangent, made[i], i))) continue;
            tangent = made[i];
            if (!signs_.empty() && signs_[i] != 0) tangent.w = signs_[i];
            ++replaced;
        }
        if (sound) {
            auto parted = part_contradicting();
            if (!parted) return fail(std::move(parted.error()));
            replaced += *parted;
        }
        context_.budget.give_back(at_work);
        context_.note_any(replaced, codes::xmf_tangents_made, path_, {}, " tangents");
        return {};
    }

private:
    /// The sign that glTF's tangents have on the triangle; 0 if its texture coordinates tell none.
    [[nodiscard]] float sign_of(std::size_t at) const {
        const auto corner = [&](std::size_t k) { return geometry_.indices[at + k]; };
        const std::vector<Vec2>& set = geometry_.texcoords.front();
        const Vec2 a = set[corner(0)], b = set[corner(1)], c = set[corner(2)];
        const auto side = [](float to, float from) { return static_cast<double>(to) - static_cast<double>(from); };
        const double area = side(b.x, a.x) * side(c.y, a.y) - side(c.x, a.x) * side(b.y, a.y);
        const glm::dvec3 normal = wide(geometry_.normals[corner(0)]) + wide(geometry_.normals[corner(1)]) +
                                  wide(geometry_.normals[corner(2)]);
        const double facing = glm::dot(normal, face_of(geometry_, at)) * area;
        if (!(std::fabs(area) > 1e-12) || facing == 0) return 0;
        // v grows downwards, so that an upright picture turns the other way.
        return facing < 0 ? 1.0f : -1.0f;
    }

    /// What is at work in run(), and ends with it: signs, a copy of the mesh, sums and results of computed().
    [[nodiscard]] std::uint64_t size_at_work() const noexcept {
        constexpr std::uint64_t sums = 7 * sizeof(double);
        constexpr std::uint64_t vertex = sizeof(float) + 2 * sizeof(Vec3) + sizeof(Vec2) + sums + 2 * sizeof(Vec4);
        return geometry_.count * vertex + sizeof(std::uint32_t) * geometry_.indices.size();
    }

    /// Memory for so many more vertices, at most; lists double as they grow.
    Result<void> take_copies(std::uint64_t count, std::uint64_t more = 0) {
        return context_.take(count, 2 * (geometry_.vertex_size() + sizeof(float)) + more, "vertices at seams");
    }

    /// Vertices between upright and mirrored pictures become two.
    Result<void> split_mirrored() {
        constexpr std::uint64_t entry = 48;  // of the map
        const std::uint32_t count = geometry_.count;
        const std::uint64_t used = context_.budget.used();
        if (auto taken = take_copies(count, entry); !taken) return taken;
        signs_.assign(count, 0);
        std::unordered_map<std::uint32_t, std::uint32_t> twins;
        for (std::size_t at = 0; at + 2 < geometry_.indices.size(); at += 3) {
            const float sign = sign_of(at);
            if (sign == 0) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                std::uint32_t& index = geometry_.indices[at + k];
                if (signs_[index] == 0) signs_[index] = sign;
                if (signs_[index] == sign) continue;
                const auto [place, is_new] = twins.try_emplace(index, geometry_.count);
                if (is_new) copy_vertex(index, sign);
                index = place->second;
            }
        }
        if (geometry_.count == count) context_.budget.give_back(context_.budget.used() - used);
        return {};
    }

    void copy_vertex(std::uint32_t from, float sign) {
        const auto copy = [&](auto& values) {
            const auto value = values[from];
            values.push_back(value);
        };
        copy(geometry_.positions);
        copy(geometry_.normals);
        copy(geometry_.tangents);
        for (auto& set : geometry_.texcoords) copy(set);
        for (auto& [name, custom] : geometry_.customs) {
            for (std::size_t k = 0; k < custom.width; ++k) {
                const float value = custom.values[from * custom.width + k];
                custom.values.push_back(value);
            }
        }
        signs_.push_back(sign);
        ++geometry_.count;
    }

    [[nodiscard]] bool contradicts(const Vec4& tangent, const Vec4& made, std::size_t vertex) const {
        if (signs_[vertex] == 0) return false;
        const bool against = glm::dot(glm::dvec3(tangent.x, tangent.y, tangent.z),  //
                                      glm::dvec3(made.x, made.y, made.z)) <= 0;
        return against || (tangent.w < 0) != (signs_[vertex] < 0);
    }

    /// Triangles over which the tangents of neighbours turn the picture round get vertices of their own.
    Result<std::uint64_t> part_contradicting() {
        std::uint64_t count = 0;
        for (std::size_t at = 0; at + 2 < geometry_.indices.size(); at += 3) {
            const std::optional<Gradient> gradient = gradient_of(at);
            if (!gradient) continue;
            glm::dvec3 normal(0), tangent(0);
            int marked = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t corner = geometry_.indices[at + k];
                const Vec4& t = geometry_.tangents[corner];
                normal += stored_normal(geometry_.normals[corner]);
                tangent += stored_tangent({t.x, t.y, t.z});
                marked += t.w < 0 ? 1 : 0;
            }
            const auto is_mirrored = [&](const glm::dvec3& along) {
                return glm::dot(glm::cross(normal, along), gradient->along_v) > 0;
            };
            if (marked != (is_mirrored(tangent) ? 0 : 3)) continue;
            // The first copy makes the lists grow.
            if (auto taken = take_copies(count == 0 ? geometry_.count + 3ULL : 3); !taken)
                return fail(std::move(taken.error()));
            const Vec3 own = narrow(glm::normalize(gradient->along_u));
            for (std::size_t k = 0; k < 3; ++k) {
                copy_vertex(geometry_.indices[at + k], 0);
                geometry_.indices[at + k] = geometry_.count - 1;
                geometry_.tangents.back() = {own.x, own.y, own.z, is_mirrored(stored_tangent(own)) ? -1.0f : 1.0f};
            }
            count += 3;
        }
        return count;
    }

    struct Gradient {
        glm::dvec3 along_u, along_v;
    };
    /// Directions in which u and v grow on the triangle; nothing if they do not.
    [[nodiscard]] std::optional<Gradient> gradient_of(std::size_t at) const {
        std::array<glm::dvec3, 3> p{};
        std::array<glm::dvec2, 3> uv{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t corner = geometry_.indices[at + k];
            p[k] = wide(geometry_.positions[corner]);
            uv[k] = {geometry_.texcoords.front()[corner].x, geometry_.texcoords.front()[corner].y};
        }
        const glm::dvec3 one = p[1] - p[0], two = p[2] - p[0];
        const glm::dvec2 uv1 = uv[1] - uv[0], uv2 = uv[2] - uv[0];
        const double area = uv1.x * uv2.y - uv2.x * uv1.y;
        if (!(std::fabs(area) > 1e-12)) return std::nullopt;
        const Gradient gradient{(one * uv2.y - two * uv1.y) / area, (two * uv1.x - one * uv2.x) / area};
        const double length = glm::length(gradient.along_u);
        return std::isfinite(length) && length > 0 ? std::optional(gradient) : std::nullopt;
    }

    /// By the service that knows how, in a scene of just this mesh.
    [[nodiscard]] std::vector<Vec4> computed() const {
        Scene scene;
        scene.images.emplace_back();
        scene.materials.emplace_back().normal_texture.image = 0;
        Mesh& mesh = scene.meshes.emplace_back();
        mesh.vertex_count = geometry_.count;
        add_attribute(mesh, Semantic::position, ElementType::vec3, geometry_.positions);
        add_attribute(mesh, Semantic::normal, ElementType::vec3, geometry_.normals);
        add_attribute(mesh, Semantic::texcoord, ElementType::vec2, geometry_.texcoords.front());
        Primitive& primitive = mesh.primitives.emplace_back();
        primitive.vertex_count = geometry_.count;
        primitive.indices = geometry_.indices;
        primitive.material = 0;
        (void)generate_missing_tangents(scene);
        std::vector<Vec4> made(geometry_.count, Vec4{1, 0, 0, 1});
        for (const Attribute& one : mesh.attributes) {
            if (one.semantic != Semantic::tangent || one.data.count() != geometry_.count) continue;
            std::memcpy(made.data(), one.data.bytes.data(), one.data.bytes.size());
        }
        return made;
    }

    Context& context_;
    Geometry& geometry_;
    const std::string& path_;
    std::vector<float> signs_;  ///< of each vertex; 0: no triangle tells it
};

}  // namespace

Result<void> complete_tangents(Context& context, Geometry& geometry, bool sound, const std::string& path) {
    return TangentMaker(context, geometry, path).run(sound);
}

}  // namespace effigy::egosoft::bridge
