#pragma once
/// The layout of ARP: docs/formats/arp.md.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/core_codes.hpp"

#include "arp/file/layout_elements.hpp"
#include "core/access.hpp"
#include "core/element.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"

namespace effigy::arp {

using layout::Access;

/// The names of bones that points hang on, each once: hundreds of thousands of links have the same few.
class LinkNames {
public:
    /// In memory, besides its text: in the list, which grows by doubling, and to be found again.
    static constexpr std::uint64_t size_of_name = 4 * sizeof(std::string) + 64;

    std::string text;  ///< the name that was read last

    /// The place of `text` in `names`, to which it is added if it is new.
    [[nodiscard]] std::uint32_t place(std::vector<std::string>& names) {
        if (text.size() != 4) return look_up(names);
        std::uint32_t letters = 0;
        std::memcpy(&letters, text.data(), 4);
        Recent& recent = recent_[letters * 2654435761u >> 24];
        if (!recent.known || recent.letters != letters) recent = {letters, look_up(names), true};
        return recent.place;
    }

private:
    struct Recent {
        std::uint32_t letters, place;
        bool known;
    };

    [[nodiscard]] std::uint32_t look_up(std::vector<std::string>& names) {
        const auto [found, is_new] = places_.try_emplace(text, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(text);
        return found->second;
    }

    std::array<Recent, 256> recent_{};
    std::unordered_map<std::string, std::uint32_t> places_;
};

/// What goes along with a visitor.
struct Walk {
    LinkNames names;  ///< while reading
    /// From this part on nothing is read or written: it is in File::trailing.
    Part stop = Part::end;
    std::size_t stop_mesh = 0;
    bool stopped = false;
    /// Where the visitor is.
    Part part = Part::header;
    std::size_t mesh = 0;
    bool normalize = false;
};

[[nodiscard]] constexpr bool is_part_of_mesh(Part part) noexcept {
    return part >= Part::points && part <= Part::morph_targets;
}

/// The meshes that a file has where it ends at `part` of mesh `mesh`: its points are there, or it is not.
[[nodiscard]] constexpr std::size_t meshes_before(Part part, std::size_t mesh) noexcept {
    return part == Part::points ? mesh : mesh + 1;
}

template <class Visitor, class Function>
void layout_part(Visitor& v, Walk& walk, Part part, Function&& visit) {
    if (!v.ok() || walk.stopped) return;
    walk.part = part;
    walk.stopped = part == walk.stop && walk.mesh == walk.stop_mesh;
    if (!walk.stopped) visit();
}

template <class Visitor>
void contradiction(Visitor& v, const char* name, std::uint64_t found, std::uint64_t expected) {
    v.fail(problem_at(v.path().string(name), codes::write_contradiction, {}, std::to_string(found),
                      std::to_string(expected)));
}

/// An array of 32-bit numbers in memory that are stored as 16-bit numbers.
template <class Visitor, class Array>
void layout_narrow(Visitor& v, const char* count, const char* name, Array& array) {
    Bulk<std::uint16_t> stored;
    if constexpr (!Visitor::reading) {
        const auto wide =
            std::find_if(array.begin(), array.end(), [](std::uint32_t number) { return number > 0xffff; });
        if (wide != array.end()) {
            return v.fail(problem_at(v.path().string(name), codes::write_too_large,
                                     "a number is too large for the 16 bits that this layout has for it",
                                     std::to_string(*wide), "at most 65535"));
        }
        stored.resize(array.size());
        std::transform(array.begin(), array.end(), stored.begin(),
                       [](std::uint32_t number) { return static_cast<std::uint16_t>(number); });
    }
    v.count(count, name, stored, 2);
    v.bulk(name, stored);
    if constexpr (Visitor::reading) {
        v.claim(name, stored.size() * sizeof(std::uint32_t));
        if (v.ok()) array.assign(stored.begin(), stored.end());
    }
}

/// A string that is stored as four raw characters, filled up with NUL.
template <class Visitor, class Text>
void layout_code(Visitor& v, const char* name, Text& text) {
    FourCC stored{};
    if constexpr (!Visitor::reading) {
        if (text.size() > stored.size()) {
            return v.fail(problem_at(v.path().string(name), codes::write_too_large,
                                     "a name is longer than the four characters that this layout has for it",
                                     std::to_string(text.size()) + " characters", "at most 4"));
        }
        std::copy(text.begin(), text.end(), stored.begin());
    }
    v.field(name, stored);
    if constexpr (Visitor::reading) text.assign(stored.data(), stored.size());
}

template <class Visitor, class Text>
void layout_name(Visitor& v, const char* name, Text& text, bool has_length) {
    if (has_length) {
        v.field(name, text);
    } else {
        layout_code(v, name, text);
    }
}

/// The name of a bone that a point hangs on.
template <class Visitor>
void layout_link_name(Visitor& v, Access<Visitor, File>& file, Access<Visitor, std::uint32_t>& bone, Walk& walk) {
    if constexpr (Visitor::reading) {
        layout_name(v, "bone", walk.names.text, file.layout.link_name_lengths);
        if (!v.ok()) return;
        const std::size_t known = file.link_names.size();
        bone = walk.names.place(file.link_names);
        if (file.link_names.size() != known) v.claim("bone", LinkNames::size_of_name + walk.names.text.size());
    } else {
        if (bone >= file.link_names.size()) {
            return v.fail(problem_at(v.path().string("bone"), codes::write_contradiction,
                                     "a link has a place beyond the list of names", std::to_string(bone),
                                     "below " + std::to_string(file.link_names.size())));
        }
        layout_name(v, "bone", file.link_names[bone], file.layout.link_name_lengths);
    }
}

/// Where the parts of one point begin in the arrays of all.
struct PointPlace {
    std::size_t link = 0, neighbour = 0;
};

template <class Visitor>
void layout_point(Visitor& v, Access<Visitor, File>& file, Access<Visitor, Points>& points, std::size_t index,
                  PointPlace& place, Walk& walk) {
    auto& links = points.link_counts[index];
    v.slice_count("link_count", "offsets", points.offsets, links);
    v.slice("offsets", points.offsets, place.link, links);
    v.slice("normals", points.normals, place.link, links);
    if (!v.ok()) return;
    if constexpr (Visitor::reading) {
        v.claim("bones", std::uint64_t{links} * sizeof(std::uint32_t));
        if (!v.ok()) return;
        points.bones.resize(place.link + links);
    } else if (points.bones.size() - std::min(place.link, points.bones.size()) < links) {
        return contradiction(v, "bones", points.bones.size(), place.link + links);
    }
    for (std::size_t link = place.link; v.ok() && link < place.link + links; ++link)
        layout_link_name(v, file, points.bones[link], walk);
    v.slice("weights", points.weights, place.link, links);
    v.slice("distances", points.distances, place.link, links);
    place.link += links;
    if (!v.ok() || !file.layout.adjacency) return;
    auto& neighbours = points.neighbour_counts[index];
    v.slice_count("neighbour_count", "neighbours", points.neighbours, neighbours);
    v.slice("neighbours", points.neighbours, place.neighbour, neighbours);
    place.neighbour += neighbours;
}

/// Room for what the points will probably have, and never for more than can be there.
inline void reserve_links(Points& points, std::uint64_t bytes_left) {
    constexpr std::uint64_t least = 2 * sizeof(Vec3) + 3 * sizeof(float);
    const auto links = static_cast<std::size_t>(std::min<std::uint64_t>(2 * points.size(), bytes_left / least));
    points.offsets.reserve(links);
    points.normals.reserve(links);
    points.bones.reserve(links);
    points.weights.reserve(links);
    points.distances.reserve(links);
}

template <class Visitor>
void layout_points(Visitor& v, Access<Visitor, File>& file, Access<Visitor, Points>& points, Walk& walk) {
    const bool adjacency = file.layout.adjacency;
    v.count("point_count", "point", points.link_counts, adjacency ? 8 : 4);
    if (!v.ok()) return;
    if constexpr (Visitor::reading) {
        if (adjacency) v.claim("neighbour_counts", points.size() * sizeof(std::uint32_t));
        if (!v.ok()) return;
        if (adjacency) points.neighbour_counts.resize(points.size());
        reserve_links(points, v.source().remaining());
    } else if (points.neighbour_counts.size() != (adjacency ? points.size() : 0)) {
        return contradiction(v, "neighbour_counts", points.neighbour_counts.size(), adjacency ? points.size() : 0);
    }
    PointPlace place;
    for (std::size_t index = 0; v.ok() && index < points.size(); ++index)
        v.record("point", index, [&] { layout_point(v, file, points, index, place, walk); });
    if constexpr (!Visitor::reading) {
        if (!v.ok()) return;
        const auto complete = [&](const char* name, std::size_t size, std::size_t expected) {
            if (size != expected) contradiction(v, name, size, expected);
        };
        complete("offsets", points.offsets.size(), place.link);
        complete("normals", points.normals.size(), place.link);
        complete("bones", points.bones.size(), place.link);
        complete("weights", points.weights.size(), place.link);
        complete("distances", points.distances.size(), place.link);
        complete("neighbours", points.neighbours.size(), place.neighbour);
    }
}

/// The counts of copies of each point, and then the copies.
template <class Visitor>
void layout_duplicate_lists(Visitor& v, Access<Visitor, Mesh>& mesh) {
    v.count("list_count", "list_counts", mesh.list_counts, 2);
    v.bulk("list_counts", mesh.list_counts);
    if (!v.ok()) return;
    const std::size_t points = mesh.points.size();
    if constexpr (Visitor::reading) {
        if (v.source().remaining() / sizeof(std::uint32_t) < points)
            return v.fail(problem_at({}, codes::truncated, "the file ends before the lists of duplicates of all points",
                                     std::to_string(v.source().remaining()) + " bytes left",
                                     std::to_string(points) + " lists"));
        v.claim("list_sizes", points * sizeof(std::uint32_t));
        if (!v.ok()) return;
        mesh.list_sizes.resize(points);
    } else if (mesh.list_sizes.size() != points) {
        return contradiction(v, "list_sizes", mesh.list_sizes.size(), points);
    }
    std::size_t begin = 0;
    for (std::size_t point = 0; v.ok() && point < points; ++point) {
        v.record("duplicate_list", point, [&] {
            v.slice_count("size", "duplicates", mesh.duplicates, mesh.list_sizes[point]);
            v.slice("duplicates", mesh.duplicates, begin, mesh.list_sizes[point]);
            begin += mesh.list_sizes[point];
        });
    }
    if constexpr (!Visitor::reading) {
        if (v.ok() && begin != mesh.duplicates.size()) contradiction(v, "duplicates", mesh.duplicates.size(), begin);
    }
}

/// How many duplicates stand here without a count: the first number that is no point counts the texture coordinates,
/// of which there are at least as many as points.
template <class Source>
[[nodiscard]] std::uint64_t uncounted_duplicates(Source& source, std::uint64_t points) {
    const std::uint64_t start = source.position();
    std::uint64_t number = 0;
    for (std::uint32_t stored = 0; source.read(&stored, sizeof stored) && stored < points;) ++number;
    source.seek(start);
    return number;
}

template <class Visitor>
void layout_duplicates(Visitor& v, Access<Visitor, File>& file, Access<Visitor, Mesh>& mesh) {
    switch (file.layout.duplicates) {
        case DuplicateForm::u16:
            return layout_narrow(v, "duplicate_count", "duplicates", mesh.duplicates);
        case DuplicateForm::lists:
            return layout_duplicate_lists(v, mesh);
        case DuplicateForm::uncounted: {
            std::uint64_t number = mesh.duplicates.size();
            if constexpr (requires { v.source().bytes(); })
                number = uncounted_duplicates(v.source().bytes(), mesh.points.size());
            return v.bulk("duplicates", mesh.duplicates, number);
        }
        case DuplicateForm::u32:
        case DuplicateForm::triples:
            break;
    }
    v.count("duplicate_count", "duplicates", mesh.duplicates, sizeof(std::uint32_t));
    v.bulk("duplicates", mesh.duplicates);
}

/// Sets of morph targets that have no normals.
template <class Visitor>
void layout_plain_sets(Visitor& v, Access<Visitor, MorphTarget>& target) {
    Bulk<PlainMorphSet> stored;
    if constexpr (!Visitor::reading) {
        stored.resize(target.sets.size());
        std::transform(target.sets.begin(), target.sets.end(), stored.begin(), [](const MorphSet& set) {
            return PlainMorphSet{set.point, set.weight, set.offset};
        });
    }
    v.count("set_count", "sets", stored, sizeof(PlainMorphSet));
    v.bulk("sets", stored);
    if constexpr (Visitor::reading) {
        v.claim("sets", stored.size() * sizeof(MorphSet));
        if (!v.ok()) return;
        target.sets.resize(stored.size());
        std::transform(stored.begin(), stored.end(), target.sets.begin(), [](const PlainMorphSet& set) {
            return MorphSet{set.point, set.weight, set.offset, {}};
        });
    }
}

template <class Visitor>
void layout_target(Visitor& v, Access<Visitor, MorphTarget>& target, bool normals) {
    v.field("name", target.name);
    if (!normals) return layout_plain_sets(v, target);
    v.count("set_count", "sets", target.sets, sizeof(MorphSet));
    v.bulk("sets", target.sets);
}

template <class Visitor>
void layout_mesh(Visitor& v, Access<Visitor, File>& file, Access<Visitor, Mesh>& mesh, Walk& walk) {
    layout_part(v, walk, Part::points, [&] {
        v.field("switch_distance", mesh.switch_distance);
        layout_points(v, file, mesh.points, walk);
    });
    layout_part(v, walk, Part::strip, [&] {
        v.count("index_count", "strip", mesh.strip, sizeof(std::uint16_t));
        v.bulk("strip", mesh.strip);
    });
    layout_part(v, walk, Part::duplicates, [&] { layout_duplicates(v, file, mesh); });
    layout_part(v, walk, Part::texcoords, [&] {
        v.count("texcoord_count", "texcoords", mesh.texcoords, sizeof(Vec2));
        v.bulk("texcoords", mesh.texcoords);
    });
    layout_part(v, walk, Part::morph_targets, [&] {
        v.count("morph_target_count", "morph_target", mesh.morph_targets, 8);
        v.each("morph_target", mesh.morph_targets,
               [&](auto& target) { layout_target(v, target, file.layout.morph_normals); });
    });
}

/// The meshes that are there; a damaged file may have announced more.
template <class Visitor>
void layout_meshes(Visitor& v, Access<Visitor, File>& file, Walk& walk) {
    const bool damaged = is_part_of_mesh(walk.stop);
    layout_part(v, walk, Part::mesh_count, [&] {
        if (damaged) {
            v.field("mesh_count", file.mesh_count);
        } else {
            v.count("mesh_count", "mesh", file.meshes, 20);
        }
    });
    if (!v.ok() || walk.stopped) return;
    const auto visit = [&](auto& mesh) {
        layout_mesh(v, file, mesh, walk);
        if (v.ok() && !walk.stopped) ++walk.mesh;
    };
    if (damaged) {
        v.each("mesh", file.meshes, meshes_before(walk.stop, walk.stop_mesh), 0, visit);
        walk.stopped = true;
    } else {
        v.each("mesh", file.meshes, visit);
    }
    if (v.ok()) walk.mesh = 0;
}

template <class Visitor>
void layout_reflectance(Visitor& v, Access<Visitor, File>& file) {
    if (file.layout.reflectance_count == 1) return v.field("reflectance", file.reflectance[0]);
    v.field("reflectance", file.reflectance);
}

/// What a bone has besides names. Its record in extras is this, too.
template <class Visitor>
void layout_rest(Visitor& v, Access<Visitor, Bone>& bone) {
    v.field("translation", bone.translation);
    v.field("rotation", bone.rotation);
    v.field("inverse_twist", bone.inverse_twist);
    v.field("length", bone.length);
}

template <class Visitor>
void layout_bones(Visitor& v, Access<Visitor, File>& file) {
    const bool lengths = file.layout.bone_name_lengths;
    v.count("bone_count", "bone", file.bones, 56);
    v.each("bone", file.bones, [&](auto& bone) {
        layout_name(v, "name", bone.name, lengths);
        layout_name(v, "parent", bone.parent, lengths);
        layout_rest(v, bone);
    });
}

template <class Visitor>
void layout_frames(Visitor& v, Access<Visitor, Ambient>& ambient, bool timed) {
    v.each("frame", ambient.frames, [&](auto& frame) {
        if (timed) v.field("time", frame.time);
        v.count("morph_count", "morphs", frame.morphs, sizeof(MorphAmount));
        v.bulk("morphs", frame.morphs);
        v.count("bone_count", "bones", frame.bones, sizeof(PoseEntry));
        v.bulk("bones", frame.bones);
    });
}

/// A count that says whether there is anything.
template <class Visitor>
void layout_counted_ambient(Visitor& v, Access<Visitor, File>& file) {
    Access<Visitor, Ambient> empty{};
    if constexpr (Visitor::reading) {
        file.ambient.emplace();
    } else if (file.ambient && file.ambient->frames.empty()) {
        return v.fail(problem_at(v.path().string("frame_count"), codes::write_contradiction,
                                 "ambient motion without frames cannot be told from none here; leave it out", "0"));
    }
    auto& ambient = file.ambient ? *file.ambient : empty;
    v.count("frame_count", "frame", ambient.frames, 8);
    if (!v.ok()) return;
    if (ambient.frames.empty()) {
        if constexpr (Visitor::reading) file.ambient.reset();
        return;
    }
    v.field("frames_per_second", ambient.frames_per_second);
    layout_frames(v, ambient, false);
}

/// What is there unless the file ends first.
template <class Visitor, class Available>
void layout_timed_ambient(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] Available&& available) {
    if constexpr (Visitor::reading) {
        bool is_there = available() != 0;
        if constexpr (requires { v.source().has("frame_count"); }) is_there = v.source().has("frame_count");
        if (is_there) file.ambient.emplace();
    }
    if (!file.ambient) return;
    v.count("frame_count", "frame", file.ambient->frames, 12);
    layout_frames(v, *file.ambient, true);
}

template <class Visitor>
void layout_image(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] const Walk& walk) {
    auto& texture = file.texture;
    v.field("image_size", texture.stored_size);
    if (!v.ok()) return;
    if constexpr (Visitor::reading) {
        std::uint64_t size = texture.stored_size;
        if constexpr (requires { v.source().bytes(); }) {
            if (file.layout.texture == TextureForm::flag) size = old_image_size(v.source().bytes(), size);
        }
        v.bulk("image", texture.image, size);
        if (walk.normalize && file.layout.texture == TextureForm::named)
            texture.stored_size = static_cast<std::uint32_t>(texture.image.size());
    } else if (file.layout.texture == TextureForm::named) {
        v.bulk("image", texture.image, texture.stored_size);
    } else {
        v.bulk("image", texture.image);
    }
}

template <class Visitor>
void layout_texture_facts(Visitor& v, Access<Visitor, File>& file) {
    if (file.layout.texture == TextureForm::named) {
        v.field("texture_name", file.texture.name);
        v.field("texture_flags", file.texture.flags);
    } else {
        v.field("texture_embedded", file.texture.embedded);
    }
}

template <class Visitor>
void layout_texture(Visitor& v, Access<Visitor, File>& file, const Walk& walk) {
    layout_texture_facts(v, file);
    if (!v.ok()) return;
    if (has_image(file)) return layout_image(v, file, walk);
    if constexpr (!Visitor::reading) {
        if (!file.texture.image.empty()) contradiction(v, "image", file.texture.image.size(), 0);
    }
}

template <class Visitor>
void layout_header(Visitor& v, Access<Visitor, File>& file) {
    v.field("scale", file.scale);
    v.field("volume_low", file.volume_low);
    v.field("volume_high", file.volume_high);
    if (!file.layout.material_first) return;
    layout_reflectance(v, file);
    v.field("skeleton_offset", file.skeleton_offset);
}

template <class Visitor>
void layout_material(Visitor& v, Access<Visitor, File>& file) {
    layout_reflectance(v, file);
    v.field("texture_name", file.texture.name);
    v.field("skeleton_offset", file.skeleton_offset);
}

template <class Visitor, class Available>
void layout_parts(Visitor& v, Access<Visitor, File>& file, Walk& walk, Available&& available) {
    const AmbientForm ambient = file.layout.ambient;
    layout_part(v, walk, Part::header, [&] { layout_header(v, file); });
    layout_meshes(v, file, walk);
    layout_part(v, walk, Part::default_pose, [&] {
        v.count("pose_count", "default_pose", file.default_pose, sizeof(PoseEntry));
        v.bulk("default_pose", file.default_pose);
    });
    layout_part(v, walk, Part::bones, [&] { layout_bones(v, file); });
    if (!file.layout.material_first) layout_part(v, walk, Part::material, [&] { layout_material(v, file); });
    if (ambient == AmbientForm::counted) layout_part(v, walk, Part::ambient, [&] { layout_counted_ambient(v, file); });
    layout_part(v, walk, Part::texture, [&] { layout_texture(v, file, walk); });
    if (ambient == AmbientForm::timed)
        layout_part(v, walk, Part::ambient, [&] { layout_timed_ambient(v, file, available); });
    layout_part(v, walk, Part::end, [] {});
}

/// Facts about the layout that differ from what the version says. Dumps hold them.
template <class Visitor>
void layout_notes(Visitor& v, Access<Visitor, File>& file) {
    const Layout usual = usual_layout(file.version);
    Layout found = Visitor::reading ? usual : file.layout;
    const auto choose = [&](const char* name, auto member, auto value) {
        bool is = found.*member == value;
        const bool told = !Visitor::reading && is && usual.*member != value;
        if (told || Visitor::reading) v.note(name, is);
        if (Visitor::reading && is) found.*member = value;
    };
    choose("material_first", &Layout::material_first, true);
    choose("material_behind_skeleton", &Layout::material_first, false);
    choose("one_reflectance", &Layout::reflectance_count, std::uint8_t{1});
    choose("raw_link_names", &Layout::link_name_lengths, false);
    choose("adjacency", &Layout::adjacency, true);
    choose("no_adjacency", &Layout::adjacency, false);
    choose("duplicates_u32", &Layout::duplicates, DuplicateForm::u32);
    choose("duplicates_u16", &Layout::duplicates, DuplicateForm::u16);
    choose("duplicates_uncounted", &Layout::duplicates, DuplicateForm::uncounted);
    choose("duplicates_triples", &Layout::duplicates, DuplicateForm::triples);
    choose("duplicates_lists", &Layout::duplicates, DuplicateForm::lists);
    choose("morph_normals", &Layout::morph_normals, true);
    choose("no_morph_normals", &Layout::morph_normals, false);
    choose("bone_name_lengths", &Layout::bone_name_lengths, true);
    choose("raw_bone_names", &Layout::bone_name_lengths, false);
    choose("no_ambient", &Layout::ambient, AmbientForm::none);
    choose("ambient_counted", &Layout::ambient, AmbientForm::counted);
    choose("ambient_timed", &Layout::ambient, AmbientForm::timed);
    choose("texture_named", &Layout::texture, TextureForm::named);
    choose("texture_flag", &Layout::texture, TextureForm::flag);
    if constexpr (Visitor::reading) file.layout = found;
}

/// Where a damaged file stops being readable. Dumps hold it.
template <class Visitor>
void layout_damage(Visitor& v, Access<Visitor, File>& file, Walk& walk) {
    for (const auto& [part, name] : part_notes) {
        bool is = file.first_missing == part;
        if (is || Visitor::reading) v.note(name, is);
        if constexpr (Visitor::reading) {
            if (is) file.first_missing = part;
        }
    }
    walk.stop = file.first_missing;
    if (!is_part_of_mesh(walk.stop)) return;
    std::size_t meshes = file.meshes.size();
    if constexpr (requires { v.source().stated_records("mesh"); })
        meshes = static_cast<std::size_t>(v.source().stated_records("mesh").value_or(meshes));
    if (walk.stop == Part::points) {
        walk.stop_mesh = meshes;
    } else if (meshes != 0) {
        walk.stop_mesh = meshes - 1;
    } else {
        v.fail(problem_at("mesh", Visitor::reading ? codes::build_missing : codes::write_contradiction,
                          "the file is said to end within a mesh that is not there; the mesh before that place is "
                          "needed"));
    }
}

template <class Visitor>
void layout_trailing(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] std::uint64_t available) {
    if constexpr (Visitor::reading) {
        if (available != 0 || v.source().stated_length("trailing", 1)) v.bulk("trailing", file.trailing, available);
    } else if (!file.trailing.empty()) {
        v.bulk("trailing", file.trailing);
    }
}

/// A file as it is in memory, or as a dump tells it.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, File>& file, Walk& walk) {
    constexpr auto nothing_left = []() -> std::uint64_t { return 0; };
    v.field("version", file.version);
    layout_notes(v, file);
    layout_damage(v, file, walk);
    layout_parts(v, file, walk, nothing_left);
    if (v.ok()) layout_trailing(v, file, 0);
}

/// The record of a file in extras: what glTF has no place for, less what other objects' records and `exact` say. Of the
/// default pose it has only `pose`.
template <class Visitor>
void layout_record(Visitor& v, Access<Visitor, File>& file, Access<Visitor, Bulk<PoseEntry>>& pose) {
    v.field("version", file.version);
    layout_notes(v, file);
    layout_header(v, file);
    if (!file.layout.material_first) layout_material(v, file);
    layout_texture_facts(v, file);
    v.bulk("default_pose", pose, pose.size());
}

}  // namespace effigy::arp
