/// Reading of .skin files: shaders by surface.

#include "x42/file/skin.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/x42_codes.hpp"
#include "effigy/x42_companions.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::x42 {

namespace {

class SkinReader {
public:
    SkinReader(Loaded<Skin>& loaded, TextBudget& budget) : loaded_(loaded), budget_(budget) {}

    Result<void> read(std::string_view text) {
        return read_lines(text, Separator::comma, budget_, loaded_.report,
                          [&](const TextLine& line) { return add(line); });
    }

private:
    void note(const TextLine& line, std::string message) {
        loaded_.report.add(line_finding(codes::skin_line, line, std::move(message), "surface,shader or tag_name,"));
    }

    Result<void> add(const TextLine& line) {
        const ParsedSkinLine parsed = parse_skin_line(line);
        if (line.open_quote) note(line, "a quote is not closed; it ends with its line");
        if (parsed.kind == SkinLine::unknown) {
            note(line, "this line names no surface and is left out");
            return {};
        }
        if (parsed.kind == SkinLine::no_shader) note(line, "a surface has no shader; it keeps the model's own");
        if (parsed.has_more)
            note(line, "more words stand in the line than a surface and its shader; they are left out");
        auto& surfaces = loaded_.value.surfaces;
        const std::size_t bytes = parsed.surface.size() + parsed.shader.size();
        if (auto taken = budget_.take_element(sizeof(surfaces[0]), bytes); !taken) return taken;
        surfaces.emplace_back(std::string(parsed.surface), std::string(parsed.shader));
        return {};
    }

    Loaded<Skin>& loaded_;
    TextBudget& budget_;
};

}  // namespace

bool is_tag(std::string_view surface) noexcept { return lower(surface.substr(0, 4)) == "tag_"; }

ParsedSkinLine parse_skin_line(const TextLine& line) noexcept {
    ParsedSkinLine parsed;
    const std::vector<Word>& words = line.words;
    if (words.empty() || words[0].comma || words[0].text.empty()) return parsed;
    parsed.surface = words[0].text;
    parsed.has_comma = words.size() > 1 && words[1].comma;
    std::size_t next = parsed.has_comma ? 2 : 1;
    if (next < words.size() && !words[next].comma) parsed.shader = words[next++].text;
    parsed.has_more = next < words.size();
    if (is_tag(parsed.surface)) {
        parsed.kind = SkinLine::tag;
    } else if (!parsed.shader.empty()) {
        parsed.kind = SkinLine::surface;
    } else {
        parsed.kind = parsed.has_comma ? SkinLine::no_shader : SkinLine::unknown;
    }
    return parsed;
}

Result<Loaded<Skin>> read_skin(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<Skin>> {
        Loaded<Skin> loaded;
        TextBudget budget(options.limits, text.size());
        const std::string_view view = as_text(text);
        if (auto done = SkinReader(loaded, budget).read(view); !done) return fail(std::move(done.error()));
        if (loaded.value.surfaces.empty() || !is_text(view)) {
            return fail(problem_at({}, codes::not_this_format, "this is no .skin file: no line of it names a surface",
                                   {}, "surface,shader"));
        }
        loaded.value.text = std::move(text);
        return loaded;
    });
}

}  // namespace effigy::x42
