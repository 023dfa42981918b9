#include "metrics/machine_sensors.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace coracle::detail {

namespace {

using Context = std::vector<MetricPath::Step>;

Duration processor_time(clockid_t of) noexcept {
  std::timespec time{};
  ::clock_gettime(of, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Sensor sensor_of(Metrics& metrics, Context context, MetricPath::Step formula, const char* unit) {
  context.push_back(std::move(formula));
  SensorOptions options;
  options.unit = unit;
  options.provenance = "the operating system";
  options.half_life = std::chrono::seconds(10);
  return metrics.sensor(MetricPath(std::move(context)), std::move(options));
}

// The memory of this process that is in use, in pages; 0 if the system does not tell.
std::uint64_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t whole = 0, resident = 0;
  return file >> whole >> resident ? resident : 0;
}

// The memory of the host that is free, in kilobytes; 0 if the system does not tell.
std::uint64_t free_kilobytes() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::uint64_t amount = 0;
  while (file >> word) {
    if (word == "MemAvailable:" && file >> amount) return amount;
  }
  return 0;
}

}  // namespace

Duration thread_processor_time() noexcept { return processor_time(CLOCK_THREAD_CPUTIME_ID); }

void MachineSensors::Share::update(Duration used, Duration passed) {
  const Duration before = std::exchange(last, used);
  if (before < Duration::zero() || passed <= Duration::zero()) return;
  sensor.update(std::chrono::duration<double>(used - before) / passed);
}

Context MachineSensors::host() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0')
    return {{"Host", {"unknown"}}};
  return {{"Host", {name.data()}}};
}

MachineSensors::MachineSensors(Metrics& metrics, const Context& node, std::size_t workers)
    : process_{sensor_of(metrics, node, {"CPULoad"}, "processors")},
      memory_(sensor_of(metrics, node, {"Memory"}, "bytes")),
      load_(sensor_of(metrics, host(), {"LoadAverage"}, "")),
      free_(sensor_of(metrics, host(), {"Memory", {"Free"}}, "bytes")),
      processors_(sensor_of(metrics, host(), {"Processors"}, "")) {
  for (std::size_t index = 0; index < workers; ++index) {
    Context worker = node;
    worker.push_back({"Worker", {std::to_string(index)}});
    workers_.push_back({sensor_of(metrics, std::move(worker), {"CPULoad"}, "processors")});
  }
}

void MachineSensors::update(Duration passed, const std::vector<Duration>& workers) {
  process_.update(processor_time(CLOCK_PROCESS_CPUTIME_ID), passed);
  for (std::size_t index = 0; index < workers.size(); ++index)
    workers_[index].update(workers[index], passed);
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  memory_.update(static_cast<double>(resident_pages()) * page);
  double load = 0;
  if (::getloadavg(&load, 1) == 1) load_.update(load);
  constexpr double kilobyte = 1024;
  free_.update(static_cast<double>(free_kilobytes()) * kilobyte);
  processors_.update(std::thread::hardware_concurrency());
}

}  // namespace coracle::detail
