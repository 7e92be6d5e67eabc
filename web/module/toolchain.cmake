# Emscripten's toolchain, with what effigy needs of it: its libraries, and what the C++ library lacks (std/).
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

if(NOT EFFIGY_WEB_PREFIX)
    execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/third_party.sh" OUTPUT_VARIABLE EFFIGY_WEB_PREFIX
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(EFFIGY_WEB_PREFIX "${EFFIGY_WEB_PREFIX}" CACHE PATH "The libraries that effigy links, as WebAssembly")
endif()
list(APPEND CMAKE_FIND_ROOT_PATH "${EFFIGY_WEB_PREFIX}")
list(APPEND CMAKE_PREFIX_PATH "${EFFIGY_WEB_PREFIX}")
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/packages")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EFFIGY_WEB_PREFIX)

# As third_party.sh compiles: exceptions and longjmp are WebAssembly's own.
set(flags "-fwasm-exceptions -sSUPPORT_LONGJMP=wasm -msimd128")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags} -isystem ${CMAKE_CURRENT_LIST_DIR}/std")
