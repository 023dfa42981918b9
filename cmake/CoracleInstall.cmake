# What users of an installation see: headers, libraries, find_package(coracle), pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# coracle_install(NAME DEPENDS SOURCES): headers, library, export entry and pkg-config file of one
# library. Called by coracle_library(). The prefix may be moved after installation.
function(coracle_install NAME DEPENDS SOURCES)
  set(target coracle_${NAME})
  set(PC_NAME coracle-${NAME})
  if(NAME STREQUAL coracle)
    set(target coracle)
    set(PC_NAME coracle)
  endif()
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel OPTIONAL
    FILES_MATCHING PATTERN *.hpp)
  install(TARGETS ${target} EXPORT coracle-targets COMPONENT devel)
  if(SOURCES)
    coracle_keep_own(${target})
    set_property(GLOBAL APPEND PROPERTY CORACLE_INSTALLED ${target})
  endif()

  # Who links static libraries also links what they are made of; `pkg-config --static` should not
  # have to be remembered for that.
  string(REPLACE coracle::coracle coracle PC_REQUIRES "${DEPENDS}")
  string(REPLACE coracle:: coracle- PC_REQUIRES "${PC_REQUIRES}")
  set(PC_LIBS)
  set(PC_PRIVATE)
  if(SOURCES)
    set(PC_LIBS "-L\${libdir} -l${PC_NAME}")
    set(packages re2 libcbor libcrypto)
    if(NAME STREQUAL recording)
      list(APPEND packages sqlite3)
    elseif(NAME STREQUAL net OR NAME STREQUAL http)
      list(APPEND packages libssl)
    elseif(NAME STREQUAL acl)
      list(APPEND packages expat)
    elseif(NAME STREQUAL iiop)
      list(APPEND packages omniORB4 omniDynamic4)
    elseif(NAME STREQUAL jose)
      list(APPEND packages cjose)
    endif()
    if(BUILD_SHARED_LIBS)
      list(JOIN packages " " PC_PRIVATE)
    else()
      list(APPEND PC_REQUIRES ${packages})
      string(APPEND PC_LIBS " -lspdlog -lfmt")  # without the settings with which they were compiled
    endif()
  endif()
  string(REPLACE ";" " " PC_REQUIRES "${PC_REQUIRES}")
  file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/coracle.pc.in ${PC_NAME}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${PC_NAME}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)
endfunction()

# What a library has of Boost, fmt and the like is not seen by its users, who may have the same
# packages in another version or with other settings.
function(coracle_keep_own TARGET)
  if(BUILD_SHARED_LIBS)
    target_link_options(${TARGET} PRIVATE
      LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/foreign.map)
    return()
  endif()
  install(CODE "execute_process(COMMAND ${CMAKE_COMMAND}
      \"-DARCHIVE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:${TARGET}>\"
      -DNM=${CMAKE_NM} -DLD=${CMAKE_LINKER} -DOBJCOPY=${CMAKE_OBJCOPY} -DAR=${CMAKE_AR}
      -P ${PROJECT_SOURCE_DIR}/cmake/seal.cmake COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT devel)
endfunction()

# Writes what find_package(coracle) needs. Called last, when all libraries are known.
function(coracle_install_package)
  get_property(CORACLE_LIBRARIES GLOBAL PROPERTY CORACLE_LIBRARIES)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/coracle)
  get_property(installed GLOBAL PROPERTY CORACLE_INSTALLED)
  add_custom_target(coracle-libraries DEPENDS ${installed})  # all that is installed

  configure_package_config_file(cmake/coracle-config.cmake.in coracle-config.cmake
    INSTALL_DESTINATION ${folder})
  # Before 1.0 each minor version may change the interface.
  write_basic_package_version_file(coracle-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(EXPORT coracle-targets NAMESPACE coracle:: DESTINATION ${folder} COMPONENT devel)
  install(FILES ${PROJECT_BINARY_DIR}/coracle-config.cmake
    ${PROJECT_BINARY_DIR}/coracle-config-version.cmake DESTINATION ${folder} COMPONENT devel)
endfunction()
