#pragma once
/// Handler of a WriteVisitor that finds the byte offsets of the fields that diagnostics name by path.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "effigy/result.hpp"

#include "element.hpp"
#include "layout_write.hpp"
#include "path.hpp"

namespace effigy::layout {

class Locator {
public:
    /// Takes note of the findings that have a path and no offset; `report` must outlive this.
    explicit Locator(Report& report);

    [[nodiscard]] bool nothing_to_do() const noexcept { return wanted_.empty(); }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }

private:
    struct Wanted {
        Diagnostic* diagnostic;
        bool has_index;
        std::uint64_t index;
    };
    void place(const std::string& path, std::uint64_t size, std::uint64_t element_size);

    std::multimap<std::string, Wanted> wanted_;
    std::vector<std::uint64_t> starts_;
    std::string prefix_;                 // path of the open record
    std::vector<std::size_t> prefixes_;  // lengths of the prefixes of the open records
    std::uint64_t offset_ = 0;
};

}  // namespace effigy::layout
