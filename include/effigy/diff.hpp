#pragma once
/// What differs in meaning between two scenes or files, whatever their bytes: order of vertices, packing and padding
/// are no difference. docs/diff.md says what is compared with what.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/registry.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// How far numbers may lie apart and still mean the same. The defaults are one step of the coarsest packing that a
/// format has for such numbers; 0 wants equal numbers.
struct DiffTolerances {
    double position = 2e-5;  ///< part of the bounding box's diagonal; 16 bits over its length
    double normal = 8e-3;    ///< of each component of normals, tangents and bitangents; 8 bits
    double texcoord = 5e-4;  ///< 16-bit floats below 1; beyond 1 a part of the number
    double color = 4e-3;     ///< of colours from 0 to 1; 8 bits
    double weight = 4e-3;    ///< of a vertex that hangs on joints, and of morph targets; 8 bits
    double rotation = 1e-3;  ///< radians
    double scale = 1e-4;     ///< part of the factor
    double time = 1e-4;      ///< seconds
    double number = 1e-6;    ///< all others: part of the number
};

struct DiffOptions {
    DiffTolerances tolerances{};
    std::vector<std::string> ignore{};  ///< kinds (see diff_kinds()) that do not count
    bool images = false;                ///< compares what images hold, not only which ones are used
    Limits limits{};
    bool is_made_of_a = false;  ///< what `b` has and `a` has not is no loss then: an info
};

/// "node", "transform", "position" ...: what stands in the codes of differences behind "diff-".
[[nodiscard]] std::span<const std::string_view> diff_kinds() noexcept;

/// How `b` differs from `a`: each finding has a code "diff-...", the path of the object, what `b` has (found) and what
/// `a` has (expected). Differences are warnings; what could not be compared is an info, and so is what only a `b` that
/// is made of `a` has. Fails with "limit-memory".
[[nodiscard]] Result<Report> diff_scenes(const Scene& a, const Scene& b, const DiffOptions& options = {});

/// The same for files that make no scenes, by their fields. XML is compared as elements and other text as words, so
/// that white space and comments do not count.
[[nodiscard]] Result<Report> diff_documents(const Document& a, const Document& b, const DiffOptions& options = {});

}  // namespace effigy
