/// The program's own way there and back, with Blender between.

#include "blender/trip.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <utility>

namespace effigy::blender_test {
namespace {

namespace fs = std::filesystem;

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

bool run(const std::string& command) { return std::system(command.c_str()) == 0; }  // NOLINT(concurrency-mt-unsafe)

ConvertOptions options_for(const Trip& trip) {
    ConvertOptions options;
    options.values = trip.model.values;
    options.pass_over_switches = true;
    return options;
}

Scene loaded(const std::vector<InputFile>& inputs, const ConvertOptions& options) {
    auto scene = load_scene(inputs, options);
    if (scene) return std::move(scene->value);
    ADD_FAILURE() << to_string(scene.error());
    return {};
}

bool through_blender(const fs::path& from, const fs::path& to, Settings settings) {
    const fs::path script = fs::path(EFFIGY_SOURCE_DIR) / "tests/blender/trip.py";
    const fs::path log = fs::path(to).replace_extension(".log");
    return run("blender -b --factory-startup --python " + quoted(script) + " -- " + quoted(from) + " " + quoted(to) +
               " " + name_of(settings) + " >" + quoted(log) + " 2>&1") &&
           fs::exists(to);
}

std::optional<Trip> made(const std::string& name, Settings settings) {
    auto model = model_named(name);
    if (!model) return std::nullopt;
    Trip trip;
    trip.model = std::move(*model);
    trip.settings = settings;
    const ConvertOptions options = options_for(trip);
    const fs::path at = folder() / (name + "." + name_of(settings));
    fs::create_directories(at / "back");
    if (!trip.model.mod.empty()) fs::copy(trip.model.mod, at / "back", fs::copy_options::recursive);
    const fs::path glb = at / "there.glb", edited = at / "blender.glb";
    trip.original = trip.model.inputs.front().path;
    trip.back = at / "back" / trip.model.back;
    ConvertOptions keeping = options;
    keeping.values.set("keep-colors");
    const auto there = convert(trip.model.inputs, glb, keeping);
    if (!there) ADD_FAILURE() << to_string(there.error());
    if (!there || !through_blender(glb, edited, settings)) {
        ADD_FAILURE() << name << " did not come through Blender; its words are beside " << edited;
        return std::nullopt;
    }
    const auto back = convert({edited}, trip.back, options);
    if (!back) {
        ADD_FAILURE() << to_string(back.error());
        return std::nullopt;
    }
    trip.report = back->report;
    trip.before = loaded({trip.original}, options);
    trip.after = loaded({trip.back}, options);
    return trip;
}

}  // namespace

std::string name_of(Settings settings) {
    if (settings == Settings::documented) return "documented";
    return settings == Settings::ticked ? "ticked" : "default";
}

bool has_blender() {
    static const bool found = run("command -v blender >/dev/null 2>&1");
    return found;
}

const Trip* trip_of(const std::string& model, Settings settings) {
    static std::map<std::pair<std::string, Settings>, std::optional<Trip>> trips;
    const auto [trip, is_new] = trips.try_emplace({model, settings});
    if (is_new) trip->second = made(model, settings);
    return trip->second ? &*trip->second : nullptr;
}

Scene scene_with(const fs::path& file, const Trip& trip) {
    std::vector<InputFile> inputs{file};
    if (trip.model.inputs.front().path == file && trip.model.motions.empty()) inputs = trip.model.inputs;
    inputs.insert(inputs.end(), trip.model.motions.begin(), trip.model.motions.end());
    return loaded(inputs, options_for(trip));
}

}  // namespace effigy::blender_test
