#pragma once
/// The files that a page needs to show what was named: inputs, and all that the conversion of them asks for.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "effigy/convert.hpp"

#include "page.hpp"

namespace effigy::app {

/// The most that browsers take as one page: they hold its text as one string of at most 512 MB.
inline constexpr std::uint64_t max_page_files = std::uint64_t{320} << 20;

/// Whether a path is below a folder, or is it; both without links and steps "..".
[[nodiscard]] bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Gives a conversion the disk's files by name, and keeps those that were asked for.
class FileRecorder {
public:
    /// `folders`: where textures are looked for by name, those that count more first; `roots`: of games, whose files
    /// are called by their places. Nothing outside of `within` is read, unless that is empty.
    FileRecorder(std::vector<std::filesystem::path> folders, std::vector<std::filesystem::path> roots,
                 std::filesystem::path within);

    /// What a conversion is given; the recorder must outlive it.
    void give_to(ConvertOptions& options);
    void keep(const std::string& name, Bytes bytes);
    /// Where textures are looked for from now on.
    void search(std::vector<std::filesystem::path> folders) { folders_ = std::move(folders); }
    /// The name of the file at which the limit was reached; empty if it was not.
    [[nodiscard]] const std::string& too_much() const noexcept { return too_much_; }
    /// Whether a file is one of those that were asked for; until take().
    [[nodiscard]] bool has_read(const std::string& file) const;

    /// The inputs first. Names are below what the inputs and the files of their games have in common; other files are
    /// in a folder "beside". With `keeps_places`, below what all files have in common.
    [[nodiscard]] std::vector<PageFile> take(const std::vector<std::string>& inputs, bool keeps_places);
    /// What a file is called in the page; as of the last take().
    [[nodiscard]] std::string name_in_page(const std::string& name) const;

private:
    [[nodiscard]] Result<Bytes> read(const std::string& name);
    [[nodiscard]] std::vector<std::string> list() const;

    std::vector<std::filesystem::path> folders_, roots_;
    std::filesystem::path within_;
    std::map<std::string, Bytes> files_;
    std::vector<std::string> from_game_;
    std::map<std::string, std::string> names_;
    std::uint64_t size_ = 0;
    std::string too_much_;
};

}  // namespace effigy::app
