// Table 6 of the original paper: the cost of a write and of a read, the share of each abstraction,
// and the ratio to a dedicated implementation that does nothing else.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/figures/usage.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "harness/run/timed_seams.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace coracle::bench {

namespace {

// The times of one process, in ns for each message.
struct Side {
  double total = 0;  // processor time
  double transport = 0;
  double queue = 0;
};

struct Found {
  Side write;
  Side read;
  double pass_on = 0;  // the server's
  std::uint64_t messages = 0;
};

// The results of the writer and the reader; in memory that both processes share.
struct Notes {
  Found found;
  std::uint64_t sent = 0;
};

using Take = std::function<void(double total_ns, std::uint64_t messages)>;

// Sends as fast as it may, and ends when the reader reports that everything was read.
class Writer : public Player {
 public:
  Writer(std::size_t size, double interval, Take take)
      : size_(size), interval_(interval), take_(std::move(take)) {}

 protected:
  Task<> play() override {
    const Address reader = find("reader");
    co_await send(reader, Content(), greeting);
    const Message ready = co_await receive();
    const Content content = content_of(size_);
    const Usage before = usage_of_process();
    const Time end = clock_now() + seconds(interval_);
    std::uint64_t sent = 0;
    while (clock_now() < end) {
      for (int i = 0; i < 256; ++i) co_await send(reader, content);
      sent += 256;
    }
    Content count(std::to_string(sent));
    co_await send(reader, std::move(count), farewell);
    const Message done = co_await receive();
    take_((usage_of_process() - before).both(), sent);
  }

 private:
  std::size_t size_;
  double interval_;
  Take take_;
};

class Reader : public Player {
 public:
  explicit Reader(Take take) : take_(std::move(take)) {}

 protected:
  Task<> play() override {
    const Message hello = co_await receive();
    co_await send(hello.source(), Content(), greeting);
    const Usage before = usage_of_process();
    std::uint64_t received = 0;
    for (;;) {
      const Message message = co_await receive();
      if (message.conversation() != farewell) {
        ++received;
        continue;
      }
      if (message.text() != std::to_string(received)) throw NotDone("messages are missing");
      co_await send(message.source(), Content(), farewell);
      break;
    }
    take_((usage_of_process() - before).both(), received);
  }

 private:
  Take take_;
};

NodeOptions settings() {
  NodeOptions options;
  options.spin = {};  // the search for work is not part of the work
  return options;
}

// Makes one agent on a node of its own, and returns the time that it took.
template <class Make>
Side play_side(const Options& here, std::optional<Seam> seam, const Make& make,
               const Account& beside, bool is_writer) {
  Side side;
  std::uint64_t messages = 0;
  const auto times = std::make_shared<SeamTimes>();
  Society society(here, settings(), [&](Realization realization) {
    return seam ? timed(std::move(realization), *seam, times) : realization;
  });
  make(society.node(), [&](double total, std::uint64_t count) {
    messages = count;
    const auto each = static_cast<double>(count);
    side = {total / each, static_cast<double>(times->transport_ns) / each,
            static_cast<double>(times->queue_ns) / each};
  });
  society.wait();
  Account account = beside;
  (is_writer ? account.sent : account.received) += messages;
  society.stop(account);
  return side;
}

// Writer, reader and server have a process each.
Found play_apart(const Options& options, std::optional<Seam> seam) {
  Shared<Notes> notes;
  MeetingPlace place;
  Options here = place.here(options);
  const double interval = options.interval(0.1, 0.5);
  Partner writer([&] {
    place.enter(here);
    const auto make = [&](Node& node, Take take) {
      node.adopt(placed("writer", 0),
                 std::make_unique<Writer>(options.size, interval, [&, take](double t, auto n) {
                   notes->sent = n;
                   take(t, n);
                 }));
    };
    notes->found.write = play_side(here, seam, make, {.sent = 2, .received = 2}, true);
  });
  Partner reader([&] {
    place.enter(here);
    const auto make = [&](Node& node, Take take) {
      node.adopt(placed("reader", 0), std::make_unique<Reader>([&, take](double t, auto n) {
                   notes->found.messages = n;
                   take(t, n);
                 }));
    };
    notes->found.read = play_side(here, seam, make, {.sent = 2, .received = 2}, false);
  });
  const Usage before = usage_of_process();
  place.serve(here);
  writer.wait();
  reader.wait();
  if (notes->sent == 0 || notes->sent != notes->found.messages) throw NotDone("messages were lost");
  notes->found.pass_on =
      (usage_of_process() - before).both() / static_cast<double>(notes->found.messages);
  return notes->found;
}

// In one process, bursts are written and then read; the clock is looked at between the two.
class BurstReader : public Player {
 public:
  static constexpr std::uint64_t burst = 512;

  BurstReader(Found& found, const std::atomic<bool>& is_over) : found_(found), is_over_(is_over) {}

 protected:
  Task<> play() override {
    const Address writer = find("writer");
    double spent = 0;
    for (;;) {
      co_await send(writer, Content());
      while (!is_over_ && pending() < burst) co_await yield();
      if (is_over_) break;
      const Time before = clock_now();
      for (std::uint64_t i = 0; i < burst; ++i) const Message message = co_await receive();
      spent += nanoseconds(clock_now() - before);
      found_.messages += burst;
    }
    found_.read.total = spent / static_cast<double>(found_.messages);
  }

 private:
  Found& found_;
  const std::atomic<bool>& is_over_;
};

class BurstWriter : public Player {
 public:
  BurstWriter(std::size_t size, double interval, Found& found, std::atomic<bool>& is_over)
      : size_(size), interval_(interval), found_(found), is_over_(is_over) {}

 protected:
  Task<> play() override {
    const Address reader = find("reader");
    const Content content = content_of(size_);
    const Time end = clock_now() + seconds(interval_);
    double spent = 0;
    std::uint64_t bursts = 0;
    for (;;) {
      const Message ready = co_await receive();
      const Time before = clock_now();
      if (before >= end && bursts > 0) break;
      for (std::uint64_t i = 0; i < BurstReader::burst; ++i) co_await send(reader, content);
      spent += nanoseconds(clock_now() - before);
      ++bursts;
    }
    is_over_ = true;
    found_.write.total = spent / static_cast<double>(bursts * BurstReader::burst);
  }

 private:
  std::size_t size_;
  double interval_;
  Found& found_;
  std::atomic<bool>& is_over_;
};

Found play_here(const Options& options, std::optional<Seam> seam) {
  Found found;
  std::atomic<bool> is_over{false};
  const auto times = std::make_shared<SeamTimes>();
  Options local = options;
  local.realization = "local:";
  Society society(local, settings(), [&](Realization realization) {
    return seam ? timed(std::move(realization), *seam, times) : realization;
  });
  society.node().adopt(placed("reader", 0), std::make_unique<BurstReader>(found, is_over));
  society.node().adopt(
      placed("writer", 0),
      std::make_unique<BurstWriter>(options.size, options.interval(0.05, 0.3), found, is_over));
  society.wait();
  const std::uint64_t bursts = found.messages / BurstReader::burst;
  society.stop({.sent = found.messages + bursts + 1});
  const auto each = static_cast<double>(found.messages);
  found.write.transport = static_cast<double>(times->transport_ns) / each;
  found.read.queue = static_cast<double>(times->queue_ns) / each;
  return found;
}

// Numbers of all repeats, by their names.
class Sheet {
 public:
  void note(const char* call, const char* part, double value) {
    const auto is_it = [&](const Line& line) { return line.call == call && line.part == part; };
    auto place = std::find_if(lines_.begin(), lines_.end(), is_it);
    if (place == lines_.end()) place = lines_.insert(place, {call, part, {}});
    place->values.push_back(value);
  }
  std::vector<Metric> metrics(std::size_t size, std::uint64_t n) const {
    std::vector<Metric> made;
    for (const Line& line : lines_) {
      const Params params = {{"part", line.part}, {"size", static_cast<std::int64_t>(size)}};
      made.push_back({line.call, "ns/message", params, summarize(line.values, n), {}});
    }
    return made;
  }

 private:
  struct Line {
    std::string call;
    std::string part;
    std::vector<double> values;
  };
  std::vector<Line> lines_;
};

// The same work three times: as it is, and with each of the two seams timed.
struct Played {
  Found plain;
  Found transport;
  Found queue;
};

using Play = Found (*)(const Options& options, std::optional<Seam> seam);

Played play_all(const Options& options, Play play) {
  const Found plain = play(options, std::nullopt);
  return {plain, play(options, Seam::transport), play(options, Seam::queue)};
}

// The costs that are the same on every realization: those within one process.
void note_generic(Sheet& sheet, const Played& here) {
  sheet.note("write", "generic", here.plain.write.total);
  sheet.note("write", "generic transport", here.transport.write.transport);
  sheet.note("read", "generic", here.plain.read.total);
  sheet.note("read", "generic queue", here.queue.read.queue);
}

void note_realization(Sheet& sheet, const Played& apart, const Found& here,
                      const SplitCost& dedicated) {
  const Found& plain = apart.plain;
  sheet.note("write", "all", plain.write.total);
  sheet.note("write", "transport", apart.transport.write.transport);
  sheet.note("write", "realization", plain.write.total - here.write.total);
  sheet.note("write", "dedicated", dedicated.write);
  sheet.note("write", "overhead", plain.write.total - dedicated.write);
  sheet.note("read", "all", plain.read.total);
  sheet.note("read", "queue", apart.queue.read.queue);
  sheet.note("read", "realization", plain.read.total - here.read.total);
  sheet.note("read", "dedicated", dedicated.read);
  sheet.note("read", "overhead", plain.read.total - dedicated.read);
  if (dedicated.pass_on == 0) return;
  sheet.note("pass_on", "all", plain.pass_on);
  sheet.note("pass_on", "dedicated", dedicated.pass_on);
  sheet.note("pass_on", "overhead", plain.pass_on - dedicated.pass_on);
}

}  // namespace

std::vector<Metric> run_overhead(const Options& options, Progress& progress) {
  const bool is_local = options.realization.starts_with("local");
  const bool is_central = options.realization.starts_with("central");
  Sheet sheet;
  std::uint64_t messages = 0;
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    progress.step(fmt::format("repeat {}/{}", repeat + 1, options.repeats()));
    const Played here = play_all(options, play_here);
    note_generic(sheet, here);
    messages += here.plain.messages;
    if (is_local) continue;
    const Played apart = play_all(options, play_apart);
    const std::size_t bytes = std::max<std::size_t>(1, options.size);
    const SplitCost dedicated =
        floor_split(socket_of(options.realization), bytes, is_central, options.interval(0.05, 0.3));
    note_realization(sheet, apart, here.plain, dedicated);
    messages += apart.plain.messages;
  }
  return sheet.metrics(options.size, messages);
}

}  // namespace coracle::bench
