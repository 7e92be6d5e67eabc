#pragma once
/// Source of a ReadVisitor: the bytes of a file.

#include <optional>
#include <string>

#include "effigy/core_codes.hpp"
#include "effigy/result.hpp"

#include "byte_source.hpp"
#include "core/problem.hpp"
#include "element.hpp"
#include "path.hpp"

namespace effigy::layout {

class ByteFields {
public:
    ByteFields(ByteSource& source, bool swapped) noexcept : source_(source), swapped_(swapped) {}

    /// The size is known here, so that a field costs little more than a load and a store.
    template <class T>
    [[nodiscard, gnu::always_inline]] bool value(const char*, T& value) {
        if (!source_.read(&value, sizeof(T))) return truncated(sizeof(T));
        if (swapped_) swap_bytes(element_type<T>, reinterpret_cast<std::byte*>(&value), 1);
        return true;
    }
    [[nodiscard]] bool elements(const char*, const ElementType& type, void* destination, std::uint64_t count) {
        return take(type, destination, count);
    }
    [[nodiscard]] bool number(const char*, const ElementType& type, const char*, std::size_t, std::uint64_t& value) {
        value = 0;
        return take(type, &value, 1);  // little-endian: the low bytes come first
    }
    [[nodiscard]] bool text(const char*, std::string& text, std::uint32_t most) {
        std::uint32_t length = 0;
        if (!value("", length)) return false;
        if (length > source_.remaining()) return truncated(length);
        if (length > most) {
            failure_ = problem_at({}, codes::limit_string, {}, std::to_string(length) + " bytes",
                                  "at most " + std::to_string(most) + " bytes");
            failure_->offset = source_.position() - 4;
            failure_->length = 4;
            return false;
        }
        text.resize(length);
        return source_.read(text.data(), length) || truncated(length);
    }
    [[nodiscard]] std::optional<std::uint64_t> stated_length(const char*, std::uint64_t) const noexcept {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::uint64_t> stated_records(const char*) const noexcept { return std::nullopt; }
    void note(const char*, bool&) const noexcept {}
    [[nodiscard]] std::uint64_t remaining() const noexcept { return source_.remaining(); }
    [[nodiscard]] ByteSource& bytes() noexcept { return source_; }
    [[nodiscard]] bool enter(const Path&) const noexcept { return true; }
    [[nodiscard]] bool leave() const noexcept { return true; }

    [[nodiscard]] Diagnostic failure() const { return failure_.value_or(Diagnostic{}); }
    [[nodiscard]] Diagnostic too_many(std::uint64_t count, std::uint64_t least) const {
        Diagnostic diagnostic =
            problem_at({}, codes::truncated, "the file ends before all elements of an array that it announces",
                       std::to_string(source_.remaining()) + " bytes left",
                       std::to_string(count) + " elements of at least " + std::to_string(least) + " bytes");
        diagnostic.offset = source_.position();
        return diagnostic;
    }

private:
    bool take(const ElementType& type, void* destination, std::uint64_t count) {
        const std::uint64_t size = count * type.size;  // cannot overflow: counts are checked against the bytes left
        if (!source_.read(destination, size)) return truncated(size);
        if (swapped_) swap_bytes(type, static_cast<std::byte*>(destination), count);
        return true;
    }
    // Kept out of the way so that take() is small enough to become part of each field's reading.
    [[gnu::cold, gnu::noinline]] bool truncated(std::uint64_t size) {
        failure_ = problem_at({}, source_.broken() ? codes::input_read : codes::truncated,
                              source_.broken() ? "" : "the file ends inside this field",
                              std::to_string(source_.remaining()) + " bytes left", std::to_string(size) + " bytes");
        failure_->offset = source_.position();
        failure_->length = source_.remaining();
        return false;
    }

    ByteSource& source_;
    bool swapped_;
    std::optional<Diagnostic> failure_;  // empty at first: one is made for each record, and strings cost time
};

}  // namespace effigy::layout
