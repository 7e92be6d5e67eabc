#pragma once
/// The edge of the library: nothing in it throws but the containers, when memory ends.

#include <new>
#include <type_traits>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

#include "core/problem.hpp"

namespace effigy {

/// What `function` returns: a Result or a Report. If memory ends, that is the failure or a finding of it.
template <class Function>
[[nodiscard]] auto without_exceptions(Function&& function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::bad_alloc&) {
        Diagnostic diagnostic =
            problem_at({}, codes::out_of_memory,
                       "the system has not enough memory for this; a smaller --limit-memory stops earlier");
        if constexpr (std::is_same_v<decltype(function()), Report>) {
            Report report;
            report.add(std::move(diagnostic));
            return report;
        } else {
            return fail(std::move(diagnostic));
        }
    }
}

}  // namespace effigy
