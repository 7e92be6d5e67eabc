#pragma once
/// The text files of the signer.

#include <string>

#include "motions.hpp"

namespace signer {

/// asd.xml: the skeleton, and places on the skin that signs name.
[[nodiscard]] std::string static_data();
/// config.xml: how the hands are shaped for those who make motion from notation.
[[nodiscard]] std::string settings();
/// nonmanuals.xml: which morph targets a notation's face and mouth stand for.
[[nodiscard]] std::string nonmanuals();

/// CAS: a motion for players, whole in its first frame, then only what changes.
[[nodiscard]] std::string cas_xml(const Motion& motion);
[[nodiscard]] std::string cas_json(const Motion& motion);

}  // namespace signer
