/// Connections and lights of one side, made on the other side as well.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "egosoft/from_scene/component.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// Metres, and part of the way to the farthest connection: what is nearer lies in the plane, or is the image.
constexpr double min_nearness = 0.01, nearness_share = 2e-4;

struct Sides {
    int axis;
    std::string_view one, other;
};
constexpr std::array all_sides{Sides{0, "left", "right"}, Sides{0, "port", "starboard"}, Sides{0, "l", "r"},
                               Sides{1, "top", "bottom"}, Sides{1, "upper", "lower"},    Sides{1, "up", "down"},
                               Sides{2, "front", "rear"}, Sides{2, "front", "back"},     Sides{2, "fore", "aft"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string opposite_word(std::string_view word, int axis, bool is_last) {
    const std::string plain = lower(word);
    for (const Sides& sides : all_sides) {
        // "con_turret_l_01" is a large turret.
        if (sides.axis != axis || (sides.one.size() == 1 && !is_last)) continue;
        const std::string_view found = plain == sides.one ? sides.other : plain == sides.other ? sides.one : "";
        if (found.empty()) continue;
        std::string result(found);
        const auto raise = [](char& c) { c = static_cast<char>(c - 'a' + 'A'); };
        if (word.back() != plain.back()) {
            std::for_each(result.begin(), result.end(), raise);
        } else if (word.front() != plain.front()) {
            raise(result.front());
        }
        return result;
    }
    return std::string(word);
}

/// With the words for sides exchanged.
std::string opposite(std::string_view name, int axis) {
    std::string result;
    for (std::size_t at = 0; at < name.size();) {
        std::size_t end = at;
        while (end < name.size() && is_letter(name[end])) ++end;
        if (end == at) {
            result += name[at++];
        } else {
            result += opposite_word(name.substr(at, end - at), axis, end == name.size());
            at = end;
        }
    }
    return result;
}

/// The other side's name, else the next number that nobody has.
std::string name_of_image(const std::string& name, int axis, UniqueNames& names) {
    const std::string other = opposite(name, axis);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    constexpr std::size_t max_digits = 6;
    if (other != name || digits == name.size() || name.size() - digits > max_digits) return names.add(other);
    for (int number = std::stoi(name.substr(digits)) + 1;; ++number) {
        std::string text = std::to_string(number);
        text.insert(0, name.size() - digits - std::min(text.size(), name.size() - digits), '0');
        if (names.take(name.substr(0, digits) + text)) return name.substr(0, digits) + text;
    }
}

/// Of a ship there is one of each, wherever it stands.
bool is_single(const PlannedConnection& connection) {
    std::string words = connection.tags.empty() ? connection.name : connection.tags;
    std::replace(words.begin(), words.end(), '_', ' ');
    constexpr std::array<std::string_view, 8> singles{"position",      "contents", "component", "cockpit",
                                                      "playercontrol", "tochair",  "uianchor",  "pilot"};
    return std::any_of(singles.begin(), singles.end(), [&](std::string_view tag) { return has_tag(words, tag); });
}

class Mirror {
public:
    Mirror(const PlanNodes& nodes, Plan& plan, int axis) : nodes_(nodes), plan_(plan), axis_(axis) {
        mirror_[axis][axis] = -1;
        for (const PlannedConnection& connection : plan.connections) {
            for (const PlannedPart& part : connection.parts) parts_.emplace(lower(part.name), part.node);
        }
        for (const PlannedConnection& connection : plan.connections) {
            const glm::dvec3 at(place_of(connection.parent, connection.offset)[3]);
            nearness_ = std::max(nearness_, nearness_share * glm::length(at));
        }
    }

    NameList run(UniqueNames& names) {
        add_connections(names);
        add_lights();
        return std::move(made_);
    }

private:
    [[nodiscard]] glm::dmat4 frame_of_part(const std::string& part) const {
        const auto found = parts_.find(lower(part));
        if (found != parts_.end()) return nodes_.frames[found->second];
        const bool is_base = plan_.root != no_index && nodes_.kinds[plan_.root] == "component";
        return is_base ? nodes_.frames[plan_.root] : glm::dmat4(1);
    }
    /// Where it stands in the component.
    [[nodiscard]] glm::dmat4 place_of(const std::string& part, const glm::dmat4& offset) const {
        return glm::inverse(frame_of_part({})) * frame_of_part(part) * offset;
    }
    /// Forward and up are the image's; right is turned round, or it would be no rotation.
    [[nodiscard]] glm::dmat4 image(const glm::dmat4& place) const {
        return mirror_ * place * glm::dmat4{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    }
    [[nodiscard]] bool is_near(const glm::dmat4& a, const glm::dmat4& b) const {
        return glm::distance(glm::dvec3(a[3]), glm::dvec3(b[3])) <= nearness_;
    }
    [[nodiscard]] bool is_in_plane(const glm::dmat4& place) const { return std::fabs(place[3][axis_]) <= nearness_; }
    /// The part on the other side if there is one, else the same.
    [[nodiscard]] std::string opposite_part(const std::string& part) const {
        const std::string other = opposite(part, axis_);
        return parts_.contains(lower(other)) ? other : part;
    }

    void add_connections(UniqueNames& names) {
        const std::vector<PlannedConnection> all = plan_.connections;
        for (const PlannedConnection& one : all) {
            if (!one.parts.empty() || is_single(one)) continue;
            const glm::dmat4 place = place_of(one.parent, one.offset), other = image(place);
            const std::string tags = opposite(one.tags, axis_);
            const auto is_image = [&](const PlannedConnection& two) {
                return two.parts.empty() && two.tags == tags && is_near(place_of(two.parent, two.offset), other);
            };
            if (is_in_plane(place) || std::any_of(all.begin(), all.end(), is_image)) continue;
            PlannedConnection& made = plan_.connections.emplace_back(one);
            made.is_image = true;
            made.name = name_of_image(one.name, axis_, names);
            made.tags = tags;
            made.group = opposite(one.group, axis_);
            made.parent = opposite_part(one.parent);
            made.offset = glm::inverse(place_of(made.parent, glm::dmat4(1))) * other;
            made_.add(made.name);
        }
    }

    void add_lights() {
        std::vector<std::pair<std::string, PlannedLight>> all;
        UniqueNames names(UniqueNames::Case::is_ignored);
        const auto collect = [&](const std::string& part, const std::vector<PlannedLight>& lights) {
            for (const PlannedLight& light : lights) {
                names.take(nodes_.scene.nodes[light.node].name);
                all.emplace_back(part, light);
            }
        };
        collect({}, plan_.lights);
        std::map<std::string, std::vector<PlannedLight>*> lists{{std::string(), &plan_.lights}};
        for (PlannedConnection& connection : plan_.connections) {
            for (PlannedPart& part : connection.parts) {
                collect(part.name, part.lights);
                lists.emplace(lower(part.name), &part.lights);
            }
        }
        for (const auto& [part, light] : all) {
            const glm::dmat4 place = place_of(part, light.place), other = image(place);
            const auto is_image = [&](const auto& two) {
                return is_near(place_of(two.first, two.second.place), other);
            };
            if (is_in_plane(place) || std::any_of(all.begin(), all.end(), is_image)) continue;
            const std::string above = opposite_part(part);
            PlannedLight made = light;
            made.known = false;
            made.name = name_of_image(nodes_.scene.nodes[light.node].name, axis_, names);
            made.place = glm::inverse(place_of(above, glm::dmat4(1))) * other;
            made_.add(made.name);
            lists.at(lower(above))->push_back(std::move(made));
        }
    }

    const PlanNodes& nodes_;
    Plan& plan_;
    int axis_;
    double nearness_ = min_nearness;
    glm::dmat4 mirror_{1};
    std::unordered_map<std::string, Index> parts_;
    NameList made_;
};

}  // namespace

NameList mirror_connections(const PlanNodes& nodes, Plan& plan, int axis, UniqueNames& names) {
    return Mirror(nodes, plan, axis).run(names);
}

}  // namespace effigy::egosoft::bridge
