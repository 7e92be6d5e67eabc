/// The C interface's faithful files: recognise, open, say, check, write.

#include "c/call.hpp"
#include "core/text.hpp"

namespace effigy::c {

namespace {

std::span<const std::byte> bytes_of(const effigy_input& input) {
    return {static_cast<const std::byte*>(input.bytes), input.size};
}

Result<Loaded<Document>> open(const effigy_input& input, const ConvertOptions& options) {
    const std::string path = input.path == nullptr ? "" : input.path;
    if (input.bytes != nullptr) return open_bytes(bytes_of(input), path, {options.limits});
    if (!options.files.read) return open_file(path, {options.limits});
    const auto bytes = options.files.read(path);
    return bytes ? open_bytes(*bytes, path, {options.limits}) : fail(bytes.error());
}

Result<void> take(effigy_result& result, Result<std::string> text) {
    if (!text) return fail(std::move(text.error()));
    result.text = std::move(*text);
    return {};
}

const Diagnostic no_document = usage_error("there is no document");

}  // namespace

}  // namespace effigy::c

using namespace effigy;

effigy_result* effigy_formats(void) {
    return c::answer([](effigy_result& result) -> Result<void> { return c::take(result, formats_json()); });
}

effigy_result* effigy_recognize(const void* head, size_t size, const char* name) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (head == nullptr && size != 0) return fail(c::usage_error("there are no bytes"));
        const Recognition found = recognize({static_cast<const std::byte*>(head), size}, name == nullptr ? "" : name);
        c::Json json{{"format", found.format == nullptr ? c::Json() : c::Json(found.format->id)}};
        if (found.format == nullptr && !found.foreign.empty()) json["foreign"] = found.foreign;
        result.text = c::text_of(json);
        return {};
    });
}

effigy_result* effigy_open(const effigy_input* input, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (input == nullptr || (input->path == nullptr && input->bytes == nullptr))
            return fail(c::usage_error("there is no input"));
        const auto options = c::Call(settings).conversion(result.report);
        if (!options) return fail(options.error());
        auto loaded = c::open(*input, *options);
        if (!loaded) return fail(std::move(loaded.error()));
        result.report.append(std::move(loaded->report));
        result.document = std::make_unique<effigy_document>(std::move(loaded->value));
        return {};
    });
}

effigy_result* effigy_build(const char* dump, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (dump == nullptr) return fail(c::usage_error("there is no dump"));
        c::Call call(settings);
        const bool normalize = call.flag("normalize");
        const Limits limits = call.limits();
        if (auto finished = call.finish(); !finished) return finished;
        auto document = build(dump, normalize, limits);
        if (!document) return fail(std::move(document.error()));
        result.document = std::make_unique<effigy_document>(std::move(*document));
        return {};
    });
}

const char* effigy_document_format(const effigy_document* document) {
    return document == nullptr ? "" : document->file.format().id.data();  // a literal, which ends with a zero
}

effigy_result* effigy_info(const effigy_document* document, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (document == nullptr) return fail(c::no_document);
        c::Call call(settings);
        InfoOptions options;
        if (const auto encoding = call.text("encoding")) {
            if (!is_known_encoding(*encoding))
                return fail(c::usage_error("the code page " + *encoding + " is not known"));
            options.encoding = *encoding;
        }
        if (auto finished = call.finish(); !finished) return finished;
        return c::take(result, document->file.info(options));
    });
}

effigy_result* effigy_check(const effigy_document* document, const effigy_document* model,
                            const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (document == nullptr) return fail(c::no_document);
        c::Call call(settings);
        CheckContext context;
        context.model = model == nullptr ? nullptr : &model->file;
        context.limits = call.limits();
        if (auto finished = call.finish(); !finished) return finished;
        result.report = document->file.check(context);
        return {};
    });
}

effigy_result* effigy_dump(const effigy_document* document, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (document == nullptr) return fail(c::no_document);
        c::Call call(settings);
        const bool hex = call.flag("hex");
        const DumpOptions options{call.flag("expand"), call.limits()};
        if (auto finished = call.finish(); !finished) return finished;
        return c::take(result, hex ? document->file.hex_map(options) : document->file.dump(options));
    });
}

effigy_result* effigy_write(const effigy_document* document, const effigy_settings* settings) {
    return c::answer([&](effigy_result& result) -> Result<void> {
        if (document == nullptr) return fail(c::no_document);
        c::Call call(settings);
        const WriteOptions options{call.flag("normalize")};
        if (auto finished = call.finish(); !finished) return finished;
        auto bytes = document->file.write(options);
        if (!bytes) return fail(std::move(bytes.error()));
        result.data = std::move(*bytes);
        return {};
    });
}
