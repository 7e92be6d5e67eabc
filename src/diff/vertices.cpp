/// Vertices of two meshes: their attributes and morph targets as columns of numbers, compared, hashed and counted.

#include "diff/vertices.hpp"

#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "effigy/diff_codes.hpp"
#include "effigy/playback.hpp"
#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "scene/attribute_names.hpp"

namespace effigy::diff {

namespace {

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 33);
}

/// Both zeros are one number.
std::uint64_t bits(float value) noexcept { return value == 0 ? 0 : std::bit_cast<std::uint32_t>(value); }

template <std::size_t width>
std::uint64_t hash_entries(std::uint64_t hash, std::span<const SparseEntry<width>> entries) {
    for (const SparseEntry<width>& entry : entries) {
        if (std::all_of(entry.values.begin(), entry.values.end(), [](float value) { return value == 0; })) continue;
        hash = mix(hash, entry.key);
        for (const float value : entry.values) hash = mix(hash, bits(value));
    }
    return hash;
}

template <class Spans>
std::string text_of(const Spans& values, std::size_t width, std::uint32_t vertex) {
    std::string text;
    for (std::size_t i = 0; i < width; ++i)
        text += (i == 0 ? "" : ", ") + shown(values[std::size_t{vertex} * width + i]);
    return width == 1 ? text : "(" + text + ")";
}

}  // namespace

bool Vertices::differs(const Column& column, std::uint32_t a, std::uint32_t b) const {
    const Measure& measure = measures_[column.measure];
    const float* const in_a = column.a.values.data() + std::size_t{a} * column.width;
    const float* const in_b = column.b.values.data() + std::size_t{b} * column.width;
    for (std::size_t i = 0; i < column.width; ++i) {
        if (!measure.allows(distance(in_a[i], in_b[i]), in_a[i])) return true;
    }
    return false;
}

std::size_t Vertices::beyond(std::uint32_t a, std::uint32_t b) const {
    std::size_t count = 0;
    for (const Column& column : columns_) count += differs(column, a, b) ? 1 : 0;
    for_each_key<1>(weights_a_.of(a), weights_b_.of(b),
                    [&](std::uint32_t, double apart) { count += measures_[weight_measure_].allows(apart, 0) ? 0 : 1; });
    for_each_key<3>(morphs_a_.of(a), morphs_b_.of(b), [&](std::uint32_t key, double apart) {
        count += measures_[morph_measure_ + key].allows(apart, 0) ? 0 : 1;
    });
    return count;
}

void Vertices::tally(std::uint32_t a, std::uint32_t b) {
    const auto put = [&](Measure& measure, double apart, bool counts) {
        if (!counts) return;
        ++measure.count;
        if (!(apart > measure.largest)) return;
        measure.largest = apart;
        measure.vertex_a = a;
        measure.vertex_b = b;
    };
    for (const Column& column : columns_) {
        if (!differs(column, a, b)) continue;
        double apart = 0;
        for (std::size_t i = 0; i < column.width; ++i) {
            apart = std::max(apart, distance(column.a.values[std::size_t{a} * column.width + i],
                                             column.b.values[std::size_t{b} * column.width + i]));
        }
        put(measures_[column.measure], apart, true);
    }
    double max_weight = 0;
    for_each_key<1>(weights_a_.of(a), weights_b_.of(b),
                    [&](std::uint32_t, double apart) { max_weight = std::max(max_weight, apart); });
    if (max_weight > 0) {
        Measure& measure = measures_[weight_measure_];
        put(measure, max_weight, !measure.allows(max_weight, 0));
    }
    for_each_key<3>(morphs_a_.of(a), morphs_b_.of(b), [&](std::uint32_t key, double apart) {
        Measure& measure = measures_[morph_measure_ + key];
        put(measure, apart, !measure.allows(apart, 0));
    });
}

void Vertices::clear_tallies() {
    for (Measure& measure : measures_) {
        measure.largest = 0;
        measure.count = 0;
    }
}

std::uint64_t Vertices::hash(bool of_b, std::uint32_t vertex) const {
    std::uint64_t hash = 0;
    for (const Column& column : columns_) {
        const float* const values = (of_b ? column.b : column.a).values.data() + std::size_t{vertex} * column.width;
        for (std::size_t i = 0; i < column.width; ++i) hash = mix(hash, bits(values[i]));
    }
    hash = hash_entries<1>(hash, (of_b ? weights_b_ : weights_a_).of(vertex));
    return hash_entries<3>(mix(hash, 1), (of_b ? morphs_b_ : morphs_a_).of(vertex));
}

std::string Vertices::text(bool of_b, std::size_t measure, std::uint32_t vertex) const {
    if (measure >= columns_.size()) return {};
    const Column& column = columns_[measure];
    return text_of((of_b ? column.b : column.a).values, column.width, vertex);
}

namespace {

/// Which vertices of the file a vertex was made of: labels that are numbered anew at will.
constexpr std::string_view label = "_ORIGINAL_VERTEX";

bool is_compared(const Attribute& attribute, std::uint32_t vertices) {
    return attribute.semantic != Semantic::joints && attribute.semantic != Semantic::weights &&
           attribute.custom_name != label && attribute.data.stride() != 0 &&
           attribute.data.bytes.size() == vertices * attribute.data.stride();
}

bool is_alike(const Attribute& a, const Attribute& b) {
    return std::tie(a.semantic, a.set, a.custom_name) == std::tie(b.semantic, b.set, b.custom_name);
}

double max_of(std::span<const float> values) {
    double largest = 0;
    for (const float value : values) {
        if (std::isfinite(value)) largest = std::max(largest, std::fabs(double{value}));
    }
    return largest;
}

}  // namespace

class Vertices::Maker {
public:
    Maker(Comparison& comparison, const MeshPair& pair, const std::string& path)
        : all_(comparison),
          pair_(pair),
          a_(comparison.a.meshes[pair.mesh_a]),
          b_(comparison.b.meshes[pair.mesh_b]),
          path_(path) {}

    Result<Vertices> run() {
        if (auto done = add_columns(); !done) return fail(std::move(done.error()));
        if (auto done = add_influences(); !done) return fail(std::move(done.error()));
        if (auto done = add_targets(); !done) return fail(std::move(done.error()));
        return std::move(vertices_);
    }

private:
    void missing(const std::string& name, bool in_a) {
        const std::string path = path_ + " / " + name;
        in_a ? all_.findings.add(codes::diff_attribute, path, "the second has no such attribute", "an attribute",
                                 "nothing")
             : all_.findings.add_gain(codes::diff_attribute, path, "the first has no such attribute", "an attribute");
    }

    Result<void> add_columns() {
        std::vector<const Attribute*> left;
        for (const Attribute& attribute : b_.attributes) {
            if (is_compared(attribute, b_.vertex_count)) left.push_back(&attribute);
        }
        std::vector<std::pair<const Attribute*, const Attribute*>> pairs;
        for (const Attribute& attribute : a_.attributes) {
            if (!is_compared(attribute, a_.vertex_count)) continue;
            const auto other = std::find_if(left.begin(), left.end(),
                                            [&](const Attribute* each) { return is_alike(attribute, *each); });
            if (other == left.end()) {
                missing(attribute_name(attribute), true);
                continue;
            }
            pairs.emplace_back(&attribute, *other);
            left.erase(other);
        }
        for (const Attribute* attribute : left) missing(attribute_name(*attribute), false);
        std::stable_partition(pairs.begin(), pairs.end(),
                              [](const auto& pair) { return pair.first->semantic == Semantic::position; });
        for (const auto& [in_a, in_b] : pairs) {
            if (auto done = add_column(*in_a, *in_b); !done) return done;
        }
        return {};
    }

    Result<void> fill(Side& side, const Accessor& data, std::size_t width, float rest) {
        if (data.component == ComponentType::f32 && component_count(data.element) == width) {
            side.values = data.as<float>();
            return {};
        }
        if (auto done = all_.take(data.count() * width, sizeof(float)); !done) return done;
        side.own.assign(data.count() * width, rest);
        read_numbers<float>(data, side.own, width);
        side.values = side.own;
        return {};
    }

    Result<void> add_column(const Attribute& in_a, const Attribute& in_b) {
        Column column;
        column.width = std::max(component_count(in_a.data.element), component_count(in_b.data.element));
        column.is_position = in_a.semantic == Semantic::position && column.width == 3;
        const float rest = in_a.semantic == Semantic::color ? 1.0f : 0.0f;  // colours without alpha are opaque
        if (auto done = fill(column.a, in_a.data, column.width, rest); !done) return done;
        if (auto done = fill(column.b, in_b.data, column.width, rest); !done) return done;
        column.measure = vertices_.measures_.size();
        vertices_.measures_.push_back(measure_of(in_a, column));
        vertices_.columns_.push_back(std::move(column));
        return {};
    }

    Measure measure_of(const Attribute& attribute, const Column& column) const {
        const DiffTolerances& tolerances = all_.findings.tolerances();
        const std::string name = attribute_name(attribute);
        const auto is = [&](Semantic semantic, std::string_view part) {
            return attribute.semantic == semantic || attribute.custom_name.find(part) != std::string::npos;
        };
        if (attribute.semantic == Semantic::position) {
            const double size = std::max(size_of(a_), size_of(b_));
            return {&codes::diff_position, name, tolerances.position * size};
        }
        if (is(Semantic::normal, "NORMAL") || is(Semantic::tangent, "TANGENT"))
            return {&codes::diff_normal, name, tolerances.normal};
        if (is(Semantic::texcoord, "TEXCOORD")) return {&codes::diff_texcoord, name, tolerances.texcoord, true};
        if (is(Semantic::color, "COLOR")) return {&codes::diff_color, name, tolerances.color};
        const double largest = std::max(max_of(column.a.values), max_of(column.b.values));
        return {&codes::diff_data, name, tolerances.number * largest};
    }

    [[nodiscard]] static bool has_influences(const Mesh& mesh) {
        return std::any_of(mesh.attributes.begin(), mesh.attributes.end(),
                           [](const Attribute& each) { return each.semantic == Semantic::joints; });
    }

    Result<void> add_influences() {
        const bool in_a = has_influences(a_), in_b = has_influences(b_);
        if (in_a != in_b) missing("WEIGHTS_0", in_a);
        if (!in_a || !in_b) return {};
        vertices_.weight_measure_ = vertices_.measures_.size();
        vertices_.measures_.push_back({&codes::diff_weight, "WEIGHTS", all_.findings.tolerances().weight});
        if (auto done = fill_influences(a_, all_.a, pair_.skin_a, false, vertices_.weights_a_); !done) return done;
        return fill_influences(b_, all_.b, pair_.skin_b, true, vertices_.weights_b_);
    }

    /// A joint as a number that both scenes share: the first one's node.
    [[nodiscard]] std::uint32_t key_of(const Skin* skin, std::uint32_t joint, bool of_b) const {
        if (skin == nullptr) return joint;
        const Index node = skin->joints[joint];
        if (!of_b) return node;
        const Index other = node < all_.nodes.to_a.size() ? all_.nodes.to_a[node] : no_index;
        return other != no_index ? other : static_cast<std::uint32_t>(all_.a.nodes.size()) + node;
    }

    Result<void> fill_influences(const Mesh& mesh, const Scene& scene, Index skin_index, bool of_b, Sparse<1>& out) {
        const Skin* const skin = skin_index < scene.skins.size() ? &scene.skins[skin_index] : nullptr;
        if (auto done = all_.take(mesh.vertex_count, 4 * (sizeof(float) + 2) + 16 + 2 * sizeof(Sparse<1>::Entry));
            !done)
            return done;
        auto influences = playback::make_influences(mesh, skin != nullptr ? skin->joints.size() : 65536);
        if (!influences) return fail(std::move(influences.error()));
        if (auto done = all_.take(influences->weights.size(), sizeof(Sparse<1>::Entry)); !done) return done;
        Bulk<std::uint32_t> counts(mesh.vertex_count, 0);
        for (const playback::InfluenceBatch& batch : influences->batches) {
            for (const std::uint32_t vertex : batch.vertices) counts[vertex] = batch.influences;
        }
        out.reserve(counts);
        for (const playback::InfluenceBatch& batch : influences->batches) {
            for (std::size_t i = 0; i < batch.joints.size(); ++i) {
                out.add(batch.vertices[i / batch.influences],
                        {key_of(skin, batch.joints[i], of_b), {batch.weights[i]}});
            }
        }
        out.finish();
        return {};
    }

    Result<void> add_targets() {
        const Match match = match_names(names_of(a_.targets), names_of(b_.targets));
        list_targets(a_, match.to_b, true);
        list_targets(b_, match.to_a, false);
        compare_default_weights(match);
        vertices_.morph_measure_ = vertices_.measures_.size();
        std::vector<std::uint32_t> keys_a(a_.targets.size(), no_index), keys_b(b_.targets.size(), no_index);
        std::uint32_t key = 0;
        for (std::size_t i = 0; i < a_.targets.size(); ++i) {
            if (match.to_b[i] == no_index) continue;
            const std::string path = object_path("targets", i, a_.targets[i].name);
            const std::string& other = b_.targets[match.to_b[i]].name;
            all_.findings.text(codes::diff_name, path_ + " / " + path, "the name", a_.targets[i].name, other);
            add_target_measures(path);
            keys_a[i] = keys_b[match.to_b[i]] = key;
            key += 3;
        }
        if (auto done = fill_targets(a_, keys_a, vertices_.morphs_a_); !done) return done;
        return fill_targets(b_, keys_b, vertices_.morphs_b_);
    }

    void add_target_measures(const std::string& path) {
        const DiffTolerances& tolerances = all_.findings.tolerances();
        const double size = std::max(size_a(), size_b());
        vertices_.measures_.push_back({&codes::diff_morph, path + " / POSITION", tolerances.position * size});
        vertices_.measures_.push_back({&codes::diff_morph, path + " / NORMAL", tolerances.normal});
        vertices_.measures_.push_back({&codes::diff_morph, path + " / TANGENT", tolerances.normal});
    }
    [[nodiscard]] double size_a() { return size_a_ < 0 ? size_a_ = size_of(a_) : size_a_; }
    [[nodiscard]] double size_b() { return size_b_ < 0 ? size_b_ = size_of(b_) : size_b_; }

    void list_targets(const Mesh& mesh, const std::vector<Index>& match, bool in_a) {
        for (std::size_t i = 0; i < match.size(); ++i) {
            if (match[i] != no_index) continue;
            const std::string path = path_ + " / " + object_path("targets", i, mesh.targets[i].name);
            in_a ? all_.findings.add(codes::diff_target, path, "the second has no such morph target", "a target",
                                     "nothing")
                 : all_.findings.add_gain(codes::diff_target, path, "the first has no such morph target", "a target");
        }
    }

    void compare_default_weights(const Match& match) {
        for (std::size_t i = 0; i < a_.targets.size(); ++i) {
            const Index other = match.to_b[i];
            if (other == no_index) continue;
            const double in_a = i < a_.weights.size() ? a_.weights[i] : 0;
            const double in_b = other < b_.weights.size() ? b_.weights[other] : 0;
            all_.findings.number(codes::diff_morph, path_ + " / " + object_path("targets", i, a_.targets[i].name),
                                 "the weight at rest", in_a, in_b, all_.findings.tolerances().weight);
        }
    }

    static bool is_valid(const MorphTarget& target, const Bulk<Vec3>& offsets) {
        return !offsets.empty() && offsets.size() == target.indices.size();
    }

    Result<void> fill_targets(const Mesh& mesh, const std::vector<std::uint32_t>& keys, Sparse<3>& out) {
        Bulk<std::uint32_t> counts(mesh.vertex_count, 0);
        std::uint64_t entries = 0;
        const auto visit = [&](const auto& use) {
            for (std::size_t i = 0; i < mesh.targets.size(); ++i) {
                const MorphTarget& target = mesh.targets[i];
                const Bulk<Vec3>* const kinds[] = {&target.positions, &target.normals, &target.tangents};
                for (std::uint32_t kind = 0; kind < 3 && keys[i] != no_index; ++kind) {
                    if (!is_valid(target, *kinds[kind])) continue;
                    for (std::size_t n = 0; n < target.indices.size(); ++n) {
                        const Vec3& offset = (*kinds[kind])[n];
                        if (target.indices[n] < mesh.vertex_count && !(offset == Vec3{}))
                            use(target.indices[n], keys[i] + kind, offset);
                    }
                }
            }
        };
        visit([&](std::uint32_t vertex, std::uint32_t, const Vec3&) {
            ++counts[vertex];
            ++entries;
        });
        if (entries == 0) return {};
        if (auto done = all_.take(entries, sizeof(Sparse<3>::Entry)); !done) return done;
        if (auto done = all_.take(mesh.vertex_count, 16); !done) return done;
        out.reserve(counts);
        visit([&](std::uint32_t vertex, std::uint32_t key, const Vec3& offset) {
            out.add(vertex, {key, {offset.x, offset.y, offset.z}});
        });
        out.finish();
        return {};
    }

    Comparison& all_;
    const MeshPair& pair_;
    const Mesh &a_, &b_;
    const std::string& path_;
    Vertices vertices_;
    double size_a_ = -1, size_b_ = -1;
};

Result<Vertices> Vertices::make(Comparison& comparison, const MeshPair& pair, const std::string& path) {
    return Maker(comparison, pair, path).run();
}

}  // namespace effigy::diff
