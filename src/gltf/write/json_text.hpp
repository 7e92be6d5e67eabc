#pragma once
/// JSON that is text from the beginning: a tree of what is written once would take ten times the memory.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/json_text.hpp"

namespace effigy::gltf {

/// One object, which ends with the scope. Names and texts are what JSON has no escapes for.
class ObjectText {
public:
    explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }
    ~ObjectText() { out_ += '}'; }
    ObjectText(const ObjectText&) = delete;
    ObjectText& operator=(const ObjectText&) = delete;

    template <std::integral Integer>
    void add(std::string_view name, Integer value) {
        add_integer(begin(name), value);
    }
    void add(std::string_view name, bool value) { begin(name) += value ? "true" : "false"; }
    void add(std::string_view name, const char* text) { ((begin(name) += '"') += text) += '"'; }
    /// As doubles: bounds must be the very numbers in the buffer.
    void add(std::string_view name, std::span<const float> values) {
        begin(name);
        char before = '[';
        for (const float value : values) {
            out_ += std::exchange(before, ',');
            effigy::add_text(out_, Json(static_cast<double>(value)));
        }
        out_ += ']';
    }
    [[nodiscard]] ObjectText object(std::string_view name) { return ObjectText(begin(name)); }

private:
    std::string& begin(std::string_view name) {
        if (!std::exchange(is_first_, false)) out_ += ',';
        return ((out_ += '"') += name) += "\":";
    }

    std::string& out_;
    bool is_first_ = true;
};

/// An array while it grows.
class ArrayText {
public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push_back(const Json& element) { effigy::add_text(next(), element); }
    /// Where one more element is to be added.
    std::string& next() { return text_ += size_++ == 0 ? '[' : ','; }
    /// All of it.
    [[nodiscard]] std::string take() && { return std::move(empty() ? text_ += "[]" : text_ += ']'); }

private:
    std::string text_;
    std::size_t size_ = 0;
};

}  // namespace effigy::gltf
