/// Differences of two JSON trees, lists of named records by their names.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "core/json.hpp"
#include "core/text.hpp"
#include "diff/findings.hpp"

namespace effigy::diff {

namespace {

constexpr std::size_t max_listed = 20;

class TreeComparison {
public:
    TreeComparison(Findings& findings, const Code& code, const TreeRules& rules)
        : findings_(findings), code_(code), rules_(rules) {}

    void compare(const std::string& path, const Json& a, const Json& b) {
        const std::optional<double> number_a = double_from_json(a), number_b = double_from_json(b);
        if (number_a && number_b) {
            if (!is_same(*number_a, *number_b))
                add(path, "it differs by " + number_text(distance(*number_a, *number_b)), a, b);
        } else if (a.is_object() && b.is_object()) {
            compare_objects(path, a, b);
        } else if (a.is_array() && b.is_array()) {
            compare_arrays(path, a, b);
        } else if (a != b) {
            add(path, "it differs", a, b);
        }
    }

    void finish(const std::string& path) {
        if (count_ > max_listed)
            findings_.add(code_, path, counted(count_ - max_listed, "more value differs", "more values differ"));
    }

private:
    static std::string below(const std::string& path, const std::string& key) {
        return path.empty() ? shortened(key) : path + " / " + shortened(key);
    }

    static std::string shown(const Json& value) {
        if (value.is_object()) return "a record";
        if (value.is_binary()) return std::to_string(value.get_binary().size()) + " bytes";
        if (value.is_array() && value.size() > 8) return "a list of " + std::to_string(value.size());
        return value.is_string() ? value.get_ref<const std::string&>() : to_text(value);
    }

    void add(const std::string& path, std::string message, const Json& a, const Json& b) {
        if (++count_ <= max_listed) findings_.add(code_, path, std::move(message), shown(a), shown(b));
    }

    [[nodiscard]] bool is_same(double a, double b) const {
        const double most = std::max(std::fabs(a), std::fabs(b));
        return distance(a, b) <= rules_.number * (std::isfinite(most) ? most : 0);
    }

    void compare_objects(const std::string& path, const Json& a, const Json& b) {
        for (const auto& [key, value] : a.items()) {
            if (rules_.is_ignored(key)) continue;
            const auto other = b.find(key);
            if (other == b.end()) {
                add(below(path, key), "the second does not have it", value, "nothing");
            } else {
                compare(below(path, key), value, *other);
            }
        }
        for (const auto& [key, value] : b.items()) {
            if (!rules_.is_ignored(key) && !a.contains(key))
                add(below(path, key), "the first does not have it", "nothing", value);
        }
    }

    void compare_arrays(const std::string& path, const Json& a, const Json& b) {
        if (compare_number_lists(path, a, b) || compare_by_key(path, a, b)) return;
        const std::size_t both = std::min(a.size(), b.size());
        for (std::size_t i = 0; i < both; ++i) compare(path + "[" + std::to_string(i) + "]", a[i], b[i]);
        if (a.size() != b.size()) add(path, "the length of the list differs", a.size(), b.size());
    }

    static bool all_numbers(const Json& list) {
        return !list.empty() &&
               std::all_of(list.begin(), list.end(), [](const Json& each) { return each.is_number(); });
    }

    bool compare_number_lists(const std::string& path, const Json& a, const Json& b) {
        if (!all_numbers(a) || !all_numbers(b) || a.size() != b.size()) return false;
        std::size_t count = 0;
        double largest = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double in_a = a[i].get<double>(), in_b = b[i].get<double>();
            if (is_same(in_a, in_b)) continue;
            ++count;
            largest = std::max(largest, distance(in_a, in_b));
        }
        if (count != 0)
            add(path, counted(count, "number differs", "numbers differ") + " by up to " + number_text(largest), a, b);
        return true;
    }

    /// "walk", or "walk.2" for the second of that name; nothing if not all elements have names.
    static std::optional<std::vector<std::pair<std::string, const Json*>>> keyed(const Json& list, const char* member) {
        std::vector<std::pair<std::string, const Json*>> elements;
        std::map<std::string, std::size_t> seen;
        for (const Json& element : list) {
            if (!element.is_object()) return std::nullopt;
            const auto name = element.find(member);
            if (name == element.end() || (!name->is_string() && !name->is_number_integer())) return std::nullopt;
            const std::string key = name->is_string() ? name->get<std::string>() : to_text(*name);
            const std::size_t number = ++seen[key];
            elements.emplace_back(number == 1 ? key : key + "." + std::to_string(number), &element);
        }
        return elements;
    }

    bool compare_by_key(const std::string& path, const Json& a, const Json& b) {
        for (const char* member : {"name", "id"}) {
            const auto in_a = keyed(a, member), in_b = keyed(b, member);
            if (!in_a || !in_b) continue;
            std::map<std::string, const Json*> others(in_b->begin(), in_b->end());
            for (const auto& [key, element] : *in_a) {
                if (rules_.is_ignored(key)) continue;
                const auto other = others.find(key);
                if (other == others.end()) {
                    add(below(path, key), "the second does not have it", *element, "nothing");
                } else {
                    compare(below(path, key), *element, *other->second);
                    others.erase(other);
                }
            }
            for (const auto& [key, element] : others) {
                if (rules_.is_ignored(key)) continue;
                add(below(path, key), "the first does not have it", "nothing", *element);
            }
            return true;
        }
        return false;
    }

    Findings& findings_;
    const Code& code_;
    const TreeRules& rules_;
    std::size_t count_ = 0;
};

}  // namespace

void compare_trees(Findings& findings, const Code& code, const std::string& path, const Json& a, const Json& b,
                   const TreeRules& rules) {
    TreeComparison comparison(findings, code, rules);
    comparison.compare(path, a, b);
    comparison.finish(path);
}

}  // namespace effigy::diff
