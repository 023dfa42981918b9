// Failures of disks, and of the objects that write to them.
#include "coracle/coracle.hpp"
#include "coracle/disk.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recording.hpp"
#include "coracle/tuple_space.hpp"
#include "support/temporary_folder.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

// The failure of `action` on a disk of the machine, in an empty folder.
std::function<std::optional<Error>()> on_disk(std::optional<Error> (*action)(Disk& disk)) {
  return [action] {
    const TemporaryFolder folder;
    const auto disk = posix_disk(folder.path());
    return action(*disk.value());
  };
}

std::optional<Error> writing_to_a_full_disk() {
  sim::World world;
  world.set_capacity(0, 4);
  const auto file = world.disk().open("log", Disk::Open::new_one).value();
  return error_in(file->append(std::as_bytes(std::span("12345", 5))));
}

std::optional<Error> syncing_in_vain() {
  sim::World world;
  const auto file = world.disk().open("log", Disk::Open::new_one).value();
  world.fail_next_sync(0);
  return error_in(file->sync());
}

std::optional<Error> listening_in_a_folder_that_is_not_there() {
  const TemporaryFolder folder;
  central::ServerOptions options;
  options.listen = {"unix://" + (folder / "none/server")};
  return error_from([&options] { const central::Server server(options); });
}

Rows of_files() {
  return {
      {"a file that is not there", Errc::no_such_file,
       on_disk([](Disk& disk) { return error_in(disk.open("log", Disk::Open::existing)); }),
       "cannot open \"<...>/log\" (No such file or directory); <...>"},
      {"a file that is there already", Errc::file_exists, on_disk([](Disk& disk) {
         (void)disk.open("log", Disk::Open::new_one);
         return error_in(disk.open("log", Disk::Open::new_one));
       }),
       "cannot open \"<...>/log\" (File exists); <...>"},
      {"a path that leads out of its folder", Errc::bad_path,
       on_disk([](Disk& disk) { return error_in(disk.open("../log", Disk::Open::new_one)); }),
       "\"../log\" is not a path within a folder: <...>; <...>"},
      {"a disk that is full", Errc::disk_full, writing_to_a_full_disk,
       "cannot append to \"log\": <...>"},
      {"a disk that does not keep what it was given", Errc::disk_failed, syncing_in_vain,
       "cannot sync \"log\" (simulated); restart, and check what is there"},
      {"a socket in a folder that is not there", Errc::cannot_listen,
       listening_in_a_folder_that_is_not_there,
       "cannot listen at unix://<...>/none/server (No such file or directory); make the folder "
       "<...>/none, or choose another path"},
  };
}

// The error of a tuple space with little room.
std::optional<Error> putting(const std::vector<std::string>& texts) {
  return error_of_agent([texts](Agent& me) -> Task<> {
    TupleSpaceOptions options;
    options.tuple_bytes = 100;
    options.tuples = 1;
    co_await me.adopt("board", std::make_unique<TupleSpace>(options));
    Space board(me, "board");
    for (const std::string& text : texts) co_await board.out(text);
  });
}

Rows of_tuples_and_recordings() {
  return {
      {"a tuple that is too large", Errc::too_large, [] { return putting({std::string(93, 'x')}); },
       "a tuple of 101 bytes is over the limit of 100 of 'board'; send a large value in a message "
       "of its own"},
      {"a tuple space that is full", Errc::limit_reached,
       [] {
         return putting({"1", "2"});
       },
       "'board' is full with 1 tuples; take some"},
      {"a recording that is not there", Errc::no_such_file,
       [] { return error_from([] { (void)recording::Recording::load("/no/such/recording.db"); }); },
       "cannot read the recording '/no/such/recording.db': No such file or directory; look at the "
       "name"},
  };
}

}  // namespace

Rows rows_of_disks() { return joined({of_files(), of_tuples_and_recordings()}); }

}  // namespace coracle::test
