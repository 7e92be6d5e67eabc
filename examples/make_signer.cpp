// Builds the example signer with the public API and writes it as signing avatars are kept: a container with the avatar,
// its texture and the files of its tools; the avatar alone; and motion in both forms. Usage: make_signer FOLDER

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

#include "effigy/arp_container.hpp"
#include "effigy/files.hpp"
#include "effigy/image.hpp"

#include "signer/avatar.hpp"
#include "signer/files.hpp"
#include "signer/motions.hpp"
#include "signer/paint.hpp"

namespace {

using namespace effigy;
using namespace signer;

Result<void> write_text(const std::filesystem::path& path, const std::string& text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

Bytes to_bytes(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Result<Bytes> make_container(const arp::File& avatar, const Bytes& texture) {
    arp::Container container;
    container.avatar = avatar;
    container.entries = {{"signer/", {}},
                         {"signer/avatardef.jarp", {}},
                         {std::string("signer/") + texture_name, texture},
                         {"signer/config.xml", to_bytes(settings())},
                         {"signer/asd.xml", to_bytes(static_data())},
                         {"signer/nonmanuals.xml", to_bytes(nonmanuals())}};
    container.definition = 1;
    return arp::write_container(container);
}

Result<void> make_signer(const std::filesystem::path& folder) {
    const arp::File avatar = make_avatar();
    const Motion motion = hello();
    const Result<Bytes> texture = image::encode_png(paint());
    if (!texture) return tl::unexpected(texture.error());
    return make_container(avatar, *texture)
        .and_then([&](const Bytes& container) { return write_bytes(folder / "signer.jar", container); })
        .and_then([&] { return arp::write_file(avatar, folder / "avatardef.jarp"); })
        .and_then([&] { return write_bytes(folder / texture_name, *texture); })
        .and_then([&] { return write_text(folder / "hello.cas.xml", cas_xml(motion)); })
        .and_then([&] { return write_text(folder / "hello.cas.json", cas_json(motion)); });
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count != 2) return std::fprintf(stderr, "usage: make_signer FOLDER\n"), 2;
    const std::filesystem::path folder = arguments[1];
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const Result<void> made = make_signer(folder);
    if (!made) std::fprintf(stderr, "%s\n", to_string(made.error()).c_str());
    return made ? 0 : 1;
}
