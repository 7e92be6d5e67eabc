# Defines Qhull::qhull_r, as Qhull's own package does.
find_library(EFFIGY_QHULL_LIBRARY qhull_r REQUIRED)
if(NOT TARGET Qhull::qhull_r)
    add_library(Qhull::qhull_r STATIC IMPORTED)
    set_target_properties(Qhull::qhull_r PROPERTIES IMPORTED_LOCATION "${EFFIGY_QHULL_LIBRARY}")
    target_include_directories(Qhull::qhull_r SYSTEM INTERFACE "${EFFIGY_WEB_PREFIX}/include")
endif()
set(Qhull_FOUND TRUE)
