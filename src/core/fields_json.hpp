#pragma once
/// Handlers of a WriteVisitor: one that makes a JSON object of a record, {field: value}, records in it as lists of
/// objects under their name's plural; and one that keeps the bytes of fields, so that those that are as usual never
/// become JSON.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"

#include "element.hpp"
#include "json.hpp"
#include "layout_write.hpp"
#include "path.hpp"

namespace effigy::layout {

/// Plural of a record's name: the member that holds a list of such records.
[[nodiscard]] std::string plural_name(std::string name);

/// The bytes of a record's own fields, to compare those of another record with; not of records in it, nor notes.
class FieldBytes {
public:
    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape) {
        add(name, {data, static_cast<std::size_t>(count * type.size)});
    }
    void text(const char* name, const std::string& text) { add(name, std::as_bytes(std::span(text))); }
    void enter(const Path&) noexcept { ++depth_; }
    void leave(const Path&) noexcept { --depth_; }
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }

    [[nodiscard]] bool has(std::string_view name, std::span<const std::byte> bytes) const noexcept;

private:
    struct Field {
        std::string_view name;
        std::size_t begin, size;
    };
    void add(const char* name, std::span<const std::byte> bytes);

    std::vector<Field> fields_;
    Bytes bytes_;
    int depth_ = 0;
};

class FieldsJson {
public:
    /// Blocks of these names are left out, and so is what `usual` has; both must outlive this.
    explicit FieldsJson(std::span<const std::string_view> left_out, const FieldBytes* usual = nullptr)
        : left_out_(left_out), usual_(usual) {
        open_.push_back(json_object(16));
    }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text) {
        if (!is_usual(name, std::as_bytes(std::span(text)))) open_.back()[name] = json_text(text);
    }
    void enter(const Path&) { open_.push_back(json_object(8)); }
    void leave(const Path& path);
    void note(const char* name, bool value) { open_.back()[name] = value; }
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }

    /// A member that is no field.
    void add(const char* name, Json value) { open_.back()[name] = std::move(value); }
    [[nodiscard]] Json take() { return std::move(open_.front()); }

private:
    [[nodiscard]] bool is_usual(const char* name, std::span<const std::byte> bytes) const noexcept {
        return usual_ != nullptr && open_.size() == 1 && usual_->has(name, bytes);
    }

    std::span<const std::string_view> left_out_;
    const FieldBytes* usual_;
    std::vector<Json> open_;
};

/// The same fields as bytes.
template <class Walk>
[[nodiscard]] FieldBytes field_bytes(Walk&& walk) {
    FieldBytes handler;
    Path path;
    WriteVisitor<FieldBytes> visitor(handler, path);
    walk(visitor);
    return handler;
}

/// The fields of whatever `walk` hands to a visitor.
template <class Walk>
[[nodiscard]] Json fields_json(Walk&& walk, std::span<const std::string_view> left_out = {},
                               const FieldBytes* usual = nullptr) {
    FieldsJson handler(left_out, usual);
    Path path;
    WriteVisitor<FieldsJson> visitor(handler, path);
    walk(visitor);
    return handler.take();
}

}  // namespace effigy::layout
