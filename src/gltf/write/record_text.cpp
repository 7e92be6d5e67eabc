/// Members of records' JSON sorted as text, and documents printed with such text in them.

#include "gltf/write/record_text.hpp"

#include <algorithm>
#include <vector>

#include "core/json_text.hpp"

namespace effigy::gltf {
namespace {

constexpr std::size_t max_record_levels = 64;

/// Copies one value, the members of objects in the order of their names. What may stay as it is is copied as late as
/// possible, so that it is copied in long pieces.
class Sorter {
public:
    Sorter(std::string_view text, std::string& out) : text_(text), out_(out) {}

    /// False if it is nothing that can be copied.
    bool value(std::size_t level) {
        if (level > max_record_levels || at_ == text_.size()) return false;
        switch (text_[at_]) {
            case '{':
                return object(level, nullptr);
            case '[':
                return array(level);
            case '"':
                return string();
            case 't':
                return word("true");
            case 'f':
                return word("false");
            case 'n':
                return word("null");
            default:
                return number();
        }
    }

    /// With `more`, whose members stand instead of those of their names.
    bool object(std::size_t level, const nlohmann::json* more) {
        const std::size_t first = members_.size();
        if (!take('{')) return false;
        const std::size_t start = place();
        if (at_ < text_.size() && text_[at_] != '}') {
            do {
                if (!member(level)) return false;
            } while (take(','));
        }
        const bool is_changed = more != nullptr && !more->empty();
        if (is_changed || !is_in_order(first)) {
            copy();
            if (is_changed) add(*more, first);
            if (!arrange(start, first)) return false;
        }
        members_.resize(first);
        return take('}');
    }

    /// Copies what is left to copy; false if more than the value stands there.
    [[nodiscard]] bool end() {
        copy();
        return at_ == text_.size();
    }

private:
    struct Member {
        std::string_view name;
        std::size_t begin = 0, end = 0;  ///< of its text in the output
    };

    /// Where in the output stands what comes next.
    [[nodiscard]] std::size_t place() const noexcept { return out_.size() + at_ - copied_; }

    void copy() {
        out_.append(text_, copied_, at_ - copied_);
        copied_ = at_;
    }

    void add(const nlohmann::json& more, std::size_t first) {
        for (auto one = more.begin(); one != more.end(); ++one) {
            const auto known = std::find_if(begin_of(first), members_.end(),
                                            [&](const Member& member) { return member.name == one.key(); });
            Member& member = known != members_.end() ? *known : members_.emplace_back();
            const std::size_t begin = out_.size();
            ((out_ += '"') += one.key()) += "\":";
            out_ += to_text(*one);
            member = {one.key(), begin, out_.size()};
        }
    }

    [[nodiscard]] std::vector<Member>::iterator begin_of(std::size_t first) {
        return members_.begin() + static_cast<std::ptrdiff_t>(first);
    }

    bool take(char c) noexcept {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool member(std::size_t level) {
        const std::size_t begin = place(), name = at_ + 1;
        if (at_ == text_.size() || text_[at_] != '"' || !string()) return false;
        const std::string_view key = text_.substr(name, at_ - 1 - name);
        if (!take(':') || !value(level + 1)) return false;
        members_.push_back({key, begin, place()});
        return true;
    }

    [[nodiscard]] bool is_in_order(std::size_t first) const {
        for (std::size_t i = first + 1; i < members_.size(); ++i) {
            if (members_[i - 1].name >= members_[i].name) return false;
        }
        return true;
    }

    /// The members, whose texts are the output from `start` on, by name.
    bool arrange(std::size_t start, std::size_t first) {
        std::sort(begin_of(first), members_.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
        sorted_.clear();
        for (std::size_t i = first; i < members_.size(); ++i) {
            const Member& one = members_[i];
            if (i != first && members_[i - 1].name == one.name) return false;
            if (i != first) sorted_ += ',';
            sorted_.append(out_, one.begin, one.end - one.begin);
        }
        out_.replace(start, std::string::npos, sorted_);
        return true;
    }

    bool array(std::size_t level) {
        if (!take('[')) return false;
        if (take(']')) return true;
        do {
            if (!value(level + 1)) return false;
        } while (take(','));
        return take(']');
    }

    bool string() {
        ++at_;
        while (at_ < text_.size() && is_plain_letter(text_[at_])) ++at_;
        return take('"');
    }

    bool word(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    bool number() {
        const std::size_t begin = at_;
        bool is_whole = true;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '.' || c == 'e' || c == 'E' || c == '+') is_whole = false;
            if (is_whole ? !(c == '-' || (c >= '0' && c <= '9'))
                         : !(c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E' || (c >= '0' && c <= '9')))
                break;
        }
        const std::string_view token = text_.substr(begin, at_ - begin);
        if (is_whole) {
            const std::string_view digits = token.substr(token.starts_with('-') ? 1 : 0);
            constexpr std::size_t max_digits = 18;  // of what 64 bits hold in any case
            return !digits.empty() && digits.size() <= max_digits && (digits.front() != '0' || token == "0") &&
                   digits.find('-') == std::string_view::npos;
        }
        if (is_short_whole(token)) return true;
        const nlohmann::json parsed = nlohmann::json::parse(token, nullptr, false);
        if (!parsed.is_number()) return false;
        replace(begin, parsed.dump());
        return true;
    }

    /// Other text instead of what is read from `begin` on.
    void replace(std::size_t begin, std::string_view other) {
        out_.append(text_, copied_, begin - copied_);
        out_ += other;
        copied_ = at_;
    }

    /// 12.0, which is printed as it stands.
    static bool is_short_whole(std::string_view token) {
        constexpr std::size_t max_digits = 15;
        if (token.starts_with('-')) token.remove_prefix(1);
        if (!token.ends_with(".0")) return false;
        token.remove_suffix(2);
        return !token.empty() && token.size() <= max_digits && (token == "0" || token.front() != '0') &&
               std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
    }

    std::string_view text_;
    std::string& out_;
    std::size_t at_ = 0, copied_ = 0;
    std::vector<Member> members_;  ///< of all objects that are open, the innermost at the end
    std::string sorted_;
};

}  // namespace

std::optional<std::string> sorted_text(std::string_view object, const nlohmann::json& more) {
    for (auto one = more.begin(); one != more.end(); ++one) {
        if (!std::all_of(one.key().begin(), one.key().end(), is_plain_letter)) return std::nullopt;
    }
    std::string out;
    out.reserve(object.size() + 64);
    Sorter sorter(object.empty() ? std::string_view("{}") : object, out);
    if (!sorter.object(0, &more) || !sorter.end()) return std::nullopt;
    return out;
}

}  // namespace effigy::gltf
