/// Joints and weights of vertices.

#include <algorithm>
#include <array>
#include <limits>

#include "x42/to_scene/geometry.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint32_t whole = 255;  ///< as bytes say 1

/// The weights of one vertex after another.
class Blender {
public:
    Blender(const File& file, const Joints& joints, MeshFindings& findings)
        : file_(file), joints_(joints), findings_(findings) {}

    void open(const DrawnGroup& drawn) {
        const Group& group = file_.groups[drawn.number];
        influences_ = group.vertex_influences;
        palette_.clear();
        const std::size_t count = std::min<std::size_t>(group.influence_count, group.influences.size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint16_t place = group.influences[i];
            palette_.push_back(place < joints_.of_influences.size() ? joints_.of_influences[place] : joints_.still);
        }
        bytes_ = drawn.has_blend ? file_.blend.data() + drawn.blend : nullptr;
    }

    /// At most four, each joint once; their weights sum up to `whole`.
    std::span<const Weight> next() {
        weights_.clear();
        if (influences_ == 0 || palette_.empty() || bytes_ == nullptr) {
            if (influences_ != 0 && palette_.empty()) ++findings_.bad_blend;
            weights_.push_back({influences_ == 0 || palette_.empty() ? joints_.still : palette_.front(), whole});
        } else {
            read();
            fit();
        }
        return weights_;
    }

private:
    std::uint32_t byte() { return static_cast<std::uint32_t>(*bytes_++); }

    void read() {
        std::uint32_t sum = 0;
        bool bad = false;
        std::fill(numbers_.begin(), numbers_.end(), 0u);
        for (std::size_t i = 0; i < influences_; ++i) {
            const std::uint32_t place = byte();
            const bool is_last = i + 1 == influences_;
            const std::uint32_t weight = is_last ? whole - std::min(sum, whole) : byte();
            sum += weight;
            if (place >= palette_.size()) bad = true;
            if (weight != 0) add(place < palette_.size() ? palette_[place] : palette_.front(), weight, place);
        }
        if (bad) ++findings_.bad_blend;
        if (sum > whole) ++findings_.heavy;
    }

    void add(std::uint32_t joint, std::uint32_t weight, std::size_t place) {
        // Places, of which there are few, stand for joints, so that endless lists are short work.
        if (influences_ > max_weights && numbers_[place] != 0) {
            weights_[numbers_[place] - 1].weight += weight;
            ++findings_.repeated;
            return;
        }
        std::size_t number = 0;
        while (number < weights_.size() && weights_[number].joint != joint) ++number;
        if (number == weights_.size()) {
            weights_.push_back({joint, weight});
        } else {
            weights_[number].weight += weight;
            ++findings_.repeated;
        }
        numbers_[place] = static_cast<std::uint32_t>(number) + 1;
    }

    void fit() {
        if (weights_.size() > max_weights) {
            ++findings_.many;
            std::stable_sort(weights_.begin(), weights_.end(),
                             [](const Weight& a, const Weight& b) { return a.weight > b.weight; });
            weights_.resize(max_weights);
        }
        std::uint64_t sum = 0;
        for (const Weight& one : weights_) sum += one.weight;
        if (sum == whole) return;
        std::uint32_t left = whole;
        for (Weight& one : weights_) {
            one.weight = static_cast<std::uint32_t>(std::uint64_t{one.weight} * whole / sum);
            left -= one.weight;
        }
        std::max_element(weights_.begin(), weights_.end(), [](const Weight& a, const Weight& b) {
            return a.weight < b.weight;
        })->weight += left;
    }

    const File& file_;
    const Joints& joints_;
    MeshFindings& findings_;
    std::size_t influences_ = 0;
    std::vector<std::uint32_t> palette_;  ///< joints
    const std::byte* bytes_ = nullptr;
    std::vector<Weight> weights_;
    std::array<std::uint32_t, 256> numbers_{};  ///< for each place in the palette, its joint's number and 1
};

template <class Number>
void fill(Blender& blender, const Level& level, std::span<Number> numbers, std::span<std::uint8_t> weights) {
    for (const Piece& piece : level.pieces) {
        blender.open(*piece.group);
        for (std::uint32_t i = 0; i < piece.group->vertex_count; ++i) {
            const std::size_t vertex = max_weights * (std::size_t{piece.first_vertex} + i);
            const std::span<const Weight> joints = blender.next();
            for (std::size_t k = 0; k < max_weights; ++k) {
                const bool used = k < joints.size() && joints[k].weight != 0;
                numbers[vertex + k] = static_cast<Number>(used ? joints[k].joint : 0);
                weights[vertex + k] = static_cast<std::uint8_t>(used ? joints[k].weight : 0);
            }
        }
    }
}

}  // namespace

void add_weights(const File& file, const Joints& joints, const Level& level, Mesh& mesh, MeshFindings& findings) {
    const bool small = joints.skin.joints.size() <= std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;
    const auto add = [&]<class Number>(Number, ComponentType component) {
        const auto numbers = add_attribute<Number>(mesh, Semantic::joints, ElementType::vec4, component);
        const auto weights = add_attribute<std::uint8_t>(mesh, Semantic::weights, ElementType::vec4, ComponentType::u8);
        Blender blender(file, joints, findings);
        fill<Number>(blender, level, numbers, weights);
    };
    if (small) {
        add(std::uint8_t{}, ComponentType::u8);
    } else {
        add(std::uint16_t{}, ComponentType::u16);
    }
}

}  // namespace effigy::x42::bridge
