#pragma once
/// Avatars written by hand from the tables of docs/formats/arp.md, true or lying. Nothing of the library's layout is
/// used here, so that a mistake in it cannot hide.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/bytes.hpp"

namespace effigy::test::arp {

using RawVector = std::array<float, 3>;
using RawTurn = std::array<float, 4>;  ///< x y z w

struct RawLink {
    std::string bone = "ROOT";
    RawVector offset{}, normal{0, 0, 1};
    float weight = 1, distance = 0;
};
struct RawPoint {
    std::vector<RawLink> links = {RawLink{}};
    std::vector<std::uint32_t> neighbours = {};  ///< written where the form has them
};
struct RawSet {
    std::uint32_t point = 0;
    float weight = 1;
    RawVector offset{}, normal{0, 0, 1};
};
struct RawTarget {
    std::string name;
    std::vector<RawSet> sets = {};
};
struct RawMesh {
    float switch_distance = 0;
    std::vector<RawPoint> points = {};
    std::vector<unsigned> strip = {};
    std::vector<std::uint32_t> duplicates = {};  ///< the points that they stand for
    std::vector<std::array<float, 2>> texcoords = {};
    std::vector<RawTarget> targets = {};
};
struct RawPose {
    std::string bone;
    RawVector translation{};
    RawTurn rotation{0, 0, 0, 1};
};
struct RawBone {
    std::string name, parent;
    RawVector translation{};
    RawTurn rotation{0, 0, 0, 1}, inverse_twist{0, 0, 0, 1};
    float length = 0;
};
struct RawFrame {
    float time = 0;
    std::vector<std::pair<std::string, float>> morphs = {};
    std::vector<RawPose> bones = {};
};

enum class RawDuplicates { u32, u16, uncounted, triples, lists };
enum class RawAmbient { none, before_texture, behind_texture };

/// How a file is stored.
struct RawForm {
    bool material_last = false, one_reflectance = false, raw_link_names = false, neighbours = false;
    RawDuplicates duplicates = RawDuplicates::u32;
    bool morph_normals = true, bone_strings = false;
    RawAmbient ambient = RawAmbient::before_texture;
    bool texture_flag = false;
};
/// "3.1", "3.0", "2.2", "2.1", "2.0"
[[nodiscard]] RawForm form_of(const std::string& version);

struct Description {
    std::string version = "3.1";
    RawForm form = {};
    float scale = 1;
    RawVector volume_low{-10, -10, -3}, volume_high{10, 10, 3}, reflectance{0.75f, 0.75f, 0.75f};
    float skeleton_offset = 0;
    std::vector<RawMesh> meshes = {};
    std::vector<RawPose> default_pose = {};
    std::vector<RawBone> bones = {};
    bool has_ambient = false;  ///< where the form may have it
    float frames_per_second = 25;
    std::vector<RawFrame> frames = {};
    std::string texture = "skin.png";
    std::vector<unsigned> flags{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    unsigned embedded = 0;         ///< with RawForm::texture_flag
    Bytes image = {};              ///< written if flags or `embedded` say so
    std::int64_t image_size = -1;  ///< stated size; -1: the true one
    Bytes trailing = {};
    /// Counts that are stated instead of the true ones: "meshes", "points", "links", "strip", "duplicates",
    /// "texcoords", "targets", "sets", "pose", "bones", "frames".
    std::map<std::string, std::uint32_t> lies = {};
};

[[nodiscard]] Bytes make(const Description& description);

/// A figure of square tubes on twenty bones, 20 units high: points with one to four links that all agree at a T-pose,
/// which is not the pose of the file's skeleton; duplicates at the seam of each tube; three morph targets of the head;
/// six frames of ambient motion. With `head_turn` (degrees about the vertical), the head of the T-pose looks aside.
[[nodiscard]] Description figure(const std::string& version = "3.1", double head_turn = 0);

/// Two bones and three points; everything there is, once.
[[nodiscard]] Description small_figure(const std::string& version = "3.1");

/// Where the figure's bones were when its points were bound, in its order of bones: position and x y z w.
struct RawFrameOfBone {
    std::array<double, 3> translation{};
    std::array<double, 4> rotation{0, 0, 0, 1};
};
[[nodiscard]] std::vector<RawFrameOfBone> figure_bind(double head_turn = 0);

/// Texels 1, 2, 3 ... as JIB stores them: width, height, rows of RGBA.
[[nodiscard]] Bytes jib(unsigned width, unsigned height);
/// The same with the size of the texels before it, as 2.0 and 2.1 have it.
[[nodiscard]] Bytes old_image(unsigned width, unsigned height);

struct Fixture {
    std::string name;
    Description description;
};
/// Every version, and every variant of them that can be told.
[[nodiscard]] std::vector<Fixture> all_fixtures();

}  // namespace effigy::test::arp
