/// The models: examples are made by the programs beside the tests.

#include "blender/models.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "corpus/corpus.hpp"

namespace effigy::blender_test {
namespace {

namespace fs = std::filesystem;

fs::path made(const std::string& program, const fs::path& out) {
    if (!fs::exists(out)) {
        fs::create_directories(out);
        const char* const examples = std::getenv("EFFIGY_EXAMPLES");
        const std::string command =
            "'" + std::string(examples == nullptr ? "." : examples) + "/" + program + "' '" + out.string() + "' >&2";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
    return out;
}

std::vector<InputFile> with_ending(const fs::path& folder, const std::string& ending) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ending) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return {paths.begin(), paths.end()};
}

void append_to(std::vector<InputFile>& all, const std::vector<InputFile>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

Model figure() {
    const fs::path at = made("make_figure", folder() / "figure");
    Model model{"Figure", {at / "figure.xac"}, "figure.xac", with_ending(at, ".xsm")};
    append_to(model.inputs, with_ending(at, ".xsm"));
    append_to(model.inputs, with_ending(at, ".xpm"));
    model.values.add("textures", at.string());
    return model;
}

Model courier() {
    const fs::path at = made("make_ship", folder() / "courier");
    const std::string component = "assets/units/size_s/ship_courier.xml";
    Model model{"Courier", {at / component}, component, {}};
    model.mod = at;
    return model;
}

Model trader() {
    const fs::path at = made("make_trader", folder() / "trader");
    const fs::path files = at / "models/players/trader";
    Model model{"Trader", {files / "trader.x42", files / "animation.cfg", files / "default.skin"}, "trader.x42", {}};
    model.values.add("textures", at.string());
    return model;
}

Model signer() {
    const fs::path at = made("make_signer", folder() / "signer");
    Model model{"Signer", {at / "signer.jar"}, "signer.jar", {at / "hello.cas.xml"}};
    model.is_bound_at_rest = false;
    return model;
}

/// Soldiers, whose motions are other files that several of them share.
std::optional<Model> real(const std::string& name, const fs::path& at, const std::string& file) {
    if (!fs::exists(corpus::folder() / at / file)) return std::nullopt;
    Model model{name, {corpus::folder() / at / file}, file, with_ending(corpus::folder() / at, ".xsm")};
    model.values.add("textures", (corpus::folder() / at).string());
    return model;
}

}  // namespace

fs::path folder() {
    static const fs::path made = [] {
        const fs::path path = fs::absolute("trips");
        fs::remove_all(path);
        fs::create_directories(path);
        return path;
    }();
    return made;
}

std::vector<std::string> model_names() {
    return {"Figure", "Courier", "Trader", "Signer", "CorpusPrussian", "CorpusBritish"};
}

std::optional<Model> model_named(const std::string& name) {
    if (name == "Figure") return figure();
    if (name == "Courier") return courier();
    if (name == "Trader") return trader();
    if (name == "Signer") return signer();
    if (name == "CorpusPrussian") return real(name, "emfx/eu3-pru-infantry-1", "PRU_Infantry_1.xac");
    return real(name, "emfx/eu3-british-1700", "British_1700.xac");
}

}  // namespace effigy::blender_test
