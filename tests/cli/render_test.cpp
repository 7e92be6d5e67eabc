/// What render draws: sizes, moments, views, files; and pictures of the example character against stored ones.

#include "effigy/render.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "effigy/image.hpp"

#include "cli/workspace.hpp"
#include "contents.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class CliRender : public Cli {
protected:
    void SetUp() override {
        if (const std::string missing = render::missing_component(); !missing.empty()) GTEST_SKIP() << missing;
    }

    /// What a command wrote to x.png: small and with few samples, unless the arguments say otherwise.
    [[nodiscard]] image::Picture picture(const std::string& arguments) const {
        const std::string size = arguments.find("--size") == std::string::npos ? " --size 48" : "";
        expect_success("effigy render " + arguments + size + " --samples 1 -q -o x.png");
        return picture_in("x.png");
    }
    [[nodiscard]] image::Picture picture_in(const std::string& name) const { return decoded(content(name)); }

    static image::Picture decoded(const std::string& bytes) {
        auto picture = image::decode(std::as_bytes(std::span(bytes)));
        EXPECT_TRUE(picture) << to_string(picture.error());
        return picture ? std::move(*picture) : image::Picture();
    }
};

using Pixel = std::array<int, 4>;

Pixel pixel(const image::Picture& picture, std::size_t x, std::size_t y) {
    Pixel color{};
    for (std::size_t i = 0; i < 4; ++i) color[i] = std::to_integer<int>(picture.rgba[(y * picture.width + x) * 4 + i]);
    return color;
}

std::string size_of(const image::Picture& picture) {
    return std::to_string(picture.width) + "x" + std::to_string(picture.height);
}

std::size_t drawn_pixels(const image::Picture& picture) {
    std::size_t count = 0;
    for (std::size_t at = 3; at < picture.rgba.size(); at += 4) count += picture.rgba[at] != std::byte{0} ? 1 : 0;
    return count;
}

image::Picture part(const image::Picture& whole, std::size_t left, std::size_t top, std::uint32_t width,
                    std::uint32_t height) {
    image::Picture cut;
    cut.width = width;
    cut.height = height;
    for (std::size_t y = 0; y < height; ++y) {
        const auto row = whole.rgba.begin() + static_cast<std::ptrdiff_t>(((top + y) * whole.width + left) * 4);
        cut.rgba.insert(cut.rgba.end(), row, row + std::ptrdiff_t{width} * 4);
    }
    return cut;
}

std::size_t occurrences(const std::string& text, std::string_view word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++count;
    return count;
}

/// Of an animation. GIF: graphic control extensions; WebP: animation frames.
std::size_t frames_in(const std::string& file) {
    return file.starts_with("GIF89a") ? occurrences(file, "\x21\xf9\x04") : occurrences(file, "ANMF");
}

unsigned number_at(const std::string& file, std::size_t offset, unsigned bytes) {
    unsigned number = 0;
    for (unsigned i = 0; i < bytes; ++i) number |= unsigned{static_cast<unsigned char>(file.at(offset + i))} << 8 * i;
    return number;
}

std::string animation_size(const std::string& file) {
    if (file.starts_with("GIF89a"))
        return std::to_string(number_at(file, 6, 2)) + "x" + std::to_string(number_at(file, 8, 2));
    return std::to_string(number_at(file, 24, 3) + 1) + "x" + std::to_string(number_at(file, 27, 3) + 1);
}

TEST_F(CliRender, DrawsOnePicture) {
    const Outcome run =
        expect_success("effigy render soldier.xac walk.xsm --time 0.4 --textures gfx --samples 1 -o soldier.png");
    EXPECT_THAT(run.out, MatchesRegex("wrote soldier\\.png \\([0-9.]+ [A-Za-z]+\\): 1024 x 1024 pixels; walk\n"));
    EXPECT_EQ(size_of(picture_in("soldier.png")), "1024x1024");
    EXPECT_GT(drawn_pixels(picture_in("soldier.png")), 10000U);
}

TEST_F(CliRender, DrawsTheSizeAskedFor) {
    EXPECT_EQ(size_of(picture("soldier.xac --size 40")), "40x40");
    EXPECT_EQ(size_of(picture("soldier.xac --size 40x30")), "40x30");
    EXPECT_EQ(size_of(picture("soldier.xac --size 1")), "1x1");
}

TEST_F(CliRender, DrawsTheSameEachTime) {
    const std::string command = "effigy render soldier.xac walk.xsm --time 0.3 --size 64 --textures gfx -q -o ";
    expect_success(command + "a.png && " + command + "b.png && cmp a.png b.png");
    expect_success(command + "c.png --threads 1 && " + command +
                   "d.png --threads 3 && cmp c.png d.png && cmp a.png c.png");
}

TEST_F(CliRender, WritesToStandardOutput) {
    expect_success(
        "effigy render soldier.xac --size 20 -o - > out.png && effigy render soldier.xac --size 20 -o x.png");
    EXPECT_EQ(content("out.png"), content("x.png"));
    expect_success("cat soldier.xac | effigy render - --size 20 -q -o y.png");
    EXPECT_EQ(content("y.png"), content("x.png"));
}

TEST_F(CliRender, LooksFromEverySide) {
    const auto view = [&](const std::string& name) { return picture("soldier.xac --view " + name).rgba; };
    EXPECT_EQ(view("front"), view("0,0"));
    EXPECT_EQ(view("side"), view("90,0"));
    EXPECT_EQ(view("left"), view("90,0"));
    EXPECT_EQ(view("right"), view("-90,0"));
    EXPECT_EQ(view("back"), view("180,0"));
    EXPECT_EQ(view("top"), view("0,90"));
    EXPECT_EQ(view("bottom"), view("0,-90"));
    EXPECT_EQ(view("three-quarter"), picture("soldier.xac").rgba);
    EXPECT_NE(view("front"), view("three-quarter"));
    expect_failure("effigy render soldier.xac --view under -o x.png", 2,
                   {"no view under", "three-quarter", "YAW,PITCH"});
    expect_failure("effigy render soldier.xac --view 10,91 -o x.png", 2, {"no view 10,91"});
    expect_failure("effigy render soldier.xac --view 10 -o x.png", 2);
    expect_failure("effigy render soldier.xac --view nan,0 -o x.png", 2);
}

TEST_F(CliRender, HasTheBackgroundAskedFor) {
    const auto corner = [&](const std::string& arguments) { return pixel(picture("soldier.xac " + arguments), 0, 0); };
    EXPECT_EQ(corner("")[3], 0);
    EXPECT_EQ(corner("--background none")[3], 0);
    EXPECT_EQ(corner("--background white"), (Pixel{255, 255, 255, 255}));
    EXPECT_EQ(corner("--background black"), (Pixel{0, 0, 0, 255}));
    EXPECT_EQ(corner("--background '#112233'"), (Pixel{0x11, 0x22, 0x33, 255}));
    EXPECT_EQ(corner("--background '#11223380'"), (Pixel{0x11, 0x22, 0x33, 0x80}));
    EXPECT_EQ(corner("--background '#112233' --sheet"), (Pixel{0x11, 0x22, 0x33, 255}));
    for (const char* wrong : {"blue", "112233", "'#1122'", "'#11223g'", "'#+12233'"})
        expect_failure(std::string("effigy render soldier.xac -o x.png --background ") + wrong, 2, {"#rrggbb"});
}

TEST_F(CliRender, ShowsTheMomentAskedFor) {
    const auto moment = [&](const std::string& time) {
        return picture("soldier.xac face.xpm --view front --time " + time).rgba;
    };
    EXPECT_EQ(moment("0.25"), moment("0.25"));
    EXPECT_NE(moment("0.5"), moment("0"));      // the triangle's corner is drawn out
    EXPECT_EQ(moment("1.25"), moment("0.25"));  // another round
    EXPECT_EQ(picture("soldier.xac face.xpm --view front --rest").rgba, picture("soldier.xac --view front").rgba);
    EXPECT_EQ(picture("soldier.xac walk.xsm face.xpm --clip face --time 0.5 --view front").rgba, moment("0.5"));
    expect_failure("effigy render soldier.xac walk.xsm face.xpm --clip run -o x.png", 2,
                   {"no clip called run", "walk, face"});
    expect_failure("effigy render soldier.xac --time 0.5 -o x.png", 2, {"--time", "no input moves"});
    expect_failure("effigy render soldier.xac walk.xsm --time soon -o x.png", 2, {"seconds"});
    expect_failure("effigy render soldier.xac walk.xsm --time nan -o x.png", 2, {"seconds"});
    expect_failure("effigy render soldier.xac walk.xsm --time 1 --rest -o x.png", 2);
}

TEST_F(CliRender, MakesASheetOfViews) {
    const image::Picture sheet = picture("soldier.xac --sheet --size 50x40");
    EXPECT_EQ(sheet.width, 200U);
    EXPECT_GT(sheet.height, 48U);
    std::set<std::vector<std::byte>> different;
    for (std::size_t i = 0; i < 4; ++i) {
        const image::Picture cell = part(sheet, i * 50, 0, 50, 40);
        different.insert({cell.rgba.begin(), cell.rgba.end()});
        EXPECT_GT(drawn_pixels(part(sheet, i * 50, 40, 50, sheet.height - 40)), 20U) << "no label under " << i;
    }
    EXPECT_GE(different.size(), 3U);  // a triangle may look the same from both sides
    EXPECT_EQ(size_of(picture("soldier.xac walk.xsm --sheet --time 0.5 --size 50x40")), size_of(sheet));
    EXPECT_EQ(picture("soldier.xac hair.xac --sheet --size 50x40").width, 200U);  // several inputs are one scene
    expect_failure("effigy render soldier.xac --sheet --view top -o x.png", 2, {"--view", "--frames"});
    expect_failure("effigy render soldier.xac --sheet -o x.gif", 2, {".png"});
}

TEST_F(CliRender, SpreadsFramesOverTheClip) {
    const Json json =
        expect_success("effigy render soldier.xac face.xpm --frames 4 --size 48 --samples 1 --json -o f.png").json();
    ASSERT_EQ(json["outputs"].size(), 4U);
    std::vector<image::Picture> frames;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string name = "f_000" + std::to_string(i) + ".png";
        EXPECT_EQ(json["outputs"][i]["path"], name);
        EXPECT_EQ(json["pictures"][i]["time"], 0.25 * static_cast<double>(i));
        frames.push_back(picture_in(name));
    }
    EXPECT_NE(frames[0].rgba, frames[1].rgba);
    EXPECT_NE(frames[1].rgba, frames[2].rgba);
    // A sheet of them shows the same pictures from the same camera.
    const image::Picture sheet = picture("soldier.xac face.xpm --frames 4 --sheet");
    ASSERT_EQ(sheet.width, 4 * 48U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(part(sheet, i * 48, 0, 48, 48).rgba, frames[i].rgba) << i;
    EXPECT_EQ(picture("soldier.xac walk.xsm --frames 12 --sheet --size 40x20").width, 160U);
    expect_failure("effigy render soldier.xac --frames 4 -o x.png", 2, {"--frames", "no input moves what is shown"});
    expect_failure("effigy render soldier.xac walk.xsm --rest --frames 4 -o x.png", 2, {"rest pose"});
    expect_failure("effigy render soldier.xac walk.xsm --frames 0 -o x.png", 2, {"--frames"});
    expect_failure("effigy render soldier.xac walk.xsm --frames 4 --time 1 -o x.png", 2, {"--time"});
    expect_failure("effigy render soldier.xac walk.xsm --frames 4 -o -", 2, {"standard output"});
}

TEST_F(CliRender, PlaysMotions) {
    const std::string command = "effigy render soldier.xac face.xpm --size 32x24 --samples 1 -q -o ";
    for (const std::string name : {"x.gif", "x.webp"}) {
        expect_success(command + name);
        // WebP joins two pictures that are the same: those before and after the middle of the smile.
        EXPECT_EQ(frames_in(content(name)), name == "x.gif" ? 25U : 24U) << name;
        EXPECT_EQ(animation_size(content(name)), "32x24") << name;
        expect_success("cp " + name + " copy && " + command + name + " --animate --threads 2 && cmp " + name + " copy");
        expect_success(command + name + " --fps 10");
        EXPECT_EQ(frames_in(content(name)), 10U) << name;
        expect_success(command + name + " --frames 6");
        EXPECT_EQ(frames_in(content(name)), 6U) << name;
    }
    expect_success("effigy render soldier.xac face.xpm --samples 1 --fps 2 -q -o X.GIF");
    EXPECT_EQ(animation_size(content("X.GIF")), "512x512");
    expect_failure("effigy render soldier.xac walk.xsm --animate -o x.png", 2, {"--animate", ".webp or .gif"});
    expect_failure("effigy render soldier.xac walk.xsm --animate -o -", 2, {"standard output"});
    expect_failure("effigy render soldier.xac -o new.gif", 2, {"motion", "--turntable"});
    expect_failure("effigy render soldier.xac walk.xsm --fps 0 -o new.gif", 2, {"--fps"});
    expect_failure("effigy render soldier.xac walk.xsm --fps 10 -o x.png", 2, {"--fps"});
    expect_failure("effigy render soldier.xac walk.xsm --time 1 -o new.gif", 2, {"--time"});
}

TEST_F(CliRender, ShowsPicturesAsLongAsViewersDo) {
    const std::string command = "effigy render soldier.xac face.xpm --size 8 --samples 1 -q -o ";
    expect_success(command + "x.gif --fps 50");
    expect_success(command + "x.webp --fps 100");
    expect_failure(command + "new.gif --fps 60", 2, {"GIF", "50 a second", "--fps", ".webp"});
    expect_failure(command + "new.gif --frames 80", 2, {"GIF", "fewer --frames"});
    expect_failure(command + "new.webp --frames 200", 2, {"100 a second", "fewer --frames"});
    expect_failure(command + "new.gif --rest --turntable --fps 60", 2, {"--fps"});
}

TEST_F(CliRender, TurnsAround) {
    expect_success("effigy render soldier.xac --turntable 5 --size 32 --samples 1 -q -o t.png");
    EXPECT_TRUE(exists("t_0004.png"));
    EXPECT_FALSE(exists("t_0005.png"));
    EXPECT_NE(content("t_0000.png"), content("t_0001.png"));
    const Json json = expect_success("effigy render soldier.xac --sheet --turntable --size 30 --json -o x.png").json();
    EXPECT_EQ(json["pictures"].size(), 8U);
    EXPECT_EQ(json["pictures"][2]["label"], "90 deg");
    EXPECT_EQ(json["pictures"][2]["view"]["yaw"], 90);
    EXPECT_EQ(json["width"], 120);
    expect_success("effigy render soldier.xac --turntable --size 24 --samples 1 -q -o t.gif");
    EXPECT_EQ(frames_in(content("t.gif")), 36U);
    // The clip plays meanwhile.
    const Json played =
        expect_success("effigy render soldier.xac walk.xsm --turntable 10 --fps 10 --size 24 --json -o t.webp").json();
    EXPECT_EQ(played["pictures"][5]["time"], 0.5);
    EXPECT_EQ(played["clip"], "walk");
    // At its own speed: a second in ten pictures, each some hundredths long.
    expect_success("effigy render soldier.xac walk.xsm --turntable 10 --size 24 --samples 1 -q -o p.gif");
    const std::string gif = content("p.gif");
    EXPECT_EQ(number_at(gif, gif.find("\x21\xf9\x04") + 4, 2), 10U);
    expect_failure("effigy render soldier.xac --turntable 0 -o x.png", 2, {"--turntable"});
    expect_failure("effigy render --turntable soldier.xac -o x.png", 2, {"--turntable", "inputs go before it"});
    expect_failure("effigy render soldier.xac walk.xsm --turntable --frames 3 -o x.png", 2, {"--frames"});
}

TEST_F(CliRender, MakesAContactSheet) {
    expect_success("cp hair.xac models/a_hair_with_a_name_that_is_much_longer_than_a_cell_is_wide.xac");
    expect_success("mkdir models/more && cp soldier.xac models/more/'\xc3\xa4 b.xac'");
    const Json json =
        expect_success("effigy render models --sheet --size 40 --samples 1 --json --textures gfx -o m.png").json();
    std::vector<std::string> labels;
    for (const Json& cell : json["pictures"]) labels.push_back(cell["label"]);
    EXPECT_EQ(labels, (std::vector<std::string>{"a_hair_with_a_name_that_is_much_longer_than_a_cell_is_wide.xac",
                                                "more/\xc3\xa4 b.xac", "soldier.xac"}));
    const image::Picture sheet = picture_in("m.png");
    EXPECT_EQ(sheet.width, 120U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GT(drawn_pixels(part(sheet, i * 40, 0, 40, 40)), 50U) << i;
        EXPECT_GT(drawn_pixels(part(sheet, i * 40, 40, 40, sheet.height - 40)), 20U) << i;
    }
    EXPECT_EQ(part(sheet, 40, 0, 40, 40).rgba, part(sheet, 80, 0, 40, 40).rgba);  // one model under two names
    // Built-in letters take the same room, and each letter that they do not have looks the same.
    EXPECT_EQ(size_of(picture("models --sheet --size 40 --letters plain")), size_of(sheet));
    expect_failure("effigy render models --sheet --letters runes -o x.png", 2, {"--letters"});
    expect_failure("effigy render models -o x.png", 2, {"--sheet"});
    expect_failure("effigy render models --sheet --frames 3 -o x.png", 2, {"--frames"});
    expect_failure("effigy render models --sheet --turntable -o x.png", 2, {"--turntable"});
    expect_failure("effigy render models --sheet -o x.gif", 2);
    expect_failure("effigy render models walk.xsm --sheet -o x.png", 2, {"rest pose", "leave out walk.xsm"});
    expect_failure("effigy render gfx --sheet -o x.png", 3, {"no model"});
}

TEST_F(CliRender, SaysThatDamageTookTheClip) {
    expect_success("head -c 100 walk.xsm > cut.xsm");
    expect_failure("effigy render soldier.xac cut.xsm --allow-damaged --time 0.1 -o x.png", 2,
                   {"error: ", " in cut.xsm", "--time wants a motion"});
}

TEST_F(CliRender, GivesUnreadableModelsACell) {
    expect_success("mkdir mixed && cp soldier.xac truncated.xac empty.xac foreign.xac mixed");
    const Outcome run = this->run("effigy render mixed --sheet --size 64 --samples 1 --json -o m.png");
    EXPECT_EQ(run.code, 3) << run.err;  // the highest: a format that is not read
    const Json json = run.json();
    EXPECT_EQ(json["pictures"].size(), 4U);
    std::set<std::string> files;
    for (const Json& finding : json["findings"]) {
        if (finding["severity"] == "error") files.insert(finding["file"]);
    }
    EXPECT_EQ(files, (std::set<std::string>{"mixed/empty.xac", "mixed/foreign.xac", "mixed/truncated.xac"}));
    EXPECT_GT(drawn_pixels(part(picture_in("m.png"), 0, 0, 64, 64)), 20U);  // empty.xac: a word
    EXPECT_THAT(this->run("effigy render mixed --sheet --size 64 --samples 1 -o m.png").out, HasSubstr("; 3 errors"));
}

TEST_F(CliRender, NeverWritesOverItsInputs) {
    expect_success("cp soldier.xac input.png && cp soldier.xac models/input.png");
    expect_failure("effigy render input.png -o input.png", 2, {"one of the inputs"});
    expect_failure("effigy render soldier.xac -o x.png --report soldier.xac", 2, {"inputs"});
    expect_failure("effigy render soldier.xac -o x.png --report x.png", 2, {"one file"});
    expect_failure("effigy render soldier.xac walk.xsm --frames 2 -o x.png --report x_0001.png", 2, {"one file"});
    expect_failure("effigy render soldier.xac --textures gfx -o gfx/skin.png", 2, {"one of the model's textures"});
    expect_failure("effigy render models --textures gfx --sheet -o gfx/skin.png", 2, {"one of the model's textures"});
    // Where a game has the textures of all its models, they are its models' as well.
    expect_success(
        "mkdir -p mod/gfx/anims/units && cp soldier.xac mod/gfx/anims/units && cp gfx/skin.png mod/gfx/anims");
    expect_failure("effigy render mod/gfx/anims/units/soldier.xac -o mod/gfx/anims/skin.png", 2,
                   {"one of the model's textures"});
    expect_success("cp gfx/skin.png skin_0001.png");
    expect_failure("effigy render models --sheet -o models/input.png", 2, {"one of the inputs"});
    expect_failure("effigy render soldier.xac -o nowhere/x.png --size 8", 1, {"nowhere"});
}

TEST_F(CliRender, RefusesWhatItCannotWrite) {
    expect_failure("effigy render soldier.xac -o x.bmp", 2, {"x.bmp", ".png", ".webp or .gif"});
    expect_failure("effigy render soldier.xac -o x.jpg", 2, {".png"});
    expect_failure("effigy render soldier.xac -o x", 2, {".png"});
    for (const char* size : {"0", "16385", "10x", "x10", "10x10x10", "-5", "big", "0x5"})
        expect_failure(std::string("effigy render soldier.xac -o x.png --size ") + size, 2, {"--size"});
    expect_failure("effigy render soldier.xac --sheet --size 16384 -o x.png", 2, {"smaller --size"});
    // What the labels take counts as well.
    expect_failure("effigy render soldier.xac walk.xsm --sheet --frames 1000 --size 16384x1 -o x.png", 2,
                   {"smaller --size"});
    expect_failure("effigy render soldier.xac -o x.png --samples 0", 2, {"--samples"});
    expect_failure("effigy render soldier.xac -o x.png --threads 0", 2, {"--threads"});
    expect_failure("effigy render soldier.xac -o x.png --lod all", 2, {"--lod"});
    expect_failure("effigy render soldier.xac -o x.png --normals --uv", 2);
    expect_failure("effigy render soldier.xac -o - --json", 2, {"standard output"});
    expect_failure("effigy render soldier.xac --textures nowhere -o x.png", 2, {"nowhere"});
    expect_failure("effigy render missing.xac -o x.png", 3, {"missing.xac"});
    expect_failure("effigy render truncated.xac -o x.png", 1, {"--allow-damaged"});
    expect_failure("effigy render soldier.xac soldier.xac -o x.png", 2, {"twice"});
    expect_failure("effigy render walk.xsmtime -o x.png", 2);
    expect_failure("effigy render walk.xsm face.xpm -o x.png", 2, {"a motion alone", "model"});
}

TEST_F(CliRender, ReportsWhatItDid) {
    const Outcome run = expect_success(
        "effigy render soldier.xac walk.xsm --no-textures --size 20 --samples 4 --json --report r.json -o x.png");
    const Json json = run.json();
    EXPECT_EQ(json["outputs"], Json::array({{{"path", "x.png"}}}));
    EXPECT_EQ(json["width"], 20);
    EXPECT_EQ(json["height"], 20);
    EXPECT_EQ(json["samples"], 4);
    EXPECT_EQ(json["clip"], "walk");
    ASSERT_EQ(json["pictures"].size(), 1U);
    EXPECT_EQ(json["pictures"][0]["label"], "three-quarter");
    EXPECT_EQ(json["pictures"][0]["time"], 0);
    EXPECT_EQ(json["effigy_report"], 1);
    EXPECT_THAT(json["findings"].dump(), HasSubstr("texture-missing"));
    const Json report = Json::parse(content("r.json"));
    EXPECT_EQ(report["findings"], json["findings"]);
    EXPECT_THAT(run.err, HasSubstr("texture-missing"));
    for (const std::string inputs : {"soldier.xac", "models --sheet"}) {
        const Json failed =
            this->run("effigy render " + inputs + " --size 20 --report nowhere/r.json --json -o y.png").json();
        EXPECT_EQ(failed["findings"].back(), failed["error"]) << inputs;
        EXPECT_EQ(failed["error"]["file"], "nowhere/r.json") << inputs;
    }
    const Outcome quiet = expect_success("effigy render soldier.xac --size 20 -q -o x.png");
    EXPECT_EQ(quiet.out + quiet.err, "");
    EXPECT_TRUE(
        expect_success("effigy render soldier.xac --rest --size 20 -q --json -o x.png").json()["clip"].is_null());
    const Outcome damaged = this->run("effigy render truncated.xac --allow-damaged --size 20 -q -o d.png");
    EXPECT_EQ(damaged.code, 1) << damaged.err;
    EXPECT_TRUE(exists("d.png"));
}

TEST_F(CliRender, TakesTheOptionsAboutTheScene) {
    const auto with = [&](const std::string& arguments) { return picture("soldier.xac " + arguments).rgba; };
    EXPECT_EQ(with("--no-textures"), with("--no-textures --encoding CP949"));
    EXPECT_NE(with("--wireframe"), with(""));
    EXPECT_NE(with("--skeleton"), with(""));
    EXPECT_NE(with("--normals"), with(""));
    EXPECT_NE(with("--uv"), with(""));
    EXPECT_NE(with("--uv"), with("--normals"));
    EXPECT_EQ(with("--lod 0"), with(""));
    static_cast<void>(with("--lod 1"));
    static_cast<void>(with("walk.xsm --retarget"));
    static_cast<void>(with("--morph-normal-range 2 --limit-memory 1GB"));
}

/// A square that faces the camera, with no light on it. Its corners are in square.bin; gone.png is not there.
std::string unlit_square(const std::string& look, const std::string& nodes = R"([{"mesh": 0}])") {
    return R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_materials_unlit"], "scene": 0,
        "scenes": [{"nodes": [0]}], "textures": [{"source": 0}], "images": [{"uri": "gone.png"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "mode": 5, "material": 0}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                       "min": [-1, -1, 0], "max": [1, 1, 0]},
                      {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC2"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}], "buffers": [{"byteLength": 48, "uri": "square.bin"}],
        "nodes": )" +
           nodes + R"(, "materials": [{"extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": )" + look +
           "}]}";
}

std::string square_corners() {
    const std::array<float, 12> corners{-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0};
    return std::string(reinterpret_cast<const char*>(corners.data()), sizeof corners);
}

TEST_F(CliRender, ShowsTheLevelsOfGltf) {
    write("square.bin", square_corners());
    write("levels.gltf", unlit_square("{}", R"([{"mesh": 0, "extensions": {"MSFT_lod": {"ids": [1]}}},
                                                {"mesh": 0, "scale": [1, 0.25, 1]}])"));
    const auto drawn = [&](const std::string& level) {
        return drawn_pixels(picture("levels.gltf --view front" + level));
    };
    EXPECT_GT(drawn(""), 1500U);
    EXPECT_LT(drawn(" --lod 1"), 700U);
    EXPECT_EQ(drawn(" --lod 9"), drawn(" --lod 1"));
    EXPECT_THAT(expect_success("effigy render levels.gltf --lod 9 --size 8 -o x.png").err, HasSubstr("[lod-other]"));
    expect_success(
        "mkdir in && cp square.bin levels.gltf in && effigy render in --sheet -o x.png --lod 9 --size 32 --report r");
    EXPECT_THAT(content("r"), HasSubstr("lod-other"));
    expect_success("effigy pose levels.gltf --lod 1 -q -o x.obj");
    EXPECT_THAT(content("x.obj"), HasSubstr("v 1 0.25 0"));
}

TEST_F(CliRender, SaysWhereNothingIsSeen) {
    write("square.bin", square_corners());
    write("square.gltf", unlit_square(R"({"metallicFactor": 0})"));
    const std::string command = "effigy render square.gltf --background white --size 32 --samples 1 -o x.png ";
    EXPECT_THAT(expect_success(command + "--view front").err, Not(HasSubstr("render-blank")));
    EXPECT_THAT(expect_success(command + "--view back").err, HasSubstr("(found 1 of 1 picture) [render-blank]"));
    expect_success(command + "--turntable 4 --view 45,0 --report r.json");
    const Json findings = Json::parse(content("r.json"))["findings"];
    ASSERT_FALSE(findings.empty());
    ASSERT_EQ(findings.back()["code"], "render-blank");
    EXPECT_EQ(findings.back()["found"], "2 of 4 pictures");
    expect_success(
        "mkdir in && cp square.* in && effigy render in -o out/ --view back --size 32 --samples 1 --report r");
    EXPECT_THAT(content("r"), HasSubstr("render-blank"));
}

TEST_F(CliRender, ShowsColoursWithoutLightAsTheyAre) {
    write("square.bin", square_corners());
    write("plain.gltf", unlit_square(R"({"baseColorFactor": [0.5029, 0.5029, 0.5029, 1]})"));
    EXPECT_EQ(pixel(picture("plain.gltf --view front"), 24, 24), (Pixel{188, 188, 188, 255}));
    // Where there should be a texture, shape is all that can be seen.
    write("bare.gltf", unlit_square(R"({"baseColorTexture": {"index": 0}})"));
    EXPECT_LT(pixel(picture("bare.gltf --view front"), 24, 24)[0], 250);
}

class CliRenderWithoutEmbree : public Cli {};

/// A library that cannot be loaded stands in its way.
TEST_F(CliRenderWithoutEmbree, SaysWhatIsMissingAndHowToGetIt) {
    std::filesystem::create_directory(path("broken"));
    write("broken/libembree3.so.3", "");
    const std::string here = "LD_LIBRARY_PATH=broken effigy ";
    expect_failure(here + "render soldier.xac -o soldier.png", 1, {"Embree", "libembree", "render-unavailable"});
    const Json one = run(here + "render soldier.xac -o soldier.png --json").json();
    EXPECT_EQ(one["error"], one["findings"][0]);
    const Json event = Json::parse(run(here + "render models -o pictures/ --json").out);
    EXPECT_EQ(event["event"], "error");
    EXPECT_EQ(event["error"], one["error"]);
    EXPECT_EQ(run(here + "info soldier.xac").code, 0) << "nothing else needs it";
}

#ifdef EFFIGY_FIGURE

struct Golden {
    const char* name;
    const char* arguments;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

/// How far two pictures are apart, weighed by what is seen of them.
struct Difference {
    double mean = 0;   ///< of all channels, 0 to 255
    double share = 0;  ///< of pixels that differ by more than 24 in a channel
};

Difference difference(const image::Picture& a, const image::Picture& b) {
    Difference found;
    const std::size_t pixels = a.rgba.size() / 4;
    for (std::size_t i = 0; i < pixels; ++i) {
        int largest = 0;
        for (std::size_t channel = 0; channel < 4; ++channel) {
            const auto seen = [&](const image::Picture& picture) {
                const int alpha = std::to_integer<int>(picture.rgba[i * 4 + 3]);
                return channel == 3 ? alpha : std::to_integer<int>(picture.rgba[i * 4 + channel]) * alpha / 255;
            };
            const int error = std::abs(seen(a) - seen(b));
            found.mean += error;
            largest = std::max(largest, error);
        }
        found.share += largest > 24 ? 1 : 0;
    }
    found.mean /= static_cast<double>(4 * pixels);
    found.share /= static_cast<double>(pixels);
    return found;
}

/// The example character in the working folder.
class CliRenderFigure : public CliRender {
protected:
    void SetUp() override {
        CliRender::SetUp();
        if (IsSkipped()) return;
        for (const char* name : {"figure.xac", "walk.xsm", "wave.xsm", "talk.xpm", "figure_diffuse.png"})
            std::filesystem::copy_file(std::filesystem::path(EFFIGY_FIGURE) / name, path(name),
                                       std::filesystem::copy_options::overwrite_existing);
    }
};

bool touches_border(const image::Picture& picture) {
    for (std::size_t x = 0; x < picture.width; ++x) {
        if (pixel(picture, x, 0)[3] != 0 || pixel(picture, x, picture.height - 1)[3] != 0) return true;
    }
    for (std::size_t y = 0; y < picture.height; ++y) {
        if (pixel(picture, 0, y)[3] != 0 || pixel(picture, picture.width - 1, y)[3] != 0) return true;
    }
    return false;
}

class CliRenderGolden : public CliRenderFigure, public ::testing::WithParamInterface<Golden> {};

/// EFFIGY_UPDATE_GOLDENS=1 stores what is drawn now instead of comparing.
TEST_P(CliRenderGolden, LooksAsBefore) {
    const std::filesystem::path stored = std::filesystem::path(EFFIGY_SOURCE_DIR) / "tests" / "cli" / "goldens" /
                                         (std::string(GetParam().name) + ".png");
    expect_success(std::string("effigy render ") + GetParam().arguments + " --samples 4 -q -o x.png");
    if (std::getenv("EFFIGY_UPDATE_GOLDENS") != nullptr) {
        std::filesystem::create_directories(stored.parent_path());
        std::filesystem::copy_file(path("x.png"), stored, std::filesystem::copy_options::overwrite_existing);
        GTEST_SKIP() << "stored " << stored;
    }
    ASSERT_TRUE(std::filesystem::exists(stored)) << stored << " is missing; EFFIGY_UPDATE_GOLDENS=1 makes it";
    const image::Picture wanted = decoded(read_text(stored)), drawn = picture_in("x.png");
    ASSERT_EQ(size_of(drawn), size_of(wanted));
    const Difference found = difference(drawn, wanted);
    EXPECT_LE(found.mean, 1.0) << "mean difference of the channels, of 255; " << 100 * found.share << " % of pixels";
    EXPECT_LE(found.share, 0.01) << "share of pixels that differ by more than 24; mean " << found.mean;
}

INSTANTIATE_TEST_SUITE_P(
    Figure, CliRenderGolden,
    ::testing::Values(
        Golden{"plain", "figure.xac --size 96"}, Golden{"time", "figure.xac walk.xsm --time 0.4 --size 96 --view side"},
        Golden{"clip", "figure.xac walk.xsm wave.xsm --clip wave --time 1.2 --size 96 --view front"},
        Golden{"morph", "figure.xac talk.xpm --time 0.5 --size 96 --view 20,0"},
        Golden{"front_white", "figure.xac --size 96 --view front --background white"},
        Golden{"top", "figure.xac --size 96 --view top"},
        Golden{"angles", "figure.xac --size 96 --view -140,40 --background '#336699'"},
        Golden{"wide", "figure.xac --size 128x64"}, Golden{"no_textures", "figure.xac --size 96 --no-textures"},
        Golden{"wireframe", "figure.xac --size 96 --wireframe"}, Golden{"skeleton", "figure.xac --size 96 --skeleton"},
        Golden{"normals", "figure.xac --size 96 --normals"}, Golden{"uv", "figure.xac --size 96 --uv"},
        Golden{"lod", "figure.xac --size 96 --lod 1"}, Golden{"collision", "figure.xac --size 96 --collision"},
        Golden{"sheet", "figure.xac --sheet --size 64x96 --letters plain"},
        Golden{"frames_sheet", "figure.xac walk.xsm --frames 6 --sheet --size 64x96 --letters plain"},
        Golden{"turntable_sheet", "figure.xac --turntable --sheet --size 64 --background white --letters plain"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(CliRenderFigure, CutsNothingOff) {
    expect_success("effigy render figure.xac wave.xsm --frames 5 --size 64 --samples 1 -q -o f.png");
    expect_success("effigy render figure.xac --turntable 9 --size 64x40 --samples 1 -q -o t.png");
    expect_success("effigy render figure.xac --turntable 3 --view 0,60 --size 40x64 --samples 1 -q -o s.png");
    for (const auto& [name, bytes] : files()) {
        if (!name.ends_with(".png") || name == "figure_diffuse.png" || name.starts_with("gfx")) continue;
        const image::Picture drawn = decoded(bytes);
        EXPECT_FALSE(touches_border(drawn)) << name;
        EXPECT_GT(drawn_pixels(drawn), 50U) << name;
    }
}

TEST_F(CliRenderFigure, MovesAsThePoseDoes) {
    const auto moment = [&](const std::string& arguments) {
        return picture("figure.xac " + arguments + " --view side --size 64");
    };
    const Difference step = difference(moment("walk.xsm --time 0"), moment("walk.xsm --time 0.3"));
    const Difference loop = difference(moment("walk.xsm --time 0.1"), moment("walk.xsm --time 1.3"));
    EXPECT_GT(step.share, 0.02);
    EXPECT_LT(loop.share, 0.001);
}

#endif

}  // namespace
}  // namespace effigy::test
