# Every library of the project has the same shape: include/coracle/**.hpp is public, src/**.cpp is
# private, tests/*_test.cpp and tests/*/*_test.cpp are its unit tests. Files are found, not listed: to add one, add it.

# coracle_library(NAME [DEPENDS name...] [PACKAGES target...] [THREADED file...]): coracle::NAME from
# this folder. THREADED are those of its tests that the thread sanitizer runs.
# DEPENDS are other libraries of the project, whose headers ours may show; PACKAGES are private.
# A library without sources is an interface library until its first source appears.
function(coracle_library NAME)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PACKAGES;THREADED")
  set(target coracle_${NAME})
  set(output coracle-${NAME})
  if(NAME STREQUAL coracle)
    set(target coracle)
    set(output coracle)
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND coracle::)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS include/*.hpp)
  list(FILTER headers EXCLUDE REGEX "/detail/")  # parts of other headers

  if(sources)
    add_library(${target} ${sources})
    set(scope PUBLIC)
    target_include_directories(${target} PRIVATE src)
    target_link_libraries(${target}
      PRIVATE $<BUILD_INTERFACE:coracle_private> ${arg_PACKAGES})
    coracle_make_linkable(${target})
    coracle_compile_quickly(${target})
    if(CORACLE_THREADS_ONLY)  # then what no test needs is not built
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(coracle::${NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${NAME} OUTPUT_NAME ${output})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} Threads::Threads)

  set_property(GLOBAL APPEND PROPERTY CORACLE_LIBRARIES ${NAME})
  coracle_install(${NAME} "${arg_DEPENDS}" "${sources}")
  if(CORACLE_BUILD_TESTS AND NOT CORACLE_FUZZ)
    coracle_check_headers(${NAME} "${headers}" "${sources}")
  endif()
  set(tests tests/*_test.cpp tests/*/*_test.cpp)
  if(CORACLE_THREADS_ONLY)
    set(tests ${arg_THREADED})
  endif()
  if(tests AND CORACLE_BUILD_TESTS AND NOT CORACLE_FUZZ)
    coracle_boost_tests(unit-${NAME} PREFIX unit.${NAME} LABEL unit FILES ${tests}
      OTHERS tests/support/*.cpp LINK coracle::${NAME} INCLUDE src tests TOGETHER)
  endif()
endfunction()

# Makes a library that programs and shared libraries can be linked with: its code can be anywhere. A
# shared one is called by the minor version, because before 1.0 each may change the interface, and it
# finds the others in its own folder. Both kinds are compiled by the same commands.
function(coracle_make_linkable TARGET)
  set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN" DEFINE_SYMBOL "")
endfunction()

# Compiles eight sources together where they are debugged. Where g++ 12 optimizes, it warns in one
# piece of what is not so. The layers above the core are not optimized there: that takes less than
# half the time, and no test plays many seeds with them.
set(coracle_layers coracle_acl coracle_caf coracle_dispel coracle_fipa coracle_formats coracle_http
  coracle_iiop coracle_jose coracle_mcp coracle_view coracle_web)
function(coracle_compile_quickly TARGET)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    coracle_compile_together(${TARGET} 8)
    if("${TARGET}" IN_LIST coracle_layers AND NOT CORACLE_FUZZ)
      target_compile_options(${TARGET} PRIVATE -O0)
    endif()
  endif()
endfunction()

# coracle_inner_library(NAME SOURCES...): coracle::NAME, the target coracle_NAME from these sources:
# what other libraries are made of, without headers or tests of its own here.
function(coracle_inner_library NAME)
  add_library(coracle_${NAME} ${ARGN})
  add_library(coracle::${NAME} ALIAS coracle_${NAME})
  set_target_properties(coracle_${NAME} PROPERTIES
    EXPORT_NAME ${NAME} OUTPUT_NAME coracle-${NAME})
  coracle_make_linkable(coracle_${NAME})
  coracle_compile_quickly(coracle_${NAME})
  target_link_libraries(coracle_${NAME}
    PUBLIC coracle::coracle PRIVATE $<BUILD_INTERFACE:coracle_private>)
  set_property(GLOBAL APPEND PROPERTY CORACLE_LIBRARIES ${NAME})
  coracle_install(${NAME} coracle::coracle "${ARGN}")
endfunction()

# coracle_realization(NAME [DEPENDS name...] [PACKAGES target...]): a way for messages to travel,
# as coracle::NAME. Bench, examples and the conformance suite link every realization there is.
function(coracle_realization NAME)
  coracle_library(${ARGV})
  set_property(GLOBAL APPEND PROPERTY CORACLE_REALIZATIONS coracle::${NAME})
endfunction()

# Proves that each public header compiles alone: some source of the library begins with it, or an
# empty one is made that does.
function(coracle_check_headers NAME HEADERS SOURCES)
  if(CORACLE_SANITIZE)
    return()  # once, in release, is enough
  endif()
  # Sources of the runtime are compiled in one piece, in which only the first begins.
  list(FILTER SOURCES EXCLUDE REGEX "/runtime/")
  foreach(source IN LISTS SOURCES)
    file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
    if(first MATCHES "\"(.*)\"")
      list(REMOVE_ITEM HEADERS ${CMAKE_CURRENT_SOURCE_DIR}/include/${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT HEADERS)
    return()
  endif()
  set(sources)
  foreach(header IN LISTS HEADERS)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include)
    string(REPLACE "/" "_" stem ${header})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/alone/${stem}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(headers-${NAME} OBJECT ${sources})
  target_link_libraries(headers-${NAME} PRIVATE coracle::${NAME})
  target_compile_options(headers-${NAME} PRIVATE -O0 -g0)
endfunction()
