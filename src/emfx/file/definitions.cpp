/// Reads EMFXActorType entries as far as it takes to know what they say and where.

#include "emfx/file/definitions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/lists.hpp"
#include "core/text.hpp"

namespace effigy::emfx {
namespace {

/// Finds the entries of a text. Nothing in it is trusted: what is no entry is passed over.
class DefinitionParser {
public:
    explicit DefinitionParser(std::string_view text) : text_(text) {}

    std::vector<DefinitionEntry> run() {
        while (next()) {
            if (!is("emfxactortype")) continue;
            DefinitionEntry entry;
            entry.begin = begin_;
            if (next() && is("=") && next() && is("{") && read(entry.members)) {
                entry.end = end_;
                entries_.push_back(std::move(entry));
            }
        }
        return std::move(entries_);
    }

private:
    [[nodiscard]] bool is(std::string_view word) const { return lower(text_.substr(begin_, end_ - begin_)) == word; }

    /// The next word, brace, sign or string; comments are passed over.
    bool next() {
        constexpr std::string_view blanks = " \t\r\n", ends = " \t\r\n{}=\"#";
        for (begin_ = end_; begin_ < text_.size(); ++begin_) {
            if (text_[begin_] == '#') begin_ = std::min(text_.find('\n', begin_), text_.size());
            if (begin_ == text_.size()) break;
            if (blanks.find(text_[begin_]) == std::string_view::npos) break;
        }
        if (begin_ >= text_.size()) return end_ = text_.size(), false;
        const char first = text_[begin_];
        if (first == '"') {
            end_ = std::min(text_.find('"', begin_ + 1), text_.size() - 1) + 1;
        } else if (first == '{' || first == '}' || first == '=') {
            end_ = begin_ + 1;
        } else {
            end_ = std::min(text_.find_first_of(ends, begin_), text_.size());
        }
        return true;
    }

    /// To behind the brace that closes what is begun; false if there is none.
    bool read(std::vector<DefinitionMember>& members) {
        while (next() && !is("}")) {
            DefinitionMember member{lower(text_.substr(begin_, end_ - begin_))};
            const std::size_t key_begin = begin_;
            if (!next() || !is("=") || !next()) return false;
            member.key_begin = key_begin;
            member.begin = begin_;
            if (is("{") && !(member.key == "animation" ? read_block(member) : skip_block())) return false;
            member.end = end_;
            members.push_back(std::move(member));
        }
        return is("}");
    }

    bool read_block(DefinitionMember& member) {
        const std::size_t begin = end_;
        if (!skip_block()) return false;
        const std::size_t behind = end_;
        for (end_ = begin; next() && end_ < behind;) {
            DefinitionMember& inner =
                member.members.emplace_back(DefinitionMember{lower(text_.substr(begin_, end_ - begin_))});
            if (next() && is("=")) next();
            inner.begin = begin_;
            if (is("{") && !skip_block()) break;
            inner.end = end_;
        }
        end_ = behind;
        return true;
    }

    bool skip_block() {
        for (std::size_t depth = 1; depth > 0;) {
            if (!next()) return false;
            depth = is("{") ? depth + 1 : is("}") ? depth - 1 : depth;
        }
        return true;
    }

    std::string_view text_;
    std::size_t begin_ = 0, end_ = 0;  ///< of the word at hand
    std::vector<DefinitionEntry> entries_;
};

}  // namespace

const DefinitionMember* find_member(const std::vector<DefinitionMember>& members, std::string_view key) {
    return first_where(members, [&](const DefinitionMember& member) { return member.key == key; });
}

const DefinitionMember* DefinitionEntry::find_animation(std::string_view text, std::string_view state) const {
    return first_where(members, [&](const DefinitionMember& member) {
        return member.key == "animation" && file_of(value_of(text, find_member(member.members, "name"))) == state;
    });
}

std::vector<DefinitionEntry> definition_entries(std::string_view text) { return DefinitionParser(text).run(); }

std::vector<DeclaredMotions> declared_motions(std::string_view text) {
    constexpr std::array<std::string_view, 3> states{"idle", "move", "attack"};
    std::vector<DeclaredMotions> declared;
    for (const DefinitionEntry& entry : definition_entries(text)) {
        DeclaredMotions& one = declared.emplace_back(DeclaredMotions{file_of(value_of(text, entry.find("actorfile")))});
        for (const DefinitionMember& member : entry.members) {
            const bool is_motion = std::ranges::find(states, member.key) != states.end();
            const DefinitionMember* const file = is_motion ? &member : find_member(member.members, "file");
            if (file != nullptr) one.motions.push_back(file_of(value_of(text, file)));
        }
    }
    return declared;
}

std::string_view value_of(std::string_view text, const DefinitionMember* member) {
    return member == nullptr ? std::string_view() : text.substr(member->begin, member->end - member->begin);
}

std::string path_of(std::string_view value) {
    std::string path = lower(value);
    std::erase(path, '"');
    path = path_with_slashes(std::move(path));
    const auto are_slashes = [](char a, char b) { return a == '/' && b == '/'; };
    path.erase(std::unique(path.begin(), path.end(), are_slashes), path.end());
    while (path.starts_with('/') || path.starts_with("./")) path.erase(0, path.find('/') + 1);
    return path;
}

std::string file_of(std::string_view value) {
    const std::string path = path_of(value);
    return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

}  // namespace effigy::emfx
