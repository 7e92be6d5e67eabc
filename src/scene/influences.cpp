/// Influences of vertices over all sets of joints and weights: merged, and the heaviest kept.

#include <algorithm>
#include <cmath>

#include "effigy/scene_access.hpp"

namespace effigy {

InfluenceReader::InfluenceReader(const Mesh& mesh, std::size_t joint_count, std::vector<std::uint32_t> same_as)
    : joint_count_(joint_count), same_as_(std::move(same_as)) {
    if (!same_as_.empty()) joint_count_ = std::min(joint_count_, same_as_.size());
    for (std::uint32_t set = 0;; ++set) {
        const Attribute* const joints = find_attribute(mesh, Semantic::joints, set);
        Set next{{}, {}, {}, FloatView(mesh, Semantic::weights, set)};
        if (joints == nullptr || next.weights.width() != component_count(joints->data.element)) return;
        const ComponentType type = joints->data.normalized ? ComponentType::f32 : joints->data.component;
        if (type == ComponentType::u8) {
            next.bytes = joints->data.as<std::uint8_t>();
        } else if (type == ComponentType::u16) {
            next.words = joints->data.as<std::uint16_t>();
        } else {
            next.others = NumberView<std::uint32_t>(joints);
        }
        sets_.push_back(std::move(next));
    }
}

template <class Joint>
void InfluenceReader::add(std::span<const Joint> joints, const FloatView& weights, std::size_t vertex) {
    const auto of_vertex = weights[vertex];
    const std::size_t first = weights.width() * vertex;
    for (std::size_t i = 0; i < of_vertex.size(); ++i) {
        const std::uint32_t joint = joints[first + i];
        if (of_vertex[i] > 0 && std::isfinite(of_vertex[i]) && joint < joint_count_)
            list_.push_back({joint, static_cast<double>(of_vertex[i])});
    }
}

std::span<const VertexInfluence> InfluenceReader::all(std::size_t vertex) {
    list_.clear();
    for (const Set& set : sets_) {
        if (!set.bytes.empty()) {
            add(set.bytes, set.weights, vertex);
        } else if (!set.words.empty()) {
            add(set.words, set.weights, vertex);
        } else {
            add(set.others.values(), set.weights, vertex);
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
