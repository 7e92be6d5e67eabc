/// Which keys of a track are needed so that linear interpolation stays within an error.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "scene/between_keys.hpp"
#include "scene/keys.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace {

/// Walks from one kept key to the farthest one that the keys between do not miss. Lengths are doubled until one fails
/// and then halved, so that each key is looked at a number of times that grows with the logarithm of a length only.
class Thinner {
public:
    Thinner(std::span<const float> times, std::span<const float> values, TrackPath path, std::size_t components,
            RotationRule rule, double max_error, std::span<const float> max_errors, bool only_whole)
        : times_(times),
          values_(values),
          path_(path),
          components_(components),
          rule_(rule),
          max_error_(max_error),
          max_errors_(max_errors),
          only_whole_(only_whole),
          mixed_(components),
          wanted_(components) {}

    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> kept{0};
        const std::size_t last = times_.size() - 1;
        for (std::size_t key = 0; key < last;) {
            key = farthest(key, last);
            kept.push_back(static_cast<std::uint32_t>(key));
        }
        return kept;
    }

private:
    std::size_t farthest(std::size_t from, std::size_t last) {
        std::size_t good = from + 1;  // nothing lies between
        std::size_t bad = last + 1;
        for (std::size_t length = 2; good < last; length *= 2) {
            const std::size_t end = std::min(from + length, last);
            if (!fits(from, end)) {
                bad = end;
                break;
            }
            good = end;
        }
        while (good + 1 < bad) {
            const std::size_t middle = good + (bad - good) / 2;
            (fits(from, middle) ? good : bad) = middle;
        }
        return std::min(good, last);
    }

    bool fits(std::size_t from, std::size_t to) {
        const BetweenKeys between(key(from), key(to), path_, rule_);
        const double begin = times_[from];
        const double length = static_cast<double>(times_[to]) - begin;
        for (std::size_t i = from + 1; i < to; ++i) {
            between.at((static_cast<double>(times_[i]) - begin) / length, mixed_);
            if (!is_close(key(i), max_error_at(i))) return false;
        }
        return fits_between(between, from, to);
    }

    /// Keys in the middle of a rotation are met however unevenly it runs from them and to them.
    bool fits_between(const BetweenKeys& between, std::size_t from, std::size_t to) {
        constexpr double precision = 1e-6;
        const double unevenness = between.unevenness();
        if (unevenness <= precision / 4) return true;  // as all but rotations are
        const double begin = times_[from];
        const double length = static_cast<double>(times_[to]) - begin;
        for (std::size_t i = from; i < to; ++i) {
            const double max_error = std::max({max_error_at(i), max_error_at(i + 1), precision});
            const double start = times_[i], seconds = static_cast<double>(times_[i + 1]) - start;
            if (unevenness <= max_error / 4 || (only_whole_ && seconds <= 1)) continue;
            const BetweenKeys step(key(i), key(i + 1), path_, rule_);
            for (const double part : {0.25, 0.5, 0.75}) {
                const double time = only_whole_ ? std::round(start + part * seconds) : start + part * seconds;
                if (time <= start || time >= start + seconds) continue;
                between.at((time - begin) / length, mixed_);
                step.at((time - start) / seconds, wanted_);
                if (!(difference_of(path_, mixed_, wanted_) <= max_error)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] double max_error_at(std::size_t key) const {
        return max_errors_.empty() ? max_error_ : static_cast<double>(max_errors_[key]);
    }

    bool is_close(std::span<const float> value, double max_error) {
        if (max_error > 0) {
            std::copy(value.begin(), value.end(), wanted_.begin());
            return difference_of(path_, mixed_, wanted_) <= max_error;
        }
        return std::equal(value.begin(), value.end(), mixed_.begin(),
                          [](float wanted, double mixed) { return wanted == narrow(mixed); });
    }

    [[nodiscard]] std::span<const float> key(std::size_t index) const {
        return values_.subspan(index * components_, components_);
    }

    std::span<const float> times_, values_;
    TrackPath path_;
    std::size_t components_;
    RotationRule rule_;
    double max_error_;
    std::span<const float> max_errors_;  ///< of each key, if they differ
    bool only_whole_;
    std::vector<double> mixed_, wanted_;
};

std::vector<std::uint32_t> kept_keys(std::span<const float> times, std::span<const float> values, TrackPath path,
                                     std::size_t components, RotationRule rule, double max_error,
                                     std::span<const float> max_errors, bool only_whole) {
    if (path == TrackPath::rotation && components != 4) return {};
    const std::size_t count = components == 0 ? 0 : std::min(times.size(), values.size() / components);
    if (count == 0) return {};
    return Thinner(times.first(count), values, path, components, rule, max_error, max_errors, only_whole).run();
}

}  // namespace

std::vector<std::uint32_t> keys_to_keep(std::span<const float> times, std::span<const float> values, TrackPath path,
                                        std::size_t components, RotationRule rule, double max_error, bool only_whole) {
    return kept_keys(times, values, path, components, rule, max_error, {}, only_whole);
}

std::vector<std::uint32_t> keys_to_keep(std::span<const float> times, std::span<const float> values, TrackPath path,
                                        std::size_t components, RotationRule rule, std::span<const float> max_errors) {
    return kept_keys(times.first(std::min(times.size(), max_errors.size())), values, path, components, rule, 0,
                     max_errors, false);
}

}  // namespace effigy
