/// Meshes, collision, animations and components of the ship, as files.

#include "files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

namespace ship {

namespace {

using namespace effigy;

void put(Bytes& bytes, const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
}

template <class T>
void put(Bytes& bytes, const T& value) {
    put(bytes, &value, sizeof value);
}

std::uint8_t packed(float value) { return static_cast<std::uint8_t>(std::lround((value * 0.5f + 0.5f) * 255)); }

/// A direction as D3DCOLOR: blue, green, red, alpha.
void put_direction(Bytes& bytes, vec3 direction, std::uint8_t alpha) {
    put(bytes, std::array<std::uint8_t, 4>{packed(direction.z), packed(direction.y), packed(direction.x), alpha});
}

vec3 mirrored(vec3 v) { return {-v.x, v.y, v.z}; }

xmf::Buffer index_buffer(const Shape& shape, bool wide) {
    xmf::Buffer buffer;
    buffer.kind = xmf::index_buffer_kind;
    buffer.format = wide ? xmf::index_format_32 : xmf::index_format_16;
    buffer.item_size = wide ? 4 : 2;
    buffer.item_count = static_cast<std::uint32_t>(shape.indices.size());
    buffer.maximum = static_cast<double>(shape.vertices.size() - 1);
    for (const std::uint32_t index : shape.indices) put(buffer.content, &index, buffer.item_size);
    return buffer;
}

xmf::File file_of(xmf::Buffer vertices, const Shape& shape, bool wide) {
    xmf::File file;
    file.header.vertex_count = vertices.item_count;
    file.header.index_count = static_cast<std::uint32_t>(shape.indices.size());
    file.buffers.push_back(std::move(vertices));
    file.buffers.push_back(index_buffer(shape, wide));
    return file;
}

xmf::Material material_of(const Range& range) {
    xmf::Material material;
    material.first_index = range.first_index;
    material.index_count = range.index_count;
    std::copy(range.material.begin(), range.material.end(), material.name.begin());
    return material;
}

// ---- ANI ----

template <std::size_t size>
void put_name(std::array<char, size>& field, const std::string& name) {
    std::copy_n(name.begin(), std::min(name.size(), size - 1), field.begin());
}

ani::Key key_of(const Track& track, std::size_t index) {
    ani::Key key;
    const vec3 value = track.values[index];
    key.value = {value.x, value.y, value.z};
    key.time = track.times[index];
    if (!track.bezier) return key;
    key.interpolation.fill(ani::Interpolation::bezier);
    // Handles at the height of their key let a motion start and end gently.
    const float next = index + 1 < track.times.size() ? track.times[index + 1] : key.time;
    const float last = index > 0 ? track.times[index - 1] : key.time;
    const float after = key.time + (next - key.time) / 3, before = key.time - (key.time - last) / 3;
    for (int axis = 0; axis < 3; ++axis) {
        key.handles[static_cast<std::size_t>(axis)] = {{{after, value[axis]}, {before, value[axis]}}};
    }
    return key;
}

// ---- the component ----

std::string numbers(const char* form, vec3 v) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), form, static_cast<double>(v.x), static_cast<double>(v.y),
                  static_cast<double>(v.z));
    return text.data();
}

std::string size_text(const Shape& shape) {
    vec3 low(1e9f), high(-1e9f);
    for (const Vertex& vertex : shape.vertices) {
        low = glm::min(low, mirrored(vertex.position));
        high = glm::max(high, mirrored(vertex.position));
    }
    return "            <size>\n" +
           numbers("              <max x=\"%.6g\" y=\"%.6g\" z=\"%.6g\"/>\n", (high - low) * 0.5f) +
           numbers("              <center x=\"%.6g\" y=\"%.6g\" z=\"%.6g\"/>\n", (high + low) * 0.5f) +
           "            </size>\n";
}

std::string lods_text(const Part& part) {
    std::string text = "            <lods>\n";
    for (std::size_t level = 0; level < part.levels.size(); ++level) {
        text += "              <lod index=\"" + std::to_string(level) + "\">\n                <materials>\n";
        std::size_t id = 0;
        for (const Range& range : part.levels[level].ranges) {
            text +=
                "                  <material id=\"" + std::to_string(++id) + "\" ref=\"" + range.material + "\"/>\n";
        }
        text += "                </materials>\n              </lod>\n";
    }
    return text + "            </lods>\n";
}

std::string animations_text(const Part& part) {
    if (part.states.empty()) return "";
    std::string text = "        <animations>\n";
    for (const State& state : part.states) {
        text += "          <animation name=\"" + state.name + "\" start=\"" + std::to_string(state.start) +
                "\" end=\"" + std::to_string(state.end) + "\"/>\n";
    }
    return text + "        </animations>\n";
}

std::string part_text(const Part& part) {
    const std::string wreck = part.wreck.empty() ? "" : " wreck=\"" + part.wreck + "\"";
    return "          <part name=\"" + part.name + "\"" + wreck + ">\n" + lods_text(part) +
           size_text(part.levels.front()) + "          </part>\n";
}

std::string connection_text(const Part& part, std::size_t number) {
    const std::string parent = part.parent.empty() ? "" : " parent=\"" + part.parent + "\"";
    return "      <connection name=\"Connection" + std::to_string(number) + "\" tags=\"" + part.tags + "\"" + parent +
           ">\n        <offset>\n" +
           numbers("          <position x=\"%.6g\" y=\"%.6g\" z=\"%.6g\"/>\n", mirrored(part.offset)) +
           "        </offset>\n" + animations_text(part) + "        <parts>\n" + part_text(part) +
           "        </parts>\n      </connection>\n";
}

constexpr const char* component_head = R"(<?xml version="1.0" encoding="utf-8"?>
<components>
  <component name="ship_courier" class="ship_s">
    <source geometry="extensions\courier\assets\units\size_s\ship_courier_data"/>
    <layers>
      <layer>
        <lights>
          <omni name="lamp_bow" r="200" g="230" b="255" range="6" intensity="2">
            <offset>
              <position x="0" y="-0.9" z="4.2"/>
            </offset>
          </omni>
        </lights>
      </layer>
    </layers>
    <connections>
      <connection name="position" tags="position" value="1"/>
      <connection name="space" tags="ship ship_s"/>
      <connection name="con_cockpit" tags="cockpit">
        <offset>
          <position x="0" y="0.55" z="1.9"/>
        </offset>
      </connection>
      <connection name="con_engine_port" group="engines" tags="engine small">
        <offset>
          <position x="-1.5" y="-0.1" z="-5.2"/>
          <quaternion qx="0" qy="1" qz="0" qw="0"/>
        </offset>
      </connection>
      <connection name="con_engine_starboard" group="engines" tags="engine small">
        <offset>
          <position x="1.5" y="-0.1" z="-5.2"/>
          <quaternion qx="0" qy="1" qz="0" qw="0"/>
        </offset>
      </connection>
)";

}  // namespace

xmf::File mesh_file(const Shape& shape) {
    xmf::Buffer buffer;
    buffer.format = 32;
    buffer.item_count = static_cast<std::uint32_t>(shape.vertices.size());
    buffer.item_size = 32;
    const std::array elements{xmf::Element{xmf::ElementType::float3, xmf::Usage::position},
                              xmf::Element{xmf::ElementType::color, xmf::Usage::normal},
                              xmf::Element{xmf::ElementType::color, xmf::Usage::tangent},
                              xmf::Element{xmf::ElementType::float2, xmf::Usage::texcoord},
                              xmf::Element{xmf::ElementType::color, xmf::Usage::color}};
    buffer.element_count = elements.size();
    std::copy(elements.begin(), elements.end(), buffer.elements.begin());
    for (const Vertex& vertex : shape.vertices) {
        put(buffer.content, mirrored(vertex.position));
        put_direction(buffer.content, mirrored(vertex.normal), vertex.tangent.w < 0 ? 255 : 0);
        put_direction(buffer.content, -mirrored(vec3(vertex.tangent)), 0);
        put(buffer.content, vertex.uv);
        put(buffer.content, std::array<std::uint8_t, 4>{128, 128, 128, 0});
    }
    xmf::File file = file_of(std::move(buffer), shape, shape.vertices.size() > 65535);
    for (const Range& range : shape.ranges) file.materials.push_back(material_of(range));
    return file;
}

xmf::File collision_file(const Shape& shape) {
    xmf::Buffer buffer;
    buffer.format = static_cast<std::uint32_t>(xmf::ElementType::float3);
    buffer.item_count = static_cast<std::uint32_t>(shape.vertices.size());
    buffer.item_size = 12;
    float low = 0, high = 0;
    for (const Vertex& vertex : shape.vertices) {
        const vec3 position = mirrored(vertex.position);
        put(buffer.content, position);
        low = std::min({low, position.x, position.y, position.z});
        high = std::max({high, position.x, position.y, position.z});
    }
    buffer.minimum = static_cast<double>(low);
    buffer.maximum = static_cast<double>(high);
    return file_of(std::move(buffer), shape, true);
}

ani::File animation_file(const std::vector<Part>& parts) {
    ani::File file;
    for (const Part& part : parts) {
        for (const State& state : part.states) {
            ani::Animation& animation = file.animations.emplace_back();
            put_name(animation.part, part.name);
            put_name(animation.state, state.name);
            animation.duration = static_cast<float>(state.end - state.start) / 30;
            for (const Track& track : state.tracks) {
                auto& keys = track.of == Track::Of::position ? animation.positions : animation.rotations;
                for (std::size_t index = 0; index < track.times.size(); ++index) keys.push_back(key_of(track, index));
            }
        }
    }
    file.header.key_offset = static_cast<std::uint32_t>(16 + 160 * file.animations.size());
    return file;
}

std::string component_text(const std::vector<Part>& parts) {
    std::string text = component_head;
    for (std::size_t index = 0; index < parts.size(); ++index) text += connection_text(parts[index], index + 1);
    return text + "    </connections>\n  </component>\n</components>\n";
}

}  // namespace ship
