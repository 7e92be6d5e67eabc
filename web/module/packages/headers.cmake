# Packages that consist of headers: the folder that third_party.sh makes has them, and not those of the machine's C library.
macro(effigy_headers package target)
    if(NOT TARGET ${target})
        add_library(${target} INTERFACE IMPORTED)
        target_include_directories(${target} SYSTEM INTERFACE "${EFFIGY_WEB_PREFIX}/include")
    endif()
    set(${package}_FOUND TRUE)
endmacro()
