/// Rules for what a visible mesh looks like: docs/formats/xmf.md, "Decoding".

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/check.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/file/xmf_streams.hpp"

namespace effigy::egosoft {

namespace {

using xmf::Usage;

using Vector = glm::dvec3;

/// One element of all vertices.
class ElementView {
public:
    ElementView(const xmf::File& file, Usage usage) {
        for (std::size_t index = 0; index < file.buffers.size() && buffer_ == nullptr; ++index) {
            for (const xmf::PlacedElement& placed : xmf::declaration(file.buffers[index])) {
                if (placed.element.usage != usage || placed.element.usage_index != 0) continue;
                buffer_ = &file.buffers[index];
                number_ = index;
                placed_ = placed;
                is_packed_ = is_unsigned_unit(placed.element.type);
                has_fourth_ = is_packed_ && width_of(placed.element.type) == 4;
                break;
            }
        }
    }

    [[nodiscard]] std::size_t size() const noexcept {
        return buffer_ == nullptr || buffer_->item_size == 0 ? 0 : buffer_->content.size() / buffer_->item_size;
    }
    [[nodiscard]] Vec4 raw(std::size_t vertex) const noexcept { return xmf::decode(placed_.element.type, at(vertex)); }
    [[nodiscard]] Vector vector(std::size_t vertex) const noexcept {
        const Vec4 v = raw(vertex);
        return {v.x, v.y, v.z};
    }
    /// -1 to 1, from whatever it is packed in.
    [[nodiscard]] Vector direction(std::size_t vertex) const noexcept {
        const Vector v = vector(vertex);
        return is_packed_ ? 2.0 * v - 1.0 : v;
    }
    /// Packed directions of three numbers have none.
    [[nodiscard]] bool has_fourth() const noexcept { return has_fourth_; }
    /// The fourth number of a packed direction, from 0 to most().
    [[nodiscard]] unsigned fourth(std::size_t vertex) const noexcept {
        if (most() == 255) return std::to_integer<unsigned>(at(vertex)[3]);
        std::uint16_t number = 0;
        std::memcpy(&number, at(vertex) + 3 * sizeof number, sizeof number);
        return number;
    }
    [[nodiscard]] unsigned most() const noexcept { return xmf::size_of(placed_.element.type) == 4 ? 255 : 65535; }
    [[nodiscard]] std::string path(std::uint64_t vertex) const {
        return buffer_path(number_, "content[" + std::to_string(vertex) + "]");
    }
    [[nodiscard]] std::string path() const { return buffer_path(number_); }

private:
    [[nodiscard]] const std::byte* at(std::size_t vertex) const noexcept {
        return buffer_->content.data() + vertex * buffer_->item_size + placed_.offset;
    }

    const xmf::Buffer* buffer_ = nullptr;
    std::size_t number_ = 0;
    xmf::PlacedElement placed_;
    bool is_packed_ = false, has_fourth_ = false;
};

/// How many triangles were looked at, and what they said.
struct Statistics {
    std::uint64_t seen = 0, inverted = 0;
    Tally degenerate;
    std::uint64_t tangents = 0, along_u = 0;
    std::uint64_t first_inverted = 0;
    Tally contradicts, unmarked;
};

class GeometryCheck {
public:
    GeometryCheck(const xmf::File& file, Findings& findings)
        : findings_(findings),
          is_glass_(std::any_of(file.materials.begin(), file.materials.end(),
                                [](const xmf::Material& one) { return is_glass(xmf::name_of(one)); })),
          positions_(file, Usage::position),
          normals_(file, Usage::normal),
          tangents_(file, Usage::tangent),
          uvs_(file, Usage::texcoord) {
        for (std::size_t index = 0; index < file.buffers.size(); ++index) {
            if (!xmf::is_index_buffer(file.buffers[index])) continue;
            indices_ = xmf::indices(file.buffers[index]);
            index_path_ = buffer_path(index, "content");
            break;
        }
    }

    void run() {
        check_lengths();
        check_fourths();
        Statistics statistics;
        for (std::size_t at = 0; at + 3 <= indices_.size(); at += 3) look_at(at, statistics);
        report(statistics);
    }

private:
    void check_lengths() {
        // Packed components lie up to 1/255 off.
        constexpr double tolerance = 0.05;
        Tally bad;
        for (std::size_t vertex = 0; vertex < normals_.size(); ++vertex) {
            if (!(std::fabs(glm::length(normals_.direction(vertex)) - 1) <= tolerance)) bad.hit(vertex);
        }
        if (bad) {
            const double found = glm::length(normals_.direction(static_cast<std::size_t>(bad.first)));
            findings_.add(codes::xmf_normal_length, normals_.path(bad.first),
                          first_of("length " + number_text(found), bad.count), "length 1");
        }
    }

    void check_fourths() {
        if (tangents_.has_fourth())
            report_fourth(codes::xmf_tangent_alpha, tangents_, [](unsigned number) { return number != 0; });
        const unsigned most = normals_.most();
        if (normals_.has_fourth())
            report_fourth(codes::xmf_normal_alpha, normals_,
                          [most](unsigned number) { return number != 0 && number != most; });
    }

    template <class Bad>
    void report_fourth(const Code& code, const ElementView& attribute, Bad bad) {
        Tally tally;
        for (std::size_t vertex = 0; vertex < attribute.size(); ++vertex) {
            if (bad(attribute.fourth(vertex))) tally.hit(vertex);
        }
        if (!tally) return;
        findings_.add(code, attribute.path(tally.first),
                      first_of(std::to_string(attribute.fourth(static_cast<std::size_t>(tally.first))), tally.count));
    }

    void look_at(std::size_t at, Statistics& statistics) {
        const std::array<std::size_t, 3> corners{indices_[at], indices_[at + 1], indices_[at + 2]};
        const std::size_t highest = std::max({corners[0], corners[1], corners[2]});
        if (highest >= positions_.size()) return;
        const Vector a = positions_.vector(corners[0]);
        const Vector side = positions_.vector(corners[1]) - a, other = positions_.vector(corners[2]) - a;
        const Vector face = glm::cross(side, other);
        if (!std::isfinite(glm::dot(face, face))) return;
        if (glm::dot(face, face) == 0) return statistics.degenerate.hit(at);
        if (highest >= normals_.size()) return;
        const Vector normal =
            normals_.direction(corners[0]) + normals_.direction(corners[1]) + normals_.direction(corners[2]);
        ++statistics.seen;
        // In the file's left-handed space a triangle's cross product points away from the side that is seen.
        if (glm::dot(face, normal) > 0 && statistics.inverted++ == 0) statistics.first_inverted = at;
        if (highest < uvs_.size() && highest < tangents_.size() && normals_.has_fourth())
            compare_tangent(at, corners, side, other, statistics);
    }

    /// The triangle's gradients of U and V against its tangents and the sign of its bitangents.
    void compare_tangent(std::size_t at, const std::array<std::size_t, 3>& corners, const Vector& side,
                         const Vector& other, Statistics& statistics) {
        const Vec4 base = uvs_.raw(corners[0]), to_side = uvs_.raw(corners[1]), to_other = uvs_.raw(corners[2]);
        const double u1 = double{to_side.x} - base.x, v1 = double{to_side.y} - base.y;
        const double u2 = double{to_other.x} - base.x, v2 = double{to_other.y} - base.y;
        const double area = u1 * v2 - u2 * v1;
        if (!(std::fabs(area) > 1e-12)) return;
        const Vector along_u = (side * v2 - other * v1) * (1 / area), along_v = (other * u1 - side * u2) * (1 / area);
        const Vector tangent =
            tangents_.direction(corners[0]) + tangents_.direction(corners[1]) + tangents_.direction(corners[2]);
        ++statistics.tangents;
        if (glm::dot(tangent, along_u) > 0) ++statistics.along_u;
        unsigned marked = 0;
        for (const std::size_t corner : corners) marked += 2 * normals_.fourth(corner) > normals_.most() ? 1u : 0u;
        const Vector normal =
            normals_.direction(corners[0]) + normals_.direction(corners[1]) + normals_.direction(corners[2]);
        const bool mirrored = glm::dot(glm::cross(normal, tangent), along_v) > 0;
        if (marked == 3 && !mirrored) statistics.contradicts.hit(at);
        if (marked == 0 && mirrored) statistics.unmarked.hit(at);
    }

    void report(const Statistics& statistics) {
        const auto triangle = [&](std::uint64_t at) { return index_path_ + "[" + std::to_string(at) + "]"; };
        if (statistics.degenerate)
            findings_.add(codes::xmf_triangle_degenerate, triangle(statistics.degenerate.first),
                          first_of("a triangle", statistics.degenerate.count));
        const auto of = [](std::uint64_t some, std::uint64_t all) {
            return std::to_string(some) + " of " + std::to_string(all) + " triangles";
        };
        if (statistics.inverted != 0) {
            const Code code = 2 * statistics.inverted <= statistics.seen ? codes::xmf_triangle_inverted_some
                              : is_flat()                                ? codes::xmf_decal_inverted
                              : is_glass_ ? codes::xmf_triangle_inverted.as(Severity::info)
                                          : codes::xmf_triangle_inverted;
            findings_.add(code, triangle(statistics.first_inverted), of(statistics.inverted, statistics.seen));
        }
        if (2 * statistics.along_u > statistics.tangents)
            findings_.add(codes::xmf_tangent_direction, tangents_.path(), of(statistics.along_u, statistics.tangents));
        if (statistics.contradicts) {
            findings_.add(codes::xmf_tangent_sign, triangle(statistics.contradicts.first),
                          of(statistics.contradicts.count, statistics.tangents));
        }
        if (statistics.unmarked) {
            findings_.add(codes::xmf_tangent_unmarked, triangle(statistics.unmarked.first),
                          of(statistics.unmarked.count, statistics.tangents));
        }
    }

    /// Whether all triangles lie in one plane.
    bool is_flat() const {
        std::optional<Vector> normal;
        Vector origin(0);
        double size = 0, depth = 0;
        for (std::size_t at = 0; at + 3 <= indices_.size(); at += 3) {
            if (std::max({indices_[at], indices_[at + 1], indices_[at + 2]}) >= positions_.size()) continue;
            const Vector a = positions_.vector(indices_[at]), b = positions_.vector(indices_[at + 1]),
                         c = positions_.vector(indices_[at + 2]);
            const Vector face = glm::cross(b - a, c - a);
            if (!normal && glm::length(face) > 0) {
                normal = face * (1 / glm::length(face));
                origin = a;
            }
            if (!normal) continue;
            for (const Vector& point : {a, b, c}) {
                size = std::max(size, glm::length(point - origin));
                depth = std::max(depth, std::fabs(glm::dot(point - origin, *normal)));
            }
        }
        return normal && depth <= 1e-3 * size;
    }

    Findings& findings_;
    bool is_glass_;
    ElementView positions_, normals_, tangents_, uvs_;
    Bulk<std::uint32_t> indices_;
    std::string index_path_;
};

}  // namespace

bool is_glass(std::string_view material) {
    const std::string name = lower(material);
    return name.find("glass") != std::string::npos || name.find("window") != std::string::npos;
}

void check_geometry(const xmf::File& file, Findings& findings) { GeometryCheck(file, findings).run(); }

}  // namespace effigy::egosoft
