/// Rules of `check` that XAC, XSM and XPM share: header, chunks, info, text, events, timestamps; and collecting
/// findings.

#include "emfx/check/check.hpp"

#include <algorithm>
#include <numeric>

#include "effigy/emfx_codes.hpp"

#include "core/json.hpp"
#include "core/text.hpp"

namespace effigy::emfx::checks {

namespace {

constexpr std::size_t max_quoted = 80;

bool is_ascii(std::string_view bytes) noexcept {
    unsigned seen = 0;
    for (const char byte : bytes) seen |= static_cast<unsigned char>(byte);
    return seen < 0x80;
}

bool has_control(std::string_view bytes) noexcept {
    return std::any_of(bytes.begin(), bytes.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; });
}

void append_escaped(std::string& text, char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    text += "\\x";
    text += digits[value >> 4];
    text += digits[value & 15u];
}

}  // namespace

std::string to_string(const Where& where) {
    std::vector<const Where*> parts;
    for (const Where* part = &where; part != nullptr; part = part->parent)
        if (!part->name.empty()) parts.push_back(part);
    std::reverse(parts.begin(), parts.end());
    std::string path;
    for (const Where* part : parts) {
        if (!path.empty()) path += " / ";
        path += part->name;
        if (part->index != Where::no_index) path += "[" + number(part->index) + "]";
        if (!part->kind.empty()) path.append(" ").append(part->kind);
    }
    return path;
}

void Findings::add(const Code& code, std::string path, std::string found, std::string expected, std::uint64_t count) {
    Diagnostic diagnostic = problem_at(std::move(path), code, {}, std::move(found), std::move(expected));
    if (count > 1) diagnostic.message += " " + number(count) + " in all, this is the first.";
    report_->add(std::move(diagnostic));
}

void Findings::add(const Code& code, const Where& where, std::string found, std::string expected, std::uint64_t count) {
    add(code, to_string(where), std::move(found), std::move(expected), count);
}

void Findings::collect(const Code& code, const Where& where, std::string_view found, std::string_view expected) {
    for (Collected& collected : collected_) {
        if (collected.code == code) {
            ++collected.count;
            return;
        }
    }
    collected_.push_back({code, to_string(where), std::string(found), std::string(expected), 1});
}

void Findings::text(std::string_view bytes, const Where& where) {
    if (has_control(bytes)) collect(codes::text_control, where, in_quotes(bytes), "printable characters");
    if (is_ascii(bytes)) return;
    if (is_utf8(bytes)) {
        if (utf8_.empty()) utf8_ = bytes.substr(0, max_quoted);
    } else {
        collect(codes::text_encoding, where, in_quotes(bytes), "ASCII or UTF-8");
    }
}

void Findings::finish() {
    const auto foreign = std::find_if(collected_.begin(), collected_.end(), [](const Collected& collected) {
        return collected.code == codes::text_encoding;
    });
    if (foreign != collected_.end() && !utf8_.empty())
        collected_.push_back({codes::text_mixed, foreign->path, foreign->found, "UTF-8, as in " + in_quotes(utf8_), 1});
    for (Collected& collected : collected_)
        add(collected.code, std::move(collected.path), std::move(collected.found), std::move(collected.expected),
            collected.count);
    collected_.clear();
    utf8_.clear();
}

std::string numbers(std::span<const float> values) {
    return "(" + joined(values, ", ", [](float value) { return number(value); }) + ")";
}

std::string numbers(const Vec3& value) { return numbers(std::array{value.x, value.y, value.z}); }
std::string numbers(const Quat& value) { return numbers(std::array{value.x, value.y, value.z, value.w}); }

std::string in_quotes(std::string_view bytes) {
    const std::string_view shown = cut(bytes, max_quoted);
    const bool utf8 = is_utf8(shown);
    std::string text = "\"";
    for (const char byte : shown) {
        const auto value = static_cast<unsigned char>(byte);
        if (value >= 0x80 ? utf8 : value >= 0x20 && value != 0x7f)
            text += byte;
        else
            append_escaped(text, byte);
    }
    return text + (shown.size() < bytes.size() ? "\"..." : "\"");
}

void check_finite(float value, const Where& where, Findings& findings) {
    if (not_finite(value)) findings.add(codes::not_finite, where, number(value), "a finite number");
}

void check_finite(const Vec3& value, const Where& where, Findings& findings) {
    if (not_finite(value)) findings.add(codes::not_finite, where, numbers(value), "finite numbers");
}

void check_rotation(const Quat& value, const Where& where, Findings& findings) {
    if (not_finite(value))
        findings.add(codes::not_finite, where, numbers(value), "finite numbers");
    else if (not_unit(value))
        findings.add(codes::rotation_norm, where, numbers(value), "length 1");
}

std::vector<Duplicate> duplicates(std::span<const std::string_view> names) {
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        const int compared = names[left].compare(names[right]);
        return compared != 0 ? compared < 0 : left < right;
    });
    std::vector<Duplicate> found;
    std::size_t earlier = 0;
    for (std::size_t place = 1; place < order.size(); ++place) {
        if (names[order[place]] != names[order[earlier]])
            earlier = place;
        else
            found.push_back({order[place], order[earlier]});
    }
    std::sort(found.begin(), found.end(),
              [](const Duplicate& left, const Duplicate& right) { return left.index < right.index; });
    return found;
}

void check_header(const Header& header, Findings& findings) {
    const Where place{findings.base(), "header"};
    if (header.major_version != 1 || header.minor_version != 0)
        findings.add(codes::header_version, {&place, "major_version"},
                     number(header.major_version) + "." + number(header.minor_version), "1.0");
    if (header.endian > 1) findings.add(codes::header_endian, {&place, "endian"}, number(header.endian), "0 or 1");
    if (header.multiplication_order > 1)
        findings.add(codes::header_order, {&place, "multiplication_order"}, number(header.multiplication_order),
                     "0 or 1");
}

void check_info_place(std::span<const std::size_t> infos, std::string_view kind, Findings& findings) {
    if (infos.empty()) {
        findings.add(codes::info_missing, findings.file(), "no info chunk", "one info chunk, first");
        return;
    }
    const auto place = [&](std::size_t chunk) { return Where{findings.base(), "chunk", chunk, kind}; };
    if (infos[0] != 0) findings.add(codes::info_first, place(infos[0]), "chunk " + number(infos[0]), "chunk 0");
    if (infos.size() > 1)
        findings.add(codes::info_several, place(infos[1]), number(infos.size()) + " info chunks", "1 info chunk");
}

namespace {

void check_event_track(const MotionEventTrack& track, std::uint32_t version, const Where& where, Findings& findings) {
    const std::vector<MotionEvent>& events = track.events;
    const auto add = [&](const Code& code, std::string_view field, Tally bad, auto found, const std::string& expected) {
        if (!bad) return;
        const Where event{&where, "event", bad.first};
        findings.add(code, {&event, field}, number(found(events[bad.at()])), expected, bad.count);
    };
    const auto all = [&](auto bad) { return tally(events.size(), [&](std::size_t i) { return bad(events[i]); }); };
    using Event = MotionEvent;
    add(
        codes::not_finite, "start_time", all([](const Event& event) { return not_finite(event.start_time); }),
        [](const Event& event) { return event.start_time; }, "a finite time");
    add(
        codes::event_range, "type", all([&](const Event& event) { return event.type >= track.types.size(); }),
        [](const Event& event) { return event.type; }, "below " + number(track.types.size()));
    add(
        codes::event_range, "parameter",
        all([&](const Event& event) { return event.parameter >= track.parameters.size(); }),
        [](const Event& event) { return event.parameter; }, "below " + number(track.parameters.size()));
    if (version < 2) return;
    add(
        codes::not_finite, "end_time", all([](const Event& event) { return not_finite(event.end_time); }),
        [](const Event& event) { return event.end_time; }, "a finite time");
    add(
        codes::event_time, "end_time", all([](const Event& event) { return event.end_time < event.start_time; }),
        [](const Event& event) { return event.end_time; }, "start_time or later");
}

}  // namespace

void check_events(const MotionEvents& events, std::uint32_t version, const Where& where, Findings& findings) {
    for (std::size_t index = 0; index < events.tracks.size(); ++index) {
        const MotionEventTrack& track = events.tracks[index];
        const Where place{&where, "track", index};
        findings.text(track.name, {&place, "name"});
        const auto check_texts = [&](const std::vector<std::string>& texts, std::string_view name) {
            for (std::size_t text = 0; text < texts.size(); ++text) {
                const Where element{&place, name, text};
                findings.text(texts[text], {&element, "text"});
            }
        };
        check_texts(track.types, "type_name");
        check_texts(track.parameters, "parameter_name");
        check_event_track(track, version, place, findings);
    }
}

void check_timestamp(const Timestamp& timestamp, const Where& where, Findings& findings) {
    const auto outside = [](int value, int low, int high) { return value < low || value > high; };
    if (outside(timestamp.month, 1, 12))
        findings.add(codes::timestamp, {&where, "month"}, std::to_string(timestamp.month), "1 to 12");
    else if (outside(timestamp.day, 1, 31))
        findings.add(codes::timestamp, {&where, "day"}, std::to_string(timestamp.day), "1 to 31");
    else if (outside(timestamp.hours, 0, 23))
        findings.add(codes::timestamp, {&where, "hours"}, std::to_string(timestamp.hours), "0 to 23");
    else if (outside(timestamp.minutes, 0, 59))
        findings.add(codes::timestamp, {&where, "minutes"}, std::to_string(timestamp.minutes), "0 to 59");
    else if (outside(timestamp.seconds, 0, 60))
        findings.add(codes::timestamp, {&where, "seconds"}, std::to_string(timestamp.seconds), "0 to 59");
}

void check_motion_info(const MotionInfo& info, const Where& where, Findings& findings) {
    findings.text(info.source_application, {&where, "source_application"});
    findings.text(info.original_file, {&where, "original_file"});
    findings.text(info.export_date, {&where, "export_date"});
    findings.text(info.motion_name, {&where, "motion_name"});
}

}  // namespace effigy::emfx::checks
