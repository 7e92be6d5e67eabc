#include "convert/shared.hpp"

#include <algorithm>
#include <utility>

namespace effigy {
namespace {

constexpr std::size_t most_opened = 8, most_searched = 64;

/// The element that `is_wanted` says, moved to the front, or null.
template <class List, class IsWanted>
auto* used_again(List& list, IsWanted&& is_wanted) {
    const auto found = std::find_if(list.begin(), list.end(), is_wanted);
    if (found == list.end()) return static_cast<typename List::value_type*>(nullptr);
    std::rotate(list.begin(), found, found + 1);
    return &list.front();
}

}  // namespace

Result<Loaded<Surroundings>> SharedLookups::open(const FamilyRow& family, const SurroundingsRequest& request) {
    const std::lock_guard lock(opening_);
    const Opened* known =
        used_again(opened_, [&](const Opened& one) { return one.family == &family && one.roots == request.roots; });
    if (known == nullptr) {
        auto opened = family.open_surroundings({request.options, request.roots, nullptr, limits_});
        if (!opened) return fail(std::move(opened.error()));
        opened_.push_front({&family, request.roots, std::move(opened->value), std::move(opened->report)});
        if (opened_.size() > most_opened) opened_.pop_back();
        known = &opened_.front();
    }
    return Loaded<Surroundings>{known->surroundings, known->report};
}

std::filesystem::path SharedLookups::find_texture(const std::vector<std::filesystem::path>& folders,
                                                  std::string_view name) {
    const std::lock_guard lock(searching_);
    for (const std::filesystem::path& folder : folders) {
        Searched* known = used_again(searched_, [&](const Searched& one) { return one.folder == folder; });
        if (known == nullptr) {
            searched_.push_front({folder, image::Library({folder})});
            if (searched_.size() > most_searched) searched_.pop_back();
            known = &searched_.front();
        }
        if (std::filesystem::path file = known->library.find(name); !file.empty()) return file;
    }
    return {};
}

std::shared_ptr<SharedLookups> make_shared_lookups(const Limits& limits) {
    return std::make_shared<SharedLookups>(limits);
}

}  // namespace effigy
