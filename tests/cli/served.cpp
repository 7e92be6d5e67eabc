/// Starts the server and asks it.

#include "cli/served.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace effigy::test {

namespace {

std::string read_all(int file, const std::string& until = {}) {
    std::string text;
    std::array<char, 65536> block{};
    while (until.empty() || text.find(until) == std::string::npos) {
        const ssize_t got = ::read(file, block.data(), block.size());
        if (got <= 0) break;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
    return text;
}

Answer answer_of(const std::string& text) {
    Answer answer;
    const std::size_t end = text.find("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) return answer;
    answer.status = std::atoi(text.c_str() + 9);
    answer.body = text.substr(end + 4);
    for (std::size_t line = text.find("\r\n") + 2; line < end;) {
        const std::size_t line_end = text.find("\r\n", line), colon = text.find(": ", line);
        std::string name = text.substr(line, colon - line);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        answer.headers[name] = text.substr(colon + 2, line_end - colon - 2);
        line = line_end + 2;
    }
    return answer;
}

}  // namespace

Served::Served(const std::filesystem::path& place, const std::string& folder) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return;
    const std::string page = (place.parent_path() / "page.html").string(), cache = (place / "cache").string();
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(pipe[1], STDOUT_FILENO);
        ::close(pipe[0]);
        ::close(pipe[1]);
        ::setenv("EFFIGY_PAGE", page.c_str(), 1);
        ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
        ::setenv("TMPDIR", (place.parent_path() / "temporary").c_str(), 1);
        if (::chdir(place.c_str()) == 0)
            ::execl(EFFIGY_PROGRAM, "effigy", "view", "--serve", folder.c_str(), "--no-open", "--json", "-q", nullptr);
        ::_exit(127);
    }
    ::close(pipe[1]);
    const auto said = nlohmann::json::parse(read_all(pipe[0], "}"), nullptr, false);
    ::close(pipe[0]);
    if (!said.is_object()) {
        ADD_FAILURE() << "the gallery does not begin";
        return;
    }
    port_ = said["port"].get<unsigned>();
    EXPECT_EQ(said["address"], "http://" + host() + "/");
}

Served::~Served() {
    if (process_ > 0) stop(SIGKILL);
}

int Served::begin(const std::string& bytes) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ADD_FAILURE() << "nobody listens";
    }
    (void)::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return socket;
}

Answer Served::send(const std::string& bytes) const {
    const int socket = begin(bytes);
    ::shutdown(socket, SHUT_WR);
    const std::string text = read_all(socket);
    ::close(socket);
    return answer_of(text);
}

Answer Served::ask(const std::string& line, const std::string& headers) const {
    const int socket = begin(line + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers + "\r\n");
    const std::string text = read_all(socket);
    ::close(socket);
    return answer_of(text);
}

int Served::stop(int signal) {
    int status = 0;
    ::kill(process_, signal);
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace effigy::test
