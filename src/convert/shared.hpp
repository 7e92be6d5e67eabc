#pragma once
/// What conversions of many files look into, opened once.

#include <deque>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include "effigy/convert.hpp"
#include "effigy/image.hpp"

#include "registry/rows.hpp"

namespace effigy {

class SharedLookups {
public:
    explicit SharedLookups(const Limits& limits) : limits_(limits) {}

    /// As the family's open_surroundings(). The switches are those of the first call.
    [[nodiscard]] Result<Loaded<Surroundings>> open(const FamilyRow& family, const SurroundingsRequest& request);
    /// As image::Library of these folders.
    [[nodiscard]] std::filesystem::path find_texture(const std::vector<std::filesystem::path>& folders,
                                                     std::string_view name);

private:
    // Those used last come first; what lies further back is opened anew when it is needed again.
    struct Opened {
        const FamilyRow* family;
        std::vector<std::filesystem::path> roots;
        Surroundings surroundings;
        Report report;
    };
    struct Searched {
        std::filesystem::path folder;
        image::Library library;
    };

    Limits limits_;
    std::mutex opening_, searching_;
    std::deque<Opened> opened_;
    std::deque<Searched> searched_;
};

}  // namespace effigy
