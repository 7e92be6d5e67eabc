/// Writes small pictures in every kind of file.

#include "samples.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>
#include <zlib.h>

namespace effigy::image::test {

Color pixel(const Picture& picture, std::uint32_t x, std::uint32_t y) {
    Color color{};
    std::memcpy(color.data(), picture.rgba.data() + (std::size_t{y} * picture.width + x) * 4, 4);
    return color;
}

void put16(Data& data, std::uint32_t value) {
    for (unsigned i = 0; i < 2; ++i) data.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put32(Data& data, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) data.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void append(Data& data, const Data& more) { data.insert(data.end(), more.begin(), more.end()); }

Data gzip(const Data& content) {
    z_stream stream{};
    constexpr int gzip_format = 16 + MAX_WBITS;
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, 9, Z_DEFAULT_STRATEGY);
    Data packed(deflateBound(&stream, content.size()) + 64);
    Data input = content;
    stream.next_in = input.data();
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = packed.data();
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

DdsFormat by_code(std::string_view four_cc) { return {.flags = 0x4, .four_cc = four_cc}; }

DdsFormat by_dxgi(std::uint32_t number) { return {.flags = 0x4, .four_cc = "DX10", .dxgi = number}; }

Data dds(std::uint32_t width, std::uint32_t height, const DdsFormat& format, const Data& pixels) {
    Data data{'D', 'D', 'S', ' '};
    for (std::uint32_t value : {124U, 0x1007U, height, width, 0U, 0U, 0U}) put32(data, value);
    data.resize(76);
    put32(data, 32);
    put32(data, format.flags);
    for (char letter : format.four_cc) data.push_back(static_cast<std::uint8_t>(letter));
    data.resize(88);
    put32(data, format.bits);
    for (std::uint32_t mask : format.masks) put32(data, mask);
    data.resize(128);
    if (format.dxgi != 0) {
        for (std::uint32_t value : {format.dxgi, 3U, 0U, 1U, format.alpha_mode}) put32(data, value);
    }
    append(data, pixels);
    return data;
}

Data tga(std::uint16_t width, std::uint16_t height, const TgaFormat& format, const Data& rest) {
    Data data{0, static_cast<std::uint8_t>(format.map_length != 0 ? 1 : 0), format.type};
    put16(data, format.map_first);
    put16(data, format.map_length);
    data.push_back(format.map_bits);
    put32(data, 0);
    put16(data, width);
    put16(data, height);
    data.push_back(format.bits);
    data.push_back(format.descriptor);
    append(data, rest);
    return data;
}

Data png(std::uint32_t width, std::uint32_t height, const PngFormat& format, const Data& rows) {
    Data data;
    png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(writer);
    png_set_write_fn(
        writer, &data,
        [](png_structp png, png_bytep bytes, std::size_t size) {
            auto* target = static_cast<Data*>(png_get_io_ptr(png));
            target->insert(target->end(), bytes, bytes + size);
        },
        [](png_structp) {});
    png_set_IHDR(writer, info, width, height, format.depth, format.color_type,
                 format.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!format.palette.empty()) {
        std::vector<png_color> colors;
        std::vector<png_byte> alphas;
        for (const Color& color : format.palette) {
            colors.push_back({color[0], color[1], color[2]});
            alphas.push_back(color[3]);
        }
        png_set_PLTE(writer, info, colors.data(), static_cast<int>(colors.size()));
        png_set_tRNS(writer, info, alphas.data(), static_cast<int>(alphas.size()), nullptr);
    }
    png_set_gAMA(writer, info, 1.0);  // to be ignored by every reader of textures
    png_write_info(writer, info);
    const std::size_t stride = rows.size() / height;
    std::vector<png_bytep> pointers;
    for (std::uint32_t y = 0; y < height; ++y) pointers.push_back(const_cast<png_bytep>(rows.data()) + y * stride);
    png_write_image(writer, pointers.data());
    png_write_end(writer, nullptr);
    png_destroy_write_struct(&writer, &info);
    return data;
}

Data jpeg(std::uint32_t width, std::uint32_t height, const JpegFormat& format, const Data& pixels) {
    jpeg_compress_struct writer{};
    jpeg_error_mgr errors{};
    writer.err = jpeg_std_error(&errors);
    jpeg_create_compress(&writer);
    unsigned char* block = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&writer, &block, &size);
    writer.image_width = width;
    writer.image_height = height;
    writer.input_components = format.channels;
    writer.in_color_space = format.channels == 1 ? JCS_GRAYSCALE : format.channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&writer);
    jpeg_set_quality(&writer, 100, TRUE);
    if (format.progressive) jpeg_simple_progression(&writer);
    jpeg_start_compress(&writer, TRUE);
    const std::size_t stride = std::size_t{width} * static_cast<std::size_t>(format.channels);
    for (std::uint32_t y = 0; y < height; ++y) {
        JSAMPROW row = const_cast<JSAMPROW>(pixels.data()) + y * stride;
        jpeg_write_scanlines(&writer, &row, 1);
    }
    jpeg_finish_compress(&writer);
    Data data(block, block + size);
    jpeg_destroy_compress(&writer);
    std::free(block);
    return data;
}

Data webp(const Picture& picture, bool lossless) {
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(picture.rgba.data());
    const auto width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
    std::uint8_t* block = nullptr;
    const std::size_t size = lossless ? WebPEncodeLosslessRGBA(pixels, width, height, 4 * width, &block)
                                      : WebPEncodeRGBA(pixels, width, height, 4 * width, 90, &block);
    Data data(block, block + size);
    WebPFree(block);
    return data;
}

Picture pattern(std::uint32_t width, std::uint32_t height, bool alpha) {
    Picture picture;
    picture.width = width;
    picture.height = height;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            for (std::uint32_t value : {x * 7, y * 11, x * y, alpha ? x + y : 255U}) {
                picture.rgba.push_back(static_cast<std::byte>(value));
            }
        }
    }
    picture.has_alpha = alpha;
    return picture;
}

std::vector<Data> all_kinds() {
    const auto bytes = [](std::size_t count) {
        Data data;
        for (std::size_t i = 0; i < count; ++i) data.push_back(static_cast<std::uint8_t>(i * 37 + 11));
        return data;
    };
    std::vector<Data> files;
    for (std::string_view code : {"DXT1", "ATI1", "BC4S"}) files.push_back(dds(5, 3, by_code(code), bytes(16)));
    for (std::string_view code : {"DXT3", "DXT4", "DXT5", "ATI2", "BC5S"}) {
        files.push_back(dds(5, 3, by_code(code), bytes(32)));
    }
    for (const std::uint32_t number : {95U, 96U, 98U}) files.push_back(dds(5, 3, by_dxgi(number), bytes(32)));
    files.push_back(dds(5, 3, by_dxgi(24), bytes(60)));
    files.push_back(dds(5, 3, {.flags = 0x41, .bits = 16, .masks = {0xF00, 0xF0, 0xF, 0xF000}}, bytes(30)));
    files.push_back(tga(5, 3, {}, bytes(45)));
    files.push_back(tga(5, 3, {.bits = 32, .descriptor = 0x38}, bytes(60)));
    files.push_back(tga(5, 3, {.type = 10}, {0x8E, 1, 2, 3}));
    files.push_back(tga(5, 3, {.type = 11, .bits = 8}, {0x85, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    Data indexed{1, 2, 3, 4, 5, 6};
    append(indexed, Data(15, 1));
    files.push_back(tga(5, 3, {.type = 1, .bits = 8, .map_length = 2, .map_bits = 24}, indexed));
    files.push_back(png(5, 3, {.color_type = PNG_COLOR_TYPE_RGB}, bytes(45)));
    files.push_back(png(5, 3, {.color_type = PNG_COLOR_TYPE_RGB_ALPHA, .interlaced = true}, bytes(60)));
    files.push_back(
        png(5, 3, {.color_type = PNG_COLOR_TYPE_PALETTE, .palette = {{1, 2, 3, 4}, {5, 6, 7, 255}}}, Data(15, 1)));
    files.push_back(jpeg(5, 3, {}, bytes(45)));
    files.push_back(jpeg(5, 3, {.channels = 1, .progressive = true}, bytes(15)));
    files.push_back(jpeg(5, 3, {.channels = 4}, bytes(60)));
    for (const bool lossless : {false, true}) files.push_back(webp(pattern(5, 3, lossless), lossless));
    files.push_back(gzip(files[2]));
    return files;
}

}  // namespace effigy::image::test
