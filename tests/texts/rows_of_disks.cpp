// Failures of disks, and of the objects that write to them.
#include "coracle/coracle.hpp"
#include "coracle/disk.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "coracle/recording/recording.hpp"
#include "coracle/recording/replay.hpp"
#include "coracle/recording/replay_into.hpp"
#include "coracle/tuple_space.hpp"
#include "support/societies/doer.hpp"
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

std::function<std::optional<Error>()> disk_in(const char* folder) {
  return [folder] { return error_in(posix_disk(folder)); };
}

Rows of_folders() {
  return {
      {"a folder in a folder that is not there", Errc::no_such_file, disk_in("/no/such/folder"),
       "cannot make the folder \"/no/such/folder\", because the folder above it is "
       "missing; make that first, or choose another one"},
      {"a folder that is a file", Errc::file_exists, disk_in("/etc/passwd"),
       "\"/etc/passwd\" is a file; choose a folder"},
      {"a folder of another process", Errc::not_permitted,
       [] {
         const TemporaryFolder folder;
         const auto disk = posix_disk(folder.path());
         return error_in(posix_disk(folder.path()));
       },
       "the folder \"<...>\" is in use by another process; end it first, or give each its "
       "own folder"},
      {"a file that moves to another folder", Errc::bad_path, on_disk([](Disk& disk) {
         (void)disk.make_folder("old");
         (void)disk.open("log", Disk::Open::new_one);
         return error_in(disk.rename("log", "old/log"));
       }),
       "cannot rename \"<...>/log\" into another folder; copy it there, sync both folders, "
       "then remove it"},
      {"a folder that is there already", Errc::file_exists, on_disk([](Disk& disk) {
         (void)disk.make_folder("old");
         return error_in(disk.make_folder("old"));
       }),
       "cannot make \"<...>/old\" (File exists); choose another name"},
      {"a file that is removed twice", Errc::no_such_file,
       on_disk([](Disk& disk) { return error_in(disk.remove("log")); }),
       "cannot remove \"<...>/log\" (No such file or directory); check its name, or make "
       "it first"},
      {"the files of a folder that is not there", Errc::no_such_file,
       on_disk([](Disk& disk) { return error_in(disk.list("old")); }),
       "cannot open the folder \"<...>/old\" (No such file or directory); check its name, "
       "or make it first"},
  };
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

// The error of `act` on an empty tuple space.
std::function<std::optional<Error>()> at_a_board(Task<> (*act)(Space& board)) {
  return [act] {
    return error_of_agent([act](Agent& me) -> Task<> {
      co_await me.adopt("board", std::make_unique<TupleSpace>());
      Space board(me, "board");
      co_await act(board);
    });
  };
}

// A recording of a local node with the agent "ann", in that file.
void record_ann(const std::string& file) {
  recording::Recorder recorder(file);
  Node node(recorder.record(local::realization()));
  node.create<Doer>("ann", [](Agent&) -> Task<> { co_return; });
  node.wait();
}

// The error of `act` on such a recording, or on its file.
std::function<std::optional<Error>()> of_a_recording(void (*act)(const std::string& file)) {
  return [act] {
    const TemporaryFolder folder;
    record_ann(folder / "run.db");
    return error_from([&] { act(folder / "run.db"); });
  };
}

Rows of_recordings() {
  return {
      {"a recording that would replace another one", Errc::file_exists,
       of_a_recording([](const std::string& file) { const recording::Recorder second(file); }),
       "cannot make the recording '<...>/run.db': it is there already; take another name, "
       "or remove it"},
      {"a recording in a folder that is not there", Errc::no_such_file,
       [] {
         return error_from([] { const recording::Recorder recorder("/no/such/folder/run.db"); });
       },
       "cannot make the recording '/no/such/folder/run.db': there is no such folder; make "
       "it"},
      {"a recording without room", Errc::bad_options, of_a_recording([](const std::string& file) {
         recording::RecorderOptions options;
         options.file_bytes = 1000;
         const recording::Recorder second(file + "2", options);
       }),
       "RecorderOptions::file_bytes is 1000; give at least 65536"},
      {"a file that is no recording", Errc::bad_encoding,
       [] { return error_from([] { (void)recording::Recording::load("/etc/passwd"); }); },
       "'/etc/passwd' cannot be replayed: it is no recording; give a file that --record or "
       "a Recorder made"},
      {"a replay of what is not simulated", Errc::unsupported,
       of_a_recording([](const std::string& file) {
         const auto recording = recording::Recording::load(file);
         const recording::Replay replay(recording);
       }),
       "the recording was made on 'local:', and only a recording of the simulator can be "
       "replayed; replay_into() gives its inputs to agents"},
      {"a replay into an agent that was not there", Errc::no_such_agent,
       of_a_recording([](const std::string& file) {
         const auto recording = recording::Recording::load(file);
         (void)recording::replay_into(recording, {{AgentSpec("bob"), {}}});
       }),
       "the recording has no agent 'bob'; name one that began while it was made"},
      {"a message that is not in a recording", Errc::bad_options,
       of_a_recording(
           [](const std::string& file) { (void)recording::Recording::load(file).message(7); }),
       "the recording has no message 7; it has 0, numbered from 1"},
  };
}

Rows of_tuples() {
  return {
      {"a number that is too large for a tuple", Errc::too_large,
       at_a_board([](Space& board) { return board.out(~std::uint64_t{0}); }),
       "a whole number of a tuple is 2^63 or more; give it as text or as bytes"},
  };
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

Rows rows_of_disks() {
  return joined(
      {of_folders(), of_files(), of_recordings(), of_tuples(), of_tuples_and_recordings()});
}

}  // namespace coracle::test
