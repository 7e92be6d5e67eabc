/// What jobs refuse: spans of wrong sizes, indices out of range, times that do not ascend.

#include "playback/checks.hpp"

#include <utility>

#include "effigy/playback_codes.hpp"

#include "core/problem.hpp"
#include "playback/kernels.hpp"

namespace effigy::playback {
namespace {

tl::unexpected<Diagnostic> problem(const Code& code, std::string name, const char* message, std::string found,
                                   std::string expected) {
    std::string sentence = name + message;
    return fail(problem_at(std::move(name), code, std::move(sentence), std::move(found), std::move(expected)));
}

template <class T>
Result<void> check_largest(const char* name, std::span<const T> indices, std::size_t limit) {
    if (indices.empty()) return {};
    const T largest = kernels::largest(indices);
    if (largest < limit) return {};
    return wrong_index(name, largest, "less than " + std::to_string(limit));
}

}  // namespace

tl::unexpected<Diagnostic> wrong_size(std::string name, std::size_t found, std::string expected) {
    return problem(codes::playback_size, std::move(name), " has a size that does not fit the other spans",
                   std::to_string(found), std::move(expected));
}

tl::unexpected<Diagnostic> wrong_index(std::string name, std::uint64_t found, std::string expected) {
    return problem(codes::playback_index, std::move(name), " has a number that leads nowhere", std::to_string(found),
                   std::move(expected));
}

tl::unexpected<Diagnostic> wrong_value(std::string name, std::string found, std::string expected) {
    return problem(codes::playback_value, std::move(name), " has a value that cannot be used", std::move(found),
                   std::move(expected));
}

Result<void> describe_misfit(const char* name, const PoseView& pose, std::size_t joints) {
    const auto wrong = [&](const char* part, std::size_t found) {
        return wrong_size(std::string(name) + "." + part, found, std::to_string(joints));
    };
    if (pose.translations.size() != joints) return wrong("translations", pose.translations.size());
    if (pose.rotations.size() != joints) return wrong("rotations", pose.rotations.size());
    return wrong("scales", pose.scales.size());
}

Result<void> check_vertices(const VertexView& in, const VertexView& out) {
    const std::size_t count = in.positions.size();
    if (!in.normals.empty() && in.normals.size() != count) {
        return wrong_size("in.normals", in.normals.size(), std::to_string(count) + " or 0");
    }
    if (!in.tangents.empty() && in.tangents.size() != count) {
        return wrong_size("in.tangents", in.tangents.size(), std::to_string(count) + " or 0");
    }
    return check_sizes({{"out.positions", out.positions.size(), count},
                        {"out.normals", out.normals.size(), in.normals.size()},
                        {"out.tangents", out.tangents.size(), in.tangents.size()}});
}

Result<void> check_indices(const char* name, std::span<const std::uint16_t> indices, std::size_t limit) {
    return check_largest(name, indices, limit);
}

Result<void> check_indices(const char* name, std::span<const std::uint32_t> indices, std::size_t limit) {
    return check_largest(name, indices, limit);
}

Result<void> check_ascending(const char* name, std::span<const std::uint32_t> indices, std::size_t limit) {
    if (indices.empty()) return {};
    if (!kernels::is_ascending(indices)) {
        std::size_t i = 1;
        while (indices[i - 1] < indices[i]) ++i;
        return wrong_index(name, indices[i], "more than " + std::to_string(indices[i - 1]) + ", the number before it");
    }
    if (indices.back() < limit) return {};
    return wrong_index(name, indices.back(), "less than " + std::to_string(limit));
}

}  // namespace effigy::playback
