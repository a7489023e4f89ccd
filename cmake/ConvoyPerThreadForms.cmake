# Sets OUT to the text of a header in one line, without default arguments.
function(_convoy_declarations out header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  string(REGEX REPLACE " CONVOY_CUDA_OR\\([^)]*\\)" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Sets RETURNS and PARAMETERS to those of a function. OLDER declares functions under their own
# names; HEADER declares `f_v2` and so on as `f`, as its macros map the names.
function(_convoy_signature function older header)
  string(REGEX REPLACE "_v[0-9]$" "" latest ${function})
  set(type "([A-Za-z_]+) ")
  set(list "\\(([^)]*)\\);")
  # The first branch that matches sets CMAKE_MATCH_<n>.
  if(older MATCHES "${type}${function}${list}")
  elseif(header MATCHES "${type}${function}${list}")
  elseif(NOT header MATCHES "${type}${latest}${list}")
    message(FATAL_ERROR "no header declares ${function}")
  endif()
  set(RETURNS ${CMAKE_MATCH_1} PARENT_SCOPE)
  string(REGEX REPLACE " *, *" ";" parameters "${CMAKE_MATCH_2}")
  set(PARAMETERS ${parameters} PARENT_SCOPE)
endfunction()

# Writes the per-thread forms of a library's functions, so that its sources have one form of each.
#
# CUDA exports most functions that use a stream twice. `f_ptsz` is `f` with the thread's default
# stream where the caller passes stream 0. `f_ptds` takes no stream: it is `f` on the thread's
# default stream instead of the legacy one. For these both forms are written, and the sources define
# convoy::cuda::on_default_stream::f, which takes the stream as its first parameter.
#
# LIST has the symbols. HEADER declares the functions, and OLDER those that HEADER has in a later
# form only. The sources define the symbols in DEFINED themselves.
function(convoy_per_thread_forms target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;LIST;HEADER;OLDER" "DEFINED")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_LIST})
  set(code "#include <convoy/export.hpp>\n#include \"${arg_HEADER}\"\n")
  _convoy_declarations(header ${arg_HEADER})
  set(older "")
  if(arg_OLDER)
    _convoy_declarations(older ${arg_OLDER})
    string(APPEND code "#include \"${arg_OLDER}\"\n")
  endif()
  string(APPEND code "#include \"state/handles.hpp\"\nusing namespace convoy::cuda;\n")

  file(STRINGS ${arg_LIST} symbols REGEX "_(ptsz|ptds)$")
  list(REMOVE_ITEM symbols ${arg_DEFINED})
  foreach(symbol IN LISTS symbols)
    string(REGEX REPLACE "_(ptsz|ptds)$" "" function ${symbol})
    _convoy_signature(${function} "${older}" "${header}")
    set(arguments ${PARAMETERS})
    list(TRANSFORM arguments REPLACE "^(cudaStream_t|CUstream) (.*)$" "per_thread(\\2)")
    list(TRANSFORM arguments REPLACE "^.*[ *]([A-Za-z0-9_]+)$" "\\1")
    list(JOIN arguments ", " arguments)
    list(JOIN PARAMETERS ", " parameters)
    set(declare "extern \"C\" CONVOY_EXPORT ${RETURNS}")
    if(symbol MATCHES "_ptsz$")
      string(APPEND code "${declare} ${symbol}(${parameters}) {\n"
                         "  return ${function}(${arguments});\n}\n")
    else()
      set(call "on_default_stream::${function}")
      string(APPEND code "namespace convoy::cuda::on_default_stream {\n"
                         "${RETURNS} ${function}(cudaStream_t stream, ${parameters});\n}\n"
                         "${declare} ${function}(${parameters}) {\n"
                         "  return ${call}(cudaStreamLegacy, ${arguments});\n}\n"
                         "${declare} ${symbol}(${parameters}) {\n"
                         "  return ${call}(cudaStreamPerThread, ${arguments});\n}\n")
    endif()
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_${arg_NAME}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${code}" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()
