/// Members of records' JSON sorted as text, and documents printed with such text in them.

#include "gltf/write/record_text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "gltf/write/json_text.hpp"

namespace effigy::gltf {
namespace {

constexpr std::uint64_t text_subtype = 0xeff1;
constexpr std::size_t max_record_levels = 64;

/// Printable ASCII without what JSON escapes.
bool is_plain_letter(char c) noexcept {
    return c >= 0x20 && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x80;
}

/// Copies one value, the members of objects in the order of their names.
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
        if (!take('{')) return false;
        std::vector<Member> members;
        const std::size_t start = out_.size();
        if (!take('}')) {
            do {
                if (!member(level, members)) return false;
            } while (take(','));
            if (!take('}')) return false;
        }
        if (more != nullptr) add(*more, members);
        return arrange(start, members);
    }

    [[nodiscard]] bool is_at_end() const noexcept { return at_ == text_.size(); }

private:
    struct Member {
        std::string_view name;
        std::size_t begin, end;  ///< of its text in the output
    };

    void add(const nlohmann::json& more, std::vector<Member>& members) {
        for (auto one = more.begin(); one != more.end(); ++one) {
            std::erase_if(members, [&](const Member& member) { return member.name == one.key(); });
            const std::size_t begin = out_.size();
            out_ += '"' + one.key() + "\":" + to_text(*one);
            members.push_back({one.key(), begin, out_.size()});
        }
    }

    bool take(char c) noexcept {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool member(std::size_t level, std::vector<Member>& members) {
        const std::size_t begin = out_.size(), name = at_ + 1;
        if (at_ == text_.size() || text_[at_] != '"' || !string()) return false;
        const std::string_view key = text_.substr(name, at_ - 1 - name);
        if (!take(':')) return false;
        out_ += ':';
        if (!value(level + 1)) return false;
        members.push_back({key, begin, out_.size()});
        return true;
    }

    /// The members, whose texts are the output from `start` on, between brackets.
    bool arrange(std::size_t start, std::vector<Member>& members) {
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
        for (std::size_t i = 1; i < members.size(); ++i) {
            if (members[i - 1].name == members[i].name) return false;
        }
        std::string sorted;
        sorted.reserve(out_.size() - start + members.size() + 2);
        sorted += '{';
        for (const Member& one : members) {
            if (sorted.size() > 1) sorted += ',';
            sorted.append(out_, one.begin, one.end - one.begin);
        }
        sorted += '}';
        out_.replace(start, std::string::npos, sorted);
        return true;
    }

    bool array(std::size_t level) {
        if (!take('[')) return false;
        out_ += '[';
        bool goes_on = !take(']');
        const bool is_empty = !goes_on;
        while (goes_on) {
            if (!value(level + 1)) return false;
            goes_on = take(',');
            if (goes_on) out_ += ',';
        }
        out_ += ']';
        return is_empty || take(']');
    }

    bool string() {
        const std::size_t begin = at_++;
        while (at_ < text_.size() && is_plain_letter(text_[at_])) ++at_;
        if (!take('"')) return false;
        out_.append(text_, begin, at_ - begin);
        return true;
    }

    bool word(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        out_ += word;
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
            const bool is_copied = !digits.empty() && digits.size() <= max_digits &&
                                   (digits.front() != '0' || token == "0") &&
                                   digits.find('-') == std::string_view::npos;
            if (is_copied) out_ += token;
            return is_copied;
        }
        const nlohmann::json parsed = nlohmann::json::parse(token, nullptr, false);
        if (!parsed.is_number()) return false;
        out_ += parsed.dump();
        return true;
    }

    std::string_view text_;
    std::string& out_;
    std::size_t at_ = 0;
};

void add_string(std::string& out, const std::string& text) {
    if (std::all_of(text.begin(), text.end(), is_plain_letter)) {
        out += '"';
        out += text;
        out += '"';
    } else {
        out += to_text(Json(text), -1);
    }
}

bool is_record_text(const Json& json) { return json.is_binary() && json.get_binary().subtype() == text_subtype; }

std::string_view record_text_of(const Json& json) {
    const auto& bytes = json.get_binary();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::optional<std::string> sorted_text(std::string_view object, const nlohmann::json& more) {
    for (auto one = more.begin(); one != more.end(); ++one) {
        if (!std::all_of(one.key().begin(), one.key().end(), is_plain_letter)) return std::nullopt;
    }
    std::string out;
    out.reserve(object.size() + 64);
    Sorter sorter(object.empty() ? std::string_view("{}") : object, out);
    if (!sorter.object(0, &more) || !sorter.is_at_end()) return std::nullopt;
    return out;
}

Json::binary_t as_value(std::string_view text) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return {std::vector<std::uint8_t>(bytes, bytes + text.size()), text_subtype};
}

// NOLINTNEXTLINE(misc-no-recursion): parse_object bounds the depth
void add_text(std::string& out, const Json& json) {
    switch (json.type()) {
        case Json::value_t::object: {
            char before = '{';
            for (const auto& [name, value] : json.items()) {
                out += before;
                before = ',';
                add_string(out, name);
                out += ':';
                add_text(out, value);
            }
            if (json.empty()) out += '{';
            out += '}';
            break;
        }
        case Json::value_t::array: {
            char before = '[';
            for (const Json& value : json) {
                out += before;
                before = ',';
                add_text(out, value);
            }
            if (json.empty()) out += '[';
            out += ']';
            break;
        }
        case Json::value_t::string:
            add_string(out, json.get_ref<const std::string&>());
            break;
        case Json::value_t::number_unsigned:
            add_integer(out, json.get<std::uint64_t>());
            break;
        case Json::value_t::number_integer:
            add_integer(out, json.get<std::int64_t>());
            break;
        default:
            if (is_record_text(json)) {
                out += record_text_of(json);
            } else {
                out += to_text(json, -1);
            }
    }
}

std::string text_with_records(const Json& json) {
    std::string out;
    add_text(out, json);
    return out;
}

}  // namespace effigy::gltf
