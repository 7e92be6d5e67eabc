#pragma once
/// Findings of many jobs, counted by their codes; and a line of JSON for each job.

#include <map>
#include <string>
#include <vector>

#include "effigy/batch.hpp"

#include "core/json_fwd.hpp"

namespace effigy::batch {

[[nodiscard]] std::map<std::string, CodeCount> count_codes(const Report& report);
void add_codes(const std::map<std::string, CodeCount>& of_job, std::map<std::string, CodeCount>& all);
[[nodiscard]] Status status_of(const std::map<std::string, CodeCount>& codes) noexcept;

/// {"texture-missing": ["warning", 3]}
[[nodiscard]] Json codes_json(const std::map<std::string, CodeCount>& codes);
/// Throws nlohmann's exceptions for what is no such object.
[[nodiscard]] std::map<std::string, CodeCount> codes_from(const Json& json);

/// docs/json.md, "runs".
[[nodiscard]] std::string report_line(const Event& event, std::uint64_t bytes, const std::vector<std::string>& inputs);

}  // namespace effigy::batch
