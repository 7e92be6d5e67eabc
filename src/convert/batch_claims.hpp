#pragma once
/// Whose the files are that a run writes.

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "effigy/batch.hpp"

#include "convert/batch_manifest.hpp"
#include "convert/batch_share.hpp"
#include "convert/inputs.hpp"

namespace effigy::batch {

/// Asked by all threads.
class Claims {
public:
    Claims(const Plan& plan, const Options& options, const Share& share, const Manifest& manifest);

    [[nodiscard]] bool is_input(const std::filesystem::path& file) const;

    /// Whether no link leads a file or folder out of the output folder. Of what is not there, the folders above count.
    [[nodiscard]] Result<void> check_place(const std::filesystem::path& file) const;

    /// A file that a job is going to write: none of the inputs, and no other job's.
    [[nodiscard]] Result<Existing> claim(const std::filesystem::path& file, const Job& job);
    /// The outputs of what is unchanged; false if one of them is another job's.
    [[nodiscard]] bool claim_all(const Job& job, const Record& record);

    [[nodiscard]] bool is_as_made(const Stamp& made) const;

    /// What the run has made and makes once more.
    void allow_again(const std::vector<std::string>& files);

private:
    [[nodiscard]] bool may_replace(const std::filesystem::path& file, const std::string& name);
    [[nodiscard]] std::string owner_of(const std::string& name, const Job& job);

    const Options& options_;
    const std::filesystem::path root_;  ///< the output folder, with links followed
    const Share& share_;
    const Manifest& manifest_;
    std::set<conversion::FileId> inputs_;
    std::mutex mutex_;                           ///< for the next
    std::map<std::string, std::string> claims_;  ///< files beside outputs, and the jobs that write them
    std::set<std::string> made_;                 ///< may be made again
};

}  // namespace effigy::batch
