/// Bytes written to a file that appears whole or not at all.

#include "effigy/files.hpp"

#include "core/output.hpp"

namespace effigy {

Result<void> write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes, bool fsync) {
    auto output = OutputFile::create(path);
    if (!output) return fail(std::move(output.error()));
    if (auto done = output->write(bytes); !done) return done;
    return output->commit(fsync);
}

}  // namespace effigy
