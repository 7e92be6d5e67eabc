/// Haar, D4 and CDF 9/7: docs/formats/xsm.md, "Chunk 203: wavelets".

#include "emfx/file/wavelet_transform.hpp"

#include <algorithm>

namespace effigy::xsm {
namespace {

using Lanes = SampleRow::Lanes;

/// Of D4.
constexpr float c0 = 0.482962936f, c1 = 0.836516321f, c2 = 0.224143878f, c3 = -0.129409522f;

/// Of CDF 9/7: one lifting step moves the odd or the even rows by their neighbours.
constexpr float predict_1 = -1.586134342f, update_1 = -0.05298011854f, predict_2 = 0.8829110762f,
                update_2 = 0.4435068522f, gain = 1.149604398f;

void lift_odd(SampleRow* rows, std::size_t count, float factor) noexcept {
    for (std::size_t k = 1; k + 1 < count; k += 2) rows[k].lanes += factor * (rows[k - 1].lanes + rows[k + 1].lanes);
    rows[count - 1].lanes += 2 * factor * rows[count - 2].lanes;
}

void lift_even(SampleRow* rows, std::size_t count, float factor) noexcept {
    rows[0].lanes += 2 * factor * rows[1].lanes;
    for (std::size_t k = 2; k < count; k += 2) rows[k].lanes += factor * (rows[k - 1].lanes + rows[k + 1].lanes);
}

/// One level of the way back: `half` averages and as many details make twice as many rows.
void join_haar(const SampleRow* average, const SampleRow* detail, std::size_t half, SampleRow* out) noexcept {
    for (std::size_t i = 0; i < half; ++i) {
        const Lanes middle = average[i].lanes, apart = detail[i].lanes * 0.5f;
        out[2 * i].lanes = middle + apart;
        out[2 * i + 1].lanes = middle - apart;
    }
}

void join_d4(const SampleRow* average, const SampleRow* detail, std::size_t half, SampleRow* out) noexcept {
    for (std::size_t i = 0; i < half; ++i) {
        const std::size_t j = i == 0 ? half - 1 : i - 1;
        const Lanes a = average[j].lanes, b = detail[j].lanes, c = average[i].lanes, d = detail[i].lanes;
        out[2 * i].lanes = a * c2 + b * c1 + c * c0 + d * c3;
        out[2 * i + 1].lanes = a * c3 - b * c0 + c * c1 - d * c2;
    }
}

void join_cdf97(const SampleRow* average, const SampleRow* detail, std::size_t half, SampleRow* out) noexcept {
    for (std::size_t i = 0; i < half; ++i) {
        out[2 * i].lanes = average[i].lanes / gain;
        out[2 * i + 1].lanes = detail[i].lanes * gain;
    }
    lift_even(out, 2 * half, -update_2);
    lift_odd(out, 2 * half, -predict_2);
    lift_even(out, 2 * half, -update_1);
    lift_odd(out, 2 * half, -predict_1);
}

/// One level of the way there: averages to the first half of `out`, details to the second.
void split_haar(const SampleRow* rows, std::size_t half, SampleRow* out) noexcept {
    for (std::size_t i = 0; i < half; ++i) {
        const Lanes a = rows[2 * i].lanes, b = rows[2 * i + 1].lanes;
        out[i].lanes = (a + b) * 0.5f;
        out[half + i].lanes = a - b;
    }
}

void split_d4(const SampleRow* rows, std::size_t half, SampleRow* out) noexcept {
    for (std::size_t i = 0; i < half; ++i) {
        const std::size_t next = i + 1 == half ? 0 : 2 * i + 2;
        const Lanes a = rows[2 * i].lanes, b = rows[2 * i + 1].lanes, c = rows[next].lanes, d = rows[next + 1].lanes;
        out[i].lanes = a * c0 + b * c1 + c * c2 + d * c3;
        out[half + i].lanes = a * c3 - b * c2 + c * c1 - d * c0;
    }
}

void split_cdf97(SampleRow* rows, std::size_t half, SampleRow* out) noexcept {
    constexpr float smaller = 1 / gain;
    lift_odd(rows, 2 * half, predict_1);
    lift_even(rows, 2 * half, update_1);
    lift_odd(rows, 2 * half, predict_2);
    lift_even(rows, 2 * half, update_2);
    for (std::size_t i = 0; i < half; ++i) {
        out[i].lanes = rows[2 * i].lanes / smaller;
        out[half + i].lanes = rows[2 * i + 1].lanes * smaller;
    }
}

}  // namespace

TrackTransform::TrackTransform(Transform transform, std::size_t samples)
    : transform_(transform), one_(samples), other_(samples) {}

std::span<const SampleRow> TrackTransform::inverse(std::span<const SampleRow> coefficients) noexcept {
    // The two coarsest averages were never split.
    const SampleRow* averages = coefficients.data();
    SampleRow *next = one_.data(), *last = other_.data();
    for (std::size_t half = 2; 2 * half <= coefficients.size(); half *= 2) {
        const SampleRow* const details = coefficients.data() + half;
        if (transform_ == Transform::haar) join_haar(averages, details, half, next);
        if (transform_ == Transform::d4) join_d4(averages, details, half, next);
        if (transform_ == Transform::cdf97) join_cdf97(averages, details, half, next);
        averages = next;
        std::swap(next, last);
    }
    return {averages, coefficients.size()};
}

void TrackTransform::forward(std::span<SampleRow> samples) noexcept {
    for (std::size_t half = samples.size() / 2; half >= 2; half /= 2) {
        if (transform_ == Transform::haar) split_haar(samples.data(), half, one_.data());
        if (transform_ == Transform::d4) split_d4(samples.data(), half, one_.data());
        if (transform_ == Transform::cdf97) split_cdf97(samples.data(), half, one_.data());
        std::copy_n(one_.begin(), 2 * half, samples.begin());
    }
}

}  // namespace effigy::xsm
