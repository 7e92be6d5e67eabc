#pragma once
/// The two ways in which motion is written, and the fields of its camera.

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "effigy/cas.hpp"

namespace effigy::cas {

inline constexpr std::array<std::pair<const char*, double Camera::*>, 6> camera_fields{{{"cx", &Camera::cx},
                                                                                        {"cy", &Camera::cy},
                                                                                        {"r", &Camera::r},
                                                                                        {"theta", &Camera::theta},
                                                                                        {"phi", &Camera::phi},
                                                                                        {"fov", &Camera::fov}}};

/// Everything of a file but its text.
[[nodiscard]] Result<Loaded<File>> read_xml(std::span<const std::byte> bytes, const ReadOptions& options);
[[nodiscard]] Result<Loaded<File>> read_json(std::span<const std::byte> bytes, const ReadOptions& options);

/// The first character of text that is not blank, or NUL; whatever mark of UTF-8 stands before it.
[[nodiscard]] char first_character(std::string_view text) noexcept;
/// Without the mark of UTF-8.
[[nodiscard]] std::string_view without_mark(std::string_view text) noexcept;

}  // namespace effigy::cas
