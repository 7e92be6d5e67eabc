/// Materials that the game does not have yet: entries in the mod's library, and their textures. What glTF says becomes
/// what reading makes of such entries, backwards.

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

#include "effigy/egosoft_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/image.hpp"

#include "core/problem.hpp"
#include "core/srgb.hpp"
#include "core/text.hpp"
#include "egosoft/mod/mod.hpp"
#include "egosoft/mod/old_material.hpp"
#include "egosoft/mod/textures.hpp"
#include "egosoft/mod/xml_text.hpp"
#include "registry/new_files.hpp"
#include "scene/texture_names.hpp"

namespace effigy::egosoft::mod {
namespace {

using image::Picture;

constexpr const char* library_path = "libraries/material_library.xml";
constexpr const char* new_library =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<diff>\n  <add sel=\"/materiallibrary\" />\n</diff>\n";
/// Of maps in one colour: the game refuses tiny ones.
constexpr std::uint32_t plain_size = 1024;

std::string number(float value) {
    std::string text = number_text(static_cast<double>(value));
    return text.find('.') == std::string::npos && text.find('e') == std::string::npos ? text + ".0" : text;
}

/// The numbers of a colour, each in an attribute of its own, as the games have them. What else it may say stays a
/// value.
std::string color_attributes(std::string_view numbers) {
    constexpr std::string_view channels = "rgba";
    std::string value = " value=\"" + escaped(numbers) + "\"";
    std::string attributes;
    for (const char channel : channels) {
        const std::size_t end = std::min(numbers.find(' '), numbers.size());
        const std::string_view number = numbers.substr(0, end);
        const auto value_of_channel = number_from<float>(number);
        const bool is_number = value_of_channel && std::isfinite(*value_of_channel);
        if (!is_number || (end == numbers.size()) != (channel == channels.back())) return value;
        attributes += std::string(" ") + channel + "=\"" + std::string(number) + "\"";
        numbers.remove_prefix(std::min(end + 1, numbers.size()));
    }
    return attributes;
}

/// The entry of one material, line by line.
class Entry {
public:
    /// `old`: what the material came from, or null.
    Entry(Textures& textures, const Material& material, std::string name, const Limits& limits, const OldMaterial* old)
        : textures_(textures), material_(material), name_(std::move(name)), limits_(limits), old_(old) {}

    Result<std::string> run() {
        add_old();
        auto done = add(Group::diffuse, &Entry::add_diffuse)
                        .and_then([&] { return add(Group::normal, &Entry::add_normal); })
                        .and_then([&] { return add(Group::surface, &Entry::add_surface); })
                        .and_then([&] { return add(Group::glow, &Entry::add_glow); });
        if (!done) return fail(std::move(done.error()));
        if (old_ == nullptr) add_number("environmentStr", 1);
        return "<material name=\"" + escaped(name_) + "\" shader=\"" + escaped(shader()) + "\" blendmode=\"" +
               escaped(blendmode()) + "\" preview=\"none\">\n  <properties>\n" + properties_ +
               "  </properties>\n</material>";
    }

private:
    /// What glTF has no place for, and what means the same as before.
    void add_old() {
        if (old_ == nullptr) return;
        for (const MaterialProperty& property : old_->entry().properties) {
            if (old_->keeps(property)) add_property(property.type, property.name, property.value);
        }
    }

    /// A picture that cannot be used is none: the same is done without it.
    Result<void> add(Group group, Result<void> (Entry::*make)()) {
        if (old_ != nullptr && old_->is_same(group)) return {};
        const std::string before = properties_;
        for (;;) {
            unusable_ = no_index;
            auto done = (this->*make)();
            if (done || unusable_ == no_index || !textures_.leave_out(unusable_, done.error())) return done;
            properties_ = before;
        }
    }

    Result<Picture> read(const TextureSlot& slot) {
        auto picture = textures_.picture(slot);
        if (!picture) unusable_ = slot.image;
        return picture;
    }

    [[nodiscard]] std::string shader() const {
        const bool is_glass = material_.alpha_mode == AlphaMode::blend;
        if (old_ != nullptr && !old_->entry().shader.empty() && old_->was_glass() == is_glass)
            return old_->entry().shader;
        return is_glass ? "p1_glass.fx" : "P1_complex_surface.fx";
    }

    [[nodiscard]] std::string blendmode() const {
        if (old_ != nullptr && old_->has_same_blending() && !old_->entry().blendmode.empty())
            return old_->entry().blendmode;
        const bool is_double = material_.double_sided;
        if (material_.alpha_mode == AlphaMode::mask) return is_double ? "ALPHA1_TWOSIDED" : "ALPHA1";
        // Of what blends, the game shows both sides unless it says single.
        if (material_.alpha_mode == AlphaMode::blend) return is_double ? "ALPHA8" : "ALPHA8_SINGLE";
        return is_double ? "TWOSIDED" : "NONE";
    }

    void add_property(std::string_view type, std::string_view name, std::string_view value) {
        const std::string said = lower(type) == "color" ? color_attributes(value) : " value=\"" + escaped(value) + "\"";
        properties_ += "    <property type=\"" + escaped(type) + "\" name=\"" + escaped(name) + "\"" + said + " />\n";
    }
    void add_number(const char* name, float value) { add_property("Float", name, number(value)); }

    /// `numbers`: what the picture was changed by.
    Result<void> add_map(const char* name, const TextureSlot& slot, std::string_view use,
                         std::initializer_list<float> numbers, Picture picture, const image::Filtering& filtering) {
        const bool has_image = textures_.has(slot);
        std::string key = std::string(use) + "|" + (has_image ? std::to_string(slot.image) : std::string("plain"));
        for (const float number : numbers) key += "|" + std::to_string(number);
        auto value =
            textures_.add(key, has_image ? textures_.name_of(slot) : name_, use, std::move(picture), filtering);
        if (!value) {
            if (has_image) unusable_ = slot.image;
            return fail(std::move(value.error()));
        }
        add_property("BitMap", name, *value);
        return {};
    }

    Result<void> add_diffuse() {
        const TextureSlot& slot = material_.base_color_texture;
        Result<Picture> picture = flat_picture(material_.base_color, plain_size);
        if (textures_.has(slot)) {
            picture = read(slot);
            if (!picture) return fail(std::move(picture.error()));
            const Color& color = material_.base_color;
            image::tint(*picture, {color.r, color.g, color.b, color.a});
        }
        const bool is_laid_alike = material_.occlusion_texture.texcoord == slot.texcoord;
        const bool has_shadows = is_laid_alike && textures_.has(material_.occlusion_texture);
        if (has_shadows) {
            if (auto shaded = darken(*picture); !shaded) return shaded;
        }
        const Color& c = material_.base_color;
        const float occlusion = has_shadows ? static_cast<float>(material_.occlusion_texture.image) : -1;
        const float mode = static_cast<float>(material_.alpha_mode);
        const float cutoff = material_.alpha_mode == AlphaMode::mask ? material_.alpha_cutoff : 0;
        image::Filtering filtering;
        if (material_.alpha_mode == AlphaMode::opaque) image::drop_alpha(*picture);
        if (material_.alpha_mode == AlphaMode::mask) filtering.alpha_cutoff = material_.alpha_cutoff;
        auto added = add_map("diffuse_map", slot, "diff",
                             {c.r, c.g, c.b, c.a, occlusion, material_.occlusion_texture.strength, mode, cutoff},
                             std::move(*picture), filtering);
        if (added) add_number("diffuseStr", 1);
        if (!added && unusable_ == no_index && has_shadows) unusable_ = material_.occlusion_texture.image;
        return added;
    }

    Result<void> darken(Picture& picture) {
        const TextureSlot& slot = material_.occlusion_texture;
        const auto shadows = read(slot);
        if (!shadows) return fail(shadows.error());
        auto shaded = image::darken(picture, *shadows, slot.strength, limits_);
        if (!shaded) unusable_ = slot.image;
        return shaded;
    }

    Result<void> add_normal() {
        const TextureSlot& slot = material_.normal_texture;
        if (!textures_.has(slot)) return {};
        auto picture = read(slot);
        if (!picture) return fail(std::move(picture.error()));
        if (textures_.flips_green()) image::flip_green(*picture);
        image::drop_alpha(*picture);
        auto added = add_map("normal_map", slot, "normal", {}, std::move(*picture), {image::Role::normal});
        if (added) add_number("normalStr", slot.strength);
        return added;
    }

    /// A number multiplies its map; alone, it is the value.
    Result<void> add_surface() {
        const TextureSlot& slot = material_.metallic_roughness_texture;
        if (!textures_.has(slot)) {
            add_number("Smoothness", 1 - material_.roughness);
            add_number("Metallness", material_.metallic);
            return {};
        }
        auto picture = read(slot);
        if (!picture) return fail(std::move(picture.error()));
        add_number("Smoothness", 1);
        add_number("Metallness", 1);
        return add_map("smooth_map", slot, "smooth", {material_.roughness},
                       image::smoothness_map(*picture, material_.roughness), {image::Role::linear})
            .and_then([&] {
                return add_map("metal_map", slot, "metal", {material_.metallic},
                               image::metalness_map(*picture, material_.metallic), {image::Role::linear});
            });
    }

    Result<void> add_glow() {
        const Vec3& light = material_.emissive;
        const TextureSlot& slot = material_.emissive_texture;
        // Without its picture all of the surface would glow.
        if (light == Vec3{} || textures_.is_left_out(slot)) return {};
        Result<Picture> picture = textures_.has(slot) ? read(slot) : flat_picture({1, 1, 1, 1}, plain_size);
        if (!picture) return fail(std::move(picture.error()));
        image::GlowMap glow = image::glow_map(*picture, {light.x, light.y, light.z});
        image::Filtering filtering;
        filtering.alpha_is_opacity = false;
        auto added =
            add_map("color_glow_map", slot, "glow", {light.x, light.y, light.z}, std::move(glow.picture), filtering);
        if (added) add_number("color_glowStr", glow.strength);
        return added;
    }

    Textures& textures_;
    const Material& material_;
    std::string name_;
    const Limits& limits_;
    const OldMaterial* old_;
    std::string properties_;
    Index unusable_ = no_index;  ///< the picture that something failed for
};

/// What the game's materials have no word for, and nothing else makes up for.
std::string lost_of(const Textures& textures, const Material& material) {
    const std::array slots{&material.base_color_texture, &material.metallic_roughness_texture, &material.normal_texture,
                           &material.emissive_texture};
    const bool wraps = std::ranges::any_of(slots, [&](const TextureSlot* slot) {
        return textures.has(*slot) && (slot->wrap_u != Wrap::repeat || slot->wrap_v != Wrap::repeat);
    });
    std::string lost;
    const auto add = [&](bool is_lost, const char* what) {
        if (is_lost) lost += (lost.empty() ? "" : ", ") + std::string(what);
    };
    const Material usual;
    // Blender's materials have an index of 1.45, which nobody tells from glTF's 1.5.
    const bool refracts = std::abs(material.ior - usual.ior) > 0.1f || material.specular != usual.specular ||
                          material.specular_color != usual.specular_color;
    add(material.alpha_mode == AlphaMode::mask && material.alpha_cutoff != usual.alpha_cutoff, "alpha cutoff");
    add(material.unlit, "unlit");
    add(refracts, "refraction and reflection");
    add(wraps, "wrapping of textures");
    return lost;
}

pugi::xml_node named(pugi::xml_node parent, const char* element, std::string_view name) {
    for (const pugi::xml_node node : parent.children(element)) {
        if (lower(node.attribute("name").value()) == lower(name)) return node;
    }
    return {};
}

bool is_collection(pugi::xml_node node, std::string_view name) {
    return std::string_view(node.name()) == "collection" && lower(node.attribute("name").value()) == lower(name);
}

/// In whichever collection of the name it stands; nothing if in none.
pugi::xml_node find_material(pugi::xml_node root, std::string_view collection, std::string_view name) {
    const pugi::xml_node holder = root.find_node(
        [&](pugi::xml_node node) { return is_collection(node, collection) && named(node, "material", name); });
    return named(holder, "material", name);
}

/// The collection that is there whatever else is installed; nothing if there is none.
pugi::xml_node find_collection(pugi::xml_node root, std::string_view name) {
    return root.find_node(
        [&](pugi::xml_node node) { return is_collection(node, name) && !node.parent().attribute("if"); });
}

Result<void> put_material(XmlText& library, std::string_view collection, std::string_view name,
                          const std::string& entry) {
    if (const pugi::xml_node old = find_material(library.root(), collection, name)) return library.replace(old, entry);
    if (const pugi::xml_node there = find_collection(library.root(), collection)) return library.append(there, entry);
    std::string lines;
    for (const char c : entry) lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
    const std::string whole = "<collection name=\"" + escaped(collection) + "\">\n  " + lines + "\n</collection>";
    return append_to_list(library, "materiallibrary", whole);
}

/// An entry on its way into the library.
struct Wanted {
    const Material* material = nullptr;
    std::string collection{}, name{};
    std::optional<OldMaterial> old{};
    std::string entry{};
};

/// Whether an entry of the library names the texture still.
bool names_texture(pugi::xml_node entry, const std::string& path) {
    return !!entry.find_node(
        [&](pugi::xml_node node) { return lower(node.attribute("value").value()) == lower(path); });
}

/// Whether a new material takes the place of another one. What was read and edited is to.
bool replaces_another(pugi::xml_node library, const Wanted& one) {
    const pugi::xml_node there = one.old ? pugi::xml_node() : find_material(library, one.collection, one.name);
    pugi::xml_document made;
    return there && made.load_string(one.entry.c_str()) && !says_same(there, made.document_element());
}

/// The textures of all that stays in the mod as it was. `there`: the entry that the library has, if it stays as well.
Result<void> keep_textures(Textures& textures, const Wanted& one, pugi::xml_node there) {
    if (!one.old) return {};
    for (const MaterialProperty& property : one.old->entry().properties) {
        if (there ? !names_texture(there, property.value) : !one.old->keeps(property)) continue;
        if (auto kept = textures.keep(property, *one.old, *one.material); !kept) return kept;
    }
    return {};
}

/// What is said of entries.
struct EntryNotes {
    NameList foreign{}, replaced{}, reduced{};

    void add_to(Report& report) const {
        const auto note = [&](const NameList& list, const Code& code, const char* message) {
            if (!list.empty()) report.add(problem_at("materials", code, message, list.text()));
        };
        note(
            replaced, codes::mod_material_replaced,
            "The mod's library had other entries of these names, which are replaced: whatever uses them looks like the "
            "new materials. Give a material another name to keep both.");
        note(reduced, codes::mod_material_lost,
             "The game's materials cannot say this of glTF's; put it into the textures where it matters.");
        note(foreign, codes::mod_material_foreign,
             "These materials are of collections of the game or of other mods, which have to have them: no entries are "
             "written. Take the collection out of the name to make a material of this mod.");
    }
};

Result<void> make_entry(Textures& textures, pugi::xml_node library, const Limits& limits, Wanted& one,
                        EntryNotes& notes) {
    auto entry = Entry(textures, *one.material, one.name, limits, one.old ? &*one.old : nullptr).run();
    if (!entry) return fail(std::move(entry.error()));
    one.entry = std::move(*entry);
    if (replaces_another(library, one)) notes.replaced.add(one.collection + "." + one.name);
    if (const std::string lost = lost_of(textures, *one.material); !lost.empty())
        notes.reduced.add(one.collection + "." + one.name + " (" + lost + ")");
    return {};
}

}  // namespace

std::set<std::string> own_materials(const Output& output) {
    std::set<std::string> names;
    const auto text = output.text(library_path);
    if (!text) return names;
    const auto library = open_list(*text, "materiallibrary", library_path, output.limits);
    if (!library) return names;  // add_materials() says why
    const auto add_all = [&](pugi::xml_node node) {
        if (std::string_view(node.name()) != "collection") return false;
        const std::string collection = lower(node.attribute("name").value()) + ".";
        for (const pugi::xml_node material : node.children("material"))
            names.insert(collection + lower(material.attribute("name").value()));
        return false;
    };
    (void)library->root().find_node(add_all);
    return names;
}

Result<void> add_materials(Output& output, const Plan& plan, const Scene& scene, const MaterialNames& names) {
    const Untouched untouched(scene);
    const Pictures pictures(scene);
    const Edits edits{scene, untouched, pictures};
    const std::string own = plan.collection + ".";
    auto library =
        open_list(output.text(library_path).value_or(new_library), "materiallibrary", library_path, output.limits);
    if (!library) return fail(std::move(library.error()));
    Textures textures(output, plan, scene);
    EntryNotes notes;
    Material plain;  // of meshes without one
    plain.metallic = 0;
    // What stays has its files before new ones look for names.
    std::vector<Wanted> wanted;
    for (const auto& [index, name] : names) {
        const bool is_none = index >= scene.materials.size();
        const Material& material = is_none ? plain : scene.materials[index];
        const std::size_t dot = std::min(name.find('.'), name.size());
        Wanted one{&material, name.substr(0, dot), name.substr(std::min(dot + 1, name.size()))};
        if (lower(name).starts_with(own)) {
            one.collection = plan.collection;
        } else {
            const bool is_here = !!find_material(library->root(), one.collection, one.name);
            if (!is_here) notes.foreign.add(name);
            // Of another collection only what the mod has under that very name is its own to change.
            const bool is_changed = is_here && !is_none && lower(material.name) == lower(name);
            if (!is_changed || !differs_from_entry(edits, material)) continue;
        }
        if (auto recorded = recorded_entry(material))
            one.old.emplace(std::move(*recorded), material, pictures.edited(material));
        const pugi::xml_node there = is_none || is_as_read(edits, material)
                                         ? find_material(library->root(), one.collection, one.name)
                                         : pugi::xml_node();
        if (auto kept = keep_textures(textures, one, there); !kept) return kept;
        if (!there) wanted.push_back(std::move(one));
    }
    for (Wanted& one : wanted) {
        if (auto made = make_entry(textures, library->root(), output.limits, one, notes); !made) return made;
    }
    for (const Wanted& one : wanted) {
        if (auto put = put_material(*library, one.collection, one.name, one.entry); !put) return put;
    }
    if (!wanted.empty()) output.put(library_path, library->text());
    notes.add_to(output.report);
    textures.note();
    return {};
}

}  // namespace effigy::egosoft::mod
