#pragma once
/// Small trees of models, and runs over them.

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "effigy/batch.hpp"

#include "temporary_folder.hpp"

namespace effigy::test {

/// A folder with `in`, which a test fills, and `out`, which runs do.
class BatchTree : public testing::Test {
protected:
    BatchTree();

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return root_ / name; }
    [[nodiscard]] std::string text(const std::string& name) const { return path(name).string(); }
    void write(const std::string& name, const std::string& content) const { root_.write(name, content); }
    /// A model called so, which no other has the bytes of.
    void write_model(const std::string& name, unsigned number) const;
    void write_motion(const std::string& name) const;
    /// `count` models in a few folders, one of them broken, with motions.
    void fill(unsigned count) const;

    [[nodiscard]] batch::Options options(const std::string& output = "out") const;
    /// To .glb; fails the test if the run cannot be made.
    [[nodiscard]] batch::Summary run(const batch::Options& options, const std::vector<std::string>& inputs) const;
    [[nodiscard]] batch::Summary run(const std::string& output = "out") const {
        return run(options(output), {text("in")});
    }
    /// Files below a folder by name, with their contents; without what runs remember.
    [[nodiscard]] std::map<std::string, std::string> files(const std::string& folder = "out") const;
    [[nodiscard]] std::vector<std::string> names(const std::string& folder = "out") const;
    /// Whatever begins like a temporary file of effigy's.
    [[nodiscard]] std::vector<std::string> temporaries() const;

private:
    TemporaryFolder root_;
};

}  // namespace effigy::test
