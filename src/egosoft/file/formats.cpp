/// The rows of the family's formats in the registry, and what tells their files from others.

#include "egosoft/file/formats.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iomanip>
#include <locale>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::array<std::string_view, 1> xmf_extensions{"xmf"}, ani_extensions{"ani"}, xml_extensions{"xml"};

constexpr std::string_view instead_of_library =
    "name a model; material libraries go with --materials, indexes and macros are found in the folder that --game "
    "names";

constexpr FormatInfo format_info(std::string_view id, std::string_view name, Role role,
                                 std::span<const std::string_view> extensions, std::string_view versions) {
    const bool is_xml = extensions.front() == "xml";
    const FormatTraits traits{.shares_extension = is_xml,
                              .reads_beside = is_xml && role == Role::model,
                              .has_wrecks = role == Role::model,
                              .instead = role == Role::library ? instead_of_library : ""};
    return faithful_format(id, name, "egosoft", role, extensions, versions, traits);
}
constexpr FormatInfo xmf_format =
    format_info("xmf", "Egosoft mesh", Role::model, xmf_extensions,
                "3, as X Rebirth and X4 have it; all sizes of descriptors; big-endian untested");
constexpr FormatInfo ani_format =
    format_info("ani", "Egosoft animation", Role::motion, ani_extensions, "1, as X Rebirth and X4 have it");
constexpr FormatInfo component_format =
    format_info("component", "Egosoft component", Role::model, xml_extensions, "X Rebirth and X4; plain or as <diff>");
constexpr FormatInfo library_format = format_info("material-library", "Egosoft material library", Role::library,
                                                  xml_extensions, "X Rebirth and X4; plain or as <diff>");
constexpr FormatInfo index_format = format_info("index", "Egosoft index of components or macros", Role::library,
                                                xml_extensions, "X Rebirth and X4; plain or as <diff>");
constexpr FormatInfo macro_format = format_info("macros", "Egosoft macros", Role::library, xml_extensions,
                                                "X Rebirth and X4; names, classes and components");

Json info_head(const FormatInfo& format, const Bytes& text) { return {{"format", format.id}, {"size", text.size()}}; }

Json sorted_list(const std::set<std::string>& names) {
    Json list = Json::array();
    for (const std::string& name : names) list.push_back(name);
    return list;
}

struct ComponentCounts {
    std::size_t parts = 0, lods = 0, lights = 0, animations = 0;
};

ComponentCounts count(const Component& component) {
    ComponentCounts counts;
    counts.lights = component.lights.size();
    for (const Connection& connection : component.connections) {
        counts.parts += connection.parts.size();
        counts.animations += connection.animations.size();
        for (const Part& part : connection.parts) {
            counts.lods += part.lods.size();
            counts.lights += part.lights.size();
        }
    }
    return counts;
}

Json component_info(const Component& component) {
    const ComponentCounts counts = count(component);
    return {{"name", component.name},         {"class", component.class_name},
            {"geometry", component.geometry}, {"connections", component.connections.size()},
            {"parts", counts.parts},          {"lods", counts.lods},
            {"lights", counts.lights},        {"animations", counts.animations}};
}

/// Names of the elements that content decides by.
struct KindName {
    std::string_view name;
    XmlKind kind;
};
constexpr std::array<KindName, 10> kind_names{{{"components", XmlKind::component},
                                               {"component", XmlKind::component},
                                               {"materiallibrary", XmlKind::material_library},
                                               {"collection", XmlKind::material_library},
                                               {"material", XmlKind::material_library},
                                               {"index", XmlKind::index},
                                               {"entry", XmlKind::index},
                                               {"macros", XmlKind::macros},
                                               {"macro", XmlKind::macros},
                                               {"connection", XmlKind::component}}};

XmlKind kind_of(std::string_view name) noexcept {
    const auto known =
        std::find_if(kind_names.begin(), kind_names.end(), [&](const KindName& each) { return each.name == name; });
    return known != kind_names.end() ? known->kind : XmlKind::none;
}

bool is_root(std::string_view name) noexcept {
    return name == "components" || name == "materiallibrary" || name == "index" || name == "macros";
}

std::string_view name_at_start(std::string_view text) noexcept {
    const std::size_t end = text.find_first_of(" \t\r\n/>[@\"'");
    return text.substr(0, end);
}

/// The text from the root element on, or nothing.
std::string_view from_root(std::string_view text) noexcept {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    while (true) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos || text[first] != '<') return {};
        text.remove_prefix(first);
        // A document type may hold declarations in brackets.
        const bool has_brackets = text.starts_with("<!") && text.find('[') < text.find('>');
        const std::string_view end = text.starts_with("<?")     ? "?>"
                                     : text.starts_with("<!--") ? "-->"
                                     : has_brackets             ? "]>"
                                     : text.starts_with("<!")   ? ">"
                                                                : "";
        if (end.empty()) return text.substr(1);
        const std::size_t found = text.find(end);
        if (found == std::string_view::npos) return {};
        text.remove_prefix(found + end.size());
    }
}

/// What the selectors of a <diff> start with: "//materiallibrary", "/index".
XmlKind kind_of_changes(std::string_view text) noexcept {
    for (std::size_t at = text.find("sel="); at != std::string_view::npos; at = text.find("sel=", at + 1)) {
        std::string_view selector = text.substr(at + 4);
        if (selector.empty() || (selector[0] != '"' && selector[0] != '\'')) continue;
        selector.remove_prefix(1);
        const std::size_t name = selector.find_first_not_of('/');
        if (name == std::string_view::npos) continue;
        const XmlKind kind = kind_of(name_at_start(selector.substr(name)));
        if (kind != XmlKind::none) return kind;
    }
    return XmlKind::none;
}

XmlKind kind_of_text(std::string_view text) noexcept {
    text = from_root(text);
    const std::string_view root = name_at_start(text);
    if (root == "diff") return kind_of_changes(text);
    return is_root(root) ? kind_of(root) : XmlKind::none;
}

bool ends_in_ani(std::string_view name) noexcept {
    return name.size() >= 4 && lower(name.substr(name.size() - 4)) == ".ani";
}

/// A name with its end in the first 64 bytes, of printable characters.
bool is_name(std::span<const std::byte> field) noexcept {
    for (const std::byte letter : field) {
        if (letter == std::byte{0}) return true;
        if (letter < std::byte{0x20} || letter == std::byte{0x7f}) return false;
    }
    return false;
}

bool is_utf16(std::span<const std::byte> head) noexcept {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(head[i]); };
    if (head.size() < 4) return false;
    const bool has_mark = (at(0) == 0xff && at(1) == 0xfe) || (at(0) == 0xfe && at(1) == 0xff);
    return has_mark || (at(0) == '<' && at(1) == 0) || (at(0) == 0 && at(1) == '<');
}

}  // namespace

const FormatInfo& XmfFormat::format() { return xmf_format; }
const FormatInfo& AniFormat::format() { return ani_format; }
const FormatInfo& ComponentFormat::format() { return component_format; }
const FormatInfo& LibraryFormat::format() { return library_format; }
const FormatInfo& IndexFormat::format() { return index_format; }
const FormatInfo& MacroFormat::format() { return macro_format; }

std::string_view working_property(std::string_view class_name) noexcept {
    static constexpr std::pair<std::string_view, std::string_view> properties[] = {
        {"bullet", "bullet"},
        {"dockingbay", "docksize"},
        {"engine", "thrust"},
        {"habitation", "workforce"},
        {"missilelauncher", "ammunition"},
        {"production", "production"},
        {"shieldgenerator", "recharge"},
        {"storage", "cargo"},
        {"turret", "bullet"},
        {"weapon", "bullet"},
    };
    const auto found = std::find_if(std::begin(properties), std::end(properties),
                                    [&](const auto& one) { return one.first == class_name; });
    return found == std::end(properties) ? std::string_view() : found->second;
}

bool goes_with(std::string_view macro_class, std::string_view component_class) noexcept {
    static constexpr std::pair<std::string_view, std::string_view> pairs[] = {
        {"turret", "missileturret"}, {"weapon", "missilelauncher"}, {"bullet", "effectobject"}};
    return macro_class == component_class || std::any_of(std::begin(pairs), std::end(pairs), [&](const auto& pair) {
               return (macro_class == pair.first && component_class == pair.second) ||
                      (macro_class == pair.second && component_class == pair.first);
           });
}

bool has_own_meshes(const Part& part) noexcept { return part.reference.empty() && !part.lods.empty(); }

bool lacks_wreck(const Component& component) noexcept {
    // Of other classes too few have wrecks for a word about it.
    static constexpr std::string_view classes[] = {"ship_s",     "ship_m",        "ship_l",           "ship_xl",
                                                   "production", "defencemodule", "connectionmodule", "habitation"};
    if (std::find(std::begin(classes), std::end(classes), component.class_name) == std::end(classes)) return false;
    const auto any_part = [&](const auto& is_it) {
        return std::any_of(component.connections.begin(), component.connections.end(), [&](const Connection& one) {
            return std::any_of(one.parts.begin(), one.parts.end(), is_it);
        });
    };
    return any_part(has_own_meshes) && !any_part([](const Part& part) { return !part.wreck.empty(); });
}

std::string rounded_text(double value, int digits) {
    std::ostringstream text;
    text.imbue(std::locale::classic());  // not the caller's
    text << std::setprecision(digits) << value;
    return std::move(text).str();
}

std::vector<std::size_t> cut_circles(std::vector<std::size_t>& parents) {
    enum class State : std::uint8_t { untouched, open, done };
    std::vector<State> states(parents.size(), State::untouched);
    std::vector<std::size_t> cut, path;
    for (std::size_t i = 0; i < parents.size(); ++i) {
        std::size_t here = i;
        for (path.clear(); here != no_parent && states[here] == State::untouched; here = parents[here]) {
            states[here] = State::open;
            path.push_back(here);
        }
        if (here != no_parent && states[here] == State::open) {
            cut.push_back(here);
            parents[here] = no_parent;
        }
        for (const std::size_t step : path) states[step] = State::done;
    }
    return cut;
}

bool is_effect(std::string_view class_name, std::string_view part) noexcept {
    static constexpr std::string_view kinds[] = {"bullet", "effectobject", "effect", "lensflare"};
    return part.starts_with("fx_") || std::find(std::begin(kinds), std::end(kinds), class_name) != std::end(kinds);
}

bool names_collision(const std::filesystem::path& path) {
    std::string stem = lower(path.stem().string());
    stem.erase(stem.find_last_not_of("0123456789") + 1);
    return stem.ends_with("-collision");
}

bool looks_like_xmf(std::span<const std::byte> head) noexcept {
    constexpr std::string_view magic = "XUMF";
    return head.size() >= magic.size() && std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

/// There is no magic: version 1 and keys behind the table, or the name of the file together with a plausible header.
bool looks_like_ani(std::span<const std::byte> head, std::string_view name) noexcept {
    std::array<std::uint32_t, 4> words{};  // animations, offset of the keys, version, 0
    if (head.size() < sizeof words) return false;
    std::memcpy(words.data(), head.data(), sizeof words);
    constexpr std::uint64_t header = 16, descriptor = 160, field = 64;
    if (ends_in_ani(name) && words[2] == 1) return true;
    if (words[0] == 0) return head.size() == header && words[2] == 1 && words[1] <= header && words[3] == 0;
    if (words[1] != header + descriptor * words[0] || head.size() < header + descriptor) return false;
    if (!ends_in_ani(name) && (words[2] != 1 || words[3] != 0)) return false;
    return is_name(head.subspan(header, field)) && is_name(head.subspan(header + field, field));
}

XmlKind xml_kind(std::span<const std::byte> head) noexcept {
    if (!is_utf16(head)) return kind_of_text(as_text(head));
    // All names that count are ASCII: what is left without zeros and the mark is enough to tell them.
    std::array<char, 4096> narrow{};
    std::size_t size = 0;
    for (const std::byte byte : head) {
        const bool kept = byte != std::byte{0} && byte < std::byte{0x80};
        if (kept && size < narrow.size()) narrow[size++] = static_cast<char>(byte);
    }
    return kind_of_text({narrow.data(), size});
}

Json ComponentFormat::info(const ComponentFile& file, const InfoOptions& /*options*/) {
    Json json = info_head(component_format, file.text);
    Json& list = json["components"] = Json::array();
    std::set<std::string> references, tags;
    for (const Component& component : file.components) {
        list.push_back(component_info(component));
        for (const Connection& connection : component.connections) {
            tags.insert(connection.tags.begin(), connection.tags.end());
            for (const Part& part : connection.parts) {
                if (!part.reference.empty()) references.insert(part.reference);
            }
        }
    }
    json["references"] = sorted_list(references);
    json["tags"] = sorted_list(tags);
    return json;
}

Json LibraryFormat::info(const MaterialLibraryFile& file, const InfoOptions& /*options*/) {
    Json json = info_head(library_format, file.text);
    std::set<std::string> collections, shaders, textures;
    for (const LibraryMaterial& material : file.materials) {
        collections.insert(material.collection);
        if (!material.shader.empty()) shaders.insert(material.shader);
        for (const MaterialProperty& property : material.properties) {
            if (property.type == "BitMap" && !property.value.empty()) textures.insert(property.value);
        }
    }
    json["is_diff"] = file.is_diff;
    json["counts"] = {{"collections", collections.size()},
                      {"materials", file.materials.size()},
                      {"shaders", shaders.size()},
                      {"textures", textures.size()}};
    json["collections"] = sorted_list(collections);
    json["shaders"] = sorted_list(shaders);
    Json& names = json["material_names"] = Json::array();
    for (const LibraryMaterial& material : file.materials) names.push_back(material.collection + "." + material.name);
    json["texture_names"] = sorted_list(textures);
    return json;
}

Json IndexFormat::info(const IndexFile& file, const InfoOptions& /*options*/) {
    Json json = info_head(index_format, file.text);
    json["counts"] = {{"entries", file.entries.size()}};
    Json& list = json["entries"] = Json::array();
    for (const IndexEntry& entry : file.entries) list.push_back({{"name", entry.name}, {"path", entry.value}});
    return json;
}

Json MacroFormat::info(const MacroFile& file, const InfoOptions& /*options*/) {
    Json json = info_head(macro_format, file.text);
    json["counts"] = {{"macros", file.macros.size()}};
    Json& list = json["macros"] = Json::array();
    for (const Macro& macro : file.macros)
        list.push_back({{"name", macro.name}, {"class", macro.class_name}, {"component", macro.component}});
    return json;
}

}  // namespace effigy::egosoft
