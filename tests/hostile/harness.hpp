#pragma once
/// What is demanded of any bytes as a file of any format, by tests and by fuzzers: it is read or refused with a reason,
/// comes back to the byte, copied and through a dump, and nothing that can be done with it crashes.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/registry.hpp"

namespace effigy::harness {

struct Demands {
    std::string_view format;  ///< its id; the bytes are read as one, whatever they look like
    Limits limits{};          ///< of reading and of the scene
    Limits dump_limits{};     ///< of building: a dump is larger than the file, and may meet a limit where that did not
    bool dump = true;         ///< also dumps and builds, which takes longest
    bool scene = true;        ///< also becomes a scene, and that a .glb
    bool must_write = false;  ///< every scene that it becomes can be written

    /// Files that go before this one in a scene, as a model does before its motion; null: none.
    std::function<std::vector<Document>(const Document&)> model{};
    /// The file that this one is checked with, or null; null: none.
    std::function<const Document*(const Document&)> check_model{};
    /// What only this format promises: what is wrong, or nothing; null: nothing more.
    std::function<std::string(const Loaded<Document>&, std::span<const std::byte>)> also{};
    /// What is done with a scene that can be written; null: nothing more.
    std::function<std::string(const Scene&)> use{};
};

/// With what this format promises beyond the others, and memory for small files.
[[nodiscard]] Demands demands_of(std::string_view format);

/// What has become of the bytes.
struct Outcome {
    bool read = false;   ///< else there was a reason
    bool scene = false;  ///< they became one
    std::string fault;   ///< what was not as demanded; empty if everything was
};

/// Reads the bytes as a file of that format, whatever they look like.
[[nodiscard]] Result<Loaded<Document>> read_as(std::string_view format, std::span<const std::byte> bytes,
                                               const Limits& limits);

[[nodiscard]] Outcome exercise(std::span<const std::byte> bytes, const Demands& demands);

}  // namespace effigy::harness
