/// Models of the kind that readers of glTF are tested with, through every format and back. What is not the same
/// afterwards is what the report says, and nothing else.

#include "proof/trip.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "effigy/image.hpp"

#include "contents.hpp"
#include "gltf_read/models.hpp"
#include "proof/trip_compare.hpp"
#include "proof/trip_table.hpp"

namespace {

using namespace effigy;

/// Floats and sums of them.
constexpr double exact = 1e-6;
/// glTF turns rotations by slerp, EMotion FX by nlerp: keys are added where that is more than this.
constexpr double nlerp = 1e-4;

trip::Tolerances tolerances_of(const std::string& format) {
    trip::Tolerances some;
    some.place = some.motion = some.morph = some.normal = some.coordinates = some.material = exact;
    some.color = some.picture = 1e-3;  // less than a step of 8 bits
    some.duration = 1e-4;              // times are floats
    if (format == "xac") {
        some.motion = nlerp;
        some.morph = 2.0 / 65535;  // offsets have 16 bits over their range
        some.material = 1e-5;      // roughness is stored as shine, and is a fourth root of it
    } else if (format == "xmf") {
        some.normal = 0.01;           // 8 bits for each component of -1 to 1
        some.has_made_colors = true;  // the game's own layouts have colours, which mean something else
        some.coordinates = 5e-4;      // 16-bit floats
        some.color = 0.008;           // 8 bits for each of four components
    } else if (format == "x42") {
        some.place = 1.0 / 65535;        // 16 bits over the extent, on three axes
        some.coordinates = 2.0 / 65535;  // likewise, of coordinates up to 2
        some.normal = 0.01;              // 8 bits for each component
        some.color = 0.008;
        some.names = false;  // a material is the name of its texture
        some.motion = 5e-4;  // rotations of 16 bits and keys left out within 4e-5 radians, along chains of joints
    } else if (format == "jar") {
        some.motion = 2e-4;     // four decimals of a quaternion, along chains of joints
        some.duration = 0.041;  // a frame lasts until the next one; the last one has a length of its own
        some.names = false;     // there is one material
        some.picture = 0.008;   // colours are worked into 8 bits
    } else {
        some.motion = 6e-4;  // rotations as angles about three axes, with keys where they are off by more
    }
    return some;
}

/// How a format places models: X42 turns what looks along +Z to -X, avatars stand with their pelvis in the origin.
glb::Mat4 placement(const std::string& format, const trip::Renamed& names) {
    glb::Mat4 placed(1.0);
    if (format == "x42") placed = glb::Mat4(0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1);
    placed[3] -= glb::Vec4(names.origin[0], names.origin[1], names.origin[2], 0);
    return placed;
}

std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void print(const trip::Expected& row, const trip::Comparison& found) {
    std::printf("trip: %s as %s:", std::string(row.model).c_str(), std::string(row.format).c_str());
    for (const auto& [what, error] : found.worst) {
        if (error > 0) std::printf(" %s %.1e,", what.c_str(), error);
    }
    std::printf(" lost: %s\n", found.lost.empty() ? "nothing" : joined(found.lost).c_str());
}

/// Each loss has a line in the report, and each warning a loss.
void expect_told(const trip::Comparison& found, const Report& report) {
    std::set<std::string_view> told;
    for (const Diagnostic& line : report.diagnostics()) {
        const auto losses = trip::losses_of(line.code);
        EXPECT_EQ(losses.count(trip::unknown_code), 0u) << line.code;
        told.insert(losses.begin(), losses.end());
        EXPECT_FALSE(line.message.empty());
        const bool is_true = std::any_of(losses.begin(), losses.end(),
                                         [&](auto loss) { return found.lost.count(std::string(loss)) != 0; });
        EXPECT_TRUE(is_true || line.severity != Severity::warning) << "nothing is lost: " << to_string(line);
    }
    for (const std::string& loss : found.lost) EXPECT_EQ(told.count(loss), 1u) << "nobody says so: " << loss;
}

/// The project's own example, or one of the small models.
const std::string& model_of(std::string_view name) {
    static std::map<std::string, std::string, std::less<>> models;
    const auto known = models.find(name);
    if (known != models.end()) return known->second;
    std::string glb;
#ifdef EFFIGY_FIGURE
    const Bytes bytes = name == "figure" ? trip::example(EFFIGY_FIGURE) : Bytes();
    glb.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
#endif
    if (name != "figure") glb = gltf_test::gltf_model(name);
    return models.emplace(name, std::move(glb)).first->second;
}

class Trips : public testing::TestWithParam<trip::Expected> {};

TEST_P(Trips, LoseWhatIsReported) {
    const trip::Expected& row = GetParam();
    const std::string format(row.format);
    const std::string& model = model_of(row.model);
    if (model.empty()) GTEST_SKIP() << "the examples are not built";
    const auto before = std::as_bytes(std::span(model));
    trip::Written written;
    trip::write(trip::scene_of(before), std::string(row.model) + "." + format, {}, written);
    ASSERT_FALSE(written.files.empty());
    for (const Diagnostic& finding : written.findings.diagnostics()) {
        // A figure with levels of detail has as many meshes.
        if (finding.code != "arp-meshes") ADD_FAILURE() << to_string(finding);
    }

    const Bytes after = trip::back(written);
    const trip::Renamed names = trip::renamed(written);
    const glb::Document old = glb::read(before), fresh = glb::read(after);
    const trip::Comparison found =
        format == "ani" ? trip::compare_nodes(old, fresh, tolerances_of(format))
                        : trip::compare(old, fresh, placement(format, names), names, tolerances_of(format));
    print(row, found);
    expect_told(found, written.report);
    EXPECT_EQ(joined(found.lost), row.lost);
    EXPECT_EQ(trip::codes(written.report, Severity::error), "");
    EXPECT_EQ(trip::codes(written.report, Severity::warning), row.warnings);
    EXPECT_EQ(trip::codes(written.report, Severity::info), row.notes);
}

INSTANTIATE_TEST_SUITE_P(Models, Trips, testing::ValuesIn(trip::expected().begin(), trip::expected().end()),
                         [](const auto& row) {
                             return std::string(row.param.model) + "_" + std::string(row.param.format);
                         });

#ifdef EFFIGY_FIGURE

/// What a game's folders are expected to lose of the example character.
struct Game {
    std::string_view target, format, lost, warnings, notes;
    double motion;  ///< as part of the figure: two influences a vertex instead of three move it otherwise
};

class Targets : public testing::TestWithParam<Game> {};

/// Decibels between the figure's texture and what a game gets of it.
double texture_quality(const trip::Written& written) {
    const Bytes png = test::read_bytes(EFFIGY_FIGURE "/figure_diffuse.png");
    const auto found = std::ranges::find(written.files, "figure_diffuse.dds", &NewFile::name);
    if (found == written.files.end()) return 0;
    const auto before = image::decode(png), after = image::decode(found->bytes);
    if (!before || !after || before->rgba.size() != after->rgba.size()) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < before->rgba.size(); ++i) {
        const double difference = std::to_integer<int>(before->rgba[i]) - std::to_integer<int>(after->rgba[i]);
        sum += i % 4 == 3 ? 0 : difference * difference;
    }
    return 10 * std::log10(255.0 * 255.0 * 0.75 * static_cast<double>(before->rgba.size()) / sum);
}

TEST_P(Targets, KeepTheFigure) {
    const Game& row = GetParam();
    const std::string& model = model_of("figure");
    if (model.empty()) GTEST_SKIP() << "the examples are not built";
    const auto before = std::as_bytes(std::span(model));
    trip::Written written;
    trip::write_for(trip::scene_of(before), "figure", std::string(row.target), written);
    ASSERT_FALSE(written.files.empty());
    EXPECT_EQ(trip::codes(written.findings, Severity::error) + trip::codes(written.findings, Severity::warning), "");
    const Bytes after = trip::back(written);
    const trip::Renamed names = trip::renamed(written);
    trip::Tolerances tolerances = tolerances_of(std::string(row.format));
    tolerances.picture = 0.2;  // of single pixels: a block of 4 x 4 has colours on one line
    tolerances.motion = std::max(tolerances.motion, row.motion);
    const trip::Comparison found = trip::compare(glb::read(before), glb::read(after),
                                                 placement(std::string(row.format), names), names, tolerances);
    const double quality = texture_quality(written);
    print({"figure", row.target, {}, {}, {}}, found);
    std::printf("trip: texture %.1f dB\n", quality);
    EXPECT_GE(quality, 40);
    EXPECT_EQ(joined(found.lost), row.lost);
    EXPECT_EQ(trip::codes(written.report, Severity::error), "");
    EXPECT_EQ(trip::codes(written.report, Severity::warning), row.warnings);
    EXPECT_EQ(trip::codes(written.report, Severity::info), row.notes);
}

constexpr std::string_view lost_by_x42 = "clips, collision meshes, glow, morph targets, original vertices, roughness";
INSTANTIATE_TEST_SUITE_P(
    Games, Targets,
    testing::Values(
        Game{"victoria2", "xac", "", "emfx-chunk-version emfx-influences", "game-entry", 0.02},
        Game{"eu3", "xac", "", "emfx-chunk-version emfx-influences", "game-entry", 0.02},
        Game{"hoi3", "xac", "", "emfx-chunk-version emfx-influences", "game-entry", 0.02},
        Game{"tos", "xac", "glow, roughness", "emfx-chunk-version emfx-material-lost", "game-entry", 0},
        Game{"spacetrader", "x42", lost_by_x42,
             "clip-empty x42-character-height x42-collision-left-out x42-morphs-left-out "
             "x42-sets-left-out",
             "game-entry x42-character-names x42-keys-between-frames x42-material-reduced x42-node-left-out", 0}),
    [](const auto& row) { return std::string(row.param.target); });

#endif

/// No model is forgotten in the table.
TEST(TripTable, HasEveryModelInEveryFormat) {
    for (const auto& [name, glb] : gltf_test::gltf_models()) {
        for (const std::string_view format : {"xac", "xmf", "x42", "jar"}) {
            const auto is_it = [&, &model = name](const trip::Expected& row) {
                return row.model == model && row.format == format;
            };
            EXPECT_EQ(std::ranges::count_if(trip::expected(), is_it), 1) << name << " as " << format;
        }
    }
}

}  // namespace
