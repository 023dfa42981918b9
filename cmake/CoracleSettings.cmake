# How every target of this project is compiled. The flags are set per directory, not per target, so
# that nothing of them reaches a project that links the libraries or adds this one as a subfolder.

option(CORACLE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_BENCH "Build coracle-bench" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_BINDINGS "Build the interface for C" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_ACL "Build the language of FIPA (needs expat)" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_GATEWAYS "Build the gateways to other systems" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_VIEW "Build the formats in which other tools show a society" ${PROJECT_IS_TOP_LEVEL})
option(CORACLE_BUILD_SCHEME "Build the binding for Guile, if there is Guile 3.0" ON)
option(CORACLE_WERROR "Treat warnings as errors; for those who work on it" $ENV{CORACLE_WERROR})
option(CORACLE_FUZZ "Build only the fuzz targets, with libFuzzer (needs clang)" OFF)
option(CORACLE_THREADS_ONLY "Build only the tests of what uses threads: for the thread sanitizer" OFF)
set(CORACLE_TESTS_LEFT_OUT "" CACHE STRING "Programs of tests that are neither built nor run")
set(CORACLE_SANITIZE "" CACHE STRING "Sanitizers to build with, as in -fsanitize=...")

# -DCMAKE_CXX_STANDARD=23 chooses a newer standard. An older one, perhaps of a project that adds this
# one as a subfolder, does not suffice here.
if(NOT CMAKE_CXX_STANDARD MATCHES "^2[0-9]")
  set(CMAKE_CXX_STANDARD 20)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

  find_program(CCACHE ccache)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  endif()
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold CORACLE_HAS_MOLD)
  if(CORACLE_HAS_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-fno-gnu-unique)  # or seal.cmake could not make these symbols local
  add_compile_options(-fno-semantic-interposition)  # as clang: nobody replaces a library's functions
  add_compile_options(-Wno-restrict)  # g++ 12 sees overlaps in std::string that are not there
  if(CORACLE_SANITIZE)
    add_compile_options(-Wno-maybe-uninitialized)  # false alarms in instrumented code
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # std::stable_sort of libstdc++ 12 uses what that declares deprecated, and newer ones say so.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(CORACLE_WERROR)
  add_compile_options(-Werror)
endif()

if(CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # A fuzzer tries more the faster it is; the others are compiled more often than they run.
  add_compile_options($<IF:$<BOOL:${CORACLE_FUZZ}>,-O2,-O1>)
endif()

if(CORACLE_SANITIZE)
  add_compile_options(-fsanitize=${CORACLE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CORACLE_SANITIZE})
  if(CORACLE_SANITIZE MATCHES "address.*undefined" AND NOT CORACLE_FUZZ)
    # The address sanitizer finds most of what these would, the fuzzer has them all, and without them
    # compiling takes a third less time.
    add_compile_options(
      -fno-sanitize=vptr,null,object-size,alignment,nonnull-attribute,returns-nonnull-attribute)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # What this adds to functions, clang 14 cannot add to some coroutines ("difference across
    # sections").
    add_compile_options(-fno-sanitize=function)
  endif()
  if(CORACLE_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Fences are unknown to it; what Asio orders by them is ordered by its mutex as well.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()
if(CORACLE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
