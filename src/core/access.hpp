#pragma once
/// How layout functions take their records.

#include <type_traits>

namespace effigy::layout {

/// A record as a visitor may touch it: filled by reading visitors, constant for all others.
template <class Visitor, class Record>
using Access = std::conditional_t<Visitor::reading, Record, const Record>;

}  // namespace effigy::layout
