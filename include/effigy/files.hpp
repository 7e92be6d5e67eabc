#pragma once
/// Files in memory, and writing a file so that it appears whole or not at all.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"

namespace effigy {

/// Files that are not on the disk: in a browser, in an archive. Names are paths with slashes, as the inputs have them.
struct Files {
    /// Fails with "file-missing" for what is not there.
    std::function<Result<Bytes>(const std::string& name)> read{};
    /// All names; empty: only files that are named can be found, and textures by their very names.
    std::function<std::vector<std::string>()> list{};
    /// Without `read`: told of each file of the disk that is read because it lies beside an input.
    std::function<void(const std::filesystem::path& file)> seen{};
};

/// Takes bytes in their order. After a failure nothing more may be given to it.
using Sink = std::function<Result<void>(std::span<const std::byte>)>;

/// What happens to another file that is there under the name of one that is written.
enum class Existing : std::uint8_t {
    replaced,
    kept,  ///< unless it has the very same bytes, writing fails with "output-kept"
};

/// Asked before a file is written, with its path; its failure ends what is done, and nothing is written.
using BeforeFile = std::function<Result<Existing>(const std::filesystem::path& file)>;

/// A file that a scene has become.
struct NewFile {
    std::string name;  ///< "soldier_walk.xsm", or with folders: "ship_x_data/part_main-lod0.xmf"
    Bytes bytes;
    bool is_copy = false;  ///< of a file that is there already: it gets no remark
    /// Gives all bytes, `size` of them, where they are made only when they are written (ConversionContext::for_disk);
    /// `bytes` is empty then.
    std::function<Result<void>(const Sink& sink)> write{};
    std::uint64_t size = 0;
};

/// Folders that are made for files. Those in which nothing has appeared by the end are taken away again.
class NewFolders {
public:
    NewFolders() = default;
    NewFolders(NewFolders&& other) noexcept = default;
    NewFolders& operator=(NewFolders&& other) noexcept = default;
    ~NewFolders();

    /// With all that are missing above it.
    std::error_code make(const std::filesystem::path& folder);

private:
    std::vector<std::filesystem::path> made_;  // the outer ones first
};

/// Writes under a temporary name in the same folder and renames; "-" is standard output. With `fsync`, flushes to the
/// device first. Failures have the codes "output-create", "output-write", "output-rename" and "output-kept".
[[nodiscard]] Result<void> write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes,
                                       bool fsync = false, Existing existing = Existing::replaced);

}  // namespace effigy
