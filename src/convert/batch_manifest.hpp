#pragma once
/// What a run remembers beside its outputs: who is at work, what was begun, and of which files what was made.

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/batch.hpp"

#include "convert/batch_stamp.hpp"

namespace effigy::batch {

struct Made {
    Stamp file;              ///< its name is that below the output folder
    bool is_shared = false;  ///< another job has written it
};

/// A job that came to its end.
struct Record {
    std::string purpose;  ///< hash of Options::purpose
    std::string path;     ///< of its first input: whole, on the disk, or of the archive that it is in
    std::vector<Stamp> inputs;
    std::vector<Stamp> beside;  ///< textures
    std::vector<Made> outputs;
    std::map<std::string, CodeCount> codes;
    std::int64_t time = 0;  ///< when; of several records of a job, the last one counts
    bool has_failed = false;
    bool is_own = false;  ///< in the manifest of this run, not in that of another shard
};

/// An output that some run has made.
struct KnownOutput {
    std::string job;    ///< by its output
    std::string name;   ///< of the job
    std::string input;  ///< Record::path
    Stamp file;         ///< as it was when it was made
};

/// A line for each job that was begun or has ended, by its output, in the order in which that happened; a run that
/// comes to its end leaves only what counts. A line that is not whole is passed over.
class Manifest {
public:
    /// Waits for nobody: fails with "usage-busy" where another run, or a shard of another division, is at work. Takes
    /// away what runs that were killed have left half.
    [[nodiscard]] static Result<Manifest> open(const std::filesystem::path& output, const Shard& shard);
    Manifest(Manifest&& other) noexcept;
    Manifest& operator=(Manifest&&) = delete;
    ~Manifest();

    /// By the output that names the job. It stays as it is until the job ends again.
    [[nodiscard]] const Record* find(const std::string& job) const;
    /// All that runs have made, by name.
    [[nodiscard]] const std::map<std::string, KnownOutput>& outputs() const noexcept { return outputs_; }
    /// One of them, while jobs end on other threads.
    [[nodiscard]] std::optional<KnownOutput> output(const std::string& name) const;
    /// Before anything of a job is written.
    [[nodiscard]] Result<void> begin(const std::string& job);
    [[nodiscard]] Result<void> end(const std::string& job, Record record);
    void forget(const std::string& output) { outputs_.erase(output); }
    /// Writes what counts anew; of all shards, if this run is none.
    [[nodiscard]] Result<void> finish();

private:
    Manifest() = default;
    [[nodiscard]] Result<void> lock();
    [[nodiscard]] Result<void> read_all();
    [[nodiscard]] Result<void> read(const std::filesystem::path& file, bool is_own);
    void clean() const;
    void remember(const std::string& job, Record record, bool counts);
    [[nodiscard]] Result<void> append(const std::string& line);

    std::filesystem::path output_, folder_, file_;
    Shard shard_;
    std::vector<int> locks_;
    int descriptor_ = -1;
    bool is_torn_ = true;  ///< the last line may not be whole
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Record> records_;
    std::map<std::string, KnownOutput> outputs_;
    std::set<std::string> begun_;      ///< and not ended
    std::set<std::string> processes_;  ///< that have written to it
};

/// "-1-of-8", or nothing for the whole.
[[nodiscard]] std::string shard_text(const Shard& shard);
/// Whether a path stays below the folder that it is relative to, and is nothing that runs remember.
[[nodiscard]] bool is_inside(const std::string& relative) noexcept;
/// Outputs of earlier runs whose jobs had this ending.
[[nodiscard]] std::set<std::string> outputs_made(const std::filesystem::path& output, std::string_view ending);

}  // namespace effigy::batch
