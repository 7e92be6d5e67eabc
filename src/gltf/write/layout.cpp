/// The arrays of the JSON that are as long as a scene is rich: printed without a tree of values.

#include "gltf/write/layout.hpp"

#include <span>

#include "gltf/file/json.hpp"
#include "gltf/write/compact.hpp"
#include "gltf/write/json_text.hpp"

namespace effigy::gltf {
namespace {

const char* type_name(ElementType type) {
    switch (type) {
        case ElementType::scalar:
            return "SCALAR";
        case ElementType::vec2:
            return "VEC2";
        case ElementType::vec3:
            return "VEC3";
        case ElementType::vec4:
            return "VEC4";
        case ElementType::mat4:
            return "MAT4";
    }
    return "";
}

const char* mode_name(ViewMode mode) {
    return mode == ViewMode::attributes ? "ATTRIBUTES" : mode == ViewMode::triangles ? "TRIANGLES" : "INDICES";
}

void add_one(std::string& out, const ViewLayout& view) {
    ObjectText object(out);
    object.add("buffer", view.stream ? 1u : 0u);
    object.add("byteOffset", view.offset);
    object.add("byteLength", view.size);
    if (view.stride != 0) object.add("byteStride", view.stride);
    if (view.target != ViewTarget::none) object.add("target", static_cast<std::uint16_t>(view.target));
    if (view.is_record) object.add("name", record_view_name);
    if (!view.stream) return;
    ObjectText extensions = object.object("extensions");
    ObjectText stream = extensions.object(meshopt_extension_name);
    stream.add("buffer", 0u);
    stream.add("byteOffset", view.stream->offset);
    stream.add("byteLength", view.stream->size);
    stream.add("byteStride", view.stream->stride);
    stream.add("count", view.size / view.stream->stride);
    stream.add("mode", mode_name(view.stream->mode));
}

void add_sparse(ObjectText& accessor, const SparseLayout& sparse) {
    ObjectText object = accessor.object("sparse");
    object.add("count", sparse.count);
    {
        ObjectText indices = object.object("indices");
        indices.add("bufferView", sparse.indices_view);
        if (sparse.indices_offset != 0) indices.add("byteOffset", sparse.indices_offset);
        indices.add("componentType", static_cast<std::uint16_t>(sparse.index_component));
    }
    ObjectText values = object.object("values");
    values.add("bufferView", sparse.values_view);
    if (sparse.values_offset != 0) values.add("byteOffset", sparse.values_offset);
}

void add_one(std::string& out, const AccessorLayout& accessor) {
    ObjectText object(out);
    if (accessor.view != no_index) object.add("bufferView", accessor.view);
    if (accessor.offset != 0) object.add("byteOffset", accessor.offset);
    object.add("componentType", static_cast<std::uint16_t>(accessor.component));
    object.add("count", accessor.count);
    object.add("type", type_name(accessor.element));
    if (accessor.normalized) object.add("normalized", true);
    if (accessor.sparse) add_sparse(object, *accessor.sparse);
    if (accessor.bounded == 0) return;
    object.add("min", std::span(accessor.min).first(accessor.bounded));
    object.add("max", std::span(accessor.max).first(accessor.bounded));
}

template <class Layout>
void add_array(std::string& out, const std::vector<Layout>& layouts) {
    char before = '[';
    for (const Layout& layout : layouts) {
        out += before;
        before = ',';
        add_one(out, layout);
    }
    if (layouts.empty()) out += '[';
    out += ']';
}

}  // namespace

void add_text(std::string& out, const std::vector<ViewLayout>& views) { add_array(out, views); }
void add_text(std::string& out, const std::vector<AccessorLayout>& accessors) { add_array(out, accessors); }

}  // namespace effigy::gltf
