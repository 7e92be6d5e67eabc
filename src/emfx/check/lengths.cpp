/// The checks that need the layouts: declared sizes against true ones, and the offsets of all findings.

#include "effigy/emfx_codes.hpp"

#include "emfx/check/check.hpp"
#include "emfx/file/container.hpp"

namespace effigy::emfx {

namespace {

template <class File>
void compare_lengths(const File& file, checks::Findings& findings) {
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const auto& chunk = file.chunks[index];
        if (!chunk.size || std::holds_alternative<Opaque>(chunk.record)) continue;
        const Result<std::uint64_t> size = measure_content(chunk, false);
        if (!size || *size == *chunk.size) continue;
        const checks::Where place = checks::chunk_place(file, index, findings);
        findings.add(codes::declared_size, {&place, "size"}, std::to_string(*chunk.size), std::to_string(*size));
    }
}

}  // namespace

namespace checks {
void check_lengths(const xac::File& file, Findings& findings) { compare_lengths(file, findings); }
void check_lengths(const xsm::File& file, Findings& findings) { compare_lengths(file, findings); }
void check_lengths(const xpm::File& file, Findings& findings) { compare_lengths(file, findings); }
}  // namespace checks

void locate(const xac::File& file, Report& report) { layout::locate(walk_of(file, false), report); }
void locate(const xsm::File& file, Report& report) { layout::locate(walk_of(file, false), report); }
void locate(const xpm::File& file, Report& report) { layout::locate(walk_of(file, false), report); }

}  // namespace effigy::emfx
