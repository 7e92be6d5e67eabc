#pragma once
/// The visitor that walks finished records and hands every field, with its place, to a Handler: writing, measuring,
/// dumping and finding addresses differ only in what they do with it.
///
/// A Handler has
///   void leaf(name, ElementType, data, count, Shape)   a value, or a block of values
///   void text(name, std::string)                       a length and so many bytes
///   void enter(Path) / leave(Path)                     a record begins, ends
///   void note(name, bool)                              a fact that is not stored

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "effigy/bytes.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

#include "core/problem.hpp"
#include "element.hpp"
#include "path.hpp"

namespace effigy::layout {

/// How many elements a leaf has by its nature.
enum class Shape : std::uint8_t { single, block };

template <class Handler>
class WriteVisitor {
public:
    static constexpr bool reading = false;

    WriteVisitor(Handler& handler, Path& path) noexcept : handler_(handler), path_(path) {}

    [[nodiscard]] bool ok() const noexcept { return !failure_; }
    [[nodiscard]] const std::optional<Diagnostic>& failure() const noexcept { return failure_; }
    [[nodiscard]] Handler& handler() noexcept { return handler_; }
    [[nodiscard]] Path& path() noexcept { return path_; }

    template <class T>
    void field(const char* name, const T& value) {
        leaf(name, element_type<T>, &value, 1, Shape::single);
    }
    void field(const char* name, const std::string& text) {
        if (text.size() > std::numeric_limits<std::uint32_t>::max()) return too_large(name, text.size());
        if (ok()) handler_.text(name, text);
    }
    template <class OnDisk = std::uint32_t, class Array>
    void count(const char* name, const char* /*of*/, const Array& array, std::uint64_t /*least*/) {
        if (array.size() > std::numeric_limits<OnDisk>::max()) return too_large(name, array.size());
        field(name, static_cast<OnDisk>(array.size()));
    }
    template <class T>
    void bulk(const char* name, const Bulk<T>& array) {
        leaf(name, element_type<T>, array.data(), array.size(), Shape::block);
    }
    template <class T>
    void bulk(const char* name, const Bulk<T>& array, std::uint64_t number) {
        if (array.size() != number) return contradiction(name, array.size(), number);
        bulk(name, array);
    }
    void block(const char* name, const Bytes& bytes, std::uint64_t number, const ElementType& type) {
        if (bytes.size() != number) return contradiction(name, bytes.size(), number);
        leaf(name, type, bytes.data(), number / type.size, Shape::block);
    }
    /// The count of the next part of the array `of`.
    template <class T>
    void slice_count(const char* name, const char* /*of*/, const Bulk<T>& /*array*/, std::uint32_t number) {
        field(name, number);
    }
    /// `number` elements of an array, from `begin` on.
    template <class T>
    void slice(const char* name, const Bulk<T>& array, std::size_t begin, std::uint64_t number) {
        if (begin > array.size() || number > array.size() - begin)
            return contradiction(name, array.size(), begin + number);
        leaf(name, element_type<T>, array.data() + begin, number, Shape::block);
    }
    /// What other bytes decode to. Only handlers that show a file care.
    void derived(const char* name, const Bytes& bytes, const ElementType& type) {
        if constexpr (requires { handler_.derived(name, type, bytes.data(), bytes.size()); }) {
            if (ok() && !bytes.empty()) handler_.derived(name, type, bytes.data(), bytes.size() / type.size);
        }
    }
    template <class Array, class Function>
    void each(const char* name, const Array& array, Function&& visit) {
        for (std::size_t index = 0; ok() && index < array.size(); ++index) {
            record(name, index, [&] { visit(array[index]); });
        }
    }
    /// One record; `kind` is shown behind its name.
    template <class Function>
    void record(const char* name, std::uint64_t index, const char* kind, Function&& visit) {
        const PathScope scope(path_, name, index);
        path_.set_kind(kind);
        handler_.enter(path_);
        visit();
        handler_.leave(path_);
    }
    template <class Function>
    void record(const char* name, std::uint64_t index, Function&& visit) {
        record(name, index, "", visit);
    }
    template <class Array, class Function>
    void each(const char* name, const Array& array, std::uint64_t number, std::uint64_t /*least*/, Function&& visit) {
        if (array.size() != number) return contradiction(name, array.size(), number);
        each(name, array, visit);
    }
    void note(const char* name, bool value) { handler_.note(name, value); }

    void fail(Diagnostic diagnostic) {
        if (diagnostic.path.empty()) diagnostic.path = path_.string();
        if (ok()) failure_ = std::move(diagnostic);
    }

private:
    void leaf(const char* name, const ElementType& type, const void* data, std::uint64_t count, Shape shape) {
        if (ok()) handler_.leaf(name, type, static_cast<const std::byte*>(data), count, shape);
    }
    void too_large(const char* name, std::uint64_t size) {
        fail(problem_at(path_.string(name), codes::write_too_large,
                        "an array is too long for the count that the format has for it", std::to_string(size)));
    }
    void contradiction(const char* name, std::uint64_t found, std::uint64_t expected) {
        fail(problem_at(path_.string(name), codes::write_contradiction, {}, std::to_string(found),
                        std::to_string(expected)));
    }

    Handler& handler_;
    Path& path_;
    std::optional<Diagnostic> failure_;
};

/// Handler that only adds up bytes.
class Measure {
public:
    void leaf(const char*, const ElementType& type, const std::byte*, std::uint64_t count, Shape) noexcept {
        size_ += count * type.size;
    }
    void text(const char*, const std::string& text) noexcept { size_ += 4 + text.size(); }
    void enter(const Path&) const noexcept {}
    void leave(const Path&) const noexcept {}
    void note(const char*, bool) const noexcept {}
    void set_swapped(bool) const noexcept {}
    [[nodiscard]] bool swapped() const noexcept { return false; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

private:
    std::uint64_t size_ = 0;
};

}  // namespace effigy::layout
