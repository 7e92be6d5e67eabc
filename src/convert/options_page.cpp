/// docs/options.md, from the declarations.

#include <algorithm>
#include <string>
#include <vector>

#include "effigy/convert.hpp"

#include "registry/rows.hpp"

namespace effigy {
namespace {

std::string value_text(const OptionDeclaration& option) {
    std::string text;
    const auto number = [](double value) {
        std::string digits = std::to_string(value);
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.ends_with('.')) digits.pop_back();
        return digits;
    };
    switch (option.type) {
        case OptionType::flag:
            return "flag";
        case OptionType::integer:
        case OptionType::number:
            text = number(option.min) + " to " + number(option.max);
            break;
        case OptionType::choice:
            break;
        case OptionType::text:
            text = "text";
            break;
        case OptionType::path:
            text = "path";
            break;
    }
    for (const std::string_view choice : option.choices)
        text += (text.empty() ? "`" : ", `") + std::string(choice) + "`";
    return text + (option.repeats ? ", repeated" : "");
}

std::string formats_text(const DeclaredOption& option, bool reads, const Registry& registry) {
    if (!(reads ? option.declaration.reads : option.declaration.writes)) return "";
    if (option.family.empty() || option.declaration.locates) return "all";
    std::string text;
    for (const FormatInfo& format : registry.formats()) {
        const auto& only = option.declaration.formats;
        const bool named = only.empty() || std::find(only.begin(), only.end(), format.id) != only.end();
        if (format.family == option.family && named && (reads ? format.to_scene : format.from_scene))
            text += (text.empty() ? "" : ", ") + std::string(format.id);
    }
    return text;
}

std::string row(const DeclaredOption& option, const Registry& registry) {
    const OptionDeclaration& declaration = option.declaration;
    const std::string fallback =
        declaration.default_value.empty() ? "" : "`" + std::string(declaration.default_value) + "`";
    std::string help(declaration.help);
    return "| `" + std::string(declaration.name) + "` | " + value_text(declaration) + " | " + fallback + " | " +
           formats_text(option, true, registry) + " | " + formats_text(option, false, registry) + " | " + help + " |\n";
}

}  // namespace

std::string options_page(const Registry& registry) {
    std::string page =
        "# Options of conversions\n\n"
        "This page is made from the declarations in the code; `EFFIGY_RENEW=1 test_convert` writes it anew.\n\n"
        "On the command line, `max-error` is `--max-error`; in C++ it is `options.values.set(\"max-error\", "
        "\"0.001\")` "
        "([effigy/convert.hpp](../include/effigy/convert.hpp)); `effigy formats --json` lists the same by format. "
        "\"Read\" and \"written\" name the formats that an option says something about when files become a scene, or a "
        "scene becomes files.\n";
    std::vector<std::string_view> families{""};
    for (const FamilyRow* family : registry.families()) families.push_back(family->name);
    for (const std::string_view family : families) {
        std::string rows;
        for (const bool rare : {false, true}) {
            for (const DeclaredOption& option : registry.options()) {
                if (option.family == family && option.declaration.rare == rare) rows += row(option, registry);
            }
        }
        if (rows.empty()) continue;
        const FamilyRow* known = registry.family(family);
        page += "\n## " + std::string(known == nullptr ? "General" : known->title) +
                "\n\n| option | value | default | read | written | what it does |\n|---|---|---|---|---|---|\n" + rows;
    }
    return page;
}

}  // namespace effigy
