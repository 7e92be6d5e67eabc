// A model and its motions become one GLB: first_use figure.xac walk.xsm figure.glb

#include <cstdio>
#include <vector>

#include "effigy/effigy.hpp"

int main(int count, char** arguments) {
    if (count < 3) return std::puts("usage: first_use MODEL [MOTION]... OUTPUT"), 2;
    const std::vector<effigy::InputFile> inputs(arguments + 1, arguments + count - 1);
    const auto done = effigy::convert(inputs, arguments[count - 1]);
    if (!done) return std::puts(to_string(done.error()).c_str()), 1;
    for (const auto& lost : done->report.diagnostics()) std::puts(to_string(lost).c_str());
}
