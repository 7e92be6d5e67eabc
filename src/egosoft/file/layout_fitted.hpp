#pragma once
/// Records whose size the file states: they hold their fields as far as these fit, and then bytes.

#include <cstdint>

#include "effigy/bytes.hpp"

namespace effigy::egosoft {

template <class Visitor>
class Fitted {
public:
    /// `size` bytes are left of the record.
    Fitted(Visitor& visitor, std::uint64_t size) noexcept : visitor_(visitor), left_(size) {}

    /// Whether `size` bytes fit; once something did not, nothing does.
    [[nodiscard]] bool take(std::uint64_t size) noexcept {
        open_ = open_ && size <= left_;
        if (open_) left_ -= size;
        return open_;
    }
    template <class T>
    void field(const char* name, T& value) {
        if (take(sizeof(T))) visitor_.field(name, value);
    }
    /// The bytes that remain.
    template <class Rest>
    void rest(Rest& rest) {
        if (left_ != 0 || !rest.empty()) visitor_.bulk("rest", rest, left_);
    }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

private:
    Visitor& visitor_;
    std::uint64_t left_;
    bool open_ = true;
};

}  // namespace effigy::egosoft
