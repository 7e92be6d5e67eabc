/// Small X42 files written by hand, one for each kind of content.

#include <algorithm>
#include <utility>

#include "egosoft/raw_bytes.hpp"
#include "x42/raw_x42.hpp"

namespace effigy::test::x42 {

namespace {

/// Nothing but names and one bone.
Description bare() {
    Description model;
    model.bones = {{name(model, "root"), 0, none, 1}};
    model.frames = 2;
    model.positions = {{0, 0, 0}};
    model.rotations = {{0, 0, 0, 32767}};
    model.scales = {32765, 32765, 32765};
    model.keys = key_stream({RawTracks{{{{{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}}}}});
    return model;
}

Description empty(bool with_strings) {
    Description model;
    model.bounds_low = model.bounds_high = {};
    if (with_strings) name(model, "nothing");
    return model;
}

/// A group of `vertices` vertices of its own, with a palette of `influences` and blend bytes that use them.
RawGroup& add_group(Description& model, unsigned vertices, unsigned vertex_influences, unsigned influences) {
    RawGroup group;
    group.material = group.surface = 0;
    group.vertex_influences = vertex_influences;
    for (unsigned place = 0; place < influences; ++place)
        group.influences.push_back(place % static_cast<unsigned>(std::max<std::size_t>(1, model.influences.size())));
    group.first_vertex = static_cast<std::uint32_t>(model.vertices.size());
    group.vertices = group.elements = vertices;
    for (unsigned vertex = 0; vertex < vertices; ++vertex) {
        model.vertices.push_back({vertex * 9000 % 65531, vertex * vertex * 777 % 65531, vertex * 333 % 65531});
        for (unsigned weight = 0; weight < vertex_influences; ++weight) {
            model.blend.push_back((vertex + weight) % std::max(1u, influences));
            if (weight + 1 < vertex_influences) model.blend.push_back(50 + vertex % 10);
        }
    }
    model.groups.push_back(group);
    return model.groups.back();
}

void add_level_of_all(Description& model) { model.lods = {{0, 0, static_cast<unsigned>(model.groups.size())}}; }

Description weights() {
    Description model = bare();
    for (unsigned influence = 0; influence < 5; ++influence)
        model.influences.push_back({influence % 2 == 0 ? 0 : none});
    for (unsigned count = 0; count <= 4; ++count) add_group(model, 3, count, count == 0 ? 0 : count + 1);
    add_level_of_all(model);
    return model;
}

Description palettes() {
    Description model = bare();
    for (unsigned influence = 0; influence < 60; ++influence) model.influences.push_back({0});
    for (unsigned count = 1; count <= 60; ++count) add_group(model, 3, 1 + count % 4, count);
    add_level_of_all(model);
    return model;
}

Description primitives(bool indexed) {
    Description model = bare();
    for (const unsigned type : {0u, 1u, 3u, 4u, 5u, 6u}) {
        RawGroup& group = add_group(model, 6, 0, 0);
        group.type = type;
        if (!indexed || type == 0) continue;
        group.first_index = static_cast<std::uint32_t>(model.indices.size());
        for (const unsigned index : {5u, 3u, 1u, 0u, 2u, 4u}) model.indices.push_back(index);
    }
    add_level_of_all(model);
    return model;
}

/// The groups' vertices stand in another order than the groups.
Description unordered() {
    Description model = figure();
    std::swap(model.groups[0].first_vertex, model.groups[2].first_vertex);
    model.groups[0].first_vertex = 10;
    model.groups[1].first_vertex = 6;
    model.groups[2].first_vertex = 0;
    std::rotate(model.vertices.begin(), model.vertices.begin() + 20, model.vertices.end());
    set_flags(model, model.flags);
    return model;
}

Description high_codes() {
    Description model = figure();
    for (unsigned code = 65531; code <= 65535; ++code) {
        model.positions.push_back({code, 0, 65530});
        for (int axis = 0; axis < 3; ++axis) model.scales.push_back(code);
        model.vertices[code - 65531] = {code, code, code};
    }
    model.rotations.push_back({-32768, 32767, 0, -32768});
    model.normals[0] = {-128, 127, 0};
    return model;
}

Description with_levels() {
    Description model = figure();
    model.lods = {{model.lods[0].name, 0, 1}, {model.lods[1].name, 1, 1}, {model.lods[1].name, 2, 1}};
    model.base_frame = -5;
    return model;
}

Description with(Description model, unsigned filling, std::size_t trailing) {
    model.filling = filling;
    model.trailing = RawBytes().repeat(0xcd, trailing).bytes();
    return model;
}

const char* form_name(MorphForm form) {
    switch (form) {
        case MorphForm::plain:
            return "Plain";
        case MorphForm::small_6:
            return "Small6";
        case MorphForm::small_12:
            return "Small12";
        case MorphForm::wide_6:
            return "Wide6";
        case MorphForm::wide_12:
            return "Wide12";
    }
    return "";
}

Description without_targets(MorphForm form) {
    Description model = morphing_figure(form);
    model.targets.clear();
    model.morph_indices.clear();
    model.morph_positions.clear();
    model.morph_normals.clear();
    model.morph_tangents.clear();
    return model;
}

}  // namespace

std::vector<Fixture> all_fixtures() {
    std::vector<Fixture> all{{"Empty", empty(false)},
                             {"EmptyWithStrings", empty(true)},
                             {"Bare", bare()},
                             {"Figure", figure()},
                             {"UniformScale", figure(0x10f)},
                             {"NoOptions", figure(0)},
                             {"Padded", with(figure(4), 0xa1, 0)},
                             {"Trailing", with(figure(9), 0x37, 21)},
                             {"Weights", weights()},
                             {"Palettes", palettes()},
                             {"Primitives", primitives(false)},
                             {"PrimitivesIndexed", primitives(true)},
                             {"Unordered", unordered()},
                             {"HighCodes", high_codes()},
                             {"Levels", with_levels()}};
    for (const MorphForm form :
         {MorphForm::plain, MorphForm::small_6, MorphForm::small_12, MorphForm::wide_6, MorphForm::wide_12}) {
        all.push_back({std::string("Morphs") + form_name(form), with(morphing_figure(form), 0x51, 0)});
    }
    all.push_back({"MorphsPositionsOnly", morphing_figure(MorphForm::small_12, 4)});
    all.push_back({"MorphsNoneSmall", without_targets(MorphForm::small_12)});
    all.push_back({"MorphsNoneWide", without_targets(MorphForm::wide_12)});
    return all;
}

}  // namespace effigy::test::x42
