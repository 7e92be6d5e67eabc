/// The C interface: every function, ownership, callbacks, wrong use, and what its library shows to others.

#include <array>
#include <cstdio>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "effigy/effigy.h"

#include "contents.hpp"

namespace effigy::test {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Free {
    void operator()(void* object) const { effigy_free(object); }
};
using Result = std::unique_ptr<effigy_result, Free>;
using Document = std::unique_ptr<effigy_document, Free>;
using Scene = std::unique_ptr<effigy_scene, Free>;

const std::string& model() {
    static const std::string bytes = read_text(EFFIGY_SOURCE_DIR "/tests/x42/reference/le_full.x42");
    return bytes;
}

effigy_input input_of(const std::string& bytes, const char* name = "model.x42") {
    return {name, bytes.data(), bytes.size()};
}

effigy_settings with(const char* options) {
    effigy_settings settings{};
    settings.struct_size = sizeof settings;
    settings.options = options;
    settings.in_memory = 1;
    return settings;
}

std::string data_of(const Result& result) {
    std::size_t size = 0;
    const void* const data = effigy_data(result.get(), &size);
    return data == nullptr ? "" : std::string(static_cast<const char*>(data), size);
}

std::string file_of(const Result& result, std::size_t index) {
    std::size_t size = 0;
    const void* const data = effigy_file_data(result.get(), index, &size);
    return data == nullptr ? "" : std::string(static_cast<const char*>(data), size);
}

Result succeeded(effigy_result* result) {
    EXPECT_EQ(effigy_status(result), EFFIGY_OK) << effigy_error(result);
    EXPECT_STREQ(effigy_error(result), "");
    EXPECT_TRUE(Json::parse(effigy_findings(result)).contains("findings"));
    return Result(result);
}

/// A failure names itself in one line and as the last finding.
void expect_failure(effigy_result* made, effigy_status_code status, const std::string& words) {
    const Result result(made);
    EXPECT_EQ(effigy_status(made), status) << effigy_error(made);
    EXPECT_THAT(effigy_error(made), HasSubstr(words));
    EXPECT_THAT(
        effigy_error(made),
        HasSubstr("[" + Json::parse(effigy_findings(made))["findings"].back()["code"].get<std::string>() + "]"));
    EXPECT_STREQ(effigy_text(made), "");
    EXPECT_EQ(effigy_data(made, nullptr), nullptr);
    EXPECT_EQ(effigy_file_count(made), 0U);
    EXPECT_EQ(effigy_take_document(made), nullptr);
    EXPECT_EQ(effigy_take_scene(made), nullptr);
}

Document opened(const std::string& bytes) {
    const effigy_input input = input_of(bytes);
    const Result result = succeeded(effigy_open(&input, nullptr));
    Document document(effigy_take_document(result.get()));
    EXPECT_NE(document, nullptr);
    EXPECT_EQ(effigy_take_document(result.get()), nullptr) << "it is taken once";
    return document;
}

Scene loaded() {
    const effigy_input input = input_of(model());
    const effigy_settings settings = with(R"({"no-textures": true})");
    const Result result = succeeded(effigy_load_scene(&input, 1, &settings));
    return Scene(effigy_take_scene(result.get()));
}

TEST(C, SaysWhatItIs) {
    EXPECT_TRUE(std::regex_match(effigy_version(), std::regex(R"(\d+\.\d+\.\d+)")));
    const Json formats = Json::parse(effigy_text(succeeded(effigy_formats()).get()));
    std::set<std::string> ids;
    for (const Json& format : formats) ids.insert(format["id"]);
    EXPECT_THAT(ids, ::testing::IsSupersetOf({"xac", "xmf", "x42", "jarp", "glb"}));
}

TEST(C, RecognizesByContent) {
    EXPECT_EQ(Json::parse(effigy_text(succeeded(effigy_recognize(model().data(), 100, nullptr)).get()))["format"],
              "x42");
    const Result foreign = succeeded(effigy_recognize("ACTR\1\0\0\0", 8, "a.actor"));
    EXPECT_TRUE(Json::parse(effigy_text(foreign.get()))["format"].is_null());
    expect_failure(effigy_recognize(nullptr, 3, nullptr), EFFIGY_USAGE, "no bytes");
}

TEST(C, WritesTheBytesThatItRead) {
    const Document document = opened(model());
    EXPECT_STREQ(effigy_document_format(document.get()), "x42");
    EXPECT_EQ(data_of(succeeded(effigy_write(document.get(), nullptr))), model());
    const Result dump = succeeded(effigy_dump(document.get(), nullptr));
    const Result built = succeeded(effigy_build(effigy_text(dump.get()), nullptr));
    const Document back(effigy_take_document(built.get()));
    EXPECT_EQ(data_of(succeeded(effigy_write(back.get(), nullptr))), model());
    const effigy_settings hex = with(R"({"hex": true})");
    EXPECT_THAT(effigy_text(succeeded(effigy_dump(document.get(), &hex)).get()), HasSubstr("version"));
}

TEST(C, SaysWhatIsInAFile) {
    const Document document = opened(model());
    EXPECT_EQ(Json::parse(effigy_text(succeeded(effigy_info(document.get(), nullptr)).get()))["format"], "x42");
    const Result check = succeeded(effigy_check(document.get(), nullptr, nullptr));
    EXPECT_EQ(Json::parse(effigy_findings(check.get()))["effigy_report"], 1);
}

TEST(C, ConvertsInMemory) {
    const effigy_input input = input_of(model());
    const effigy_settings settings = with(R"({"lod": 0, "no-textures": true})");
    const Result glb = succeeded(effigy_convert(&input, 1, "model.glb", &settings));
    ASSERT_EQ(effigy_file_count(glb.get()), 1U);
    EXPECT_STREQ(effigy_file_name(glb.get(), 0), "model.glb");
    EXPECT_THAT(file_of(glb, 0), ::testing::StartsWith("glTF"));
    EXPECT_GT(Json::parse(effigy_text(glb.get()))["counts"]["nodes"], 0);
    // Past the end there is nothing.
    EXPECT_STREQ(effigy_file_name(glb.get(), 1), "");
    EXPECT_EQ(file_of(glb, 1), "");
    const std::string bytes = file_of(glb, 0);
    const effigy_input back = input_of(bytes, "model.glb");
    EXPECT_GT(effigy_file_count(succeeded(effigy_convert(&back, 1, "back.x42", &settings)).get()), 0U);
}

TEST(C, KeepsEveryByteOfACopy) {
    const effigy_input input = input_of(model());
    const effigy_settings settings = with(nullptr);
    EXPECT_EQ(file_of(succeeded(effigy_convert(&input, 1, "copy.x42", &settings)), 0), model());
}

struct World {
    std::map<std::string, std::string> files;
    std::vector<std::string> steps;
    std::size_t max_steps = 1000;
};

TEST(C, AsksForFilesAndTellsItsProgress) {
    World world{{{"folder/model.x42", model()}}, {}};
    effigy_settings settings = with(R"({"no-textures": true})");
    settings.user = &world;
    settings.read_file = [](void* user, const char* name, effigy_sink* sink) {
        const auto& files = static_cast<World*>(user)->files;
        const auto file = files.find(name);
        if (file == files.end()) return 0;
        effigy_put(sink, file->second.data(), file->second.size());
        return 1;
    };
    settings.list_files = [](void* user, effigy_sink* sink) {
        for (const auto& [name, bytes] : static_cast<World*>(user)->files) effigy_put(sink, name.data(), name.size());
    };
    settings.progress = [](void* user, const char* what, const char*, std::size_t done, std::size_t total) {
        auto& seen = *static_cast<World*>(user);
        EXPECT_LE(done, total);
        seen.steps.emplace_back(what);
        return seen.steps.size() <= seen.max_steps ? 1 : 0;
    };
    const effigy_input input{"folder/model.x42", nullptr, 0}, missing{"folder/no.x42", nullptr, 0};
    EXPECT_EQ(effigy_file_count(succeeded(effigy_convert(&input, 1, "model.glb", &settings)).get()), 1U);
    EXPECT_THAT(world.steps, ::testing::Contains("reading"));
    const Result opened = succeeded(effigy_open(&input, &settings));
    EXPECT_NE(Document(effigy_take_document(opened.get())), nullptr);
    expect_failure(effigy_convert(&missing, 1, "model.glb", &settings), EFFIGY_UNREADABLE, "folder/no.x42");
    world.steps.clear();
    world.max_steps = 0;
    expect_failure(effigy_convert(&input, 1, "model.glb", &settings), EFFIGY_LIMIT, "limit-cancelled");
}

TEST(C, PosesAndSavesScenes) {
    const Scene scene = loaded();
    const Json info = Json::parse(effigy_text(succeeded(effigy_scene_info(scene.get())).get()));
    ASSERT_GT(info["counts"]["clips"], 0);
    const effigy_settings moment = with(R"({"time": 0.1})");
    const Result pose = succeeded(effigy_pose(scene.get(), &moment));
    const Scene still(effigy_take_scene(pose.get()));
    EXPECT_EQ(Json::parse(effigy_text(succeeded(effigy_scene_info(still.get())).get()))["counts"]["clips"], 0);
    EXPECT_EQ(Json::parse(effigy_text(succeeded(effigy_scene_info(scene.get())).get())), info) << "the scene stays";
    const effigy_settings memory = with(nullptr);
    const Result obj = succeeded(effigy_save_scene(still.get(), "still.obj", &memory));
    EXPECT_STREQ(effigy_file_name(obj.get(), 0), "still.obj");
    EXPECT_THAT(file_of(obj, 0), HasSubstr("\nv "));
    const effigy_settings nowhere = with(R"({"clip": "no such clip"})");
    expect_failure(effigy_pose(scene.get(), &nowhere), EFFIGY_USAGE, "no such clip");
}

TEST(C, Draws) {
    const Scene scene = loaded();
    const effigy_settings settings = with(R"({"width": 32, "height": 24, "samples": 1, "threads": 1, "clip": ""})");
    const Result picture(effigy_render(scene.get(), &settings));
    if (effigy_status(picture.get()) != EFFIGY_OK &&
        std::strstr(effigy_error(picture.get()), "render-unavailable") != nullptr)
        GTEST_SKIP() << effigy_error(picture.get());
    EXPECT_EQ(effigy_status(picture.get()), EFFIGY_OK) << effigy_error(picture.get());
    EXPECT_THAT(data_of(picture), ::testing::StartsWith("\x89PNG"));
}

TEST(C, ComparesFiles) {
    const effigy_input a = input_of(model(), "a.x42"), b = input_of(model(), "b.x42");
    const Result same = succeeded(effigy_diff(&a, &b, nullptr));
    EXPECT_EQ(Json::parse(effigy_text(same.get()))["identical"], true);
}

TEST(C, MatchesMotionsWithModels) {
    // As the program: models whose motions are inside have nothing to be compared with.
    const std::string text = "nothing that is known";
    const effigy_input input = input_of(model()), unknown = input_of(text, "x.bin");
    const Result none = succeeded(effigy_match(&input, 1, &unknown, 1, nullptr));
    const Json answer = Json::parse(effigy_text(none.get()));
    EXPECT_EQ(answer["effigy_match"], 1);
    EXPECT_EQ(answer["motions"], 0);
    EXPECT_TRUE(answer["models"].empty());
    EXPECT_THAT(effigy_findings(none.get()), HasSubstr("x.bin"));
    expect_failure(effigy_match(nullptr, 1, &input, 1, nullptr), EFFIGY_USAGE, "no inputs");
    expect_failure(effigy_match(&input, 1, &input, 0, nullptr), EFFIGY_USAGE, "no inputs");
}

TEST(C, RefusesWrongUse) {
    const effigy_input input = input_of(model()), nothing{nullptr, nullptr, 0};
    const Document document = opened(model());
    const Scene scene = loaded();
    expect_failure(effigy_open(nullptr, nullptr), EFFIGY_USAGE, "no input");
    expect_failure(effigy_open(&nothing, nullptr), EFFIGY_USAGE, "no input");
    expect_failure(effigy_build(nullptr, nullptr), EFFIGY_USAGE, "no dump");
    expect_failure(effigy_info(nullptr, nullptr), EFFIGY_USAGE, "no document");
    expect_failure(effigy_check(nullptr, nullptr, nullptr), EFFIGY_USAGE, "no document");
    expect_failure(effigy_dump(nullptr, nullptr), EFFIGY_USAGE, "no document");
    expect_failure(effigy_write(nullptr, nullptr), EFFIGY_USAGE, "no document");
    expect_failure(effigy_load_scene(nullptr, 1, nullptr), EFFIGY_USAGE, "no inputs");
    expect_failure(effigy_load_scene(&input, 0, nullptr), EFFIGY_USAGE, "no inputs");
    expect_failure(effigy_scene_info(nullptr), EFFIGY_USAGE, "no scene");
    expect_failure(effigy_pose(nullptr, nullptr), EFFIGY_USAGE, "no scene");
    expect_failure(effigy_render(nullptr, nullptr), EFFIGY_USAGE, "no scene");
    expect_failure(effigy_save_scene(scene.get(), nullptr, nullptr), EFFIGY_USAGE, "");
    expect_failure(effigy_convert(&input, 1, nullptr, nullptr), EFFIGY_USAGE, "no output");
    expect_failure(effigy_diff(&input, nullptr, nullptr), EFFIGY_USAGE, "no inputs");
    for (const char* options :
         {"not json", "[1]", R"({"no-such-switch": 1})", R"({"limit-memory": "much"})", R"({"limit-memory": -1})"}) {
        const effigy_settings settings = with(options);
        expect_failure(effigy_open(&input, &settings), EFFIGY_USAGE, "");
        expect_failure(effigy_info(document.get(), &settings), EFFIGY_USAGE, "");
        expect_failure(effigy_convert(&input, 1, "x.glb", &settings), EFFIGY_USAGE, "");
        expect_failure(effigy_render(scene.get(), &settings), EFFIGY_USAGE, "");
    }
    const effigy_settings wide = with(R"({"width": -1})");
    const Result refused(effigy_render(scene.get(), &wide));
    EXPECT_THAT(effigy_error(refused.get()), AllOf(HasSubstr("wrong: width is out"), Not(HasSubstr("json.exception"))));
    // Settings that nobody gave a size are not ignored.
    effigy_settings unsized = with(R"({"lod": 0})");
    unsized.struct_size = 0;
    expect_failure(effigy_convert(&input, 1, "x.glb", &unsized), EFFIGY_USAGE, "struct_size");
    effigy_free(nullptr);
    effigy_put(nullptr, nullptr, 0);
    EXPECT_STREQ(effigy_document_format(nullptr), "");
    EXPECT_STREQ(effigy_error(nullptr), "");
}

TEST(C, SaysWhyAFileIsNotRead) {
    const std::string unknown = "nothing that is known";
    const effigy_input text = input_of(unknown, "x.bin"), missing{"no/such/file.x42", nullptr, 0};
    expect_failure(effigy_open(&text, nullptr), EFFIGY_UNREADABLE, "unknown-format");
    expect_failure(effigy_open(&missing, nullptr), EFFIGY_UNREADABLE, "no/such/file.x42");
    const effigy_input input = input_of(model());
    const effigy_settings little = with(R"({"limit-memory": 10})");
    expect_failure(effigy_open(&input, &little), EFFIGY_LIMIT, "limit-memory");
}

TEST(C, TakesAnyBytes) {
    for (std::size_t size = 0; size < model().size(); size += 7) {
        const std::string cut = model().substr(0, size);
        const effigy_input input = input_of(cut);
        const Result result(effigy_open(&input, nullptr));
        const Document document(effigy_take_document(result.get()));
        EXPECT_TRUE(document != nullptr || effigy_status(result.get()) != EFFIGY_OK) << size;
        if (document != nullptr) {
            EXPECT_EQ(data_of(Result(effigy_write(document.get(), nullptr))), cut) << size;
        }
    }
}

TEST(C, WorksOnSeveralThreads) {
    const Document shared = opened(model());
    std::array<std::string, 4> written;
    std::vector<std::thread> threads;
    for (std::string& one : written) {
        threads.emplace_back([&] {
            const Document own = opened(model());
            one = data_of(Result(effigy_write(shared.get(), nullptr))) +
                  data_of(Result(effigy_write(own.get(), nullptr)));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : written) EXPECT_EQ(one, model() + model());
}

/// What the library shows is what the header declares.
TEST(C, ShowsNothingElse) {
    const std::string header = read_text(EFFIGY_SOURCE_DIR "/include/effigy/effigy.h");
    std::set<std::string> declared, shown;
    const std::regex function(R"(EFFIGY_API [^;(]*?(effigy_\w+)\()");
    for (std::sregex_iterator match(header.begin(), header.end(), function), end; match != end; ++match)
        declared.insert((*match)[1]);
    FILE* const pipe = ::popen(EFFIGY_NM " -D --defined-only --format=posix '" EFFIGY_C_LIBRARY "'", "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
        std::istringstream words(line.data());
        std::string name;
        words >> name;
        shown.insert(name.substr(0, name.find('@')));
    }
    EXPECT_EQ(::pclose(pipe), 0);
    EXPECT_EQ(shown, declared);
    EXPECT_GE(declared.size(), 25U);
}

}  // namespace
}  // namespace effigy::test
