# What tests of the CUDA front end link: convoy_cuda_ours for Convoy's headers and, where those are
# installed, convoy_cuda_theirs for NVIDIA's. The library is the same.
find_path(CUDA_HEADERS cuda_runtime_api.h PATHS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include
          NO_DEFAULT_PATH)
find_library(NVIDIA_CUDART libcudart.so.13 PATHS ENV CUDA_PATH /usr/local/cuda
             PATH_SUFFIXES lib64 lib NO_DEFAULT_PATH)

add_library(convoy_cuda_tests INTERFACE)
target_compile_definitions(convoy_cuda_tests INTERFACE
  CONVOY_CUDA_ERRORS="${CMAKE_CURRENT_SOURCE_DIR}/semantics/cuda/errors.tsv"
  CONVOY_NVIDIA_CUDART="${NVIDIA_CUDART}")
target_link_libraries(convoy_cuda_tests INTERFACE ${CMAKE_DL_LIBS})

add_library(convoy_cuda_ours INTERFACE)
target_link_libraries(convoy_cuda_ours INTERFACE convoy_cuda_tests convoy::cudart)

if(CUDA_HEADERS)
  add_library(convoy_cuda_theirs INTERFACE)
  # Convoy's own header for kernels is in the same folder as those it replaces.
  configure_file(${PROJECT_SOURCE_DIR}/compat/cuda/include/convoy_kernels.h
                 ${CMAKE_CURRENT_BINARY_DIR}/cuda_own/convoy_kernels.h COPYONLY)
  target_include_directories(convoy_cuda_theirs INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/cuda_own)
  target_include_directories(convoy_cuda_theirs SYSTEM INTERFACE ${CUDA_HEADERS})
  target_link_libraries(convoy_cuda_theirs INTERFACE convoy_cuda_tests $<TARGET_FILE:cudart>)
else()
  add_test(NAME semantics.cuda.nvidia_headers
           COMMAND ${CMAKE_COMMAND} -E echo "skipped: NVIDIA's CUDA headers are not installed")
  set_tests_properties(semantics.cuda.nvidia_headers PROPERTIES SKIP_REGULAR_EXPRESSION skipped)
endif()
