/// The C interface's scenes: load, pose, draw, save, and conversions as a whole.

#include <algorithm>

#include "effigy/match.hpp"
#include "effigy/poser.hpp"
#include "effigy/render.hpp"

#include "c/call.hpp"

namespace effigy::c {

namespace {

const Diagnostic no_scene = usage_error("there is no scene");

Json summary(const Scene& scene) {
    std::size_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& primitive : mesh.primitives) triangles += triangle_count(primitive);
    }
    Json clips = Json::array();
    for (const Clip& clip : scene.clips)
        clips.push_back({{"name", clip.name}, {"duration", clip.duration}, {"tracks", clip.tracks.size()}});
    return {{"counts",
             {{"nodes", scene.nodes.size()},
              {"meshes", scene.meshes.size()},
              {"triangles", triangles},
              {"skins", scene.skins.size()},
              {"materials", scene.materials.size()},
              {"images", scene.images.size()},
              {"clips", scene.clips.size()}}},
            {"clips", std::move(clips)}};
}

Result<std::vector<InputFile>> to_inputs(const effigy_input* inputs, std::size_t count) {
    std::vector<InputFile> files;
    if (inputs == nullptr || count == 0) return fail(usage_error("there are no inputs"));
    for (std::size_t i = 0; i < count; ++i) files.push_back(to_input(inputs[i]));
    return files;
}

/// Which clip, when.
struct Moment {
    Index clip = no_index;
    double time = 0;
    bool loop = true;
};

Result<Moment> moment_of(Call& call, const Scene& scene) {
    Moment moment;
    moment.time = call.number("time", 0, -1e9, 1e9);
    moment.loop = call.flag("loop", true);
    const auto name = call.text("clip");
    if (!name && !scene.clips.empty()) moment.clip = 0;
    if (!name || name->empty()) return moment;
    const auto clip =
        std::find_if(scene.clips.begin(), scene.clips.end(), [&](const Clip& one) { return one.name == *name; });
    if (clip == scene.clips.end()) return fail(usage_error("there is no clip " + *name));
    moment.clip = static_cast<Index>(clip - scene.clips.begin());
    return moment;
}

/// A poser of the scene, which has to stay, at the moment.
Result<playback::Poser> posed(const Scene& scene, const Moment& moment) {
    auto poser = playback::Poser::make(scene);
    if (!poser) return poser;
    if (auto done = poser->pose(moment.clip, moment.time, moment.loop); !done) return fail(std::move(done.error()));
    return poser;
}

render::Options drawing_of(Call& call) {
    render::Options options;
    const auto whole = [&](const char* name, double fallback, double min, double max) {
        return static_cast<std::uint32_t>(call.number(name, fallback, min, max));
    };
    options.width = whole("width", 1024, 1, 16384);
    options.height = whole("height", 1024, 1, 16384);
    options.samples = whole("samples", 16, 1, 4096);
    options.threads = whole("threads", 0, 0, 1024);
    options.wireframe = call.flag("wireframe");
    options.skeleton = call.flag("skeleton");
    if (call.flag("normals")) options.shading = render::Shading::normals;
    if (call.flag("uv")) options.shading = render::Shading::texcoords;
    return options;
}

Result<void> draw(effigy_result& result, const Scene& scene, const Moment& moment, render::View view,
                  const render::Options& options, const Limits& limits) {
    const auto poser = posed(scene, moment);
    if (!poser) return fail(poser.error());
    auto renderer = render::Renderer::open(scene, limits);
    if (!renderer) return fail(std::move(renderer.error()));
    result.report.append(std::move(renderer->report));
    if (auto done = renderer->value.load(*poser); !done) return done;
    view.yaw += scene.facing;
    render::Framer framer(view, static_cast<float>(options.width) / static_cast<float>(options.height));
    framer.add(*poser);
    const auto frame = renderer->value.draw(framer.camera(), options);
    if (!frame) return fail(frame.error());
    auto png = image::encode_png(frame->picture);
    if (!png) return fail(std::move(png.error()));
    result.data = std::move(*png);
    return {};
}

/// Where the files of a conversion go.
OutputFiles output_of(Call& call, const char* path, effigy_result& result) {
    OutputFiles output(path);
    if (call.in_memory()) {
        output.take = [&result](std::vector<NewFile> files) -> Result<void> {
            for (NewFile& file : files) result.contents.push_back(std::move(file.bytes));
            return {};
        };
    }
    return output;
}

Result<void> take(effigy_result& result, Result<Conversion> done) {
    if (!done) {
        result.contents.clear();
        return fail(std::move(done.error()));
    }
    result.report.append(std::move(done->report));
    result.names = std::move(done->files);
    if (done->scene) result.text = text_of(summary(*done->scene));
    return {};
}

}  // namespace

}  // namespace effigy::c

using namespace effigy;

effigy_result* effigy_load_scene(const effigy_input* inputs, size_t count, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        const auto files = c::to_inputs(inputs, count);
        if (!files) return fail(files.error());
        const auto options = c::Call(settings).conversion(result.report);
        if (!options) return fail(options.error());
        auto loaded = load_scene(*files, *options);
        if (!loaded) return fail(std::move(loaded.error()));
        result.report.append(std::move(loaded->report));
        result.scene = std::make_unique<effigy_scene>(std::move(loaded->value));
        return {};
    });
}

effigy_result* effigy_scene_info(const effigy_scene* scene) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (scene == nullptr) return fail(c::no_scene);
        result.text = c::text_of(c::summary(scene->scene));
        return {};
    });
}

effigy_result* effigy_pose(const effigy_scene* scene, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (scene == nullptr) return fail(c::no_scene);
        c::Call call(settings);
        const auto moment = c::moment_of(call, scene->scene);
        if (!moment) return fail(moment.error());
        if (auto finished = call.finish(); !finished) return finished;
        const auto poser = c::posed(scene->scene, *moment);
        if (!poser) return fail(poser.error());
        auto still = playback::bake(*poser);
        if (!still) return fail(std::move(still.error()));
        result.scene = std::make_unique<effigy_scene>(std::move(*still));
        return {};
    });
}

effigy_result* effigy_render(const effigy_scene* scene, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (scene == nullptr) return fail(c::no_scene);
        c::Call call(settings);
        const auto moment = c::moment_of(call, scene->scene);
        if (!moment) return fail(moment.error());
        const render::View view{static_cast<float>(call.number("yaw", 35, -3600, 3600)),
                                static_cast<float>(call.number("pitch", 12, -90, 90))};
        const render::Options options = c::drawing_of(call);
        const Limits limits = call.limits();
        if (auto finished = call.finish(); !finished) return finished;
        return c::draw(result, scene->scene, *moment, view, options, limits);
    });
}

effigy_result* effigy_save_scene(const effigy_scene* scene, const char* path, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (scene == nullptr || path == nullptr) return fail(c::no_scene);
        c::Call call(settings);
        const OutputFiles output = c::output_of(call, path, result);
        const auto options = call.conversion(result.report);
        if (!options) return fail(options.error());
        return c::take(result, save_scene(scene->scene, output, *options));
    });
}

effigy_result* effigy_convert(const effigy_input* inputs, size_t count, const char* path,
                              const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (path == nullptr) return fail(c::usage_error("there is no output"));
        const auto files = c::to_inputs(inputs, count);
        if (!files) return fail(files.error());
        c::Call call(settings);
        const OutputFiles output = c::output_of(call, path, result);
        const auto options = call.conversion(result.report);
        if (!options) return fail(options.error());
        return c::take(result, convert(*files, output, *options));
    });
}

effigy_result* effigy_diff(const effigy_input* a, const effigy_input* b, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (a == nullptr || b == nullptr) return fail(c::usage_error("there are no inputs"));
        const auto options = c::Call(settings).conversion(result.report);
        if (!options) return fail(options.error());
        DiffOptions diff_options;
        diff_options.limits = options->limits;
        auto difference = diff_files(c::to_input(*a), c::to_input(*b), diff_options, *options);
        if (!difference) return fail(std::move(difference.error()));
        for (Diagnostic& finding : difference->damage) result.report.add(std::move(finding));
        result.report.append(std::move(difference->report));
        result.text = c::text_of({{"identical", difference->identical}});
        return {};
    });
}

effigy_result* effigy_match(const effigy_input* models, size_t model_count, const effigy_input* motions,
                            size_t motion_count, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        auto files = c::to_inputs(models, model_count);
        if (!files) return fail(files.error());
        const auto moving = c::to_inputs(motions, motion_count);
        if (!moving) return fail(moving.error());
        files->insert(files->end(), moving->begin(), moving->end());
        const auto options = c::Call(settings).conversion(result.report);
        if (!options) return fail(options.error());
        auto matches = match_motions(*files, *options);
        if (!matches) return fail(std::move(matches.error()));
        for (Diagnostic& problem : matches->unreadable) result.report.add(std::move(problem));
        result.text = to_json(*matches);
        return {};
    });
}
