# Writes the files of FOLDER as arrays of bytes into the source OUTPUT: cmake -D... -P assets.cmake
file(GLOB files LIST_DIRECTORIES false ${FOLDER}/*)
list(FILTER files EXCLUDE REGEX "\\.(md|lock)$")
set(arrays)
set(entries)
set(number 0)
foreach(file ${files})
  cmake_path(GET file FILENAME name)
  file(READ ${file} text HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${text}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char file${number}[] = {${bytes}0};\n")
  string(APPEND entries
    "    {\"${name}\", {reinterpret_cast<const char*>(file${number}), sizeof(file${number}) - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// CMake makes this file of the page's bundle.\n#include \"server/assets.hpp\"\n\n"
  "namespace coracle::view {\n\nnamespace {\n\n${arrays}\n}  // namespace\n\n"
  "const std::vector<Asset>& assets() {\n  static const std::vector<Asset> all = {\n${entries}  };\n"
  "  return all;\n}\n\n}  // namespace coracle::view\n")
