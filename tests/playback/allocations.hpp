#pragma once
/// Counts how often memory is asked for, in programs that are linked with allocations.cpp.

namespace effigy::test {

void begin_counting();
[[nodiscard]] int end_counting();

/// How often memory was asked for while `work` ran.
template <class Work>
int count_allocations(const Work& work) {
    begin_counting();
    work();
    return end_counting();
}

}  // namespace effigy::test
