#pragma once
/// Handlers of a WriteVisitor that show a file: as a tree of JSON nodes {name, offset, size, type, value}, and as an
/// annotated hex map.

#include <cstdint>
#include <string>
#include <vector>

#include "element.hpp"
#include "json.hpp"
#include "layout_write.hpp"
#include "path.hpp"

namespace effigy::layout {

/// Types: an ElementType's name for a single value, "string", "record" for a tree of further nodes, "T[]" for a
/// block of T (base64 of the bytes as they stand on disk, or a list of numbers), "derived T[]" for a block that is
/// stored in another form elsewhere (little-endian), "note" for a fact without bytes.
class Dump {
public:
    explicit Dump(bool expand) : expand_(expand) { open_.push_back(Json::array()); }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char* name, bool value);
    void derived(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count);
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    /// The nodes at the top, once everything has been walked.
    [[nodiscard]] Json take() { return std::move(open_.front()); }
    [[nodiscard]] std::uint64_t size() const noexcept { return offset_; }

private:
    [[nodiscard]] Json block(const ElementType& type, const std::byte* data, std::uint64_t count, bool swapped) const;
    void add(std::string name, std::uint64_t size, std::string type, Json value);

    bool expand_;
    bool swapped_ = false;
    std::uint64_t offset_ = 0;
    std::vector<Json> open_;  // children gathered for each record that is open
    std::vector<std::uint64_t> starts_;
};

/// Lines of "offset  bytes  path = value".
class HexMap {
public:
    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    [[nodiscard]] std::string take() { return std::move(lines_); }

private:
    void rows(const std::string& label, const std::byte* bytes, std::uint64_t size, std::uint64_t shown);

    bool swapped_ = false;
    std::uint64_t offset_ = 0;
    std::size_t depth_ = 0;
    std::string lines_;
};

}  // namespace effigy::layout
