#pragma once
/// `effigy view --serve` while it runs, and what is asked of it.

#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>

namespace effigy::test {

struct Answer {
    int status = 0;
    std::map<std::string, std::string> headers;  ///< names in lower case
    std::string body;
};

class Served {
public:
    /// The folder below `place`, with EFFIGY_PAGE and XDG_CACHE_HOME there as well.
    Served(const std::filesystem::path& place, const std::string& folder);
    ~Served();
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    [[nodiscard]] unsigned port() const noexcept { return port_; }
    [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
    /// The answer to a request line, with headers after the host's.
    [[nodiscard]] Answer ask(const std::string& line, const std::string& headers = {}) const;
    [[nodiscard]] Answer get(const std::string& path) const { return ask("GET " + path); }
    /// The answer to these very bytes; an empty one where there is none.
    [[nodiscard]] Answer send(const std::string& bytes) const;
    /// A connection that has asked and does not listen; to be closed.
    [[nodiscard]] int begin(const std::string& bytes) const;
    /// Ends it; its exit code, or 128 + signal.
    int stop(int signal);

private:
    pid_t process_ = -1;
    unsigned port_ = 0;
};

}  // namespace effigy::test
