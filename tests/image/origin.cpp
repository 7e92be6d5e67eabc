/// The remark in a picture that says for which model it was made.

#include <gtest/gtest.h>
#include <zlib.h>

#include "contents.hpp"
#include "samples.hpp"

namespace effigy::image::test {
namespace {

using effigy::test::bytes_of_text;

Bytes gzipped(const std::string& text) {
    std::string out(200, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes_of_text(out);
}

/// One of each kind that can say where it comes from.
std::vector<Bytes> pictures() {
    const auto png = encode_png(pattern(5, 3, true));
    EXPECT_TRUE(png);
    std::string dds = "DDS " + std::string(124, '\0') + "pixels";
    dds[4] = 124;
    return {png ? *png : Bytes(), bytes_of_text("\xff\xd8\xff\xe0 and so on"), bytes_of_text(dds), gzipped("text")};
}

TEST(Origin, IsKnownUntilSomebodyEditsThePicture) {
    for (const Bytes& picture : pictures()) {
        SCOPED_TRACE(picture.size());
        EXPECT_FALSE(was_written_for(picture, "soldier"));
        Bytes marked = with_origin(picture, "Soldier");
        EXPECT_NE(marked, picture);
        EXPECT_TRUE(was_written_for(marked, "soldier"));
        EXPECT_FALSE(was_written_for(marked, "officer"));
        EXPECT_TRUE(is_same_but_for_origin(marked, picture));
        EXPECT_EQ(with_origin(marked, "soldier"), marked) << "once";
        EXPECT_TRUE(was_written_for(with_origin(marked, "officer"), "officer"));
        Bytes edited = marked;
        edited[edited.size() / 3] ^= std::byte{1};
        EXPECT_FALSE(was_written_for(edited, "soldier"));
        marked.resize(marked.size() - 1);
        EXPECT_FALSE(was_written_for(marked, "soldier"));
    }
}

TEST(Origin, ChangesNoPixel) {
    const Picture original = pattern(5, 3, true);
    const auto png = encode_png(original);
    ASSERT_TRUE(png);
    const auto again = image::decode(with_origin(*png, "soldier"));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->rgba, original.rgba);
    EXPECT_TRUE(again->report.empty());
    const auto text = gunzip(with_origin(gzipped("text"), "soldier"));
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, bytes_of_text("text"));
}

TEST(Origin, LeavesWhatHasNoRoomForIt) {
    Bytes with_name = gzipped("text");
    with_name[3] = std::byte{8};
    Bytes commented = gzipped("text");
    commented[3] = std::byte{16};
    for (const Bytes& file : {Bytes(), bytes_of_text("x"), bytes_of_text("\xff\xd8"),
                              bytes_of_text("\x89PNG\r\n\x1a\n"), with_name, commented, bytes_of_text("DDS |")}) {
        EXPECT_EQ(with_origin(file, "soldier"), file);
        EXPECT_FALSE(was_written_for(file, "soldier"));
        EXPECT_TRUE(is_same_but_for_origin(file, file));
    }
}

}  // namespace
}  // namespace effigy::image::test
