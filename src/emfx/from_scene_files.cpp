#include "emfx/from_scene_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "effigy/emfx_scene.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/new_files.hpp"

namespace effigy::emfx {
namespace {

constexpr std::array<std::pair<std::string_view, Target>, 5> known_targets{{{"", Target::any},
                                                                            {"victoria2", Target::victoria2},
                                                                            {"eu3", Target::eu3},
                                                                            {"tos", Target::tree_of_savior},
                                                                            {"xrebirth", Target::x_rebirth}}};
constexpr std::array<std::pair<std::string_view, LevelStorage>, 3> storages{
    {{"", LevelStorage::by_target}, {"embedded", LevelStorage::embedded}, {"fields", LevelStorage::fields}}};

/// The value of a name, or a refusal that lists the names.
template <class Names>
auto named(const Names& names, std::string_view name, std::string_view code, std::string message)
    -> Result<std::remove_cvref_t<decltype(names[0].second)>> {
    std::string list;
    for (const auto& [known, value] : names) {
        if (known == name) return value;
        if (!known.empty()) list += (list.empty() ? "" : ", ") + std::string(known);
    }
    return fail(problem_at("options", code, std::move(message), std::string(name), list));
}

Result<FromSceneOptions> options_of(const NativeOptions& native) {
    const auto target =
        named(known_targets, native.target, "emfx-target", "EMotion FX files are not made for this game.");
    if (!target) return fail(target.error());
    const auto levels = named(storages, native.levels, "emfx-levels", "Levels of detail cannot be stored like this.");
    if (!levels) return fail(levels.error());
    FromSceneOptions options;
    options.limits = native.limits;
    options.encoding = native.encoding;
    options.target = *target;
    options.levels = *levels;
    options.most_bones = native.most_bones;
    options.morph_normal_range = native.morph_normal_range;
    options.max_error = native.max_error;
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
    FileMaker(const Scene& scene, const std::filesystem::path& path, const NativeOptions& options)
        : scene_(scene), path_(path), options_(options), stem_(path.stem().string()) {}

    Result<Loaded<std::vector<NewFile>>> run(std::string_view format) {
        const auto options = options_of(options_);
        if (!options) return fail(options.error());
        auto made = from_scene(scene_, *options);
        if (!made) return fail(std::move(made.error()));
        files_.report = std::move(made->report);
        const NativeFiles& native = made->value;
        if (format == "xsm") return one(native.motions, native.ticks);
        if (format == "xpm") return one(native.morph_motions, {});
        if (auto added = add(path_.filename().string(), xac::write(native.actor)); !added) return fail(added.error());
        if (auto added = add_all(native); !added) return fail(added.error());
        if (options_.write_images)
            files_.report.append(append_images(scene_, "type", GreenChannel::flip, files_.value));
        return std::move(files_);
    }

private:
    Result<void> add(std::string name, Result<Bytes> bytes) {
        if (!bytes) return fail(std::move(bytes.error()));
        files_.value.push_back({std::move(name), std::move(*bytes)});
        return {};
    }

    Result<void> add_all(const NativeFiles& native) {
        std::set<std::string> taken;
        std::map<std::string, int> numbers;
        const auto unique = [&](const std::string& wish, const char* extension) {
            std::string name = wish + extension;
            int& number = numbers.try_emplace(lower(name), 1).first->second;
            while (!taken.insert(lower(name)).second) name = wish + "_" + std::to_string(++number) + extension;
            return name;
        };
        for (const auto& motion : native.motions) {
            const std::string name = unique(motion_stem(stem_, motion.name), ".xsm");
            if (auto added = add(name, xsm::write(motion.file)); !added) return added;
        }
        for (const auto& motion : native.morph_motions) {
            const std::string name = unique(motion_stem(stem_, motion.name), ".xpm");
            if (auto added = add(name, xpm::write(motion.file)); !added) return added;
        }
        for (const auto& ticks : native.ticks) {
            const std::string name = unique(motion_stem(stem_, ticks.name), ".xsmtime");
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
        if constexpr (std::is_same_v<File, xsm::File>) {
            if (auto added = add(path_.filename().string(), xsm::write(found->file)); !added)
                return fail(added.error());
        } else {
            if (auto added = add(path_.filename().string(), xpm::write(found->file)); !added)
                return fail(added.error());
        }
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
        return problem_at("clips", "emfx-clip",
                          motions.empty() ? "The scene has no clip that such a file could hold."
                                          : "The scene has several clips; name the file after one of them, or write an "
                                            "actor, which brings them all.",
                          shortened(stem_), motions.empty() ? "a clip" : shortened(names, 400));
    }

    const Scene& scene_;
    const std::filesystem::path& path_;
    const NativeOptions& options_;
    std::string stem_;
    Loaded<std::vector<NewFile>> files_;
};

}  // namespace

Result<Loaded<std::vector<NewFile>>> make_files(const Scene& scene, const FormatInfo& format,
                                                const std::filesystem::path& path, const NativeOptions& options) {
    return FileMaker(scene, path, options).run(format.id);
}

}  // namespace effigy::emfx
