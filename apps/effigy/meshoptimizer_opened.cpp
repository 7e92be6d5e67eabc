/// meshoptimizer opened at its first use. Debian has it as a shared library alone, which needs the shared C++ library:
/// loading both would be a third of a short run, and few runs compress.

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <meshoptimizer.h>

namespace {

/// Without the library the program ends as if the loader had missed it at the start.
void* function_of_library(const char* name) {
    static void* const library = dlopen(EFFIGY_MESHOPTIMIZER, RTLD_NOW | RTLD_LOCAL);
    if (void* const function = library == nullptr ? nullptr : dlsym(library, name)) return function;
    std::fprintf(stderr, "effigy: meshoptimizer cannot be used here: install it (Debian: libmeshoptimizer2d): %s\n",
                 dlerror());
    std::_Exit(127);
}

template <class Value, class... Parameters>
Value call(const char* name, Parameters... parameters) {
    return reinterpret_cast<Value (*)(Parameters...)>(function_of_library(name))(parameters...);
}

}  // namespace

size_t meshopt_encodeIndexBuffer(unsigned char* buffer, size_t buffer_size, const unsigned int* indices,
                                 size_t index_count) {
    return call<size_t>(__func__, buffer, buffer_size, indices, index_count);
}
size_t meshopt_encodeIndexBufferBound(size_t index_count, size_t vertex_count) {
    return call<size_t>(__func__, index_count, vertex_count);
}
void meshopt_encodeIndexVersion(int version) { call<void>(__func__, version); }
size_t meshopt_encodeIndexSequence(unsigned char* buffer, size_t buffer_size, const unsigned int* indices,
                                   size_t index_count) {
    return call<size_t>(__func__, buffer, buffer_size, indices, index_count);
}
size_t meshopt_encodeIndexSequenceBound(size_t index_count, size_t vertex_count) {
    return call<size_t>(__func__, index_count, vertex_count);
}
size_t meshopt_encodeVertexBuffer(unsigned char* buffer, size_t buffer_size, const void* vertices, size_t vertex_count,
                                  size_t vertex_size) {
    return call<size_t>(__func__, buffer, buffer_size, vertices, vertex_count, vertex_size);
}
size_t meshopt_encodeVertexBufferBound(size_t vertex_count, size_t vertex_size) {
    return call<size_t>(__func__, vertex_count, vertex_size);
}
void meshopt_encodeVertexVersion(int version) { call<void>(__func__, version); }
int meshopt_decodeIndexBuffer(void* destination, size_t index_count, size_t index_size, const unsigned char* buffer,
                              size_t buffer_size) {
    return call<int>(__func__, destination, index_count, index_size, buffer, buffer_size);
}
int meshopt_decodeIndexSequence(void* destination, size_t index_count, size_t index_size, const unsigned char* buffer,
                                size_t buffer_size) {
    return call<int>(__func__, destination, index_count, index_size, buffer, buffer_size);
}
int meshopt_decodeVertexBuffer(void* destination, size_t vertex_count, size_t vertex_size, const unsigned char* buffer,
                               size_t buffer_size) {
    return call<int>(__func__, destination, vertex_count, vertex_size, buffer, buffer_size);
}
void meshopt_decodeFilterOct(void* buffer, size_t count, size_t stride) { call<void>(__func__, buffer, count, stride); }
void meshopt_decodeFilterQuat(void* buffer, size_t count, size_t stride) {
    call<void>(__func__, buffer, count, stride);
}
void meshopt_decodeFilterExp(void* buffer, size_t count, size_t stride) { call<void>(__func__, buffer, count, stride); }
size_t meshopt_stripify(unsigned int* destination, const unsigned int* indices, size_t index_count, size_t vertex_count,
                        unsigned int restart_index) {
    return call<size_t>(__func__, destination, indices, index_count, vertex_count, restart_index);
}
size_t meshopt_stripifyBound(size_t index_count) { return call<size_t>(__func__, index_count); }
