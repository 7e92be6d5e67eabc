/// CAS as text: XML 2.1, or a stream of JSON objects with an empty one at the end.

#include "arp/file/cas_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <unordered_map>
#include <vector>

#include "arp/file/cas_reader.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace effigy::cas {
namespace {

/// A blank, and the attribute.
std::string attribute(const char* name, std::string_view value) {
    std::string text = std::string(" ") + name + "=\"";
    for (const char c : value) {
        if (c == '&') {
            text += "&amp;";
        } else if (c == '<') {
            text += "&lt;";
        } else if (c == '"') {
            text += "&quot;";
        } else {
            const bool is_control = static_cast<unsigned char>(c) < ' ';
            text += is_control ? ' ' : c;
        }
    }
    return text + '"';
}

/// Files with bytes of other encodings have them as Windows would.
std::string utf8_of(const std::string& text) { return to_utf8(text, "CP1252"); }

using Places = std::unordered_map<std::string_view, std::size_t>;

/// Of the first frame's bones, which later frames name by them.
Places places_of(const File& file) {
    Places places;
    if (file.frames.empty()) return places;
    for (const BoneKey& bone : file.frames.front().bones) places.try_emplace(bone.name, places.size());
    return places;
}

bool names_only(const Frame& frame, const Places& places) {
    for (const BoneKey& bone : frame.bones) {
        if (!places.contains(bone.name)) return false;
    }
    return true;
}

void add_bone(std::string& text, const BoneKey& bone, std::size_t place) {
    text += "      <bone" + attribute("name", utf8_of(bone.name)) + attribute("index", std::to_string(place)) + ">";
    if (const auto& at = bone.translation) {
        text += "<position" + attribute("x", number(double{at->x})) + attribute("y", number(double{at->y})) +
                attribute("z", number(double{at->z})) + "/>";
    }
    if (const auto& turn = bone.rotation) {
        text += "<qRotation" + attribute("x", number(double{turn->x})) + attribute("y", number(double{turn->y})) +
                attribute("z", number(double{turn->z})) + attribute("w", number(double{turn->w})) + "/>";
    }
    text += "</bone>\n";
}

void add_frame(std::string& text, const Frame& frame, std::size_t index, const Places& places) {
    // Among the bones of a complete frame the name counts.
    const bool is_complete = frame.complete || !names_only(frame, places);
    text += "    <frame" + attribute("index", std::to_string(index)) +
            attribute("isComplete", is_complete ? "true" : "false") + attribute("time", number(frame.time)) +
            attribute("duration", number(frame.duration)) + attribute("boneCount", std::to_string(frame.bones.size())) +
            attribute("morphCount", std::to_string(frame.morphs.size())) + ">\n";
    for (const MorphKey& morph : frame.morphs)
        text += "      <morph" + attribute("name", utf8_of(morph.name)) +
                attribute("amount", number(double{morph.amount})) + "/>\n";
    for (std::size_t i = 0; i < frame.bones.size(); ++i) {
        const auto place = places.find(frame.bones[i].name);
        add_bone(text, frame.bones[i], place == places.end() ? i : place->second);
    }
    text += "    </frame>\n";
}

std::string xml_of(const File& file) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CAS version=\"2.1\"" +
                       attribute("avatar", utf8_of(file.avatar)) + ">\n  <frames" +
                       attribute("count", std::to_string(file.frames.size())) +
                       attribute("signCount", std::to_string(file.signs.size())) + ">\n";
    if (file.camera) {
        text += "    <camera_location";
        for (const auto& [name, field] : camera_fields) text += attribute(name, number((*file.camera).*field));
        text += "/>\n";
    }
    const Places places = places_of(file);
    std::size_t sign = 0;
    const auto start_sign = [&] {
        text += "    <signStart" + attribute("index", std::to_string(sign)) +
                attribute("gloss", utf8_of(file.signs[sign].gloss)) + "/>\n";
        ++sign;
    };
    for (std::size_t i = 0; i < file.frames.size(); ++i) {
        while (sign < file.signs.size() && file.signs[sign].first_frame <= i) start_sign();
        add_frame(text, file.frames[i], i, places);
    }
    while (sign < file.signs.size()) start_sign();  // those without frames
    return text + "  </frames>\n</CAS>\n";
}

std::string json_string(const std::string& text) { return to_text(Json(utf8_of(text))); }

std::string json_of(const BoneKey& bone) {
    std::string text = "{\"id4cc\":" + json_string(bone.name);
    if (const auto& at = bone.translation) {
        text +=
            ",\"trans\":[" + number(double{at->x}) + "," + number(double{at->y}) + "," + number(double{at->z}) + "]";
    }
    if (const auto& turn = bone.rotation) {
        text += ",\"rot\":[" + number(double{turn->x}) + "," + number(double{turn->y}) + "," + number(double{turn->z}) +
                "," + number(double{turn->w}) + "]";
    }
    return text + "}";
}

std::string json_of(const Frame& frame) {
    return "{\"time\":" + number(frame.time) + ",\"duration\":" + number(frame.duration) + ",\"morphs\":[" +
           joined(frame.morphs, ",",
                  [](const MorphKey& morph) {
                      return "{\"id4cc\":" + json_string(morph.name) + ",\"amount\":" + number(double{morph.amount}) +
                             "}";
                  }) +
           "],\"bones\":[" + joined(frame.bones, ",", [](const BoneKey& bone) { return json_of(bone); }) + "]}";
}

std::string stream_of(const File& file) {
    std::vector<Sign> signs = file.signs;
    if (signs.empty() || signs.front().first_frame > 0) signs.insert(signs.begin(), Sign{});
    std::string text;
    for (std::size_t i = 0; i < signs.size(); ++i) {
        const std::size_t first = std::min<std::size_t>(signs[i].first_frame, file.frames.size());
        std::size_t end = i + 1 < signs.size() ? signs[i + 1].first_frame : file.frames.size();
        end = std::clamp(end, first, file.frames.size());
        text += "{\"signIndex\":" + std::to_string(i) + ",\"gloss\":" + json_string(signs[i].gloss) +
                ",\"baseFrameIndex\":" + std::to_string(first) + ",\"frames\":[\n" +
                joined(std::span(file.frames).subspan(first, end - first), ",",
                       [](const Frame& frame) { return json_of(frame); }) +
                "]}\n";
    }
    return text + "{}\n";
}

}  // namespace

std::string number(double value) {
    char text[40];
    if (!std::isfinite(value) || std::abs(value) < 5e-7) return "0";
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 6);
    if (error != std::errc()) return number_text(value);
    std::string result(text, end);
    result.resize(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
    return result;
}

std::string text_of(const File& file, bool as_json) { return as_json ? stream_of(file) : xml_of(file); }

}  // namespace effigy::cas
