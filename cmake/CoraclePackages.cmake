# What the libraries are built on. No public header shows any of it: all of these are private, and
# only a static installation makes its users find them again (coracle-config.cmake.in, *.pc).
# A package added here also goes into those two files and into scripts/packages.txt.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CORACLE_RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(CORACLE_CBOR REQUIRED IMPORTED_TARGET libcbor)
pkg_check_modules(CORACLE_SQLITE REQUIRED IMPORTED_TARGET sqlite3)  # recordings only

set(coracle_private_packages
  fmt::fmt spdlog::spdlog PkgConfig::CORACLE_RE2 PkgConfig::CORACLE_CBOR)

# The transport of FIPA by IIOP; nothing else needs omniORB. It is built where omniORB is, unless
# -DCORACLE_BUILD_IIOP=OFF.
pkg_check_modules(CORACLE_OMNIORB QUIET IMPORTED_TARGET omniORB4 omniDynamic4)
find_program(OMNIIDL omniidl)
set(can_build OFF)
if(CORACLE_OMNIORB_FOUND AND OMNIIDL AND PROJECT_IS_TOP_LEVEL)
  set(can_build ON)
endif()
option(CORACLE_BUILD_IIOP "Build the transport of FIPA by IIOP (needs omniORB)" ${can_build})
if(CORACLE_BUILD_IIOP AND NOT (CORACLE_OMNIORB_FOUND AND OMNIIDL))
  message(FATAL_ERROR "CORACLE_BUILD_IIOP needs omniORB 4.2 and its compiler omniidl; in Debian "
    "they are the packages libomniorb4-dev and omniidl")
endif()

# Signatures of JOSE, for callers who prove themselves by signed tokens and for signed cards of A2A;
# nothing else needs cjose. They are built where it is, unless -DCORACLE_BUILD_JOSE=OFF.
pkg_check_modules(CORACLE_CJOSE QUIET IMPORTED_TARGET cjose)
set(can_build OFF)
if(CORACLE_CJOSE_FOUND AND PROJECT_IS_TOP_LEVEL)
  set(can_build ON)
endif()
option(CORACLE_BUILD_JOSE "Build signed tokens and signed cards (needs cjose)" ${can_build})
if(CORACLE_BUILD_JOSE AND NOT CORACLE_CJOSE_FOUND)
  message(FATAL_ERROR "CORACLE_BUILD_JOSE needs cjose 0.6; in Debian it is the packages "
    "libcjose-dev and libjansson-dev")
endif()

# The screen of `coracle top`; nothing else needs ncurses. It is built where ncurses is, unless
# -DCORACLE_BUILD_TOP=OFF; without it, the command prints tables.
pkg_check_modules(CORACLE_CURSES QUIET IMPORTED_TARGET ncursesw)
option(CORACLE_BUILD_TOP "Build the screen of coracle top (needs ncurses)" ${CORACLE_CURSES_FOUND})
if(CORACLE_BUILD_TOP AND NOT CORACLE_CURSES_FOUND)
  message(FATAL_ERROR "CORACLE_BUILD_TOP needs ncurses; in Debian it is the package "
    "libncurses-dev")
endif()

# What our own sources see and users do not: the packages, and includes written from the project's
# root ("tests/support/..."). Asio is used with its own settings, as most programs use it, since
# whoever adds the project to a build has one Asio together with it; what is installed keeps its own
# (seal.cmake).
add_library(coracle_private INTERFACE)
target_include_directories(coracle_private INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(coracle_private INTERFACE Boost::headers ${coracle_private_packages})

if(CORACLE_BUILD_TESTS)
  find_package(Boost 1.81 REQUIRED COMPONENTS unit_test_framework)
  find_package(rapidcheck REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
if(CORACLE_BUILD_TESTS OR CORACLE_BUILD_BENCH)
  find_package(CLI11 REQUIRED)
endif()
if(CORACLE_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
