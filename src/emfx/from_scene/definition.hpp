#pragma once
/// Entries for models in the text files of Paradox's games: a new one, or those that a file has already, changed in
/// place.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/emfx_scene.hpp"

namespace effigy::emfx {

/// What an EMFXActorType says: the only thing by which such a game finds a model.
struct Definition {
    std::string name;                  ///< "soldier", the file's as well
    std::vector<std::string> motions;  ///< files: "soldier_walk.xsm"
    Target target = Target::victoria2;
    double height = 0;                                               ///< of the figure; 0: not known
    bool retargeting = false;                                        ///< motions were made for another skeleton
    std::vector<std::pair<std::string, std::string>> attachments{};  ///< names of other entries, and nodes

    [[nodiscard]] std::string actor() const { return name + ".xac"; }
};

/// The entry in one line.
[[nodiscard]] std::string entry_text(const Definition& definition);
/// A file with nothing else in it.
[[nodiscard]] std::string new_definitions(const Definition& definition);

/// How a file that is there gets the entry.
enum class EntryPlace : std::uint8_t {
    of_actor,  ///< entries that name the actor's file, in its folder: the modder may have called them otherwise
    of_name,   ///< an entry of the name, of whatever actor
    added,     ///< a new one behind all others
};
/// The text with all bytes but those of the entry; nothing where it has no such place.
[[nodiscard]] std::optional<std::string> with_definition(std::string_view text, const Definition& definition,
                                                         EntryPlace place);

}  // namespace effigy::emfx
