/// Vertices become points and duplicates, triangles one strip, by meshoptimizer. Rules: docs/conversion/arp.md, "From a
/// scene".

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <map>
#include <meshoptimizer.h>

#include "effigy/arp_codes.hpp"

#include "arp/file/names.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

/// The bytes by which two vertices are told apart.
class Key {
public:
    template <class T>
    void add(const T& value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void add(const glm::dvec3& vector) {
        for (const double part : {vector.x, vector.y, vector.z}) add(narrow(part) + 0.0F);  // -0 is 0
    }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

Key point_key(const VertexDraft& vertex, double units) {
    Key key;
    for (const LinkDraft& link : vertex.links) {
        key.add(link.bone);
        key.add(link.weight);
        key.add(link.offset * units);
        key.add(link.normal);
    }
    for (const MovedPoint& move : vertex.moves) {
        key.add(move.target);
        key.add(move.offset * units);
        key.add(move.normal);
    }
    return key;
}

/// One strip with the same triangles, which have no corner twice.
std::vector<std::uint32_t> one_strip(const std::vector<std::uint32_t>& triangles, std::size_t vertices) {
    if (triangles.empty()) return {};
    std::vector<std::uint32_t> strip(meshopt_stripifyBound(triangles.size()));
    // 0: runs are joined by triangles without area, as the format has them.
    strip.resize(meshopt_stripify(strip.data(), triangles.data(), triangles.size(), vertices, 0U));
    return strip;
}

class MeshMaker {
public:
    MeshMaker(Build& build, const Skeleton& skeleton, LevelDraft& level, File& file)
        : build_(build),
          skeleton_(skeleton),
          level_(level),
          file_(file),
          units_(skeleton.units),
          is_restored_(is_restored(build, skeleton, level)) {}

    Result<void> make() {
        auto taken = build_.take(level_.vertices.size(), 256, "points");
        if (!taken) return taken;
        if (level_.points.empty()) {
            weld();
        } else {
            keep();
        }
        if (copies_.size() + level_.sources.size() > max_vertices) return fail(too_many());
        add_points();
        add_triangles();
        add_texcoords();
        mesh_.switch_distance = narrow(std::max(level_.switch_distance, 0.0));
        file_.meshes.push_back(std::move(mesh_));
        return {};
    }

private:
    [[nodiscard]] Diagnostic too_many() const {
        return problem_at("meshes", codes::arp_too_many_vertices,
                          "the strip of an avatar reaches 65536 vertices, seams of its texture included; simplify the "
                          "figure (in Blender: Decimate), or leave out what is not seen",
                          std::to_string(copies_.size() + level_.sources.size()) + " vertices",
                          "at most " + std::to_string(max_vertices));
    }

    /// As the avatar had it.
    void keep() {
        for (std::uint32_t i = 0; i < level_.points.size(); ++i) {
            vertices_.push_back(i);
            if (i < level_.point_count) {
                level_.sources.push_back(i);
            } else {
                copies_.push_back(level_.points[i]);
            }
        }
        places_ = vertices_;
        triangles_ = level_.triangles;
    }

    /// Vertices that differ in nothing are one; those that differ in texture coordinates only are copies of one point.
    void weld() {
        std::map<std::string, std::uint32_t> wholes, points;
        std::vector<std::uint32_t> whole_of, first_of, point_of;  // of vertices; of wholes
        for (std::uint32_t i = 0; i < level_.vertices.size(); ++i) {
            const VertexDraft& vertex = level_.vertices[i];
            Key key = point_key(vertex, units_);
            const auto point = points.try_emplace(key.text(), static_cast<std::uint32_t>(points.size())).first;
            key.add(glm::dvec3(vertex.texcoord.x, vertex.texcoord.y, 0));
            const auto [whole, is_new] = wholes.try_emplace(key.text(), static_cast<std::uint32_t>(wholes.size()));
            whole_of.push_back(whole->second);
            if (!is_new) continue;
            first_of.push_back(i);
            point_of.push_back(point->second);
        }
        const std::vector<bool> used = use_triangles(whole_of, first_of.size());
        number(used, first_of, point_of, points.size());
    }

    /// Triangles of three different vertices, by what those became.
    std::vector<bool> use_triangles(const std::vector<std::uint32_t>& whole_of, std::size_t wholes) {
        std::vector<bool> used(wholes);
        for (std::size_t i = 0; i + 2 < level_.triangles.size(); i += 3) {
            const std::uint32_t a = whole_of[level_.triangles[i]], b = whole_of[level_.triangles[i + 1]],
                                c = whole_of[level_.triangles[i + 2]];
            if (a == b || b == c || c == a) continue;
            triangles_.insert(triangles_.end(), {a, b, c});
            used[a] = used[b] = used[c] = true;
        }
        return used;
    }

    void number(const std::vector<bool>& used, const std::vector<std::uint32_t>& first_of,
                const std::vector<std::uint32_t>& point_of, std::size_t points) {
        constexpr std::uint32_t nobody = 0xffffffff;
        std::vector<std::uint32_t> numbers(points, nobody), copies;
        places_.assign(first_of.size(), nobody);
        for (std::uint32_t whole = 0; whole < first_of.size(); ++whole) {
            if (!used[whole]) continue;
            std::uint32_t& number = numbers[point_of[whole]];
            if (number != nobody) {
                copies.push_back(whole);
                continue;
            }
            number = static_cast<std::uint32_t>(level_.sources.size());
            places_[whole] = number;
            level_.sources.push_back(first_of[whole]);
            vertices_.push_back(first_of[whole]);
        }
        for (const std::uint32_t whole : copies) {
            places_[whole] = static_cast<std::uint32_t>(vertices_.size());
            copies_.push_back(numbers[point_of[whole]]);
            vertices_.push_back(first_of[whole]);
        }
        for (std::uint32_t& corner : triangles_) corner = places_[corner];
    }

    void add_points() {
        std::vector<std::uint32_t> names(skeleton_.bones.size(), 0);  // of bones: their place and 1
        std::unordered_map<std::string_view, std::size_t> bones;
        Points& points = mesh_.points;
        for (std::size_t i = 0; i < names.size(); ++i) bones.try_emplace(up_to_nul(file_.bones[i].name), i);
        for (std::size_t i = 0; i < file_.link_names.size(); ++i) {
            const auto bone = bones.find(up_to_nul(file_.link_names[i]));
            if (bone != bones.end()) names[bone->second] = static_cast<std::uint32_t>(i) + 1;
        }
        for (const std::uint32_t source : level_.sources) {
            const std::vector<LinkDraft> links = ordered_links(level_.vertices[source]);
            points.link_counts.push_back(static_cast<std::uint32_t>(links.size()));
            for (const LinkDraft& link : links) {
                if (names[link.bone] == 0) {
                    file_.link_names.push_back(link_name(link.bone));
                    names[link.bone] = static_cast<std::uint32_t>(file_.link_names.size());
                }
                points.offsets.push_back(narrow(link.offset * units_));
                points.normals.push_back(narrow(link.normal));
                points.bones.push_back(names[link.bone] - 1);
                points.weights.push_back(link.weight);
                points.distances.push_back(std::max(0.0F, points.offsets.back().x));
            }
        }
    }

    /// What players take of a forearm's twist where `first` is a point's first link.
    [[nodiscard]] double twist_with(const LinkDraft& first, const LinkDraft& forearm) const {
        if (first.bone != forearm.bone) return first.bone == skeleton_.bones[forearm.bone].parent ? 0 : 1;
        const double along = first.offset.x * units_ / double{file_.bones[first.bone].length};
        return along > 0 ? std::min(along, 1.0) : 0;  // 0 for NaN as well
    }

    /// The heaviest first, or the one with which players twist the forearm as its helper joints do.
    [[nodiscard]] std::vector<LinkDraft> ordered_links(const VertexDraft& vertex) const {
        constexpr double rounding = 1e-3;
        std::vector<LinkDraft> links = vertex.links;
        const auto forearm = std::find_if(links.begin(), links.end(), [&](const LinkDraft& link) {
            return is_forearm(skeleton_.bones[link.bone].code);
        });
        if (is_restored_ || !vertex.forearm_twist || forearm == links.end()) return links;
        const auto error = [&](const LinkDraft& first) {
            return std::abs(twist_with(first, *forearm) - *vertex.forearm_twist);
        };
        auto best = links.begin();
        for (auto link = best; link != links.end(); ++link) {
            if (error(*link) < error(*best) - rounding) best = link;
        }
        std::rotate(links.begin(), best, best + 1);
        return links;
    }

    [[nodiscard]] std::string link_name(std::size_t bone) const {
        std::string name = file_.bones[bone].name;
        if (file_.layout.link_name_lengths) name.resize(std::min(name.size(), name.find('\0')));
        return name;
    }

    void add_triangles() {
        for (const std::uint32_t vertex : one_strip(triangles_, vertices_.size()))
            mesh_.strip.push_back(static_cast<std::uint16_t>(vertex));
        const bool triples = file_.layout.duplicates == DuplicateForm::triples;
        for (const std::uint32_t point : copies_) mesh_.duplicates.push_back(triples ? 3 * point : point);
    }

    void add_texcoords() {
        const bool flipped = is_flipped(file_);
        for (const std::uint32_t vertex : vertices_) {
            const Vec2& place = level_.vertices[vertex].texcoord;
            mesh_.texcoords.push_back({place.x, flipped ? place.y : narrow(1 - double{place.y})});
        }
    }

    Build& build_;
    const Skeleton& skeleton_;
    LevelDraft& level_;
    File& file_;
    double units_;
    bool is_restored_;
    effigy::arp::Mesh mesh_;
    std::vector<std::uint32_t> vertices_;  ///< of the file: a vertex of the level
    std::vector<std::uint32_t> copies_;    ///< points
    std::vector<std::uint32_t> places_, triangles_;
};

}  // namespace

Result<void> add_mesh(Build& build, const Skeleton& skeleton, LevelDraft& level, File& file) {
    return MeshMaker(build, skeleton, level, file).make();
}

}  // namespace effigy::arp::native
