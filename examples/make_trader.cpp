// Builds the example trader with the public API and writes it as Space Trader keeps its characters: a model with its
// motion, the text files beside it, and textures. Usage: make_trader FOLDER

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

#include "effigy/files.hpp"
#include "effigy/image.hpp"

#include "trader/model.hpp"
#include "trader/motions.hpp"
#include "trader/paint.hpp"

namespace {

using namespace effigy;
using namespace trader;

std::string animation_text() {
    std::string text =
        "// name, first frame, number of frames (negative: backwards), frames that loop, frames a second\n";
    for (const Clip& clip : clips()) {
        text += std::string(clip.name) + " " + std::to_string(clip.first) + " " +
                std::to_string(clip.backwards ? -clip.count : clip.count) + " " +
                std::to_string(clip.loops ? clip.count : 0) + " " + std::to_string(frame_rate) + "\n";
    }
    return text;
}

const char* name_of(Texture texture) { return texture == Texture::shell ? "shell" : "suit"; }

std::string skin_text() {
    std::string text;
    for (const Group& group : groups())
        text += std::string(group.surface) + ",models/players/trader/" + name_of(group.texture) + "\n";
    return text + "tag_weapon,\ntag_eye,\n";
}

Result<void> write_text(const std::filesystem::path& path, const std::string& text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

Result<void> write_texture(const std::filesystem::path& folder, Texture texture) {
    return image::encode_png(paint(texture)).and_then([&](const Bytes& png) {
        return write_bytes(folder / (std::string(name_of(texture)) + ".png"), png);
    });
}

Result<void> make_trader(const std::filesystem::path& folder) {
    return x42::write_file(make_model(), folder / "trader.x42")
        .and_then([&] { return write_text(folder / "animation.cfg", animation_text()); })
        .and_then([&] { return write_text(folder / "default.skin", skin_text()); })
        .and_then([&] { return write_texture(folder, Texture::shell); })
        .and_then([&] { return write_texture(folder, Texture::suit); });
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count != 2) return std::fprintf(stderr, "usage: make_trader FOLDER\n"), 2;
    const std::filesystem::path folder = std::filesystem::path(arguments[1]) / "models/players/trader";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const Result<void> made = make_trader(folder);
    if (!made) std::fprintf(stderr, "%s\n", to_string(made.error()).c_str());
    return made ? 0 : 1;
}
