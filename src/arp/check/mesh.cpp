/// What a mesh is drawn with: strip, duplicates, texture coordinates.

#include <algorithm>
#include <numeric>
#include <vector>

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/names.hpp"

namespace effigy::arp::checks {

namespace {

constexpr std::size_t max_vertices = 65536;

template <class Counts>
std::uint64_t sum_of(const Counts& counts) noexcept {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Arrays of one mesh against each other.
class Sizes {
public:
    Sizes(const Context& context, const std::string& path) : context_(context), path_(path) {}

    void expect(const char* name, std::uint64_t found, std::uint64_t expected) {
        if (found == expected) return;
        context_.findings.add(codes::arp_array_size, below(path_, name), count_text(found, "elements"),
                              count_text(expected, "elements"));
        fine_ = false;
    }
    [[nodiscard]] bool fine() const noexcept { return fine_; }

private:
    const Context& context_;
    const std::string& path_;
    bool fine_ = true;
};

bool check_point_sizes(const Context& context, const Mesh& mesh, const std::string& path) {
    const Points& points = mesh.points;
    const bool adjacency = context.file.layout.adjacency;
    Sizes sizes(context, path);
    const std::uint64_t links = sum_of(points.link_counts);
    sizes.expect("offsets", points.offsets.size(), links);
    sizes.expect("normals", points.normals.size(), links);
    sizes.expect("bones", points.bones.size(), links);
    sizes.expect("weights", points.weights.size(), links);
    sizes.expect("distances", points.distances.size(), links);
    sizes.expect("neighbour_counts", points.neighbour_counts.size(), adjacency ? points.size() : 0);
    sizes.expect("neighbours", points.neighbours.size(), sum_of(points.neighbour_counts));
    return sizes.fine();
}

bool check_duplicate_sizes(const Context& context, const Mesh& mesh, const std::string& path) {
    const bool lists = context.file.layout.duplicates == DuplicateForm::lists;
    Sizes sizes(context, path);
    if (!lists) sizes.expect("list_counts", mesh.list_counts.size(), 0);
    sizes.expect("list_sizes", mesh.list_sizes.size(), lists ? mesh.points.size() : 0);
    if (lists) sizes.expect("duplicates", mesh.duplicates.size(), sum_of(mesh.list_sizes));
    return sizes.fine();
}

/// Returns the number of vertices.
std::uint64_t check_duplicates(const Context& context, const Mesh& mesh, const std::string& path) {
    const Bulk<std::uint32_t> duplicates = duplicate_points(mesh, context.file.layout);
    const std::size_t points = mesh.points.size();
    Tally astray;
    for (std::size_t index = 0; index < duplicates.size(); ++index)
        if (duplicates[index] >= points) astray.hit(index);
    report(
        context.findings, codes::arp_duplicate_range, astray, "duplicates",
        [&](std::uint64_t index) { return below(path, element_path("duplicates", index)); },
        "less than " + std::to_string(points));
    const std::uint64_t vertices = std::uint64_t{points} + duplicates.size();
    if (vertices > max_vertices)
        context.findings.add(codes::arp_vertex_count, path, count_text(vertices, "vertices"),
                             "at most " + std::to_string(max_vertices));
    return vertices;
}

bool has_triangle(const Bulk<std::uint16_t>& strip) noexcept {
    for (std::size_t k = 2; k < strip.size(); ++k)
        if (strip[k - 2] != strip[k - 1] && strip[k - 1] != strip[k] && strip[k - 2] != strip[k]) return true;
    return false;
}

void check_strip(const Context& context, const Mesh& mesh, std::uint64_t vertices, const std::string& path) {
    Tally astray, unused;
    std::vector<bool> used(static_cast<std::size_t>(std::min<std::uint64_t>(vertices, max_vertices)));
    for (std::size_t index = 0; index < mesh.strip.size(); ++index) {
        if (mesh.strip[index] < used.size())
            used[mesh.strip[index]] = true;
        else
            astray.hit(index);
    }
    for (std::size_t vertex = 0; vertex < used.size(); ++vertex)
        if (!used[vertex]) unused.hit(vertex);
    report(
        context.findings, codes::arp_strip_index, astray, "indices",
        [&](std::uint64_t index) { return below(path, element_path("strip", index)); },
        "less than " + std::to_string(vertices));
    if (!has_triangle(mesh.strip)) {
        context.findings.add(codes::arp_strip_empty, below(path, "strip"), count_text(mesh.strip.size(), "indices"));
        return;
    }
    if (unused)
        context.findings.add(codes::arp_vertex_unused, below(path, "strip"),
                             first_of("vertex " + std::to_string(unused.first), unused.count));
}

void check_texcoords(const Context& context, const Mesh& mesh, std::uint64_t vertices, const std::string& path) {
    if (mesh.texcoords.size() != vertices)
        context.findings.add(codes::arp_texcoord_count, below(path, "texcoords"),
                             count_text(mesh.texcoords.size(), "texture coordinates"),
                             count_text(vertices, "texture coordinates"));
    Tally bad;
    for (std::size_t index = 0; index < mesh.texcoords.size(); ++index)
        if (!std::isfinite(mesh.texcoords[index].x) || !std::isfinite(mesh.texcoords[index].y)) bad.hit(index);
    report(context.findings, codes::arp_not_finite, bad, "texture coordinates",
           [&](std::uint64_t index) { return below(path, element_path("texcoords", index)); });
}

void check_mesh(const Context& context, const Mesh& mesh, const std::string& path, LinkedBones& bones) {
    if (!std::isfinite(mesh.switch_distance))
        context.findings.add(codes::arp_not_finite, below(path, "switch_distance"));
    if (check_point_sizes(context, mesh, path)) check_points(context, mesh, path, bones);
    const auto has = [&](Part part) { return context.has(part, mesh); };
    if (has(Part::duplicates) && check_duplicate_sizes(context, mesh, path)) {
        const std::uint64_t vertices = check_duplicates(context, mesh, path);
        check_strip(context, mesh, vertices, path);
        if (has(Part::texcoords)) check_texcoords(context, mesh, vertices, path);
    }
    if (has(Part::morph_targets)) check_morphs(context, mesh, path);
}

/// How far along an arm its points are is a part of its length.
void check_arms(const Context& context, const LinkedBones& linked) {
    Tally flat;
    for (std::size_t link = 0; link < linked.last_points.size(); ++link) {
        const std::string_view name = up_to_nul(context.file.link_names[link]);
        if (linked.last_points[link] == 0 || !is_twisted_arm(name)) continue;
        const auto bone = context.bones.find(name);
        if (bone != context.bones.end() && context.file.bones[bone->second].length == 0) flat.hit(bone->second);
    }
    report(
        context.findings, codes::arp_bone_length.as(Severity::warning), flat, "arms",
        [](std::uint64_t index) { return below(element_path("bone", index), "length"); }, "more than 0");
}

}  // namespace

void check_meshes(const Context& context) {
    const auto& meshes = context.file.meshes;
    if (meshes.empty() && context.has(Part::morph_targets))
        context.findings.add(codes::arp_mesh_missing, "mesh_count", "0 meshes", "1 mesh");
    if (meshes.size() > 1)
        context.findings.add(codes::arp_meshes, "mesh_count", count_text(meshes.size(), "meshes"), "1 mesh");
    LinkedBones bones(context);
    for (std::size_t index = 0; index < meshes.size(); ++index)
        check_mesh(context, meshes[index], element_path("mesh", index), bones);
    check_arms(context, bones);
    if (!meshes.empty() && context.has(Part::morph_targets, meshes.front())) check_common_morphs(context);
}

}  // namespace effigy::arp::checks
