#pragma once
/// A visitor that writes down what a layout function says: the fields of a record in their order, without any file.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/element.hpp"
#include "core/path.hpp"
#include "egosoft/file/layout_xmf.hpp"
#include "x42/file/sections.hpp"

namespace effigy::test {

/// One field of a record, or records in it.
struct Field {
    enum class Kind : std::uint8_t { value, text, block, record, align };

    Kind kind = Kind::value;
    std::string name;
    layout::ElementType type{"", 0, {}};  ///< of a value or a block
    std::string count{};                  ///< elements of a block, number of records; empty for one
    std::string of{};                     ///< of a stored count: the array that it counts
    std::uint64_t alignment = 0;          ///< of a padding
    bool by_size = false;                 ///< only there as far as the stated size of its record reaches
    std::vector<Field> fields{};          ///< of records

    /// Bytes, if it has always as many.
    [[nodiscard]] std::optional<std::uint64_t> size() const {
        if (kind == Kind::value) return type.size;
        std::uint64_t sum = 0;
        if (kind != Kind::record) return std::nullopt;
        for (const Field& field : fields) {
            const auto part = field.size();
            if (!part) return std::nullopt;
            sum += *part;
        }
        if (count.empty()) return sum;
        if (count.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
        return sum * std::stoull(count);
    }
};

class LayoutVisitor {
public:
    static constexpr bool reading = false;

    /// What layout functions ask of a handler.
    struct Handler {
        void set_swapped(bool) const noexcept {}
    };

    [[nodiscard]] bool ok() const noexcept { return !failure; }
    [[nodiscard]] const layout::Path& path() const noexcept { return path_; }
    [[nodiscard]] Handler handler() const noexcept { return {}; }
    void fail(Diagnostic diagnostic) { failure = std::move(diagnostic); }

    template <class T>
    void field(const char* name, const T& /*value*/) {
        add({Field::Kind::value, name, layout::element_type<T>});
    }
    void field(const char* name, const std::string& /*text*/) { add({Field::Kind::text, name}); }
    template <class OnDisk = std::uint32_t, class Array>
    void count(const char* name, const char* of, const Array& /*array*/, std::uint64_t /*least*/) {
        add({Field::Kind::value, name, layout::element_type<OnDisk>, {}, of});
    }
    template <class T>
    void bulk(const char* name, const Bulk<T>& /*array*/, std::uint64_t /*number*/ = 0) {
        add_block(name, layout::element_type<T>);
    }
    /// What such a block consists of hangs on other fields.
    void block(const char* name, const Bytes& /*bytes*/, std::uint64_t /*number*/,
               const layout::ElementType& /*type*/) {
        add_block(name, layout::element_type<std::byte>);
    }
    template <class T>
    void slice_count(const char* name, const char* of, const Bulk<T>& /*array*/, std::uint32_t /*number*/) {
        add({Field::Kind::value, name, layout::element_type<std::uint32_t>, {}, of});
    }
    template <class T>
    void slice(const char* name, const Bulk<T>& /*array*/, std::size_t /*begin*/, std::uint64_t /*number*/) {
        add_block(name, layout::element_type<T>);
    }
    void derived(const char* /*name*/, const Bytes& /*bytes*/, const layout::ElementType& /*type*/) {}
    void note(const char* /*name*/, bool /*value*/) {}

    template <class T, std::size_t size, class Function>
    void each(const char* name, const std::array<T, size>& array, Function&& visit) {
        add_record(name, std::to_string(size), [&] { visit(array[0]); });
    }
    template <class Array, class Function>
    void each(const char* name, const Array& array, Function&& visit) {
        const typename Array::value_type empty{};
        add_record(name, count_of(name), [&] { visit(array.empty() ? empty : array[0]); });
    }
    template <class Array, class Function>
    void each(const char* name, const Array& array, std::uint64_t number, std::uint64_t /*least*/, Function&& visit) {
        each(name, array, visit);
        fields.back().count = number == 1 ? "" : "?";
    }
    /// Records that are numbered one by one become one entry.
    template <class Function>
    void record(const char* name, std::uint64_t index, Function&& visit) {
        if (index != layout::Path::no_index && index != 0) {
            fields.back().count = std::to_string(index + 1);
            return;
        }
        add_record(name, index == layout::Path::no_index ? "" : count_of(name), visit);
    }

    void align(const char* name, std::uint64_t alignment) {
        add({Field::Kind::align, name, layout::element_type<std::byte>, {}, {}, alignment});
    }
    [[nodiscard]] Field& last() { return fields.back(); }

    std::vector<Field> fields;
    std::optional<Diagnostic> failure;

private:
    void add(Field field) { fields.push_back(std::move(field)); }
    void add_block(const char* name, const layout::ElementType& type) {
        add({Field::Kind::block, name, type, count_of(name)});
    }
    /// The field that has the number of what is called so; "?" if it stands elsewhere.
    [[nodiscard]] std::string count_of(const std::string& name) const {
        for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
            if (field->of == name) return field->name;
        }
        return "?";
    }
    template <class Function>
    void add_record(const char* name, std::string count, Function&& visit) {
        std::vector<Field> outer;
        outer.swap(fields);
        visit();
        outer.swap(fields);
        Field field{Field::Kind::record, name};
        field.count = std::move(count);
        field.fields = std::move(outer);
        add(std::move(field));
    }

    layout::Path path_;
};

}  // namespace effigy::test

/// The fields whose presence hangs on a stated size, all of them.
template <>
class effigy::xmf::Fitted<effigy::test::LayoutVisitor> {
public:
    Fitted(test::LayoutVisitor& visitor, std::uint64_t size) noexcept : visitor_(visitor), left_(size) {}
    [[nodiscard]] bool take(std::uint64_t /*size*/) noexcept { return true; }
    template <class T>
    void field(const char* name, T& value) {
        visitor_.field(name, value);
        visitor_.last().by_size = true;
    }
    template <class Rest>
    void rest(Rest& rest) {
        visitor_.bulk("rest", rest);
    }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

private:
    test::LayoutVisitor& visitor_;
    std::uint64_t left_;
};

/// All sections, with all that may stand before them.
template <class Available>
class effigy::x42::Sections<effigy::test::LayoutVisitor, Available> {
public:
    Sections(test::LayoutVisitor& visitor, const File& /*file*/, Walk& /*walk*/, Available /*available*/)
        : v_(visitor) {}
    void align(Section /*section*/, const char* name, std::uint64_t alignment) { v_.align(name, alignment); }
    template <class Array>
    void block(Section /*section*/, const char* name, Array& array, std::uint64_t /*width*/ = 1) {
        v_.bulk(name, array);
    }
    template <class Array>
    void block_of(std::uint64_t /*expected*/, Section /*section*/, const char* name, Array& array) {
        v_.bulk(name, array);
    }
    template <class Array, class Visit>
    void records(Section /*section*/, const char* name, Array& array, std::uint64_t /*size*/, Visit&& visit) {
        v_.each(name, array, visit);
    }
    template <class Block>
    void opaque(const char* name, Block& bytes) {
        v_.bulk(name, bytes);
    }

private:
    test::LayoutVisitor& v_;
};
