/// Requests parsed and answers sent, over a socket on the loopback address, one connection after the other.

#include "http.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "effigy/program_codes.hpp"

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

constexpr std::size_t max_head_size = 16 << 10;
constexpr unsigned max_connections = 32;
constexpr int pause = 100;     // milliseconds between looks at whether the user has cancelled
constexpr int patience = 100;  // pauses that a client may be silent

/// Waits until the socket can be read or written; false if that takes too long, or the user cancels.
bool wait_for(int socket, short event) {
    for (int waited = 0; waited < patience && !cancelled(); ++waited) {
        pollfd one{socket, event, 0};
        const int ready = ::poll(&one, 1, pause);
        if (ready > 0) return (one.revents & (event | POLLHUP)) != 0;
        if (ready < 0 && errno != EINTR) return false;
    }
    return false;
}

/// What has come until the head ends, is too long, or nothing more comes.
std::string read_head(int socket) {
    std::string head;
    std::array<char, 4096> block{};
    while (head.size() < max_head_size && head.find("\r\n\r\n") == std::string::npos) {
        if (!wait_for(socket, POLLIN)) break;
        const ssize_t got = ::recv(socket, block.data(), block.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        head.append(block.data(), static_cast<std::size_t>(got));
    }
    return head;
}

void send_all(int socket, std::string_view text) {
    while (!text.empty() && wait_for(socket, POLLOUT)) {
        const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent < 0) return;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::string_view reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        default:
            return "Internal Server Error";
    }
}

std::string head_of(const HttpResponse& response) {
    std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " + std::string(reason(response.status)) +
                       "\r\nContent-Type: " + response.type +
                       "\r\nContent-Length: " + std::to_string(response.body.size()) +
                       "\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer"
                       "\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\n";
    for (const auto& [name, value] : response.headers) head.append(name).append(": ").append(value).append("\r\n");
    return head + "\r\n";
}

bool is_open(int socket) {
    char byte = 0;
    const ssize_t got = ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

void serve_one(int socket, unsigned port, const std::function<HttpResponse(const HttpRequest& request)>& answer) {
    const std::string head = read_head(socket);
    // Browsers connect before they ask, and would take whatever is sent for the answer to their next request.
    if (head.empty()) return;
    auto request = parse_request(head);
    HttpResponse response{400, "text/plain; charset=utf-8", "This is no request.\n"};
    if (request) {
        request->is_wanted = [socket] { return is_open(socket) && !cancelled(); };
        auto refused = refusal(*request, port);
        response = refused ? std::move(*refused) : answer(*request);
    }
    send_all(socket, head_of(response));
    if (!request || request->method != "HEAD") send_all(socket, response.body);
    ::shutdown(socket, SHUT_WR);
}

/// Threads that are under way.
class Connections {
public:
    template <class Work>
    void start(Work work) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return count_ < max_connections; });
        ++count_;
        std::thread([this, work] {
            work();
            const std::lock_guard ended(mutex_);
            --count_;
            changed_.notify_all();
        }).detach();
    }
    ~Connections() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return count_ == 0; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned count_ = 0;
};

Diagnostic cannot_listen(unsigned port, int error) {
    return make_finding(codes::view_serve, {},
                        "port " + std::to_string(port) + " of this machine cannot be used: " + std::strerror(error) +
                            (port == 0 ? "" : "; leave out --port to get one that is free"));
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

std::optional<HttpRequest> parse_request(std::string_view head) {
    const std::size_t end = head.find("\r\n\r\n");
    const std::size_t first_end = head.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view first = head.substr(0, first_end);
    const std::size_t space = first.find(' '), second = first.rfind(' ');
    if (space == std::string_view::npos || second <= space || !first.substr(second).starts_with(" HTTP/1."))
        return std::nullopt;
    const std::string_view target = first.substr(space + 1, second - space - 1);
    const std::size_t question = std::min(target.find('?'), target.size());
    HttpRequest request{std::string(first.substr(0, space)),
                        std::string(target.substr(0, question)),
                        std::string(target.substr(std::min(question + 1, target.size()))),
                        {},
                        {}};
    for (std::size_t line = first_end + 2; line < end;) {
        const std::size_t line_end = head.find("\r\n", line);
        const std::string_view text = head.substr(line, line_end - line);
        const std::size_t colon = text.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        std::string_view value = text.substr(colon + 1);
        while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
        // A name that comes twice is a trick.
        if (!request.headers.emplace(lower(std::string(text.substr(0, colon))), value).second) return std::nullopt;
        line = line_end + 2;
    }
    return request;
}

std::optional<HttpResponse> refusal(const HttpRequest& request, unsigned port) {
    constexpr const char* text = "text/plain; charset=utf-8";
    const std::string host = request.header("host"), number = ":" + std::to_string(port);
    if (host != "127.0.0.1" + number && host != "localhost" + number)
        return HttpResponse{403, text, "This host is not served here.\n"};
    const std::string site = request.header("sec-fetch-site");
    if (site == "cross-site" || site == "same-site")
        return HttpResponse{403, text, "Pages of other sites are not served.\n"};
    if (request.method != "GET" && request.method != "HEAD")
        return HttpResponse{405, text, "Only GET and HEAD.\n", {{"Allow", "GET, HEAD"}}};
    return std::nullopt;
}

Result<LocalServer> LocalServer::listen(unsigned port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return fail(cannot_listen(port, errno));
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    if (::bind(socket, any, size) != 0 || ::listen(socket, 64) != 0 || ::getsockname(socket, any, &size) != 0) {
        const int error = errno;
        ::close(socket);
        return fail(cannot_listen(port, error));
    }
    return LocalServer(socket, ntohs(address.sin_port));
}

LocalServer::LocalServer(LocalServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

LocalServer::~LocalServer() {
    if (socket_ >= 0) ::close(socket_);
}

void LocalServer::run(const std::function<HttpResponse(const HttpRequest& request)>& answer) {
    Connections connections;
    while (!cancelled()) {
        pollfd one{socket_, POLLIN, 0};
        if (::poll(&one, 1, pause) <= 0) continue;
        const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        connections.start([client, port = port_, &answer] {
            serve_one(client, port, answer);
            ::close(client);
        });
    }
}

}  // namespace effigy::app
