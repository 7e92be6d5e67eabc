/// Reads sizes, angles, views and background colours of pictures.

#include "picture_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "text.hpp"

namespace effigy::app {

namespace {

constexpr std::uint32_t max_side = 16384;

constexpr std::array<std::pair<std::string_view, render::View>, 8> views{{{"front", {0, 0}},
                                                                          {"side", {90, 0}},
                                                                          {"left", {90, 0}},
                                                                          {"right", {-90, 0}},
                                                                          {"back", {180, 0}},
                                                                          {"top", {0, 90}},
                                                                          {"bottom", {0, -90}},
                                                                          {"three-quarter", {35, 12}}}};

/// The whole text as a number.
template <class Number, class... Base>
std::optional<Number> parse_number(std::string_view text, Base... base) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<std::uint32_t> parse_side(std::string_view text) {
    const auto side = parse_number<std::uint32_t>(text);
    return side && *side >= 1 && *side <= max_side ? side : std::nullopt;
}

std::optional<float> parse_angle(std::string_view text, float most) {
    const auto angle = parse_number<float>(text);
    return angle && std::abs(*angle) <= most ? angle : std::nullopt;
}

}  // namespace

std::optional<Size> parse_size(const std::string& text) {
    const std::size_t cross = text.find('x');
    const auto width = parse_side(std::string_view(text).substr(0, cross));
    const auto height = cross == std::string::npos ? width : parse_side(std::string_view(text).substr(cross + 1));
    if (!width || !height) return std::nullopt;
    return Size{*width, *height};
}

std::optional<render::View> parse_view(const std::string& text) {
    const auto* named = std::find_if(views.begin(), views.end(), [&](const auto& view) { return view.first == text; });
    if (named != views.end()) return named->second;
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) return std::nullopt;
    const auto yaw = parse_angle(std::string_view(text).substr(0, comma), 3600);
    const auto pitch = parse_angle(std::string_view(text).substr(comma + 1), 90);
    if (!yaw || !pitch) return std::nullopt;
    return render::View{*yaw, *pitch};
}

std::optional<Color> parse_background(const std::string& text) {
    if (text == "none") return Color{0, 0, 0, 0};
    if (text == "white") return Color{1, 1, 1, 1};
    if (text == "black") return Color{0, 0, 0, 1};
    if (!text.starts_with('#') || (text.size() != 7 && text.size() != 9)) return std::nullopt;
    std::array<float, 4> parts{0, 0, 0, 1};
    for (std::size_t i = 0; i < text.size() / 2; ++i) {
        const auto part = parse_number<unsigned>(std::string_view(text).substr(1 + 2 * i, 2), 16);
        if (!part) return std::nullopt;
        parts[i] = static_cast<float>(*part) / 255;
    }
    return Color{parts[0], parts[1], parts[2], parts[3]};
}

std::string view_names(std::string_view between) {
    return joined(views, between, [](const auto& view) { return view.first; });
}

render::View named_view(const std::string& name) { return parse_view(name).value_or(render::View{}); }

}  // namespace effigy::app
