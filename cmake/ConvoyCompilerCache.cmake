# Compiles through ccache where it is installed and no other launcher was chosen. The build folder is
# not part of the key, so the build of pip, which has another one, finds what `make` compiled.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE)
  foreach(language IN ITEMS C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
          ${CCACHE})
    endif()
  endforeach()
endif()
