/// Containers: reading, copying, packing anew, and archives that mean harm.

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>

#include "effigy/arp_scene.hpp"
#include "effigy/files.hpp"
#include "effigy/image.hpp"

#include "arp/file/formats.hpp"
#include "arp/raw_zip.hpp"
#include "core/json.hpp"
#include "corpus/corpus.hpp"

namespace effigy::arp {
namespace {

using test::bytes_of_text;
using test::deflated;
using test::RawZipEntry;
using test::stored;
using test::text_from;

FourCC code(std::string_view text) {
    FourCC result{};
    std::copy(text.begin(), text.end(), result.begin());
    return result;
}

Bone bone(std::string name, std::string parent) {
    parent.resize(4, '\0');
    Bone result;
    result.name = std::move(name);
    result.parent = std::move(parent);
    return result;
}

/// A triangle on two bones.
File small_avatar() {
    File file;
    file.volume_high = {1, 2, 1};
    file.reflectance = {0.75F, 0.75F, 0.75F};
    file.link_names = {"ROOT", "HEAD"};
    file.bones = {bone("ROOT", ""), bone("HEAD", "ROOT")};
    for (const Bone& one : file.bones) file.default_pose.push_back({code(one.name), {}, {}});
    Mesh mesh;
    for (std::uint32_t point = 0; point < 3; ++point) {
        mesh.points.link_counts.push_back(1);
        mesh.points.offsets.push_back({static_cast<float>(point), static_cast<float>(point % 2), 0});
        mesh.points.normals.push_back({0, 0, 1});
        mesh.points.bones.push_back(point % 2);
        mesh.points.weights.push_back(1);
        mesh.points.distances.push_back(static_cast<float>(point));
        mesh.strip.push_back(static_cast<std::uint16_t>(point));
        mesh.texcoords.push_back({0, 0});
    }
    file.meshes.push_back(std::move(mesh));
    file.texture.name = "face.png";
    file.texture.flags[2] = 1;
    return file;
}

std::string avatar_text() {
    const auto bytes = write(small_avatar());
    EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : to_string(bytes.error()));
    return bytes ? std::string(text_from(*bytes)) : std::string();
}

/// As signing tools pack them.
std::vector<RawZipEntry> usual_entries() {
    return {stored("pia/", ""),
            deflated("pia/avatardef.jarp", avatar_text()),
            stored("pia/face.png", "no picture"),
            deflated("pia/config.xml", "<config/>"),
            deflated("pia/asd.xml", "<asd/>"),
            deflated("pia/nonmanuals.xml", "<nonmanuals/>")};
}

Loaded<Container> expect_read(const Bytes& archive) {
    auto loaded = read_container(archive);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : to_string(loaded.error()));
    return loaded ? std::move(*loaded) : Loaded<Container>{};
}

std::string code_of(const Bytes& archive, const Limits& limits = {}) {
    const auto loaded = read_container(archive, {limits});
    return loaded ? "" : loaded.error().code;
}

std::vector<std::string> names_of(const Container& container) {
    std::vector<std::string> names;
    for (const Entry& entry : container.entries) names.push_back(entry.name);
    return names;
}

TEST(Container, KeepsEntriesInOrder) {
    const auto loaded = expect_read(test::raw_zip(usual_entries()));
    EXPECT_TRUE(loaded.report.empty());
    const std::vector<std::string> expected{"pia/",           "pia/avatardef.jarp", "pia/face.png",
                                            "pia/config.xml", "pia/asd.xml",        "pia/nonmanuals.xml"};
    ASSERT_EQ(names_of(loaded.value), expected);
    EXPECT_EQ(loaded.value.definition, 1u);
    EXPECT_EQ(text_from(loaded.value.entries[2].content), "no picture");
    EXPECT_EQ(text_from(loaded.value.entries[4].content), "<asd/>");
    EXPECT_EQ(loaded.value.avatar.bones.size(), 2u);
    ASSERT_NE(find_entry(loaded.value, "FACE.png"), nullptr);
    EXPECT_EQ(find_entry(loaded.value, "Face.PNG")->name, "pia/face.png");
    EXPECT_EQ(find_entry(loaded.value, "avatardef.jarp"), nullptr);
    EXPECT_EQ(find_entry(loaded.value, ""), nullptr);
}

TEST(Container, IsCopiedByteForByte) {
    const Bytes archive = test::raw_zip(usual_entries());
    const auto loaded = expect_read(archive);
    EXPECT_EQ(write_container(loaded.value).value(), archive);
    for (const bool expand : {false, true}) {
        const auto built = ContainerFormat::build(ContainerFormat::dump(loaded.value, {expand}).value(), false, {});
        ASSERT_TRUE(built.has_value()) << to_string(built.error());
        EXPECT_EQ(write_container(*built).value(), archive);
    }
}

TEST(Container, ChangedAvatarIsPackedAnew) {
    auto loaded = expect_read(test::raw_zip(usual_entries()));
    loaded.value.avatar.scale = 2;
    const Bytes archive = write_container(loaded.value).value();
    EXPECT_EQ(write_container(loaded.value).value(), archive) << "not the same bytes each time";
    const auto again = expect_read(archive);
    EXPECT_EQ(names_of(again.value), names_of(loaded.value));
    EXPECT_EQ(again.value.avatar.scale, 2);
    for (std::size_t index = 0; index < again.value.entries.size(); ++index) {
        if (index == again.value.definition) continue;
        EXPECT_EQ(again.value.entries[index].content, loaded.value.entries[index].content) << index;
    }
    EXPECT_EQ(write_container(again.value).value(), archive);
}

TEST(Container, ChangedEntriesArePackedAnew) {
    auto loaded = expect_read(test::raw_zip(usual_entries()));
    // Of the same size, so that only a look inside tells.
    loaded.value.entries[2].content = bytes_of_text("ONE picture"), loaded.value.entries[2].content.resize(10);
    EXPECT_EQ(text_from(expect_read(write_container(loaded.value).value()).value.entries[2].content), "ONE pictur");
    loaded.value.entries.pop_back();
    EXPECT_EQ(expect_read(write_container(loaded.value).value()).value.entries.size(), 5u);
    loaded.value.entries.push_back({"pia/gr\xC3\xBC\xC3\x9F.xml", bytes_of_text("new"), true});
    const auto again = expect_read(write_container(loaded.value).value());
    EXPECT_EQ(again.value.entries.back().name, "pia/gr\xC3\xBC\xC3\x9F.xml");
    EXPECT_EQ(text_from(again.value.entries.back().content), "new");
    loaded.value.entries.push_back({"../up", {}, true});
    EXPECT_EQ(write_container(loaded.value).error().code, "container-entry-name");
    loaded.value.definition = 99;
    EXPECT_EQ(write_container(loaded.value).error().code, "container-no-avatar");
}

TEST(Container, FindsTheDefinition) {
    EXPECT_EQ(expect_read(test::raw_zip({stored("x/y/AvatarDef.ARP", avatar_text())})).value.definition, 0u);
    EXPECT_EQ(
        expect_read(test::raw_zip({stored("b.xml", ""), stored("avatardef.jarp", avatar_text())})).value.definition,
        1u);
    const auto two = expect_read(
        test::raw_zip({stored("a/avatardef.arp", avatar_text()), stored("b/avatardef.jarp", "what is this")}));
    EXPECT_EQ(two.value.definition, 0u);
    EXPECT_EQ(two.report.count("container-avatars"), 1u);
    EXPECT_EQ(code_of(test::raw_zip({stored("COMMON/config.xml", "<config/>")})), "container-no-avatar");
    EXPECT_EQ(code_of(test::raw_zip({})), "container-damaged");
    const auto wrong = read_container(test::raw_zip({stored("a/avatardef.jarp", "what is this")}));
    ASSERT_FALSE(wrong.has_value());
    EXPECT_TRUE(wrong.error().path.starts_with("a/avatardef.jarp")) << wrong.error().path;
}

TEST(Container, FilesInTheAvatarsFolderCountFirst) {
    const auto two = expect_read(test::raw_zip({stored("a/face.png", "a"), stored("b/avatardef.jarp", avatar_text()),
                                                stored("b/face.png", "b"), stored("c/only.txt", "c")}));
    ASSERT_NE(find_entry(two.value, "face.png"), nullptr);
    EXPECT_EQ(find_entry(two.value, "face.png")->name, "b/face.png");
    EXPECT_EQ(find_entry(two.value, "only.txt")->name, "c/only.txt");
}

TEST(Container, FilesBecomeAnAvatarOfAScene) {
    RawZipEntry secret = stored("b/secret.xml", "x");
    secret.flags = 1;
    const std::string path = ::testing::TempDir() + "avatar_from.jar";
    const Bytes archive = test::raw_zip({stored("a/face.png", "a"), stored("b/", ""),
                                         stored("b/avatardef.jarp", avatar_text()), secret, stored("b/face.png", "b")});
    ASSERT_TRUE(write_bytes(path, archive).has_value());
    auto container = read_container_file(path);
    ASSERT_TRUE(container.has_value());
    EXPECT_EQ(container->report.diagnostics().front().file, path);
    const AvatarInput avatar = avatar_from({"pia", 0, ""}, std::move(container->value));
    EXPECT_EQ(avatar.source.stem, "pia");
    EXPECT_EQ(avatar.file.bones.size(), small_avatar().bones.size());
    ASSERT_EQ(avatar.companions.size(), 2u);
    EXPECT_EQ(avatar.companions[0].first, "b/face.png");
    EXPECT_EQ(avatar.companions[1].first, "a/face.png");
    EXPECT_EQ(read_container_file(path + ".not").error().code, "input-open");
    EXPECT_TRUE(avatar_from({}, Container{}).companions.empty());
}

TEST(Container, TexturesMayBeNamedWithAFolder) {
    File avatar = small_avatar();
    avatar.texture.name = std::string("textures\\FACE.png\0", 18);
    const Bytes bytes = write(avatar).value();
    const auto container =
        expect_read(test::raw_zip({stored("a/avatardef.jarp", text_from(bytes)), stored("a/face.png", "a")}));
    EXPECT_EQ(ContainerFormat::check(container.value, {}).count("container-texture-missing"), 0u);
}

TEST(Container, NamesThatLeadOutAreRefused) {
    for (const std::string_view name : std::initializer_list<std::string_view>{
             "/etc/passwd", "../up", "pia/../../up", "pia/..", "C:/x", "c:x", "\\\\pia\\x", "..\\up", "pia\\..\\..\\up",
             "", std::string_view("a\0b", 3)}) {
        std::vector<RawZipEntry> entries = usual_entries();
        entries.push_back(stored(std::string(name), "x"));
        EXPECT_EQ(code_of(test::raw_zip(entries)), "container-entry-name") << name;
    }
    std::vector<RawZipEntry> entries = usual_entries();
    entries.push_back(stored("pia/..x/a..b/...", "harmless"));
    EXPECT_EQ(code_of(test::raw_zip(entries)), "");
}

TEST(Container, BackslashesAreReadAsSlashes) {
    const Bytes archive = test::raw_zip(
        {stored("pia\\face.png", "ours"), stored("face.png", "another"), stored("pia\\avatardef.jarp", avatar_text())});
    auto loaded = expect_read(archive);
    ASSERT_EQ(names_of(loaded.value), (std::vector<std::string>{"pia/face.png", "face.png", "pia/avatardef.jarp"}));
    EXPECT_EQ(find_entry(loaded.value, "face.png")->name, "pia/face.png") << "beside the avatar";
    EXPECT_EQ(write_container(loaded.value).value(), archive);
    loaded.value.avatar.scale = 2;
    const auto again = expect_read(write_container(loaded.value).value());
    EXPECT_EQ(names_of(again.value), names_of(loaded.value));
}

TEST(Container, ADefinitionThatIsNoAvatarIsPassedOver) {
    const auto loaded = expect_read(
        test::raw_zip({stored("a/avatardef.jarp", "what is this"), stored("b/avatardef.jarp", avatar_text())}));
    EXPECT_EQ(loaded.value.definition, 1u);
    EXPECT_EQ(loaded.value.avatar.bones.size(), 2u);
    EXPECT_EQ(loaded.report.count("container-avatars"), 1u);
    const auto none = read_container(
        test::raw_zip({stored("a/avatardef.jarp", "what is this"), stored("b/avatardef.jarp", "and this")}));
    ASSERT_FALSE(none.has_value());
    EXPECT_TRUE(none.error().path.starts_with("a/avatardef.jarp")) << none.error().path;
}

TEST(Container, EntriesThatCannotBeReadAreOnlyKept) {
    std::vector<RawZipEntry> entries = usual_entries();
    entries[2].flags = 1;    // encrypted
    entries[3].method = 14;  // LZMA
    entries[4].checksum ^= 1;
    entries[5].packed[0] = static_cast<char>(entries[5].packed[0] | 6);  // a type of block that there is not
    const Bytes archive = test::raw_zip(entries);
    auto loaded = expect_read(archive);
    EXPECT_EQ(loaded.report.count("container-entry-unsupported"), 2u);
    EXPECT_EQ(loaded.report.count("container-entry-damaged"), 2u);
    EXPECT_TRUE(loaded.report.has_errors());
    ASSERT_EQ(loaded.value.entries.size(), 6u);
    for (std::size_t index = 2; index < 6; ++index) EXPECT_FALSE(loaded.value.entries[index].readable) << index;
    EXPECT_EQ(find_entry(loaded.value, "face.png"), nullptr);
    EXPECT_EQ(write_container(loaded.value).value(), archive);
    loaded.value.avatar.scale = 2;
    EXPECT_EQ(write_container(loaded.value).error().code, "container-entry-kept");
    entries[1].flags = 1;
    EXPECT_EQ(code_of(test::raw_zip(entries)), "container-avatar-damaged");
}

TEST(Container, StatedSizesAreNotBelieved) {
    for (const std::uint32_t size : {0u, 5u, 4000u, 0xffffffffu}) {
        std::vector<RawZipEntry> entries = usual_entries();
        entries[2].size = size;
        entries[3].size = size;
        const auto loaded = expect_read(test::raw_zip(entries));
        EXPECT_EQ(loaded.report.count("container-entry-damaged"), 2u) << size;
    }
}

TEST(Container, BombsAreRefused) {
    std::vector<RawZipEntry> entries = usual_entries();
    entries.push_back(deflated("pia/zeros", std::string(std::size_t{8} << 20, '\0')));
    Limits limits;
    limits.memory = std::uint64_t{8} << 20;
    EXPECT_EQ(code_of(test::raw_zip(entries), limits), "limit-memory");
    limits.memory = std::uint64_t{64} << 20;
    EXPECT_EQ(code_of(test::raw_zip(entries), limits), "");
    // One block of bytes that many entries unpack, each small enough.
    const auto megabyte = deflated("pia/zeros", std::string(std::size_t{1} << 20, '\0'));
    const auto many = read_container(test::overlapping_zip(megabyte, 30), {limits});
    ASSERT_FALSE(many.has_value());
    EXPECT_EQ(many.error().code, "container-no-avatar");
    // Bytes that unpack to nothing, again and again.
    std::string nothing;
    for (int block = 0; block < 20000; ++block) nothing += std::string("\0\0\0\xff\xff", 5);
    RawZipEntry idle = stored("pia/nothing", "");
    idle.packed = nothing + std::string("\1\0\0\xff\xff", 5);
    idle.method = 8;
    EXPECT_EQ(code_of(test::overlapping_zip(idle, 20000)), "container-no-avatar");
}

TEST(Container, LimitsHold) {
    const Bytes archive = test::raw_zip(usual_entries());
    Limits limits;
    limits.count = 3;
    EXPECT_EQ(code_of(archive, limits), "limit-count");
    limits = {};
    limits.string = 8;
    EXPECT_EQ(code_of(archive, limits), "limit-string");
    limits = {};
    limits.memory = archive.size() + 100;
    EXPECT_EQ(code_of(archive, limits), "limit-memory");
    limits.memory = 1;
    EXPECT_EQ(code_of(archive, limits), "limit-memory");
}

TEST(Container, AnyCutAndAnyFlippedByteIsSafe) {
    const Bytes archive = test::raw_zip(usual_entries());
    for (std::size_t size = 0; size < archive.size(); ++size) {
        const Bytes cut(archive.begin(), archive.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(read_container(cut).has_value()) << size;
    }
    for (std::size_t place = 0; place < archive.size(); ++place) {
        for (const unsigned mask : {0x01u, 0xffu}) {
            Bytes changed = archive;
            changed[place] ^= static_cast<std::byte>(mask);
            const auto loaded = read_container(changed);
            if (!loaded) continue;
            EXPECT_EQ(write_container(loaded->value).value(), changed) << place;
        }
    }
}

TEST(Container, IsRecognised) {
    const auto is_container = [](const Bytes& bytes, std::string_view name) {
        return looks_like_container(std::span(bytes).first(std::min<std::size_t>(bytes.size(), 4096)), name);
    };
    const Bytes other = test::raw_zip({stored("word/document.xml", "<x/>")});
    EXPECT_TRUE(is_container(test::raw_zip(usual_entries()), "anything"));
    EXPECT_TRUE(is_container(other, "a/PIA.JAR"));
    EXPECT_FALSE(is_container(other, "pia.zip"));
    EXPECT_FALSE(is_container(bytes_of_text("PK"), "pia.jar"));
    EXPECT_FALSE(is_container({}, "pia.jar"));
}

TEST(Container, CheckSaysWhatIsMissing) {
    EXPECT_EQ(
        ContainerFormat::check(expect_read(test::raw_zip(usual_entries())).value, {}).count("container-file-missing"),
        0u);
    const auto bare = expect_read(test::raw_zip(
        {stored("pia/avatardef.jarp", avatar_text()), stored("pia/A.txt", "1"), stored("pia/a.TXT", "2")}));
    const Report report = ContainerFormat::check(bare.value, {});
    EXPECT_EQ(report.count("container-file-missing"), 3u);
    EXPECT_EQ(report.count("container-texture-missing"), 1u);
    EXPECT_EQ(report.count("container-entry-repeated"), 1u);
    auto broken = bare.value;
    broken.avatar.meshes[0].points.weights[1] = -3;
    const Report inner = ContainerFormat::check(broken, {});
    const auto is_inner = [](const Diagnostic& finding) { return finding.path.starts_with("pia/avatardef.jarp / "); };
    EXPECT_TRUE(std::any_of(inner.diagnostics().begin(), inner.diagnostics().end(), is_inner));
}

TEST(Container, CheckLooksIntoTheFilesBeside) {
    auto entries = usual_entries();
    EXPECT_EQ(ContainerFormat::check(expect_read(test::raw_zip(entries)).value, {}).count("arp-companion"), 0u);
    entries[4] = stored("pia/asd.xml", "<avatarStaticData>");
    const Report report = ContainerFormat::check(expect_read(test::raw_zip(entries)).value, {});
    ASSERT_EQ(report.count("arp-companion"), 1u);
    const auto found = std::ranges::find(report.diagnostics(), "arp-companion", &Diagnostic::code);
    EXPECT_EQ(found->path, "pia/asd.xml");
}

TEST(Container, CheckLooksIntoTheTexture) {
    EXPECT_EQ(ContainerFormat::check(expect_read(test::raw_zip(usual_entries())).value, {})
                  .count("container-texture-damaged"),
              1u);  // ten bytes of text
    image::Picture picture;
    picture.width = picture.height = 1;
    picture.rgba.resize(4);
    const Bytes png = image::encode_png(picture).value();
    File avatar = small_avatar();
    avatar.texture.name = "face.png";
    const Bytes bytes = write(avatar).value();
    for (const std::size_t cut : {std::size_t{0}, png.size() / 2}) {
        const std::string_view part = text_from(png).substr(0, png.size() - cut);
        const auto container =
            expect_read(test::raw_zip({stored("a/avatardef.jarp", text_from(bytes)), stored("a/face.png", part)}));
        const Report report = ContainerFormat::check(container.value, {});
        EXPECT_EQ(report.count("container-texture-damaged"), cut == 0 ? 0u : 1u);
    }
}

TEST(Container, InfoListsEntries) {
    const Json info = ContainerFormat::info(expect_read(test::raw_zip(usual_entries())).value, {});
    EXPECT_EQ(info["format"], "jar");
    EXPECT_EQ(info["counts"]["entries"], 6);
    EXPECT_EQ(info["entries"][2], Json({{"name", "pia/face.png"}, {"size", 10}}));
    EXPECT_EQ(info["definition"], "pia/avatardef.jarp");
    EXPECT_EQ(info["avatar"]["format"], "jarp");
}

// Corpus

TEST(Corpus, ContainersAreKept) {
    std::size_t containers = 0, entries = 0;
    for (const std::filesystem::path& path : corpus::paths()) {
        if (!looks_like_container(corpus::head_of(path), "")) continue;
        SCOPED_TRACE(path.string());
        const Bytes archive = corpus::bytes_of(path);
        auto loaded = expect_read(archive);
        EXPECT_FALSE(loaded.report.has_errors());
        EXPECT_EQ(write_container(loaded.value).value(), archive);
        EXPECT_NE(find_entry(loaded.value, loaded.value.avatar.texture.name), nullptr);
        // Packed anew it holds the same.
        loaded.value.archive.clear();
        const auto again = expect_read(write_container(loaded.value).value());
        ASSERT_EQ(names_of(again.value), names_of(loaded.value));
        for (std::size_t index = 0; index < again.value.entries.size(); ++index)
            EXPECT_EQ(again.value.entries[index].content, loaded.value.entries[index].content);
        ++containers;
        entries += loaded.value.entries.size();
    }
    if (containers == 0) GTEST_SKIP() << corpus::has_no("container");
    std::cout << "corpus: " << containers << " containers kept, " << entries << " entries\n";
}

}  // namespace
}  // namespace effigy::arp
