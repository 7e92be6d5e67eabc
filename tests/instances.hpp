#pragma once
/// Templates that most tests spend their time in, compiled once and optimised for all of them (instances.cpp): included
/// before everything else where headers are precompiled.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "effigy/bytes.hpp"

extern template class std::vector<std::byte, effigy::BulkAllocator<std::byte>>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
