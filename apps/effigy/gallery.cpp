/// Lists a folder's models, makes their pictures, and answers the browser.

#include "gallery.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"
#include "effigy/registry.hpp"
#include "effigy/render.hpp"

#include "child.hpp"
#include "gallery_files.hpp"
#include "http.hpp"
#include "page.hpp"
#include "page_files.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_models = 1'000'000;
constexpr std::size_t max_in_answer = 1000;
constexpr int max_folder_depth = 64;
constexpr int seconds_for_picture = 30, seconds_for_page = 300;
constexpr const char* html_type = "text/html; charset=utf-8";
constexpr const char* gallery_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

struct Model {
    std::string path;  ///< below the folder
    const FormatInfo* format;
    std::uint64_t size;
};

std::string bytes_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The models of a folder, in the order in which they were found: another thread looks for them.
class Listing {
public:
    explicit Listing(fs::path root) : root_(std::move(root)), thread_([this] { look(); }) {}
    ~Listing() {
        stops_ = true;
        thread_.join();
    }
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;

    [[nodiscard]] const fs::path& root() const noexcept { return root_; }
    [[nodiscard]] std::optional<Model> model(std::size_t number) const {
        const std::lock_guard lock(mutex_);
        return number < models_.size() ? std::optional(models_[number]) : std::nullopt;
    }
    /// {"models": [...], "next": 1000, "done": false}: those from a number on.
    [[nodiscard]] Json json(std::size_t from) const {
        const std::lock_guard lock(mutex_);
        const std::size_t end = std::min(models_.size(), std::min(from, models_.size()) + max_in_answer);
        Json models = Json::array();
        for (std::size_t i = from; i < end; ++i) {
            const Model& model = models_[i];
            models.push_back({{"id", i}, {"path", model.path}, {"format", model.format->id}, {"size", model.size}});
        }
        return {{"models", std::move(models)}, {"next", end}, {"done", done_ && end == models_.size()}};
    }

private:
    void look() {
        look_in(root_, 0);
        const std::lock_guard lock(mutex_);
        done_ = true;
    }

    void look_in(const fs::path& folder, int depth) {
        std::error_code error;
        std::vector<fs::directory_entry> entries;
        fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) entries.push_back(*entry);
        std::sort(entries.begin(), entries.end());
        for (const fs::directory_entry& one : entries) {
            if (stops_) return;
            if (one.is_regular_file(error)) take(one);
        }
        for (const fs::directory_entry& one : entries) {
            const bool goes_on = !stops_ && depth < max_folder_depth;
            // Links to folders are not followed: they lead around in circles, or out.
            if (goes_on && one.is_directory(error) && !one.is_symlink(error)) look_in(one.path(), depth + 1);
        }
    }

    void take(const fs::directory_entry& entry) {
        if (format_of_name(entry.path()) == nullptr) return;
        std::error_code error;
        if (entry.is_symlink(error) && !lies_in(fs::canonical(entry.path(), error), root_)) return;
        const FormatInfo* format = format_of_file(entry.path().string());
        if (format == nullptr || format->role != Role::model || !format->to_scene) return;
        const std::uint64_t size = entry.file_size(error);
        const std::lock_guard lock(mutex_);
        if (models_.size() >= max_models) return void(stops_ = true);
        models_.push_back({entry.path().lexically_relative(root_).generic_string(), format, error ? 0 : size});
    }

    const fs::path root_;
    mutable std::mutex mutex_;
    std::vector<Model> models_;
    bool done_ = false;
    std::atomic<bool> stops_ = false;
    std::thread thread_;
};

/// Work of which only so much is done at once. Whoever no longer waits for it loses his place.
class Places {
public:
    explicit Places(unsigned count) : free_(count) {}

    template <class Wanted, class Work>
    bool run(Wanted&& is_wanted, Work&& work) {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return free_ > 0; })) {
            if (!is_wanted()) return false;
        }
        --free_;
        lock.unlock();
        if (is_wanted()) work();
        lock.lock();
        ++free_;
        changed_.notify_one();
        return true;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned free_;
};

/// ${XDG_CACHE_HOME:-~/.cache}/effigy/thumbnails; empty if there is no such place.
fs::path thumbnail_folder() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    fs::path folder;
    if (cache != nullptr && *cache == '/')
        folder = cache;
    else if (home != nullptr && *home == '/')
        folder = fs::path(home) / ".cache";
    if (folder.empty()) return {};
    folder /= "effigy/thumbnails";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return {};
    ::chmod(folder.c_str(), S_IRWXU);
    return folder;
}

/// A folder for what is made and sent at once, which goes with it.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "effigy-XXXXXX").string();
        if (!error && ::mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }
    [[nodiscard]] std::string file(const std::string& extension) {
        return (path_ / (std::to_string(number_++) + extension)).string();
    }

private:
    fs::path path_;
    std::atomic<unsigned> number_ = 0;
};

HttpResponse not_found() { return {404, "text/plain; charset=utf-8", "There is nothing here.\n"}; }

/// Of "/view/12" the 12.
std::optional<std::size_t> number_in(std::string_view text, std::string_view start) {
    if (!text.starts_with(start)) return std::nullopt;
    text.remove_prefix(start.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(number) : std::nullopt;
}

class Gallery {
public:
    explicit Gallery(const fs::path& root)
        : listing_(root),
          cache_(thumbnail_folder()),
          pictures_(std::clamp(std::thread::hardware_concurrency(), 1U, 4U)),
          pages_(2) {}

    HttpResponse answer(const HttpRequest& request) {
        if (request.path == "/") return page(html_type, gallery_html);
        if (request.path == "/gallery.css") return page("text/css; charset=utf-8", gallery_css);
        if (request.path == "/gallery.js") return page("text/javascript; charset=utf-8", gallery_script);
        if (request.path == "/icon.svg") return page("image/svg+xml", gallery_icon);
        if (request.path == "/models") return models(request);
        if (const auto number = number_in(request.path, "/thumbnail/")) return thumbnail(*number, request);
        if (const auto number = number_in(request.path, "/view/")) return view(*number, request);
        return not_found();
    }

private:
    static HttpResponse page(const char* type, std::string_view text) {
        return {200, type, std::string(text), {{"Content-Security-Policy", gallery_policy}}};
    }

    [[nodiscard]] HttpResponse models(const HttpRequest& request) const {
        const std::size_t from = number_in(request.query, "from=").value_or(0);
        return {200,
                "application/json",
                listing_.json(from).dump(-1, ' ', false, Json::error_handler_t::replace),
                {{"Cache-Control", "no-store"}}};
    }

    /// A model's file, if it still lies in the folder.
    [[nodiscard]] std::optional<fs::path> file_of(std::size_t number) const {
        const auto model = listing_.model(number);
        if (!model) return std::nullopt;
        std::error_code error;
        fs::path path = listing_.root() / model->path;
        const fs::path real = fs::canonical(path, error);
        return error || !lies_in(real, listing_.root()) ? std::nullopt : std::optional(path);
    }

    /// The same for the same content, as far as its time and size tell.
    [[nodiscard]] static std::string picture_key(const fs::path& file) {
        struct stat status {};
        if (::stat(file.c_str(), &status) != 0) return {};
        const std::string text = file.string() + "\n" + std::to_string(status.st_size) + " " +
                                 std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
                                 " " EFFIGY_VERSION;
        const std::string hash = content_hash(std::as_bytes(std::span(text)));  // "xxh3:..."
        return hash.substr(hash.find(':') + 1);
    }

    HttpResponse thumbnail(std::size_t number, const HttpRequest& request) {
        const auto file = file_of(number);
        const std::string key = file ? picture_key(*file) : std::string();
        if (key.empty()) return not_found();
        const std::string tag = "\"" + key + "\"";
        if (request.header("if-none-match") == tag) return {304, "image/png", {}, {{"ETag", tag}}};
        const fs::path kept = (cache_.empty() ? scratch_.path() : cache_) / (key + ".png");
        std::error_code error;
        if (!fs::exists(kept, error) && request.method == "GET")
            pictures_.run(request.is_wanted, [&] { draw(*file, kept, key); });
        std::string bytes = bytes_of(kept);
        if (bytes.empty()) return not_found();
        return {200, "image/png", std::move(bytes), {{"ETag", tag}, {"Cache-Control", "no-cache"}}};
    }

    void draw(const fs::path& file, const fs::path& kept, const std::string& key) {
        std::error_code error;
        {
            const std::lock_guard lock(mutex_);
            if (failed_.contains(key)) return;
        }
        if (fs::exists(kept, error)) return;
        const std::string part = scratch_.file(".png");
        const int code = run_self({"render", file.string(), "-o", part, "--size", "256x256", "--samples", "4",
                                   "--threads", "2", "--allow-damaged", "--quiet"},
                                  seconds_for_picture);
        if (code == exit_code::fine || code == exit_code::findings) put(part, kept);
        const std::lock_guard lock(mutex_);
        if (!cancelled() && !fs::exists(kept, error)) failed_.insert(key);
    }

    /// Appears whole, though the folders may be on different disks.
    void put(const std::string& part, const fs::path& kept) {
        std::error_code error;
        const fs::path near = kept.string() + "-" + std::to_string(::getpid()) + "-" + fs::path(part).stem().string();
        fs::copy_file(part, near, error);
        if (!error) fs::rename(near, kept, error);
        if (error) fs::remove(near, error);
        fs::remove(part, error);
    }

    HttpResponse view(std::size_t number, const HttpRequest& request) {
        const auto file = file_of(number);
        if (!file) return not_found();
        if (request.method == "HEAD") return {200, html_type, {}};
        HttpResponse response{500, "text/plain; charset=utf-8", {}};
        pages_.run(request.is_wanted, [&] {
            const std::string made = scratch_.file(".html"), errors = scratch_.file(".txt");
            const int code = run_self({"view", file->string(), "-o", made, "--within", listing_.root().string(),
                                       "--motions", file->parent_path().string(), "--quiet"},
                                      seconds_for_page, errors);
            std::string text = bytes_of(made);
            if (code < 0 || text.empty())
                response.body = "This model cannot be shown.\n" + bytes_of(errors);
            else
                response = {200, html_type, std::move(text), {{"Content-Security-Policy", "frame-ancestors 'none'"}}};
            std::error_code ignored;
            fs::remove(made, ignored);
            fs::remove(errors, ignored);
        });
        return response;
    }

    Listing listing_;
    ScratchFolder scratch_;
    fs::path cache_;
    Places pictures_, pages_;
    std::mutex mutex_;
    std::set<std::string> failed_;
};

}  // namespace

int serve_gallery(const GalleryArguments& arguments) {
    std::error_code error;
    const fs::path root = fs::canonical(arguments.folder, error);
    if (error || !fs::is_directory(root, error))
        return fail_usage("view", "--serve wants a folder; there is none called " + arguments.folder, arguments.common);
    if (const auto page = find_page(); !page) return fail_with(page.error(), arguments.common);
    auto server = LocalServer::listen(arguments.port);
    if (!server) return fail_with(server.error(), arguments.common);
    const std::string address = "http://127.0.0.1:" + std::to_string(server->port()) + "/";
    if (arguments.common.json)
        print(pretty({{"address", address}, {"port", server->port()}}));
    else if (!arguments.common.quiet)
        print("The models of " + arguments.folder + " are at " + address + "; Ctrl-C ends it.\n");
    if (const std::string missing = render::missing_component(); !missing.empty() && !arguments.common.quiet)
        print_error("effigy view: there will be no thumbnails: " + missing);
    Gallery gallery(root);
    if (arguments.opens) (void)start_apart("xdg-open", {address});
    server->run([&](const HttpRequest& request) { return gallery.answer(request); });
    return exit_code::fine;
}

}  // namespace effigy::app
