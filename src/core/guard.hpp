#pragma once
/// The edge of the library: nothing in it throws but the containers, when memory ends.

#include <new>
#include <utility>

#include "effigy/result.hpp"

namespace effigy {

/// What `function` returns (a Result), or "out-of-memory".
template <class Function>
[[nodiscard]] auto without_exceptions(Function&& function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::bad_alloc&) {
        Diagnostic diagnostic;
        diagnostic.code = "out-of-memory";
        diagnostic.message = "the system has not enough memory for this; a smaller --limit-memory stops earlier";
        return fail(std::move(diagnostic));
    }
}

}  // namespace effigy
