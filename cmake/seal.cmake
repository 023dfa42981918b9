# cmake -DARCHIVE=libx.a -DNM=nm -DLD=ld -DOBJCOPY=objcopy -DAR=ar -P seal.cmake
#
# Makes what a static library has of Boost, fmt and the like its own: its objects that hold any of it
# become one, in which those symbols are local. So a program may use the same packages in another
# version, or with other settings, and each keeps its own copy.
cmake_minimum_required(VERSION 3.25)

# C++ names whose outermost namespace is one of these, as the compiler writes them: functions, and
# their tables, types, thunks and guards.
set(foreign "^_Z(Z|GV|GR|T[VISTCWH]|T[hv][n0-9_]+|P|K)*N[KVRO]*(5boost|3fmt|6spdlog|3re2|4absl)")

get_filename_component(name ${ARCHIVE} NAME_WE)
set(area ${ARCHIVE}.sealing)
file(REMOVE_RECURSE ${area})
file(MAKE_DIRECTORY ${area})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${area} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The symbols of a file that others see and that are not ours.
function(foreign_symbols FILE RESULT)
  execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${FILE}
    WORKING_DIRECTORY ${area} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[ \t][^\n]*" "" lines "${lines}")
  string(REPLACE "\n" ";" symbols "${lines}")
  list(FILTER symbols INCLUDE REGEX "${foreign}")
  set(${RESULT} "${symbols}" PARENT_SCOPE)
endfunction()

# Members may have the same name, so each gets a folder of its own.
execute_process(COMMAND ${AR} t ${ARCHIVE} OUTPUT_VARIABLE members COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${members}" members)
string(REPLACE "\n" ";" members "${members}")
set(own)
set(mixed)
set(seen)
foreach(member IN LISTS members)
  list(APPEND seen ${member})
  set(times ${seen})
  list(FILTER times INCLUDE REGEX "^${member}$")
  list(LENGTH times number)
  file(MAKE_DIRECTORY ${area}/${number})
  run(${AR} xN ${number} --output ${number} ${ARCHIVE} ${member})
  foreign_symbols(${number}/${member} symbols)
  if(symbols)
    list(APPEND mixed ${number}/${member})
  else()
    list(APPEND own ${number}/${member})
  endif()
endforeach()
if(mixed)
  # What the linker would keep once of several objects, it keeps once here.
  run(${LD} -r --force-group-allocation -o ${name}.sealed.o ${mixed})
  foreign_symbols(${name}.sealed.o symbols)
  list(JOIN symbols "\n" lines)
  file(WRITE ${area}/symbols "${lines}\n")
  run(${OBJCOPY} --localize-symbols=symbols ${name}.sealed.o)
  file(REMOVE ${ARCHIVE})
  run(${AR} qcs ${ARCHIVE} ${name}.sealed.o ${own})
endif()
file(REMOVE_RECURSE ${area})
