/// What bridges of all families share: budgets, findings, lists of names, clips' durations.

#include "scene/bridge.hpp"

#include <algorithm>

#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/json_members.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"

namespace effigy {

namespace {

/// Anybody may have written it. What does not begin with a letter or a digit may mean the machine's locale to iconv.
bool is_encoding(const std::string& name) {
    constexpr std::size_t longest = 64;
    const auto is_plain = [](char c) { return c > ' ' && c <= '~'; };
    return !name.empty() && name.size() <= longest && is_alphanumeric(name.front()) &&
           std::ranges::all_of(name, is_plain) && is_known_encoding(name);
}

}  // namespace

Encodings encodings_of(const Json& asset, const std::string& chosen, const std::string& usual) {
    const std::string stated = text_at(asset, "encoding").value_or("");
    return {is_encoding(stated) ? stated : chosen, chosen, usual};
}

bool means(std::string_view raw, std::string_view name, const Encodings& encodings) {
    return std::ranges::any_of(encodings, [&](const std::string& encoding) { return to_utf8(raw, encoding) == name; });
}

void NameList::add(std::string name) {
    if (names_.size() < 5) names_.push_back(name.empty() ? "\"\"" : std::move(name));
    ++count_;
}

std::string NameList::text() const {
    std::string text = std::to_string(count_) + ": ";
    for (std::size_t i = 0; i < names_.size(); ++i) text += (i == 0 ? "" : ", ") + names_[i];
    return count_ > names_.size() ? text + ", ..." : text;
}

void BridgeState::note(const Code& code, std::string path, std::string message, std::string found,
                       std::string expected) {
    Diagnostic diagnostic =
        problem_at(std::move(path), code, std::move(message), std::move(found), std::move(expected));
    diagnostic.file = file;
    report.add(std::move(diagnostic));
}

void BridgeState::note_any(const NameList& names, const Code& code, std::string_view path, std::string_view message,
                           std::string_view expected) {
    if (!names.empty()) note(code, std::string(path), std::string(message), names.text(), std::string(expected));
}

void BridgeState::note_any(std::uint64_t count, const Code& code, std::string_view path, std::string_view message,
                           std::string_view what, std::string_view expected) {
    if (count == 0) return;
    note(code, std::string(path), std::string(message), std::to_string(count).append(what), std::string(expected));
}

Result<void> BridgeState::take(std::uint64_t count, std::uint64_t bytes_each, std::string_view what) {
    if (budget.take(count, bytes_each)) return {};
    return fail(file_problem(file, codes::limit_memory,
                             "The memory limit is reached: " + std::string(what) + "; raise it with --limit-memory.",
                             std::to_string(count) + " x " + std::to_string(bytes_each) + " bytes",
                             "at most " + std::to_string(budget.limit()) + " bytes in all"));
}

std::uint64_t size_of(const Scene& scene) noexcept {
    constexpr std::uint64_t node = 512, moved_vertex = 40;
    std::uint64_t size = size_of(scene.asset_extras) + node * scene.nodes.size();
    for (const Node& one : scene.nodes) size += size_of(one.extras);
    for (const Mesh& mesh : scene.meshes) {
        size += size_of(mesh.extras);
        for (const Attribute& attribute : mesh.attributes) size += attribute.data.bytes.size();
        for (const Primitive& primitive : mesh.primitives) size += sizeof(std::uint32_t) * primitive.indices.size();
        for (const MorphTarget& target : mesh.targets) size += moved_vertex * target.indices.size();
    }
    for (const Material& material : scene.materials) size += size_of(material.extras);
    for (const Clip& clip : scene.clips) {
        size += size_of(clip.extras);
        for (const Track& track : clip.tracks) size += sizeof(float) * (track.times.size() + track.values.size());
    }
    return size;
}

Index SceneBuild::add_node(std::string name, Index parent) {
    const auto index = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = std::move(name);
    if (parent != no_index) add_child(scene, parent, index);
    return index;
}

void fill_duration(Clip& clip) {
    float longest = 0;
    for (const Track& track : clip.tracks) longest = std::max(longest, track.times.back());
    if (longest >= clip.duration || clip.tracks.empty()) return;
    Track& track = clip.tracks.front();
    const std::size_t width = track.values.size() / track.times.size();
    track.times.push_back(clip.duration);
    Bulk<float> last(track.values.end() - static_cast<std::ptrdiff_t>(width), track.values.end());
    if (track.interpolation == Interpolation::cubic_spline) {
        // Nothing moves from the last key on: neither tangent of that interval has a length.
        const std::size_t part = width / 3;
        std::fill_n(track.values.end() - static_cast<std::ptrdiff_t>(part), part, 0.0f);
        std::fill_n(last.begin(), part, 0.0f);
        std::fill_n(last.end() - static_cast<std::ptrdiff_t>(part), part, 0.0f);
    }
    track.values.insert(track.values.end(), last.begin(), last.end());
}

Diagnostic nothing_to_show(std::string message) { return problem_at({}, codes::nothing_to_show, std::move(message)); }

}  // namespace effigy
