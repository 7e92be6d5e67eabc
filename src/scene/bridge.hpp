#pragma once
/// What the bridges of all families share, in both directions.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "core/budget.hpp"
#include "core/json_fwd.hpp"
#include "core/unique_names.hpp"

namespace effigy {

/// How many names there were, and the first few of them.
class NameList {
public:
    void add(std::string name);
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> names_;
    std::size_t count_ = 0;
};

/// What a conversion may still take, and what it has found.
struct BridgeState {
    explicit BridgeState(Budget memory) : budget(memory) {}

    Budget budget;
    Report report;
    std::string file;  ///< the one at work, for findings

    void note(const Code& code, std::string path, std::string message = {}, std::string found = {},
              std::string expected = {});
    /// A finding about each of these, if there are any.
    void note_any(const NameList& names, const Code& code, std::string_view path, std::string_view message = {},
                  std::string_view expected = {});
    /// A finding about so many of something, if it is not 0; `what` stands behind the number: " keys".
    void note_any(std::uint64_t count, const Code& code, std::string_view path, std::string_view message = {},
                  std::string_view what = {}, std::string_view expected = {});
    /// Memory for what may be larger than the input; fails beyond the limit.
    [[nodiscard]] Result<void> take(std::uint64_t count, std::uint64_t bytes_each, std::string_view what);
};

/// About how many bytes a scene holds, without its images: what memory for its conversion is measured by.
[[nodiscard]] std::uint64_t size_of(const Scene& scene) noexcept;

template <class T>
[[nodiscard]] std::uint64_t size_of(const Bulk<T>& values) noexcept {
    return std::uint64_t{values.size()} * sizeof(T);
}

/// A scene in the making.
struct SceneBuild : BridgeState {
    using BridgeState::BridgeState;

    Scene scene;
    UniqueNames clip_names{UniqueNames::Case::counts, "."};
    Index add_node(std::string name, Index parent);
};

/// The code pages in which the names of a file's records may have been read, the likeliest first.
using Encodings = std::array<std::string, 3>;
/// That of the record in the asset's extras, if it has one; that which was chosen for the way back; and that in which
/// files are read where nobody chooses one.
[[nodiscard]] Encodings encodings_of(const Json& asset, const std::string& chosen, const std::string& usual);
/// Whether the bytes of an old file are what the scene has as `name`.
[[nodiscard]] bool means(std::string_view raw, std::string_view name, const Encodings& encodings);

/// A clip in glTF is as long as its longest track: one is held until the end of the loop.
void fill_duration(Clip& clip);

[[nodiscard]] Diagnostic nothing_to_show(std::string message);

}  // namespace effigy
