/// Morph targets of version 6.

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"

namespace effigy::x42::checks {

namespace {

void check_morph_sizes(const Context& context) {
    const Morphs& morphs = context.file.morphs;
    const std::uint64_t offsets = announced(context.file, Section::morph_indices, morphs.indices.size());
    const auto check = [&](std::size_t size, Section section, bool present, const char* name) {
        const std::uint64_t found = announced(context.file, section, size), expected = present ? offsets : 0;
        if (found != expected)
            context.findings.add(codes::x42_array_size, name, count_text(found, "elements"),
                                 count_text(expected, "elements"));
    };
    const std::uint16_t flags = context.file.header.model_flags;
    check(morphs.positions.size(), Section::morph_positions, true, "morph_positions");
    check(morphs.normals.size(), Section::morph_normals, (flags & has_normals) != 0, "morph_normals");
    check(morphs.tangents.size(), Section::morph_tangents, (flags & has_tangents) != 0, "morph_tangents");
}

void check_indices(const Context& context) {
    const auto& indices = context.file.morphs.indices;
    Tally astray;
    for (std::size_t index = 0; index < indices.size(); ++index)
        if (indices[index] >= context.file.vertices.size()) astray.hit(index);
    if (!astray) return;
    const auto first = static_cast<std::size_t>(astray.first);
    context.findings.add(codes::x42_morph_index, element_path("morph_indices", first),
                         first_of(std::to_string(indices[first]), astray.count), below(context.file.vertices.size()));
}

/// Targets must not share offsets: comparing would take as long as they are many.
void check_repeats(const Context& context) {
    const Morphs& morphs = context.file.morphs;
    std::vector<std::uint32_t> target_of(65536);
    Tally repeated;
    for (std::size_t target = 0; target < morphs.targets.size(); ++target) {
        const MorphTarget& range = morphs.targets[target];
        for (std::uint64_t delta = 0; delta < range.delta_count; ++delta) {
            const auto place = static_cast<std::size_t>(range.first_delta + delta);
            std::uint32_t& seen = target_of[morphs.indices[place]];
            if (seen == target + 1) repeated.hit(place);
            seen = static_cast<std::uint32_t>(target + 1);
        }
    }
    if (!repeated) return;
    const auto first = static_cast<std::size_t>(repeated.first);
    context.findings.add(codes::x42_morph_repeated, element_path("morph_indices", first),
                         first_of(std::to_string(morphs.indices[first]), repeated.count));
}

void check_targets(const Context& context) {
    const Morphs& morphs = context.file.morphs;
    Duplicates duplicates(context, "morph_target", false);
    const std::uint64_t most = announced(context.file, Section::morph_indices, morphs.indices.size());
    std::uint64_t used = 0;
    bool fine = true;
    for (std::size_t index = 0; index < morphs.targets.size(); ++index) {
        const MorphTarget& target = morphs.targets[index];
        check_name(context, target.name, field_path("morph_target", index, "name"));
        duplicates.add(target.name, index);
        const std::uint64_t end = std::uint64_t{target.first_delta} + target.delta_count;
        used += target.delta_count;
        fine = fine && end <= morphs.indices.size();
        if (end <= most) continue;
        context.findings.add(codes::x42_morph_range, field_path("morph_target", index, "delta_count"),
                             std::to_string(end), at_most(most));
    }
    duplicates.report();
    if (!fine) return;
    if (used > morphs.indices.size()) {
        context.findings.add(codes::x42_morph_overlap, "morph_target[0]", count_text(used, "offsets"),
                             at_most(morphs.indices.size()));
    } else {
        check_repeats(context);
    }
}

}  // namespace

void check_morphs(const Context& context) {
    const Morphs& morphs = context.file.morphs;
    if (morphs.layout == MorphLayout::undetermined) {
        context.findings.add(codes::x42_morphs_undetermined, "morphs", count_text(morphs.opaque.size(), "bytes"));
    } else {
        check_morph_sizes(context);
        check_indices(context);
        check_targets(context);
    }
}

}  // namespace effigy::x42::checks
