# Limits what a library exports to its list, and tests that it exports all of it.
#
# A line of the list is a symbol, `symbol unsupported` for one that only answers that it is not
# there yet, `symbol unsupported null` if it has no error code to return, or `namespace N` for
# everything in a C++ namespace, `a::b` for one inside another. Hidden visibility alone is not enough:
# libstdc++ marks its templates as exported, so every instantiation would leak.
# With NODE, the symbols get that version; those of the list UNVERSIONED, C functions all, get none.
# The list INTERNAL names C functions for other libraries of Convoy.
function(convoy_exports target list)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NODE;UNVERSIONED;INTERNAL" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list} ${arg_INTERNAL})
  file(STRINGS ${list} lines REGEX "^[^#]")
  if(arg_INTERNAL)
    file(STRINGS ${arg_INTERNAL} internal REGEX "^[^#]")
    list(APPEND lines ${internal})
  endif()
  set(patterns "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^namespace (.+)$")
      # The mangled form of a::b is 1a1b.
      string(REPLACE "::" ";" levels ${CMAKE_MATCH_1})
      set(mangled "")
      foreach(level IN LISTS levels)
        string(LENGTH ${level} length)
        string(APPEND mangled ${length}${level})
      endforeach()
      # Functions and variables, const members, virtual tables and type information, thunks.
      foreach(prefix IN ITEMS _ZN _ZNK _ZT?N _ZT[hv]*_N)
        string(APPEND patterns "${prefix}${mangled}*;")
      endforeach()
    else()
      string(REGEX REPLACE " unsupported( null)?$" "" symbol ${line})
      string(APPEND patterns "${symbol};")
    endif()
  endforeach()
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  # The linker takes no second, nameless node beside a named one. What a script does not mention is
  # exported without a version, so then only C++ names are made local.
  set(hidden "*")
  if(arg_UNVERSIONED)
    set(hidden "_Z*")
  endif()
  file(CONFIGURE OUTPUT ${map}
       CONTENT "${arg_NODE} { global: ${patterns} local: ${hidden}; };\n")
  target_link_options(${target} PRIVATE LINKER:--version-script=${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})

  if(BUILD_TESTING AND NOT CONVOY_SANITIZE)
    add_test(NAME checks.exports.${target}
             COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_exports $<TARGET_FILE:${target}> ${list}
                     ${arg_UNVERSIONED} ${arg_INTERNAL})
    set_tests_properties(checks.exports.${target} PROPERTIES LABELS checks)
  endif()
endfunction()

# Defines the unsupported symbols of a list: each answers with `int CALLS(const char* symbol)`, a C
# function of the library or of one that it is linked to. An error code in place of a pointer would
# look like a valid one, so a symbol marked `null` calls it and answers null. What the caller passes
# is left where it is, as the C calling conventions allow. DEFINED symbols are in the sources.
function(convoy_unsupported target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIST;CALLS" "DEFINED")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_LIST})
  file(STRINGS ${arg_LIST} lines REGEX "^[^# ]+ unsupported( null)?$")
  set(code "extern \"C\" int ${arg_CALLS}(const char* symbol);\n")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " unsupported( null)?$" "" symbol ${line})
    if(symbol IN_LIST arg_DEFINED)
      continue()
    endif()
    set(type int)
    set(body "return ${arg_CALLS}(\"${symbol}\");")
    if(line MATCHES " null$")
      set(type void*)
      set(body "${arg_CALLS}(\"${symbol}\"); return nullptr;")
    endif()
    string(APPEND code "extern \"C\" [[gnu::visibility(\"default\")]] ${type} ${symbol}();\n"
                       "extern \"C\" ${type} ${symbol}() { ${body} }\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_${arg_CALLS}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${code}" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()
