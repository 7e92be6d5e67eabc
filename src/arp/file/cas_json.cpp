/// CAS as JSON: one object a sign, one after the other or in an array, and an empty one at the end.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "effigy/arp_codes.hpp"

#include "arp/file/cas_reader.hpp"
#include "core/budget.hpp"
#include "core/json_members.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::cas {

namespace {

constexpr std::string_view between = " \t\r\n,[]";  // what stands between objects

/// The objects of a stream, as text.
class Objects {
public:
    explicit Objects(std::string_view text) noexcept : text_(text) {}

    /// The next object; false at the end, or at what is none.
    bool next(std::string_view& object) noexcept {
        place_ = std::min(text_.find_first_not_of(between, place_), text_.size());
        if (at_end() || text_[place_] != '{') return false;
        const std::size_t end = end_of_object();
        if (end == std::string_view::npos) return false;
        object = text_.substr(place_, end - place_);
        place_ = end;
        return true;
    }
    /// Where next() came to stand.
    [[nodiscard]] std::size_t place() const noexcept { return place_; }
    [[nodiscard]] bool at_end() const noexcept { return place_ == text_.size(); }

private:
    /// Behind the bracket that closes the one at place_, or npos.
    [[nodiscard]] std::size_t end_of_object() const noexcept {
        std::size_t open = 0;
        bool in_string = false;
        for (std::size_t at = place_; at < text_.size(); ++at) {
            const char letter = text_[at];
            if (in_string && letter == '\\') {
                ++at;
            } else if (letter == '"') {
                in_string = !in_string;
            } else if (!in_string && letter == '{') {
                ++open;
            } else if (!in_string && letter == '}' && --open == 0) {
                return at + 1;
            }
        }
        return std::string_view::npos;
    }

    std::string_view text_;
    std::size_t place_ = 0;
};

/// What the parsed object takes at most: a value behind each comma and bracket, a member for each colon.
std::uint64_t parsed_size(std::string_view object) noexcept {
    std::uint64_t size = object.size();
    for (const char letter : object) {
        if (letter == ',') size += 2 * sizeof(Json);
        if (letter == '{' || letter == '[') size += 4 * sizeof(Json);
        if (letter == ':') size += 2 * (sizeof(std::string) + sizeof(Json)) + sizeof(std::string);
    }
    return size;
}

/// A finite number that a float can hold.
std::optional<float> number_of(const Json& json) {
    if (!json.is_number()) return std::nullopt;
    const auto value = json.get<double>();
    return std::abs(value) <= double{std::numeric_limits<float>::max()} ? std::optional(static_cast<float>(value))
                                                                        : std::nullopt;
}

class Signs {
public:
    Signs(const ReadOptions& options, std::size_t size) noexcept
        : budget_(options.limits, size), max_records_(options.limits.count) {}

    Result<Loaded<File>> read(std::string_view text) {
        if (!take(text.size())) return fail(failure());
        const bool in_array = first_character(text) == '[';
        const std::string_view stream = without_mark(text);
        const std::uint64_t mark = text.size() - stream.size();
        Objects objects(stream);
        std::string_view object;
        bool has_end = in_array;
        while (ok() && objects.next(object)) {
            place_ = mark + static_cast<std::uint64_t>(object.data() - stream.data());
            const layout::PathScope scope(path_, "sign", loaded_.value.signs.size());
            if (object.find_first_not_of(" \t\r\n", 1) == object.size() - 1) {
                has_end = true;
            } else if (!read_sign(object)) {
                add(arp::codes::cas_json_syntax, "a sign is no JSON; it is left out");
            }
        }
        if (!ok()) return fail(failure());
        place_ = mark + objects.place();
        end(objects, has_end);
        if (loaded_.value.signs.empty()) {
            if (!objects.at_end()) return fail(std::move(loaded_.report.diagnostics().back()));
            return fail(problem_at({}, codes::not_this_format, "there is no sign in this file", {},
                                   "objects with signIndex, gloss and frames"));
        }
        return std::move(loaded_);
    }

private:
    /// Nothing of it stays in memory but what was read. False for what is no JSON.
    bool read_sign(std::string_view object) {
        const std::uint64_t size = parsed_size(object);
        if (!take(size) || !take_record<Sign>()) return true;
        const std::optional<Json> json = parse_json(object);
        if (!json) return false;
        const std::size_t first = loaded_.value.frames.size();
        Sign sign{text(*json, "gloss"), static_cast<std::uint32_t>(first)};
        const Json* const base = member(*json, "baseFrameIndex");
        if (base != nullptr && *base != first) {
            add(arp::codes::cas_base_frame, {}, shortened(to_text(*base)), std::to_string(first));
        }
        loaded_.value.signs.push_back(std::move(sign));
        if (const Json* const frames = list(*json, "frames")) {
            for (std::size_t index = 0; index < frames->size() && ok(); ++index) read_frame((*frames)[index], index);
        }
        budget_.give_back(size);
        return true;
    }

    void read_frame(const Json& json, std::size_t number) {
        const layout::PathScope scope(path_, "frames", number);
        if (!take_record<Frame>()) return;
        std::vector<Frame>& frames = loaded_.value.frames;
        Frame frame;
        frame.time = milliseconds(json, "time", frames.empty() ? 0 : frames.back().time + frames.back().duration);
        if (member(json, "duration") != nullptr) frame.duration = milliseconds(json, "duration", 0);
        frame.complete = frames.empty();
        if (const Json* const bones = list(json, "bones")) {
            for (std::size_t index = 0; index < bones->size() && ok(); ++index)
                read_bone((*bones)[index], index, frame);
        }
        if (const Json* const morphs = list(json, "morphs")) {
            for (std::size_t index = 0; index < morphs->size() && ok(); ++index)
                read_morph((*morphs)[index], index, frame);
        }
        frames.push_back(std::move(frame));
    }

    void read_bone(const Json& json, std::size_t number, Frame& frame) {
        const layout::PathScope scope(path_, "bones", number);
        if (!take_record<BoneKey>()) return;
        BoneKey key{text(json, "id4cc"), {}, {}};
        if (key.name.empty()) return bad_field("id4cc", "a bone's name");
        if (const auto values = numbers<3>(json, "trans"))
            key.translation = Vec3{(*values)[0], (*values)[1], (*values)[2]};
        if (const auto values = numbers<4>(json, "rot")) {
            key.rotation = Quat{(*values)[0], (*values)[1], (*values)[2], (*values)[3]};
        }
        frame.bones.push_back(std::move(key));
    }

    void read_morph(const Json& json, std::size_t number, Frame& frame) {
        const layout::PathScope scope(path_, "morphs", number);
        if (!take_record<MorphKey>()) return;
        const Json* const amount = member(json, "amount");
        const std::optional<float> value = amount != nullptr ? number_of(*amount) : std::nullopt;
        MorphKey key{text(json, "id4cc"), value.value_or(0.0F)};
        if (key.name.empty()) return bad_field("id4cc", "a morph target's name");
        if (!value) return bad_field("amount", "a number");
        if (key.amount != 0) frame.morphs.push_back(std::move(key));
    }

    std::string text(const Json& json, const char* name) {
        const Json* const value = member(json, name);
        if (value == nullptr || !value->is_string()) return {};
        const auto& text = value->get_ref<const std::string&>();
        return take(text.size()) ? text : std::string();
    }

    double milliseconds(const Json& json, const char* name, double fallback) {
        const Json* const value = member(json, name);
        if (value != nullptr && number_of(*value)) return value->get<double>();
        add(arp::codes::cas_field,
            std::string("the member ") + name +
                " is not there or is no number; the frame before it says when it would be",
            {}, "milliseconds");
        return fallback;
    }

    template <std::size_t count>
    std::optional<std::array<float, count>> numbers(const Json& json, const char* name) {
        const Json* const values = member(json, name);
        if (values == nullptr) return std::nullopt;
        std::array<float, count> result{};
        bool good = values->is_array() && values->size() == count;
        for (std::size_t index = 0; good && index < count; ++index) {
            const std::optional<float> value = number_of((*values)[index]);
            result[index] = value.value_or(0.0F);
            good = value.has_value();
        }
        if (!good) bad_field(name, count == 3 ? "3 numbers" : "4 numbers");
        return good ? std::optional(result) : std::nullopt;
    }

    /// An array that may be missing.
    const Json* list(const Json& json, const char* name) {
        const Json* const values = member(json, name);
        if (values == nullptr || values->is_array()) return values;
        bad_field(name, "an array");
        return nullptr;
    }

    void end(const Objects& objects, bool has_end) {
        if (objects.at_end()) {
            if (!has_end) {
                add(arp::codes::cas_end);
            }
            return;
        }
        add(arp::codes::cas_json_syntax,
            "this is no JSON, or it was cut off here; what stands before it is used, the rest is only kept");
    }

    void add(const Code& code, std::string message = {}, std::string found = {}, std::string expected = {}) {
        Diagnostic finding =
            problem_at(path_.string(), code, std::move(message), std::move(found), std::move(expected));
        finding.offset = place_;
        loaded_.report.add(std::move(finding));
    }

    void bad_field(const char* name, const char* expected) {
        add(arp::codes::cas_field,
            std::string("the member ") + name + " is not there or is of another kind; what it belongs to is left out",
            {}, expected);
    }
    bool take(std::uint64_t bytes) noexcept {
        out_of_memory_ = out_of_memory_ || !budget_.take(bytes);
        return !out_of_memory_;
    }
    template <class Record>
    bool take_record() noexcept {
        return ++records_ <= max_records_ && take(2 * sizeof(Record));
    }
    [[nodiscard]] bool ok() const noexcept { return !out_of_memory_ && records_ <= max_records_; }

    [[nodiscard]] Diagnostic failure() const {
        if (out_of_memory_) {
            return problem_at(
                {}, codes::limit_memory,
                "reading this file needs more memory than the limit allows; raise it with --limit-memory");
        }
        return problem_at({}, codes::limit_count,
                          "the file has more signs, frames, bones and morphs than the limits allow", {},
                          "at most " + std::to_string(max_records_));
    }

    Loaded<File> loaded_;
    layout::Path path_;
    Budget budget_;
    std::uint64_t place_ = 0;  ///< of the sign
    std::uint64_t records_ = 0;
    std::uint64_t max_records_;
    bool out_of_memory_ = false;
};

}  // namespace

Result<Loaded<File>> read_json(std::span<const std::byte> bytes, const ReadOptions& options) {
    return Signs(options, bytes.size()).read(as_text(bytes));
}

}  // namespace effigy::cas
