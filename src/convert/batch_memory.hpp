#pragma once
/// Memory that jobs share.

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace effigy::batch {

/// Memory for all jobs at once. Who wants more than there is waits until nobody else is at work.
class Memory {
public:
    explicit Memory(std::uint64_t bytes) : total_(bytes), free_(bytes) {}

    void take(std::uint64_t bytes) {
        std::unique_lock lock(mutex_);
        given_back_.wait(lock, [&] { return bytes <= free_; });
        free_ -= bytes;
    }
    void give_back(std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        free_ += bytes;
        given_back_.notify_all();
    }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    const std::uint64_t total_;
    std::uint64_t free_;
    std::mutex mutex_;
    std::condition_variable given_back_;
};

}  // namespace effigy::batch
