#pragma once
/// Source of a ReadVisitor: a record as FieldsJson wrote it, edited or not. Nothing in it is trusted and nothing is
/// demanded: what is missing or does not fit its type keeps its default, blocks that are missing are empty.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/element.hpp"
#include "core/json.hpp"
#include "core/layout_read.hpp"
#include "core/path.hpp"

namespace effigy::layout {

class JsonFields {
public:
    /// `record` must outlive this.
    explicit JsonFields(const Json& record) { open_.push_back(&record); }

    template <class T>
    [[nodiscard]] bool value(const char* name, T& value) {
        const Json* json = find(name);
        T read = value;
        if (json != nullptr && element_from_json(element_type<T>, *json, reinterpret_cast<std::byte*>(&read)))
            value = read;
        return true;
    }
    [[nodiscard]] bool elements(const char* name, const ElementType& type, void* destination, std::uint64_t count);
    [[nodiscard]] bool number(const char* name, const ElementType& type, const char* of, std::size_t size,
                              std::uint64_t& value);
    [[nodiscard]] bool text(const char* name, std::string& text, std::uint32_t most);
    void note(const char* name, bool& value);

    [[nodiscard]] std::optional<std::uint64_t> stated_length(const char* name, std::uint64_t size) const;
    [[nodiscard]] std::optional<std::uint64_t> stated_records(const char* name) const;
    [[nodiscard]] std::uint64_t remaining() const noexcept { return UINT64_MAX; }

    [[nodiscard]] bool enter(const Path& path);
    [[nodiscard]] bool leave();

    [[nodiscard]] Diagnostic failure() const { return {}; }
    [[nodiscard]] Diagnostic too_many(std::uint64_t, std::uint64_t) const { return {}; }

private:
    /// Null if the open record has no such member.
    [[nodiscard]] const Json* find(std::string_view name) const;

    std::vector<const Json*> open_;
};

/// Fills `record` as `walk`, which hands it to a visitor, says; false if it takes more memory than `budget` has.
template <class Walk>
[[nodiscard]] bool read_json_fields(const Json& json, Budget& budget, const Limits& limits, Walk&& walk) {
    JsonFields source(json);
    Path path;
    ReadVisitor<JsonFields> visitor(source, path, budget, limits);
    walk(visitor);
    return visitor.ok();
}

}  // namespace effigy::layout
