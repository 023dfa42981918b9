#include "host.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string_view>

#include <sched.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

#ifdef __OPTIMIZE__
constexpr bool optimized = true;
#else
constexpr bool optimized = false;
#endif

std::string read_cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

const std::string& cpu_model() {
  static const std::string model = read_cpu_model();
  return model;
}

unsigned cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

bool build_is_fast() { return optimized && !sanitized; }

std::string build_name() {
#ifdef __clang__
  std::string name = fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  std::string name = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  name += optimized ? " optimized" : " unoptimized";
  if (sanitized) name += " sanitized";
  return name;
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  if (!(file >> total >> resident)) throw std::runtime_error("/proc/self/statm cannot be read");
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void bind_to_processor(int processor) {
  if (processor < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0) {
    throw std::runtime_error(fmt::format("processor {} cannot be used", processor));
  }
}

}  // namespace coracle::bench
