/// The row of EMotion FX for writing: from a scene to the files `.xac`, `.xsm`, `.xpm`, `.xsmtime` and their names.

#include "emfx/from_scene/files.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "effigy/emfx_codes.hpp"
#include "effigy/emfx_scene.hpp"
#include "effigy/program_codes.hpp"

#include "core/file_names.hpp"
#include "core/json_members.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "emfx/file/for_disk.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/file/wrapper.hpp"
#include "emfx/from_scene/definition.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "registry/new_files.hpp"
#include "scene/bridge.hpp"
#include "scene/rest_bounds.hpp"
#include "scene/texture_names.hpp"

namespace effigy::emfx {

Target target_of(const OptionValues& options) {
    const auto target = options.choice("target", target_names);
    return target ? static_cast<Target>(*target + 1) : Target::any;
}

MotionCoding coding_of(const OptionValues& options) {
    const auto how = options.choice("wavelets", wavelet_names);
    if (!how) return MotionCoding::kept;
    return *how == 0 ? MotionCoding::keys : MotionCoding::compressed;
}

xsm::WaveletOptions wavelets_of(const OptionValues& options) {
    xsm::WaveletOptions wavelets;
    const std::size_t how = options.choice("wavelets", wavelet_names).value_or(0);
    if (how != 0) wavelets.transform = static_cast<xsm::Transform>(how - 1);
    wavelets.quality = options.number("quality", wavelets.quality);
    wavelets.samples_per_second = options.number("wavelet-rate", wavelets.samples_per_second);
    return wavelets;
}

namespace {

/// Textures that materials name; the last one only where it becomes a game's mask.
constexpr std::array<TextureSlot Material::*, 4> named_slots{&Material::base_color_texture, &Material::normal_texture,
                                                             &Material::emissive_texture,
                                                             &Material::metallic_roughness_texture};

FromSceneOptions options_of(const ConversionContext& context) {
    const OptionValues& values = context.options;
    FromSceneOptions options;
    options.limits = context.limits;
    options.target = target_of(values);
    const bool is_korean = options.target == Target::tree_of_savior;
    options.encoding = values.text("encoding", is_korean ? "CP949" : options.encoding);
    if (const auto levels = values.choice("levels", level_names))
        options.levels = static_cast<LevelStorage>(*levels + 1);
    options.max_bones = static_cast<std::uint32_t>(values.number("bones"));
    options.morph_normal_range = static_cast<float>(values.number("morph-normal-range", 1));
    options.max_error = values.number("max-error");
    options.coding = coding_of(values);
    options.wavelets = wavelets_of(values);
    return options;
}

/// "npc_cat" of "npc_cat_set".
std::string figure_of(const std::string& stem) {
    return stem.ends_with(figure_ending) ? stem.substr(0, stem.size() - figure_ending.size()) : stem;
}

/// Names of the textures of an actor's standard materials.
std::set<std::string> texture_names_of(const xac::File& actor) {
    std::set<std::string> names;
    const auto add = [&](const xac::MaterialLayer& layer) {
        if (!layer.texture.empty()) names.insert(layer.texture);
    };
    for (const xac::Chunk& chunk : actor.chunks) {
        if (const auto* const material = std::get_if<xac::StandardMaterial>(&chunk.record))
            std::for_each(material->layers.begin(), material->layers.end(), add);
        if (const auto* const layer = std::get_if<xac::MaterialLayer>(&chunk.record)) add(*layer);
    }
    return names;
}

class FileMaker {
public:
    /// `folder`: of a mod, where the files will be.
    FileMaker(const Scene& scene, Scene* spent, const std::filesystem::path& path, const ConversionContext& context,
              std::filesystem::path folder = {})
        : folder_(std::move(folder)),
          scene_(scene),
          spent_(spent),
          path_(path),
          context_(context),
          options_(options_of(context)),
          stem_(path.stem().string()) {
        if (options_.target == Target::tree_of_savior) stem_ = figure_of(stem_);
    }

    Result<Loaded<std::vector<NewFile>>> run(std::string_view format) {
        auto made = spent_ != nullptr ? from_scene(std::move(*spent_), options_) : from_scene(scene_, options_);
        if (!made) return fail(std::move(made.error()));
        files_.report = std::move(made->report);
        NativeFiles& native = made->value;
        const Rig rig = rig_of(native.actor);
        is_for_others_ = std::ranges::any_of(
            native.motions, [&](const auto& motion) { return fit_of(rig, rig_of(motion.file)).has_other_skeleton(); });
        if (format == "xsm") return one(native.motions, native.ticks);
        if (format == "xpm") return one(native.morph_motions, {});
        const auto use = mask_use(options_.target);
        const std::set<std::string> textures = texture_names_of(native.actor);
        const bool names_mask =
            use == image::MaskUse::highlight_and_brightness && textures.contains(std::string(empty_mask(*use)));
        if (auto added = add_native(path_.filename().string(), std::move(native.actor)); !added)
            return fail(added.error());
        if (auto added = add_all(native); !added) return fail(added.error());
        if (context_.options.flag("no-textures")) return std::move(files_);
        const Slots slots = Slots(named_slots).first(use ? named_slots.size() : named_slots.size() - 1);
        files_.report.append(append_images(scene_,
                                           {"type", GreenChannel::flip, texture_form(context_.options), context_.limits,
                                            use, folder_, context_.textures, slots},
                                           files_.value));
        if (names_mask) {
            if (auto added = add_empty_mask(*use); !added) return fail(added.error());
        }
        if (!folder_.empty()) add_other_textures(textures);
        return std::move(files_);
    }

    /// Whether a motion's bind pose is that of another skeleton, so that the game has to adapt it.
    [[nodiscard]] bool is_for_others() const noexcept { return is_for_others_; }

private:
    Result<void> add(std::string name, Result<Bytes> bytes) {
        if (!bytes) return fail(std::move(bytes.error()));
        files_.value.push_back({std::move(name), std::move(*bytes)});
        return {};
    }

    template <class File>
    Result<void> add_native(std::string name, File file) {
        if (auto checked = check_wrapper(name, !file.wrapper_head.empty()); !checked) return checked;
        if (!context_.for_disk) return add(std::move(name), write(file, WriteOptions{}));
        auto later = for_disk(std::move(name), std::move(file));
        if (!later) return fail(std::move(later.error()));
        files_.value.push_back(std::move(*later));
        return {};
    }

    /// A mask that says nothing, for a game that brings none.
    Result<void> add_empty_mask(image::MaskUse use) {
        image::Picture rough{4, 4, Bytes(64, std::byte{255}), false, {}};
        const image::Picture mask = image::paradox_mask(use, rough);
        const bool is_dds = texture_form(context_.options) == TextureForm::dds;
        const image::DdsOptions dds{image::DdsCoding::bc1, true, {image::Role::linear}, false};
        return add(std::string(empty_mask(use)) + (is_dds ? ".dds" : ".png"),
                   is_dds ? image::encode_dds(mask, dds, context_.limits) : image::encode_png(mask));
    }

    /// Textures of a mod that no material of glTF shows, such as masks, as they lie beside the input: their names stand
    /// as the old file had them, or in the code page that is written.
    void add_other_textures(const std::set<std::string>& textures) {
        const Encodings encodings =
            encodings_of(object_of(scene_.asset_extras.json), options_.encoding, SceneOptions().encoding);
        NameList missing;
        for (const std::string& texture : textures) {
            const bool is_there = std::any_of(encodings.begin(), encodings.end(), [&](const std::string& encoding) {
                return provide_texture(picture_stem(to_utf8(texture, encoding)));
            });
            if (!is_there && !is_no_texture(texture)) missing.add(to_utf8(texture, encodings.front()));
        }
        if (missing.empty()) return;
        files_.report.add(
            problem_at("materials", codes::texture_missing.as(Severity::info),
                       "Materials name textures that are neither here nor in the mod, such as masks, which only the "
                       "game shows. If the game does not have them either, say with --textures where they are.",
                       missing.text()));
    }

    /// Whether the mod has it now, a copy of the original if need be; there is none without a name.
    bool provide_texture(const std::string& name) {
        const auto is_written = [&](const NewFile& file) {
            return lower(std::filesystem::path(file.name).stem().string()) == lower(name);
        };
        std::error_code error;
        if (name.empty() || std::ranges::any_of(files_.value, is_written)) return true;
        if (std::filesystem::exists(folder_ / (name + ".dds"), error)) return true;
        if (context_.textures == nullptr) return false;
        auto original = original_dds(*context_.textures, name + ".dds");
        if (original) files_.value.push_back({name + ".dds", std::move(original->bytes), true});
        return original.has_value();
    }

    Result<void> add_all(NativeFiles& native) {
        UniqueNames names(UniqueNames::Case::is_ignored);
        for (auto& motion : native.motions) {
            const std::string name = names.add(motion_stem(stem_, motion.name), ".xsm");
            if (auto added = add_native(name, std::move(motion.file)); !added) return added;
        }
        for (auto& motion : native.morph_motions) {
            const std::string name = names.add(motion_stem(stem_, motion.name), ".xpm");
            if (auto added = add_native(name, std::move(motion.file)); !added) return added;
        }
        for (const auto& ticks : native.ticks) {
            const std::string name = names.add(motion_stem(stem_, ticks.name), ".xsmtime");
            if (auto added = add(name, write_ticks(ticks.file)); !added) return added;
        }
        return {};
    }

    /// The motion that the path names, or the only one there is.
    template <class File>
    Result<Loaded<std::vector<NewFile>>> one(std::vector<Named<File>>& motions,
                                             const std::vector<Named<std::vector<TimedValue>>>& ticks) {
        const auto fits = [&](const Named<File>& motion) {
            const std::string safe = file_safe(motion.name);
            return safe == stem_ || stem_.ends_with("_" + safe);
        };
        auto found = std::find_if(motions.begin(), motions.end(), fits);
        if (found == motions.end() && motions.size() == 1) found = motions.begin();
        if (found == motions.end()) return fail(no_motion(motions));
        if (auto added = add_native(path_.filename().string(), std::move(found->file)); !added)
            return fail(added.error());
        for (const auto& list : ticks) {
            if (list.name != found->name) continue;
            if (auto added = add(stem_ + ".xsmtime", write_ticks(list.file)); !added) return fail(added.error());
        }
        return std::move(files_);
    }

    template <class File>
    Diagnostic no_motion(const std::vector<Named<File>>& motions) const {
        return problem_at("clips", codes::emfx_clip,
                          motions.empty() ? "The scene has no clip that such a file could hold."
                                          : "The scene has several clips; name the file after one of them, or write an "
                                            "actor, which brings them all.",
                          shortened(stem_),
                          motions.empty() ? "a clip" : shortened(joined(motions, ", ", &Named<File>::name), 400));
    }

    std::filesystem::path folder_;
    const Scene& scene_;
    Scene* spent_;  ///< the same, or null
    const std::filesystem::path& path_;
    const ConversionContext& context_;
    FromSceneOptions options_;
    std::string stem_;
    bool is_for_others_ = false;
    Loaded<std::vector<NewFile>> files_;
};

using Files = std::vector<NewFile>;

NewFile text_file(std::string name, const std::string& text) {
    const auto raw = std::as_bytes(std::span(text));
    return {std::move(name), Bytes(raw.begin(), raw.end())};
}

/// How such a game comes to ask for a model.
std::string_view asked_by(Target target) {
    return target == Target::eu3    ? "CULTURE_infantry_1 to 5 or TAG_infantry_1 to 5 for armies, a unit's file in "
                                      "common/units for ships, a good, a building"
           : target == Target::hoi3 ? "CULTURE and the sprite of a file in units, as in GermanTank"
                                    : "CULTURE and the sprite of a file in units, as in BritishGCInfantry";
}

double height_of(const Scene& scene) {
    const auto bounds = rest_bounds(scene);
    return bounds ? bounds->high[1] - bounds->low[1] : 0;
}

/// `height`: of the scene, whose vertices may be in the files by now.
Definition definition_of(const std::string& name, const Scene& scene, double height, Target target, const Files& files,
                         bool is_for_others) {
    Definition definition{name, {}, target};
    definition.height = height;
    definition.retargeting = is_for_others;
    for (const NewFile& file : files) {
        if (file.name.ends_with(".xsm")) definition.motions.push_back(file.name);
    }
    const Json asset = object_of(scene.asset_extras.json);
    if (const Json* const list = member(asset, "attachments"); list != nullptr && list->is_array()) {
        for (const Json& one : *list)
            definition.attachments.emplace_back(text_at(one, "name").value_or(""), text_at(one, "node").value_or(""));
    }
    return definition;
}

/// The definitions that a mod has already in its folder for them.
Files old_definitions(const std::filesystem::path& mod, const std::string& folder) {
    Files files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(mod / folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!lower(name).ends_with(".gfx")) continue;
        if (auto bytes = read_beside(entry.path(), nullptr, std::uint64_t{1} << 26))
            files.push_back({folder + "/" + name, std::move(*bytes)});
    }
    std::ranges::sort(files, {}, [](const NewFile& file) { return lower(file.name); });
    return files;
}

/// As the games' text files spell it.
Definition encoded_definition(Definition definition, const std::string& encoding) {
    definition.name = bridge::to_raw(definition.name, encoding);
    for (std::string& motion : definition.motions) motion = bridge::to_raw(motion, encoding);
    for (auto& [name, node] : definition.attachments) {
        name = bridge::to_raw(name, encoding);
        node = bridge::to_raw(node, encoding);
    }
    return definition;
}

/// The files with definitions as they will be, of those that change.
Files changed_definitions(const std::filesystem::path& mod, const Definition& of_mod, const std::string& encoding,
                          Listings& listings) {
    const Definition definition = encoded_definition(of_mod, encoding);
    const std::string folder = spelled(mod, "interface", listings);
    const Files old = old_definitions(mod, folder);
    Files changed;
    for (const EntryPlace place : {EntryPlace::of_actor, EntryPlace::of_name, EntryPlace::added}) {
        bool is_there = false;
        for (const NewFile& file : old) {
            if (is_there && place == EntryPlace::added) break;
            const auto text = with_definition(as_text(file.bytes), definition, place);
            is_there = is_there || text;
            if (text && *text != as_text(file.bytes)) changed.push_back(text_file(file.name, *text));
        }
        if (is_there) return changed;
    }
    const std::string name = folder + "/" + of_mod.name + ".gfx";
    const auto is_called_so = [&](const NewFile& file) { return lower(file.name) == lower(name); };
    // One without entries is the modder's.
    if (!std::ranges::any_of(old, is_called_so)) changed.push_back(text_file(name, new_definitions(definition)));
    return changed;
}

}  // namespace

Result<Loaded<std::vector<NewFile>>> make_files(const Scene& given, const FormatInfo& format,
                                                const std::filesystem::path& path, const ConversionContext& context) {
    const Target target = options_of(context).target;
    const bool wants_pictures = is_paradox(target) && !context.options.flag("no-textures");
    std::optional<Scene> flat = wants_pictures ? with_flat_textures(given, "type") : std::nullopt;
    const Scene& scene = flat ? *flat : given;
    const double height = is_paradox(target) ? height_of(scene) : 0;
    FileMaker maker(scene, flat ? &*flat : context.spent, path, context);
    auto made = maker.run(format.id);
    if (!made || format.id != "xac" || !is_paradox(target)) return made;
    made->report.add(problem_at(
        "interface", codes::game_entry,
        "The game finds the model by an entry in a file interface/*.gfx, called after what asks "
        "for it.",
        entry_text(definition_of(path.stem().string(), scene, height, target, made->value, maker.is_for_others())),
        std::string(asked_by(target))));
    return made;
}

Result<Loaded<std::vector<NewFile>>> make_folder(const Scene& given, const std::filesystem::path& path,
                                                 const ConversionContext& context) {
    std::optional<Scene> flat = with_flat_textures(given, "type");
    const Scene& scene = flat ? *flat : given;
    const std::string name = path.filename().string();
    const std::filesystem::path folder = path.parent_path();
    const Target target = options_of(context).target;
    const bool is_tos = target == Target::tree_of_savior;
    const std::string who = is_tos ? figure_of(name) : name;
    const std::filesystem::path model = (is_tos ? who + std::string(figure_ending) : who) + ".xac";
    Listings listings;
    const std::string inside = spelled(folder, is_tos ? "char_hi/npc/" + who : "gfx/anims", listings) + "/";
    const double height = height_of(scene);
    FileMaker maker(scene, flat ? &*flat : context.spent, model, context, folder / inside);
    auto made = maker.run("xac");
    if (!made) return made;
    const Definition definition = definition_of(name, scene, height, target, made->value, maker.is_for_others());
    for (NewFile& file : made->value) file.name = inside + file.name;
    if (is_tos) {
        const std::string in_archive = inside.substr(inside.find('/') + 1);
        made->report.add(problem_at(inside, codes::game_entry,
                                    "The game finds the textures by a row of the table ies_client/xac.ies; enter it "
                                    "there with an editor for such tables.",
                                    "Mesh " + in_archive + model.string() + ", Path " + in_archive));
        return made;
    }
    for (NewFile& file : changed_definitions(folder, definition, options_of(context).encoding, listings))
        made->value.push_back(std::move(file));
    made->report.add(problem_at("interface", codes::game_entry,
                                "The game finds the model by the name of its entry there: call it after what asks for "
                                "it, and set the scale.",
                                name, std::string(asked_by(target))));
    return made;
}

}  // namespace effigy::emfx
