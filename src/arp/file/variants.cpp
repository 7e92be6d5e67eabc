/// Layouts that ARP files of one version may have, and the rules that tell which one a file has.

#include "arp/file/variants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "effigy/arp_codes.hpp"

#include "arp/file/formats.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

constexpr bool is_version_letter(char letter) noexcept { return (letter >= '0' && letter <= '9') || letter == '.'; }

std::string_view text_from(std::span<const std::byte> bytes, std::size_t begin) noexcept {
    if (begin >= bytes.size()) return {};
    return {reinterpret_cast<const char*>(bytes.data()) + begin, bytes.size() - begin};
}

/// The version of `size` letters at `begin`: digits and dots, the first a digit.
std::optional<std::string_view> version_at(std::span<const std::byte> head, std::size_t begin,
                                           std::uint32_t size) noexcept {
    if (size == 0 || size > max_version || begin + size > head.size()) return std::nullopt;
    const std::string_view text = text_from(head, begin).substr(0, size);
    const bool is_version = text.front() != '.' && std::all_of(text.begin(), text.end(), is_version_letter);
    return is_version ? std::optional(text) : std::nullopt;
}

/// A number of `width` bytes at the start, the last byte first or the other way round.
std::uint32_t length_at(std::span<const std::byte> head, std::size_t width, bool big_endian) noexcept {
    std::uint32_t length = 0;
    for (std::size_t index = 0; index < width && index < head.size(); ++index) {
        const std::size_t place = big_endian ? index : width - 1 - index;
        if (place < head.size()) length = length << 8 | std::to_integer<std::uint32_t>(head[place]);
    }
    return length;
}

std::optional<std::string_view> usual_version(std::span<const std::byte> head) noexcept {
    return head.size() < 4 ? std::nullopt : version_at(head, 4, length_at(head, 4, false));
}

/// Digit, dot, digit: what all versions that were ever seen begin with.
bool is_surely_version(std::optional<std::string_view> text) noexcept {
    return text && text->size() >= 3 && (*text)[1] == '.' && (*text)[2] != '.';
}

/// How the version would have to be read, in ways that no avatar is known to be stored.
const char* other_form(std::span<const std::byte> head) noexcept {
    if (head.size() < 4) return nullptr;
    if (is_surely_version(version_at(head, 4, length_at(head, 4, true)))) return "big-endian numbers";
    if (is_surely_version(version_at(head, 2, length_at(head, 2, true))))
        return "16-bit lengths of strings, as Java writes them";
    if (is_surely_version(version_at(head, 1, length_at(head, 1, false)))) return "lengths of strings in 7-bit pieces";
    const std::string_view text = text_from(head, 0);
    const auto end = static_cast<std::uint32_t>(std::min(text.find('\0'), text.size()));
    if (end < text.size() && is_surely_version(version_at(head, 0, end))) return "strings that end with a zero";
    return nullptr;
}

Diagnostic at_start(Diagnostic diagnostic, std::size_t size) {
    diagnostic.offset = 0;
    diagnostic.length = size;
    return diagnostic;
}

}  // namespace

Result<std::string> read_version(std::span<const std::byte> head) {
    const auto version = usual_version(head);
    if (version && version_number(*version) != 0) return std::string(*version);
    if (version) {
        return fail(at_start(problem_at("version", codes::input_version,
                                        "avatars of this version were never published, and how they are laid out is "
                                        "not known; save it again as version 3.1 with the program that it is from",
                                        std::string(*version), "2.0 to 3.1"),
                             4 + version->size()));
    }
    if (const char* form = other_form(head)) {
        return fail(at_start(problem_at("version", codes::arp_string_form,
                                        "the file begins with an avatar's version, but is stored in a way that no "
                                        "known program writes; save it again with the program that it is from",
                                        form, "a little-endian 32-bit length before each string"),
                             std::min<std::size_t>(head.size(), 8)));
    }
    return fail(at_start(
        problem_at("version", codes::not_this_format, "the file does not begin with a version, as every avatar does",
                   {}, "a length and digits: 03 00 00 00 \"3.1\""),
        std::min<std::size_t>(head.size(), 4)));
}

bool looks_like_avatar(std::span<const std::byte> head) noexcept {
    head = head.first(std::min(head.size(), max_head));
    return usual_version(head).has_value() || is_surely_version(version_at(head, 4, length_at(head, 4, true)));
}

namespace {

struct UsualLayout {
    unsigned version = 0;
    const char* name = nullptr;
    Layout layout;
};

/// What differs from 3.1, version by version.
constexpr std::array<UsualLayout, 5> usual_layouts() noexcept {
    constexpr Layout v31;
    Layout v30 = v31;
    v30.bone_name_lengths = true;
    v30.ambient = AmbientForm::timed;
    Layout v22 = v30;
    v22.adjacency = true;
    v22.morph_normals = false;
    Layout v21 = v22;
    v21.duplicates = DuplicateForm::u16;
    v21.ambient = AmbientForm::none;
    v21.texture = TextureForm::flag;
    Layout v20 = v21;
    v20.material_first = false;
    return {{{310, "3.1", v31}, {300, "3.0", v30}, {220, "2.2", v22}, {210, "2.1", v21}, {200, "2.0", v20}}};
}

/// The forms of duplicates that a version may have, the usual one first, each with the order of blocks that it brings.
std::vector<Layout> with_duplicate_forms(const Layout& usual) {
    std::vector<Layout> layouts{usual};
    const auto add = [&](DuplicateForm form, bool material_first) {
        if (form == usual.duplicates) return;
        layouts.push_back(usual);
        layouts.back().duplicates = form;
        layouts.back().material_first = material_first;
    };
    add(DuplicateForm::uncounted, usual.material_first);
    if (usual.texture == TextureForm::named) {
        add(DuplicateForm::u16, usual.material_first);
    } else {
        add(DuplicateForm::lists, usual.material_first);
        add(DuplicateForm::triples, false);
    }
    return layouts;
}

/// Either naming of the skeleton's bones, and either place of the ambient motion where there is any.
LayoutGroup with_tails(const Layout& head) {
    LayoutGroup group;
    for (const bool other_names : {false, true}) {
        for (const bool other_ambient : {false, true}) {
            if (other_ambient && head.ambient == AmbientForm::none) continue;
            Layout layout = head;
            layout.bone_name_lengths = head.bone_name_lengths != other_names;
            if (other_ambient)
                layout.ambient = head.ambient == AmbientForm::timed ? AmbientForm::counted : AmbientForm::timed;
            group.push_back(layout);
        }
    }
    return group;
}

bool is_unit(const Quat& rotation) noexcept {
    const double length = std::sqrt(double{rotation.x} * rotation.x + double{rotation.y} * rotation.y +
                                    double{rotation.z} * rotation.z + double{rotation.w} * rotation.w);
    return std::abs(length - 1) < 0.01;  // files come within 2.2e-3
}

template <class Numbers>
bool are_below(const Numbers& numbers, std::size_t limit) noexcept {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto number) { return number < limit; });
}

bool weights_add_up(const Points& points) noexcept {
    std::size_t link = 0;
    for (const std::uint32_t count : points.link_counts) {
        double sum = count == 0 ? 1 : 0;
        for (const std::size_t end = link + count; link < end; ++link) sum += points.weights[link];
        if (!(std::abs(sum - 1) < 0.001)) return false;  // files come within 3e-6
    }
    return true;
}

bool rotations_are_unit(const Bulk<PoseEntry>& entries) noexcept {
    return std::all_of(entries.begin(), entries.end(), [](const PoseEntry& entry) { return is_unit(entry.rotation); });
}

std::string broken_in(const Mesh& mesh, const Layout& layout) {
    const std::size_t points = mesh.points.size();
    const Bulk<std::uint32_t> duplicates = duplicate_points(mesh, layout);
    if (mesh.texcoords.size() != points + duplicates.size()) return "texcoord_count";
    if (!are_below(duplicates, points)) return "duplicates";
    // A first one that counts the others is a count: the file has a texture coordinate too many.
    if (layout.duplicates == DuplicateForm::uncounted && duplicates.size() > 1 &&
        duplicates.front() == duplicates.size() - 1)
        return "duplicates";
    if (layout.duplicates == DuplicateForm::lists && mesh.list_counts.size() != points) return "list_count";
    if (!are_below(mesh.strip, mesh.texcoords.size())) return "strip";
    if (!are_below(mesh.points.neighbours, points)) return "neighbours";
    if (!weights_add_up(mesh.points)) return "weights";
    for (const MorphTarget& target : mesh.morph_targets) {
        if (!std::all_of(target.sets.begin(), target.sets.end(),
                         [&](const MorphSet& set) { return set.point < points; }))
            return "morph_target";
    }
    return {};
}

std::string broken_in_skeleton(const File& file) {
    std::unordered_set<std::string_view> names;
    for (const Bone& bone : file.bones) {
        if (!is_unit(bone.rotation) || !is_unit(bone.inverse_twist)) return "bone rotation";
        names.insert(up_to_nul(bone.name));
    }
    for (const Bone& bone : file.bones) {
        const std::string_view parent = up_to_nul(bone.parent);
        if (!parent.empty() && !names.contains(parent)) return "bone parent";
    }
    for (const std::string& name : file.link_names)
        if (!names.contains(up_to_nul(name))) return "point bone";
    return rotations_are_unit(file.default_pose) ? "" : "default_pose";
}

std::string broken_in_ambient(const Ambient& ambient) {
    const bool sound = std::all_of(ambient.frames.begin(), ambient.frames.end(),
                                   [](const AmbientFrame& frame) { return rotations_are_unit(frame.bones); });
    return sound ? "" : "frame bones";
}

std::string broken_in_texture(const File& file) {
    if (file.layout.texture == TextureForm::flag) return file.texture.embedded <= 1 ? "" : "texture_embedded";
    return are_below(std::span(file.texture.flags).first(6), 2) ? "" : "texture_flags";
}

}  // namespace

unsigned version_number(std::string_view version) noexcept {
    const std::size_t dot = std::min(version.find('.'), version.size());
    const std::string_view whole = version.substr(0, dot), part = version.substr(std::min(dot + 1, version.size()));
    if (whole.empty() || whole.size() > 3) return 0;
    unsigned number = 0;
    for (const char digit : whole) {
        if (digit < '0' || digit > '9') return 0;
        number = number * 10 + static_cast<unsigned>(digit - '0');
    }
    for (std::size_t place = 0; place < 2; ++place) {
        const bool is_digit = place < part.size() && part[place] >= '0' && part[place] <= '9';
        number = number * 10 + (is_digit ? static_cast<unsigned>(part[place] - '0') : 0);
    }
    return number >= 200 ? number : 0;
}

Layout usual_layout(std::string_view version) noexcept {
    const unsigned number = version_number(version);
    for (const UsualLayout& usual : usual_layouts())
        if (number >= usual.version) return usual.layout;
    return {};
}

std::vector<LayoutGroup> other_layouts(std::string_view version) {
    const Layout usual = usual_layout(version);
    std::vector<LayoutGroup> groups;
    for (const Layout& base : with_duplicate_forms(usual)) {
        for (const bool other_adjacency : {false, true}) {
            for (const std::uint8_t reflectances : {std::uint8_t{3}, std::uint8_t{1}}) {
                for (const bool lengths : {true, false}) {
                    Layout head = base;
                    head.adjacency = base.adjacency != other_adjacency;
                    head.reflectance_count = reflectances;
                    head.link_name_lengths = lengths;
                    groups.push_back(with_tails(head));
                    std::erase(groups.back(), usual);
                }
            }
        }
    }
    return groups;
}

std::string broken_rule(const File& file) {
    for (std::size_t index = 0; index < file.meshes.size(); ++index) {
        const std::string broken = broken_in(file.meshes[index], file.layout);
        if (!broken.empty()) return "mesh[" + std::to_string(index) + "] / " + broken;
    }
    if (std::string broken = broken_in_skeleton(file); !broken.empty()) return broken;
    if (file.ambient) {
        if (std::string broken = broken_in_ambient(*file.ambient); !broken.empty()) return broken;
    }
    return broken_in_texture(file);
}

Layout what_matters(const File& file) {
    const auto none = [&](auto&& count) { return std::all_of(file.meshes.begin(), file.meshes.end(), count); };
    Layout layout = file.layout;
    const bool counted = layout.duplicates == DuplicateForm::u16 || layout.duplicates == DuplicateForm::triples;
    if (counted && none([](const Mesh& mesh) { return mesh.duplicates.empty(); }))
        layout.duplicates = DuplicateForm::u32;
    if (none([](const Mesh& mesh) { return mesh.points.size() == 0; })) layout.adjacency = false;
    if (file.link_names.empty()) layout.link_name_lengths = true;
    if (file.bones.empty()) layout.bone_name_lengths = false;
    return layout;
}

std::string describe(const Layout& layout) {
    const auto differences = [&](const UsualLayout& usual) {
        const Layout& other = usual.layout;
        return int{layout.material_first != other.material_first} + int{layout.adjacency != other.adjacency} +
               int{layout.duplicates != other.duplicates} + int{layout.morph_normals != other.morph_normals} +
               int{layout.bone_name_lengths != other.bone_name_lengths} + int{layout.ambient != other.ambient} +
               int{layout.texture != other.texture};
    };
    const auto all = usual_layouts();
    const bool is_triples = layout.duplicates == DuplicateForm::triples;  // which are of 2.1, in the order of 2.0
    const UsualLayout* nearest =
        is_triples ? &all[3] : std::min_element(all.begin(), all.end(), [&](const auto& left, const auto& right) {
            return differences(left) < differences(right);
        });
    const Layout& usual = nearest->layout;
    std::string text = nearest->name;
    const auto say = [&](bool differs, const char* what) {
        if (differs) text += std::string(", ") + what;
    };
    say(layout.material_first != usual.material_first,
        layout.material_first ? "material in the header" : "material behind the skeleton");
    say(layout.reflectance_count != usual.reflectance_count, "one number of reflectance");
    say(layout.link_name_lengths != usual.link_name_lengths, "link names without lengths");
    say(layout.adjacency != usual.adjacency, layout.adjacency ? "neighbours of points" : "no neighbours of points");
    constexpr std::array<const char*, 5> forms{"32-bit duplicates", "16-bit duplicates", "duplicates without a count",
                                               "duplicates times three", "lists of duplicates"};
    say(layout.duplicates != usual.duplicates, forms[static_cast<std::size_t>(layout.duplicates)]);
    say(layout.morph_normals != usual.morph_normals, layout.morph_normals ? "morph normals" : "no morph normals");
    say(layout.bone_name_lengths != usual.bone_name_lengths,
        layout.bone_name_lengths ? "bone names with lengths" : "bone names without lengths");
    constexpr std::array<const char*, 3> places{"no ambient motion", "ambient motion before the texture",
                                                "ambient motion behind the texture"};
    say(layout.ambient != usual.ambient, places[static_cast<std::size_t>(layout.ambient)]);
    say(layout.texture != usual.texture,
        layout.texture == TextureForm::named ? "named texture" : "texture without a name");
    return text;
}

}  // namespace effigy::arp
