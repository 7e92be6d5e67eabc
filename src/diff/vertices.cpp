/// Vertices of two meshes compared attribute by attribute, hashed and counted.

#include "diff/vertices.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/text.hpp"

namespace effigy::diff {

namespace {

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 33);
}

/// Both zeros are one number.
std::uint64_t bits(float value) noexcept { return value == 0 ? 0 : std::bit_cast<std::uint32_t>(value); }

template <std::size_t width>
std::uint64_t hash_entries(std::uint64_t hash, std::span<const SparseEntry<width>> entries) {
    for (const SparseEntry<width>& entry : entries) {
        if (std::all_of(entry.values.begin(), entry.values.end(), [](float value) { return value == 0; })) continue;
        hash = mix(hash, entry.key);
        for (const float value : entry.values) hash = mix(hash, bits(value));
    }
    return hash;
}

template <class Spans>
std::string text_of(const Spans& values, std::size_t width, std::uint32_t vertex) {
    std::string text;
    for (std::size_t i = 0; i < width; ++i)
        text += (i == 0 ? "" : ", ") + shown(values[std::size_t{vertex} * width + i]);
    return width == 1 ? text : "(" + text + ")";
}

}  // namespace

bool Vertices::differs(const Column& column, std::uint32_t a, std::uint32_t b) const {
    const Measure& measure = measures_[column.measure];
    const float* const in_a = column.a.values.data() + std::size_t{a} * column.width;
    const float* const in_b = column.b.values.data() + std::size_t{b} * column.width;
    for (std::size_t i = 0; i < column.width; ++i) {
        if (!measure.allows(distance(in_a[i], in_b[i]), in_a[i])) return true;
    }
    return false;
}

std::size_t Vertices::beyond(std::uint32_t a, std::uint32_t b) const {
    std::size_t count = 0;
    for (const Column& column : columns_) count += differs(column, a, b) ? 1 : 0;
    for_each_key<1>(weights_a_.of(a), weights_b_.of(b),
                    [&](std::uint32_t, double apart) { count += measures_[weight_measure_].allows(apart, 0) ? 0 : 1; });
    for_each_key<3>(morphs_a_.of(a), morphs_b_.of(b), [&](std::uint32_t key, double apart) {
        count += measures_[morph_measure_ + key].allows(apart, 0) ? 0 : 1;
    });
    return count;
}

void Vertices::tally(std::uint32_t a, std::uint32_t b) {
    const auto put = [&](Measure& measure, double apart, bool counts) {
        if (!counts) return;
        ++measure.count;
        if (!(apart > measure.largest)) return;
        measure.largest = apart;
        measure.vertex_a = a;
        measure.vertex_b = b;
    };
    for (const Column& column : columns_) {
        if (!differs(column, a, b)) continue;
        double apart = 0;
        for (std::size_t i = 0; i < column.width; ++i) {
            apart = std::max(apart, distance(column.a.values[std::size_t{a} * column.width + i],
                                             column.b.values[std::size_t{b} * column.width + i]));
        }
        put(measures_[column.measure], apart, true);
    }
    double max_weight = 0;
    for_each_key<1>(weights_a_.of(a), weights_b_.of(b),
                    [&](std::uint32_t, double apart) { max_weight = std::max(max_weight, apart); });
    if (max_weight > 0) {
        Measure& measure = measures_[weight_measure_];
        put(measure, max_weight, !measure.allows(max_weight, 0));
    }
    for_each_key<3>(morphs_a_.of(a), morphs_b_.of(b), [&](std::uint32_t key, double apart) {
        Measure& measure = measures_[morph_measure_ + key];
        put(measure, apart, !measure.allows(apart, 0));
    });
}

void Vertices::clear_tallies() {
    for (Measure& measure : measures_) {
        measure.largest = 0;
        measure.count = 0;
    }
}

std::uint64_t Vertices::hash(bool of_b, std::uint32_t vertex) const {
    std::uint64_t hash = 0;
    for (const Column& column : columns_) {
        const float* const values = (of_b ? column.b : column.a).values.data() + std::size_t{vertex} * column.width;
        for (std::size_t i = 0; i < column.width; ++i) hash = mix(hash, bits(values[i]));
    }
    hash = hash_entries<1>(hash, (of_b ? weights_b_ : weights_a_).of(vertex));
    return hash_entries<3>(mix(hash, 1), (of_b ? morphs_b_ : morphs_a_).of(vertex));
}

std::uint64_t Vertices::hash_a(std::uint32_t vertex) const { return hash(false, vertex); }
std::uint64_t Vertices::hash_b(std::uint32_t vertex) const { return hash(true, vertex); }

std::string Vertices::text_a(std::size_t measure, std::uint32_t vertex) const {
    return measure < columns_.size() ? text_of(columns_[measure].a.values, columns_[measure].width, vertex) : "";
}
std::string Vertices::text_b(std::size_t measure, std::uint32_t vertex) const {
    return measure < columns_.size() ? text_of(columns_[measure].b.values, columns_[measure].width, vertex) : "";
}

}  // namespace effigy::diff
