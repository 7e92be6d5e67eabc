/// Makes scenes whose pictures can be computed by hand.

#include "stage.hpp"

#include <cmath>
#include <cstring>
#include <glm/gtc/constants.hpp>
#include <string>

namespace effigy::render::test {
namespace {

template <class T>
void add_attribute(Mesh& mesh, Semantic semantic, ElementType element, const std::vector<T>& values) {
    if (values.empty()) return;
    Attribute attribute;
    attribute.semantic = semantic;
    attribute.data.element = element;
    attribute.data.bytes.resize(values.size() * sizeof(T));
    std::memcpy(attribute.data.bytes.data(), values.data(), attribute.data.bytes.size());
    mesh.attributes.push_back(std::move(attribute));
}

Vec3 plain(const glm::dvec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

void add_face(Shape& shape, const glm::dvec3& normal, const glm::dvec3& right, const glm::dvec3& up) {
    const auto first = static_cast<std::uint32_t>(shape.positions.size());
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
        shape.positions.push_back(plain(normal + right * double(x) + up * double(y)));
        shape.normals.push_back(plain(normal));
    }
    for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) shape.indices.push_back(first + corner);
}

}  // namespace

void RenderTest::SetUp() {
    const std::string missing = missing_component();
    if (!missing.empty()) GTEST_SKIP() << missing;
}

Shape sphere(std::uint32_t rings, std::uint32_t sectors) {
    Shape shape;
    for (std::uint32_t ring = 0; ring <= rings; ++ring) {
        const double polar = glm::pi<double>() * ring / rings;
        for (std::uint32_t sector = 0; sector <= sectors; ++sector) {
            const double angle = glm::two_pi<double>() * sector / sectors;
            const Vec3 place =
                plain({std::sin(polar) * std::cos(angle), std::cos(polar), -std::sin(polar) * std::sin(angle)});
            shape.positions.push_back(place);
            shape.normals.push_back(place);
        }
    }
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
        for (std::uint32_t sector = 0; sector < sectors; ++sector) {
            const std::uint32_t a = ring * (sectors + 1) + sector;
            const std::uint32_t below = a + sectors + 1;
            for (const std::uint32_t corner : {a, below, below + 1, a, below + 1, a + 1}) {
                shape.indices.push_back(corner);
            }
        }
    }
    return shape;
}

Shape cube() {
    Shape shape;
    const glm::dvec3 x(1, 0, 0);
    const glm::dvec3 y(0, 1, 0);
    const glm::dvec3 z(0, 0, 1);
    add_face(shape, x, y, z);
    add_face(shape, -x, z, y);
    add_face(shape, y, z, x);
    add_face(shape, -y, x, z);
    add_face(shape, z, x, y);
    add_face(shape, -z, y, x);
    return shape;
}

Shape plane(float z, float turns) {
    Shape shape;
    add_face(shape, {0, 0, 1}, {1, 0, 0}, {0, 1, 0});
    for (Vec3& position : shape.positions) position.z = z;
    shape.texcoords = {{0, turns}, {turns, turns}, {turns, 0}, {0, 0}};
    shape.tangents.assign(4, {1, 0, 0, 1});
    return shape;
}

Index add(Scene& scene, const Shape& shape, Index material) {
    Mesh mesh;
    mesh.vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    add_attribute(mesh, Semantic::position, ElementType::vec3, shape.positions);
    add_attribute(mesh, Semantic::normal, ElementType::vec3, shape.normals);
    add_attribute(mesh, Semantic::tangent, ElementType::vec4, shape.tangents);
    add_attribute(mesh, Semantic::texcoord, ElementType::vec2, shape.texcoords);
    add_attribute(mesh, Semantic::color, ElementType::vec4, shape.colors);
    Primitive primitive;
    primitive.vertex_count = mesh.vertex_count;
    primitive.indices.assign(shape.indices.begin(), shape.indices.end());
    primitive.material = material;
    mesh.primitives.push_back(std::move(primitive));
    scene.meshes.push_back(std::move(mesh));
    Node node;
    node.mesh = static_cast<Index>(scene.meshes.size() - 1);
    scene.nodes.push_back(std::move(node));
    return static_cast<Index>(scene.nodes.size() - 1);
}

Index add_material(Scene& scene, const Material& material) {
    scene.materials.push_back(material);
    return static_cast<Index>(scene.materials.size() - 1);
}

Index add_image(Scene& scene, std::uint32_t width, std::uint32_t height,
                const std::vector<std::array<std::uint8_t, 4>>& pixels) {
    image::Picture picture;
    picture.width = width;
    picture.height = height;
    picture.rgba.resize(pixels.size() * 4);
    std::memcpy(picture.rgba.data(), pixels.data(), picture.rgba.size());
    picture.has_alpha = true;
    auto bytes = image::encode_png(picture);
    EXPECT_TRUE(bytes);
    Image image;
    image.name = "image";
    image.mime_type = "image/png";
    if (bytes) image.bytes = std::move(*bytes);
    scene.images.push_back(std::move(image));
    return static_cast<Index>(scene.images.size() - 1);
}

Material unlit(const Color& color) {
    Material material;
    material.base_color = color;
    material.unlit = true;
    return material;
}

Camera front_camera() {
    Camera camera;
    camera.position = {0, 0, 4};
    camera.field_of_view = static_cast<float>(glm::degrees(2 * std::atan(0.25)));
    return camera;
}

Options small(std::uint32_t size, std::uint32_t samples) {
    Options options;
    options.width = size;
    options.height = size;
    options.samples = samples;
    options.threads = 2;
    return options;
}

Frame draw(const Scene& scene, const Camera& camera, const Options& options, bool collision) {
    playback::PoserOptions poser_options;
    poser_options.collision = collision;
    auto poser = playback::Poser::make(scene, poser_options);
    EXPECT_TRUE(poser) << to_string(poser.error());
    if (!poser) return {};
    auto renderer = Renderer::open(scene);
    EXPECT_TRUE(renderer) << to_string(renderer.error());
    if (!renderer) return {};
    const auto loaded = renderer->value.load(*poser);
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    auto frame = renderer->value.draw(camera, options);
    EXPECT_TRUE(frame) << to_string(frame.error());
    return frame ? std::move(*frame) : Frame{};
}

Rgba pixel(const Frame& frame, std::uint32_t x, std::uint32_t y) {
    Rgba values{};
    const std::size_t first = (std::size_t{y} * frame.picture.width + x) * 4;
    for (std::size_t i = 0; i < 4; ++i) values[i] = std::to_integer<int>(frame.picture.rgba.at(first + i));
    return values;
}

void expect_near(const Rgba& found, const Rgba& expected, int tolerance) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << "channel " << i;
}

double to_linear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

double to_srgb(double linear) {
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

glm::dvec3 position_of(const Camera& camera) { return {camera.position.x, camera.position.y, camera.position.z}; }

glm::dvec3 pixel_direction(const Camera& camera, const Options& options, double x, double y) {
    const glm::dvec3 target(camera.target.x, camera.target.y, camera.target.z);
    const glm::dvec3 forward = glm::normalize(target - position_of(camera));
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(camera.up.x, camera.up.y, camera.up.z)));
    const glm::dvec3 up = glm::cross(right, forward);
    const double half = std::tan(glm::radians(double{camera.field_of_view}) / 2);
    const double smaller = std::min(options.width, options.height);
    return forward + right * ((x - options.width / 2.0) * 2 / smaller * half) -
           up * ((y - options.height / 2.0) * 2 / smaller * half);
}

}  // namespace effigy::render::test
