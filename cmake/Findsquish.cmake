# Defines squish::squish.

find_path(squish_INCLUDE_DIR squish.h)
find_library(squish_LIBRARY squish)
mark_as_advanced(squish_INCLUDE_DIR squish_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(squish REQUIRED_VARS squish_LIBRARY squish_INCLUDE_DIR)

if(squish_FOUND AND NOT TARGET squish::squish)
    add_library(squish::squish UNKNOWN IMPORTED)
    set_target_properties(squish::squish PROPERTIES
        IMPORTED_LOCATION "${squish_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${squish_INCLUDE_DIR}")
    if(squish_LIBRARY MATCHES "\\.a$" AND NOT EMSCRIPTEN)
        set_target_properties(squish::squish PROPERTIES INTERFACE_LINK_LIBRARIES gomp)
    endif()
endif()
