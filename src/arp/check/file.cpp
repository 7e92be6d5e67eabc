/// All rules for ARP avatars in their order; version, layout, header, texture.

#include <algorithm>

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/arp_format.hpp"
#include "arp/file/layout_elements.hpp"
#include "arp/file/names.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/file/units.hpp"

namespace effigy::arp::checks {

namespace {

bool is_known(std::string_view version) noexcept {
    const unsigned number = version_number(version);
    return version == "2.0" || version == "2.1" || version == "2.2" || version == "3.1" ||
           (number >= 300 && number < 310);
}

void check_version(const Context& context) {
    const File& file = context.file;
    if (!is_known(file.version)) {
        context.findings.add(codes::arp_version, "version", shortened(file.version), "2.0, 2.1, 2.2, 3.0 or 3.1");
        return;
    }
    if (version_number(file.version) < 310)
        context.findings.add(codes::arp_version_old, "version", file.version, "3.1");
    const Layout usual = usual_layout(file.version);
    if (!(file.layout == usual) && !context.was_read)
        context.findings.add(codes::arp_layout, "version", describe(file.layout), describe(usual));
}

bool check_finite(const Context& context, const char* path, std::initializer_list<float> numbers) {
    const bool fine = std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
    if (!fine) context.findings.add(codes::arp_not_finite, path);
    return fine;
}

void check_volume(const Context& context) {
    const Vec3 &low = context.file.volume_low, &high = context.file.volume_high;
    const bool fine = check_finite(context, "volume_low", {low.x, low.y, low.z});
    if (!check_finite(context, "volume_high", {high.x, high.y, high.z}) || !fine) return;
    if (high.y <= low.y && !is_in_inches(context.file))
        context.findings.add(codes::arp_volume, "volume_high", number_text(high.y), "more than " + number_text(low.y));
}

void check_reflectance(const Context& context) {
    const auto& [red, green, blue] = context.file.reflectance;
    if (!check_finite(context, "reflectance", {red, green, blue})) return;
    for (const float part : context.file.reflectance) {
        if (part >= 0 && part <= 1) continue;
        context.findings.add(codes::arp_reflectance, "reflectance", number_text(part), "0 to 1");
        return;
    }
}

void check_flags(const Context& context) {
    enum : std::size_t { embedded, compressed, png, tga, jib, flipped, unused };
    const auto& flags = context.file.texture.flags;
    const bool all_known =
        std::all_of(flags.begin(), flags.begin() + unused, [](std::uint8_t flag) { return flag <= 1; }) &&
        std::all_of(flags.begin() + unused, flags.end(), [](std::uint8_t flag) { return flag == 0; });
    const bool one_kind = flags[png] + flags[tga] + flags[jib] <= 1;
    const bool can_be_compressed = flags[compressed] == 0 || flags[jib] != 0;
    if (!all_known || !one_kind || !can_be_compressed) {
        std::string found;
        for (const std::uint8_t flag : flags) found += std::to_string(flag) + ' ';
        found.pop_back();
        context.findings.add(codes::arp_texture_flags, "texture_flags", std::move(found),
                             "0 or 1, one kind of image, compressed only with JIB");
    }
    if (flags[tga] != 0) context.findings.add(codes::arp_texture_tga, "texture_flags");
}

}  // namespace

void check_header(const Context& context) {
    const File& file = context.file;
    check_version(context);
    if (check_finite(context, "scale", {file.scale}) && file.scale <= 0)
        context.findings.add(codes::arp_scale, "scale", number_text(file.scale), "more than 0");
    check_volume(context);
    check_reflectance(context);
    if (check_finite(context, "skeleton_offset", {file.skeleton_offset}) && file.skeleton_offset != 0)
        context.findings.add(codes::arp_skeleton_offset, "skeleton_offset", number_text(file.skeleton_offset), "0");
    if (!file.trailing.empty() && file.first_missing == Part::end && !context.was_read)
        context.findings.add(codes::arp_trailing, "trailing", count_text(file.trailing.size(), "bytes"));
}

void check_texture(const Context& context) {
    const File& file = context.file;
    const Texture& texture = file.texture;
    const bool named = file.layout.texture == TextureForm::named;
    if (named)
        check_flags(context);
    else if (texture.embedded > 1)
        context.findings.add(codes::arp_texture_flags, "texture_embedded", std::to_string(texture.embedded), "0 or 1");

    if (has_image(file)) {
        context.findings.add(codes::arp_texture_embedded, "image");
        if (const auto picture = texture_picture(file); !picture)
            context.findings.add(codes::arp_texture_size, "image", picture.error().message);
        return;
    }
    if (!texture.image.empty())
        context.findings.add(codes::arp_array_size, "image", count_text(texture.image.size(), "bytes"), "0 bytes");
    if (up_to_nul(texture.name).empty())
        context.findings.add(codes::arp_texture_name, named ? "texture_name" : "texture_embedded");
}

}  // namespace effigy::arp::checks

namespace effigy::arp {

namespace {

Report check_as(const File& file, bool was_read) {
    Report report;
    Findings findings(report);
    const checks::Context context{file, findings, bones_by_name(file), was_read};
    if (file.first_missing != Part::end && !was_read) findings.add(codes::arp_missing, {}, "", "a complete file");
    if (context.has(Part::header)) checks::check_header(context);
    checks::check_meshes(context);
    if (context.has(Part::bones)) checks::check_bones(context);
    if (context.has(Part::default_pose)) checks::check_pose(context);
    if (context.has(Part::ambient)) checks::check_ambient(context);
    if (context.has(Part::texture)) checks::check_texture(context);
    locate(file, report);
    return report;
}

}  // namespace

Report check(const File& file) { return check_as(file, false); }
Report check_after_reading(const File& file) { return check_as(file, true); }

}  // namespace effigy::arp
