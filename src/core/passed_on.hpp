#pragma once
/// Failures in what can be left out, as findings of the whole.

#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

namespace effigy {

/// The failure as a finding of `code`; where memory was short, that is what the finding still says.
[[nodiscard]] inline Diagnostic passed_on(Diagnostic failure, const Code& code) {
    if (failure.code != codes::limit_memory) failure.code = code.name;
    failure.severity = code.severity;
    return failure;
}

}  // namespace effigy
