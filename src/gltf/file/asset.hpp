#pragma once
/// A glTF file that is being read: its JSON, and what the JSON refers to, checked and decoded on demand.

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "effigy/gltf.hpp"
#include "effigy/scene.hpp"

#include "gltf/file/content.hpp"

namespace effigy::gltf {

/// Members are sorted by name: looking one up stays quick however many an object has.
using Value = nlohmann::json;

/// Bytes of the file as it is written.
[[nodiscard]] std::uint64_t size_of(const File& file) noexcept;
/// Whether it names others by relative paths, which would be missing beside a copy. What cannot be read names none.
[[nodiscard]] bool names_files(const File& file, const Limits& limits);

/// Elements that differ from zero, of an accessor without a buffer view.
struct SparseElements {
    std::size_t count = 0;          ///< elements of the accessor, the zeros included
    Bulk<std::uint32_t> positions;  ///< strictly increasing, below `count`
    Accessor values;                ///< one element for each of `positions`
};

/// An image as the file has it.
struct EncodedImage {
    Bytes bytes;            ///< empty: the file that `uri` names is not there
    std::string mime_type;  ///< by content: "image/png", "image/jpeg", else what the file says, or empty
    std::string uri;        ///< unescaped; empty for images in the file
};

/// What KHR_draco_mesh_compression holds of one primitive.
struct DecodedPrimitive {
    std::map<std::string, Accessor> attributes;  ///< by glTF's names
    Bulk<std::uint32_t> indices;
};

class Asset {
public:
    /// Parses the JSON, refuses unknown required extensions, and finds the buffers (read when they are first needed).
    /// `file` must outlive the asset. Fails with "gltf-json", "gltf-version", "gltf-extension-required". `spent`: the
    /// same file, if memory of its buffer may be given back; else null.
    [[nodiscard]] static Result<Asset> open(const File& file, const SceneOptions& options, Report& report,
                                            File* spent = nullptr);

    Asset(Asset&&) noexcept;
    Asset& operator=(Asset&&) noexcept;
    ~Asset();

    [[nodiscard]] const Value& json() const noexcept;
    /// "nodes", "meshes" ...: one of the root's arrays, empty if there is none.
    [[nodiscard]] const Value& array(std::string_view name) const noexcept;

    /// The elements tightly packed, sparse ones put in, with the accessor's own component type.
    [[nodiscard]] Result<Accessor> accessor(std::size_t number);
    /// The same as f32, normalised integers turned into fractions.
    [[nodiscard]] Result<Accessor> floats(std::size_t number);
    /// All elements of the buffer view that the accessor is a part of.
    [[nodiscard]] Result<Accessor> whole_view(std::size_t number);
    /// Scalars of any unsigned type, as 32 bits.
    [[nodiscard]] Result<Bulk<std::uint32_t>> indices(std::size_t number);
    /// Nothing if the accessor has a buffer view and has to be read as a whole.
    [[nodiscard]] Result<std::optional<SparseElements>> sparse(std::size_t number);

    /// Says that an attribute of a mesh, or the indices of a primitive, will not be read from this accessor again.
    void spend(std::size_t number);

    /// A copy of a record's bulk data; nothing if no view of that number is such data, or it cannot be read.
    [[nodiscard]] std::optional<Bytes> record_view(std::uint64_t number);

    [[nodiscard]] Result<EncodedImage> image(std::size_t number);
    /// Nothing if the primitive is not compressed. Decoded once: further primitives with the same view share it.
    [[nodiscard]] Result<std::optional<DecodedPrimitive>> draco(const Value& primitive);

    /// Asks for memory for what is made of the file; false: the limit is reached ("limit-memory").
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;

private:
    struct State;
    explicit Asset(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace effigy::gltf
