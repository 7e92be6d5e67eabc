/// What points hang on.

#include "effigy/arp_codes.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/link_rules.hpp"

namespace effigy::arp::checks {

namespace {

constexpr std::uint32_t usual_links = 4;

/// A link's address: findings name the point that it belongs to.
std::uint64_t link_at(std::uint64_t point, std::uint32_t link) noexcept { return point << 32U | link; }

class PointsCheck {
public:
    PointsCheck(const Context& context, const Mesh& mesh, const std::string& path, LinkedBones& bones)
        : context_(context), points_(mesh.points), path_(path), bones_(bones) {}

    void run() {
        std::size_t first = 0;
        for (std::size_t point = 0; point < points_.size(); ++point) {
            ++bones_.points;
            const std::uint32_t links = points_.link_counts[point];
            if (links == 0) loose_.hit(point);
            if (links > usual_links) many_.hit(point);
            double sum = 0;
            for (std::uint32_t link = 0; link < links; ++link) {
                check_link(first + link, point, link);
                sum += double{points_.weights[first + link]};
            }
            if (links != 0 && std::abs(sum - 1) > weight_tolerance) sum_.hit(point);
            first += links;
        }
        check_neighbours();
        report_points();
        report_links();
    }

private:
    void check_link(std::size_t index, std::size_t point, std::uint32_t link) {
        const std::uint64_t place = link_at(point, link);
        const float weight = points_.weights[index], distance = points_.distances[index];
        const Vec3 &offset = points_.offsets[index], &normal = points_.normals[index];
        check_bone(index, place);
        if (!is_finite(offset) || !is_finite(normal) || !std::isfinite(weight) || !std::isfinite(distance)) {
            not_finite_.hit(place);
            return;
        }
        if (weight < 0) negative_.hit(place);
        if (weight == 0) {
            zero_.hit(place);
            return;  // the rest of it may be anything
        }
        if (length(normal) < no_length) flat_.hit(place);
        if (is_distance_off(distance, offset)) distance_.hit(place);
    }

    void check_bone(std::size_t index, std::uint64_t place) {
        const std::uint32_t bone = points_.bones[index];
        if (bone >= bones_.missing.size()) {
            nameless_.hit(place);
            return;
        }
        if (bones_.missing[bone]) {
            if (!homeless_) homeless_name_ = bone;
            homeless_.hit(place);
        }
        if (points_.weights[index] == 0) return;
        if (bones_.last_points[bone] == bones_.points) repeated_.hit(place);
        bones_.last_points[bone] = bones_.points;
    }

    void check_neighbours() {
        for (std::size_t index = 0; index < points_.neighbours.size(); ++index)
            if (points_.neighbours[index] >= points_.size()) astray_.hit(index);
        report(
            context_.findings, codes::arp_neighbour_range, astray_, "neighbours",
            [this](std::uint64_t /*index*/) { return path_; }, "less than " + std::to_string(points_.size()));
    }

    void report_points() const {
        const auto place = [this](std::uint64_t point) { return point_path(point); };
        report(context_.findings, codes::arp_point_loose, loose_, "points", place);
        report(context_.findings, codes::arp_link_many, many_, "points", place, "at most 4 links");
        report(context_.findings, codes::arp_weight_sum, sum_, "points", place, "1");
    }

    void report_links() const {
        const auto field = [this](const char* name) {
            return [this, name](std::uint64_t at) {
                return below(point_path(at >> 32U), element_path(name, at & 0xffffffff));
            };
        };
        // Names do not stand in one array.
        const auto point = [this](std::uint64_t at) { return point_path(at >> 32U); };
        Findings& findings = context_.findings;
        report(findings, codes::arp_not_finite, not_finite_, "links", field("offsets"));
        report(findings, codes::arp_link_name, nameless_, "links", point,
               "less than " + std::to_string(bones_.missing.size()));
        report(findings, codes::arp_link_repeated, repeated_, "links", point);
        report(findings, codes::arp_weight_negative, negative_, "links", field("weights"));
        report(findings, codes::arp_weight_zero, zero_, "links", field("weights"));
        report(findings, codes::arp_normal_length, flat_, "links", field("normals"));
        report(findings, codes::arp_distance, distance_, "links", field("distances"));
        // Without a skeleton that is what is wrong.
        if (homeless_ && !context_.file.bones.empty()) {
            const std::string& name = context_.file.link_names[homeless_name_];
            findings.add(codes::arp_link_bone, point(homeless_.first),
                         first_of(shortened(up_to_nul(name)), homeless_.count), "a bone of the skeleton");
        }
    }

    [[nodiscard]] std::string point_path(std::uint64_t index) const {
        return below(path_, element_path("point", index));
    }

    const Context& context_;
    const Points& points_;
    const std::string& path_;
    LinkedBones& bones_;
    Tally loose_, many_, sum_, astray_;                                                      // points, neighbours
    Tally not_finite_, nameless_, homeless_, repeated_, negative_, zero_, flat_, distance_;  // links
    std::size_t homeless_name_ = 0;
};

}  // namespace

void check_points(const Context& context, const Mesh& mesh, const std::string& path, LinkedBones& bones) {
    PointsCheck(context, mesh, path, bones).run();
}

}  // namespace effigy::arp::checks
