/// Reads the vectors, and makes a motion.

#include "vectors.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

#include "contents.hpp"

namespace wavelets {
namespace {

std::string folder() { return std::string(EFFIGY_SOURCE_DIR) + "/tests/emfx_wavelets/vectors/"; }

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Sources are compressed beyond the motion's end, where they stand still.
template <class Key, class Value>
void put(Bulk<Key>& keys, const Value& value, float time, float end) {
    if (!keys.empty() && keys.back().time >= end) return;
    keys.push_back({value, std::min(time, end)});
}

}  // namespace

Bytes bytes_of_vector(const std::string& name) { return test::read_bytes(folder() + name + ".xsm"); }

xsm::File read_vector(const std::string& name) {
    auto read = xsm::read(bytes_of_vector(name));
    EXPECT_TRUE(read) << name;
    return read ? std::move(read->value) : xsm::File();
}

const xsm::Wavelet& wavelet_of(const xsm::File& file) {
    static const xsm::Wavelet none;
    for (const xsm::Chunk& chunk : file.chunks) {
        if (const auto* wavelet = std::get_if<xsm::Wavelet>(&chunk.record)) return *wavelet;
    }
    ADD_FAILURE() << "no compressed motion";
    return none;
}

std::vector<std::vector<std::string>> expected(const std::string& kind) {
    std::ifstream stream(folder() + "expected.txt");
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(stream, line);) {
        std::vector<std::string> words = words_of(line);
        if (words.empty() || words.front() != kind) continue;
        words.erase(words.begin());
        lines.push_back(std::move(words));
    }
    EXPECT_FALSE(lines.empty());
    return lines;
}

xsm::Submotions source_of(const std::string& name, const xsm::Wavelet& wavelet) {
    xsm::Submotions motion;
    for (const xsm::WaveletSubmotion& node : wavelet.submotions) {
        xsm::Submotion& submotion = motion.submotions.emplace_back();
        submotion.node_name = node.node_name;
        submotion.pose_position = node.pose_position;
        submotion.pose_scale = node.pose_scale;
    }
    std::ifstream stream(folder() + name + ".source.txt");
    for (std::string line; std::getline(stream, line);) {
        const std::vector<std::string> words = words_of(line);
        const float time = std::stof(words.at(3)), end = wavelet.maximum_time;
        const auto node = std::find_if(motion.submotions.begin(), motion.submotions.end(),
                                       [&](const auto& one) { return one.node_name == words.at(4); });
        for (std::size_t i = 5; i < words.size();) {
            const auto number = [&](std::size_t k) { return std::stof(words.at(i + k)); };
            const std::string& kind = words[i];
            if (kind == "P") put(node->position_keys, Vec3{number(1), number(2), number(3)}, time, end);
            if (kind == "S") put(node->scale_keys, Vec3{number(1), number(2), number(3)}, time, end);
            if (kind == "R") put(node->rotation_keys, Quat{number(1), number(2), number(3), number(4)}, time, end);
            i += kind == "R" ? 5 : 4;
        }
    }
    EXPECT_FALSE(motion.submotions.front().position_keys.empty()) << name;
    return motion;
}

xsm::Submotions walk(std::size_t joints, double seconds) {
    xsm::Submotions motion;
    const auto count = static_cast<std::size_t>(seconds * 30) + 1;
    for (std::size_t joint = 0; joint < joints; ++joint) {
        xsm::Submotion& submotion = motion.submotions.emplace_back();
        submotion.node_name = "joint" + std::to_string(joint);
        submotion.pose_position = {0, 10, 0};
        for (std::size_t key = 0; key < count; ++key) {
            const double time = static_cast<double>(key) / 30, phase = 0.7 * static_cast<double>(joint);
            const auto turn = [&](double speed) { return 0.3 * std::sin(speed * time + phase); };
            const double x = turn(2.1), y = turn(3.3), z = turn(1.2), w = std::sqrt(1 - x * x - y * y - z * z);
            submotion.rotation_keys.push_back(
                {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w)},
                 static_cast<float>(time)});
            if (joint != 0) continue;
            submotion.position_keys.push_back({{static_cast<float>(10 * turn(1)), static_cast<float>(10 + turn(4)),
                                                static_cast<float>(20 * turn(0.5))},
                                               static_cast<float>(time)});
            submotion.scale_keys.push_back({{1, static_cast<float>(1 + turn(2)), 1}, static_cast<float>(time)});
        }
    }
    return motion;
}

}  // namespace wavelets
