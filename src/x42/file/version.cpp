/// The same model as another version of the format.

#include <string>
#include <utility>

#include "effigy/x42.hpp"
#include "effigy/x42_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"

namespace effigy::x42 {

namespace {

Loaded<File> to_version_6(File file) {
    Loaded<File> loaded;
    if (file.morphs.layout == MorphLayout::none) {
        file.morphs = {};
        file.morphs.layout = MorphLayout::large;
        file.morphs.wide_counts = file.header.padding != 0;  // small ones would stand there
        file.pack.morph_positions = {};
    }
    // Only bytes that end the file tell how version 6 is stored.
    if (!file.trailing.empty()) {
        loaded.report.add(problem_at(
            "trailing", codes::x42_trailing_dropped,
            "bytes behind the end are left out: in version 6 nothing may follow, or morph targets are not found",
            std::to_string(file.trailing.size()) + " bytes"));
        file.trailing = {};
    }
    file.version = version_6;
    loaded.value = std::move(file);
    return loaded;
}

Loaded<File> to_version_5(File file) {
    Loaded<File> loaded;
    if (!file.morphs.targets.empty() || !file.morphs.indices.empty()) {
        loaded.report.add(problem_at("morph_target", codes::x42_morphs_dropped, {},
                                     std::to_string(file.morphs.targets.size()) + " morph targets"));
    }
    // All that both versions have is 32 bytes apart, so that its padding is as long; only a small header needs some
    // first.
    if (file.morphs.layout != MorphLayout::none) file.padding[static_cast<std::size_t>(Section::bones)] = {};
    for (std::size_t section = static_cast<std::size_t>(Section::morph_targets);
         section < static_cast<std::size_t>(Section::strings); ++section) {
        file.padding[section] = {};
        file.missing[section] = 0;
    }
    file.morphs = {};
    file.pack.morph_positions = {};
    file.version = version_5;
    loaded.value = std::move(file);
    return loaded;
}

}  // namespace

Result<Loaded<File>> with_version(File file, int version) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        if (version != 5 && version != 6) {
            return fail(problem_at("version", codes::x42_version_unknown, {}, std::to_string(version), "5 or 6"));
        }
        if (file.morphs.layout == MorphLayout::undetermined) {
            return fail(problem_at("morphs", codes::x42_morphs_undetermined.as(Severity::error),
                                   "it is not known how the morph targets of this file are stored, so that they can "
                                   "only be copied; the version cannot be changed",
                                   std::to_string(file.morphs.opaque.size()) + " bytes"));
        }
        return version == 6 ? to_version_6(std::move(file)) : to_version_5(std::move(file));
    });
}

}  // namespace effigy::x42
