# Writes the table of a library's functions by name: each symbol of LIST with the version that it
# came with, which VERSIONS tells for all of them. A line there is a version and names. HEADER
# declares `entry_point` and `entry_points()` in NAMESPACE.
function(convoy_entry_points target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIST;VERSIONS;HEADER;NAMESPACE" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_LIST} ${arg_VERSIONS})
  file(STRINGS ${arg_VERSIONS} lines REGEX "^[0-9]")
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" names ${line})
    list(POP_FRONT names version)
    foreach(name IN LISTS names)
      set(version_of_${name} ${version})
    endforeach()
  endforeach()

  file(STRINGS ${arg_LIST} lines REGEX "^[^#]")
  set(declared "")
  set(rows "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " unsupported$" "" symbol ${line})
    if(NOT DEFINED version_of_${symbol})
      message(FATAL_ERROR "${arg_VERSIONS} does not say which version ${symbol} came with")
    endif()
    string(APPEND declared "void ${symbol}();\n")
    string(APPEND rows "    {\"${symbol}\", ${version_of_${symbol}}, ${symbol}},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_entry_points.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include \"${arg_HEADER}\"
extern \"C\" {\n${declared}}
namespace ${arg_NAMESPACE} {
namespace {
constexpr entry_point all[] = {\n${rows}};
}
std::span<const entry_point> entry_points() noexcept { return all; }
}
")
  target_sources(${target} PRIVATE ${source})
endfunction()
