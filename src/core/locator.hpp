#pragma once
/// Handler of a WriteVisitor that finds the byte offsets of the fields that diagnostics name by path. Records that no
/// path leads through cost next to nothing: files have millions of them, and few findings.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
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

    [[nodiscard]] bool nothing_to_do() const noexcept { return places_.size() == 1; }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path& path);
    void leave(const Path& path);
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }

private:
    /// Findings about a field, or about single elements of it.
    struct Field {
        std::vector<Diagnostic*> whole;
        std::vector<std::pair<std::uint64_t, Diagnostic*>> elements;
    };
    struct Child {
        std::string step;  ///< "point[17]", "chunk[3] mesh"
        std::size_t place;
    };
    /// A record that paths lead to or through; the first one is the file.
    struct Place {
        std::vector<Diagnostic*> whole;
        std::map<std::string, Field, std::less<>> fields;
        std::unordered_map<std::uint64_t, std::vector<Child>> children;  ///< by the index in their step
    };
    struct Open {
        std::size_t place;
        std::uint64_t start;
    };

    void add(Diagnostic& diagnostic);
    [[nodiscard]] std::size_t child_of(std::size_t place, std::string_view step);
    void put(std::string_view name, std::uint64_t size, std::uint64_t element_size);
    void put(const std::vector<Diagnostic*>& findings, std::uint64_t start, std::uint64_t size) const;

    std::vector<Place> places_;
    std::vector<Open> open_;     ///< records that paths lead through
    std::uint64_t skipped_ = 0;  ///< records in them, one in the other, that none leads through
    std::uint64_t offset_ = 0;
};

}  // namespace effigy::layout
