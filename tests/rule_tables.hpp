#pragma once
// The tables of codes as lists, and what holds for every rule of a check.

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/arp_codes.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/diff_codes.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/emfx_codes.hpp"
#include "effigy/gltf_codes.hpp"
#include "effigy/image_codes.hpp"
#include "effigy/levels_codes.hpp"
#include "effigy/obj_codes.hpp"
#include "effigy/playback_codes.hpp"
#include "effigy/program_codes.hpp"
#include "effigy/scene_codes.hpp"
#include "effigy/x42_codes.hpp"

namespace effigy::test {

/// A row of a table, or, without a code, the beginning of a section.
struct TableEntry {
    std::string_view name;  ///< of the constant, or of the section
    const Code* code = nullptr;
};

struct CodeSection {
    std::string name;  ///< with the family: "emfx nodes"
    std::vector<TableEntry> rows;
};

#define EFFIGY_TABLE_SECTION(name) {#name, nullptr},
#define EFFIGY_TABLE_ROW(constant, code, severity, applies_to, meaning) {#constant, &constant},
#define EFFIGY_TABLE(family, space, codes)                                                       \
    namespace family##_table {                                                                   \
        using namespace space;                                                                   \
        inline constexpr TableEntry entries[] = {codes(EFFIGY_TABLE_SECTION, EFFIGY_TABLE_ROW)}; \
    }

EFFIGY_TABLE(core, codes, EFFIGY_CORE_CODES)
EFFIGY_TABLE(scene, codes, EFFIGY_SCENE_CODES)
EFFIGY_TABLE(levels, codes, EFFIGY_LEVELS_CODES)
EFFIGY_TABLE(image, codes, EFFIGY_IMAGE_CODES)
EFFIGY_TABLE(obj, codes, EFFIGY_OBJ_CODES)
EFFIGY_TABLE(diff, codes, EFFIGY_DIFF_CODES)
EFFIGY_TABLE(playback, codes, EFFIGY_PLAYBACK_CODES)
EFFIGY_TABLE(program, codes, EFFIGY_PROGRAM_CODES)
EFFIGY_TABLE(emfx, emfx::codes, EFFIGY_EMFX_CODES)
EFFIGY_TABLE(egosoft, egosoft::codes, EFFIGY_EGOSOFT_CODES)
EFFIGY_TABLE(x42, x42::codes, EFFIGY_X42_CODES)
EFFIGY_TABLE(arp, arp::codes, EFFIGY_ARP_CODES)
EFFIGY_TABLE(gltf, gltf::codes, EFFIGY_GLTF_CODES)

#undef EFFIGY_TABLE
#undef EFFIGY_TABLE_ROW
#undef EFFIGY_TABLE_SECTION

/// Every section of every family, in the order of the tables.
inline std::vector<CodeSection> code_sections() {
    std::vector<CodeSection> all;
    const auto add = [&](const std::string& family, const auto& entries) {
        for (const TableEntry& entry : entries) {
            if (entry.code == nullptr)
                all.push_back({family + " " + std::string(entry.name), {}});
            else
                all.back().rows.push_back(entry);
        }
    };
    add("core", core_table::entries);
    add("scene", scene_table::entries);
    add("levels", levels_table::entries);
    add("image", image_table::entries);
    add("obj", obj_table::entries);
    add("diff", diff_table::entries);
    add("playback", playback_table::entries);
    add("program", program_table::entries);
    add("emfx", emfx_table::entries);
    add("egosoft", egosoft_table::entries);
    add("x42", x42_table::entries);
    add("arp", arp_table::entries);
    add("gltf", gltf_table::entries);
    return all;
}

/// The codes of some sections.
inline std::vector<Code> codes_in(const std::set<std::string>& sections) {
    std::vector<Code> codes;
    for (const CodeSection& section : code_sections()) {
        if (!sections.contains(section.name)) continue;
        for (const TableEntry& row : section.rows) codes.push_back(*row.code);
    }
    EXPECT_FALSE(codes.empty());
    return codes;
}

inline void expect_all_tested(const std::vector<Code>& rules, const std::set<std::string>& tested) {
    for (const Code& rule : rules) EXPECT_TRUE(tested.contains(std::string(rule.name))) << rule.name;
}

}  // namespace effigy::test
