#include "instances.hpp"

template class std::vector<std::byte, effigy::BulkAllocator<std::byte>>;
template class nlohmann::basic_json<nlohmann::ordered_map>;
