// Records that are appended to a file together, and then synced, again and again.
#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/slow_disk.hpp"
#include "harness/run/failures.hpp"

#include <vector>

namespace coracle::bench {

Run floor_journal(const std::string& folder, std::size_t record, std::size_t at_once, Duration sync,
                  double interval) {
  const std::unique_ptr<Disk> disk = slow_disk(folder, sync);
  auto file = disk->open("floor", Disk::Open::new_one);
  if (!file) throw NotDone(file.error().sentence());
  const std::vector<std::byte> group(record * at_once, std::byte{'x'});
  Run run;
  const Time begin = clock_now();
  Time last = begin;
  while (last - begin < seconds(interval)) {
    if (!(*file)->append(group) || !(*file)->sync()) throw NotDone("the disk refused a write");
    const Time now = clock_now();
    run.samples.push_back(1e9 * static_cast<double>(at_once) / nanoseconds(now - last));
    run.n += at_once;
    last = now;
  }
  run.value = 1e9 * static_cast<double>(run.n) / nanoseconds(last - begin);
  return run;
}

}  // namespace coracle::bench
