/// Dumps of records as JSON with offsets, and annotated hex maps.

#include "dump.hpp"

#include <algorithm>
#include <cstring>

#include "effigy/core_codes.hpp"

#include "problem.hpp"

namespace effigy::layout {

namespace {

// The bytes as they stand on disk.
Bytes disk_bytes(const ElementType& type, const std::byte* data, std::uint64_t count, bool swapped) {
    Bytes bytes(data, data + count * type.size);
    if (swapped) swap_bytes(type, bytes.data(), count);
    return bytes;
}

std::string type_name(const ElementType& type) {
    const Part& part = type.parts.front();
    const bool array = type.parts.size() == 1 && part.count > 1 && std::strchr("ufc", type.name[0]) != nullptr;
    return array && std::strcmp(type.name, "color") != 0
               ? std::string(type.name) + "[" + std::to_string(part.count) + "]"
               : std::string(type.name);
}

void append_hex(std::string& text, std::uint64_t value, int digits) {
    static constexpr char hex[] = "0123456789abcdef";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += hex[(value >> shift) & 15u];
}

constexpr std::uint64_t node_size = 800, number_size = 24;  // measured, with what is allocated for nothing

Diagnostic too_much() {
    return problem_at({}, codes::limit_memory,
                      "showing every field of this file needs more memory than the limit allows; raise it with "
                      "--limit-memory");
}

}  // namespace

void Dump::leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape) {
    const std::uint64_t size = count * type.size;
    if (!room_.take(shape == Shape::single ? 2 * size : block_room(type, count))) return;
    if (shape == Shape::single) return add(name, size, type_name(type), json_element(type, data));
    add(name, size, type_name(type) + "[]", block(type, data, count, swapped_));
}

void Dump::derived(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count) {
    if (!room_.take(block_room(type, count))) return;
    add(name, 0, "derived " + type_name(type) + "[]", block(type, data, count, false));
}

std::uint64_t Dump::block_room(const ElementType& type, std::uint64_t count) const noexcept {
    return blocks_ ? (expand_ ? number_size : 2) * count * type.size : 0;
}

Json Dump::block(const ElementType& type, const std::byte* data, std::uint64_t count, bool swapped) const {
    if (!blocks_) return nullptr;
    if (!expand_) {
        return swapped ? to_base64(disk_bytes(type, data, count, true))
                       : to_base64({data, static_cast<std::size_t>(count * type.size)});
    }
    Json value = Json::array();
    for (std::uint64_t index = 0; index < count; ++index) value.push_back(json_element(type, data + index * type.size));
    return value;
}

void Dump::text(const char* name, const std::string& text) {
    if (room_.take(2 * text.size())) add(name, 4 + text.size(), "string", json_text(text));
}

void Dump::note(const char* name, bool value) { add(name, 0, "note", value); }

void Dump::enter(const Path&) {
    starts_.push_back(offset_);
    open_.push_back(Json::array());
}

void Dump::leave(const Path& path) {
    Json children = std::move(open_.back());
    open_.pop_back();
    const std::uint64_t size = offset_ - starts_.back();
    offset_ = starts_.back();
    starts_.pop_back();
    add(path.last(), size, "record", std::move(children));
}

Result<Json> Dump::take() { return room_.is_full() ? fail(too_much()) : Result<Json>(std::move(open_.front())); }

void Dump::add(std::string name, std::uint64_t size, std::string type, Json value) {
    if (!room_.take(node_size)) return;
    Json node;
    node["name"] = std::move(name);
    node["offset"] = offset_;
    node["size"] = size;
    node["type"] = std::move(type);
    node["value"] = std::move(value);
    open_.back().push_back(std::move(node));
    offset_ += size;
}

void HexMap::leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape) {
    constexpr std::uint64_t max_shown = 64;
    const std::uint64_t size = count * type.size;
    const std::uint64_t shown = shape == Shape::single ? size : std::min(size, max_shown / type.size * type.size);
    const Bytes bytes = disk_bytes(type, data, shown / type.size, swapped_);
    const std::string label = shape == Shape::single
                                  ? std::string(name) + " = " + to_text(json_element(type, data))
                                  : std::string(name) + ": " + std::to_string(count) + " x " + type_name(type);
    rows(label, bytes.data(), size, shown);
}

void HexMap::text(const char* name, const std::string& text) {
    Bytes bytes(4 + text.size());
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(bytes.data(), &length, 4);
    if (swapped_) swap_words(bytes.data(), 4, 4);
    if (!text.empty()) std::memcpy(bytes.data() + 4, text.data(), text.size());
    rows(std::string(name) + " = " + to_text(json_text(text)), bytes.data(), bytes.size(), bytes.size());
}

Result<std::string> HexMap::take() {
    return room_.is_full() ? fail(too_much()) : Result<std::string>(std::move(lines_));
}

void HexMap::enter(const Path& path) {
    if (room_.is_full()) return;
    lines_ += std::string(58 + 2 * depth_, ' ') + path.last() + "\n";
    ++depth_;
}

void HexMap::leave(const Path&) { --depth_; }

void HexMap::rows(const std::string& label, const std::byte* bytes, std::uint64_t size, std::uint64_t shown) {
    constexpr std::uint64_t row = 16;
    if (!room_.take(8 * shown + label.size() + 100)) return;
    for (std::uint64_t at = 0; at == 0 || at < shown; at += row) {
        append_hex(lines_, offset_ + at, 8);
        std::string hex;
        for (std::uint64_t index = at; index < std::min(at + row, shown); ++index) {
            hex += ' ';
            append_hex(hex, static_cast<unsigned>(bytes[index]), 2);
        }
        hex.resize(3 * row + 2, ' ');
        lines_ += hex;
        if (at == 0) lines_ += std::string(2 * depth_, ' ') + label;
        while (lines_.back() == ' ') lines_.pop_back();
        lines_ += '\n';
    }
    if (shown < size) lines_ += "          ... " + std::to_string(size - shown) + " more bytes\n";
    offset_ += size;
}

}  // namespace effigy::layout
