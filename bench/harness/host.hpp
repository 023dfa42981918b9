// What the numbers were measured with: the machine, this build, and this process's memory.
#pragma once

#include <cstddef>
#include <string>

namespace coracle::bench {

// The processor's name as the kernel gives it.
const std::string& cpu_model();
// How many processors this process may use.
unsigned cores();
// The compiler and what matters of its flags.
std::string build_name();
// Whether numbers of this build say anything: optimized, and without a sanitizer.
bool build_is_fast();
// Memory of this process that is in use now, in bytes.
std::size_t resident_bytes();
// Binds the calling thread to one processor; does nothing for a negative number.
void bind_to_processor(int processor);

}  // namespace coracle::bench
