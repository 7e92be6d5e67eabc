#include "locator.hpp"

#include <charconv>

namespace effigy::layout {

Locator::Locator(Report& report) {
    for (Diagnostic& diagnostic : report.diagnostics()) {
        if (diagnostic.path.empty() || diagnostic.offset != no_offset) continue;
        const std::string& path = diagnostic.path;
        wanted_.emplace(path, Wanted{&diagnostic, false, 0});
        // "... / indices[17]" may also be element 17 of the block "indices".
        const std::size_t open = path.rfind('[');
        if (open == std::string::npos || path.back() != ']') continue;
        std::uint64_t index = 0;
        const auto parsed = std::from_chars(path.data() + open + 1, path.data() + path.size() - 1, index);
        if (parsed.ec == std::errc()) wanted_.emplace(path.substr(0, open), Wanted{&diagnostic, true, index});
    }
}

void Locator::leaf(const char* name, const ElementType& type, const std::byte*, std::uint64_t count, Shape) {
    place(prefix_ + name, count * type.size, type.size);
    offset_ += count * type.size;
}

void Locator::text(const char* name, const std::string& text) {
    place(prefix_ + name, 4 + text.size(), 0);
    offset_ += 4 + text.size();
}

void Locator::enter(const Path& path) {
    starts_.push_back(offset_);
    prefixes_.push_back(prefix_.size());
    prefix_ = path.string() + " / ";
}

void Locator::leave(const Path& path) {
    const std::uint64_t start = starts_.back();
    starts_.pop_back();
    const std::uint64_t end = offset_;
    offset_ = start;
    place(path.string(), end - start, 0);
    offset_ = end;
    prefix_.resize(prefixes_.back());
    prefixes_.pop_back();
}

void Locator::place(const std::string& path, std::uint64_t size, std::uint64_t element_size) {
    const auto [first, last] = wanted_.equal_range(path);
    for (auto entry = first; entry != last; ++entry) {
        const Wanted& wanted = entry->second;
        if (wanted.has_index && (element_size == 0 || wanted.index >= size / element_size)) continue;
        wanted.diagnostic->offset = offset_ + (wanted.has_index ? wanted.index * element_size : 0);
        wanted.diagnostic->length = wanted.has_index ? element_size : size;
    }
}

}  // namespace effigy::layout
