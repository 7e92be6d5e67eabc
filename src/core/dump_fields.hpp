#pragma once
/// Source of a ReadVisitor: the nodes of a dump, edited or not.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/result.hpp"

#include "element.hpp"
#include "json.hpp"
#include "path.hpp"

namespace effigy::layout {

class DumpFields {
public:
    /// `nodes` is the list of nodes at the top and must outlive this. With `normalize`, stored counts are replaced by
    /// the number of elements that are there; otherwise the two must agree.
    DumpFields(const Json& nodes, bool normalize) : normalize_(normalize) { open_.push_back({&nodes, 0, ""}); }

    template <class T>
    [[nodiscard]] bool value(const char* name, T& value) {
        return element(name, element_type<T>, &value);
    }
    [[nodiscard]] bool elements(const char* name, const ElementType& type, void* destination, std::uint64_t count);
    [[nodiscard]] bool number(const char* name, const ElementType& type, const char* of, std::size_t size,
                              std::uint64_t& value);
    [[nodiscard]] bool text(const char* name, std::string& text, std::uint32_t most);
    void note(const char* name, bool& value);

    /// Elements of `size` bytes in the block that comes next under `name`, if there is one.
    [[nodiscard]] std::optional<std::uint64_t> stated_length(const char* name, std::uint64_t size) const;
    /// Records "name[...]" still to come in the open record.
    [[nodiscard]] std::optional<std::uint64_t> stated_records(const char* name) const;
    [[nodiscard]] std::uint64_t remaining() const noexcept { return UINT64_MAX; }
    /// Whether a node of this name is still to come in the open record.
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

    [[nodiscard]] bool enter(const Path& path);
    [[nodiscard]] bool leave();
    /// What stands behind the name of the open record: "mesh" in "chunk[12] mesh".
    [[nodiscard]] std::string_view kind() const noexcept { return open_.back().kind; }
    /// Byte order of blocks, which a dump holds as they stand on disk.
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    [[nodiscard]] Diagnostic failure() const { return failure_; }
    [[nodiscard]] Diagnostic too_many(std::uint64_t, std::uint64_t) const { return failure_; }

private:
    struct Record {
        const Json* nodes;
        std::size_t next;
        std::string_view kind;
    };
    [[nodiscard]] bool element(const char* name, const ElementType& type, void* destination);
    [[nodiscard]] const Json* find(std::string_view name) const;
    const Json* take(const char* name);
    bool refuse(const Code& code, std::string message, std::string found = {}, std::string expected = {});
    [[nodiscard]] std::uint64_t actual_count(const char* of, std::size_t size) const;

    bool normalize_;
    bool swapped_ = false;
    std::vector<Record> open_;
    Diagnostic failure_;
};

}  // namespace effigy::layout
