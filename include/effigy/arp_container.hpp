#pragma once
/// The ZIP (.jar) around an avatar: its definition, its texture and the XML files of its tools.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/arp.hpp"

namespace effigy::arp {

/// One entry of the container, in its order.
struct Entry {
    std::string name;      ///< "anna/avatardef.jarp"; never absolute, never with ".."
    Bytes content;         ///< empty for folders
    bool readable = true;  ///< false: encrypted, packed by an unknown method or damaged, and so without content
};

/// A container: written again from `archive` as long as no entry was changed, and anew otherwise.
struct Container {
    Bytes archive;
    std::vector<Entry> entries;
    std::size_t definition = 0;  ///< the entry that is the avatar
    File avatar;
};

/// Fails with "container-..." if there is no avatar in it, if a name leads out of it, or with "limit-..." if it unpacks
/// to more than the limit allows.
[[nodiscard]] Result<Loaded<Container>> read_container(Bytes archive, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<Container>> read_container_file(const std::filesystem::path& path,
                                                            const ReadOptions& options = {});
/// The avatar takes the place of its entry's content. Entries that are not readable can only be copied: where others
/// changed, "container-entry-kept".
[[nodiscard]] Result<Bytes> write_container(const Container& container, const WriteOptions& options = {});

/// An entry beside the avatar, by its name without folder, without regard to case, and best in the avatar's own folder;
/// null if there is none.
[[nodiscard]] const Entry* find_entry(const Container& container, std::string_view name) noexcept;

}  // namespace effigy::arp
