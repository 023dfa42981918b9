// The files and the forms that the arguments of `coracle acl` name.
#pragma once

#include "coracle/acl/representation.hpp"

#include <string>

namespace coracle::command {

// All bytes of the file, or of standard input for "-"; as many as a codec reads at most. Fails with
// Errc::no_such_file, Errc::too_large, Errc::disk_failed.
std::string read_file(const std::string& name);
// string, bit-efficient or xml
acl::Representation form_of(const std::string& codec);

}  // namespace coracle::command
