# What tests of the CUDA front end link: convoy_cuda_ours for Convoy's headers and, where those are
# installed, convoy_cuda_theirs for NVIDIA's. The library is the same.
find_path(CUDA_HEADERS cuda_runtime_api.h PATHS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include
          NO_DEFAULT_PATH)
find_library(NVIDIA_CUDART libcudart.so.13 PATHS ENV CUDA_PATH /usr/local/cuda
             PATH_SUFFIXES lib64 lib NO_DEFAULT_PATH)

add_library(convoy_cuda_tests INTERFACE)
target_compile_definitions(convoy_cuda_tests INTERFACE
  CONVOY_CUDA_NAMES="${CMAKE_CURRENT_SOURCE_DIR}/semantics/cuda/names.txt"
  CONVOY_CUDA_ERRORS="${CMAKE_CURRENT_SOURCE_DIR}/semantics/cuda/errors.tsv"
  CONVOY_NVIDIA_CUDART="${NVIDIA_CUDART}")
target_link_libraries(convoy_cuda_tests INTERFACE ${CMAKE_DL_LIBS})

# Plug-ins for kernels, good and bad.
file(GLOB plugins CONFIGURE_DEPENDS plugins/*.cpp)
foreach(source IN LISTS plugins)
  cmake_path(GET source STEM name)
  add_library(plugin_${name} MODULE ${source})
  set_target_properties(plugin_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/plugins)
  target_include_directories(plugin_${name} PRIVATE ${PROJECT_SOURCE_DIR}/compat/cuda/include)
  target_compile_options(plugin_${name} PRIVATE -fPIC)
  target_link_libraries(plugin_${name} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(convoy_cuda_tests plugin_${name})
endforeach()
target_compile_definitions(convoy_cuda_tests INTERFACE
  CONVOY_PLUGINS="${CMAKE_CURRENT_BINARY_DIR}/plugins")

add_library(convoy_cuda_ours INTERFACE)
target_link_libraries(convoy_cuda_ours INTERFACE convoy_cuda_tests convoy::cudart convoy::cuda)

if(CUDA_HEADERS)
  add_library(convoy_cuda_theirs INTERFACE)
  # Convoy's own header for kernels is in the same folder as those it replaces.
  configure_file(${PROJECT_SOURCE_DIR}/compat/cuda/include/convoy_kernels.h
                 ${CMAKE_CURRENT_BINARY_DIR}/cuda_own/convoy_kernels.h COPYONLY)
  target_include_directories(convoy_cuda_theirs INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/cuda_own)
  target_include_directories(convoy_cuda_theirs SYSTEM INTERFACE ${CUDA_HEADERS})
  target_link_libraries(convoy_cuda_theirs INTERFACE convoy_cuda_tests $<TARGET_FILE:cudart>
                        $<TARGET_FILE:cuda>)
else()
  add_test(NAME semantics.cuda.nvidia_headers
           COMMAND ${CMAKE_COMMAND} -E echo "skipped: NVIDIA's CUDA headers are not installed")
  set_tests_properties(semantics.cuda.nvidia_headers PROPERTIES SKIP_REGULAR_EXPRESSION skipped)
endif()

# Writes a line for each function that a drop-in library exports: CONVOY_FUNCTION(symbol, declared),
# where `declared` is the function with the same parameters, or CONVOY_UNSUPPORTED(symbol).
# DEFINED are unsupported ones that use their arguments.
function(convoy_list_exports file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEFINED")
  file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/cuda/*/exports.txt
       ${PROJECT_SOURCE_DIR}/compat/ascendcl/exports/*.txt)
  list(FILTER lists EXCLUDE REGEX "internal.txt$")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lists})
  set(code "")
  foreach(list IN LISTS lists)
    file(STRINGS ${list} lines REGEX "^[^#]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE " .*$" "" symbol ${line})
      if(line MATCHES " unsupported" AND NOT symbol IN_LIST arg_DEFINED)
        string(APPEND code "CONVOY_UNSUPPORTED(${symbol})\n")
      else()
        string(REGEX REPLACE "_pt[sd][sz]$" "" declared ${symbol})
        string(APPEND code "CONVOY_FUNCTION(${symbol}, ${declared})\n")
      endif()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${code}" @ONLY)
endfunction()
