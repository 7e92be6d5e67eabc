/// animation.cfg and .skin in the registry: what they are recognised by, what `check` and `info` say about them.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "core/rules.hpp"
#include "core/text.hpp"
#include "x42/file/companion_text.hpp"
#include "x42/file/formats.hpp"

namespace effigy::x42 {

namespace {

/// Longer names do not exist in the game; comparing them in full would take forever in a hostile file.
constexpr std::size_t max_name_length = 256;

std::string key_of(std::string_view name) { return lower(name.substr(0, max_name_length)); }

std::string in_quotes(std::string_view name) { return "'" + shortened(name) + "'"; }

const File* model_of(const CheckContext& context) noexcept {
    return context.model != nullptr ? context.model->get_if<File>() : nullptr;
}

// Recognising

constexpr std::size_t head_size = 4096;

bool ends_in(std::string_view name, std::string_view extension) {
    return name.size() > extension.size() && lower(name.substr(name.size() - extension.size())) == extension;
}

std::string file_name(std::string_view path) { return lower(path.substr(path.find_last_of("/\\") + 1)); }

/// Lines of a head, by what they are. The last line of a head that is full may be cut and does not count.
struct LineCounts {
    std::size_t proof = 0;  ///< only such files have them
    std::size_t usual = 0;  ///< such files have them, others too
    std::size_t strange = 0;
    std::size_t animations = 0;  ///< of both
};

template <class Count>
LineCounts count_lines(std::string_view head, Separator separator, Count&& count) {
    if (head.size() >= head_size) head = head.substr(0, head.find_last_of("\r\n") + 1);
    LineCounts counts;
    TextLines lines(head, separator);
    TextLine line;
    while (lines.next(line)) count(line, counts);
    return counts;
}

bool is_credible(const ConfigAnimation& animation) noexcept {
    const std::int64_t count = std::abs(std::int64_t{animation.frame_count});
    return count > 0 && animation.loop_frames >= 0 && animation.loop_frames <= count &&
           is_credible_rate(animation.frame_rate);
}

void count_config_line(const TextLine& line, LineCounts& counts) {
    const ParsedConfigLine parsed = parse_config_line(line);
    const bool is_animation = parsed.kind == ConfigLine::named || parsed.kind == ConfigLine::unnamed;
    if (is_animation) ++counts.animations;
    const bool is_exact = line.words.size() == parsed.words;
    if (is_animation && is_exact && is_credible(parsed.animation)) {
        // Four numbers alone are anything.
        ++(parsed.kind == ConfigLine::named || !line.remark.empty() ? counts.proof : counts.usual);
    } else if (is_animation || (parsed.kind == ConfigLine::setting && parsed.is_known_word)) {
        ++counts.usual;
    } else {
        ++counts.strange;
    }
}

void count_skin_line(const TextLine& line, LineCounts& counts) {
    const ParsedSkinLine parsed = parse_skin_line(line);
    if (parsed.kind == SkinLine::unknown || !parsed.has_comma || parsed.has_more) {
        ++counts.strange;
    } else {
        ++(parsed.kind == SkinLine::no_shader ? counts.usual : counts.proof);
    }
}

// Checking

/// The byte where the line of each animation begins.
std::vector<std::uint64_t> offsets_of(const AnimationConfig& config) {
    std::vector<std::uint64_t> offsets;
    TextLines lines(as_text(config.text), Separator::blank);
    TextLine line;
    bool more = lines.next(line);
    for (const ConfigAnimation& animation : config.animations) {
        while (more && line.number < animation.line) more = lines.next(line);
        offsets.push_back(more && line.number == animation.line ? line.offset : no_offset);
    }
    return offsets;
}

/// Likewise for surfaces: each was made of one line that is not unknown.
std::vector<std::uint64_t> offsets_of(const Skin& skin) {
    std::vector<std::uint64_t> offsets;
    TextLines lines(as_text(skin.text), Separator::comma);
    TextLine line;
    while (offsets.size() < skin.surfaces.size()) {
        bool found = false;
        while (!found && lines.next(line)) found = parse_skin_line(line).kind != SkinLine::unknown;
        offsets.push_back(found ? line.offset : no_offset);
    }
    return offsets;
}

/// Findings about the elements of one list.
class PlacedFindings {
public:
    PlacedFindings(Report& report, const char* what, std::vector<std::uint64_t> offsets)
        : findings_(report), what_(what), offsets_(std::move(offsets)) {}

    void add(const Code& code, std::size_t number, std::string found, std::string expected = {}) {
        findings_.add(code, {std::string(what_) + "[" + std::to_string(number) + "]", offsets_[number]},
                      std::move(found), std::move(expected));
    }
    void add(const Code& code, std::string found) { findings_.add(code, {}, std::move(found)); }

private:
    Findings findings_;
    const char* what_;
    std::vector<std::uint64_t> offsets_;
};

void check_names(const AnimationConfig& config, PlacedFindings& findings) {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < config.animations.size(); ++i) {
        const std::string& name = config.animations[i].name;
        if (!seen.insert(key_of(name)).second) findings.add(codes::config_name_repeated, i, in_quotes(name));
    }
}

void check_animation(const ConfigAnimation& animation, std::size_t number, PlacedFindings& findings) {
    const std::int64_t count = std::abs(std::int64_t{animation.frame_count});
    if (count == 0)
        findings.add(codes::config_frame_count, number, in_quotes(animation.name) + ": 0",
                     "1 or more, or less than 0 to play backwards");
    if (!is_credible_rate(animation.frame_rate)) {
        findings.add(codes::config_frame_rate, number,
                     in_quotes(animation.name) + ": " + number_text(animation.frame_rate), "0.001 to 240");
    }
    if (animation.loop_frames < 0 || animation.loop_frames > count) {
        findings.add(codes::config_loop, number,
                     in_quotes(animation.name) + ": " + std::to_string(animation.loop_frames),
                     "0 to " + std::to_string(count));
    }
}

void check_range(const ConfigAnimation& animation, const File& model, std::size_t number, PlacedFindings& findings) {
    const std::int64_t first = animation.first_frame, base = model.header.base_frame;
    const std::int64_t count = std::max<std::int64_t>(1, std::abs(std::int64_t{animation.frame_count}));
    const std::int64_t last = first + count - 1, end = base + model.header.frame_count;
    if (model.header.frame_count == 0 || (first >= base && last < end)) return;
    findings.add(codes::config_frame_range, number,
                 in_quotes(animation.name) + ": " + std::to_string(first) + " to " + std::to_string(last),
                 std::to_string(base) + " to " + std::to_string(end - 1));
}

/// Names of a model's records without regard to case, each with one of its spellings.
template <class Records, class NameOf>
std::unordered_map<std::string, std::string> names_in(const File& model, const Records& records, NameOf&& name_of_one) {
    std::unordered_map<std::string, std::string> names;
    std::unordered_set<std::uint16_t> seen;
    for (const auto& record : records) {
        const std::uint16_t name = name_of_one(record);
        if (!seen.insert(name).second) continue;
        const std::string_view text = name_of(model, name).substr(0, max_name_length);
        names.emplace(key_of(text), text);
    }
    return names;
}

void check_surfaces(const Skin& skin, const File& model, PlacedFindings& findings) {
    auto surfaces = names_in(model, model.groups, [](const Group& group) { return group.surface; });
    const auto tags = names_in(model, model.tags, [](const Tag& tag) { return tag.name; });
    std::unordered_set<std::string> named;
    for (std::size_t i = 0; i < skin.surfaces.size(); ++i) {
        const std::string& name = skin.surfaces[i].first;
        const std::string key = key_of(name);
        if (is_tag(name)) {
            if (!tags.contains(key)) findings.add(codes::skin_tag_unknown, i, in_quotes(name));
        } else if (!surfaces.contains(key)) {
            findings.add(codes::surface_unknown, i, in_quotes(name));
        }
        named.insert(key);
    }
    std::vector<std::string> unnamed;
    for (const auto& [key, name] : surfaces) {
        if (!named.contains(key)) unnamed.push_back(name);
    }
    std::sort(unnamed.begin(), unnamed.end());
    for (const std::string& name : unnamed) findings.add(codes::surface_unnamed, in_quotes(name));
}

// Info

Json words_json(const std::pair<std::string, std::string>& words, const char* first, const char* second,
                const std::string& encoding) {
    return {{first, to_utf8(words.first, encoding)}, {second, to_utf8(words.second, encoding)}};
}

}  // namespace

bool looks_like_config(std::span<const std::byte> head, std::string_view name) noexcept {
    const std::string_view text = as_text(head);
    if (!ends_in(name, ".cfg") || !is_text(text)) return false;
    const LineCounts counts = count_lines(text, Separator::blank, count_config_line);
    if (file_name(name) != "animation.cfg") return counts.proof > 0 && counts.proof + counts.usual > counts.strange;
    // Under its usual name one animation is enough, and one behind a long comment is believed in.
    return counts.animations > 0 || (counts.strange == 0 && head.size() >= head_size);
}

bool looks_like_skin(std::span<const std::byte> head, std::string_view name) noexcept {
    const std::string_view text = as_text(head);
    if (!ends_in(name, ".skin") || !is_text(text)) return false;
    const LineCounts counts = count_lines(text, Separator::comma, count_skin_line);
    return counts.proof > 0 && counts.proof + counts.usual > counts.strange;
}

Report ConfigFormat::check(const File& file, const CheckContext& context) {
    Report report;
    PlacedFindings findings(report, "animation", offsets_of(file));
    check_names(file, findings);
    const x42::File* const model = model_of(context);
    for (std::size_t i = 0; i < file.animations.size(); ++i) {
        check_animation(file.animations[i], i, findings);
        if (model != nullptr) check_range(file.animations[i], *model, i, findings);
    }
    return report;
}

Json ConfigFormat::info(const File& file, const InfoOptions& options) {
    Json json{{"format", format().id}, {"size", file.text.size()}};
    json["counts"] = {{"animations", file.animations.size()}, {"settings", file.settings.size()}};
    Json& settings = json["settings"] = Json::array();
    for (const auto& setting : file.settings) {
        settings.push_back(words_json(setting, "name", "value", options.encoding));
    }
    Json& animations = json["animations"] = Json::array();
    for (const ConfigAnimation& animation : file.animations) {
        animations.push_back({{"name", to_utf8(animation.name, options.encoding)},
                              {"first_frame", animation.first_frame},
                              {"frame_count", animation.frame_count},
                              {"loop_frames", animation.loop_frames},
                              {"frame_rate", json_number(animation.frame_rate)},
                              {"line", animation.line}});
    }
    return json;
}

Report SkinFormat::check(const File& file, const CheckContext& context) {
    Report report;
    PlacedFindings findings(report, "surface", offsets_of(file));
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < file.surfaces.size(); ++i) {
        const std::string& name = file.surfaces[i].first;
        if (!seen.insert(key_of(name)).second) findings.add(codes::surface_repeated, i, in_quotes(name));
    }
    if (const x42::File* model = model_of(context)) check_surfaces(file, *model, findings);
    return report;
}

Json SkinFormat::info(const File& file, const InfoOptions& options) {
    Json surfaces = Json::array(), tags = Json::array();
    for (const auto& surface : file.surfaces) {
        if (is_tag(surface.first)) {
            tags.push_back(to_utf8(surface.first, options.encoding));
        } else {
            surfaces.push_back(words_json(surface, "surface", "shader", options.encoding));
        }
    }
    Json json{{"format", format().id}, {"size", file.text.size()}};
    json["counts"] = {{"surfaces", surfaces.size()}, {"tags", tags.size()}};
    json["surfaces"] = std::move(surfaces);
    json["tags"] = std::move(tags);
    return json;
}

}  // namespace effigy::x42
