# Libraries that Debian's packages have as archives, too, but whose targets are the shared ones; what is linked so is not
# needed again from the shared library.
target_link_libraries(effigy_program PRIVATE pugixml::static Qhull::qhullstatic_r squish::squish -l:libgomp.a)
target_link_options(effigy_program PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed)

# It is the only one that needs the shared C++ library.
get_target_property(kind meshoptimizer::meshoptimizer TYPE)
if(kind STREQUAL "SHARED_LIBRARY")
    target_sources(effigy_program PRIVATE effigy/meshoptimizer_opened.cpp)
    target_compile_definitions(effigy_program PRIVATE
        EFFIGY_MESHOPTIMIZER="$<TARGET_SONAME_FILE_NAME:meshoptimizer::meshoptimizer>")
    target_link_libraries(effigy_program PRIVATE meshoptimizer::meshoptimizer) # for its header
endif()
