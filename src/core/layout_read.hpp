#pragma once
/// The visitor that fills records. It walks a layout and takes every field from a Source: the bytes of a file
/// (ByteFields) or a dump (DumpFields).
///
/// A Source has
///   bool value(name, T&)                                             one fixed-size value
///   bool text(name, std::string&, most)                              a length and so many bytes
///   bool number(name, ElementType, of, size, std::uint64_t&)         the count of the array `of`
///   bool elements(name, ElementType, destination, count)             a block
///   std::optional<std::uint64_t> stated_length(name, size)           elements of a block whose count is not stored
///   std::optional<std::uint64_t> stated_records(name)                likewise records
///   void note(name, bool&)                                           a fact that is not stored
///   std::uint64_t remaining()                                        an upper bound of the bytes that can follow
///   bool enter(Path) / leave()                                       a record begins, ends
/// and says in `Diagnostic failure()` why it returned false.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "effigy/bytes.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "budget.hpp"
#include "core/problem.hpp"
#include "element.hpp"
#include "path.hpp"

namespace effigy::layout {

template <class Source>
class ReadVisitor {
public:
    static constexpr bool reading = true;

    ReadVisitor(Source& source, Path& path, Budget& budget, const Limits& limits) noexcept
        : source_(source), path_(path), budget_(budget), limits_(limits) {}

    [[nodiscard]] bool ok() const noexcept { return !failure_; }
    [[nodiscard]] const std::optional<Diagnostic>& failure() const noexcept { return failure_; }
    [[nodiscard]] Source& source() noexcept { return source_; }

    /// One fixed-size value. Always a part of the record's function: there, most of it is a load and a store.
    template <class T>
    [[gnu::always_inline]] void field(const char* name, T& value) {
        if (ok() && !source_.value(name, value)) stop(name);
    }
    /// A length and so many raw bytes.
    void field(const char* name, std::string& text) {
        if (!ok()) return;
        if (!source_.text(name, text, limits_.string)) return stop(name);
        if (!budget_.take(text.size())) stop_at_memory(name);
    }
    /// The stored count of the array `of` that follows later: checked against the bytes left, then sized once.
    /// `least` is the smallest number of bytes that an element can have on disk.
    template <class OnDisk = std::uint32_t, class Array>
    void count(const char* name, const char* of, Array& array, std::uint64_t least) {
        if (!ok()) return;
        std::uint64_t number = 0;
        if (!source_.number(name, element_type<OnDisk>, of, sizeof(typename Array::value_type), number))
            return stop(name);
        resize(name, array, number, least);
    }
    /// A block whose count was read before.
    template <class T>
    void bulk(const char* name, Bulk<T>& array) {
        if (ok() && !source_.elements(name, element_type<T>, array.data(), array.size())) stop(name);
    }
    /// A block of `number` elements; the number stands elsewhere.
    template <class T>
    void bulk(const char* name, Bulk<T>& array, std::uint64_t number) {
        if (!ok()) return;
        resize(name, array, source_.stated_length(name, sizeof(T)).value_or(number), sizeof(T));
        bulk(name, array);
    }
    /// A block of `number` bytes that are elements of `type`; `number` is a multiple of its size.
    void block(const char* name, Bytes& bytes, std::uint64_t number, const ElementType& type) {
        if (!ok()) return;
        const auto stated = source_.stated_length(name, type.size);
        resize(name, bytes, stated ? *stated * type.size : number, 1);
        if (ok() && !source_.elements(name, type, bytes.data(), bytes.size() / type.size)) stop(name);
    }
    /// What other bytes decode to: it is not stored, and stands in dumps only, where it can be edited.
    void derived(const char* name, Bytes& bytes, const ElementType& type) {
        if (ok() && source_.stated_length(name, type.size)) block(name, bytes, 0, type);
    }
    /// The stored count of the next part of the array `of`, whose records follow one behind the other: see slice().
    template <class T>
    void slice_count(const char* name, const char* of, const Bulk<T>& /*array*/, std::uint32_t& number) {
        if (!ok()) return;
        std::uint64_t stored = 0;
        if (!source_.number(name, element_type<std::uint32_t>, of, sizeof(T), stored)) return stop(name);
        number = static_cast<std::uint32_t>(stored);
    }
    /// `number` elements that are put behind the array's first `begin`, which are all that it has.
    template <class T>
    void slice(const char* name, Bulk<T>& array, std::size_t begin, std::uint64_t number) {
        if (!ok()) return;
        if (number > source_.remaining() / sizeof(T)) return stop(source_.too_many(number, sizeof(T)), name);
        if (!budget_.take(number, sizeof(T))) return stop_at_memory(name);
        array.resize(begin + static_cast<std::size_t>(number));
        if (!source_.elements(name, element_type<T>, array.data() + begin, number)) stop(name);
    }
    /// The records of an array that count() has sized; `name` is one record's name.
    template <class Array, class Function>
    void each(const char* name, Array& array, Function&& visit) {
        for (std::size_t index = 0; ok() && index < array.size(); ++index) {
            record(name, index, [&] { visit(array[index]); });
        }
    }
    template <class Function>
    void record(const char* name, std::uint64_t index, Function&& visit) {
        const PathScope scope(path_, name, index);
        if (!source_.enter(path_)) return stop("");
        visit();
        if (ok() && !source_.leave()) stop("");
    }
    /// As each(), for an array of `number` records; the number stands elsewhere.
    template <class Array, class Function>
    void each(const char* name, Array& array, std::uint64_t number, std::uint64_t least, Function&& visit) {
        if (!ok()) return;
        resize(name, array, source_.stated_records(name).value_or(number), least);
        each(name, array, visit);
    }
    /// Memory for what is kept besides the arrays that the layout names.
    void claim(const char* name, std::uint64_t bytes) {
        if (ok() && !budget_.take(bytes)) stop_at_memory(name);
    }
    /// A fact that the reader found out and that is not stored.
    void note(const char* name, bool& value) { source_.note(name, value); }

    void fail(Diagnostic diagnostic) {
        if (diagnostic.path.empty()) diagnostic.path = path_.string();
        if (ok()) failure_ = std::move(diagnostic);
    }

private:
    template <class Array>
    void resize(const char* name, Array& array, std::uint64_t number, std::uint64_t least) {
        if (number != 0 && least != 0 && number > source_.remaining() / least) {
            return stop(source_.too_many(number, least), name);
        }
        using Element = typename Array::value_type;
        constexpr bool is_record = !std::is_trivially_copyable_v<Element>;
        if (is_record && number > limits_.count) {
            return stop(problem_at({}, codes::limit_count, "an array has more records than the limit allows",
                                   std::to_string(number), "at most " + std::to_string(limits_.count)),
                        name);
        }
        if (!budget_.take(number, sizeof(Element))) return stop_at_memory(name);
        array.resize(static_cast<std::size_t>(number));
    }
    [[gnu::cold, gnu::noinline]] void stop(const char* name) { stop(source_.failure(), name); }
    void stop(Diagnostic diagnostic, const char* name) {
        diagnostic.path = path_.string(name);
        failure_ = std::move(diagnostic);
    }
    void stop_at_memory(const char* name) {
        stop(problem_at({}, codes::limit_memory,
                        "reading this needs more memory than the limit allows; raise it with --limit-memory", {},
                        "at most " + std::to_string(budget_.limit()) + " bytes"),
             name);
    }

    Source& source_;
    Path& path_;
    Budget& budget_;
    const Limits& limits_;
    std::optional<Diagnostic> failure_;
};

}  // namespace effigy::layout
