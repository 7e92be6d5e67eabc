/// effigy build: from a dump back to a file.

#include <fstream>
#include <iterator>

#include "common.hpp"

namespace effigy::app {

namespace {

struct Options {
    CommonOptions common;
    std::string path;
    std::string output;
    bool normalize = false;
    bool fsync = false;
};

Result<std::string> read_text(const std::string& path, const Limits& limits) {
    if (path == "-") {
        const Result<Bytes> bytes = read_standard_input(limits);
        if (!bytes) return fail(bytes.error());
        return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    std::error_code error;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, error)) {
        Diagnostic diagnostic;
        diagnostic.code = "input-open";
        diagnostic.file = path;
        diagnostic.message = "the dump cannot be opened";
        return fail(std::move(diagnostic));
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

int report_failure(Diagnostic failure, const std::string& file) {
    if (failure.file.empty()) failure.file = file;
    print_error(to_string(failure));
    return exit_code_of(failure);
}

int run(const Options& options) {
    const Result<std::string> text = read_text(options.path, options.common.limits);
    if (!text) return report_failure(text.error(), options.path);
    const Result<Document> document = build(*text, options.normalize, options.common.limits);
    if (!document) {
        const int code = report_failure(document.error(), options.path);
        return document.error().code == "build-json" ? exit_code::unreadable : code;
    }
    const auto done = document->write_file(options.output, {options.normalize, options.fsync});
    return done ? exit_code::fine : report_failure(done.error(), options.output);
}

}  // namespace

void add_build(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = program.add_subcommand("build", "Make a file from a dump, edited or not");
    verb->add_option("DUMP", options->path, "JSON made by `effigy dump --json`; - is standard input")->required();
    verb->add_option("-o,--output", options->output, "The file to write; - is standard output")->required();
    verb->add_flag("--normalize", options->normalize, "Make counts and declared lengths true after an edit");
    verb->add_flag("--fsync", options->fsync, "Flush to the device before the file takes its name");
    verb->add_option("--limit-memory", options->common.limits.memory, "Most memory for the file, e.g. 2GB")->transform(CLI::AsSizeValue(false));
    verb->footer("Example: effigy dump a.xac --json | effigy build - -o copy.xac");
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
