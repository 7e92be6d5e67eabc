/// What nothing is written over: files beside the inputs that were read, and others beside a new output.

#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "effigy/convert.hpp"

#include "convert/inputs.hpp"

namespace effigy {

struct ReadFiles::State {
    std::mutex changing;
    std::set<conversion::FileId> files;
};

ReadFiles::ReadFiles() : state_(std::make_shared<State>()) {}

void ReadFiles::note(ConvertOptions& options) const {
    using Told = std::function<void(const std::filesystem::path& file)>;
    const auto noting = [this](Told next) {
        return [state = state_, next = std::move(next)](const std::filesystem::path& file) {
            if (const auto id = conversion::id_of(file)) {
                const std::lock_guard lock(state->changing);
                state->files.insert(*id);
            }
            if (next) next(file);
        };
    };
    options.files.seen = noting(std::move(options.files.seen));
    options.on_texture = noting(std::move(options.on_texture));
}

bool ReadFiles::contains(const std::filesystem::path& file) const {
    const auto id = conversion::id_of(file);
    const std::lock_guard lock(state_->changing);
    return id && state_->files.contains(*id);
}

BeforeFile ReadFiles::spare(BeforeFile next) const {
    return [read = *this, next = std::move(next)](const std::filesystem::path& file) -> Result<Existing> {
        auto existing = next ? next(file) : Existing::replaced;
        if (existing && read.contains(file)) existing = Existing::kept;
        return existing;
    };
}

BeforeFile keep_others(const std::filesystem::path& output) {
    std::error_code error;
    if (std::filesystem::exists(output, error)) return {};
    return [](const std::filesystem::path&) -> Result<Existing> { return Existing::kept; };
}

}  // namespace effigy
