#pragma once
/// Work on other threads beside that of the calling one.

#include <algorithm>
#include <future>
#include <thread>
#include <utility>

#include "effigy/options.hpp"

namespace effigy {

/// How many things may be made ahead of the one that is asked for: none under a limit that was given, because what
/// waits would come on top of it.
[[nodiscard]] inline std::size_t threads_beside(const Limits& limits) {
    if (limits.memory != 0) return 0;
    const unsigned cores = std::thread::hardware_concurrency();
    return cores > 1 ? std::min(cores, 4U) : 0;
}

/// Without a thread, where none can be started, `work` is done when its result is asked for.
template <class Work>
[[nodiscard]] auto start_beside(Work&& work) {
    return std::async(std::launch::async | std::launch::deferred, std::forward<Work>(work));
}

}  // namespace effigy
