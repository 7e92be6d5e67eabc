/// CAS in the registry: what it is recognised by, what `check` and `info` say about it.

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "effigy/arp_codes.hpp"

#include "arp/file/cas_reader.hpp"
#include "arp/file/formats.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

/// Written with four decimals, rotations miss unit length by less.
constexpr double max_off_unit = 2e-3;

std::string in_quotes(std::string_view name) { return "'" + shortened(name) + "'"; }
std::string frame_path(std::size_t frame) { return "frame[" + std::to_string(frame) + "]"; }

// Recognising

bool looks_like_stream(std::string_view text) noexcept {
    const bool has_sign = contains(text, "\"signIndex\"");
    const bool has_frames = contains(text, "\"frames\"");
    return (has_sign && (has_frames || contains(text, "\"gloss\"") || contains(text, "\"baseFrameIndex\""))) ||
           (has_frames && contains(text, "\"id4cc\""));
}

/// The name of the root element, if its tag begins in the text: behind declarations and comments.
std::string_view root_name(std::string_view text) noexcept {
    for (;;) {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos || text[start] != '<') return {};
        text.remove_prefix(start + 1);
        if (text.empty()) return {};
        if (text.front() != '?' && text.front() != '!') return text.substr(0, text.find_first_of(" \t\r\n/>"));
        const bool has_subset = text.front() == '!' && text.find('[') < text.find('>');  // a document type's own
        const std::string_view close = text.starts_with("!--") ? "-->"
                                       : has_subset            ? "]>"
                                       : text.front() == '?'   ? "?>"
                                                               : ">";
        const std::size_t end = text.find(close);
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + close.size());
    }
}

/// Of UTF-16 that begins with its mark what is ASCII, else nothing.
std::string ascii_of_utf16(std::string_view text) {
    const bool is_little = text.starts_with("\xFF\xFE");
    if (!is_little && !text.starts_with("\xFE\xFF")) return {};
    std::string ascii;
    for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
        const auto [low, high] = is_little ? std::pair(text[i], text[i + 1]) : std::pair(text[i + 1], text[i]);
        ascii += high == '\0' ? low : '?';
    }
    return ascii;
}

// Checking

const File* avatar_of(const CheckContext& context) noexcept {
    if (context.model == nullptr) return nullptr;
    if (const auto* container = context.model->get_if<Container>()) return &container->avatar;
    return context.model->get_if<File>();
}

/// Elements that break a rule, by what they are; said once each.
class Offenders {
public:
    void hit(const std::string& name, std::size_t frame) { tallies_[name].hit(frame); }
    void tell(Findings& findings, const Code& code) const {
        for (const auto& [name, tally] : tallies_) {
            findings.add(code, frame_path(static_cast<std::size_t>(tally.first)),
                         in_quotes(name) + " in " + count_text(tally.count, tally.count == 1 ? "frame" : "frames"));
        }
    }

private:
    std::map<std::string, Tally> tallies_;
};

void check_times(const cas::File& file, Findings& findings) {
    Tally order, duration;
    for (std::size_t i = 0; i < file.frames.size(); ++i) {
        if (i > 0 && file.frames[i].time <= file.frames[i - 1].time) order.hit(i);
        if (file.frames[i].duration < 0) duration.hit(i);
    }
    if (order) {
        const auto first = static_cast<std::size_t>(order.first);
        findings.add(codes::cas_time, frame_path(first),
                     first_of(number_text(file.frames[first].time) + " ms", order.count),
                     "more than " + number_text(file.frames[first - 1].time) + " ms");
    }
    if (duration) {
        const auto first = static_cast<std::size_t>(duration.first);
        findings.add(codes::cas_duration, frame_path(first),
                     first_of(number_text(file.frames[first].duration) + " ms", duration.count), "0 ms or more");
    }
}

void check_signs(const cas::File& file, Findings& findings) {
    for (std::size_t i = 0; i < file.signs.size(); ++i) {
        const std::size_t end = i + 1 < file.signs.size() ? file.signs[i + 1].first_frame : file.frames.size();
        if (file.signs[i].first_frame >= end)
            findings.add(codes::cas_sign_empty, "sign[" + std::to_string(i) + "]", in_quotes(file.signs[i].gloss));
    }
}

double length_of(const Quat& rotation) noexcept {
    return std::hypot(std::hypot(double{rotation.x}, double{rotation.y}),
                      std::hypot(double{rotation.z}, double{rotation.w}));
}

void check_rotations(const cas::File& file, Findings& findings) {
    Tally off;
    std::string found;
    for (std::size_t i = 0; i < file.frames.size(); ++i) {
        for (const cas::BoneKey& key : file.frames[i].bones) {
            if (!key.rotation || std::abs(length_of(*key.rotation) - 1) <= max_off_unit) continue;
            if (!off) found = in_quotes(key.name) + ": " + number_text(length_of(*key.rotation));
            off.hit(i);
        }
    }
    if (off)
        findings.add(codes::cas_rotation_length, frame_path(static_cast<std::size_t>(off.first)),
                     first_of(found, off.count), "1");
}

/// Names that stand twice in a frame.
template <class Keys>
void find_repeated(const Keys& keys, std::size_t frame, Offenders& offenders) {
    std::unordered_set<std::string_view> seen;
    for (const auto& key : keys) {
        if (!seen.insert(key.name).second) offenders.hit(key.name, frame);
    }
}

void check_names(const cas::File& file, Findings& findings) {
    Offenders bones, morphs, late;
    std::unordered_set<std::string_view> known;
    for (std::size_t i = 0; i < file.frames.size(); ++i) {
        const cas::Frame& frame = file.frames[i];
        find_repeated(frame.bones, i, bones);
        find_repeated(frame.morphs, i, morphs);
        for (const cas::BoneKey& key : frame.bones) {
            if (i == 0) known.insert(key.name);
            if (!known.contains(key.name)) late.hit(key.name, i);
        }
    }
    bones.tell(findings, codes::cas_bone_repeated);
    morphs.tell(findings, codes::cas_morph_repeated);
    late.tell(findings, codes::cas_bone_late);
}

void check_with_avatar(const cas::File& file, const File& avatar, Findings& findings) {
    std::unordered_set<std::string_view> bones, targets;
    for (const Bone& bone : avatar.bones) bones.insert(up_to_nul(bone.name));
    for (const Mesh& mesh : avatar.meshes) {
        for (const MorphTarget& target : mesh.morph_targets) targets.insert(up_to_nul(target.name));
    }
    Offenders unknown_bones, unknown_targets;
    for (std::size_t i = 0; i < file.frames.size(); ++i) {
        for (const cas::BoneKey& key : file.frames[i].bones) {
            if (!bones.contains(key.name)) unknown_bones.hit(key.name, i);
        }
        for (const cas::MorphKey& key : file.frames[i].morphs) {
            if (!targets.contains(key.name)) unknown_targets.hit(key.name, i);
        }
    }
    unknown_bones.tell(findings, codes::cas_bone_unknown);
    unknown_targets.tell(findings, codes::cas_morph_unknown);
}

// Info

/// All names that keys have, each once.
template <class KeysOf>
Json names_json(const cas::File& file, const std::string& encoding, KeysOf&& keys_of) {
    std::set<std::string_view> names;
    for (const cas::Frame& frame : file.frames) {
        for (const auto& key : keys_of(frame)) names.insert(key.name);
    }
    Json json = Json::array();
    for (const std::string_view name : names) json.push_back(to_utf8(name, encoding));
    return json;
}

Json signs_json(const cas::File& file, const std::string& encoding) {
    Json signs = Json::array();
    for (const cas::Sign& sign : file.signs) {
        signs.push_back({{"gloss", to_utf8(sign.gloss, encoding)}, {"first_frame", sign.first_frame}});
    }
    return signs;
}

}  // namespace

bool looks_like_cas(std::span<const std::byte> head) noexcept {
    const std::string_view text = cas::without_mark(as_text(head));
    const char first = cas::first_character(text);
    if (first == '{' || first == '[') return looks_like_stream(text);
    if (first == '<') return root_name(text) == "CAS";
    return root_name(ascii_of_utf16(text)) == "CAS";
}

Report CasFormat::check(const cas::File& file, const CheckContext& context) {
    Report report;
    Findings findings(report);
    if (!file.is_json && file.version != "2.1") findings.add(codes::cas_version, {}, in_quotes(file.version), "'2.1'");
    if (file.frames.empty()) findings.add(codes::cas_empty, {});
    check_times(file, findings);
    check_signs(file, findings);
    check_rotations(file, findings);
    check_names(file, findings);
    if (const arp::File* const avatar = avatar_of(context)) check_with_avatar(file, *avatar, findings);
    return report;
}

Json CasFormat::info(const cas::File& file, const InfoOptions& options) {
    Json json{{"format", format().id}, {"form", file.is_json ? "json" : "xml"}, {"size", file.text.size()}};
    if (!file.is_json) json["version"] = to_utf8(file.version, options.encoding);
    if (!file.avatar.empty()) json["avatar"] = to_utf8(file.avatar, options.encoding);
    json["counts"] = {{"signs", file.signs.size()}, {"frames", file.frames.size()}};
    if (!file.frames.empty()) {
        const cas::Frame& last = file.frames.back();
        json["milliseconds"] = json_number(last.time + last.duration - file.frames.front().time);
    }
    json["signs"] = signs_json(file, options.encoding);
    json["bones"] = names_json(
        file, options.encoding, [](const cas::Frame& frame) -> const auto& { return frame.bones; });
    json["morphs"] = names_json(
        file, options.encoding, [](const cas::Frame& frame) -> const auto& { return frame.morphs; });
    return json;
}

}  // namespace effigy::arp
