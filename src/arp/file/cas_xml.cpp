/// CAS motions: by their first character JSON or XML, and the reading of XML.

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "effigy/arp_codes.hpp"
#include "effigy/cas.hpp"

#include "arp/file/cas_reader.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"

namespace effigy::cas {

namespace {

using pugi::xml_node;

constexpr float none = std::numeric_limits<float>::quiet_NaN();

class Frames {
public:
    Frames(XmlReader& reader, File& file) noexcept : reader_(reader), file_(file) {}

    void read() {
        for (xml_node node = reader_.root(); node && reader_.ok(); node = next_in_document(node)) {
            const std::string_view name = node.name();
            if (name == "frame") read_frame(node);
            if (name == "signStart") read_sign(node);
            if (name == "camera_location" && !file_.camera) read_camera(node);
            if (name == "avatar" && file_.avatar.empty()) file_.avatar = reader_.text(node, "name");
        }
        const xml_node frames = reader_.only_child(reader_.root(), "frames");
        if (!frames || !reader_.ok()) return;
        expect_count(frames, "count", file_.frames.size());
        expect_count(frames, "signCount", file_.signs.size());
    }

private:
    void read_sign(xml_node node) {
        if (!reader_.take_record<Sign>()) return;
        file_.signs.push_back({reader_.text(node, "gloss"), static_cast<std::uint32_t>(file_.frames.size())});
    }

    /// A number that is none is 0.
    void read_camera(xml_node node) {
        Camera& camera = file_.camera.emplace();
        for (const auto& [name, field] : camera_fields) camera.*field = double{reader_.number(node, name, 0)};
    }

    void read_frame(xml_node node) {
        if (!reader_.take_record<Frame>()) return;
        Frame frame;
        const double next = file_.frames.empty() ? 0 : file_.frames.back().time + file_.frames.back().duration;
        if (!node.attribute("time")) missing(node, "time");
        frame.time = milliseconds(node, "time", next);
        frame.duration = milliseconds(node, "duration", 0);
        frame.complete = is_complete(node);
        std::int32_t bones = 0;
        std::size_t morphs = 0;
        for (const xml_node child : node.children()) {
            if (!reader_.ok()) return;
            const std::string_view name = child.name();
            if (name == "bone") read_bone(child, frame, bones++);
            if (name == "morph") {
                read_morph(child, frame);
                ++morphs;
            }
        }
        expect_count(node, "boneCount", static_cast<std::size_t>(bones));
        expect_count(node, "morphCount", morphs);
        file_.frames.push_back(std::move(frame));
    }

    void read_bone(xml_node node, Frame& frame, std::int32_t place) {
        if (!reader_.take_record<BoneKey>()) return;
        const bool is_first = file_.frames.empty();
        BoneKey key{bone_name(node, !is_first && !frame.complete), position(node), rotation(node)};
        if (key.name.empty()) {
            reader_.add(
                arp::codes::cas_bone, node,
                "it cannot be told which bone this is: it has no name, and no index that the first frame has; it "
                "is left out");
            return;
        }
        if (is_first) remember(reader_.integer(node, "index", place), key.name);
        frame.bones.push_back(std::move(key));
    }

    void read_morph(xml_node node, Frame& frame) {
        if (!reader_.take_record<MorphKey>()) return;
        MorphKey key{reader_.text(node, "name"), required(node, "amount")};
        if (key.name.empty()) missing(node, "name");
        if (!key.name.empty() && std::isfinite(key.amount) && key.amount != 0) frame.morphs.push_back(std::move(key));
    }

    void remember(std::int32_t place, const std::string& name) {
        if (reader_.take(name.size() + 2 * sizeof(*names_.begin()))) names_.emplace(place, name);
    }

    /// Frames that are not complete count bones by the first frame's list; names are what is left where that fails.
    std::string bone_name(xml_node node, bool by_index) {
        std::string name = reader_.text(node, "name");
        const std::int32_t index = reader_.integer(node, "index", -1);
        const auto listed = names_.find(index);
        const bool is_listed = listed != names_.end() && reader_.take(listed->second.size());
        if (!is_listed) return name;
        if (!name.empty() && by_index && name != listed->second) {
            reader_.add(arp::codes::cas_bone_index, node,
                        "a bone's index and its name are those of two bones; the index counts, as it does for players",
                        shortened(name), shortened(listed->second));
        }
        return name.empty() || by_index ? listed->second : name;
    }

    std::optional<Vec3> position(xml_node bone) {
        const xml_node node = reader_.only_child(bone, "position");
        if (!node) return std::nullopt;
        const Vec3 value{required(node, "x"), required(node, "y"), required(node, "z")};
        return std::isfinite(value.x + value.y + value.z) ? std::optional(value) : std::nullopt;
    }

    std::optional<Quat> rotation(xml_node bone) {
        const xml_node node = reader_.only_child(bone, "qRotation");
        if (!node) return std::nullopt;
        const Quat value{required(node, "x"), required(node, "y"), required(node, "z"), required(node, "w")};
        return std::isfinite(value.x + value.y + value.z + value.w) ? std::optional(value) : std::nullopt;
    }

    float required(xml_node node, const char* attribute) {
        if (!node.attribute(attribute)) missing(node, attribute);
        return reader_.number(node, attribute, none);
    }

    /// Doubles, because hours of milliseconds and their fractions do not fit floats.
    double milliseconds(xml_node node, const char* attribute, double fallback) {
        const float coarse = reader_.number(node, attribute, none);  // says what is wrong with it
        if (std::isnan(coarse)) return fallback;
        const std::string_view text = node.attribute(attribute).value();
        const std::size_t first = text.find_first_not_of(" \t\r\n+");
        double fine = 0;
        const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), fine);
        return error == std::errc() ? fine : double{coarse};
    }

    bool is_complete(xml_node node) {
        if (file_.frames.empty()) return true;
        return node.attribute("isComplete").as_bool(false);
    }

    void expect_count(xml_node node, const char* attribute, std::size_t count) {
        const std::int32_t stated = reader_.integer(node, attribute, -1);
        if (!node.attribute(attribute) || (stated >= 0 && static_cast<std::size_t>(stated) == count)) return;
        reader_.add(arp::codes::cas_count, node,
                    std::string("there are not as many as ") + attribute + " says; those that are there are used",
                    std::to_string(count), std::to_string(stated));
    }

    void missing(xml_node node, const char* attribute) {
        reader_.add(arp::codes::cas_field, node,
                    std::string("the attribute ") + attribute + " is not there; what it belongs to is left out");
    }

    XmlReader& reader_;
    File& file_;
    std::unordered_map<std::int32_t, std::string> names_;  ///< of the first frame's bones, by their index
};

/// What the declaration names, where it is none that the reader of XML knows by itself.
std::string declared_encoding(std::string_view text) {
    text = text.substr(0, std::min<std::size_t>(text.find("?>"), 1024));
    const std::size_t place = text.find("encoding");
    if (!text.starts_with("<?xml") || place == std::string_view::npos) return {};
    const std::size_t first = text.find_first_of("\"'", place);
    if (first == std::string_view::npos) return {};
    std::string name(text.substr(first + 1, text.find(text[first], first + 1) - first - 1));
    const std::string plain = lower(name);
    const bool is_known = plain.starts_with("utf") || plain == "iso-8859-1" || plain == "latin1";
    return is_known ? std::string() : name;
}

}  // namespace

Result<Loaded<File>> read_xml(std::span<const std::byte> bytes, const ReadOptions& options) {
    std::string decoded;
    const std::string encoding = declared_encoding(as_text(bytes));
    if (!encoding.empty() && is_known_encoding(encoding)) {
        decoded = to_utf8(as_text(bytes), encoding);
        bytes = std::as_bytes(std::span(decoded));
    }
    auto reader = XmlReader::open(bytes, options);
    if (!reader) return fail(std::move(reader.error()));
    if (reader->name(reader->root()) != "CAS") return fail(unexpected_root(*reader, "<CAS>"));
    Loaded<File> loaded;
    loaded.value.version = reader->text(reader->root(), "version");
    loaded.value.avatar = reader->text(reader->root(), "avatar");
    Frames(*reader, loaded.value).read();
    if (!reader->ok()) return fail(reader->failure());
    loaded.report = std::move(reader->report());
    return loaded;
}

std::string_view without_mark(std::string_view text) noexcept {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

char first_character(std::string_view text) noexcept {
    text = without_mark(text);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? '\0' : text[first];
}

Result<Loaded<File>> read(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        const char first = first_character(as_text(text));
        const bool is_json = first == '{' || first == '[';
        auto loaded = is_json ? read_json(text, options) : read_xml(text, options);
        if (!loaded) return loaded;
        loaded->value.is_json = is_json;
        loaded->value.text = std::move(text);
        return loaded;
    });
}

}  // namespace effigy::cas
