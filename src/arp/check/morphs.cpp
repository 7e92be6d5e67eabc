/// Rules for ARP morph targets: names, indices of points, offsets, weights.

#include <unordered_set>
#include <vector>

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/names.hpp"

namespace effigy::arp::checks {

namespace {

class MorphsCheck {
public:
    MorphsCheck(const Context& context, const Mesh& mesh, const std::string& path)
        : context_(context), mesh_(mesh), path_(path), last_target_(mesh.points.size()) {}

    void run() {
        for (std::size_t target = 0; target < mesh_.morph_targets.size(); ++target) {
            check_name(target);
            const auto& sets = mesh_.morph_targets[target].sets;
            for (std::size_t index = 0; index < sets.size(); ++index) check_set(sets[index], target, index);
        }
        report_all();
    }

private:
    void check_name(std::size_t target) {
        const std::string_view name = up_to_nul(mesh_.morph_targets[target].name);
        if (name.empty() || name.size() > 4) {
            if (!bad_name_) bad_text_ = shortened(name);
            bad_name_.hit(target);
        }
        if (!names_.insert(name).second) {
            if (!repeated_name_) repeated_text_ = shortened(name);
            repeated_name_.hit(target);
        }
    }

    void check_set(const MorphSet& set, std::size_t target, std::size_t index) {
        const std::uint64_t place = std::uint64_t{target} << 32U | (index & 0xffffffff);
        const bool normals = context_.file.layout.morph_normals;
        if (set.point >= mesh_.points.size()) {
            astray_.hit(place);
        } else {
            if (last_target_[set.point] == target + 1) repeated_.hit(place);
            last_target_[set.point] = target + 1;
        }
        if (!is_finite(set.offset) || !std::isfinite(set.weight) || (normals && !is_finite(set.normal))) {
            not_finite_.hit(place);
        } else if (normals) {
            const double size = length(set.normal);
            if (size < no_length)
                flat_.hit(place);
            else if (std::abs(size - 1) > 1e-2)
                long_.hit(place);
        }
    }

    [[nodiscard]] std::string target_path(std::uint64_t target) const {
        return below(path_, element_path("morph_target", target));
    }

    void report_all() const {
        const auto say = [&](const Code& code, const Tally& tally, const std::string& expected = {}) {
            report(
                context_.findings, code, tally, "sets",
                [&](std::uint64_t at) { return below(target_path(at >> 32U), element_path("sets", at & 0xffffffff)); },
                expected);
        };
        if (bad_name_)
            context_.findings.add(codes::arp_morph_name, below(target_path(bad_name_.first), "name"),
                                  first_of(bad_text_, bad_name_.count), "one to four characters");
        if (repeated_name_)
            context_.findings.add(codes::arp_morph_duplicate, below(target_path(repeated_name_.first), "name"),
                                  first_of(repeated_text_, repeated_name_.count));
        say(codes::arp_morph_point, astray_, "less than " + std::to_string(mesh_.points.size()));
        say(codes::arp_morph_repeated, repeated_);
        say(codes::arp_not_finite, not_finite_);
        say(codes::arp_normal_length, flat_);
        say(codes::arp_morph_normal_length, long_, "length 1");
    }

    const Context& context_;
    const Mesh& mesh_;
    const std::string& path_;
    std::vector<std::uint64_t> last_target_;  // of each point: which target moved it last, plus one
    std::unordered_set<std::string_view> names_;
    Tally bad_name_, repeated_name_;                      // targets
    Tally astray_, repeated_, not_finite_, flat_, long_;  // sets
    std::string bad_text_, repeated_text_;
};

}  // namespace

void check_morphs(const Context& context, const Mesh& mesh, const std::string& path) {
    MorphsCheck(context, mesh, path).run();
}

void check_common_morphs(const Context& context) {
    std::unordered_set<std::string_view> names;
    for (const MorphTarget& target : context.file.meshes.front().morph_targets) names.insert(up_to_nul(target.name));
    std::string missing;
    for (const std::string_view name : common_morphs)
        if (!names.contains(name)) (missing += missing.empty() ? "" : " ") += name;
    if (!missing.empty())
        context.findings.add(codes::arp_morph_missing, "mesh[0] / morph_target_count", "no " + missing);
}

}  // namespace effigy::arp::checks
