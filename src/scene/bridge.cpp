#include "scene/bridge.hpp"

#include <algorithm>

#include "core/problem.hpp"

namespace effigy {

void NameList::add(std::string name) {
    if (names_.size() < 5) names_.push_back(std::move(name));
    ++count_;
}

std::string NameList::text() const {
    std::string text = std::to_string(count_) + ": ";
    for (std::size_t i = 0; i < names_.size(); ++i) text += (i == 0 ? "" : ", ") + names_[i];
    return count_ > names_.size() ? text + ", ..." : text;
}

void Conversion::note(std::string_view code, Severity severity, std::string path, std::string message,
                      std::string found, std::string expected) {
    Diagnostic diagnostic =
        problem_at(std::move(path), code, std::move(message), std::move(found), std::move(expected));
    diagnostic.severity = severity;
    diagnostic.file = file;
    report.add(std::move(diagnostic));
}

Result<void> Conversion::take(std::uint64_t count, std::uint64_t bytes_each, std::string_view what) {
    if (budget.take(count, bytes_each)) return {};
    Diagnostic diagnostic;
    diagnostic.code = "limit-memory";
    diagnostic.message = "The memory limit is reached: " + std::string(what) + ".";
    diagnostic.found = std::to_string(count) + " x " + std::to_string(bytes_each) + " bytes";
    diagnostic.expected = "at most " + std::to_string(budget.limit()) + " bytes in all";
    diagnostic.file = file;
    return fail(std::move(diagnostic));
}

std::uint64_t size_of(const Scene& scene) noexcept {
    constexpr std::uint64_t node = 512, moved_vertex = 40;
    std::uint64_t size = scene.asset_extras.json.size() + node * scene.nodes.size();
    for (const Node& one : scene.nodes) size += one.extras.json.size();
    for (const Mesh& mesh : scene.meshes) {
        size += mesh.extras.json.size();
        for (const Attribute& attribute : mesh.attributes) size += attribute.data.bytes.size();
        for (const Primitive& primitive : mesh.primitives) size += sizeof(std::uint32_t) * primitive.indices.size();
        for (const MorphTarget& target : mesh.targets) size += moved_vertex * target.indices.size();
    }
    for (const Material& material : scene.materials) size += material.extras.json.size();
    for (const Clip& clip : scene.clips) {
        size += clip.extras.json.size();
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

std::string unique_clip_name(const Scene& scene, const std::string& wish) {
    const auto taken = [&](const std::string& name) {
        return std::any_of(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) { return clip.name == name; });
    };
    std::string name = wish;
    for (int number = 2; taken(name); ++number) name = wish + "." + std::to_string(number);
    return name;
}

Diagnostic nothing_to_show(std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = "nothing-to-show";
    diagnostic.message = std::move(message);
    return diagnostic;
}

}  // namespace effigy
