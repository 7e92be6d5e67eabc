/// Hashes of whole inputs, as extras.effigy holds them.

#include <memory>
#include <xxhash.h>

#include "effigy/core_codes.hpp"
#include "effigy/registry.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"

namespace effigy {

namespace {

std::string hash_text(XXH64_hash_t hash) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text = "xxh3:";
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(hash >> shift) & 15u];
    return text;
}

}  // namespace

std::string content_hash(std::span<const std::byte> bytes) {
    return hash_text(XXH3_64bits(bytes.data(), bytes.size()));
}

Result<std::string> content_hash(const std::filesystem::path& path) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    constexpr std::uint64_t block_size = 256 * 1024;
    const auto block = std::make_unique_for_overwrite<std::byte[]>(block_size);
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
    XXH3_64bits_reset(state.get());
    while (source->remaining() != 0) {
        const std::uint64_t size = std::min(block_size, source->remaining());
        if (!source->read(block.get(), size)) {
            Diagnostic diagnostic = problem_at({}, codes::input_read, "the file cannot be read");
            diagnostic.file = path.string();
            return fail(std::move(diagnostic));
        }
        XXH3_64bits_update(state.get(), block.get(), size);
    }
    return hash_text(XXH3_64bits_digest(state.get()));
}

}  // namespace effigy
