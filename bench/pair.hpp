#pragma once
/// Measuring a subject against a reference in one run: both alternate, so that a machine that slows down slows both.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <vector>

namespace effigy::bench {

[[nodiscard]] inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[nodiscard]] inline double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Times {
    std::vector<double> subject, reference;  ///< seconds
};

enum class Ratio {
    speed,  ///< reference time / subject time: at least a goal
    time,   ///< subject time / reference time: at most a goal
};

/// Median, lower and upper quartile of the ratio pair by pair, and the goal beside them.
inline void report(benchmark::State& state, const Times& times, Ratio kind, double goal) {
    std::vector<double> ratios;
    for (std::size_t index = 0; index < times.subject.size(); ++index) {
        const double ratio = times.subject[index] / times.reference[index];
        ratios.push_back(kind == Ratio::time ? ratio : 1 / ratio);
    }
    state.counters["ratio"] = quantile(ratios, 0.5);
    state.counters["low"] = quantile(ratios, 0.25);
    state.counters["high"] = quantile(ratios, 0.75);
    state.counters[kind == Ratio::time ? "goal_at_most" : "goal_at_least"] = goal;
    state.counters["subject_ms"] = 1e3 * quantile(times.subject, 0.5);
    state.counters["reference_ms"] = 1e3 * quantile(times.reference, 0.5);
}

/// Runs both in turn for each iteration; the order alternates.
template <class Subject, class Reference>
void run_pair(benchmark::State& state, Ratio kind, double goal, Subject&& subject, Reference&& reference) {
    Times times;
    const auto time = [](auto& work) {
        const double start = now();
        work();
        return now() - start;
    };
    (void)time(subject);
    (void)time(reference);
    for (auto _ : state) {
        const bool subject_first = times.subject.size() % 2 == 0;
        if (subject_first) times.subject.push_back(time(subject));
        times.reference.push_back(time(reference));
        if (!subject_first) times.subject.push_back(time(subject));
        state.SetIterationTime(times.subject.back());
    }
    report(state, times, kind, goal);
}

}  // namespace effigy::bench
