# Tests. Each is one entry of ctest with one label: unit contract planted example consumer
# simulation faults fuzz bench tidy oracle. `ctest --preset release -L unit` runs those of one label.

set(coracle_test_environment
  TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
  ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0
  UBSAN_OPTIONS=print_stacktrace=1
  BOOST_TEST_COLOR_OUTPUT=no
  BOOST_TEST_CATCH_SYSTEM_ERRORS=no)  # a crash belongs to the sanitizer or the core dump

# coracle_test(NAME LABEL label [TIMEOUT seconds] [ALONE] COMMAND command...)
# ALONE: no other test runs at the same time. Sanitizers get five times the time.
function(coracle_test NAME)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE" "LABEL;TIMEOUT" "COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(CORACLE_SANITIZE)
    math(EXPR arg_TIMEOUT "5 * ${arg_TIMEOUT}")
  endif()
  add_test(NAME ${NAME} COMMAND ${arg_COMMAND})
  set_tests_properties(${NAME} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT}
    RUN_SERIAL ${arg_ALONE} SKIP_RETURN_CODE 77 ENVIRONMENT "${coracle_test_environment}")
endfunction()

# Of sources that are compiled in one piece, g++ takes what one keeps for itself for something that
# others see.
function(coracle_allow_one_piece TARGET)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# Compiles sources by fours: most of what one costs is the headers that all share. So a name in an
# anonymous namespace must not be that of a neighbour in the alphabet; the compiler says so
# ("redefinition"), and -DCORACLE_UNITY_TESTS=OFF compiles each alone.
option(CORACLE_UNITY_TESTS "Compile several sources of a test, or of coracle_net, together" ON)
function(coracle_compile_together TARGET)
  set_target_properties(${TARGET} PROPERTIES
    UNITY_BUILD ${CORACLE_UNITY_TESTS} UNITY_BUILD_BATCH_SIZE 4)
  if(CORACLE_UNITY_TESTS)
    coracle_allow_one_piece(${TARGET})
  endif()
endfunction()

# coracle_boost_tests(EXECUTABLE PREFIX prefix LABEL label FILES pattern [OTHERS pattern...]
#                     [LINK target...] [INCLUDE folder...] [TOGETHER] [OPTIMIZED])
# One executable of all FILES and OTHERS; one ctest entry per file of FILES. The file foo_test.cpp
# holds BOOST_AUTO_TEST_SUITE(foo) and becomes the entry PREFIX.foo. TOGETHER: see above. OPTIMIZED:
# in a release build the tests themselves, too, for those that play many seeds. Without, compiling
# them takes half as long. The libraries that they test are always made like a user's.
function(coracle_boost_tests EXECUTABLE)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "TOGETHER;OPTIMIZED" "PREFIX;LABEL;FILES" "OTHERS;LINK;INCLUDE")
  file(GLOB files CONFIGURE_DEPENDS ${arg_FILES})
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FILES} ${arg_OTHERS})
  if(NOT files)
    return()
  endif()
  list(REMOVE_DUPLICATES sources)
  add_executable(${EXECUTABLE} ${sources})
  if(NOT arg_OPTIMIZED)
    target_compile_options(${EXECUTABLE} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  if(CORACLE_SANITIZE MATCHES undefined)
    # Looking at the dynamic type in each call takes a fifth of the time in which tests are compiled.
    target_compile_options(${EXECUTABLE} PRIVATE -fno-sanitize=vptr)
  endif()
  if(CORACLE_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Of the tests themselves; with it, compiling them takes a third longer.
    target_compile_options(${EXECUTABLE} PRIVATE "SHELL:--param asan-stack=0")
  endif()
  if(arg_TOGETHER)
    coracle_compile_together(${EXECUTABLE})
  endif()
  target_include_directories(${EXECUTABLE} PRIVATE ${arg_INCLUDE})
  target_link_libraries(${EXECUTABLE} PRIVATE coracle_private coracle_test_support ${arg_LINK})
  foreach(file IN LISTS files)
    cmake_path(GET file STEM suite)
    string(REGEX REPLACE "_(test|contract)$" "" suite ${suite})
    coracle_test(${arg_PREFIX}.${suite} LABEL ${arg_LABEL}
      COMMAND ${EXECUTABLE} --run_test=${suite})
  endforeach()
endfunction()
