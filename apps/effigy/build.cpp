/// effigy build: from a dump back to a file.

#include <fstream>
#include <iterator>

#include "effigy/core_codes.hpp"

#include "common.hpp"

namespace effigy::app {

namespace {

struct BuildArguments {
    CommonOptions common;
    std::string path;
    std::string output;
    bool normalize = false;
    bool fsync = false;
};

Result<std::string> read_text(const std::string& path, const Limits& limits) {
    if (path == "-") {
        const Result<Bytes> bytes = read_standard_input(limits, true);
        if (!bytes) return fail(bytes.error());
        return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, error))
        return fail(make_finding(codes::input_open, path, "the dump cannot be opened"));
    if (limits.memory != 0 && std::filesystem::file_size(path, error) > limits.memory && !error) {
        return fail(
            make_finding(codes::limit_memory, path, "the dump is larger than the limit; raise it with --limit-memory"));
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

int run_build(const BuildArguments& options) {
    if (is_same_file(options.path, options.output))
        return fail_usage("build", "the output is the dump itself; inputs are never changed");
    const Result<std::string> text = read_text(options.path, options.common.limits);
    if (!text) return fail_with(text.error());
    Result<Document> document = build(*text, options.normalize, options.common.limits);
    if (!document) {
        if (document.error().file.empty()) document.error().file = options.path;
        const int code = fail_with(document.error());
        return document.error().code == codes::build_json ? exit_code::unreadable : code;
    }
    if (cancelled())
        return fail_with(make_finding(codes::limit_cancelled, options.output, "cancelled; nothing was written"));
    auto done = document->write_file(options.output, {options.normalize, options.fsync});
    if (done) return exit_code::fine;
    if (done.error().file.empty()) done.error().file = options.output;
    return fail_with(done.error());
}

constexpr const char* build_footer =
    "An unedited dump gives the very same bytes. After an edit that changes sizes or adds elements,\n"
    "--normalize corrects the counts and lengths; without it they must be right.\n"
    "\n"
    "Examples:\n"
    "  effigy dump soldier.xac --json | effigy build - -o copy.xac\n"
    "  effigy build soldier.json -o edited.xac --normalize";

}  // namespace

void add_build(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_build, "build", "Make a file from a dump, edited or not.", build_footer);
    verb->add_option("DUMP", options->path, "JSON made by `effigy dump --json`; - is standard input")->required();
    verb->add_option("-o,--output", options->output, "The file to write; - is standard output")
        ->required()
        ->option_text("FILE");
    verb->add_flag("--normalize", options->normalize, "Make counts and declared lengths true after an edit");
    verb->add_flag("--fsync", options->fsync, "Flush to the device before the file takes its name");
    options->common.add_limit(*verb);
    options->common.add_quiet(*verb);
}

}  // namespace effigy::app
