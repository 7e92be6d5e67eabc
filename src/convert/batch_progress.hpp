#pragma once
/// What comes of jobs as they end: sums, events and lines of the report.

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "effigy/batch.hpp"

#include "convert/batch_claims.hpp"
#include "convert/batch_manifest.hpp"
#include "convert/batch_share.hpp"

namespace effigy::batch {

struct Results {
    Summary summary;
    std::set<std::string> current{};                    ///< outputs: made, unchanged or found in use
    std::set<std::string> failed{};                     ///< jobs
    std::set<std::filesystem::path> folders_to_tidy{};  ///< of jobs that have made nothing
};

/// Told by all threads; tells others of one job at a time.
class Progress {
public:
    Progress(const Plan& plan, const Options& options, const Share& share);

    /// Fails where it cannot be opened, or would replace an input.
    [[nodiscard]] Result<void> open_report(const Claims& claims);
    void begin(const Job& job);
    void note_nothing_made(const Job& job);
    /// `report` is null for what is unchanged.
    void end(const Job& job, const Record& record, Status status, const Report* report);
    [[nodiscard]] Result<void> close_report();

    /// When all threads have ended.
    [[nodiscard]] Results take_results() { return std::move(results_); }

private:
    const Plan& plan_;
    const Options& options_;
    std::mutex mutex_;  ///< for what follows
    Results results_;
    std::ofstream report_;
};

}  // namespace effigy::batch
