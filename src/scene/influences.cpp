/// Influences of vertices over all sets of joints and weights: merged, and the heaviest kept.

#include <algorithm>
#include <cmath>

#include "effigy/scene_access.hpp"

namespace effigy {

InfluenceReader::InfluenceReader(const Mesh& mesh, std::size_t joint_count, std::vector<std::uint32_t> same_as)
    : joint_count_(joint_count), same_as_(std::move(same_as)) {
    if (!same_as_.empty()) joint_count_ = std::min(joint_count_, same_as_.size());
    for (std::uint32_t set = 0;; ++set) {
        Set next{{mesh, Semantic::joints, set}, {mesh, Semantic::weights, set}};
        if (next.joints.empty() || next.weights.width() != next.joints.width()) return;
        sets_.push_back(std::move(next));
    }
}

std::span<const VertexInfluence> InfluenceReader::all(std::size_t vertex) {
    list_.clear();
    for (const Set& set : sets_) {
        const auto joints = set.joints[vertex];
        const auto weights = set.weights[vertex];
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] > 0 && std::isfinite(weights[i]) && joints[i] < joint_count_)
                list_.push_back({joints[i], static_cast<double>(weights[i])});
        }
    }
    return list_;
}

/// Into the first one of each joint.
void InfluenceReader::merge() {
    constexpr std::size_t max_searched = 64;  // far more than any real vertex has
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        const VertexInfluence next = list_[i];
        const auto is_same = [&](const VertexInfluence& one) {
            return one.joint == next.joint || (!same_as_.empty() && same_as_[one.joint] == same_as_[next.joint]);
        };
        const auto end = list_.begin() + static_cast<std::ptrdiff_t>(std::min(kept, max_searched));
        const auto same = std::find_if(list_.begin(), end, is_same);
        if (same != end) {
            same->weight += next.weight;
        } else {
            list_[kept++] = next;
        }
    }
    list_.resize(kept);
}

std::span<const VertexInfluence> InfluenceReader::heaviest(std::size_t vertex, std::size_t limit, Order order) {
    static_cast<void>(all(vertex));
    merge();
    dropped_ = list_.size() - std::min(list_.size(), limit);
    dropped_weight_ = 0;
    const auto is_heavier = [](const VertexInfluence& a, const VertexInfluence& b) { return a.weight > b.weight; };
    const bool wants_order = dropped_ != 0 || order == Order::heaviest_first;
    // Most are in order, and sorting takes memory.
    if (wants_order && !std::is_sorted(list_.begin(), list_.end(), is_heavier))
        std::stable_sort(list_.begin(), list_.end(), is_heavier);
    if (dropped_ == 0) return list_;
    double whole = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        whole += list_[i].weight;
        if (i >= limit) dropped_weight_ += list_[i].weight;
    }
    dropped_weight_ /= whole;
    list_.resize(limit);
    return list_;
}

}  // namespace effigy
