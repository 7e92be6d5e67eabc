#pragma once
/// Diagnostics of the glTF reader.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/gltf_codes.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/problem.hpp"

namespace effigy::gltf {

/// "accessors[3]"
[[nodiscard]] inline std::string place(std::string_view array, std::uint64_t number) {
    return std::string(array) + "[" + std::to_string(number) + "]";
}

[[nodiscard]] inline tl::unexpected<Diagnostic> refuse(std::string path, const Code& code, std::string message = {},
                                                       std::string found = {}, std::string expected = {}) {
    return fail(problem_at(std::move(path), code, std::move(message), std::move(found), std::move(expected)));
}

[[nodiscard]] inline tl::unexpected<Diagnostic> out_of_budget(std::string path, const Budget& budget) {
    return refuse(std::move(path), codes::limit_memory,
                  "reading this needs more memory than the limit allows; raise it with --limit-memory", {},
                  "at most " + std::to_string(budget.limit()) + " bytes");
}

[[nodiscard]] inline tl::unexpected<Diagnostic> leads_nowhere(std::string path, std::string found,
                                                              std::string_view array, std::size_t count) {
    return refuse(std::move(path), codes::gltf_reference, "a number leads to nothing that the file has",
                  std::move(found), "below " + std::to_string(count) + ", the number of " + std::string(array));
}

}  // namespace effigy::gltf
