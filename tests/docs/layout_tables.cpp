/// Tables of records for the format pages.

#include <algorithm>
#include <map>
#include <sstream>

#include "arp/file/layout_elements.hpp"
#include "docs/layouts.hpp"

namespace effigy::test {
namespace {

bool same(const Field& left, const Field& right) {
    return left.kind == right.kind && left.name == right.name && left.type.size == right.type.size &&
           type_text(left) == type_text(right);
}

/// The fields of all variants in one order; what only a later variant has stands behind what only earlier ones have.
std::vector<MergedField> in_one_order(const std::vector<Variant>& variants) {
    std::vector<MergedField> rows;
    for (const Variant& variant : variants) {
        std::size_t at = 0;
        std::vector<MergedField> added;
        const auto insert_added = [&](std::size_t place) {
            rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place), added.begin(), added.end());
            const std::size_t behind = place + added.size();
            added.clear();
            return behind;
        };
        for (const Field& field : variant.fields) {
            const auto known = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.end(),
                                            [&](const MergedField& row) { return same(*row.field, field); });
            if (known == rows.end()) {
                added.push_back({&field, {}});
            } else {
                at = insert_added(static_cast<std::size_t>(known - rows.begin())) + 1;
            }
        }
        insert_added(rows.size());
    }
    return rows;
}

std::string link_free(std::string text) {
    std::replace(text.begin(), text.end(), '|', '/');
    return text;
}

/// Cells are parted by bars with blanks around them; what stands in comments is no bar.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 1;
    bool in_comment = false;
    for (std::size_t at = 1; at < line.size(); ++at) {
        in_comment = line.compare(at, 4, "<!--") == 0 || (in_comment && line.compare(at - 1, 3, "-->") != 0);
        const bool stands_alone = line[at - 1] == ' ' && (at + 1 == line.size() || line[at + 1] == ' ');
        if (line[at] != '|' || !stands_alone || in_comment) continue;
        std::string cell = line.substr(begin, at - begin);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        cells.push_back(std::move(cell));
        begin = at + 1;
    }
    return cells;
}

/// What a table has in its column `meaning`, by the names of the fields and, of several of one name, their types.
std::map<std::string, std::string> meanings(const std::string& table) {
    std::map<std::string, std::string> found;
    std::istringstream lines(table);
    std::size_t name = 0, meaning = 0, type = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('|') || line.starts_with("|---")) continue;
        const std::vector<std::string> cells = cells_of(line);
        if (name == 0) {
            const auto column = [&](const char* title) {
                return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), title) - cells.begin());
            };
            name = column("name"), type = column("type"), meaning = column("meaning");
        } else if (std::max({name, type, meaning}) < cells.size() && !cells[meaning].empty()) {
            found[cells[name] + " " + cells[type]] = cells[meaning];
            found.emplace(cells[name], cells[meaning]);
        }
    }
    return found;
}

}  // namespace

std::string type_text(const Field& field) {
    const std::string brackets = field.count.empty() ? "" : "[" + field.count + "]";
    switch (field.kind) {
        case Field::Kind::text:
            return "str" + brackets;
        case Field::Kind::record:
            return field.name + brackets;
        case Field::Kind::align:
            return "u8[0 to " + std::to_string(field.alignment - 1) + "]";
        case Field::Kind::value:
        case Field::Kind::block:
            break;
    }
    std::string name = field.type.name;
    if (name == "bytes") name = "u8";
    if (name == "morph_set" && field.type.size == sizeof(arp::PlainMorphSet)) name = "plain_morph_set";
    const auto& parts = field.type.parts;
    const bool is_scalar = name == "char" || (name.size() <= 3 && name.find_first_of("123468") != std::string::npos);
    if (parts.size() == 1 && parts[0].count > 1 && is_scalar) name += "[" + std::to_string(parts[0].count) + "]";
    return name + brackets;
}

std::vector<MergedField> merged(const std::vector<Variant>& variants) {
    std::vector<MergedField> rows = in_one_order(variants);
    for (const Variant& variant : variants) {
        std::optional<std::uint64_t> offset = 0;
        std::size_t at = 0;
        for (const Field& field : variant.fields) {
            for (; !same(*rows[at].field, field); ++at) rows[at].offsets.emplace_back();
            rows[at++].offsets.push_back(offset ? std::to_string(*offset) : "then");
            const auto size = field.size();
            offset = offset && size ? std::optional(*offset + *size) : std::nullopt;
        }
        for (; at < rows.size(); ++at) rows[at].offsets.emplace_back();
    }
    return rows;
}

std::string layout_table(const RecordLayout& record, const std::string& old) {
    const auto notes = meanings(old);
    std::vector<MergedField> rows = merged(record.variants);
    // Versions that do not differ share a column.
    std::vector<std::string> titles;
    std::vector<std::vector<std::string>> columns;
    for (std::size_t variant = 0; variant < record.variants.size(); ++variant) {
        std::vector<std::string> column;
        for (const MergedField& row : rows) column.push_back(row.offsets[variant]);
        const std::string& label = record.variants[variant].label;
        if (!columns.empty() && columns.back() == column) {
            titles.back() += ", " + label;
        } else {
            titles.push_back(label);
            columns.push_back(std::move(column));
        }
    }
    if (columns.size() == 1) titles = {"offset"};
    std::string text = "|";
    for (const std::string& title : titles) text += " " + title + " |";
    text += " type | name | meaning |\n|";
    for (std::size_t column = 0; column < titles.size() + 3; ++column) text += "---|";
    text += "\n";
    for (std::size_t row = 0; row < rows.size(); ++row) {
        text += "|";
        for (const auto& column : columns) text += column[row].empty() ? " |" : " " + column[row] + " |";
        const std::string type = link_free(type_text(*rows[row].field)), name = rows[row].field->name;
        const auto exact = notes.find(name + " " + type), by_name = notes.find(name);
        text += " " + type + " | " + name + " |";
        const std::string note = exact != notes.end()     ? exact->second
                                 : by_name != notes.end() ? by_name->second
                                                          : std::string();
        text += (note.empty() ? "" : " " + note) + " |\n";
    }
    return text;
}

}  // namespace effigy::test
