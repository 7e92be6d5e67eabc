#pragma once
/// What one run does of a plan, and in which order.

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "effigy/batch.hpp"

namespace effigy::batch {

/// Jobs that are done one after the other, by one shard: places in Plan::jobs.
struct Chain {
    std::uint64_t bytes = 0;
    std::vector<std::uint32_t> jobs;
};

struct Share {
    std::vector<Chain> chains;                    ///< the largest first
    std::vector<std::uint32_t> left;              ///< of Plan::left
    std::uint64_t jobs = 0, bytes = 0;            ///< what is left among them
    std::unordered_set<std::string> own, others;  ///< jobs, by their outputs: of this run, and of other shards
};

[[nodiscard]] Share share_of(const Plan& plan, const Options& options);

/// Whether a job that is in no plan any more would be this run's; `job` is its output.
[[nodiscard]] bool falls_to_run(const std::string& job, const std::string& name, const Options& options);

}  // namespace effigy::batch
