# The libraries whose own build files do not cross-compile: third_party.sh takes this as a CMakeLists.txt.
cmake_minimum_required(VERSION 3.25)
project(rest C)

file(GLOB z "${SOURCES}/zlib/*.c")
add_library(z STATIC ${z})
target_compile_definitions(z PRIVATE HAVE_UNISTD_H=1 Z_HAVE_UNISTD_H=1)
install(FILES "${SOURCES}/zlib/zlib.h" "${SOURCES}/zlib/zconf.h" TYPE INCLUDE)

file(GLOB gif "${SOURCES}/giflib/*.c")
list(FILTER gif INCLUDE REGEX "/(dgif_lib|egif_lib|gifalloc|gif_err|gif_hash|openbsd-reallocarray|quantize)\\.c$")
add_library(gif STATIC ${gif})
install(FILES "${SOURCES}/giflib/gif_lib.h" TYPE INCLUDE)

file(GLOB deflate "${SOURCES}/libdeflate/lib/*.c")
add_library(deflate STATIC ${deflate})
target_include_directories(deflate PRIVATE "${SOURCES}/libdeflate")
install(FILES "${SOURCES}/libdeflate/libdeflate.h" TYPE INCLUDE)

file(WRITE "${CMAKE_BINARY_DIR}/libmd/config.h" "#define HAVE_ENDIAN_H 1\n")
add_library(md STATIC "${SOURCES}/libmd/src/md5.c")
target_include_directories(md PRIVATE "${SOURCES}/libmd/include" "${CMAKE_BINARY_DIR}/libmd")
install(FILES "${SOURCES}/libmd/include/md5.h" TYPE INCLUDE)

set(minizip "${SOURCES}/minizip")
if(EXISTS "${minizip}/contrib/minizip")
    set(minizip "${minizip}/contrib/minizip")
endif()
add_library(minizip STATIC "${minizip}/ioapi.c" "${minizip}/unzip.c" "${minizip}/zip.c")
target_include_directories(minizip PRIVATE "${SOURCES}/zlib")
target_compile_definitions(minizip PRIVATE USE_FILE32API)
install(FILES "${minizip}/ioapi.h" "${minizip}/unzip.h" "${minizip}/zip.h" DESTINATION include/minizip)

file(GLOB qhull "${SOURCES}/qhull/src/libqhull_r/*.c")
add_library(qhull_r STATIC ${qhull})
target_include_directories(qhull_r PRIVATE "${SOURCES}/qhull/src")
install(DIRECTORY "${SOURCES}/qhull/src/libqhull_r" TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

install(TARGETS z gif deflate md minizip qhull_r DESTINATION lib)
