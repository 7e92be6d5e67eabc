# Defines minizip::minizip, zlib's own reader and writer of ZIP. (Debian's package brings no CMake files.)

find_path(minizip_INCLUDE_DIR minizip/unzip.h)
find_library(minizip_LIBRARY minizip)
mark_as_advanced(minizip_INCLUDE_DIR minizip_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(minizip REQUIRED_VARS minizip_LIBRARY minizip_INCLUDE_DIR)

if(minizip_FOUND AND NOT TARGET minizip::minizip)
    add_library(minizip::minizip UNKNOWN IMPORTED)
    set_target_properties(minizip::minizip PROPERTIES
        IMPORTED_LOCATION "${minizip_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${minizip_INCLUDE_DIR}")
endif()
