# How everything here is compiled, in one place.

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(CMAKE_CXX_EXTENSIONS OFF)

    find_program(EFFIGY_CCACHE ccache)
    if(EFFIGY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${EFFIGY_CCACHE}")
    endif()
endif()

if(EFFIGY_BUILD_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "The fuzzers need clang: use the preset `fuzz`.")
endif()

# Warnings for one of the project's own targets, and instrumentation where the build asks for it.
function(effigy_compile_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
    set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ${EFFIGY_WERROR})
    if(EFFIGY_SANITIZE)
        set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
        target_compile_options(${target} PRIVATE ${sanitizers} -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE ${sanitizers})
        # The containers' own checks belong to the build that looks for such mistakes.
        target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
    endif()
    if(EFFIGY_BUILD_FUZZERS)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()
