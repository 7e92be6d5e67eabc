/// Joins triangles into one strip, over triangles without area.

#include "strip.hpp"

#include <unordered_map>

namespace signer {

namespace {

using Triangle = std::array<std::uint16_t, 3>;

class Stripper {
public:
    explicit Stripper(const std::vector<Triangle>& triangles) : triangles_(triangles), used_(triangles.size()) {
        for (std::size_t i = 0; i < triangles.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k) by_edge_.emplace(key(triangles[i][k], triangles[i][(k + 1) % 3]), i);
    }

    std::vector<std::uint16_t> run() {
        for (std::size_t i = 0; i < triangles_.size(); ++i) {
            if (used_[i]) continue;
            std::vector<std::size_t> best_taken;
            std::vector<std::uint16_t> best;
            for (std::size_t turn = 0; turn < 3; ++turn) {
                std::vector<std::size_t> taken;
                std::vector<std::uint16_t> strip = grow(i, turn, taken);
                for (const std::size_t triangle : taken) used_[triangle] = false;
                if (strip.size() <= best.size()) continue;
                best = std::move(strip);
                best_taken = std::move(taken);
            }
            for (const std::size_t triangle : best_taken) used_[triangle] = true;
            join(best);
        }
        return std::move(all_);
    }

private:
    static std::uint32_t key(std::uint16_t from, std::uint16_t to) { return std::uint32_t{from} << 16U | to; }

    std::vector<std::uint16_t> grow(std::size_t first, std::size_t turn, std::vector<std::size_t>& taken) {
        const Triangle& start = triangles_[first];
        std::vector<std::uint16_t> strip{start[turn], start[(turn + 1) % 3], start[(turn + 2) % 3]};
        used_[first] = true;
        taken.push_back(first);
        for (;;) {
            std::uint16_t from = strip[strip.size() - 2], to = strip.back();
            if (strip.size() % 2 != 0) std::swap(from, to);  // the next triangle is an odd one
            const auto next = by_edge_.find(key(from, to));
            if (next == by_edge_.end() || used_[next->second]) return strip;
            used_[next->second] = true;
            taken.push_back(next->second);
            for (const std::uint16_t corner : triangles_[next->second])
                if (corner != from && corner != to) {
                    strip.push_back(corner);
                    break;
                }
        }
    }

    void join(const std::vector<std::uint16_t>& strip) {
        if (!all_.empty()) {
            all_.insert(all_.end(), {all_.back(), strip.front()});
            if (all_.size() % 2 != 0) all_.push_back(strip.front());
        }
        all_.insert(all_.end(), strip.begin(), strip.end());
    }

    const std::vector<Triangle>& triangles_;
    std::vector<bool> used_;
    std::unordered_map<std::uint32_t, std::size_t> by_edge_;
    std::vector<std::uint16_t> all_;
};

}  // namespace

std::vector<std::uint16_t> one_strip(const std::vector<Triangle>& triangles) { return Stripper(triangles).run(); }

}  // namespace signer
