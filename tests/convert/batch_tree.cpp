#include "convert/batch_tree.hpp"

#include "effigy/xac.hpp"
#include "effigy/xsm.hpp"

#include "cli/fixtures.hpp"
#include "contents.hpp"

namespace effigy::test {

namespace fs = std::filesystem;

BatchTree::BatchTree() { fs::create_directory(path("in")); }

void BatchTree::write_model(const std::string& name, unsigned number) const {
    fs::create_directories(path(name).parent_path());
    xac::File file = soldier();
    if (auto* info = std::get_if<xac::Info>(&file.chunks.front().record)) info->actor_name = std::to_string(number);
    ASSERT_TRUE(xac::write_file(file, path(name)));
}

void BatchTree::write_motion(const std::string& name) const {
    fs::create_directories(path(name).parent_path());
    xsm::File file = walk();
    auto& tracks = std::get<xsm::Submotions>(file.chunks.back().record).submotions;
    for (const char* node : {"arm", "body"}) {  // what moves all that is shown fits
        tracks.push_back(tracks.front());
        tracks.back().node_name = node;
    }
    ASSERT_TRUE(xsm::write_file(file, path(name)));
}

void BatchTree::fill(unsigned count) const {
    for (unsigned number = 0; number < count; ++number)
        write_model("in/" + std::to_string(number % 4) + "/model" + std::to_string(number) + ".xac", number);
    write_motion("in/0/walk.xsm");
    write("in/1/broken.xac", "XAC " + std::string(40, '\1'));
    write("in/1/notes.txt", "no model");
}

batch::Options BatchTree::options(const std::string& output) const {
    batch::Options options;
    options.convert.values.set("to", "glb");
    options.convert.pass_over_switches = true;
    options.output = path(output);
    options.ending = ".glb";
    options.purpose = "glb";
    options.threads = 2;
    return options;
}

batch::Summary BatchTree::run(const batch::Options& options, const std::vector<std::string>& inputs) const {
    const auto plan = batch::make_plan(inputs, options);
    if (!plan) {
        ADD_FAILURE() << to_string(plan.error());
        return {};
    }
    for (const Diagnostic& problem : plan->problems) ADD_FAILURE() << to_string(problem);
    auto summary = batch::run(*plan, options, batch::convert_job);
    if (!summary) ADD_FAILURE() << to_string(summary.error());
    return summary ? std::move(*summary) : batch::Summary();
}

std::map<std::string, std::string> BatchTree::files(const std::string& folder) const {
    std::map<std::string, std::string> contents;
    if (!fs::exists(path(folder))) return contents;
    for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
        const std::string name = fs::relative(entry.path(), path(folder)).string();
        if (name.starts_with(".effigy-batch")) continue;
        contents[entry.is_directory() ? name + "/" : name] = entry.is_regular_file() ? read_text(entry.path()) : "";
    }
    return contents;
}

std::vector<std::string> BatchTree::names(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& [name, content] : files(folder)) {
        if (!name.ends_with('/')) names.push_back(name);
    }
    return names;
}

std::vector<std::string> BatchTree::temporaries() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root_.path())) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(".effigy-") && name.ends_with(".tmp")) found.push_back(entry.path().string());
    }
    return found;
}

}  // namespace effigy::test
