# How everything here is compiled, in one place.

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(CMAKE_CXX_EXTENSIONS OFF)

    find_program(EFFIGY_CCACHE ccache)
    if(EFFIGY_CCACHE AND NOT DEFINED ENV{CCACHE_DISABLE} AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${EFFIGY_CCACHE}")
    endif()
endif()

if(EFFIGY_BUILD_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "The fuzzers need clang: use the preset `fuzz`.")
endif()

# effigy_precompile(<target> <header>...): what nearly all of its sources include, compiled once. ccache, where it is used,
# would have to trust such headers, and saves more.
function(effigy_precompile target)
    if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        if("${ARGV1}" STREQUAL REUSE_FROM)
            target_precompile_headers(${target} ${ARGN})
        else()
            target_precompile_headers(${target} PRIVATE ${ARGN})
        endif()
        # g++ 12 forgets that precompiled headers are the system's, and warns of what strings do in themselves.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
    endif()
endfunction()

set(EFFIGY_COMMON_HEADERS
    <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <optional> <set> <span>
    <string> <string_view> <utility> <variant> <vector> <tl/expected.hpp> <nlohmann/json.hpp>)

# What reads, holds and checks files: the sources that meet damaged ones first.
set(EFFIGY_READING "/src/(core|scene|image|registry)/|/src/[a-z0-9]+/(file|read|to_scene|bind|game|check)/")

# effigy_group_by_folder(<target>): where sources are compiled several at once, those of a folder of src are, with its
# rooms; what reads apart from what does not. They include the same, and what is private to one has to differ from its
# neighbours' only.
function(effigy_group_by_folder target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src" OUTPUT_VARIABLE path)
        string(REGEX REPLACE "/.*" "" folder "${path}")
        if("/src/${path}" MATCHES "${EFFIGY_READING}")
            string(APPEND folder "_reading")
        endif()
        set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}")
    endforeach()
endfunction()

# effigy_compile_at_once(<target> [<source>...]): its sources as one, where sources are compiled several at once; those
# that are named stay alone, because their private names are others' too.
function(effigy_compile_at_once target)
    if(EFFIGY_UNITY)
        set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        effigy_allow_unity(${target})
    endif()
endfunction()

# g++ takes what is private to a source for visible in others, because it is included here.
function(effigy_allow_unity target)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

function(effigy_sanitize target)
    set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
    target_compile_options(${target} PRIVATE ${sanitizers} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE ${sanitizers})
    # The containers' own checks belong to the build that looks for such mistakes.
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
endfunction()

# Floats give the same on each machine, also on those that multiply and add in one instruction.
set(EFFIGY_SAME_FLOATS -ffp-contract=off)

# Warnings for one of the project's own targets, and instrumentation where the build asks for it.
function(effigy_compile_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow ${EFFIGY_SAME_FLOATS})
    set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ${EFFIGY_WERROR})
    if(EFFIGY_SANITIZE)
        effigy_sanitize(${target})
    endif()
    if(EFFIGY_BUILD_FUZZERS)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# The shared library again, as effigy_instrumented: what reads is compiled with sanitizers, the rest is the same objects.
# Its own come first, so that what both have inline is the instrumented one.
function(effigy_instrument_readers)
    get_target_property(libraries effigy LINK_LIBRARIES)
    get_target_property(sources effigy SOURCES)
    list(FILTER sources INCLUDE REGEX "${EFFIGY_READING}")
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    add_library(effigy_instrumented SHARED EXCLUDE_FROM_ALL ${sources}
        "$<FILTER:$<TARGET_OBJECTS:effigy>,EXCLUDE,_reading_cxx|${EFFIGY_READING}>")
    set_target_properties(effigy_instrumented PROPERTIES
        OUTPUT_NAME effigy
        SOVERSION ${PROJECT_VERSION_MAJOR}
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/instrumented"
        UNITY_BUILD ON
        UNITY_BUILD_MODE GROUP)
    target_compile_features(effigy_instrumented PRIVATE cxx_std_20)
    target_compile_definitions(effigy_instrumented PRIVATE "$<TARGET_PROPERTY:effigy,COMPILE_DEFINITIONS>")
    target_include_directories(effigy_instrumented PRIVATE "$<TARGET_PROPERTY:effigy,INCLUDE_DIRECTORIES>")
    target_link_libraries(effigy_instrumented PRIVATE ${libraries})
    target_link_options(effigy_instrumented PRIVATE "LINKER:-Bsymbolic-functions")
    target_compile_options(effigy_instrumented PRIVATE ${EFFIGY_SAME_FLOATS})
    effigy_sanitize(effigy_instrumented)
    # AddressSanitizer sees what is read or written there as well; looked for twice, it costs a fifth of the compilation.
    target_compile_options(effigy_instrumented PRIVATE -fno-sanitize=null,object-size)
    effigy_precompile(effigy_instrumented ${EFFIGY_COMMON_HEADERS})
endfunction()
