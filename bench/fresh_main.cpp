/// The program of benchmarks whose large blocks are fresh ones each time, as those of a process that reads one model.

#include <benchmark/benchmark.h>
#include <malloc.h>

int main(int argc, char** argv) {
    // Without this, blocks are fresh or used ones by chance, which makes a difference of up to five times.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
