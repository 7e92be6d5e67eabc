/// Version 6: which of the ways in which its morph targets may be stored is the one that a file shows. Reasons:
/// docs/conversion/x42.md, "Version 6".

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"

#include "core/problem.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

namespace {

struct Candidate {
    const char* name;
    MorphLayout layout;
    bool wide_counts;
};
/// Without targets both sizes of records come to the same; the larger one is asked first.
constexpr std::array<Candidate, 5> candidates{{{"laid out as version 5", MorphLayout::none, false},
                                               {"16-bit count, records of 12 bytes", MorphLayout::large, false},
                                               {"16-bit count, records of 6 bytes", MorphLayout::small, false},
                                               {"32-bit counts, records of 12 bytes", MorphLayout::large, true},
                                               {"32-bit counts, records of 6 bytes", MorphLayout::small, true}}};

Morphs assumption(const Candidate& candidate) {
    Morphs morphs;
    morphs.layout = candidate.layout;
    morphs.wide_counts = candidate.wide_counts;
    return morphs;
}

/// Reading under another assumption would end the same way.
bool is_final(const Diagnostic& failure) {
    return is_limit(failure) || failure.code == codes::input_read || failure.code == codes::input_version;
}

bool is_ordered(const Range& range) noexcept {
    return std::isfinite(range.high - range.low) && range.low <= range.high;
}

bool are_ordered(const auto& ranges) noexcept { return std::all_of(ranges.begin(), ranges.end(), is_ordered); }

/// Whether the targets share out all offsets in order.
bool covers_all(const Morphs& morphs) noexcept {
    std::uint64_t next = 0;
    for (const MorphTarget& target : morphs.targets) {
        if (target.first_delta != next) return false;
        next += target.delta_count;
    }
    return next == morphs.indices.size();
}

/// What speaks against a candidate.
std::optional<std::string> objection(const Attempt& attempt) {
    const File& file = attempt.file;
    if (!attempt.cut_at.empty()) return "the file ends before " + attempt.cut_at;
    if (!file.trailing.empty()) return std::to_string(file.trailing.size()) + " bytes are left over";
    if (!covers_all(file.morphs)) return "the targets do not share out the offsets in order";
    if (!are_ordered(file.pack.morph_positions)) return "the ranges of morph positions are no ranges";
    const Report report = check(file);
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity == Severity::error) return finding.code + " at " + finding.path;
    }
    return std::nullopt;
}

/// What is unlikely about the part of a file that version 5 has, too.
class Oddities {
public:
    explicit Oddities(const Attempt& attempt) : file_(attempt.file) {
        if (!attempt.cut_at.empty()) count_ += 1'000'000;
        look_at_header();
        look_at_ranges();
        look_at_skeleton();
        for (const Group& group : file_.groups) look_at(group);
        if (has_morph_header(file_)) look_at_morphs();
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    void doubt(bool odd) noexcept { count_ += odd ? 1 : 0; }
    void look_at_name(std::uint16_t name) noexcept { doubt(name >= file_.strings.size()); }

    void look_at_header() {
        const Header& header = file_.header;
        doubt(!is_ordered({header.bounds_low.x, header.bounds_high.x}));
        doubt(!is_ordered({header.bounds_low.y, header.bounds_high.y}));
        doubt(!is_ordered({header.bounds_low.z, header.bounds_high.z}));
        doubt(!std::isfinite(header.sphere_center.x + header.sphere_center.y + header.sphere_center.z));
        doubt(!std::isfinite(header.sphere_radius) || header.sphere_radius < 0);
    }
    void look_at_ranges() {
        const PackHeader& pack = file_.pack;
        doubt(!file_.positions.empty() && !are_ordered(pack.animation_positions));
        doubt(!file_.scales.empty() && !is_ordered(pack.animation_scales));
        doubt(!file_.vertices.empty() && !are_ordered(pack.vertex_positions));
        doubt(!file_.texcoords.empty() && !are_ordered(pack.texcoords));
    }
    void look_at_skeleton() {
        for (std::size_t index = 0; index < file_.bones.size(); ++index) {
            const Bone& bone = file_.bones[index];
            look_at_name(bone.name);
            doubt(bone.parent != no_bone && bone.parent >= index);
        }
        for (const Key& key : file_.keys) {
            doubt(key.bone >= file_.bones.size() || static_cast<std::uint16_t>(key.type) > 2 ||
                  key.frame >= std::max<unsigned>(1, file_.header.frame_count));
        }
    }
    void look_at(const Group& group) {
        look_at_name(group.material);
        look_at_name(group.surface);
        doubt(group.vertex_influences > max_weights || group.influence_count > max_influences);
        doubt(std::uint64_t{group.first_vertex} + group.vertex_count > file_.vertices.size());
        doubt(!is_known(group.type));
    }
    void look_at_morphs() {
        const Morphs& morphs = file_.morphs;
        const std::uint64_t least = morphs.stored_target_count * small_target_size +
                                    morphs.stored_delta_count * (sizeof(std::uint16_t) + sizeof(PackedVec3));
        doubt(least > morphs.opaque.size());
        doubt(morphs.stored_delta_count != 0 && !are_ordered(file_.pack.morph_positions));
    }

    const File& file_;
    std::uint64_t count_ = 0;
};

/// Header and sections before the morph targets, in the three forms that they may have.
std::array<Morphs, 3> base_forms() {
    std::array<Morphs, 3> forms;
    for (Morphs& form : forms) form.layout = MorphLayout::undetermined;
    forms[1].wide_counts = true;
    forms[2].plain_header = true;
    return forms;
}

struct Base {
    Morphs form;
    std::uint64_t oddities = std::numeric_limits<std::uint64_t>::max();
};

/// The form in which least is odd.
Result<Base> max_plausible_base(ByteSource& source, const Limits& limits) {
    Base best;
    std::optional<Diagnostic> failure;
    for (Morphs& form : base_forms()) {
        const auto attempt = read_as(source, form, limits);
        if (!attempt) {
            if (!failure || is_final(attempt.error())) failure = attempt.error();
            if (is_final(attempt.error())) break;
            continue;
        }
        const std::uint64_t oddities = Oddities(*attempt).count();
        if (oddities < best.oddities) best = {std::move(form), oddities};
    }
    if (best.oddities == std::numeric_limits<std::uint64_t>::max()) return fail(std::move(*failure));
    return best;
}

Diagnostic undetermined(const std::string& tried, std::size_t accepted) {
    return problem_at("morphs", codes::x42_morphs_undetermined,
                      std::string("how this file stores its morph targets cannot be told") +
                          (accepted == 0 ? "" : ", because more than one way fits") +
                          "; they are kept as bytes, and the model without them is read. Tried were: " + tried);
}

}  // namespace

Result<Attempt> read_version_6(ByteSource& source, const Limits& limits, Report& report) {
    std::string tried;
    std::vector<const Candidate*> accepted;
    std::array<bool, 2> without_targets{};  // with 16-bit and 32-bit counts
    for (const Candidate& candidate : candidates) {
        if (candidate.layout == MorphLayout::small && without_targets[candidate.wide_counts]) continue;
        const auto attempt = read_as(source, assumption(candidate), limits);
        if (!attempt && is_final(attempt.error())) return fail(attempt.error());
        std::optional<std::string> against = attempt ? objection(*attempt) : "its header is not all there";
        if (!against) accepted.push_back(&candidate);
        tried += std::string(tried.empty() ? "" : "; ") + candidate.name + " (" + against.value_or("fits") + ")";
        if (attempt && candidate.layout == MorphLayout::large && attempt->file.morphs.targets.empty() &&
            attempt->file.missing[number_of(Section::morph_targets)] == 0) {
            without_targets[candidate.wide_counts] = true;
        }
    }
    if (accepted.size() == 1) return read_as(source, assumption(*accepted.front()), limits);
    const auto base = max_plausible_base(source, limits);
    if (!base) return fail(base.error());
    auto attempt = read_as(source, base->form, limits);
    if (!attempt) return attempt;
    if (attempt->file.version != version_6 && base->oddities != 0) {
        return fail(version_problem(
            "the file is of a later version than 6, and is not laid out like 5 or 6; nothing is known about such "
            "files. Export the model again as version 5, or keep the file until they are known",
            attempt->file.version));
    }
    report.add(undetermined(tried, accepted.size()));
    locate(attempt->file, report);
    return attempt;
}

}  // namespace effigy::x42
