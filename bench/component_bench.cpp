/// A component of many parts to one .glb, against reading its files and writing as many bytes.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <vector>

#include "effigy/egosoft_scene.hpp"
#include "effigy/gltf.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t part_count = 200;

/// A wavy sheet of `side` x `side` vertices as the games store them: float positions and coordinates, packed normals
/// and tangents, one colour.
xmf::File sheet(std::uint32_t side, std::uint32_t seed) {
    xmf::File file;
    xmf::Buffer vertices;
    vertices.format = 32;
    vertices.element_count = 5;
    const std::array<std::pair<xmf::ElementType, xmf::Usage>, 5> elements{
        {{xmf::ElementType::float3, xmf::Usage::position},
         {xmf::ElementType::color, xmf::Usage::normal},
         {xmf::ElementType::color, xmf::Usage::tangent},
         {xmf::ElementType::float2, xmf::Usage::texcoord},
         {xmf::ElementType::color, xmf::Usage::color}}};
    for (std::size_t i = 0; i < elements.size(); ++i) {
        vertices.elements[i].type = elements[i].first;
        vertices.elements[i].usage = elements[i].second;
    }
    vertices.item_size = 32;
    vertices.item_count = side * side;
    vertices.content.resize(std::size_t{32} * vertices.item_count);
    std::byte* out = vertices.content.data();
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x, out += 32) {
            const float u = static_cast<float>(x) / static_cast<float>(side - 1);
            const float v = static_cast<float>(y) / static_cast<float>(side - 1);
            const float height = std::sin(7 * u + static_cast<float>(seed)) * std::cos(5 * v);
            const std::array<float, 3> position{10 * u, height, 10 * v};
            const auto tilt = static_cast<std::uint8_t>(127.5f + 60 * std::cos(7 * u + static_cast<float>(seed)));
            const std::array<std::uint8_t, 8> packed{128, 250, tilt, static_cast<std::uint8_t>(x % 2 * 255),
                                                     128, 128, 1,    0};
            const std::array<float, 2> coordinates{u, v};
            const std::array<std::uint8_t, 4> color{tilt, tilt, tilt, 102};
            std::memcpy(out, position.data(), 12);
            std::memcpy(out + 12, packed.data(), 8);
            std::memcpy(out + 20, coordinates.data(), 8);
            std::memcpy(out + 28, color.data(), 4);
        }
    }
    std::vector<std::uint16_t> triangles;
    for (std::uint32_t y = 0; y + 1 < side; ++y) {
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t a = y * side + x;
            for (const std::uint32_t index : {a, a + 1, a + side, a + side, a + 1, a + side + 1}) {
                triangles.push_back(static_cast<std::uint16_t>(index));
            }
        }
    }
    xmf::Buffer indices;
    indices.kind = xmf::index_buffer_kind;
    indices.format = xmf::index_format_16;
    indices.item_size = 2;
    indices.item_count = static_cast<std::uint32_t>(triangles.size());
    indices.content.resize(2 * triangles.size());
    std::memcpy(indices.content.data(), triangles.data(), indices.content.size());
    file.buffers = {std::move(vertices), std::move(indices)};
    xmf::Material& material = file.materials.emplace_back();
    material.index_count = static_cast<std::uint32_t>(triangles.size());
    const std::string name = "collection.material_" + std::to_string(seed % 7);
    std::memcpy(material.name.data(), name.data(), name.size());
    return file;
}

/// The component's folder, gone at the end.
class Ship {
public:
    explicit Ship(std::uint32_t side) {
        std::string pattern = (fs::temp_directory_path() / "effigy-bench-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) std::abort();
        folder_ = pattern;
        fs::create_directories(folder_ / "ship_data");
        std::string connections;
        for (std::uint32_t i = 0; i < part_count; ++i) {
            const std::string part = "part_" + std::to_string(i);
            meshes_.push_back(folder_ / "ship_data" / (part + "-lod0.xmf"));
            if (!xmf::write_file(sheet(side, i), meshes_.back(), {.normalize = true})) std::abort();
            connections += "<connection name=\"con_" + part + "\" tags=\"part\"><offset><position x=\"" +
                           std::to_string(i % 20) + "\" y=\"0\" z=\"" + std::to_string(i / 20) +
                           "\"/></offset><parts><part name=\"" + part +
                           "\"><lods><lod index=\"0\"/></lods></part></parts></connection>\n";
        }
        std::ofstream(xml()) << "<components><component name=\"ship\" class=\"ship_l\"><source geometry=\"ship_data\"/>"
                             << "<connections>" << connections << "</connections></component></components>";
    }
    ~Ship() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Ship(const Ship&) = delete;
    Ship& operator=(const Ship&) = delete;

    [[nodiscard]] fs::path xml() const { return folder_ / "ship.xml"; }
    [[nodiscard]] fs::path glb() const { return folder_ / "ship.glb"; }
    [[nodiscard]] fs::path copy() const { return folder_ / "copy.bin"; }
    [[nodiscard]] const fs::path& folder() const { return folder_; }
    [[nodiscard]] const std::vector<fs::path>& meshes() const { return meshes_; }

private:
    fs::path folder_;
    std::vector<fs::path> meshes_;
};

Bytes bytes_of_file(const fs::path& path) {
    Bytes bytes(fs::file_size(path));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

void write_bytes(const fs::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// From the XML to the .glb, the search for its files included.
void convert(const Ship& ship) {
    auto component = egosoft::read_components(bytes_of_file(ship.xml()));
    auto files = egosoft::GameFiles::open({ship.folder()});
    if (!component || !files) std::abort();
    egosoft::SceneInput input;
    input.components.push_back({{"ship", 0, {}}, std::move(component->value)});
    input.files = &files->value;
    const auto scene = egosoft::to_scene(std::move(input));
    if (!scene || scene->value.meshes.size() != part_count) std::abort();
    if (!gltf::write_file(scene->value, ship.glb())) std::abort();
}

void component(benchmark::State& state) {
    const Ship ship(static_cast<std::uint32_t>(state.range(0)));
    convert(ship);
    const Bytes glb = bytes_of_file(ship.glb());
    run_pair(
        state, Ratio::time,
        state.range(0) < 50    ? 1.5
        : state.range(0) < 100 ? 1.3
                               : 1.1,
        [&] { convert(ship); },
        [&] {
            for (const fs::path& mesh : ship.meshes()) {
                const auto loaded = xmf::read_file(mesh);
                if (!loaded || loaded->value.buffers.front().content.empty()) std::abort();
            }
            write_bytes(ship.copy(), glb);
        });
    state.counters["parts"] = part_count;
    state.counters["kB_a_mesh"] = static_cast<double>(fs::file_size(ship.meshes().front())) / 1e3;
    state.counters["MB"] = static_cast<double>(glb.size()) / 1e6;
}
BENCHMARK(component)
    ->ArgName("vertices_a_side")
    ->Arg(25)
    ->Arg(60)
    ->Arg(120)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
