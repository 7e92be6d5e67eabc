/// The C interface's results, as their owner reads them.

#include "c/call.hpp"

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
