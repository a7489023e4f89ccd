# Compiles through ccache where it is installed and no other launcher was chosen. Paths are relative to
# the source tree, so the build of pip, which has another build folder, finds what `make` compiled.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE)
  foreach(language IN ITEMS C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
          CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    endif()
  endforeach()
endif()
