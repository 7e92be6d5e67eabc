#pragma once
/// Files that belong together: their names, and their appearing together.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/files.hpp"

#include "core/output.hpp"
#include "core/text.hpp"

namespace effigy {

/// All are complete on the disk before the first gets its name, in the order in which they were added.
class FileSet {
public:
    explicit FileSet(bool fsync) : fsync_(fsync) {}
    /// Not on the disk: they are put into `memory`.
    explicit FileSet(std::vector<NewFile>& memory) : fsync_(false), memory_(&memory) {}

    [[nodiscard]] bool is_memory() const noexcept { return memory_ != nullptr; }

    /// `write` gets a Sink. `size` makes room, 0 if it is not known.
    template <class Write>
    [[nodiscard]] Result<void> add(const std::filesystem::path& path, std::uint64_t size, Write&& write) {
        if (memory_ != nullptr) {
            NewFile& file = memory_->emplace_back();
            file.name = path.generic_string();
            file.bytes.reserve(static_cast<std::size_t>(size));
            return write(memory_sink(file.bytes));
        }
        auto file = OutputFile::create(path);
        if (!file) return fail(std::move(file.error()));
        auto complete = file->reserve(size).and_then([&] { return write(file->sink()); }).and_then([&] {
            return file->close(fsync_);
        });
        if (!complete) return complete;
        files_.push_back(std::move(*file));
        return {};
    }

    [[nodiscard]] Result<void> commit() {
        for (OutputFile& file : files_) {
            if (auto committed = file.commit(fsync_); !committed) {
                for (OutputFile& earlier : files_) earlier.retract();
                return committed;
            }
        }
        return {};
    }

private:
    bool fsync_;
    std::vector<NewFile>* memory_ = nullptr;
    std::vector<OutputFile> files_;
};

/// Names for files beside another: plain on every system, none of them twice.
class FileNames {
public:
    /// "<stem>_<name><extension>", or with a number at the end if that name is taken.
    [[nodiscard]] std::string add(const std::string& stem, std::string_view name, const std::string& extension) {
        const std::string wanted = stem + "_" + plain(name);
        std::string candidate = wanted + extension;
        std::size_t& number = numbers_.try_emplace(lower(candidate), 1).first->second;
        while (!taken_.insert(lower(candidate)).second) {
            candidate = wanted;
            candidate.append("_").append(std::to_string(++number)).append(extension);
        }
        return candidate;
    }

    /// Letters, digits and "-"; "_" for all else. Cannot leave the folder.
    [[nodiscard]] static std::string plain(std::string_view name) {
        constexpr std::size_t longest = 96;
        std::string result;
        for (const char c : name.substr(0, longest)) {
            const bool is_plain =
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
            result += is_plain ? c : '_';
        }
        return result;
    }

private:
    std::set<std::string> taken_;  // in lower case: names that differ in nothing else are one file on some systems
    std::map<std::string, std::size_t> numbers_;  // the last one tried, so that many alike cost no more than others
};

}  // namespace effigy
