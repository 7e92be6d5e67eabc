# Where Draco has no shared library, its package calls the static one just draco.
find_package(draco CONFIG REQUIRED)
if(NOT TARGET draco::draco_static)
    add_library(draco::draco_static INTERFACE IMPORTED)
    target_link_libraries(draco::draco_static INTERFACE draco::draco)
endif()
