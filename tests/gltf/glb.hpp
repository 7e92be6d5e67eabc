#pragma once
/// A second opinion on written glTF: parsed and decoded from the specification, without the writer's code.

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"

namespace effigy::test {

struct Gltf {
    nlohmann::json json;
    std::vector<std::byte> binary;

    /// The elements of an accessor, one after another, as numbers. Sparse and empty accessors are filled in.
    [[nodiscard]] std::vector<double> read(std::size_t accessor) const;
    [[nodiscard]] const nlohmann::json& accessor(std::size_t number) const { return json["accessors"][number]; }
};

/// Fails the running test, and returns something empty, if the container is not as the specification wants it.
[[nodiscard]] Gltf parse_glb(std::span<const std::byte> bytes);

[[nodiscard]] std::string read_text(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::byte> read_bytes(const std::filesystem::path& path);
[[nodiscard]] std::size_t count_files(const std::filesystem::path& folder);

/// An empty folder that goes away with the value.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace effigy::test
