/// Values and references taken from glTF's JSON with care: ranges, findings with paths.

#include "gltf/read/context.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"
#include "scene/wide_math.hpp"

namespace effigy::gltf {

void Reading::note(const Code& code, std::string path, std::string message, std::string found, std::string expected) {
    report.add(problem_at(std::move(path), code, std::move(message), std::move(found), std::move(expected)));
}

Result<void> Reading::take(std::uint64_t count, std::uint64_t size, const std::string& path) {
    if ((size == 0 || count <= UINT64_MAX / size) && asset.take(count * size)) return {};
    return refuse(path, codes::limit_memory,
                  "what is made of this needs more memory than the limit allows; raise it with --limit-memory",
                  std::to_string(count) + " x " + std::to_string(size) + " bytes");
}

void Reading::note_value(const Value& found, std::string path, std::string expected) {
    note(codes::gltf_value, std::move(path), "this is not what glTF wants here; the default is used", shown(found),
         std::move(expected));
}

namespace {

bool is_too_large(const Value& number) { return std::abs(number.get<double>()) > std::numeric_limits<float>::max(); }

}  // namespace

void Reading::note_too_large(const Value& found, std::string path) {
    note(codes::gltf_range, std::move(path), "the number is too large for 32 bits and is cut off", shown(found),
         "at most 3.4e38");
}

float Reading::number(const Value& object, const char* name, float fallback, const std::string& path) {
    const Value* const value = member(object, name);
    if (value == nullptr) return fallback;
    if (value->is_number()) {
        if (is_too_large(*value)) note_too_large(*value, path + " / " + name);
        return narrow(value->get<double>());
    }
    note_value(*value, path + " / " + name, "a number");
    return fallback;
}

bool Reading::flag(const Value& object, const char* name, const std::string& path) {
    const Value* const value = member(object, name);
    if (value == nullptr) return false;
    if (value->is_boolean()) return value->get<bool>();
    note_value(*value, path + " / " + name, "true or false");
    return false;
}

const Value& Reading::member_of(const Value& object, const char* name, const Value& nothing, const std::string& path) {
    const Value* const value = member(object, name);
    if (value == nullptr || value->type() == nothing.type()) return value == nullptr ? nothing : *value;
    note_value(*value, path + " / " + name, nothing.is_array() ? "a list" : "an object");
    return nothing;
}

const Value& Reading::list(const Value& object, const char* name, const std::string& path) {
    static const Value nothing = Value::array();
    return member_of(object, name, nothing, path);
}

const Value& Reading::object(const Value& object, const char* name, const std::string& path) {
    static const Value nothing = Value::object();
    return member_of(object, name, nothing, path);
}

bool Reading::read_numbers(const Value& object, const char* name, std::span<float> numbers, const std::string& path) {
    const Value* const value = member(object, name);
    if (value == nullptr) return false;
    bool fits = value->is_array() && value->size() == numbers.size();
    for (std::size_t i = 0; fits && i < numbers.size(); ++i) fits = (*value)[i].is_number();
    if (!fits) {
        note_value(*value, path + " / " + name, std::to_string(numbers.size()) + " numbers");
        return false;
    }
    const auto large = std::find_if(value->begin(), value->end(), is_too_large);
    if (large != value->end()) note_too_large(*large, path + " / " + name);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = narrow((*value)[i].get<double>());
    return true;
}

Result<Index> Reading::target_of(const Value& value, std::string_view array, std::size_t count,
                                 const std::string& path) {
    const std::optional<std::uint64_t> number = whole_number(value);
    if (number && *number < count) return static_cast<Index>(*number);
    return leads_nowhere(path, shown(value), array, count);
}

Result<Index> Reading::reference(const Value& object, const char* name, std::string_view array, std::size_t count,
                                 const std::string& path) {
    const Value* const value = member(object, name);
    if (value == nullptr) return no_index;
    return target_of(*value, array, count, path + " / " + name);
}

Result<Index> Reading::reference(const Value& object, const char* name, std::string_view array,
                                 const std::string& path) {
    return reference(object, name, array, asset.array(array).size(), path);
}

std::vector<bool> joints_of(const Scene& scene) {
    std::vector<bool> is_joint(scene.nodes.size());
    for (const Skin& skin : scene.skins) {
        for (const Index joint : skin.joints) is_joint[joint] = true;
    }
    return is_joint;
}

bool is_made_by_blender(const Reading& reading) {
    const Value* const asset = member(reading.asset.json(), "asset");
    return asset != nullptr && text_member(*asset, "generator").starts_with("Khronos glTF Blender I/O");
}

namespace {

template <class Object>
bool any_has_record(const std::vector<Object>& objects) {
    return std::any_of(objects.begin(), objects.end(), [](const Object& one) { return !one.extras.json.empty(); });
}

}  // namespace

bool has_records(const Reading& reading) {
    const Scene& scene = reading.scene;
    const bool has_hints =
        std::any_of(reading.hints.begin(), reading.hints.end(), [](const Value& hints) { return !hints.empty(); });
    return has_hints || !scene.asset_extras.json.empty() || any_has_record(scene.nodes) ||
           any_has_record(scene.meshes) || any_has_record(scene.materials);
}

bool is_set(const Value& object, const char* name) {
    const Value* const value = member(object, name);
    if (value == nullptr) return false;
    return value->is_boolean() ? value->get<bool>() : *value == 1;
}

const Value& object_member(const Value& object, const char* name) {
    static const Value nothing = Value::object();
    const Value* const value = member(object, name);
    return value != nullptr ? *value : nothing;
}

std::string name_of(const Value& object) { return std::string(text_member(object, "name")); }

std::string shown(const Value& value) {
    if (value.is_structured()) {
        return std::string(value.is_array() ? "a list of " : "an object of ") + std::to_string(value.size());
    }
    return shortened(value.dump(-1, ' ', false, Value::error_handler_t::replace));
}

}  // namespace effigy::gltf
