/// Files that an earlier conversion wrote for a component and that this one did not: levels, collision meshes, motions.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "egosoft/mod/mod.hpp"

namespace effigy::egosoft::mod {
namespace {

/// Parts and wrecks with meshes of their own, by names in lower case: the levels that the XML names.
std::map<std::string, std::set<std::uint32_t>> mesh_owners(const Component& component) {
    std::map<std::string, std::set<std::uint32_t>> owners;
    for (const Connection& connection : component.connections) {
        for (const Part& part : connection.parts) {
            if (!part.reference.empty()) continue;
            std::set<std::uint32_t>& levels = owners[lower(part.name)];
            for (const Lod& lod : part.lods) levels.insert(lod.index);
            if (!part.wreck.empty()) owners[lower(part.wreck)].insert(0);
        }
    }
    return owners;
}

class LeftFiles {
public:
    LeftFiles(const bridge::Context& context, const Output& output, std::string folder)
        : context_(context), output_(output), folder_(std::move(folder)) {}

    /// What a conversion finds by its name. Levels that the XML names are meant to be there.
    void look_for(const std::string& owner, const std::set<std::uint32_t>& named) {
        for (std::uint32_t level = 0; named.contains(level) || look_at(owner + "-lod" + std::to_string(level) + ".xmf");
             ++level)
            continue;
        // Where the meshes are only named, so is what hits them.
        if (!named.empty() && !is_written(folder_ + "/" + owner + "-lod0.xmf")) return;
        look_at(owner + "-collision.xmf");
        for (std::uint32_t number = 1; look_at(owner + "-collision" + std::to_string(number) + ".xmf"); ++number)
            continue;
    }
    void look_for_motions() {
        if (!is_written(folder_ + ".ani") && output_.old(folder_ + ".ani"))
            add(folder_.substr(folder_.rfind('/') + 1) + ".ani");
    }
    [[nodiscard]] const std::string& names() const noexcept { return names_; }

private:
    [[nodiscard]] bool is_written(const std::string& path) const { return context_.file_places.contains(lower(path)); }
    /// Whether there is such a file.
    bool look_at(const std::string& name) {
        const std::string path = folder_ + "/" + name;
        if (is_written(path)) return true;
        const bool is_old = output_.old(path).has_value();
        if (is_old) add(name);
        return is_old;
    }
    void add(const std::string& name) { names_ += (names_.empty() ? "" : ", ") + name; }

    const bridge::Context& context_;
    const Output& output_;
    std::string folder_;
    std::string names_{};
};

}  // namespace

void note_left_files(bridge::Context& context, const Output& output, const Plan& plan, const OldComponent& old,
                     const Component& made) {
    const auto folder = own_path(plan.folder, made.geometry);
    if (!folder || !output.old) return;
    LeftFiles left(context, output, *folder);
    const auto owners = mesh_owners(made);
    for (const auto& [name, named] : owners) left.look_for(name, named);
    if (old.component()) {
        for (const auto& [name, named] : mesh_owners(*old.component())) {
            if (!owners.contains(name)) left.look_for(name, {});
        }
    }
    left.look_for_motions();
    if (left.names().empty()) return;
    context.report.add(problem_at("files", codes::mod_files_left,
                                  "The mod has these files of the component from before, and they were not written "
                                  "anew: levels, collision meshes and motions are still taken for it, meshes of parts "
                                  "that are gone are of no use. Delete them if they are not meant, or convert into a "
                                  "new folder.",
                                  *folder + ": " + left.names()));
}

}  // namespace effigy::egosoft::mod
