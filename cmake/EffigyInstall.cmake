# The installable package: find_package(effigy) and pkg-config.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/effigy")

# What is installed together finds itself, wherever that is.
set_target_properties(effigy_c PROPERTIES INSTALL_RPATH "\$ORIGIN")
install(TARGETS effigy effigy_c EXPORT effigy INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/effigy" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT effigy NAMESPACE effigy:: FILE effigyTargets.cmake DESTINATION "${package_dir}")
if(TARGET effigy_program)
    # Alone it looks for none of ours: a path here would have the loader search the working directory in the build tree.
    if(BUILD_SHARED_LIBS)
        file(RELATIVE_PATH to_libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
        set_target_properties(effigy_program PROPERTIES INSTALL_RPATH "\$ORIGIN/${to_libraries}")
    endif()
    install(TARGETS effigy_program)
    # The page that `effigy view` puts files into, if `./dev web` has built it.
    install(FILES "${PROJECT_SOURCE_DIR}/build/web/effigy.html" DESTINATION "${CMAKE_INSTALL_DATADIR}/effigy"
        RENAME view.html OPTIONAL)
    # What desktops need to show models: types by magic, thumbnails, an entry that calls `effigy view`.
    install(FILES "${PROJECT_SOURCE_DIR}/desktop/effigy.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
    install(FILES "${PROJECT_SOURCE_DIR}/desktop/effigy.thumbnailer"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/thumbnailers")
    install(FILES "${PROJECT_SOURCE_DIR}/desktop/org.effigy.Effigy.desktop"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${PROJECT_SOURCE_DIR}/desktop/org.effigy.Effigy.metainfo.xml"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
    install(FILES "${PROJECT_SOURCE_DIR}/web/gallery/icon.svg"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" RENAME org.effigy.Effigy.svg)
endif()

configure_package_config_file(cmake/effigyConfig.cmake.in cmake/effigyConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(cmake/effigyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/cmake/effigyConfig.cmake"
    "${PROJECT_BINARY_DIR}/cmake/effigyConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findlibdeflate.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findlibmd.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findminizip.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/Findsquish.cmake"
    DESTINATION "${package_dir}")

# A static library leaves its own libraries to whoever links it; a shared one has them already.
# libsquish is named as a library, because its .pc file points to an include folder that does not exist, and
# meshoptimizer because it has none.
set(link_packages "zlib libpng libjpeg libwebpmux libgif pugixml libdeflate libmd minizip draco qhull_r")
set(link_libraries "-lsquish -lmeshoptimizer -ldl -lstdc++ -lm")
if(BUILD_SHARED_LIBS)
    set(EFFIGY_PC_LINK "Libs: -L\${libdir} -leffigy")
else()
    set(EFFIGY_PC_LINK "Requires: ${link_packages}\nLibs: -L\${libdir} -leffigy ${link_libraries}")
endif()
file(RELATIVE_PATH EFFIGY_PC_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
set(EFFIGY_PC_PREFIX "\${pcfiledir}/${EFFIGY_PC_TO_PREFIX}")
set(EFFIGY_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(EFFIGY_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/effigy.pc.in cmake/effigy.pc @ONLY)
configure_file(cmake/effigy-c.pc.in cmake/effigy-c.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cmake/effigy.pc" "${PROJECT_BINARY_DIR}/cmake/effigy-c.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
# pkg-config takes this one for effigy where PKG_CONFIG_PATH names the build tree.
set(EFFIGY_PC_PREFIX "${PROJECT_SOURCE_DIR}")
set(EFFIGY_PC_LIBDIR "\${pcfiledir}")
set(EFFIGY_PC_INCLUDEDIR "\${prefix}/include")
configure_file(cmake/effigy.pc.in effigy-uninstalled.pc @ONLY)
