/// A format that effigy does not have, added as a family of its own: nothing outside of this file knows it.

#include <array>
#include <charconv>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/convert.hpp"

#include "core/problem.hpp"
#include "registry/document_row.hpp"
#include "registry/text_format.hpp"

namespace effigy::test {
namespace {

constexpr Code toy_count{"toy-count", severities::error, "TOY", "A triangle is not complete."};

/// "TOY" and three numbers for each corner of each triangle.
struct ToyFile {
    Bytes text;
    std::vector<float> numbers;
};

std::string text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Bytes bytes_of_text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Result<Loaded<ToyFile>> read_toy(Bytes text, const ReadOptions& /*options*/) {
    Loaded<ToyFile> loaded;
    const std::string words = text_of(text);
    const char* const end = words.data() + words.size();
    for (const char* at = words.data() + 3; at < end;) {
        float number = 0;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error == std::errc()) loaded.value.numbers.push_back(number);
        at = error == std::errc() ? stop : at + 1;
    }
    if (loaded.value.numbers.size() % 9 != 0) loaded.report.add(problem_at("numbers", toy_count));
    loaded.value.text = std::move(text);
    return loaded;
}

constexpr std::array<std::string_view, 1> toy_extensions{"toy"};
constexpr FormatInfo toy_info{
    "toy", "Toy triangles", "toys", Role::model, toy_extensions, "all there are", true, true, true, true};

struct ToyFormat : TextFormat<ToyFile, read_toy> {
    static const FormatInfo& format() { return toy_info; }
    static Json info(const File& file, const InfoOptions& /*options*/) {
        return {{"format", "toy"}, {"triangles", file.numbers.size() / 9}};
    }
};

const Document::Operations* recognize_toy(std::span<const std::byte> head, std::string_view /*name*/) {
    return head.size() >= 3 && std::memcmp(head.data(), "TOY", 3) == 0 ? &operations<ToyFormat>() : nullptr;
}

Result<Loaded<Scene>> scene_of_toys(std::vector<SceneSource> sources, const ConversionContext& context) {
    Loaded<Scene> loaded;
    const auto scale = static_cast<float>(context.options.number("toy-scale", 1));
    for (const SceneSource& source : sources) {
        const ToyFile& file = *source.document.get_if<ToyFile>();
        Mesh& mesh = loaded.value.meshes.emplace_back();
        mesh.name = source.named().stem().string();
        mesh.vertex_count = static_cast<std::uint32_t>(file.numbers.size() / 9 * 3);
        Attribute positions{Semantic::position, 0, {}, {{}, ElementType::vec3, ComponentType::f32, false}};
        positions.data.bytes.resize(mesh.vertex_count * sizeof(Vec3));
        for (std::size_t i = 0; i < std::size_t{3} * mesh.vertex_count; ++i)
            positions.data.as<float>()[i] = scale * file.numbers[i];
        mesh.attributes.push_back(std::move(positions));
        Primitive triangles{0, mesh.vertex_count, {}, no_index, Topology::triangles};
        for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) triangles.indices.push_back(i);
        mesh.primitives.push_back(std::move(triangles));
        Node& node = loaded.value.nodes.emplace_back();
        node.name = mesh.name;
        node.mesh = static_cast<Index>(loaded.value.meshes.size() - 1);
    }
    return loaded;
}

Result<NewFiles> toys_of_scene(const Scene& scene, const FormatInfo& /*format*/, const std::filesystem::path& path,
                               const ConversionContext& context) {
    std::string text = context.options.flag("toy-loud") ? "TOY!" : "TOY";
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives) {
            for (const std::uint32_t index : primitive.indices) {
                const Vec3 v = mesh.attributes.front().data.as<Vec3>()[primitive.first_vertex + index];
                for (const float number : {v.x, v.y, v.z}) text += " " + std::to_string(number);
            }
        }
    }
    NewFiles files;
    files.value.push_back({path.filename().string(), bytes_of_text(text)});
    return files;
}

constexpr std::array toy_options{
    OptionDeclaration{.name = "toy-scale",
                      .type = OptionType::number,
                      .help = "How large toys are",
                      .argument = "FACTOR",
                      .max = 10,
                      .range_text = "a factor between 0 and 10 is needed",
                      .reads = true},
    OptionDeclaration{.name = "toy-loud", .help = "Toys that shout", .writes = true},
};

constexpr std::array<std::string_view, 1> box_extensions{"toybox"};
constexpr FormatInfo toy_companions[] = {
    {"toybox", "what toys come in", "toys", Role::companion, box_extensions, "all", false, false, false, false}};
constexpr Relative toy_relatives[] = {{"PUPPET", "this is a puppet, which is moved by hand"}};

Recognition recognize_box(std::span<const std::byte> head, std::string_view /*name*/) {
    if (head.size() < 3 || std::memcmp(head.data(), "BOX", 3) != 0) return {};
    return {toy_companions, "this is the box; name the toy in it", "large"};
}

const Registry& with_toys() {
    static const FamilyRow toys{.name = "toys",
                                .title = "Toys",
                                .formats = {&operations<ToyFormat>()},
                                .recognize = recognize_toy,
                                .to_scene = scene_of_toys,
                                .from_scene = toys_of_scene,
                                .other_formats = toy_companions,
                                .relatives = toy_relatives,
                                .recognize_relative = recognize_box,
                                .options = toy_options};
    static const Registry registry = [] {
        const auto standard = Registry::standard().families();
        std::vector<const FamilyRow*> families(standard.begin(), standard.end());
        families.push_back(&toys);
        return Registry(std::move(families));
    }();
    return registry;
}

/// Files that go into memory.
struct Taken {
    std::vector<NewFile> files;
    OutputFiles to(const char* path) {
        OutputFiles output(path);
        output.take = [this](std::vector<NewFile> made) -> Result<void> {
            files = std::move(made);
            return {};
        };
        return output;
    }
};

const char* const two_triangles = "TOY 0 0 0 1 0 0 0 1 0\n0 0 1 1 0 1 0 1 1 ";

InputFile toy(const char* text = two_triangles) { return {"box.toy", bytes_of_text(text)}; }

ConvertOptions options_with_toys() {
    ConvertOptions options;
    options.registry = &with_toys();
    return options;
}

TEST(ToyFormat, IsRecognisedReadCheckedAndDumped) {
    const Bytes bytes = bytes_of_text(two_triangles);
    EXPECT_EQ(recognize(bytes, "", with_toys()).format->id, "toy");
    EXPECT_EQ(recognize(bytes, "").format, nullptr);
    EXPECT_EQ(find_format(".toy", with_toys())->family, "toys");
    EXPECT_EQ(find_format(".toy"), nullptr);
    const auto opened = open_bytes(bytes, "box.toy", {}, with_toys());
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_EQ(opened->value.get_if<ToyFile>()->numbers.size(), 18U);
    EXPECT_EQ(opened->value.get_if<Bytes>(), nullptr) << "another type is no toy";
    EXPECT_TRUE(opened->value.check().empty());
    EXPECT_THAT(opened->value.info().value(), testing::HasSubstr("\"triangles\":2"));
    const auto built = build(opened->value.dump().value(), false, {}, with_toys());
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(built->write().value(), bytes);
    EXPECT_FALSE(build(opened->value.dump().value()));
}

TEST(ToyFormat, NamesItsRelativesAndCompanions) {
    const Bytes puppet = bytes_of_text("PUPPET"), box = bytes_of_text("BOX of toys");
    EXPECT_EQ(recognize(puppet, "", with_toys()).foreign, "this is a puppet, which is moved by hand");
    EXPECT_EQ(recognize(puppet, "").foreign, "");
    const Recognition recognition = recognize(box, "", with_toys());
    ASSERT_NE(recognition.format, nullptr);
    EXPECT_EQ(recognition.format->id, "toybox");
    EXPECT_EQ(recognition.variant, "large");
    const auto opened = open_bytes(box, "a.toybox", {}, with_toys());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, "foreign-format");
    EXPECT_EQ(opened.error().message, "this is the box; name the toy in it");
    EXPECT_TRUE(is_unreadable(opened.error(), with_toys()));
    Taken taken;
    const auto alone = convert({{"a.toybox", box}}, taken.to("box.glb"), options_with_toys());
    ASSERT_FALSE(alone);
    EXPECT_THAT(alone.error().message, testing::HasSubstr("only go with others"));
}

TEST(ToyFormat, IsCopiedByteByByte) {
    Taken taken;
    const auto done = convert({toy()}, taken.to("copy.toy"), options_with_toys());
    ASSERT_TRUE(done) << to_string(done.error());
    ASSERT_EQ(taken.files.size(), 1U);
    EXPECT_EQ(text_of(taken.files[0].bytes), two_triangles);
    EXPECT_FALSE(done->scene);
}

TEST(ToyFormat, BecomesOtherFormatsAndComesBack) {
    Taken glb, back;
    ConvertOptions options = options_with_toys();
    options.values = {{"toy-scale", "2"}};
    const auto there = convert({toy()}, glb.to("box.glb"), options);
    ASSERT_TRUE(there) << to_string(there.error());
    EXPECT_EQ(triangle_count(there->scene->meshes.at(0).primitives.at(0)), 2U);
    ASSERT_EQ(glb.files.size(), 1U);
    options.values = {{"toy-loud", "true"}};
    const auto again = convert({{"box.glb", glb.files[0].bytes}}, back.to("again.toy"), options);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_THAT(text_of(back.files.at(0).bytes), testing::StartsWith("TOY! 0.000000 0.000000 0.000000 2.000000"));
    for (const char* name : {"box.obj", "box.ply", "box.gltf", "box.xac"}) {
        Taken other;
        EXPECT_TRUE(convert({toy()}, other.to(name), options_with_toys())) << name;
        EXPECT_EQ(other.files.at(0).name, name);
    }
}

TEST(ToyFormat, DeclaresItsSwitches) {
    Taken taken;
    ConvertOptions options = options_with_toys();
    options.values = {{"toy-scale", "11"}};
    const auto large = convert({toy()}, taken.to("box.glb"), options);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, "usage-option");
    EXPECT_EQ(large.error().expected, "a factor between 0 and 10");
    options.values = {{"toy-loud", "true"}};
    const auto silent = convert({toy()}, taken.to("box.glb"), options);
    ASSERT_FALSE(silent);
    EXPECT_EQ(silent.error().message, "--toy-loud says nothing about .glb");
    EXPECT_THAT(options_page(with_toys()), testing::HasSubstr("## Toys"));
}

TEST(ToyFormat, GoesThereAndBack) {
    ConvertOptions options = options_with_toys();
    options.values = {{"via", "toy"}, {"toy-scale", "2"}};
    const auto done = convert({toy()}, OutputFiles(), options);
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(done->report.count(Severity::warning), 0U);
    EXPECT_EQ(done->scene->meshes.at(0).vertex_count, 6U);
    EXPECT_EQ(done->scene->meshes.at(0).attributes.at(0).data.as<float>()[3], 2) << "not scaled again on the way back";
}

TEST(ToyFormat, DamagedInputsAreRefused) {
    Taken taken;
    ConvertOptions options = options_with_toys();
    Report noticed;
    options.report_of_failure = &noticed;
    const auto refused = convert({toy("TOY 1 2 3")}, taken.to("box.glb"), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "damaged-input");
    EXPECT_EQ(noticed.count("toy-count"), 1U);
    EXPECT_TRUE(taken.files.empty());
}

}  // namespace
}  // namespace effigy::test
