#pragma once
/// Outputs of earlier runs that nothing is made into any more.

#include <filesystem>

#include "effigy/batch.hpp"

#include "convert/batch_claims.hpp"
#include "convert/batch_manifest.hpp"
#include "convert/batch_progress.hpp"
#include "convert/batch_share.hpp"

namespace effigy::batch {

/// Lists them in the summary, and removes them where the options say so; the manifest forgets those that are gone.
void find_vanished(const Plan& plan, const Options& options, const Share& share, const Claims& claims,
                   Manifest& manifest, Results& results);

/// From this one up to the output folder, or to a link, which is somebody's.
void remove_empty_folders(std::filesystem::path folder, const std::filesystem::path& output, const Claims& claims);

}  // namespace effigy::batch
