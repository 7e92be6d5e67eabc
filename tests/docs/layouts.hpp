#pragma once
/// Every record of every binary format, as the layout functions have it, and what is made of them: tables for the pages
/// and descriptions for other programs.

#include <string>
#include <vector>

#include "docs/layout_visitor.hpp"

namespace effigy::test {

/// One way to lay a record out: "v3", or "" where there is only one.
struct Variant {
    std::string label;
    std::vector<Field> fields;
};

/// A record in all of its versions, "xac/mesh"; records in it follow it as "xac/mesh/layer".
struct RecordLayout {
    std::string name;
    std::vector<Variant> variants;
};

/// Records and composite elements, those in others behind them.
[[nodiscard]] const std::vector<RecordLayout>& record_layouts();

/// "f32[4]", "vec3", "layer[layer_count]"
[[nodiscard]] std::string type_text(const Field& field);

/// A field of a record in all of its variants.
struct MergedField {
    const Field* field = nullptr;
    std::vector<std::string> offsets;  ///< in each variant: "12", "then", or "" where it is not there
};
[[nodiscard]] std::vector<MergedField> merged(const std::vector<Variant>& variants);

/// The table of one record. The column `meaning` is written by hand: rows keep what `old` has there for their names.
[[nodiscard]] std::string layout_table(const RecordLayout& record, const std::string& old);

/// The record of that name; with a version behind it, "xac/mesh/v1", only that. No variants: there is none.
[[nodiscard]] RecordLayout find_layout(const std::string& name);

/// Of the description for Kaitai Struct of a format, what is made of the layouts: "seq", "types" or "cases".
[[nodiscard]] std::string kaitai_part(const std::string& format, const std::string& part);

}  // namespace effigy::test
