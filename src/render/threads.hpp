#pragma once
/// Several threads at one piece of work.

#include <cstddef>
#include <functional>

namespace effigy::render {

/// How many threads to use for `items` pieces of work; 0 asks for as many as the machine has.
[[nodiscard]] unsigned thread_count(unsigned asked, std::size_t items) noexcept;

/// Calls `work` once on each thread, the caller's included; false if one of them ran out of memory. Where the system
/// has no further thread to give, the others do it all: `work` takes its pieces from a counter until none is left.
[[nodiscard]] bool run_on_threads(unsigned threads, const std::function<void()>& work);

}  // namespace effigy::render
