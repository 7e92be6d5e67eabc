#pragma once
/// Handler of a WriteVisitor that makes one JSON object of a record: {field: value}, records in it as lists of objects
/// under their name's plural.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "element.hpp"
#include "json.hpp"
#include "layout_write.hpp"
#include "path.hpp"

namespace effigy::layout {

/// Plural of a record's name: the member that holds a list of such records.
[[nodiscard]] std::string plural_name(std::string name);

class FieldsJson {
public:
    /// Blocks of these names are left out; `left_out` must outlive this.
    explicit FieldsJson(std::span<const std::string_view> left_out) : left_out_(left_out) {
        open_.push_back(Json::object());
    }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text) { open_.back()[name] = json_text(text); }
    void enter(const Path&) { open_.push_back(Json::object()); }
    void leave(const Path& path);
    void note(const char* name, bool value) { open_.back()[name] = value; }
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }

    [[nodiscard]] Json take() { return std::move(open_.front()); }

private:
    std::span<const std::string_view> left_out_;
    std::vector<Json> open_;
};

/// The fields of whatever `walk` hands to a visitor.
template <class Walk>
[[nodiscard]] Json fields_json(Walk&& walk, std::span<const std::string_view> left_out = {}) {
    FieldsJson handler(left_out);
    Path path;
    WriteVisitor<FieldsJson> visitor(handler, path);
    walk(visitor);
    return handler.take();
}

}  // namespace effigy::layout
