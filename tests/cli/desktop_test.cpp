/// What desktops are told: types by magic, thumbnails, the entry and its metadata. Tools that are missing skip
/// a test.

#include <sstream>

#include "effigy/image.hpp"
#include "effigy/registry.hpp"
#include "effigy/render.hpp"

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::string desktop_folder = EFFIGY_SOURCE_DIR "/desktop/";
const std::string desktop_entry = desktop_folder + "org.effigy.Effigy.desktop";
const std::string metainfo = desktop_folder + "org.effigy.Effigy.metainfo.xml";

class CliDesktop : public Cli {
protected:
    [[nodiscard]] bool has(const std::string& tool) const { return run("command -v " + tool).code == 0; }
    [[nodiscard]] std::string text(const std::string& file) const { return expect_success("cat '" + file + "'").out; }
    /// What is behind "Name=" in a file of lines.
    [[nodiscard]] std::string value(const std::string& file, const std::string& name) const {
        const std::string lines = "\n" + text(file);
        const std::size_t start = lines.find("\n" + name + "=");
        EXPECT_NE(start, std::string::npos) << name;
        const std::size_t begin = start + name.size() + 2;
        return lines.substr(begin, lines.find('\n', begin) - begin);
    }
    [[nodiscard]] std::vector<std::string> types(const std::string& file) const {
        std::istringstream list(value(file, "MimeType"));
        std::vector<std::string> names;
        for (std::string name; std::getline(list, name, ';');) names.push_back(name);
        return names;
    }
};

TEST_F(CliDesktop, TypesAreToldByMagic) {
    for (const char* tool : {"update-mime-database", "gio"}) {
        if (!has(tool)) GTEST_SKIP() << tool << " is missing";
    }
    // Under names that say nothing.
    expect_success(
        "mkdir -p data/mime/packages && cp '" + desktop_folder +
        "effigy.xml' data/mime/packages && "
        "update-mime-database data/mime 2> /dev/null && mkdir plain && for file in soldier.xac walk.xsm face.xpm "
        "trader.x42 hello.cas.xml notes.txt; do cp $file plain/$file-; done && "
        "cp my_mod/assets/units/size_s/ship_test.xml plain/ship- && "
        "cp $(find my_mod -name '*.xmf' | head -1) plain/mesh-");
    const auto type = [&](const std::string& file) {
        const std::string said =
            expect_success("XDG_DATA_HOME=$PWD/data gio info -a standard::content-type " + file).out;
        const std::size_t start = said.find("content-type: ");
        return start == std::string::npos ? said : said.substr(start + 14, said.find('\n', start) - start - 14);
    };
    EXPECT_EQ(type("plain/soldier.xac-"), "model/x-emotionfx-actor");
    EXPECT_EQ(type("plain/walk.xsm-"), "model/x-emotionfx-motion");
    EXPECT_EQ(type("plain/face.xpm-"), "model/x-emotionfx-morph-motion");
    EXPECT_EQ(type("plain/trader.x42-"), "model/x-x42");
    EXPECT_EQ(type("plain/hello.cas.xml-"), "application/x-cas-motion+xml");
    EXPECT_EQ(type("plain/ship-"), "application/x-egosoft-component+xml");
    EXPECT_EQ(type("plain/mesh-"), "model/x-egosoft-mesh");
    EXPECT_EQ(type("plain/notes.txt-"), "text/plain");
    // With their names, which other programs use for other things.
    EXPECT_EQ(type("soldier.xac"), "model/x-emotionfx-actor");
    EXPECT_EQ(type("walk.xsm"), "model/x-emotionfx-motion");
    EXPECT_EQ(type("face.xpm"), "model/x-emotionfx-morph-motion");
    EXPECT_EQ(type("hello.cas.xml"), "application/x-cas-motion+xml");
    write("picture.xpm", "/* XPM */\nstatic char * x[] = {\n\"1 1 1 1\",\n\"  c #000000\",\n\" \"};\n");
    EXPECT_EQ(type("picture.xpm"), "image/x-xpixmap");
}

TEST_F(CliDesktop, TypesThatAreNamedAreDeclared) {
    const std::string declared = text(desktop_folder + "effigy.xml");
    std::vector<std::string> named = types(desktop_entry), drawn = types(desktop_folder + "effigy.thumbnailer");
    const std::string said = text(metainfo);
    for (const std::string& name : named) {
        EXPECT_THAT(said, HasSubstr("<mediatype>" + name + "</mediatype>"));
        if (name.starts_with("model/gltf")) continue;  // the system's own
        EXPECT_THAT(declared, HasSubstr("type=\"" + name + "\""));
    }
    for (const std::string& name : drawn) EXPECT_THAT(named, Contains(name));
    // Extensions that say something have a type.
    for (const FormatInfo& format : formats()) {
        const bool is_told = format.reads && !format.traits.shares_extension && !format.traits.is_exchange &&
                             (format.role == Role::model || format.role == Role::motion);
        for (const std::string_view extension : format.extensions) {
            if (!is_told || extension == "xml" || extension == "ani" || extension == "jar") continue;
            EXPECT_THAT(declared, HasSubstr("*." + std::string(extension) + "\"")) << format.id;
        }
    }
}

TEST_F(CliDesktop, TheEntryIsValid) {
    if (!has("desktop-file-validate")) GTEST_SKIP() << "desktop-file-validate is missing";
    const Outcome said = expect_success("desktop-file-validate '" + desktop_entry + "'");
    EXPECT_EQ(said.out + said.err, "");
    EXPECT_EQ(value(desktop_entry, "Exec"), "effigy view %F");
}

TEST_F(CliDesktop, TheMetadataIsValid) {
    if (!has("appstreamcli")) GTEST_SKIP() << "appstreamcli is missing";
    expect_success("appstreamcli validate --no-net '" + metainfo + "'");
}

TEST_F(CliDesktop, TheThumbnailerDraws) {
    if (const std::string missing = render::missing_component(); !missing.empty()) GTEST_SKIP() << missing;
    std::string command = value(desktop_folder + "effigy.thumbnailer", "Exec");
    // As file managers do: the name of the output says nothing.
    for (const auto& [field, with] :
         {std::pair("%i", "'hair.xac'"), std::pair("%o", ".thumbnail.A1B2C3"), std::pair("%s", "96")})
        command.replace(command.find(field), 2, with);
    const Outcome drawn = expect_success(command);
    EXPECT_EQ(drawn.out, "");
    const std::string bytes = content(".thumbnail.A1B2C3");
    const auto picture = image::decode(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 96U);
    EXPECT_EQ(picture->height, 96U);
}

}  // namespace
}  // namespace effigy::test
