// The conditions of a measurement: the machine, this build, and this process's memory.
#pragma once

#include <cstddef>
#include <string>

namespace coracle::bench {

// The processor's name as the kernel gives it.
const std::string& cpu_model();
// The number of processors that this process may use.
unsigned cores();
// The compiler and those of its flags that matter.
std::string build_name();
// Returns whether numbers of this build are meaningful: optimized, and without a sanitizer.
bool build_is_fast();
// Memory of this process that is in use now, in bytes.
std::size_t resident_bytes();
// Binds the calling thread to one processor; does nothing for a negative number.
void bind_to_processor(int processor);

}  // namespace coracle::bench
