/// Settings of the C interface as those of the library, and results with their status, as their owner reads them.

#include "c/call.hpp"

#include <cstddef>
#include <cstring>

#include "effigy/program_codes.hpp"

#include "core/problem.hpp"

namespace effigy::c {

namespace {

/// As the program's exit codes.
effigy_status_code status_of(const Diagnostic& failure) {
    const auto& code = failure.code;
    if (code == codes::out_of_memory) return EFFIGY_NO_MEMORY;
    if (codes::is_limit(code)) return EFFIGY_LIMIT;
    if (codes::is_usage(code)) return EFFIGY_USAGE;
    return is_unreadable(failure) || code == codes::file_missing ? EFFIGY_UNREADABLE : EFFIGY_FAILED;
}

Json finding_json(const Diagnostic& finding) {
    Json json{{"code", finding.code}, {"severity", to_string(finding.severity)}, {"message", finding.message}};
    if (!finding.file.empty()) json["file"] = finding.file;
    if (!finding.path.empty()) json["path"] = finding.path;
    if (finding.offset != no_offset) json["offset"] = finding.offset;
    if (finding.length != 0) json["length"] = finding.length;
    if (!finding.found.empty()) json["found"] = finding.found;
    if (!finding.expected.empty()) json["expected"] = finding.expected;
    return json;
}

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Bytes bytes_of(const void* data, std::size_t size) {
    Bytes bytes(size);
    if (size != 0) std::memcpy(bytes.data(), data, size);
    return bytes;
}

}  // namespace

Json report_json(const Report& report) {
    Json findings = Json::array(), suppressed = Json::object();
    for (const Diagnostic& finding : report.diagnostics()) findings.push_back(finding_json(finding));
    for (const auto& [code, count] : report.suppressed()) suppressed[code] = count;
    return {{"effigy_report", 1}, {"findings", std::move(findings)}, {"suppressed", std::move(suppressed)}};
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Diagnostic usage_error(std::string message) { return problem_at({}, codes::usage_option, std::move(message)); }

Call::Call(const effigy_settings* settings) {
    if (settings == nullptr) return;
    if (settings->struct_size < offsetof(effigy_settings, user))
        throw Json::other_error::create(501, "struct_size has to be sizeof(effigy_settings)", nullptr);
    std::memcpy(&settings_, settings, std::min(settings->struct_size, sizeof settings_));
    if (settings_.options != nullptr) options_ = Json::parse(settings_.options);
    if (!options_.is_object()) throw Json::other_error::create(501, "an object is needed", &options_);
}

bool Call::flag(const char* name, bool fallback) {
    const bool value = options_.value(name, fallback);
    options_.erase(name);
    return value;
}

double Call::number(const char* name, double fallback, double min, double max) {
    const double value = options_.value(name, fallback);
    if (!(value >= min && value <= max))
        throw Json::other_error::create(501, std::string(name) + " is out of its range", &options_);
    options_.erase(name);
    return value;
}

std::unique_ptr<std::string> Call::text(const char* name) {
    if (!options_.contains(name)) return nullptr;
    auto value = std::make_unique<std::string>(options_[name].get<std::string>());
    options_.erase(name);
    return value;
}

Limits Call::limits() {
    Limits limits;
    const char* const option = codes::limit_memory.name.data();  // the option is called as what it leads to
    limits.memory = static_cast<std::uint64_t>(number(option, 0, 0, 1e18));
    return limits;
}

Result<void> Call::finish() const {
    if (options_.empty()) return {};
    return fail(usage_error("there is no option " + options_.begin().key() + " here"));
}

Files Call::files() const {
    Files files;
    if (settings_.read_file == nullptr) return files;
    files.read = [settings = settings_](const std::string& name) -> Result<Bytes> {
        effigy_sink sink;
        if (settings.read_file(settings.user, name.c_str(), &sink) != 0 && !sink.taken.empty())
            return std::move(sink.taken.front());
        return fail(file_problem(name, codes::file_missing, "there is no such file"));
    };
    if (settings_.list_files == nullptr) return files;
    files.list = [settings = settings_] {
        effigy_sink sink;
        settings.list_files(settings.user, &sink);
        std::vector<std::string> names;
        for (const Bytes& name : sink.taken)
            names.emplace_back(reinterpret_cast<const char*>(name.data()), name.size());
        return names;
    };
    return files;
}

Result<ConvertOptions> Call::conversion(Report& noticed) {
    ConvertOptions options;
    options.limits = limits();
    for (const auto& [name, value] : options_.items()) {
        if (!value.is_array()) options.values.set(name, value_text(value));
        for (const Json& one : value.is_array() ? value : Json::array()) options.values.add(name, value_text(one));
    }
    if (auto checked = check_options(options.values, options.formats().options()); !checked)
        return fail(std::move(checked.error()));
    options.files = files();
    options.report_of_failure = &noticed;
    if (settings_.progress != nullptr) {
        options.progress = [settings = settings_](const Step& step) {
            return settings.progress(settings.user, std::string(step.what).c_str(), std::string(step.name).c_str(),
                                     step.done, step.total) != 0;
        };
    }
    return options;
}

InputFile to_input(const effigy_input& input) {
    const std::string path = input.path == nullptr ? "" : input.path;
    return input.bytes == nullptr ? InputFile(path) : InputFile(path, bytes_of(input.bytes, input.size));
}

effigy_result* finished(std::unique_ptr<effigy_result> result, Result<void> done) {
    if (!done) {
        result->status = status_of(done.error());
        result->error = to_string(done.error());
        result->report.add(std::move(done.error()));
    }
    result->findings = text_of(report_json(result->report));
    return result.release();
}

effigy_result* no_memory() noexcept {
    static effigy_result* const stand_in = [] {
        auto* const made = new (std::nothrow) effigy_result;
        if (made != nullptr) made->status = EFFIGY_NO_MEMORY;
        return made;
    }();
    return stand_in;
}

}  // namespace effigy::c

void effigy_put(effigy_sink* sink, const void* bytes, size_t size) {
    if (sink == nullptr || (bytes == nullptr && size != 0)) return;
    try {
        sink->taken.push_back(effigy::c::bytes_of(bytes, size));
    } catch (const std::exception&) {
        sink->taken.clear();  // as if the file were not there
    }
}

namespace {

const void* bytes_and_size(const effigy::Bytes& bytes, size_t* size) {
    if (size != nullptr) *size = bytes.size();
    return bytes.empty() ? nullptr : bytes.data();
}

const effigy::Bytes no_bytes;

}  // namespace

const char* effigy_version(void) { return EFFIGY_VERSION; }

effigy_status_code effigy_status(const effigy_result* result) {
    return result == nullptr ? EFFIGY_NO_MEMORY : result->status;
}

const char* effigy_error(const effigy_result* result) { return result == nullptr ? "" : result->error.c_str(); }

const char* effigy_findings(const effigy_result* result) { return result == nullptr ? "" : result->findings.c_str(); }

const char* effigy_text(const effigy_result* result) { return result == nullptr ? "" : result->text.c_str(); }

const void* effigy_data(const effigy_result* result, size_t* size) {
    return bytes_and_size(result == nullptr ? no_bytes : result->data, size);
}

size_t effigy_file_count(const effigy_result* result) { return result == nullptr ? 0 : result->names.size(); }

const char* effigy_file_name(const effigy_result* result, size_t index) {
    return index < effigy_file_count(result) ? result->names[index].c_str() : "";
}

const void* effigy_file_data(const effigy_result* result, size_t index, size_t* size) {
    const bool is_there = result != nullptr && index < result->contents.size();
    return bytes_and_size(is_there ? result->contents[index] : no_bytes, size);
}

effigy_document* effigy_take_document(effigy_result* result) {
    return result == nullptr ? nullptr : result->document.release();
}

effigy_scene* effigy_take_scene(effigy_result* result) { return result == nullptr ? nullptr : result->scene.release(); }

void effigy_free(void* object) {
    // Every object begins with its base, which is its only one.
    auto* const freed = static_cast<effigy::c::Object*>(object);
    if (freed != effigy::c::no_memory()) delete freed;
}
