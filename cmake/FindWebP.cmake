# Defines WebP::mux: libwebp's encoder with animations. (Debian's package brings no CMake files.)

find_path(WebP_INCLUDE_DIR webp/mux.h)
find_library(WebP_MUX_LIBRARY webpmux)
find_library(WebP_LIBRARY webp)
mark_as_advanced(WebP_INCLUDE_DIR WebP_MUX_LIBRARY WebP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_MUX_LIBRARY WebP_LIBRARY WebP_INCLUDE_DIR)

if(WebP_FOUND AND NOT TARGET WebP::mux)
    add_library(WebP::mux UNKNOWN IMPORTED)
    set_target_properties(WebP::mux PROPERTIES
        IMPORTED_LOCATION "${WebP_MUX_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${WebP_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${WebP_LIBRARY}")
endif()
