#pragma once
/// Where written bytes go: a file that appears whole or not at all, standard output, or memory.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "effigy/bytes.hpp"
#include "effigy/files.hpp"
#include "effigy/result.hpp"

namespace effigy {

/// Letters and digits by which temporary files of this process are told from those of others, on other machines as
/// well.
[[nodiscard]] std::string process_token();

/// Whether two files can be read and have the same content.
[[nodiscard]] bool have_same_bytes(const std::filesystem::path& a, const std::filesystem::path& b);

/// Appends to `bytes`, which must outlive the sink.
[[nodiscard]] Sink memory_sink(Bytes& bytes);

/// A file written under a temporary name in the folder of its target, which it replaces on commit(), or merely equals.
/// Without a commit() nothing of it stays. "-" (standard output), devices and pipes are written directly.
/// Failures have the codes "output-create", "output-write", "output-rename" and "output-kept".
class OutputFile {
public:
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path,
                                                   Existing existing = Existing::replaced);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// Announces how much will be written: large files are written in half the time if their room is there already,
    /// and a full disk is found at once. Writing less or more is no mistake.
    [[nodiscard]] Result<void> reserve(std::uint64_t size);
    /// Small pieces are gathered, large ones go to the system without a copy.
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    /// Hands everything to the system (and to the device, if `fsync`) and closes. Several files that belong together
    /// are all closed before the first is committed, because closing is what can fail: full disk, lost network, and
    /// another file that is there and is kept.
    [[nodiscard]] Result<void> close(bool fsync);
    /// Closes if that is still to do, and gives the file its name.
    [[nodiscard]] Result<void> commit(bool fsync);
    /// Takes back a commit() that made a new file; a file that was replaced is beyond recovery and stays.
    void retract() noexcept;

    /// Writes to this file, which must stay where it is while the sink is used.
    [[nodiscard]] Sink sink();

private:
    OutputFile(std::filesystem::path path, Existing existing) : path_(std::move(path)), existing_(existing) {}

    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> open_temporary();
    [[nodiscard]] Result<void> flush();
    [[nodiscard]] Result<void> write_through(std::span<const std::byte> bytes);
    [[nodiscard]] tl::unexpected<Diagnostic> failure(const Code& code, const char* message, int error) const;
    void discard() noexcept;

    std::filesystem::path path_;       // as the user named it
    std::filesystem::path target_;     // path_ with links followed; empty when written directly
    std::filesystem::path temporary_;  // empty when there is none (any more)
    Existing existing_;
    std::uint64_t reserved_ = 0;  // bytes of room
    std::uint64_t written_ = 0;   // bytes handed to the system
    int descriptor_ = -1;
    bool owns_descriptor_ = false;
    bool replaces_ = false;  // a file of this name stood there before
    bool committed_ = false;
    Bytes buffer_;
};

}  // namespace effigy
