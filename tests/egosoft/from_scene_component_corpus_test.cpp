/// Real components to a scene, through a .glb and back.

#include <iostream>
#include <set>
#include <sstream>

#include "core/json.hpp"
#include "corpus/corpus.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/from_scene_component_files.hpp"
#include "scene/records.hpp"

namespace {

using namespace effigy;
using namespace builders;
namespace fs = std::filesystem;

std::vector<fs::path> components() {
    std::vector<fs::path> paths;
    for (const fs::path& path : corpus::paths()) {
        if (lower(path.extension().string()) != ".xml") continue;
        if (egosoft::xml_kind(corpus::head_of(path)) == egosoft::XmlKind::component) paths.push_back(path);
    }
    return paths;
}

/// The files of a folder and of those in it, by lower-case path.
std::map<std::string, std::string> files_below(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[lower(fs::relative(entry.path(), folder).generic_string())] = read_text(entry.path());
    }
    return files;
}

TEST(EgosoftCorpusBack, UntouchedComponentsComeBack) {
    const std::vector<fs::path> paths = components();
    if (paths.empty()) GTEST_SKIP() << corpus::has_no("component");
    std::size_t whole = 0, files = 0, same = 0, alike = 0;
    const Folder folder;
    for (const fs::path& path : paths) {
        SCOPED_TRACE(path.string());
        const Scene before = component_scene(path);
        const Scene scene = through_glb(before);
        const MadeFiles made = made_files(scene, path);
        EXPECT_EQ(made.xml(), read_text(path));
        whole += made.xml() == read_text(path) ? 1u : 0u;
        const auto wanted = files_below(path.parent_path());
        for (const auto& [name, bytes] : made.by_path) {
            if (name == lower(path.filename().string())) continue;
            ++files;
            EXPECT_TRUE(wanted.contains(name)) << name;
            if (!wanted.contains(name)) continue;
            same += wanted.at(name) == bytes ? 1u : 0u;
            if (wanted.at(name) != bytes) std::cout << "corpus: other bytes in " << name << "\n";
        }
        // Beside the mod's other files all means the same.
        const fs::path root = egosoft::root_of(path), other = folder.path() / std::to_string(whole + files);
        fs::copy(root, other, fs::copy_options::recursive);
        const fs::path new_path = other / fs::relative(path, root);
        write_all(made, new_path.parent_path());
        EXPECT_EQ(codes_of(findings_of(new_path)), codes_of(findings_of(path)));
        const std::string lines = differences(before, component_scene(new_path));
        EXPECT_EQ(lines, "");
        alike += lines.empty() ? 1u : 0u;
    }
    std::cout << "corpus: " << paths.size() << " components to the scene and back: " << whole << " XML the same bytes, "
              << same << " of " << files << " meshes and animations the same bytes, " << alike
              << " without differences\n";
}

/// Lines of a text that another one lacks, however often it has them.
std::size_t new_lines(const std::string& text, const std::string& old) {
    const auto lines_of = [](const std::string& whole) {
        std::multiset<std::string> lines;
        std::istringstream stream(whole);
        for (std::string line; std::getline(stream, line);) lines.insert(line);
        return lines;
    };
    const auto now = lines_of(text), was = lines_of(old);
    std::vector<std::string> left;
    std::set_difference(now.begin(), now.end(), was.begin(), was.end(), std::back_inserter(left));
    return left.size();
}

/// An <offset> of up to six lines, and the mark.
TEST(EgosoftCorpusBack, MovedConnectionsChangeFewLines) {
    const std::vector<fs::path> paths = components();
    if (paths.empty()) GTEST_SKIP() << corpus::has_no("component");
    std::size_t moved = 0;
    for (const fs::path& path : paths) {
        const Scene scene = through_glb(component_scene(path));
        std::size_t connections = 0;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            const bool is_connection = text_at(record_of(scene.nodes[i].extras), "kind") == "connection";
            if (!is_connection || connections++ % 16 != 0) continue;
            SCOPED_TRACE(path.string() + " " + scene.nodes[i].name);
            Scene edited = scene;
            edited.nodes[i].local.translation.y += 1;
            const std::string old = read_text(path), now = made_files(edited, path).xml();
            EXPECT_LE(new_lines(now, old), 7U);
            EXPECT_LE(new_lines(old, now), 1U);
            ++moved;
        }
    }
    EXPECT_GT(moved, 0U);
    std::cout << "corpus: " << moved << " connections moved, one at a time\n";
}

TEST(EgosoftCorpusBack, ComponentsWithoutExtrasAreMadeAnew) {
    const std::vector<fs::path> paths = components();
    if (paths.empty()) GTEST_SKIP() << corpus::has_no("component");
    const Folder folder;
    std::size_t files = 0;
    for (const fs::path& path : paths) {
        SCOPED_TRACE(path.string());
        Scene scene = through_glb(component_scene(path));
        forget_extras(scene);
        const fs::path root = folder.path() / std::to_string(files);
        fs::create_directories(root / "assets");
        const fs::path new_path = root / "assets" / path.filename();
        const MadeFiles made = made_files(scene, new_path);
        files += made.files.size();
        write_all(made, new_path.parent_path());
        EXPECT_EQ(codes_of(findings_of(new_path), Severity::warning), "");
        const Scene again = component_scene(new_path);
        EXPECT_EQ(again.clips.size(), scene.clips.size());
        const auto poser = playback::Poser::make(scene);
        ASSERT_TRUE(poser);
        const playback::Bounds bounds = poser->bounds();
        const auto extent = static_cast<double>(bounds.high.z - bounds.low.z);
        const double distance = distance_of(scene, again);
        std::cout << "corpus: " << path.filename().string() << " without extras: " << distance << " of " << extent
                  << " metres apart\n";
        EXPECT_LE(distance, 1e-4 * extent);
    }
    std::cout << "corpus: " << paths.size() << " components without extras: " << files << " files\n";
}

}  // namespace
