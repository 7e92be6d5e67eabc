/// Work spread over threads.

#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <thread>
#include <vector>

namespace effigy::render {
namespace {

constexpr unsigned max_threads = 256;

}  // namespace

unsigned thread_count(unsigned asked, std::size_t items) noexcept {
    const unsigned wanted = asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::clamp<std::size_t>(items, 1, std::min(wanted, max_threads)));
}

bool run_on_threads(unsigned threads, const std::function<void()>& work) {
    std::atomic<bool> is_complete{true};
    const auto guarded = [&] {
        try {
            work();
        } catch (const std::bad_alloc&) {
            is_complete = false;
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads);
    try {
        for (unsigned i = 1; i < threads; ++i) others.emplace_back(guarded);
    } catch (const std::exception&) {
        // No further thread, or no memory for one. Fewer threads, the same picture.
    }
    guarded();
    for (std::thread& other : others) other.join();
    return is_complete;
}

}  // namespace effigy::render
