/// The row of EMotion FX for writing: from a scene to the files `.xac`, `.xsm`, `.xpm`, `.xsmtime` and their names.

#include "emfx/from_scene/files.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "effigy/emfx_codes.hpp"
#include "effigy/emfx_scene.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "registry/new_files.hpp"

namespace effigy::emfx {
namespace {

FromSceneOptions options_of(const ConversionContext& context) {
    const OptionValues& values = context.options;
    FromSceneOptions options;
    options.limits = context.limits;
    options.encoding = values.text("encoding", options.encoding);
    if (const auto target = values.choice("target", target_names)) options.target = static_cast<Target>(*target + 1);
    if (const auto levels = values.choice("levels", level_names))
        options.levels = static_cast<LevelStorage>(*levels + 1);
    options.max_bones = static_cast<std::uint32_t>(values.number("bones"));
    options.morph_normal_range = static_cast<float>(values.number("morph-normal-range", 1));
    options.max_error = values.number("max-error");
    return options;
}

/// A clip's name as part of a file's name on any system.
std::string file_safe(const std::string& name) {
    std::string safe;
    for (const char c : name) {
        const bool bad =
            static_cast<unsigned char>(c) < 0x20 || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
        safe += bad ? '_' : c;
    }
    return safe.empty() ? "clip" : safe;
}

/// `<stem>_<clip>`; a clip that is called so already, as those of files are that went together, keeps its name.
std::string motion_stem(const std::string& stem, const std::string& clip) {
    const std::string safe = file_safe(clip);
    return safe == stem || safe.starts_with(stem + "_") ? safe : stem + "_" + safe;
}

class FileMaker {
public:
    FileMaker(const Scene& scene, const std::filesystem::path& path, const ConversionContext& context)
        : scene_(scene), path_(path), context_(context), stem_(path.stem().string()) {}

    Result<Loaded<std::vector<NewFile>>> run(std::string_view format) {
        auto made = from_scene(scene_, options_of(context_));
        if (!made) return fail(std::move(made.error()));
        files_.report = std::move(made->report);
        const NativeFiles& native = made->value;
        if (format == "xsm") return one(native.motions, native.ticks);
        if (format == "xpm") return one(native.morph_motions, {});
        if (auto added = add(path_.filename().string(), xac::write(native.actor)); !added) return fail(added.error());
        if (auto added = add_all(native); !added) return fail(added.error());
        if (!context_.options.flag("no-textures"))
            files_.report.append(append_images(
                scene_, {"type", GreenChannel::flip, texture_form(context_.options), context_.limits}, files_.value));
        return std::move(files_);
    }

private:
    Result<void> add(std::string name, Result<Bytes> bytes) {
        if (!bytes) return fail(std::move(bytes.error()));
        files_.value.push_back({std::move(name), std::move(*bytes)});
        return {};
    }

    Result<void> add_all(const NativeFiles& native) {
        UniqueNames names(UniqueNames::Case::is_ignored);
        for (const auto& motion : native.motions) {
            const std::string name = names.add(motion_stem(stem_, motion.name), ".xsm");
            if (auto added = add(name, xsm::write(motion.file)); !added) return added;
        }
        for (const auto& motion : native.morph_motions) {
            const std::string name = names.add(motion_stem(stem_, motion.name), ".xpm");
            if (auto added = add(name, xpm::write(motion.file)); !added) return added;
        }
        for (const auto& ticks : native.ticks) {
            const std::string name = names.add(motion_stem(stem_, ticks.name), ".xsmtime");
            if (auto added = add(name, write_ticks(ticks.file)); !added) return added;
        }
        return {};
    }

    /// The motion that the path names, or the only one there is.
    template <class File>
    Result<Loaded<std::vector<NewFile>>> one(const std::vector<Named<File>>& motions,
                                             const std::vector<Named<std::vector<TimedValue>>>& ticks) {
        const auto fits = [&](const Named<File>& motion) {
            const std::string safe = file_safe(motion.name);
            return safe == stem_ || stem_.ends_with("_" + safe);
        };
        auto found = std::find_if(motions.begin(), motions.end(), fits);
        if (found == motions.end() && motions.size() == 1) found = motions.begin();
        if (found == motions.end()) return fail(no_motion(motions));
        if (auto added = add(path_.filename().string(), write(found->file, WriteOptions{})); !added)
            return fail(added.error());
        for (const auto& list : ticks) {
            if (list.name != found->name) continue;
            if (auto added = add(stem_ + ".xsmtime", write_ticks(list.file)); !added) return fail(added.error());
        }
        return std::move(files_);
    }

    template <class File>
    Diagnostic no_motion(const std::vector<Named<File>>& motions) const {
        std::string names;
        for (const auto& motion : motions) names += (names.empty() ? "" : ", ") + motion.name;
        return problem_at("clips", codes::emfx_clip,
                          motions.empty() ? "The scene has no clip that such a file could hold."
                                          : "The scene has several clips; name the file after one of them, or write an "
                                            "actor, which brings them all.",
                          shortened(stem_), motions.empty() ? "a clip" : shortened(names, 400));
    }

    const Scene& scene_;
    const std::filesystem::path& path_;
    const ConversionContext& context_;
    std::string stem_;
    Loaded<std::vector<NewFile>> files_;
};

}  // namespace

Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const FormatInfo& format,
                                                const std::filesystem::path& path, const ConversionContext& context) {
    return FileMaker(scene, path, context).run(format.id);
}

namespace {

/// What a motion's name says that it is for; empty if nothing.
std::string role_of(const std::string& motion) {
    const std::string name = lower(motion);
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"idle", "idle"}, {"mov", "move"}, {"walk", "move"}, {"attack", "attack"}};
    for (const auto& [word, role] : words) {
        if (name.find(word) != std::string::npos) return std::string(role);
    }
    return {};
}

/// An EMFXActorType: the only thing by which a game of Paradox's finds a model.
std::string definition(const std::string& name, const std::vector<NewFile>& files) {
    std::map<std::string, std::string> motions;
    std::string first;
    for (const NewFile& file : files) {
        const std::filesystem::path path(file.name);
        if (path.extension() != ".xsm") continue;
        if (first.empty()) first = path.filename().string();
        motions.try_emplace(role_of(path.stem().string()), path.filename().string());
    }
    constexpr const char* line = "\r\n";
    std::string text = std::string(
                           "# Which name the game looks for depends on what the model is for: a unit of a culture, a "
                           "ship, a building.") +
                       line + "objectTypes = {" + line + "\tEMFXActorType = {" + line + "\t\tname = \"" + name + "\"" +
                       line + "\t\tactorfile = \"gfx\\anims\\" + name + ".xac\"" + line;
    // The games' own files repeat the idle motion where another one is missing.
    const std::string idle = motions.contains("idle") ? motions.at("idle") : first.empty() ? "static.xsm" : first;
    for (const char* const role : {"idle", "move", "attack"}) {
        const auto motion = motions.find(role);
        text += std::string("\t\t") + role + " = \"gfx\\anims\\" + (motion != motions.end() ? motion->second : idle) +
                "\"" + line;
    }
    return text + "\t\tscale = 1.0" + line + "\t}" + line + "}" + line;
}

}  // namespace

Result<Loaded<std::vector<NewFile>>> make_folder(const Scene& scene, const std::filesystem::path& path,
                                                 const ConversionContext& context) {
    const std::string name = path.filename().string();
    auto made = FileMaker(scene, name + ".xac", context).run("xac");
    if (!made || !is_paradox(options_of(context).target)) return made;
    const std::string definitions = "interface/" + name + ".gfx";
    const std::string text = definition(name, made->value);
    for (NewFile& file : made->value) file.name = "gfx/anims/" + file.name;
    const auto raw = std::as_bytes(std::span(text));
    // One that is there is the modder's.
    if (!read_beside(path.parent_path() / definitions, nullptr, ~std::uint64_t{0}))
        made->value.push_back({definitions, Bytes(raw.begin(), raw.end())});
    return made;
}

}  // namespace effigy::emfx
