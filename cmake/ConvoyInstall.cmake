# What other builds find in the install tree: the CMake package `convoy`, the pkg-config file.
#
# A library joins with install(TARGETS … EXPORT convoy) and is then convoy::<target>. The
# package has no dependencies to find: what the libraries use stays inside them.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/convoy)
install(EXPORT convoy NAMESPACE convoy:: FILE convoyConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/convoyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/convoyConfigVersion.cmake DESTINATION ${package_dir})

# The dynamic linker searches /usr and /usr/local; programs need the path of any other prefix, which
# is known when the tree is installed.
set(CONVOY_RPATH "")
configure_file(${PROJECT_SOURCE_DIR}/cmake/convoy.pc.in ${PROJECT_BINARY_DIR}/pc/system/convoy.pc
               @ONLY)
set(CONVOY_RPATH " -Wl,-rpath,\${libdir}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/convoy.pc.in ${PROJECT_BINARY_DIR}/pc/other/convoy.pc
               @ONLY)
install(CODE "
  set(kind other)
  if(CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?$\")
    set(kind system)
  endif()
  file(INSTALL \"${PROJECT_BINARY_DIR}/pc/\${kind}/convoy.pc\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")")
