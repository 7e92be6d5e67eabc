/// Differences of materials, their textures, and lights.

#include <algorithm>
#include <utility>

#include "effigy/diff_codes.hpp"
#include "effigy/registry.hpp"

#include "core/text.hpp"
#include "diff/compare.hpp"

namespace effigy::diff {

namespace {

std::string text(const Color& c) {
    return "(" + shown(c.r) + ", " + shown(c.g) + ", " + shown(c.b) + ", " + shown(c.a) + ")";
}
std::string text(const Vec3& v) { return shown(v); }
std::string text(const Vec2& v) { return "(" + shown(v.x) + ", " + shown(v.y) + ")"; }

std::string text(AlphaMode mode) {
    return mode == AlphaMode::opaque ? "opaque" : mode == AlphaMode::mask ? "mask" : "blend";
}
std::string text(Wrap wrap) {
    return wrap == Wrap::repeat ? "repeat" : wrap == Wrap::clamp_to_edge ? "clamp" : "mirrored";
}

/// Textures are found whatever their folder, extension and case.
std::string plain_name(const Image& image) {
    std::string name = lower(image.name.empty() ? image.uri : image.name);
    name.erase(0, name.find_last_of("/\\") + 1);
    return name.substr(0, name.rfind('.'));
}

double apart(const Color& a, const Color& b) {
    return std::max({distance(a.r, b.r), distance(a.g, b.g), distance(a.b, b.b), distance(a.a, b.a)});
}
double apart(const Vec3& a, const Vec3& b) {
    return std::max({distance(a.x, b.x), distance(a.y, b.y), distance(a.z, b.z)});
}
double apart(const Vec2& a, const Vec2& b) { return std::max(distance(a.x, b.x), distance(a.y, b.y)); }

class MaterialComparison {
public:
    explicit MaterialComparison(Comparison& all) : all_(all), findings_(all.findings) {}

    void run() {
        for (std::size_t i = 0; i < all_.materials.to_b.size(); ++i) {
            const Index other = all_.materials.to_b[i];
            path_ = object_path("materials", i, all_.a.materials[i].name);
            if (other == no_index) {
                findings_.add(codes::diff_material, path_, "the second has no such material", "a material", "nothing");
            } else {
                compare(all_.a.materials[i], all_.b.materials[other]);
            }
        }
        for (std::size_t i = 0; i < all_.materials.to_a.size(); ++i) {
            if (all_.materials.to_a[i] != no_index) continue;
            findings_.add_gain(codes::diff_material, object_path("materials", i, all_.b.materials[i].name),
                               "the first has no such material", "a material");
        }
    }

private:
    template <class Value>
    void value(std::string_view what, const Value& a, const Value& b, double tolerance) {
        const double by = apart(a, b);
        if (by > tolerance)
            findings_.add(codes::diff_material, path_, std::string(what) + " differs by " + shown(by), text(a),
                          text(b));
    }
    void number(std::string_view what, float a, float b, double tolerance) {
        findings_.number(codes::diff_material, path_, what, a, b, tolerance);
    }

    void compare(const Material& a, const Material& b) {
        const DiffTolerances& tolerances = findings_.tolerances();
        findings_.text(codes::diff_name, path_, "the name", a.name, b.name);
        value("the base colour", a.base_color, b.base_color, tolerances.color);
        number("metallic", a.metallic, b.metallic, tolerances.color);
        number("roughness", a.roughness, b.roughness, tolerances.color);
        number("the index of refraction", a.ior, b.ior, tolerances.color);
        number("the strength of reflections", a.specular, b.specular, tolerances.color);
        value("the colour of reflections", a.specular_color, b.specular_color, tolerances.color);
        value("the emissive colour", a.emissive, b.emissive, tolerances.color);
        findings_.text(codes::diff_material, path_, "the alpha mode", text(a.alpha_mode), text(b.alpha_mode));
        if (a.alpha_mode == AlphaMode::mask && b.alpha_mode == AlphaMode::mask)
            number("the alpha cutoff", a.alpha_cutoff, b.alpha_cutoff, tolerances.color);
        findings_.flag(codes::diff_material, path_, "whether it is double sided", a.double_sided, b.double_sided);
        findings_.flag(codes::diff_material, path_, "whether it is unlit", a.unlit, b.unlit);
        slot("the base colour's texture", a.base_color_texture, b.base_color_texture);
        slot("the texture of metal and roughness", a.metallic_roughness_texture, b.metallic_roughness_texture);
        slot("the normal map", a.normal_texture, b.normal_texture);
        slot("the occlusion texture", a.occlusion_texture, b.occlusion_texture);
        slot("the emissive texture", a.emissive_texture, b.emissive_texture);
    }

    void slot(const std::string& what, const TextureSlot& a, const TextureSlot& b) {
        const Image* const in_a = a.image < all_.a.images.size() ? &all_.a.images[a.image] : nullptr;
        const Image* const in_b = b.image < all_.b.images.size() ? &all_.b.images[b.image] : nullptr;
        image(what, in_a, in_b);
        if (in_a == nullptr || in_b == nullptr) return;
        const DiffTolerances& tolerances = findings_.tolerances();
        findings_.number(codes::diff_material, path_, what + ": the set of coordinates", a.texcoord, b.texcoord, 0);
        findings_.text(codes::diff_material, path_, what + ": wrapping", text(a.wrap_u) + ", " + text(a.wrap_v),
                       text(b.wrap_u) + ", " + text(b.wrap_v));
        value(what + ": the offset", a.offset, b.offset, tolerances.texcoord);
        value(what + ": the scale", a.scale, b.scale, tolerances.texcoord);
        number(what + ": the turn", a.rotation, b.rotation, tolerances.rotation);
        number(what + ": the strength", a.strength, b.strength, tolerances.color);
    }

    void image(const std::string& what, const Image* a, const Image* b) {
        const auto name = [](const Image* image) {
            return image == nullptr ? "none" : image->name.empty() ? image->uri : image->name;
        };
        if (a == nullptr && b == nullptr) return;
        if (a == nullptr || b == nullptr) {
            findings_.add(codes::diff_image, path_, what + " is there in one of them only", name(a), name(b));
            return;
        }
        if (a->channels != b->channels) {
            findings_.add(codes::diff_image, path_, what + " is put together from other channels", name(a), name(b));
            return;
        }
        const bool both = !a->bytes.empty() && !b->bytes.empty();
        if (both && findings_.options().images) {
            const std::string hash_a = content_hash(a->bytes), hash_b = content_hash(b->bytes);
            if (hash_a != hash_b) {
                findings_.add(codes::diff_image, path_, what + " holds another picture", name(a) + " " + hash_a,
                              name(b) + " " + hash_b);
            }
        } else if (plain_name(*a) != plain_name(*b)) {
            findings_.add(codes::diff_image, path_, what + " is another image", name(a), name(b));
        }
    }

    Comparison& all_;
    Findings& findings_;
    std::string path_;
};

class LightComparison {
public:
    LightComparison(Comparison& all, std::string path) : findings_(all.findings), path_(std::move(path)) {}

    void compare(const Light& a, const Light& b) {
        const DiffTolerances& tolerances = findings_.tolerances();
        findings_.text(codes::diff_light, path_, "the kind of light", kind(a), kind(b));
        if (const double by = apart(a.color, b.color); by > tolerances.color)
            findings_.add(codes::diff_light, path_, "the light's colour differs by " + shown(by), text(a.color),
                          text(b.color));
        relative("the light's intensity", a.intensity, b.intensity);
        relative("the light's range", a.range, b.range);
        if (a.kind != LightKind::spot || b.kind != LightKind::spot) return;
        findings_.number(codes::diff_light, path_, "the inner cone", a.inner_cone, b.inner_cone, tolerances.rotation);
        findings_.number(codes::diff_light, path_, "the outer cone", a.outer_cone, b.outer_cone, tolerances.rotation);
    }

private:
    static std::string kind(const Light& light) {
        return light.kind == LightKind::point ? "point" : light.kind == LightKind::spot ? "spot" : "directional";
    }
    void relative(std::string_view what, float a, float b) {
        const double most = std::max(distance(a, 0), distance(b, 0));
        findings_.number(codes::diff_light, path_, what, a, b, findings_.tolerances().number * most);
    }

    Findings& findings_;
    std::string path_;
};

}  // namespace

void compare_materials(Comparison& comparison) { MaterialComparison(comparison).run(); }

void compare_lights(Comparison& all) {
    for (const Index node : all.tree_a.order) {
        if (all.nodes.to_b[node] == no_index) continue;
        const Index a = all.a.nodes[node].light, b = all.b.nodes[all.nodes.to_b[node]].light;
        const bool in_a = a < all.a.lights.size(), in_b = b < all.b.lights.size();
        if (in_a != in_b) {
            all.findings.add(codes::diff_light, all.node_path(node), "the node shines in one of them only",
                             in_a ? "a light" : "none", in_b ? "a light" : "none");
        } else if (in_a) {
            LightComparison(all, all.node_path(node)).compare(all.a.lights[a], all.b.lights[b]);
        }
    }
}

}  // namespace effigy::diff
