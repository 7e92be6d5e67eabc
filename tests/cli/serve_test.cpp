/// effigy view --serve: a gallery that nobody but this machine reaches, and that shows nothing but its folder.

#include <csignal>
#include <set>
#include <unistd.h>

#include "effigy/image.hpp"
#include "effigy/render.hpp"

#include "cli/served.hpp"
#include "cli/shown_page.hpp"

namespace effigy::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CliServe : public Cli {
protected:
    /// All models, as a gallery gets to know them: by number, the path.
    [[nodiscard]] static std::vector<std::string> listed(const Served& served) {
        std::vector<std::string> paths;
        for (bool done = false; !done;) {
            const Json answer = Json::parse(served.get("/models?from=" + std::to_string(paths.size())).body);
            for (const Json& model : answer["models"]) {
                EXPECT_EQ(model["id"], paths.size());
                paths.push_back(model["path"]);
            }
            EXPECT_LE(answer["models"].size(), 1000U);
            EXPECT_EQ(answer["next"], paths.size());
            done = answer["done"];
        }
        return paths;
    }
    [[nodiscard]] static std::string number(const Served& served, const std::string& path) {
        const std::vector<std::string> paths = listed(served);
        const auto found = std::find(paths.begin(), paths.end(), path);
        EXPECT_NE(found, paths.end()) << path;
        return std::to_string(found - paths.begin());
    }
};

TEST_F(CliServe, ListsModelsAndShowsThem) {
    Served served(folder(), ".");
    const std::vector<std::string> paths = listed(served);
    for (const char* path : {"soldier.xac", "models/soldier.xac", "trader.x42", "signer.jar"})
        EXPECT_THAT(paths, Contains(path));
    for (const char* path : {"walk.xsm", "hello.cas.xml", "notes.txt", "01.cat", "animation.cfg", "gfx/skin.png"})
        EXPECT_THAT(paths, Not(Contains(path)));
    const Answer view = served.get("/view/" + number(served, "models/soldier.xac"));
    EXPECT_EQ(view.status, 200);
    EXPECT_THAT(view.headers.at("content-type"), HasSubstr("text/html"));
    EXPECT_THAT(shown_page(view.body).inputs(), ElementsAre("soldier.xac"));
    EXPECT_EQ(served.stop(SIGTERM), 0);
}

TEST_F(CliServe, AComponentHasItsMod) {
    const Served served(folder(), "my_mod");
    const ShownPage page = shown_page(served.get("/view/" + number(served, "assets/units/size_s/ship_test.xml")).body);
    EXPECT_THAT(page.sides(), Contains(::testing::EndsWith("libraries/material_library.xml")));
    expect_success("effigy convert my_mod/assets/units/size_s/ship_test.xml -o same.glb -q");
    EXPECT_TRUE(page.glb() == content("same.glb"));
}

TEST_F(CliServe, ThePageIsStrict) {
    const Served served(folder(), "models");
    for (const char* path : {"/", "/gallery.css", "/gallery.js", "/icon.svg"}) {
        const Answer answer = served.get(path);
        EXPECT_EQ(answer.status, 200) << path;
        EXPECT_FALSE(answer.body.empty()) << path;
        EXPECT_THAT(answer.headers.at("content-security-policy"), HasSubstr("default-src 'none'")) << path;
        EXPECT_THAT(answer.headers.at("content-security-policy"), Not(HasSubstr("unsafe"))) << path;
        EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff") << path;
        EXPECT_EQ(answer.headers.at("content-length"), std::to_string(answer.body.size())) << path;
        const Answer head = served.ask(std::string("HEAD ") + path);
        EXPECT_EQ(head.headers.at("content-length"), answer.headers.at("content-length")) << path;
        EXPECT_TRUE(head.body.empty()) << path;
        EXPECT_THAT(answer.body, Not(HasSubstr("innerHTML"))) << path;
    }
    EXPECT_THAT(served.get("/").body, Not(HasSubstr("http")));
}

TEST_F(CliServe, ThumbnailsAreMadeOnce) {
    if (const std::string missing = render::missing_component(); !missing.empty()) GTEST_SKIP() << missing;
    const Served served(folder(), "models");
    ASSERT_THAT(listed(served), ElementsAre("soldier.xac"));
    const Answer made = served.get("/thumbnail/0");
    ASSERT_EQ(made.status, 200);
    EXPECT_EQ(made.headers.at("content-type"), "image/png");
    const auto picture = image::decode(std::as_bytes(std::span(made.body)));
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 256U);
    const std::filesystem::path kept = path("cache/effigy/thumbnails");
    ASSERT_EQ(std::distance(std::filesystem::directory_iterator(kept), {}), 1);
    EXPECT_EQ(std::filesystem::status(kept).permissions(), std::filesystem::perms::owner_all);
    const std::filesystem::path file = *std::filesystem::directory_iterator(kept);
    write(std::filesystem::relative(file, folder()), "kept");
    EXPECT_EQ(served.get("/thumbnail/0").body, "kept");
    const std::string tag = "If-None-Match: " + made.headers.at("etag") + "\r\n";
    EXPECT_EQ(served.ask("GET /thumbnail/0", tag).status, 304);
    write("models/soldier.xac", content("hair.xac"));
    const Answer anew = served.ask("GET /thumbnail/0", tag);
    EXPECT_EQ(anew.status, 200);
    EXPECT_NE(anew.body, made.body);
}

TEST_F(CliServe, WhatCannotBeDrawnHasNoPicture) {
    expect_success("mkdir bad && cp empty.xac truncated.xac bad; printf 'XAC \\1\\0\\0\\0nonsense' > bad/nonsense.xac");
    const Served served(folder(), "bad");
    const std::string nonsense = number(served, "nonsense.xac");
    EXPECT_EQ(served.get("/thumbnail/" + nonsense).status, 404);
    EXPECT_EQ(served.get("/thumbnail/" + nonsense).status, 404);
    const std::string broken = number(served, "truncated.xac");
    EXPECT_EQ(served.get("/view/" + broken).status, 200);
    expect_success("rm bad/nonsense.xac");
    EXPECT_EQ(served.get("/view/" + nonsense).status, 404);
}

TEST_F(CliServe, NothingLeadsOutOfTheFolder) {
    expect_success("mkdir secret && cp soldier.xac secret/secret.xac && cp gfx/skin.png secret/");
    expect_success(
        "ln -s ../secret models/link; ln -s ../secret/secret.xac models/linked.xac; "
        "ln -s ../secret/skin.png models/skin.png; cp soldier.xac models/inside.xac; "
        "ln -s inside.xac models/link_inside.xac; ln -s . models/ring");
    const Served served(folder(), "models");
    const std::vector<std::string> paths = listed(served);
    EXPECT_THAT(paths, ElementsAre("inside.xac", "link_inside.xac", "soldier.xac"));
    EXPECT_THAT(shown_page(served.get("/view/0").body).sides(), Not(Contains("skin.png")));
    for (const char* target : {"/../secret/secret.xac",
                               "/view/../secret/secret.xac",
                               "/view/..%2fsecret%2fsecret.xac",
                               "/view/%2e%2e/secret/secret.xac",
                               "/thumbnail/..\\secret\\secret.xac",
                               "//etc/passwd",
                               "/etc/passwd",
                               "/view//etc/passwd",
                               "/view/file:///etc/passwd",
                               "/view/link/secret.xac",
                               "/thumbnail/link/secret.xac",
                               "/view/soldier.xac",
                               "/view/3",
                               "/view/-1",
                               "/view/+0",
                               "/view/0/",
                               "/view/0/../../secret/secret.xac",
                               "/view/0x0",
                               "/view/",
                               "/view/99999999999999999999999999",
                               "/thumbnail/18446744073709551615",
                               "/view/%30",
                               "/view/0%00.xac",
                               "/models/",
                               "/gallery.html",
                               "/index.html",
                               "http://127.0.0.1/etc/passwd",
                               "*"})
        EXPECT_EQ(served.get(target).status, 404) << target;
    // What was a file when it was listed may be a link now.
    expect_success("rm models/inside.xac && ln -s ../secret/secret.xac models/inside.xac");
    for (const char* target : {"/view/0", "/view/1", "/thumbnail/0", "/thumbnail/1"})
        EXPECT_EQ(served.get(target).status, 404) << target;
}

TEST_F(CliServe, OnlyThisMachineAndItsOwnPagesAreAnswered) {
    const Served served(folder(), "models");
    const std::string port = std::to_string(served.port());
    const auto with_host = [&](const std::string& host) {
        return served.send("GET / HTTP/1.1\r\n" + host + "\r\n").status;
    };
    EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\n"), 200);
    EXPECT_EQ(with_host("Host: localhost:" + port + "\r\n"), 200);
    for (const std::string& host :
         {std::string(), std::string("Host: evil.example\r\n"), "Host: evil.example:" + port + "\r\n",
          std::string("Host: 127.0.0.1\r\n"), "Host: 127.0.0.1:" + port + ".evil.example\r\n",
          "Host: user@127.0.0.1:" + port + "\r\n"})
        EXPECT_EQ(with_host(host), 403) << host;
    EXPECT_EQ(with_host("Host: 127.0.0.1:" + port + "\r\nHost: evil.example\r\n"), 400);
    EXPECT_EQ(served.ask("GET /", "Sec-Fetch-Site: cross-site\r\n").status, 403);
    EXPECT_EQ(served.ask("GET /", "Sec-Fetch-Site: same-site\r\n").status, 403);
    EXPECT_EQ(served.ask("GET /", "Sec-Fetch-Site: same-origin\r\n").status, 200);
    EXPECT_EQ(served.ask("GET /", "Sec-Fetch-Site: none\r\n").status, 200);
    EXPECT_EQ(served.get("/").headers.count("access-control-allow-origin"), 0U);
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "PATCH"}) {
        const Answer answer = served.ask(std::string(method) + " /");
        EXPECT_EQ(answer.status, 405) << method;
        EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD");
    }
}

TEST_F(CliServe, NonsenseIsRefused) {
    const Served served(folder(), "models");
    for (const std::string& bytes :
         {std::string(), std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9\r\n\r\n"),
          std::string("GET / HTTP/1.1\r\nno colon\r\n\r\n"), std::string(100'000, 'x'), std::string(20'000, '\0'),
          std::string("GET / HTTP/1.1\r\n") + std::string(20'000, 'a')}) {
        const int status = served.send(bytes).status;
        EXPECT_TRUE(status == 400 || status == 0) << status << " to " << bytes.substr(0, 20);
    }
    EXPECT_EQ(served.get("/").status, 200);
}

TEST_F(CliServe, WhoAsksNothingGetsNoAnswer) {
    const Served served(folder(), "models");
    EXPECT_EQ(served.send("").status, 0);
    EXPECT_EQ(served.send("GET / HTTP/1.1\r\n").status, 400);
}

TEST_F(CliServe, FoldersOfThousandsAreListedPieceByPiece) {
    constexpr int folders = 30, each = 100;
    for (int i = 0; i < folders; ++i) {
        const std::filesystem::path place = path("many") / ("folder " + std::to_string(i));
        std::filesystem::create_directories(place);
        for (int k = 0; k < each; ++k)
            std::filesystem::create_hard_link(path("hair.xac"), place / (std::to_string(k) + ".xac"));
    }
    Served served(folder(), "many");
    const std::vector<std::string> paths = listed(served);
    EXPECT_EQ(paths.size(), static_cast<std::size_t>(folders * each));
    EXPECT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), paths.size());
    EXPECT_THAT(paths, Contains("folder 29/99.xac"));
    // Those who ask and go away keep nobody from stopping.
    std::vector<int> sockets;
    for (int i = 0; i < 60; ++i)
        sockets.push_back(
            served.begin("GET /thumbnail/" + std::to_string(i) + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n"));
    for (std::size_t i = 0; i < sockets.size(); i += 2) ::close(sockets[i]);
    EXPECT_EQ(served.get("/").status, 200);
    EXPECT_EQ(served.stop(SIGINT), 0);
    for (std::size_t i = 1; i < sockets.size(); i += 2) ::close(sockets[i]);
    EXPECT_TRUE(std::filesystem::is_empty(folder().parent_path() / "temporary"));
}

TEST_F(CliServe, APortThatIsTakenIsSaid) {
    const Served served(folder(), "models");
    const Outcome run = this->run("effigy view --serve models --no-open --port " + std::to_string(served.port()));
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("view-serve"));
    EXPECT_THAT(run.err, HasSubstr(std::to_string(served.port())));
}

}  // namespace
}  // namespace effigy::test
