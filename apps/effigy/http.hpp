#pragma once
/// As much of HTTP as a gallery on this machine needs: GET and HEAD, one answer a connection, reached by nobody else.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/result.hpp"

namespace effigy::app {

struct HttpRequest {
    std::string method;
    std::string path;  ///< as it was sent, without the query
    std::string query;
    std::map<std::string, std::string> headers;  ///< names in lower case
    /// Whether whoever asked still waits for the answer.
    std::function<bool()> is_wanted;

    [[nodiscard]] std::string header(const std::string& name) const;
};

struct HttpResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// The request in a head that ends with an empty line; nothing if it is none. `is_wanted` is left out.
[[nodiscard]] std::optional<HttpRequest> parse_request(std::string_view head);
/// Nothing, or why a request that was meant for this port is not answered: it names another host, as a page does that
/// had its name's address changed, it comes from a page of another site, or it wants to change something.
[[nodiscard]] std::optional<HttpResponse> refusal(const HttpRequest& request, unsigned port);

/// Listens on 127.0.0.1.
class LocalServer {
public:
    /// Port 0: any that is free. Fails with "view-serve".
    [[nodiscard]] static Result<LocalServer> listen(unsigned port);
    LocalServer(LocalServer&& other) noexcept;
    LocalServer& operator=(LocalServer&&) = delete;
    ~LocalServer();

    [[nodiscard]] unsigned port() const noexcept { return port_; }
    /// Answers until the user cancels, several requests at a time; `answer` is called by several threads.
    void run(const std::function<HttpResponse(const HttpRequest& request)>& answer);

private:
    LocalServer(int socket, unsigned port) noexcept : socket_(socket), port_(port) {}
    int socket_;
    unsigned port_;
};

}  // namespace effigy::app
