/// Starts processes: one that is left to the user, or this program again, which is waited for.

#include "child.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.hpp"

namespace effigy::app {

namespace {

/// How a process begins: with nothing to read, and its words go nowhere.
class Beginning {
public:
    explicit Beginning(const std::string& errors = "/dev/null") {
        ::posix_spawn_file_actions_init(&files_);
        ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT,
                                           S_IRUSR | S_IWUSR);
        ::posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        // A session of its own: Ctrl-C is for this program, which stops the others itself.
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    }
    ~Beginning() {
        ::posix_spawn_file_actions_destroy(&files_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;

    /// The process, or nothing.
    [[nodiscard]] pid_t start(const std::string& program, const std::vector<std::string>& arguments) const {
        std::vector<std::string> texts{program};
        texts.insert(texts.end(), arguments.begin(), arguments.end());
        std::vector<char*> words;
        for (std::string& text : texts) words.push_back(text.data());
        words.push_back(nullptr);
        pid_t process = 0;
        return ::posix_spawnp(&process, program.c_str(), &files_, &attributes_, words.data(), environ) == 0 ? process
                                                                                                            : 0;
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

bool start_apart(const std::string& program, const std::vector<std::string>& arguments) {
    return Beginning().start(program, arguments) != 0;
}

int run_self(const std::vector<std::string>& arguments, int seconds, const std::string& errors) {
    const pid_t process = Beginning(errors).start("/proc/self/exe", arguments);
    if (process == 0) return -1;
    constexpr int pauses_a_second = 100;
    int status = 0;
    for (int pause = 0; pause < seconds * pauses_a_second; ++pause) {
        const pid_t ended = ::waitpid(process, &status, WNOHANG);
        if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (cancelled() || (ended < 0 && errno != EINTR)) break;
        const timespec rest{0, 1'000'000'000 / pauses_a_second};
        ::nanosleep(&rest, nullptr);
    }
    ::kill(process, SIGKILL);
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return -1;
}

}  // namespace effigy::app
