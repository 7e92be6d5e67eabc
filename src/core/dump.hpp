#pragma once
/// Handlers of a WriteVisitor that show a file: as a tree of JSON nodes {name, offset, size, type, value}, and as an
/// annotated hex map.

#include <cstdint>
#include <string>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "element.hpp"
#include "json.hpp"
#include "layout_write.hpp"
#include "path.hpp"

namespace effigy::layout {

/// Memory for what is shown.
class Room {
public:
    explicit Room(const Limits& limits) noexcept : left_(limits.memory == 0 ? std::uint64_t{2} << 30 : limits.memory) {}
    /// Once false, it stays so.
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
        is_full_ = is_full_ || bytes > left_;
        if (!is_full_) left_ -= bytes;
        return !is_full_;
    }
    [[nodiscard]] bool is_full() const noexcept { return is_full_; }

private:
    std::uint64_t left_;
    bool is_full_ = false;
};

/// Types: an ElementType's name for a single value, "string", "record" for a tree of further nodes, "T[]" for a
/// block of T (base64 of the bytes as they stand on disk, or a list of numbers), "derived T[]" for a block that is
/// stored in another form elsewhere (little-endian), "note" for a fact without bytes.
class Dump {
public:
    explicit Dump(const DumpOptions& options)
        : expand_(options.expand), blocks_(options.blocks), room_(options.limits) {
        open_.push_back(Json::array());
    }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char* name, bool value);
    void derived(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count);
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    /// The nodes at the top, once everything has been walked; "limit-memory" if they were too many.
    [[nodiscard]] Result<Json> take();
    [[nodiscard]] std::uint64_t size() const noexcept { return offset_; }

private:
    [[nodiscard]] std::uint64_t block_room(const ElementType& type, std::uint64_t count) const noexcept;
    [[nodiscard]] Json block(const ElementType& type, const std::byte* data, std::uint64_t count, bool swapped) const;
    void add(std::string name, std::uint64_t size, std::string type, Json value);

    bool expand_, blocks_;
    Room room_;
    bool swapped_ = false;
    std::uint64_t offset_ = 0;
    std::vector<Json> open_;  // children gathered for each record that is open
    std::vector<std::uint64_t> starts_;
};

/// Lines of "offset  bytes  path = value".
class HexMap {
public:
    explicit HexMap(const DumpOptions& options) : room_(options.limits) {}
    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    [[nodiscard]] Result<std::string> take();

private:
    void rows(const std::string& label, const std::byte* bytes, std::uint64_t size, std::uint64_t shown);

    Room room_;
    bool swapped_ = false;
    std::uint64_t offset_ = 0;
    std::size_t depth_ = 0;
    std::string lines_;
};

}  // namespace effigy::layout
