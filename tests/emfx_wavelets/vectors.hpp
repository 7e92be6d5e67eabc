#pragma once
/// Compressed motions with the numbers that the engine's own routines make of them: vectors/README.md.

#include <string>
#include <vector>

#include "effigy/xsm_wavelets.hpp"

namespace wavelets {

using namespace effigy;

[[nodiscard]] Bytes bytes_of_vector(const std::string& name);
[[nodiscard]] xsm::File read_vector(const std::string& name);
/// The one compressed motion of a file; fails the test if there is none.
[[nodiscard]] const xsm::Wavelet& wavelet_of(const xsm::File& file);

/// The lines of expected.txt that begin with a word, in words, without that one.
[[nodiscard]] std::vector<std::vector<std::string>> expected(const std::string& kind);

/// The samples of a vector before they were compressed, as keys at their times.
[[nodiscard]] xsm::Submotions source_of(const std::string& name, const xsm::Wavelet& wavelet);

/// A motion of so many joints: sums of sines, as smooth as a walk, 30 keys a second.
[[nodiscard]] xsm::Submotions walk(std::size_t joints, double seconds);

}  // namespace wavelets
