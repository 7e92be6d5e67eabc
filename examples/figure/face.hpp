#pragma once
/// The head: rings of vertices around the mouth, so that the lips can open, round and smile.

#include "shape.hpp"

namespace figure {

struct Expression {
    const char* name;
    std::uint32_t phonemes;  ///< bits of EMotion FX, 0: not for speech
    float open = 0;          ///< the jaw drops; 1 is wide open
    float width = 1;         ///< of the mouth
    float smile = 0;         ///< the corners rise
    float pucker = 0;        ///< the lips come forward
    float lower_lip = 0;     ///< 1: the lower lip lies under the upper teeth, -1: both lips press together
    float blink = 0;
};

/// At rest: what the morph targets start from.
[[nodiscard]] const Expression& neutral_expression();
/// The morph targets.
[[nodiscard]] const std::vector<Expression>& expressions();

/// The same vertices in the same order for every expression.
[[nodiscard]] Shape make_face(const Expression& expression, float detail);
[[nodiscard]] const Field& head_field();
[[nodiscard]] vec3 mouth_centre();
[[nodiscard]] vec3 eye_centre();  ///< of the left eye

}  // namespace figure
