/// Texts: whether the mod's own pages have what its files refer to as {page,id}.

#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/xml_selector.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft::checks {

namespace {

using Pages = std::map<std::uint64_t, std::set<std::uint64_t>>;

std::uint64_t number_in(std::string_view text) {
    std::uint64_t number = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void add_page(const pugi::xml_node page, std::uint64_t number, Pages& pages) {
    std::set<std::uint64_t>& texts = pages[number];
    for (const pugi::xml_node text : page.children("t")) texts.insert(number_in(text.attribute("id").value()));
}

void add_pages(pugi::xml_node parent, Pages& pages) {
    for (const pugi::xml_node page : parent.children("page"))
        add_page(page, number_in(page.attribute("id").value()), pages);
}

/// A page, or texts that a change adds to one.
void read_pages(const XmlReader& reader, Pages& pages) {
    add_pages(reader.root(), pages);
    for (const pugi::xml_node change : reader.root().children()) {
        add_pages(change, pages);
        const auto selector = parse_selector(change.attribute("sel").value());
        const std::string* number =
            selector && selector->steps.back().name == "page" ? selector->steps.back().wanted("id") : nullptr;
        if (number != nullptr) add_page(change, number_in(*number), pages);
    }
}

std::string_view spaces_off(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// The number at the start of `text`, which is taken off; nothing if there is none.
std::optional<std::uint64_t> take_number(std::string_view& text) {
    text = spaces_off(text);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text = spaces_off(text.substr(static_cast<std::size_t>(end - text.data())));
    return number;
}

struct TextReference {
    std::uint64_t page = 0, text = 0;
    std::size_t offset = 0;
};

/// "{page,id}" outside of comments.
template <class Visit>
void each_reference(std::string_view xml, Visit visit) {
    for (std::size_t at = xml.find_first_of("{<"); at != std::string_view::npos; at = xml.find_first_of("{<", at + 1)) {
        if (xml[at] == '<') {
            if (!xml.substr(at).starts_with("<!--")) continue;
            at = xml.find("-->", at);
            if (at == std::string_view::npos) return;
            continue;
        }
        constexpr std::size_t longest = 64;
        std::string_view rest = xml.substr(at + 1, longest);
        const auto page = take_number(rest);
        if (!page || !rest.starts_with(',')) continue;
        rest.remove_prefix(1);
        const auto text = take_number(rest);
        if (text && rest.starts_with('}')) visit(TextReference{*page, *text, at});
    }
}

bool is_of_texts(const FolderFile& file) { return file.normal.starts_with("t/") && file.normal.ends_with(".xml"); }

bool refers_to_texts(const ModCheck& check, const FolderFile& file) {
    if (is_of_texts(file)) return true;
    if (file.normal.starts_with("libraries/") && file.normal.ends_with(".xml")) return true;
    return check.macro_files.contains(file.path);
}

void look_at_references(ModCheck& check, const FolderFile& file, const Pages& pages) {
    const auto text = check.read(file);
    if (!text) return;
    std::set<std::pair<std::uint64_t, std::uint64_t>> said;
    each_reference(as_text(*text), [&](const TextReference& one) {
        const auto page = pages.find(one.page);
        if (page == pages.end() || page->second.contains(one.text) || !said.emplace(one.page, one.text).second) return;
        constexpr std::uint64_t first_own = 100'000;  // the game's pages have fewer digits
        check.findings.add(one.page < first_own ? codes::text_missing.as(Severity::info) : codes::text_missing,
                           check.place(file.path, "", one.offset),
                           "{" + std::to_string(one.page) + "," + std::to_string(one.text) + "}",
                           "<t id=\"" + std::to_string(one.text) + "\"> in that page");
    });
}

}  // namespace

void check_texts(ModCheck& check) {
    Pages pages;
    for (const FolderFile& file : check.files) {
        if (!is_of_texts(file)) continue;
        const auto text = check.read(file);
        if (!text) continue;
        auto reader = XmlReader::open(*text, {check.context.limits});
        if (!reader) continue;  // which check_expected_files() says
        read_pages(*reader, pages);
        look_at_changes(check, file, *reader);
    }
    if (pages.empty()) return;
    for (const FolderFile& file : check.files) {
        if (refers_to_texts(check, file)) look_at_references(check, file, pages);
    }
}

}  // namespace effigy::egosoft::checks
