/// Hands, sweater, trousers and shoes, ring by ring.

#include "body.hpp"

#include <cmath>
#include <string>

#include "face.hpp"

namespace signer {

namespace {

using surfaces::melt;
using surfaces::polygonize;

class Blobs {
public:
    std::vector<Blob> all;

    void add(const char* name, vec3 a, vec3 b, float radius_a, float radius_b, vec3 squash = {1, 1, 1}) {
        all.push_back({bone(name), a, b, radius_a, radius_b, squash});
    }
    /// On both sides; the name is that without its letter.
    void add_pair(const std::string& name, vec3 a, vec3 b, float radius_a, float radius_b, vec3 squash = {1, 1, 1}) {
        const vec3 mirror(-1, 1, 1);
        add(("L" + name).c_str(), a, b, radius_a, radius_b, squash);
        add(("R" + name).c_str(), a * mirror, b * mirror, radius_a, radius_b, squash);
    }
};

std::function<Weights(vec3)> weights_of(const Blobs& blobs, float falloff) {
    return [blobs, falloff](vec3 p) { return weigh(blobs.all, p, falloff); };
}

Mesh make_sweater() {
    Blobs blobs;
    const vec3 flat(1, 1, 0.8f);
    blobs.add("ROOT", {0, 0.86f, 0}, {0, 0.96f, 0}, 0.14f, 0.13f, {1.16f, 1, 0.86f});
    blobs.add("SPI1", {0, 1.02f, 0}, {0, 1.07f, 0}, 0.121f, 0.117f, {1.12f, 1, 0.84f});
    blobs.add("SPI2", {0, 1.13f, 0}, {0, 1.2f, 0}, 0.117f, 0.119f, {1.1f, 1, 0.84f});
    blobs.add("SPI3", {0, 1.26f, 0}, {0, 1.35f, -0.004f}, 0.12f, 0.104f, {1.17f, 1, 0.84f});
    for (const float side : {-1.0f, 1.0f})
        blobs.add("SPI3", {0.058f * side, 1.275f, 0.05f}, {0.054f * side, 1.28f, 0.052f}, 0.056f, 0.056f);
    blobs.add_pair("CLR", {0.045f, 1.412f, -0.008f}, {0.135f, 1.406f, -0.01f}, 0.064f, 0.059f, flat);
    blobs.add_pair("CLR", {0.03f, 1.455f, -0.012f}, {0.1f, 1.434f, -0.012f}, 0.042f, 0.036f);
    blobs.add_pair("UPA", {0.168f, 1.407f, -0.01f}, {0.42f, 1.41f, -0.01f}, 0.056f, 0.0395f);
    blobs.add_pair("LRA", {0.43f, 1.41f, -0.01f}, {0.615f, 1.41f, -0.01f}, 0.0395f, 0.031f);
    blobs.add("NEC1", {0, 1.45f, -0.016f}, {0, 1.462f, -0.016f}, 0.048f, 0.042f);
    const auto distance = [&](vec3 p) {
        const float hem = 0.852f - p.y;
        return -melt(-melt(blobs.all, p, 0.0105f), -hem, 0.006f);
    };
    Mesh mesh;
    add_solid(mesh, polygonize(distance, {-0.71f, 0.79f, -0.19f}, {0.71f, 1.56f, 0.19f}, vec3(0.022f)),
              {2, Chart::sweater_front, Chart::sweater_back}, weights_of(blobs, 0.03f));
    return mesh;
}

/// What a rib goes around, and how far out: heights along the axis, and radii.
struct Rib {
    vec3 centre, axis, across;
    vec2 scale;  ///< of the radius, across and along the third direction
    std::vector<vec2> profile;
};

void add_rib(Mesh& mesh, const Rib& rib, const std::function<Weights(vec3)>& weights) {
    constexpr int around = 32;
    const vec3 third = glm::cross(rib.axis, rib.across);
    const auto steps = static_cast<float>(rib.profile.size() - 1);
    Row before;
    for (std::size_t k = 0; k < rib.profile.size(); ++k) {
        const vec2 at = rib.profile[k];
        const Row row = add_row(mesh, around, [&](int i) {
            const float turn = 6.2831853f * static_cast<float>(i) / around;
            const vec3 out = rib.scale.x * std::cos(turn) * rib.across + rib.scale.y * std::sin(turn) * third;
            const vec3 p = rib.centre + at.x * rib.axis + at.y * out;
            return Point{p, weights(p)};
        });
        if (k > 0)
            stitch(mesh, before, row, true, Chart::rib, [&](int column, int side) {
                return vec2(static_cast<float>(column) / around,
                            (static_cast<float>(k) - 1 + static_cast<float>(side)) / steps);
            });
        before = row;
    }
}

Mesh make_ribs() {
    Mesh mesh, cuff;
    add_rib(mesh,
            {{0, 0, -0.016f},
             {0, 1, 0},
             {0, 0, 1},
             {1, 1},
             {{1.455f, 0.062f},
              {1.475f, 0.0645f},
              {1.495f, 0.059f},
              {1.51f, 0.0555f},
              {1.5145f, 0.0515f},
              {1.508f, 0.0475f},
              {1.45f, 0.046f}}},
            [](vec3 p) { return neck_weights(p.y); });
    add_rib(mesh,
            {{0, 0, 0},
             {0, 1, 0},
             {0, 0, 1},
             {0.121f, 0.163f},
             {{0.885f, 0.9f},
              {0.836f, 0.9f},
              {0.83f, 0.96f},
              {0.832f, 1.0f},
              {0.84f, 1.025f},
              {0.86f, 1.035f},
              {0.878f, 1.03f},
              {0.886f, 1.01f},
              {0.884f, 0.97f}}},
            [](vec3) {
                return Weights{{bone("ROOT"), 1}};
            });
    add_rib(cuff,
            {{0, 1.41f, -0.01f},
             {1, 0, 0},
             {0, 1, 0},
             {1, 1},
             {{0.6f, 0.028f},
              {0.602f, 0.034f},
              {0.61f, 0.0362f},
              {0.63f, 0.0358f},
              {0.65f, 0.0354f},
              {0.656f, 0.0335f},
              {0.654f, 0.0305f},
              {0.61f, 0.026f}}},
            [](vec3) {
                return Weights{{bone("LLRA"), 1}};
            });
    append(mesh, cuff);
    append(mesh, mirrored(cuff));
    return mesh;
}

Mesh make_trousers() {
    Blobs blobs;
    blobs.add("ROOT", {0, 0.9f, -0.002f}, {0, 0.95f, 0}, 0.118f, 0.108f, {1.14f, 1, 0.86f});
    blobs.add_pair("THG", {0.078f, 0.86f, 0}, {0.095f, 0.51f, 0.004f}, 0.078f, 0.05f);
    blobs.add_pair("CLF", {0.095f, 0.49f, 0.003f}, {0.1f, 0.12f, -0.022f}, 0.05f, 0.046f);
    const auto distance = [&](vec3 p) {
        const float hem = 0.075f - p.y;
        return -melt(-melt(blobs.all, p, 0.011f), -hem, 0.004f);
    };
    Mesh mesh;
    add_solid(mesh, polygonize(distance, {-0.22f, 0.03f, -0.15f}, {0.22f, 1.09f, 0.15f}, vec3(0.023f, 0.019f, 0.023f)),
              {2, Chart::trousers_front, Chart::trousers_back}, weights_of(blobs, 0.03f));
    return mesh;
}

Mesh make_left_shoe() {
    Blobs blobs;
    blobs.add("LCLF", {0.1f, 0.1f, -0.028f}, {0.1f, 0.15f, -0.026f}, 0.04f, 0.036f);
    blobs.add("LFOT", {0.1f, 0.042f, -0.045f}, {0.101f, 0.04f, 0.03f}, 0.043f, 0.045f);
    blobs.add("LFOT", {0.101f, 0.035f, 0.04f}, {0.106f, 0.026f, 0.125f}, 0.044f, 0.038f, {1.05f, 1, 1});
    blobs.add("LFOT", {0.1f, 0.07f, -0.02f}, {0.101f, 0.055f, 0.05f}, 0.04f, 0.03f);
    const auto distance = [&](vec3 p) { return -melt(-melt(blobs.all, p, 0.008f), p.y, 0.003f); };
    Mesh mesh;
    add_solid(mesh, polygonize(distance, {0.02f, -0.03f, -0.13f}, {0.19f, 0.21f, 0.21f}, vec3(0.014f)),
              {0, Chart::shoe_outer, Chart::shoe_inner}, weights_of(blobs, 0.02f));
    return mesh;
}

void add_finger(Blobs& blobs, const std::string& finger, const float (&radius)[4]) {
    for (int i = 0; i < 3; ++i) {
        const std::string name = "L" + finger + std::to_string(i + 1);
        const Joint& from = joint(name);
        const float length = static_cast<float>(from.length) - (i == 2 ? 0.7f * radius[3] : 0.0f);
        const vec3 a(from.position), along(from.rotation * dvec3(1, 0, 0));
        blobs.add(name.c_str(), a, a + along * length, radius[i], radius[i + 1]);
    }
}

Mesh make_left_hand() {
    Blobs blobs;
    const vec3 wrist(joint("LWRI").position);
    blobs.add("LLRA", wrist - vec3(0.05f, 0, 0), wrist - vec3(0.006f, 0, 0), 0.024f, 0.0235f, {1, 0.8f, 1.1f});
    blobs.add("LWRI", wrist + vec3(0.006f, 0, 0), wrist + vec3(0.03f, 0, 0), 0.0225f, 0.0185f, {1, 0.8f, 1.15f});
    blobs.add("LWRI", wrist + vec3(0.036f, -0.006f, 0.012f), wrist + vec3(0.058f, -0.006f, 0.028f), 0.0145f, 0.011f);
    const float metacarpal[] = {0.0128f, 0.0132f, 0.0126f, 0.0118f};
    for (int i = 0; i < 4; ++i) {
        const std::string name = "LMC" + std::to_string(i + 2);
        const Joint& from = joint(name);
        const vec3 a(from.position), along(from.rotation * dvec3(1, 0, 0));
        blobs.add(name.c_str(), a, a + along * (static_cast<float>(from.length) - 0.004f), 0.0155f, metacarpal[i]);
    }
    add_finger(blobs, "TH", {0.0166f, 0.0126f, 0.0113f, 0.0088f});
    add_finger(blobs, "IF", {0.0113f, 0.0100f, 0.0091f, 0.0076f});
    add_finger(blobs, "MF", {0.0116f, 0.0102f, 0.0092f, 0.0077f});
    add_finger(blobs, "RF", {0.0111f, 0.0098f, 0.0089f, 0.0074f});
    add_finger(blobs, "PF", {0.0100f, 0.0087f, 0.0079f, 0.0066f});
    const auto distance = [&](vec3 p) { return melt(blobs.all, p, 0.0016f); };
    Mesh mesh;
    add_solid(mesh,
              polygonize(distance, wrist + vec3(-0.09f, -0.08f, -0.1f), wrist + vec3(0.26f, 0.04f, 0.15f),
                         vec3(0.0062f, 0.0044f, 0.0042f)),
              {1, Chart::hand_back, Chart::hand_palm}, weights_of(blobs, 0.0045f));
    return mesh;
}

}  // namespace

Mesh make_body() {
    Mesh mesh = make_sweater();
    append(mesh, make_ribs());
    append(mesh, make_trousers());
    for (const Mesh& side : {make_left_shoe(), make_left_hand()}) {
        append(mesh, side);
        append(mesh, mirrored(side));
    }
    return mesh;
}

}  // namespace signer
