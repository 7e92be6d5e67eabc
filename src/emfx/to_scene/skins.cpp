/// Skinning tables as joints, weights and inverse bind matrices.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "effigy/emfx_codes.hpp"

#include "emfx/to_scene/geometry.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::size_t set_size = 4;

/// What was found wrong with a skinning table.
struct Findings {
    std::uint64_t bad_ranges = 0;
    std::uint64_t bad_nodes = 0;
    std::uint64_t bad_weights = 0;
    std::uint64_t repeated = 0;
    std::uint64_t unbound = 0;
};

/// One joint of a vertex.
struct Share {
    float weight = 0;
    std::uint32_t joint = 0;
};

/// The influences of original vertices, whatever the version of the chunk.
class Table {
public:
    explicit Table(const xac::Skinning& skinning) : skinning_(skinning) {}

    [[nodiscard]] std::size_t size() const { return by_vertex() ? skinning_.vertices.size() : skinning_.ranges.size(); }

    /// `bad` is set if the table has no such vertex, or the vertex names influences that do not exist.
    [[nodiscard]] std::span<const xac::Influence> at(std::uint32_t vertex, bool& bad) const {
        if (vertex >= size()) {
            bad = true;
            return {};
        }
        if (by_vertex()) return skinning_.vertices[vertex].influences;
        const xac::InfluenceRange range = skinning_.ranges[vertex];
        const std::size_t all = skinning_.influences.size();
        const std::size_t first = std::min<std::size_t>(range.first, all);
        const std::size_t count = std::min<std::size_t>(range.count, all - first);
        bad = bad || count != range.count;
        return std::span(skinning_.influences).subspan(first, count);
    }

    template <class Visit>
    void each(Visit&& visit) const {
        for (const xac::Influence& influence : skinning_.influences) visit(influence);
        for (const xac::VertexInfluences& vertex : skinning_.vertices) {
            for (const xac::Influence& influence : vertex.influences) visit(influence);
        }
    }

private:
    [[nodiscard]] bool by_vertex() const { return !skinning_.vertices.empty(); }
    const xac::Skinning& skinning_;
};

class SkinBuilder {
public:
    SkinBuilder(Context& context, MeshJob& job, Mesh& mesh)
        : context_(context),
          job_(job),
          mesh_(mesh),
          model_(context.models[job.model]),
          table_(*job.skinning),
          path_("chunk[" + std::to_string(job.chunk) + "] mesh / skinning") {}

    Result<void> build(std::vector<Attribute>& attributes, Json& record) {
        find_original_vertices();
        collect_joints();
        if (joints_.empty() && job_.mesh->node >= slots_.size()) {
            is_told_ = false;
            keep_table(record);
            return {};
        }
        if (auto measured = measure(); !measured) return measured;
        const bool small = joints_.size() < 256;  // one may be added for vertices without influences
        const std::size_t bytes = set_size * ((small ? 1 : 2) + sizeof(float));
        if (auto room = context_.take(std::uint64_t{mesh_.vertex_count} * sets_, bytes, "joints"); !room) {
            return room;
        }
        if (small) {
            fill<std::uint8_t>(attributes, ComponentType::u8);
        } else {
            fill<std::uint16_t>(attributes, ComponentType::u16);
        }
        report();
        keep_table(record);
        add_skin();
        return {};
    }

private:
    void find_original_vertices() {
        for (const xac::VertexLayer& layer : job_.mesh->layers) {
            if (layer.type != xac::LayerType::original_vertex || layer.is_scale != 0) continue;
            originals_ = layer.as<std::uint32_t>();
            if (originals_.size() == mesh_.vertex_count) return;
            originals_ = {};
        }
    }

    std::uint32_t original(std::size_t vertex) const {
        return originals_.empty() ? static_cast<std::uint32_t>(vertex) : originals_[vertex];
    }

    /// Joints are the nodes that the table names, in the order of the nodes.
    void collect_joints() {
        slots_.assign(model_.records.size(), no_index);
        table_.each([&](const xac::Influence& influence) {
            if (!counts_as_weight(influence.weight)) {
                if (!(influence.weight == 0)) ++findings_.bad_weights;
            } else if (influence.node >= slots_.size()) {
                ++findings_.bad_nodes;
            } else {
                slots_[influence.node] = 0;
            }
        });
        for (std::uint32_t node = 0; node < slots_.size(); ++node) {
            if (slots_[node] != no_index) add_joint(node);
        }
    }

    void add_joint(std::uint32_t node) {
        slots_[node] = static_cast<std::uint32_t>(joints_.size());
        joints_.push_back(node);
    }

    /// How many sets of four the vertex with the most joints needs.
    Result<void> measure() {
        std::uint64_t most = 0;
        std::uint64_t visits = 0;
        for (std::size_t v = 0; v < mesh_.vertex_count; ++v) {
            bool bad = false;
            const std::uint64_t count = table_.at(original(v), bad).size();
            most = std::max(most, count);
            visits += count;
            findings_.bad_ranges += bad ? 1u : 0u;
        }
        // Ranges may overlap: few bytes of a file could ask for any amount of work.
        if (auto room = context_.take(visits, sizeof(Share), "influences"); !room) return room;
        shares_.resize(static_cast<std::size_t>(most));
        if (most > set_size) {
            most = 0;
            for (std::size_t v = 0; v < mesh_.vertex_count; ++v) most = std::max<std::uint64_t>(most, gather(v).size());
            findings_.repeated = 0;
        }
        sets_ = static_cast<std::size_t>(std::max<std::uint64_t>(1, (most + set_size - 1) / set_size));
        return {};
    }

    /// The vertex's joints, each once, the heaviest first, with weights that sum up to 1.
    std::span<Share> gather(std::size_t vertex) {
        is_bad_ = false;
        raw_ = table_.at(original(vertex), is_bad_);
        std::size_t count = 0;
        std::uint64_t seen = 0;  // six bits of each joint: most vertices are in order, and nothing is to be done
        bool in_order = true;
        for (const xac::Influence& influence : raw_) {
            if (!counts_as_weight(influence.weight) || influence.node >= slots_.size()) continue;
            const Share share{influence.weight, slots_[influence.node]};
            const std::uint64_t bit = std::uint64_t{1} << (share.joint % 64);
            in_order &= (seen & bit) == 0 && (count == 0 || share.weight <= shares_[count - 1].weight);
            seen |= bit;
            shares_[count++] = share;
        }
        std::span<Share> shares = std::span(shares_).first(count);
        is_as_listed_ = in_order && count == raw_.size();
        if (!in_order) shares = merged(shares);
        if (!normalize(shares)) return shares;
        is_as_listed_ = false;
        // Some may be too small beside the others.
        const auto end = std::remove_if(shares.begin(), shares.end(), [](const Share& s) { return s.weight == 0; });
        return shares.first(static_cast<std::size_t>(end - shares.begin()));
    }

    std::span<Share> merged(std::span<Share> shares) {
        const auto heavier = [](const Share& a, const Share& b) { return a.weight > b.weight; };
        if (shares.size() > 1) {
            std::size_t kept = 0;
            if (shares.size() > 2 * set_size) {
                std::sort(shares.begin(), shares.end(),
                          [](const Share& a, const Share& b) { return a.joint < b.joint; });
            }
            for (const Share share : shares) {
                // In a long list equal joints are neighbours; a short one is searched.
                const std::size_t from = shares.size() > 2 * set_size && kept > 0 ? kept - 1 : 0;
                const auto end = shares.begin() + static_cast<std::ptrdiff_t>(kept);
                const auto twin = std::find_if(shares.begin() + static_cast<std::ptrdiff_t>(from), end,
                                               [&](const Share& other) { return other.joint == share.joint; });
                if (twin == end) {
                    shares[kept++] = share;
                } else {
                    twin->weight += share.weight;
                    ++findings_.repeated;
                }
            }
            shares = shares.first(kept);
            if (shares.size() > 2 * set_size) {
                std::stable_sort(shares.begin(), shares.end(), heavier);
            } else {
                sort_few(shares);
            }
        }
        return shares;
    }

    /// The heaviest first, those of one weight in their order; without the memory that sorting takes elsewhere.
    static void sort_few(std::span<Share> shares) {
        for (std::size_t i = 1; i < shares.size(); ++i) {
            const Share share = shares[i];
            std::size_t place = i;
            for (; place > 0 && share.weight > shares[place - 1].weight; --place) shares[place] = shares[place - 1];
            shares[place] = share;
        }
    }

    /// Whether they were not.
    static bool normalize(std::span<Share> shares) {
        double sum = 0;
        for (const Share& share : shares) sum += static_cast<double>(share.weight);
        if (std::abs(sum - 1.0) <= 1e-7 * static_cast<double>(shares.size())) return false;
        for (Share& share : shares) share.weight = static_cast<float>(static_cast<double>(share.weight) / sum);
        return true;
    }

    template <class Joint>
    void fill(std::vector<Attribute>& attributes, ComponentType component) {
        const std::size_t count = mesh_.vertex_count;
        std::vector<std::span<Joint>> joints;
        std::vector<std::span<float>> weights;
        attributes.reserve(2 * sets_);
        for (std::uint32_t set = 0; set < sets_; ++set) {
            joints.push_back(add<Joint>(attributes, Semantic::joints, set, component));
            weights.push_back(add<float>(attributes, Semantic::weights, set, ComponentType::f32));
        }
        is_used_.assign(table_.size(), false);
        for (std::size_t v = 0; v < count; ++v) {
            std::span<const Share> shares = gather(v);
            compare(v, shares);
            const Share own{1, shares.empty() ? own_joint() : 0};
            if (shares.empty()) shares = std::span(&own, 1);
            for (std::size_t set = 0; set < sets_; ++set) {
                const auto part = shares.subspan(std::min(shares.size(), set * set_size));
                std::array<Share, set_size> four{};
                std::copy_n(part.begin(), std::min(part.size(), set_size), four.begin());
                for (std::size_t k = 0; k < set_size; ++k) {
                    joints[set][v * set_size + k] = static_cast<Joint>(four[k].joint);
                    weights[set][v * set_size + k] = four[k].weight;
                }
            }
        }
    }

    template <class T>
    std::span<T> add(std::vector<Attribute>& attributes, Semantic semantic, std::uint32_t set,
                     ComponentType component) {
        Attribute& attribute = attributes.emplace_back();
        attribute.semantic = semantic;
        attribute.set = set;
        attribute.data.element = ElementType::vec4;
        attribute.data.component = component;
        attribute.data.bytes.resize(std::size_t{mesh_.vertex_count} * set_size * sizeof(T));
        return attribute.data.as<T>();
    }

    /// The joint for a vertex without influences: the mesh's own node, which the table does not name.
    std::uint32_t own_joint() {
        ++findings_.unbound;
        is_told_ = false;
        const std::uint32_t node = job_.mesh->node;
        if (node >= slots_.size()) return 0;
        if (slots_[node] == no_index) add_joint(node);
        return slots_[node];
    }

    /// Whether the scene says the same of the vertex that was gathered last as the table, in its order.
    void compare(std::size_t vertex, std::span<const Share> shares) {
        const std::uint32_t number = original(vertex);
        if (number < is_used_.size()) is_used_[number] = true;
        is_told_ = is_told_ && !is_bad_;
        if (!is_told_ || is_as_listed_) return;
        is_told_ = std::equal(raw_.begin(), raw_.end(), shares.begin(), shares.end(),
                              [&](const xac::Influence& influence, const Share& share) {
                                  return influence.weight == share.weight && slots_[influence.node] == share.joint;
                              });
    }

    bool is_one_run() const {
        const auto& ranges = job_.skinning->ranges;
        std::uint64_t end = 0;
        for (const xac::InfluenceRange& range : ranges) {
            if (range.first != end) return false;
            end += range.count;
        }
        return end == job_.skinning->influences.size();
    }

    /// What the scene does not say of the table: padding, vertices that nothing uses, or all of it.
    void keep_table(Json& record) const {
        const xac::Skinning& skinning = *job_.skinning;
        if (!skinning.vertices.empty()) return keep_lists(record);
        const auto unused = static_cast<std::size_t>(std::count(is_used_.begin(), is_used_.end(), false));
        if (!is_told_ || !is_one_run() || unused > is_used_.size() / 4) {
            record["table"] = table_record(skinning.influences, skinning.ranges);
            return;
        }
        keep_padding(record, skinning.influences);
        if (unused != 0) keep_unused(record);
    }

    static Json table_record(const Bulk<xac::Influence>& influences, const Bulk<xac::InfluenceRange>& ranges) {
        return {{"influences", json_bytes(bytes_of(influences))}, {"ranges", json_bytes(bytes_of(ranges))}};
    }

    /// Vertex and count for each, and their influences one after the other.
    void keep_unused(Json& record) const {
        Bulk<xac::InfluenceRange> ranges;
        Bulk<xac::Influence> influences;
        for (std::uint32_t v = 0; v < is_used_.size(); ++v) {
            if (is_used_[v]) continue;
            bool bad = false;
            const auto own = table_.at(v, bad);
            ranges.push_back({v, static_cast<std::uint32_t>(own.size())});
            influences.insert(influences.end(), own.begin(), own.end());
        }
        record["unused"] = {{"ranges", json_bytes(bytes_of(ranges))}, {"influences", json_bytes(bytes_of(influences))}};
    }

    static void keep_padding(Json& record, const Bulk<xac::Influence>& influences) {
        std::uint8_t any = 0;
        for (const xac::Influence& influence : influences) {
            for (const std::uint8_t byte : influence.padding) any |= byte;
        }
        if (any == 0) return;
        Bytes padding;
        padding.reserve(influences.size() * sizeof(xac::Influence::padding));
        for (const xac::Influence& influence : influences) {
            for (const std::uint8_t byte : influence.padding) padding.push_back(std::byte{byte});
        }
        record["influence_padding"] = json_bytes(padding);
    }

    /// Tables of version 1 are a list for each vertex.
    void keep_lists(Json& record) const {
        Bulk<xac::Influence> influences;
        Bulk<xac::InfluenceRange> ranges;
        for (const xac::VertexInfluences& vertex : job_.skinning->vertices) {
            ranges.push_back(
                {static_cast<std::uint32_t>(influences.size()), static_cast<std::uint32_t>(vertex.influences.size())});
            influences.insert(influences.end(), vertex.influences.begin(), vertex.influences.end());
        }
        record["table"] = table_record(influences, ranges);
    }

    void report() {
        context_.note_any(findings_.bad_ranges, codes::skin_range.as(Severity::warning), path_,
                          "Vertices refer to influences or original vertices that do not exist; those are left out.");
        context_.note_any(findings_.bad_nodes, codes::skin_node.as(Severity::warning), path_,
                          "Influences of nodes that do not exist are left out.");
        context_.note_any(findings_.bad_weights, codes::skin_weight, path_,
                          "Influences whose weight is negative or not a number are left out.");
        context_.note_any(findings_.repeated, codes::skin_repeated_joint, path_);
        context_.note_any(findings_.unbound, codes::skin_unbound, path_);
    }

    void add_skin() {
        Skin skin;
        skin.name = mesh_.name + " skin";  // programs name armatures after skins, and nodes need other names
        for (const std::uint32_t node : joints_) {
            const SkeletonNode& joint = context_.skeleton.nodes[model_.to_skeleton[node]];
            skin.joints.push_back(joint.last);
            const auto inverse = inverse_affine(model_.world_bind[node], 1e-15);
            skin.inverse_bind_matrices.push_back(inverse ? narrow(*inverse) : Mat4{});
            if (!inverse) {
                context_.note(codes::skin_bind, path_ + " / node " + joint.name,
                              "The joint's bind transform has no inverse; none is applied.");
            }
        }
        job_.scene_skin = static_cast<Index>(context_.scene.skins.size());
        context_.scene.skins.push_back(std::move(skin));
    }

    Context& context_;
    MeshJob& job_;
    Mesh& mesh_;
    const Model& model_;
    Table table_;
    std::string path_;
    Findings findings_;
    std::span<const std::uint32_t> originals_;
    std::vector<std::uint32_t> slots_;   ///< joint of each of the file's nodes
    std::vector<std::uint32_t> joints_;  ///< the file's nodes
    std::vector<Share> shares_;          ///< of the vertex that was gathered last, as are the next three
    std::span<const xac::Influence> raw_;
    bool is_bad_ = false;
    bool is_as_listed_ = false;  ///< that vertex's joints and weights are surely those that are listed
    std::size_t sets_ = 1;
    std::vector<bool> is_used_;  ///< entries of the table that vertices take
    bool is_told_ = true;        ///< the scene has the influences as they stand in the table
};

}  // namespace

Result<void> add_skin(Context& context, MeshJob& job, Mesh& mesh, std::vector<Attribute>& attributes, Json& record) {
    if (job.skinning == nullptr) return {};
    return SkinBuilder(context, job, mesh).build(attributes, record);
}

}  // namespace effigy::emfx::bridge
