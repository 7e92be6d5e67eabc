/// Meshes from glTF, put together from source, layout, attributes, primitives and targets.

#include <algorithm>
#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/hashes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/colors.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "gltf/read/mesh.hpp"
#include "scene/wide_math.hpp"

namespace effigy::gltf {
namespace {

class MeshReader {
public:
    MeshReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), number_(number) {}

    Result<Mesh> read() {
        auto source = read_mesh_source(reading_, json_, number_);
        if (!source) return fail(std::move(source.error()));
        ReadExtras extras = read_extras(reading_, json_, source->path, {"targetNames"}, {"kept_colors"});
        extras_ = std::move(extras.extras);
        return read_edited_or_not(*source).and_then(
            [&](Mesh mesh) { return with_colors(std::move(mesh), extras.known); });
    }

private:
    Result<Mesh> read_edited_or_not(MeshSource& source) {
        const std::size_t notes = reading_.report.diagnostics().size();
        auto mesh = read_as(source, extras_.hash != 0);
        // Vertices that no primitive stands on are the mesh's own only if nobody has written it since.
        if (!mesh || !source.is_tentative || extras_.hash == hash_of(*mesh)) return mesh;
        reading_.report.diagnostics().resize(notes);
        auto again = read_mesh_source(reading_, json_, number_);
        if (!again) return fail(std::move(again.error()));
        return read_as(*again, false);
    }

    Result<Mesh> with_colors(Mesh mesh, const Value& known) {
        const Value* const record = member(known, "kept_colors");
        if (record == nullptr) return mesh;
        const std::size_t width = 32 * (2 + list_member(*record, "attributes").size());
        if (auto taken = reading_.take(mesh.vertex_count, width, element_path("meshes", number_)); !taken)
            return fail(std::move(taken.error()));
        const LostColors colors = restore_colors(mesh, *record);
        const auto add = [&](std::vector<std::string>& meshes, const std::vector<std::string>& names) {
            if (!names.empty()) meshes.push_back(mesh.name + " (" + joined(names) + ")");
        };
        add(reading_.colors_restored, colors.restored);
        add(reading_.colors_lost, colors.lost);
        return mesh;
    }

    Result<Mesh> read_as(MeshSource& source, bool untouched) {
        mesh_ = Mesh();
        mesh_.name = name_of(json_);
        mesh_.extras = extras_;
        return place_ranges(reading_, source, untouched)
            .and_then([&] { return read_vertices(source); })
            .and_then([&] { return read_targets(reading_, source, mesh_); })
            .map([&] {
                name_targets();
                read_weights();
                return std::move(mesh_);
            });
    }

    Result<void> read_vertices(MeshSource& source) {
        mesh_.vertex_count = source.vertex_count;
        auto missing = read_attributes(reading_, source, mesh_);
        if (!missing) return fail(std::move(missing.error()));
        if (auto read = read_primitives(reading_, source, mesh_); !read) return read;
        fill_vectors(*missing, source, mesh_);
        return {};
    }

    // A custom property that exporters agree upon; some put it into a primitive.
    void name_targets() {
        const auto names_in = [](const Value& object) -> const Value& {
            return list_member(object_member(object, "extras"), "targetNames");
        };
        const Value& primitives = list_member(json_, "primitives");
        const Value& own = names_in(json_);
        const Value& names = own.empty() && !primitives.empty() ? names_in(primitives[0]) : own;
        for (std::size_t i = 0; i < std::min(names.size(), mesh_.targets.size()); ++i) {
            if (names[i].is_string()) mesh_.targets[i].name = names[i].get_ref<const std::string&>();
        }
    }

    void read_weights() {
        const Value& weights = reading_.list(json_, "weights", element_path("meshes", number_));
        if (weights.empty()) return;
        if (weights.size() != mesh_.targets.size()) {
            reading_.note(codes::gltf_counts.as(Severity::warning), element_path("meshes", number_) + " / weights",
                          "there is not one weight for each morph target; missing ones are 0",
                          std::to_string(weights.size()), std::to_string(mesh_.targets.size()));
        }
        mesh_.weights = weights_of(weights, mesh_.targets.size());
    }

    Reading& reading_;
    const Value& json_;
    std::size_t number_;
    Extras extras_;
    Mesh mesh_;
};

/// How many, and the first ones.
std::string some_of(const std::vector<std::string>& meshes) {
    constexpr std::size_t most = 3;
    std::string text = std::to_string(meshes.size()) + (meshes.size() == 1 ? " mesh: " : " meshes: ");
    for (std::size_t i = 0; i < std::min(most, meshes.size()); ++i) text += (i == 0 ? "" : "; ") + meshes[i];
    return meshes.size() > most ? text + "; ..." : text;
}

void report_colors(Reading& reading) {
    if (!reading.colors_restored.empty()) {
        reading.note(codes::gltf_colors_restored, "meshes",
                     "the file had lost vertex colours; they are as in the game's file again",
                     some_of(reading.colors_restored));
    }
    if (reading.colors_lost.empty()) return;
    reading.note(codes::gltf_colors_lost, "meshes",
                 "The vertex colours of edited meshes are lost, and the game's masks (dirt, ambient occlusion) with "
                 "them. Blender keeps colours that are converted with --colors raw: in Blender 3.4 use Object Data, "
                 "Attributes, Convert Attribute (Vertex, Color), and export with Data, Mesh: Vertex Colors; later "
                 "versions have Data, Mesh: Attributes, which keeps all of them. What was converted with --keep-colors "
                 "brings them back to meshes that nobody edited.",
                 some_of(reading.colors_lost));
}

}  // namespace

std::vector<float> weights_of(const Value& list, std::size_t count) {
    std::vector<float> weights(count, 0);
    for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
        if (list[i].is_number()) weights[i] = narrow(list[i].get<double>());
    }
    return weights;
}

Result<void> read_meshes(Reading& reading) {
    return read_objects<MeshReader>(reading, "meshes", reading.scene.meshes).map([&] { report_colors(reading); });
}

}  // namespace effigy::gltf
