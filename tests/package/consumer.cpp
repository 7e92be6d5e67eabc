// Uses enough of the installed library that its headers, its code and every library behind it have to be there.
#include <cstddef>
#include <iostream>

#include <effigy/gltf.hpp>
#include <effigy/image.hpp>

int main() {
    effigy::image::Picture picture;
    picture.width = 1;
    picture.height = 1;
    picture.rgba.assign(4, std::byte{255});
    const auto png = effigy::image::encode_png(picture);
    if (!png || effigy::image::probe(*png) != effigy::image::Kind::png) return 1;

    const auto decoded = effigy::image::decode(*png);
    if (!decoded || decoded->rgba != picture.rgba) return 2;

    const auto glb = effigy::gltf::write_glb(effigy::Scene{});
    if (!glb) {
        std::cerr << to_string(glb.error()) << '\n';
        return 3;
    }
    const auto file = effigy::gltf::read(*glb);
    if (!file || !effigy::gltf::to_scene(file->value)) return 4;
    std::cout << "a glTF file of " << glb->size() << " bytes\n";
    return 0;
}
