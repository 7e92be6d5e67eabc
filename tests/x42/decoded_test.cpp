// The reference files: what is decoded is what the original game's loader decoded.

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "effigy/x42.hpp"

namespace effigy::test::x42 {
namespace {

using namespace effigy::x42;

constexpr double position_tolerance = 2e-5, unit_tolerance = 1e-6;

std::string reference(const std::string& name) { return EFFIGY_SOURCE_DIR "/tests/x42/reference/" + name; }

Bytes bytes_of_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    Bytes bytes;
    for (char letter = 0; stream.get(letter);) bytes.push_back(static_cast<std::byte>(letter));
    return bytes;
}

/// Words of the lines that begin with `kind`, without it.
std::vector<std::vector<std::string>> lines(const std::string& name, const std::string& kind) {
    std::ifstream stream(reference(name + ".expected.txt"));
    std::vector<std::vector<std::string>> found;
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first != kind) continue;
        found.emplace_back();
        for (std::string word; words >> word;) found.back().push_back(word);
    }
    return found;
}

void expect_near(const Vec3& value, const std::vector<std::string>& words, std::size_t at, double tolerance) {
    EXPECT_NEAR(value.x, std::stod(words.at(at)), tolerance);
    EXPECT_NEAR(value.y, std::stod(words.at(at + 1)), tolerance);
    EXPECT_NEAR(value.z, std::stod(words.at(at + 2)), tolerance);
}

Vec3 in_game(const Vec3& value, bool turned) { return turned ? Vec3{-value.x, value.z, value.y} : value; }

struct Weighted {
    unsigned influence = 0;
    double weight = 0;
};

/// Influences of each vertex of a group, of whose blend bytes `at` is the first.
std::vector<std::array<Weighted, 4>> weights(const File& file, const Group& group, std::size_t& at) {
    std::vector<std::array<Weighted, 4>> all(group.vertex_count);
    const auto next = [&] { return std::to_integer<unsigned>(file.blend.at(at++)); };
    for (auto& vertex : all) {
        double rest = 1;
        for (unsigned place = 0; place < group.vertex_influences; ++place) {
            vertex[place].influence = next();
            const bool last = place + 1u == group.vertex_influences;
            vertex[place].weight = last ? rest : next() / 255.0;
            rest -= vertex[place].weight;
        }
    }
    return all;
}

/// Where the words of "n", "t", "tc" or "c" begin.
std::size_t after(const std::vector<std::string>& words, const std::string& mark) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (words[at] == mark) return at + 1;
    return 0;
}

void expect_attributes(const File& file, std::size_t vertex, const std::vector<std::string>& words, bool turned) {
    EXPECT_EQ(after(words, "n") != 0, !file.normals.empty());
    EXPECT_EQ(after(words, "t") != 0, !file.tangents.empty());
    EXPECT_EQ(after(words, "tc") != 0, !file.texcoords.empty());
    EXPECT_EQ(after(words, "c") != 0, !file.colors.empty());
    if (const std::size_t at = after(words, "n"))
        expect_near(in_game(unpack(file.normals[vertex]), turned), words, at, unit_tolerance);
    if (const std::size_t at = after(words, "t")) {
        const PackedTangent& packed = file.tangents[vertex];
        expect_near(in_game(unpack(PackedNormal{packed[0], packed[1], packed[2]}), turned), words, at, unit_tolerance);
        EXPECT_EQ(packed[3] < 0 ? -1 : 1, std::stod(words[at + 3]));
        expect_near(in_game(unpack(PackedNormal{packed[4], packed[5], packed[6]}), turned), words, at + 4,
                    unit_tolerance);
    }
    if (const std::size_t at = after(words, "tc")) {
        const Vec2 value = unpack(file.texcoords[vertex], file.pack.texcoords);
        EXPECT_NEAR(value.x, std::stod(words[at]), unit_tolerance);
        EXPECT_NEAR(value.y, std::stod(words[at + 1]), unit_tolerance);
    }
    if (const std::size_t at = after(words, "c")) {
        for (std::size_t channel = 0; channel < 4; ++channel)
            EXPECT_EQ(std::to_string(file.colors[vertex][channel]), words[at + channel]);
    }
}

class Reference : public testing::TestWithParam<const char*> {
protected:
    Reference() : loaded_(read_file(reference(GetParam() + std::string(".x42")))) {}
    [[nodiscard]] const File& file() const { return loaded_->value; }

    Result<Loaded<File>> loaded_;
};
INSTANTIATE_TEST_SUITE_P(Files, Reference, testing::Values("le_full", "be_full", "le_uniform", "le_nonorm", "le_notc"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(Reference, IsKept) {
    ASSERT_TRUE(loaded_) << to_string(loaded_.error());
    EXPECT_TRUE(loaded_->report.empty());
    EXPECT_EQ(write(file()).value(), bytes_of_file(reference(GetParam() + std::string(".x42"))));
    EXPECT_FALSE(check(file()).has_errors());
}

TEST_P(Reference, HasTheCounts) {
    const std::vector<std::string> words = lines(GetParam(), "bones").at(0);
    const std::vector<std::size_t> counts{file().bones.size(),
                                          file().groups.size(),
                                          file().vertices.size(),
                                          file().indices.size(),
                                          file().positions.size(),
                                          file().rotations.size(),
                                          file().scales.size() / scale_width(file().header),
                                          file().keys.size()};
    for (std::size_t place = 0; place < counts.size(); ++place)
        EXPECT_EQ(std::to_string(counts[place]), place == 0 ? words[0] : words.at(2 * place)) << place;
}

TEST_P(Reference, HasTheBones) {
    const auto bones = lines(GetParam(), "bone");
    ASSERT_EQ(bones.size(), file().bones.size());
    for (std::size_t index = 0; index < bones.size(); ++index) {
        const Bone& bone = file().bones[index];
        EXPECT_EQ(name_of(file(), bone.name), bones[index][1]);
        EXPECT_EQ(bone.flags, 0);
        EXPECT_EQ(std::to_string(bone.parent), bones[index][3]);
        EXPECT_NEAR(bone.extent, std::stod(bones[index][4]), position_tolerance);
    }
}

TEST_P(Reference, HasThePalettes) {
    const auto positions = lines(GetParam(), "pv"), rotations = lines(GetParam(), "rv"),
               scales = lines(GetParam(), "sv");
    ASSERT_EQ(positions.size(), file().positions.size());
    ASSERT_EQ(rotations.size(), file().rotations.size());
    ASSERT_EQ(scales.size(), file().scales.size() / scale_width(file().header));
    for (std::size_t index = 0; index < positions.size(); ++index)
        expect_near(unpack(file().positions[index], file().pack.animation_positions), positions[index], 0,
                    position_tolerance);
    for (std::size_t index = 0; index < rotations.size(); ++index) {
        const Quat value = unpack(file().rotations[index]);
        expect_near({value.x, value.y, value.z}, rotations[index], 0, unit_tolerance);
        EXPECT_NEAR(value.w, std::stod(rotations[index][3]), unit_tolerance);
    }
    for (std::size_t index = 0; index < scales.size(); ++index)
        expect_near(scale_at(file(), index), scales[index], 0, unit_tolerance);
}

TEST_P(Reference, HasTheVertices) {
    const auto vertices = lines(GetParam(), "v");
    ASSERT_EQ(vertices.size(), file().vertices.size());
    std::size_t at = 0;
    for (const Group& group : file().groups) {
        const auto influences = weights(file(), group, at);
        const bool turned = group.vertex_influences == 0;  // the loader has done so already
        for (std::uint32_t index = 0; index < group.vertex_count; ++index) {
            const std::size_t vertex = group.first_vertex + index;
            const std::vector<std::string>& words = vertices.at(vertex);
            SCOPED_TRACE("vertex " + std::to_string(vertex));
            const Vec3 position = unpack(file().vertices[vertex], file().pack.vertex_positions);
            expect_near(in_game(position, turned), words, 0, position_tolerance);
            ASSERT_EQ(words.at(3), "w");
            for (std::size_t place = 0; place < 4; ++place) {
                EXPECT_EQ(std::to_string(influences[index][place].influence), words.at(4 + 2 * place));
                EXPECT_NEAR(influences[index][place].weight, std::stod(words.at(5 + 2 * place)), unit_tolerance);
            }
            expect_attributes(file(), vertex, words, turned);
        }
    }
    EXPECT_EQ(at, file().blend.size());
}

TEST_P(Reference, HasTheIndices) {
    const auto indices = lines(GetParam(), "i");
    ASSERT_EQ(indices.size(), file().indices.size());
    for (std::size_t index = 0; index < indices.size(); ++index)
        EXPECT_EQ(std::to_string(file().indices[index]), indices[index][0]);
}

/// The same model in both byte orders: written the other way round, one becomes the other.
TEST(ReferenceFiles, ByteOrdersAgree) {
    File little = read_file(reference("le_full.x42"))->value;
    File big = read_file(reference("be_full.x42"))->value;
    little.big_endian = true;
    big.big_endian = false;
    EXPECT_EQ(write(little).value(), bytes_of_file(reference("be_full.x42")));
    EXPECT_EQ(write(big).value(), bytes_of_file(reference("le_full.x42")));
}

}  // namespace
}  // namespace effigy::test::x42
