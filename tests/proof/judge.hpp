#pragma once
/// The Khronos validator, for many files at once.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "effigy/scene.hpp"

#include "proof/convert.hpp"
#include "temporary_folder.hpp"

namespace judge {

/// Writes .glb files and asks the validator about many of them at once. What fails, fails the running test.
class Judge {
public:
    void add(const std::string& name, const convert::Input& input);
    void add(const std::string& name, const effigy::Scene& scene);
    void judge();
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    void add(const std::string& name, const effigy::Bytes& glb);

    effigy::test::TemporaryFolder folder_;
    std::vector<std::filesystem::path> paths_;
    std::size_t count_ = 0;
};

/// Empty, or why the validator cannot be asked.
[[nodiscard]] std::string no_validator();

}  // namespace judge
