/// Byte offsets of the fields that findings name by their paths.

#include "locator.hpp"

#include <charconv>

namespace effigy::layout {

namespace {

constexpr std::string_view separator = " / ";

/// The index in "point[17]"; none if there is none.
std::uint64_t index_in(std::string_view step) noexcept {
    const std::size_t open = step.find('[');
    if (open == std::string_view::npos) return Path::no_index;
    std::uint64_t index = Path::no_index;
    const auto parsed = std::from_chars(step.data() + open + 1, step.data() + step.size(), index);
    return parsed.ec == std::errc() ? index : Path::no_index;
}

}  // namespace

Locator::Locator(Report& report) : places_(1), open_{{0, 0}} {
    for (Diagnostic& diagnostic : report.diagnostics()) {
        if (!diagnostic.path.empty() && diagnostic.offset == no_offset) add(diagnostic);
    }
}

/// The last step may be a record, a field, or an element of a field: "indices[17]".
void Locator::add(Diagnostic& diagnostic) {
    std::string_view path = diagnostic.path;
    std::size_t place = 0;
    for (std::size_t end = path.find(separator); end != std::string_view::npos; end = path.find(separator)) {
        place = child_of(place, path.substr(0, end));
        path.remove_prefix(end + separator.size());
    }
    const std::size_t record = child_of(place, path);
    places_[record].whole.push_back(&diagnostic);
    places_[place].fields[std::string(path)].whole.push_back(&diagnostic);
    const std::size_t open = path.rfind('[');
    if (open == std::string_view::npos || path.back() != ']') return;
    const std::uint64_t index = index_in(path.substr(open));
    if (index != Path::no_index)
        places_[place].fields[std::string(path.substr(0, open))].elements.emplace_back(index, &diagnostic);
}

std::size_t Locator::child_of(std::size_t place, std::string_view step) {
    std::vector<Child>& children = places_[place].children[index_in(step)];
    for (const Child& child : children) {
        if (child.step == step) return child.place;
    }
    const std::size_t added = places_.size();
    children.push_back({std::string(step), added});
    places_.emplace_back();
    return added;
}

void Locator::leaf(const char* name, const ElementType& type, const std::byte*, std::uint64_t count, Shape) {
    if (skipped_ == 0) put(name, count * type.size, type.size);
    offset_ += count * type.size;
}

void Locator::text(const char* name, const std::string& text) {
    if (skipped_ == 0) put(name, 4 + text.size(), 0);
    offset_ += 4 + text.size();
}

void Locator::enter(const Path& path) {
    if (skipped_ == 0) {
        const auto& children = places_[open_.back().place].children;
        const auto found = children.find(path.last_index());
        if (found != children.end()) {
            const std::string step = path.last();
            for (const Child& child : found->second) {
                if (child.step == step) return open_.push_back({child.place, offset_});
            }
        }
    }
    ++skipped_;
}

void Locator::leave(const Path&) {
    if (skipped_ != 0) {
        --skipped_;
        return;
    }
    const Open record = open_.back();
    open_.pop_back();
    put(places_[record.place].whole, record.start, offset_ - record.start);
}

void Locator::put(std::string_view name, std::uint64_t size, std::uint64_t element_size) {
    const auto& fields = places_[open_.back().place].fields;
    const auto found = fields.find(name);
    if (found == fields.end()) return;
    put(found->second.whole, offset_, size);
    if (element_size == 0) return;
    for (const auto& [index, diagnostic] : found->second.elements) {
        if (index < size / element_size) put({diagnostic}, offset_ + index * element_size, element_size);
    }
}

void Locator::put(const std::vector<Diagnostic*>& findings, std::uint64_t start, std::uint64_t size) const {
    for (Diagnostic* diagnostic : findings) {
        diagnostic->offset = start;
        diagnostic->length = size;
    }
}

}  // namespace effigy::layout
