/// The JSON of a glTF file parsed within the limit of memory.

#include "gltf/file/asset_json.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"

namespace effigy::gltf {
namespace {

using Tree = nlohmann::json;

constexpr std::size_t max_levels = 256;

/// Adds up what a tree of the text would take, and stops where that is too much. What the sizes stand for: a value in
/// an array that may have grown to twice its length; the node of a map with its name; the blocks of containers and
/// texts.
class Measurer : public nlohmann::json_sax<Tree> {
public:
    explicit Measurer(Budget& budget) noexcept : budget_(budget) {}

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t& text) override { return value(48 + text.size()); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool key(string_t& name) override { return take(112 + name.size()); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_ = position;
        return false;
    }

    [[nodiscard]] bool too_deep() const noexcept { return depth_ > max_levels; }
    [[nodiscard]] bool too_large() const noexcept { return too_large_; }
    [[nodiscard]] std::size_t error() const noexcept { return error_; }

private:
    bool take(std::uint64_t bytes) noexcept {
        too_large_ = !budget_.take(bytes);
        return !too_large_;
    }
    bool value(std::uint64_t more = 0) noexcept { return take(2 * sizeof(Tree) + more); }
    bool enter() noexcept { return ++depth_ <= max_levels && value(64); }
    bool leave() noexcept {
        --depth_;
        return true;
    }

    Budget& budget_;
    std::size_t depth_ = 0;
    std::size_t error_ = 0;
    bool too_large_ = false;
};

}  // namespace

Result<Tree> parse_asset(std::span<const std::byte> text, Budget& budget) {
    const std::string_view json(reinterpret_cast<const char*>(text.data()), text.size());
    Measurer measurer(budget);
    if (!Tree::sax_parse(json, &measurer)) {
        if (measurer.too_large()) return out_of_budget("JSON", budget);
        if (measurer.too_deep())
            return refuse("JSON", codes::gltf_json, "the JSON is nested deeper than any glTF file is",
                          "more than " + std::to_string(max_levels) + " levels");
        return refuse("JSON", codes::gltf_json, "the text is not valid JSON, so that nothing of the file can be read",
                      "an error at byte " + std::to_string(measurer.error()) + " of the JSON");
    }
    Tree tree = Tree::parse(json, nullptr, false);
    if (!tree.is_object())
        return refuse("JSON", codes::gltf_json, "the JSON is not an object, so this is no glTF file");
    return tree;
}

}  // namespace effigy::gltf
