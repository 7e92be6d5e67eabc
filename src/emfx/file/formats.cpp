/// Which record a chunk's id and version mean, and what its kind is called.

#include "emfx/file/formats.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace effigy::emfx {

namespace {

struct KindName {
    const char* operator()(const Opaque&) const { return "opaque"; }
    const char* operator()(const MotionEvents&) const { return "motion_events"; }
    const char* operator()(const Timestamp&) const { return "timestamp"; }
    const char* operator()(const MotionInfo&) const { return "motion_info"; }
    const char* operator()(const xac::Info&) const { return "info"; }
    const char* operator()(const xac::Node&) const { return "node"; }
    const char* operator()(const xac::Nodes&) const { return "nodes"; }
    const char* operator()(const xac::Mesh&) const { return "mesh"; }
    const char* operator()(const xac::Skinning&) const { return "skinning"; }
    const char* operator()(const xac::StandardMaterial&) const { return "standard_material"; }
    const char* operator()(const xac::MaterialLayer&) const { return "material_layer"; }
    const char* operator()(const xac::FxMaterial&) const { return "fx_material"; }
    const char* operator()(const xac::Limit&) const { return "limit"; }
    const char* operator()(const xac::MeshLod&) const { return "mesh_lod"; }
    const char* operator()(const xac::MorphTarget&) const { return "morph_target"; }
    const char* operator()(const xac::MorphTargets&) const { return "morph_targets"; }
    const char* operator()(const xac::NodeGroups&) const { return "node_groups"; }
    const char* operator()(const xac::MaterialInfo&) const { return "material_info"; }
    const char* operator()(const xac::NodeMotionSources&) const { return "node_motion_sources"; }
    const char* operator()(const xac::AttachmentNodes&) const { return "attachment_nodes"; }
    const char* operator()(const xsm::Submotion&) const { return "submotion"; }
    const char* operator()(const xsm::PackedSubmotion&) const { return "submotion"; }
    const char* operator()(const xsm::Submotions&) const { return "submotions"; }
    const char* operator()(const xsm::PackedSubmotions&) const { return "submotions"; }
    const char* operator()(const xsm::Wavelet&) const { return "wavelet"; }
    const char* operator()(const xpm::Submotion&) const { return "submotion"; }
    const char* operator()(const xpm::Submotions&) const { return "submotions"; }
};

/// Chunks that every file type may have.
template <class Record>
std::optional<Record> make_shared_record(std::uint32_t id, std::uint32_t version) {
    if (id == 50 && version <= 4) return MotionEvents{};
    if (id == 51 && version == 1) return Timestamp{};
    return std::nullopt;
}

template <class Record>
xac::Record make() {
    return Record{};
}

}  // namespace

const char* kind_of(const xac::Record& record) noexcept { return std::visit(KindName{}, record); }
const char* kind_of(const xsm::Record& record) noexcept { return std::visit(KindName{}, record); }
const char* kind_of(const xpm::Record& record) noexcept { return std::visit(KindName{}, record); }

bool is_no_texture(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"", "none", "nospec", "standinspec", "test256texture"};
    return std::find(names.begin(), names.end(), lower(name.substr(0, 32))) != names.end();
}

std::optional<xac::Record> XacFormat::make_record(std::uint32_t id, std::uint32_t version) {
    struct Known {
        std::uint32_t newest;
        xac::Record (*make)();
    };
    static constexpr std::array<Known, 16> known{{
        {4, make<xac::Node>},
        {2, make<xac::Mesh>},
        {4, make<xac::Skinning>},
        {3, make<xac::StandardMaterial>},
        {2, make<xac::MaterialLayer>},
        {3, make<xac::FxMaterial>},
        {1, make<xac::Limit>},
        {4, make<xac::Info>},
        {1, make<xac::MeshLod>},
        {1, make<xac::MorphTarget>},
        {1, make<xac::NodeGroups>},
        {1, make<xac::Nodes>},
        {1, make<xac::MorphTargets>},
        {2, make<xac::MaterialInfo>},
        {1, make<xac::NodeMotionSources>},
        {1, make<xac::AttachmentNodes>},
    }};
    if (version == 0) return std::nullopt;
    if (id >= known.size()) return make_shared_record<xac::Record>(id, version);
    return version <= known[id].newest ? std::optional(known[id].make()) : std::nullopt;
}

std::optional<xsm::Record> XsmFormat::make_record(std::uint32_t id, std::uint32_t version) {
    if (version == 0) return std::nullopt;
    if (id == 200 && version <= 2) return xsm::Submotion{};
    if (id == 200 && version == 3) return xsm::PackedSubmotion{};
    if (id == 201 && version <= 3) return xsm::MotionInfo{};
    if (id == 202 && version == 1) return xsm::Submotions{};
    if (id == 202 && version == 2) return xsm::PackedSubmotions{};
    if (id == 203 && version == 1) return xsm::Wavelet{};
    return make_shared_record<xsm::Record>(id, version);
}

std::optional<xpm::Record> XpmFormat::make_record(std::uint32_t id, std::uint32_t version) {
    if (version != 1) return version == 0 ? std::nullopt : make_shared_record<xpm::Record>(id, version);
    if (id == 100) return xpm::Submotion{};
    if (id == 101) return xpm::MotionInfo{};
    if (id == 102) return xpm::Submotions{};
    return make_shared_record<xpm::Record>(id, version);
}

}  // namespace effigy::emfx

namespace effigy::xac {

const layout::ElementType& element_type_of(const VertexLayer& layer) noexcept {
    using layout::element_type;
    const auto if_it_fits = [&](const layout::ElementType& type) -> const layout::ElementType& {
        if (layer.element_size == type.size) return type;
        // An unusual size still consists of words, as every known layer does, bytes of a colour included.
        return layer.element_size % 4 == 0 ? element_type<std::uint32_t> : element_type<std::byte>;
    };
    switch (layer.type) {
        case LayerType::position:
        case LayerType::normal:
        case LayerType::bitangent:
            return if_it_fits(element_type<Vec3>);
        case LayerType::tangent:
            return if_it_fits(element_type<Vec4>);
        case LayerType::uv:
            return if_it_fits(element_type<Vec2>);
        case LayerType::color128:
            return if_it_fits(element_type<Color>);
        case LayerType::color32:
        case LayerType::original_vertex:
        case LayerType::cloth:
            return if_it_fits(element_type<std::uint32_t>);
    }
    return element_type<std::byte>;
}

}  // namespace effigy::xac
