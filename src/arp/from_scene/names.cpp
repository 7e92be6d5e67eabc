/// What bones and morph targets are called: codes of up to four characters. Rules: docs/conversion/arp.md, "From a
/// scene".

#include "arp/file/names.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {
namespace {

bool is_letter(char c) noexcept { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_capital(char c) noexcept { return c >= 'A' && c <= 'Z'; }

/// "mixamorig:LeftHandIndex1" is mixamorig, left, hand, index, 1.
std::vector<std::string> words_of(std::string_view name) {
    constexpr std::size_t longest = 128;
    std::vector<std::string> words;
    bool goes_on = false;
    for (std::size_t i = 0; i < std::min(name.size(), longest); ++i) {
        const char c = name[i], before = i > 0 ? name[i - 1] : ' ';
        const bool follows_word = is_letter(before) && !(is_capital(c) && !is_capital(before));
        const bool ends_capitals = is_capital(c) && is_capital(before) && i + 1 < name.size() &&
                                   is_letter(name[i + 1]) && !is_capital(name[i + 1]);
        if (!is_letter(c) && !is_digit(c)) {
            goes_on = false;
            continue;
        }
        goes_on = goes_on && !ends_capitals && (is_letter(c) ? follows_word : is_digit(before));
        if (!goes_on) words.emplace_back();
        words.back() += lower(c);
        goes_on = true;
    }
    return words;
}

/// A name without what rigs put around it.
struct BodyPart {
    char side = ' ';  ///< l, r
    std::string part;
    std::string number;    ///< all digits
    bool deforms = false;  ///< Rigify's mark for what skin hangs on; its controls have the same names otherwise
};

BodyPart body_part_of(std::string_view name) {
    static constexpr std::array<std::string_view, 21> noise{
        "mixamorig", "j", "bip", "c", "def", "org",   "bone",  "cc",        "base",     "rig",     "jnt",
        "joint",     "b", "f",   "m", "s",   "valve", "biped", "character", "armature", "skeleton"};
    BodyPart body_part;
    for (const std::string& word : words_of(name)) {
        if (word == "left" || word == "l") {
            body_part.side = 'l';
        } else if (word == "right" || word == "r") {
            body_part.side = 'r';
        } else if (is_digit(word.front())) {
            body_part.number += word;
        } else if (std::find(noise.begin(), noise.end(), word) == noise.end()) {
            body_part.part += word;
        }
        body_part.deforms = body_part.deforms || word == "def";
    }
    return body_part;
}

struct Synonym {
    std::string_view part, code;
};
constexpr auto middle_parts =
    std::to_array<Synonym>({{"hips", "ROOT"}, {"hip", "ROOT"}, {"pelvis", "ROOT"}, {"neck", "NEC1"}, {"head", "HEAD"}});
constexpr auto side_parts = std::to_array<Synonym>({
    {"shoulder", "CLR"}, {"clavicle", "CLR"}, {"collar", "CLR"},   {"upperarm", "UPA"}, {"arm", "UPA"},
    {"uparm", "UPA"},    {"lowerarm", "LRA"}, {"forearm", "LRA"},  {"loarm", "LRA"},    {"elbow", "LRA"},
    {"hand", "WRI"},     {"wrist", "WRI"},    {"upperleg", "THG"}, {"upleg", "THG"},    {"thigh", "THG"},
    {"hip", "THG"},      {"lowerleg", "CLF"}, {"leg", "CLF"},      {"calf", "CLF"},     {"shin", "CLF"},
    {"loleg", "CLF"},    {"knee", "CLF"},     {"foot", "FOT"},     {"ankle", "FOT"},    {"eye", "EYE"},
    {"eyeball", "EYE"},  {"faceeye", "EYE"},  {"adjeye", "EYE"},   {"legupper", "THG"}, {"leglower", "CLF"},
    {"armupper", "UPA"}, {"armlower", "LRA"},
});
/// Of which there are several in a row: numbered as they follow each other.
constexpr auto row_parts = std::to_array<Synonym>({{"thumb", "TH"},
                                                   {"index", "IF"},
                                                   {"middle", "MF"},
                                                   {"mid", "MF"},
                                                   {"ring", "RF"},
                                                   {"little", "PF"},
                                                   {"pinky", "PF"}});
constexpr auto palm_parts =
    std::to_array<Synonym>({{"index", "MC2"}, {"middle", "MC3"}, {"ring", "MC4"}, {"little", "MC5"}, {"pinky", "MC5"}});

/// Of the trunk of Rigify's human rigs, which is one row from the pelvis to the head: bones by their number. What is
/// between is found as in other rigs.
constexpr auto rigify_trunk = std::to_array<Synonym>({{"", "ROOT"}, {"004", "NEC1"}, {"006", "HEAD"}});

template <std::size_t count>
std::string_view code_of(const std::array<Synonym, count>& table, std::string_view part) noexcept {
    for (const Synonym& entry : table) {
        if (entry.part == part) return entry.code;
    }
    return {};
}

/// Takes `word` out of the text, wherever it stands.
bool take_out(std::string& text, std::string_view word) {
    const std::size_t place = text.find(word);
    if (place == std::string::npos) return false;
    text.erase(place, word.size());
    return true;
}

struct Finger {
    std::string_view row;
    bool is_palm = false;
};

std::optional<Finger> finger_of(std::string part) {
    bool is_palm = false, is_end = false;
    for (const char* word : {"metacarpal", "carpal", "palm"}) is_palm = take_out(part, word) || is_palm;
    for (const char* word : {"proximal", "intermediate", "distal", "phalanx", "finger", "hand"}) take_out(part, word);
    for (const char* word : {"end", "tip", "nub"}) is_end = take_out(part, word) || is_end;
    if (part.starts_with("inhand")) return std::nullopt;
    const bool is_thumb = part == "thumb";
    const std::string_view row = is_palm && !is_thumb ? code_of(palm_parts, part) : code_of(row_parts, part);
    if (row.empty() || is_end) return std::nullopt;
    return Finger{row, is_palm && !is_thumb};
}

std::string with_side(const BodyPart& body_part, std::string_view code) {
    return code.empty() ? std::string() : (body_part.side == 'l' ? "L" : "R") + std::string(code);
}

/// Of a bone of which there is one, or one on each side.
std::string single_code_of(const BodyPart& body_part) {
    if (body_part.side == ' ') return std::string(code_of(middle_parts, body_part.part));
    const std::string_view code = code_of(side_parts, body_part.part);
    if (!code.empty()) return with_side(body_part, code);
    const auto finger = finger_of(body_part.part);
    return finger && finger->is_palm ? with_side(body_part, finger->row) : std::string();
}

/// Names that mean something, and are given to nothing else.
bool is_reserved_bone(const std::string& code) {
    static const std::set<std::string> middle{"ROOT", "SPI1", "SPI2", "SPI3", "NEC1", "HEAD"};
    static const std::set<std::string> sides{"CLR", "UPA", "LRA", "WRI", "THG", "CLF", "FOT", "EYE", "TH1",
                                             "TH2", "TH3", "IF1", "IF2", "IF3", "MF1", "MF2", "MF3", "RF1",
                                             "RF2", "RF3", "PF1", "PF2", "PF3", "MC2", "MC3", "MC4", "MC5"};
    const bool has_side = code.size() == 4 && (code.front() == 'L' || code.front() == 'R');
    return middle.contains(code) || (has_side && sides.contains(code.substr(1)));
}

class HumanCodes {
public:
    HumanCodes(const Build& build, const NamedBones& bones)
        : build_(build), names_(bones.names), parents_(bones.parents), codes_(names_.size()) {
        for (const std::string& name : names_) body_parts_.push_back(body_part_of(name));
        find_moving(bones.moves);
    }

    std::vector<std::string> find() {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (is_reserved_bone(names_[i])) give(i, names_[i]);
        }
        by_record();
        by_names(true);
        by_rigify_trunk();
        by_names(false);
        number_fingers();
        number_spine();
        return std::move(codes_);
    }

private:
    /// Whatever a rig moves its bones with may be called as they are, and skin follows these only.
    void find_moving(const std::vector<bool>& moves) {
        is_moving_ = moves;
        for (std::size_t i = 0; i < names_.size(); ++i) is_moving_[i] = moves[i] || body_parts_[i].deforms;
        const bool is_bare = std::find(is_moving_.begin(), is_moving_.end(), true) == is_moving_.end();
        if (is_bare) is_moving_.assign(names_.size(), true);
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (is_moving_[i]) moving_names_.insert(name_in_body(i));
        }
    }

    /// The same for a bone and its controls.
    [[nodiscard]] std::string name_in_body(std::size_t bone) const {
        const BodyPart& body_part = body_parts_[bone];
        return body_part.side + body_part.part + body_part.number;
    }
    [[nodiscard]] bool is_control(std::size_t bone) const {
        return !is_moving_[bone] && moving_names_.contains(name_in_body(bone));
    }

    void by_names(bool moving) {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (is_moving_[i] == moving) give(i, single_code_of(body_parts_[i]));
        }
    }

    /// Where nothing that moves is named otherwise: any rig may have a spine of so many bones.
    void by_rigify_trunk() {
        if (spine_of("007") != none) return;  // an animal's
        std::array<std::size_t, rigify_trunk.size()> found{};
        for (std::size_t i = 0; i < found.size(); ++i) {
            found[i] = spine_of(rigify_trunk[i].part);
            if (found[i] == none || given_.contains(rigify_trunk[i].code)) return;
        }
        for (std::size_t i = 0; i < found.size(); ++i) give(found[i], std::string(rigify_trunk[i].code));
    }

    [[nodiscard]] std::size_t spine_of(std::string_view number) const {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const BodyPart& body_part = body_parts_[i];
            const bool is_spine = body_part.side == ' ' && body_part.part == "spine" && body_part.number == number;
            if (is_spine && !is_control(i)) return i;
        }
        return none;
    }

    void number_fingers() {
        std::map<std::string, int> rows;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const BodyPart& body_part = body_parts_[i];
            if (!codes_[i].empty() || body_part.side == ' ' || is_control(i)) continue;
            if (!code_of(side_parts, body_part.part).empty()) continue;
            const auto finger = finger_of(body_part.part);
            if (!finger || finger->is_palm) continue;
            const std::string row = with_side(body_part, finger->row);
            if (int& number = rows[row]; number < 3) give(i, row + static_cast<char>('1' + number++));
        }
    }

    void give(std::size_t bone, const std::string& code) {
        if (code.empty() || !codes_[bone].empty() || !given_.insert(code).second) return;
        codes_[bone] = code;
    }

    /// What asset.extras says by VRM's names.
    void by_record() {
        const Json* humanoid = member(build_.record, "humanoid");
        if (humanoid == nullptr || !humanoid->is_object()) return;
        std::map<std::string_view, std::size_t> places;
        for (std::size_t i = 0; i < names_.size(); ++i) places.try_emplace(names_[i], i);
        for (const auto& [human, bone] : humanoid->items()) {
            if (!bone.is_string()) continue;
            const auto found = places.find(bone.get_ref<const std::string&>());
            if (found == places.end()) continue;
            const BodyPart body_part = body_part_of(human);
            give(found->second, body_part.side == ' ' ? std::string(code_of(middle_parts, body_part.part))
                                                      : with_side(body_part, code_of(side_parts, body_part.part)));
        }
    }

    /// Whatever is between the pelvis and the neck.
    void number_spine() {
        const auto place = [&](std::string_view code) {
            const auto found = std::find(codes_.begin(), codes_.end(), code);
            return found == codes_.end() ? none : static_cast<std::size_t>(found - codes_.begin());
        };
        const std::size_t top = place("NEC1") != none ? place("NEC1") : place("HEAD"), root = place("ROOT");
        if (top == none || root == none) return;
        std::vector<std::size_t> spine;
        for (std::size_t i = parents_[top]; i != root; i = parents_[i]) {
            if (i == none) return;  // the neck is not above the pelvis
            if (codes_[i].empty() || is_spine(codes_[i])) spine.push_back(i);
        }
        std::reverse(spine.begin(), spine.end());
        for (std::size_t i = 0; i < spine.size(); ++i) {
            if (i < 2) give(spine[i], i == 0 ? "SPI1" : "SPI2");
            if (i >= 2 && i + 1 == spine.size()) give(spine[i], "SPI3");
        }
    }

    static bool is_spine(std::string_view code) { return code.starts_with("SPI"); }

    const Build& build_;
    const std::vector<std::string>& names_;
    const std::vector<std::size_t>& parents_;
    std::vector<BodyPart> body_parts_;
    std::vector<bool> is_moving_;  ///< the skin, or a mesh
    std::set<std::string> moving_names_;
    std::vector<std::string> codes_;
    std::set<std::string, std::less<>> given_;
};

/// In digits and capitals.
std::string in_base_36(std::size_t number, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i > 0; --i, number /= 36) {
        const auto digit = static_cast<char>(number % 36);
        text[i - 1] = static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10);
    }
    return text;
}

}  // namespace

std::vector<std::string> human_codes(const Build& build, const NamedBones& bones) {
    return HumanCodes(build, bones).find();
}

bool has_side(std::string_view name) { return body_part_of(name).side != ' '; }

bool Codes::fits(std::string_view name) noexcept {
    return !name.empty() && name.size() <= 4 &&
           std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

bool Codes::take(const std::string& code) { return taken_.insert(code).second; }

std::string Codes::of(std::string_view name) {
    if (fits(name) && take(std::string(name))) return std::string(name);
    if (kind_ == Kind::targets) {
        std::string start;
        for (const char c : name.substr(0, 64)) {
            if ((is_letter(c) || is_digit(c)) && start.size() < 4) start += c;
        }
        const bool is_common = std::find(common_morphs.begin(), common_morphs.end(), start) != common_morphs.end();
        if (!start.empty() && !is_common && take(start)) return start;
    }
    // Real avatars have Q001 and so on for bones without a name of their own, and M019 for targets.
    const char first = kind_ == Kind::bones ? 'Q' : 'M';
    for (;; ++next_) {
        std::string code = first + in_base_36(next_, 3);
        if (take(code)) return code;
    }
}

}  // namespace effigy::arp::native
