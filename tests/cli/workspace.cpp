/// Makes the folder and runs the program in it.

#include "cli/workspace.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/wait.h>

#include "cli/fixtures.hpp"
#include "contents.hpp"

namespace effigy::test {

namespace {

namespace fs = std::filesystem;

std::string quoted(const fs::path& path) { return std::string("'").append(path.string()).append("'"); }

}  // namespace

Json Outcome::json() const {
    Json json = Json::parse(out, nullptr, false);
    if (json.is_discarded()) ADD_FAILURE() << "not JSON: " << out;
    return json;
}

Cli::Cli() {
    fs::create_directories(folder());
    fill(folder());
    fs::create_directories(root_ / "temporary");
    root_.write("page.html", "<!doctype html><title>effigy</title><body><!--effigy-files--><script>1</script>");
}

Outcome Cli::run(const std::string& command) const {
    const fs::path script = root_ / "script", out = root_ / "out", err = root_ / "err";
    root_.write("script", "export EFFIGY_PAGE=" + quoted(root_ / "page.html") + " TMPDIR=" +
                              quoted(root_ / "temporary") + "\nPATH=" + quoted(fs::path(EFFIGY_PROGRAM).parent_path()) +
                              ":$PATH\ncd " + quoted(folder()) + "\n" + command + "\n");
    const std::string shell = "sh " + quoted(script) + " > " + quoted(out) + " 2> " + quoted(err) + " < /dev/null";
    const int status = std::system(shell.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read_text(out), read_text(err)};
}

Outcome Cli::expect_failure(const std::string& command, int code, const std::vector<std::string>& words) const {
    const auto before = files();
    Outcome result = run(command);
    EXPECT_EQ(result.code, code) << command << "\n" << result.err;
    for (const std::string& word : words) EXPECT_THAT(result.err, ::testing::HasSubstr(word)) << command;
    EXPECT_FALSE(result.err.empty()) << command << " fails without a word";
    EXPECT_TRUE(files() == before) << command << " changed files";
    return result;
}

Outcome Cli::expect_success(const std::string& command) const {
    Outcome result = run(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
    return result;
}

std::string Cli::content(const std::string& name) const {
    EXPECT_TRUE(exists(name)) << name;
    return read_text(path(name));
}

void Cli::write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
}

std::map<std::string, std::string> Cli::files() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
        const std::string name = fs::relative(entry.path(), folder()).string();
        contents[name] = entry.is_regular_file() ? read_text(entry.path()) : "";
    }
    return contents;
}

Json glb_json(const std::string& glb) {
    constexpr std::size_t head = 20;
    std::uint32_t length = 0;
    if (glb.size() >= head) std::memcpy(&length, glb.data() + 12, sizeof length);
    Json json = glb.size() >= head + length && glb.starts_with("glTF")
                    ? Json::parse(glb.substr(head, length), nullptr, false)
                    : Json();
    if (!json.is_object()) ADD_FAILURE() << "not a GLB";
    return json;
}

std::string bulk_of(const std::string& glb, const Json& record, const Json& part) {
    std::uint32_t length = 0;
    const Json json = glb_json(glb);
    std::memcpy(&length, glb.data() + 12, sizeof length);
    const Json& view = json["bufferViews"].at(record["view"].get<std::size_t>());
    const std::size_t start = 20 + length + 8 + view.value("byteOffset", std::size_t{0});
    return glb.substr(start + part["bulk"][0].get<std::size_t>(), part["bulk"][1].get<std::size_t>());
}

}  // namespace effigy::test
