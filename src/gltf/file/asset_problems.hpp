#pragma once
/// Diagnostics of the glTF reader, and what is looked at before anything of a file is used.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::gltf {

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

/// The text behind a byte order mark, which does not belong to JSON.
[[nodiscard]] std::span<const std::byte> without_mark(std::span<const std::byte> text) noexcept;

/// Fails with "gltf-version" unless the file is glTF 2.
[[nodiscard]] Result<void> check_version(const nlohmann::json& root);

/// Fails with "gltf-extension-required" for an extension that is needed and not known; reports the other unknown ones.
[[nodiscard]] Result<void> check_extensions(const nlohmann::json& root, Report& report);

/// Reports accessors whose elements do not begin at multiples of their components' size: "gltf-alignment". They are
/// read all the same.
void check_alignment(const nlohmann::json& root, Report& report);

}  // namespace effigy::gltf
