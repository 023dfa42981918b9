# Tests. Each is one entry of ctest with one label: unit conformance mutation example consumer
# simulation faults fuzz bench tidy oracle. `ctest --preset release -L unit` runs those of one label.

set(suppressions ${PROJECT_SOURCE_DIR}/tests/tsan.supp)
set(coracle_test_environment
  TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=${suppressions}
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

# Of sources that are compiled in one piece, a compiler takes what one keeps for itself for something
# that others see. What one hides of another is found where each is compiled alone.
function(coracle_allow_one_piece TARGET)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  else()
    target_compile_options(${TARGET} PRIVATE -Wno-shadow)
  endif()
endfunction()

# Compiles sources by fours, or by SOME: most of what one costs is the headers that all share. So a
# name in an anonymous namespace must not be that of a neighbour in the alphabet; the compiler says so
# ("redefinition"), and -DCORACLE_UNITY=OFF compiles each alone.
option(CORACLE_UNITY "Compile several sources of a test, and in Debug of a library, together" ON)
function(coracle_compile_together TARGET)
  set(some 4)
  if(ARGC GREATER 1)
    set(some ${ARGV1})
  endif()
  set_target_properties(${TARGET} PROPERTIES
    UNITY_BUILD ${CORACLE_UNITY} UNITY_BUILD_BATCH_SIZE ${some})
  if(CORACLE_UNITY)
    coracle_allow_one_piece(${TARGET})
  endif()
endfunction()

# coracle_test_code(TARGET [OPTIMIZED]): what only tests are made of is compiled in the quickest way;
# that takes a third of the time. The libraries that are tested are made like a user's. OPTIMIZED:
# for tests that play many seeds.
function(coracle_test_code TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMIZED" "" "")
  if(NOT arg_OPTIMIZED)
    target_compile_options(${TARGET} PRIVATE -O0)
  endif()
  if(CORACLE_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${TARGET} PRIVATE
      "SHELL:--param asan-stack=0" -fno-sanitize-address-use-after-scope)
  endif()
endfunction()

# coracle_boost_tests(EXECUTABLE PREFIX prefix LABEL label FILES pattern... [OTHERS pattern...]
#                     [LINK target...] [INCLUDE folder...] [TOGETHER] [OPTIMIZED])
# One executable of all FILES and OTHERS; one ctest entry per file of FILES. The file foo_test.cpp
# holds BOOST_AUTO_TEST_SUITE(foo) and becomes the entry PREFIX.foo. TOGETHER, OPTIMIZED: see above.
function(coracle_boost_tests EXECUTABLE)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "TOGETHER;OPTIMIZED" "PREFIX;LABEL" "FILES;OTHERS;LINK;INCLUDE")
  file(GLOB files CONFIGURE_DEPENDS ${arg_FILES})
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FILES} ${arg_OTHERS})
  if(NOT files)
    return()
  endif()
  list(REMOVE_DUPLICATES sources)
  add_executable(${EXECUTABLE} ${sources})
  if(arg_OPTIMIZED)
    coracle_test_code(${EXECUTABLE} OPTIMIZED)
  else()
    coracle_test_code(${EXECUTABLE})
  endif()
  if(arg_TOGETHER)
    coracle_compile_together(${EXECUTABLE})
  endif()
  target_include_directories(${EXECUTABLE} PRIVATE ${arg_INCLUDE})
  target_link_libraries(${EXECUTABLE} PRIVATE coracle_private coracle_test_support ${arg_LINK})
  if(EXECUTABLE IN_LIST CORACLE_TESTS_LEFT_OUT)
    set_target_properties(${EXECUTABLE} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  foreach(file IN LISTS files)
    cmake_path(GET file STEM suite)
    string(REGEX REPLACE "_(test|conformance)$" "" suite ${suite})
    coracle_test(${arg_PREFIX}.${suite} LABEL ${arg_LABEL}
      COMMAND ${EXECUTABLE} --run_test=${suite})
  endforeach()
endfunction()
