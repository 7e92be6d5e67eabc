#pragma once
/// Counts the memory that is allocated through operator new, in the programs that link allocations.cpp.

#include <cstddef>

namespace effigy::test {

/// The largest number of bytes in use at once since the object was made, beyond those in use then.
class PeakMemory {
public:
    PeakMemory() noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    std::size_t start_;
};

}  // namespace effigy::test
