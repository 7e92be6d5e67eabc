#pragma once
/// What every function of the C interface shares: objects, results, settings, and no exception across the edge.

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/convert.hpp"
#include "effigy/effigy.h"

namespace effigy::c {

using Json = nlohmann::ordered_json;

/// What effigy_free() frees.
struct Object {
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
};

}  // namespace effigy::c

struct effigy_document final : effigy::c::Object {
    explicit effigy_document(effigy::Document document) : file(std::move(document)) {}
    effigy::Document file;
};

struct effigy_scene final : effigy::c::Object {
    explicit effigy_scene(effigy::Scene made) : scene(std::move(made)) {}
    effigy::Scene scene;
};

struct effigy_result final : effigy::c::Object {
    effigy_status_code status = EFFIGY_OK;
    effigy::Report report;
    std::string error, findings, text;
    effigy::Bytes data;
    std::vector<std::string> names;  ///< of files
    std::vector<effigy::Bytes> contents;
    std::unique_ptr<effigy_document> document;
    std::unique_ptr<effigy_scene> scene;
};

struct effigy_sink {
    std::vector<effigy::Bytes> taken;
};

namespace effigy::c {

[[nodiscard]] Json report_json(const Report& report);
/// Indented; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string text_of(const Json& json);
[[nodiscard]] Diagnostic usage_error(std::string message);

/// The settings of one call. Options are taken by name; what is left over is a switch, or wrong.
class Call {
public:
    explicit Call(const effigy_settings* settings);

    [[nodiscard]] bool flag(const char* name, bool fallback = false);
    [[nodiscard]] double number(const char* name, double fallback, double min, double max);
    /// Null if it was not given.
    [[nodiscard]] std::unique_ptr<std::string> text(const char* name);
    [[nodiscard]] Limits limits();
    [[nodiscard]] bool in_memory() const noexcept { return settings_.in_memory != 0; }

    /// Fails if an option is left over: for functions that know no switches.
    [[nodiscard]] Result<void> finish() const;
    /// All that is left over as switches, and the callbacks. `noticed` gets what was found before a failure.
    [[nodiscard]] Result<ConvertOptions> conversion(Report& noticed);

private:
    [[nodiscard]] Files files() const;

    effigy_settings settings_{};
    Json options_ = Json::object();
};

[[nodiscard]] InputFile to_input(const effigy_input& input);

/// Gives the result its status, or NULL's stand-in where there is no memory for one.
effigy_result* finished(std::unique_ptr<effigy_result> result, Result<void> done);
effigy_result* no_memory() noexcept;

/// Runs what fills a result in; whatever goes wrong becomes its status.
template <class Function>
effigy_result* answer(Function&& function) noexcept {
    try {
        auto result = std::make_unique<effigy_result>();
        Result<void> done;
        try {
            done = function(*result);
        } catch (const nlohmann::json::exception& problem) {
            const std::string_view text = problem.what();  // "[json.exception...] " and what is wrong
            done = fail(usage_error("the options are wrong: " + std::string(text.substr(text.find(']') + 2))));
        }
        return finished(std::move(result), std::move(done));
    } catch (const std::exception&) {  // nothing but containers throws, when memory ends
        return no_memory();
    }
}

}  // namespace effigy::c
