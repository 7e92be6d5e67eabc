/// Which node, mesh, material or clip of one scene is which of the other.

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "diff/compare.hpp"

namespace effigy::diff {

namespace {

/// Objects that have no counterpart yet, by name, each in its order.
class ByName {
public:
    void add(std::string_view name, Index index) { lists_[name].indices.push_back(index); }
    [[nodiscard]] Index take(std::string_view name) {
        const auto found = lists_.find(name);
        if (found == lists_.end() || found->second.taken == found->second.indices.size()) return no_index;
        return found->second.indices[found->second.taken++];
    }
    [[nodiscard]] Index only(std::string_view name) const {
        const auto found = lists_.find(name);
        return found == lists_.end() || found->second.indices.size() != 1 ? no_index : found->second.indices.front();
    }

private:
    struct List {
        std::vector<Index> indices;
        std::size_t taken = 0;
    };
    std::unordered_map<std::string_view, List> lists_;
};

class NodeMatcher {
public:
    NodeMatcher(const Scene& a, const Tree& tree_a, const Scene& b, const Tree& tree_b)
        : a_(a), b_(b), tree_a_(tree_a), tree_b_(tree_b), match_(a.nodes.size(), b.nodes.size()) {}

    Match run() {
        match_children(tree_a_.roots(), tree_b_.roots());
        follow_pairs();
        match_moved();
        follow_pairs();
        match_renamed(tree_a_.roots(), tree_b_.roots());
        follow_pairs();
        for (std::size_t i = 0; i < pairs_.size(); ++i) {  // NOLINT(modernize-loop-convert): grows on the way
            const auto [a, b] = pairs_[i];
            match_renamed(tree_a_.children[a], tree_b_.children[b]);
            follow_pairs();
        }
        return std::move(match_);
    }

private:
    void join(Index a, Index b) {
        match_.join(a, b);
        pairs_.emplace_back(a, b);
    }

    void follow_pairs() {
        for (; followed_ < pairs_.size(); ++followed_) {
            const auto [a, b] = pairs_[followed_];
            match_children(tree_a_.children[a], tree_b_.children[b]);
        }
    }

    void match_children(const std::vector<Index>& a, const std::vector<Index>& b) {
        ByName names;
        for (const Index child : b) {
            if (match_.to_a[child] == no_index) names.add(b_.nodes[child].name, child);
        }
        for (const Index child : a) {
            if (match_.to_b[child] != no_index) continue;
            const Index other = names.take(a_.nodes[child].name);
            if (other != no_index) join(child, other);
        }
    }

    void match_moved() {
        ByName left_a, left_b;
        for (const Index node : tree_a_.order) {
            if (match_.to_b[node] == no_index) left_a.add(a_.nodes[node].name, node);
        }
        for (const Index node : tree_b_.order) {
            if (match_.to_a[node] == no_index) left_b.add(b_.nodes[node].name, node);
        }
        for (const Index node : tree_a_.order) {
            if (match_.to_b[node] != no_index || a_.nodes[node].name.empty()) continue;
            const Index other = left_b.only(a_.nodes[node].name);
            if (other != no_index && left_a.only(a_.nodes[node].name) == node) join(node, other);
        }
    }

    void match_renamed(const std::vector<Index>& a, const std::vector<Index>& b) {
        std::vector<Index> left_a, left_b;
        std::copy_if(a.begin(), a.end(), std::back_inserter(left_a),
                     [&](Index node) { return match_.to_b[node] == no_index; });
        std::copy_if(b.begin(), b.end(), std::back_inserter(left_b),
                     [&](Index node) { return match_.to_a[node] == no_index; });
        if (left_a.size() != left_b.size()) return;
        for (std::size_t i = 0; i < left_a.size(); ++i) join(left_a[i], left_b[i]);
    }

    const Scene &a_, &b_;
    const Tree &tree_a_, &tree_b_;
    Match match_;
    std::vector<std::pair<Index, Index>> pairs_;
    std::size_t followed_ = 0;
};

}  // namespace

Tree::Tree(const Scene& scene) : parents(scene.nodes.size(), no_index), children(scene.nodes.size() + 1) {
    const std::size_t count = scene.nodes.size();
    for (std::size_t node = 0; node < count; ++node) {
        const Index parent = scene.nodes[node].parent;
        if (parent < count && parent != node) parents[node] = parent;
        children[parents[node] == no_index ? count : parents[node]].push_back(static_cast<Index>(node));
    }
    std::vector<bool> reached(count);
    const auto follow = [&](Index root) {
        reached[root] = true;
        order.push_back(root);
        for (std::size_t i = order.size() - 1; i < order.size(); ++i) {
            for (const Index child : children[order[i]]) {
                if (reached[child]) continue;
                reached[child] = true;
                order.push_back(child);
            }
        }
    };
    for (const Index root : children.back()) follow(root);
    std::vector<bool> passed(count);
    for (Index start = 0; start < count; ++start) {
        if (reached[start]) continue;
        Index node = start;  // in a circle, or below one
        for (; !passed[node]; node = parents[node]) passed[node] = true;
        std::erase(children[parents[node]], node);
        parents[node] = no_index;
        children.back().push_back(node);
        follow(node);
    }
}

Match match_nodes(const Scene& a, const Tree& tree_a, const Scene& b, const Tree& tree_b) {
    return NodeMatcher(a, tree_a, b, tree_b).run();
}

Match match_names(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    Match match(a.size(), b.size());
    ByName names;
    for (std::size_t i = 0; i < b.size(); ++i) names.add(b[i], static_cast<Index>(i));
    std::vector<Index> left_a, left_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Index other = names.take(a[i]);
        if (other != no_index) {
            match.join(static_cast<Index>(i), other);
        } else {
            left_a.push_back(static_cast<Index>(i));
        }
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (match.to_a[i] == no_index) left_b.push_back(static_cast<Index>(i));
    }
    if (left_a.size() != left_b.size()) return match;
    for (std::size_t i = 0; i < left_a.size(); ++i) match.join(left_a[i], left_b[i]);
    return match;
}

std::string object_path(std::string_view list, std::size_t index, std::string_view name) {
    std::string path = element_path(list, index);
    return name.empty() ? path : path + " " + shortened(name);
}

}  // namespace effigy::diff
