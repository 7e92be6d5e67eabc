#pragma once
/// Where in a file a visitor stands: "chunk[12] mesh / submesh[3]".

#include <cstdint>
#include <string>
#include <vector>

namespace effigy::layout {

class Path {
public:
    static constexpr std::uint64_t no_index = ~std::uint64_t{0};

    Path() { segments_.reserve(usual_depth); }

    /// `name` and `kind` must outlive the segment (they are literals).
    void push(const char* name, std::uint64_t index = no_index) { segments_.push_back({name, "", index}); }
    /// What the current segment turned out to be: "mesh".
    void set_kind(const char* kind) { segments_.back().kind = kind; }
    void pop() { segments_.pop_back(); }

    [[nodiscard]] std::size_t depth() const noexcept { return segments_.size(); }

    [[nodiscard]] std::uint64_t last_index() const noexcept {
        return segments_.empty() ? no_index : segments_.back().index;
    }
    /// The whole path, with `field` as its last step unless that is empty.
    [[nodiscard]] std::string string(const char* field = "") const {
        std::string text;
        for (const Segment& segment : segments_) append(text, segment_string(segment));
        if (*field != 0) append(text, field);
        return text;
    }
    [[nodiscard]] std::string last() const {
        return segments_.empty() ? std::string() : segment_string(segments_.back());
    }

private:
    static constexpr std::size_t usual_depth = 8;
    struct Segment {
        const char* name;
        const char* kind;
        std::uint64_t index;
    };
    static std::string segment_string(const Segment& segment) {
        std::string text = segment.name;
        if (segment.index != no_index) text += "[" + std::to_string(segment.index) + "]";
        if (*segment.kind != 0) text += std::string(" ") + segment.kind;
        return text;
    }
    static void append(std::string& text, const std::string& step) {
        if (!text.empty()) text += " / ";
        text += step;
    }
    std::vector<Segment> segments_;
};

/// Keeps a segment on the path for a scope.
class PathScope {
public:
    PathScope(Path& path, const char* name, std::uint64_t index = Path::no_index) : path_(path) {
        path_.push(name, index);
    }
    ~PathScope() { path_.pop(); }
    PathScope(const PathScope&) = delete;
    PathScope& operator=(const PathScope&) = delete;

private:
    Path& path_;
};

}  // namespace effigy::layout
