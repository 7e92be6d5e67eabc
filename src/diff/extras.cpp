/// Differences of extras.effigy and custom properties, less what is arrangement or stands in the scene itself.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "effigy/diff_codes.hpp"
#include "effigy/registry.hpp"

#include "diff/compare.hpp"
#include "scene/records.hpp"

namespace effigy::diff {

namespace {

/// Members that say how a file is packed, count what is elsewhere, or name things by numbers that follow their order.
/// docs/diff.md has the list.
constexpr auto without_meaning = [] {
    auto list = std::to_array<std::string_view>(
        {// packing, and where the record comes from
         "padding", "reserved", "reserved_end", "magic", "endian", "big_endian", "size", "stored_size", "offset",
         "data_offset", "trailing", "hash", "source", "embedded", "chunk", "buffers", "pack", "stream_frames",
         "descriptor_size", "material_size", "wrapper_head", "wrapper_tail", "files", "pictures", "left_out",
         // numbers of things
         "index", "parent", "node", "material", "bone", "bones", "joint", "influences", "mesh", "number", "group",
         "first_group", "first_vertex", "first_index", "begin_bone", "end_bone",
         // poses of a motion, which its clip shows
         "pose_position", "pose_rotation", "pose_scale", "pose_scale_rotation",
         // counts that do not end in _count
         "points", "duplicates", "total", "standard", "fx"});
    std::sort(list.begin(), list.end());
    return list;
}();

bool says_nothing(std::string_view member) {
    return member.ends_with("_count") || std::binary_search(without_meaning.begin(), without_meaning.end(), member);
}

/// What the scene says itself of a node or a clip.
constexpr std::array<std::string_view, 6> said_by_scene{"position", "translation", "rotation",
                                                        "scale",    "name",        "duration"};

/// Chunks without a record are objects of the scene.
void drop_said(Json& record) {
    if (!record.is_object()) return;
    for (const std::string_view member : said_by_scene) record.erase(std::string(member));
    const auto file = record.find("file");
    if (file == record.end() || !file->is_object()) return;
    const auto chunks = file->find("chunks");
    if (chunks == file->end() || !chunks->is_array()) return;
    Json kept = Json::array();
    for (Json& chunk : *chunks) {
        if (chunk.is_object() && chunk.contains("record")) kept.push_back(std::move(chunk));
    }
    *chunks = std::move(kept);
}

std::string_view family_of(const Extras& asset) {
    const Json json = object_of(asset.json);
    const Json* const source = member(json, "source");
    const auto id = source != nullptr ? text_at(*source, "format") : std::nullopt;
    if (!id) return {};
    const FormatInfo* const known = find_format(*id);
    return known != nullptr ? known->family : std::string_view();
}

class ExtrasComparison {
public:
    explicit ExtrasComparison(Comparison& all) : all_(all) {}

    Result<void> run() {
        const std::string_view family_a = family_of(all_.a.asset_extras), family_b = family_of(all_.b.asset_extras);
        if (!family_a.empty() && !family_b.empty() && family_a != family_b) {
            all_.findings.note(codes::diff_skipped,
                               "the files are of different families: what each knows beyond the scene is not compared");
            return {};
        }
        both_complete_ = all_.a.asset_extras.json.empty() == all_.b.asset_extras.json.empty();
        if (auto done = compare_all(); !done) return done;
        if (one_sided_ != 0) {
            all_.findings.note(codes::diff_skipped,
                               counted(one_sided_, "object has", "objects have") +
                                   " a record of the original file in one of them only: not compared");
        }
        return {};
    }

private:
    Result<void> compare_all() {
        const Scene &a = all_.a, &b = all_.b;
        if (auto done = compare("asset", a.asset_extras, b.asset_extras); !done) return done;
        for (const Index node : all_.tree_a.order) {
            const Index other = all_.nodes.to_b[node];
            if (other == no_index) continue;
            if (auto done = compare(all_.node_path(node), a.nodes[node].extras, b.nodes[other].extras); !done)
                return done;
        }
        std::set<std::pair<Index, Index>> meshes, skins;
        for (const MeshPair& pair : mesh_pairs(all_)) {
            meshes.emplace(pair.mesh_a, pair.mesh_b);
            if (pair.skin_a < a.skins.size() && pair.skin_b < b.skins.size()) skins.emplace(pair.skin_a, pair.skin_b);
        }
        if (auto done = compare_pairs("meshes", a.meshes, b.meshes, meshes); !done) return done;
        if (auto done = compare_pairs("skins", a.skins, b.skins, skins); !done) return done;
        if (auto done = compare_pairs("materials", a.materials, b.materials, pairs_of(all_.materials)); !done)
            return done;
        return compare_pairs("clips", a.clips, b.clips, pairs_of(all_.clips));
    }

    [[nodiscard]] static std::set<std::pair<Index, Index>> pairs_of(const Match& match) {
        std::set<std::pair<Index, Index>> pairs;
        for (std::size_t i = 0; i < match.to_b.size(); ++i) {
            if (match.to_b[i] != no_index) pairs.emplace(static_cast<Index>(i), match.to_b[i]);
        }
        return pairs;
    }

    template <class Object>
    Result<void> compare_pairs(std::string_view list, const std::vector<Object>& a, const std::vector<Object>& b,
                               const std::set<std::pair<Index, Index>>& pairs) {
        for (const auto& [first, second] : pairs) {
            if (auto done = compare(object_path(list, first, a[first].name), a[first].extras, b[second].extras); !done)
                return done;
        }
        return {};
    }

    Result<void> compare(const std::string& path, const Extras& a, const Extras& b) {
        compare_others(path, a, b);
        if (a.json.empty() && b.json.empty()) return {};
        if (a.json == b.json && a.bulk == b.bulk) return {};
        if (a.json.empty() || b.json.empty()) {
            if (!both_complete_) {
                ++one_sided_;
            } else if (!is_helper(a.json.empty() ? b : a)) {
                all_.findings.add(codes::diff_extras, path + " / extras",
                                  "one of them has no record of what glTF cannot say",
                                  a.json.empty() ? "nothing" : "a record", b.json.empty() ? "nothing" : "a record");
            }
            return {};
        }
        return compare_records(path + " / extras", a, b);
    }

    [[nodiscard]] static bool is_helper(const Extras& extras) { return extras.json == "{}"; }

    void compare_others(const std::string& path, const Extras& a, const Extras& b) {
        if (a.other == b.other) return;
        const auto json_a = parse_json(a.other.empty() ? "{}" : a.other),
                   json_b = parse_json(b.other.empty() ? "{}" : b.other);
        if (json_a && json_b) {
            compare_trees(all_.findings, codes::diff_extras, path + " / properties", *json_a, *json_b,
                          rules(all_, none));
        } else {
            all_.findings.add(codes::diff_extras, path + " / properties", "the custom properties differ");
        }
    }

    static bool none(std::string_view /*member*/) { return false; }
    [[nodiscard]] static TreeRules rules(const Comparison& all, bool (*is_ignored)(std::string_view)) {
        return {is_ignored, all.findings.tolerances().number};
    }

    Result<void> compare_records(const std::string& path, const Extras& a, const Extras& b) {
        constexpr std::uint64_t bytes_a_letter = 32;  // of a tree that is made of it
        const std::uint64_t letters = size_of(a) + size_of(b);
        if (auto done = all_.take(letters, bytes_a_letter); !done) return done;
        auto json_a = parse_json(a.json), json_b = parse_json(b.json);
        if (json_a && json_b) {
            for (const auto& [json, extras] : {std::pair(&*json_a, &a), std::pair(&*json_b, &b)}) {
                if (json->is_object()) *json = record_of(*extras);  // with its bulk data
                drop_said(*json);
            }
            compare_trees(all_.findings, codes::diff_extras, path, *json_a, *json_b, rules(all_, says_nothing));
        } else {
            all_.findings.add(codes::diff_extras, path, "the records differ, and are not both JSON");
        }
        all_.budget.give_back(letters * bytes_a_letter);
        return {};
    }

    Comparison& all_;
    bool both_complete_ = true;
    std::size_t one_sided_ = 0;
};

}  // namespace

Result<void> compare_extras(Comparison& comparison) {
    if (comparison.findings.ignores(codes::diff_extras)) return {};
    return ExtrasComparison(comparison).run();
}

}  // namespace effigy::diff
