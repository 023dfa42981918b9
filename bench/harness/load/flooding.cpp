#include "flooding.hpp"

#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "meeting_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace coracle::bench {

namespace {

using Extra = FloodSettings::Extra;

constexpr std::uint64_t batch = 4096;   // messages for each look at the receiver's clock
constexpr std::uint64_t at_once = 256;  // the same for a sender's clock

// The state that all players of a flood share.
struct Flood {
  std::size_t size = 0;
  Extra extra = Extra::none;
  double interval = 0;
  std::uint32_t senders = 0;
  bool is_apart = false;  // the senders are in another process
  std::vector<Address> company;
  Run found;
  std::uint64_t received = 0;
};

// Messages have the numbers 1, 2, …; a sender's last message has their count.
struct Count {
  std::uint64_t messages = 0;
  std::uint64_t sum = 0;  // of their numbers

  bool operator==(const Count&) const = default;
};

class Sender : public Player {
 public:
  explicit Sender(const Flood& flood) : flood_(flood) {}

 protected:
  Task<> play() override {
    const Address receiver = find("receiver");
    if (flood_.is_apart) {
      // Only a few messages may wait for an agent that does not exist yet.
      co_await send(receiver, Content(), greeting);
      const Message answer = co_await receive();
    }
    const Time end = clock_now() + seconds(flood_.interval * 1.25);
    std::string text(flood_.size, 'x');
    std::uint64_t sent = 0;
    std::size_t changed = 0;
    // Sends at the end as many messages as the receiver needs to measure anything.
    for (std::uint64_t more = 2 * batch / at_once; clock_now() < end || more-- > 0;) {
      for (unsigned i = 0; i < at_once; ++i) {
        text[changed] ^= 1;
        if (++changed == flood_.size) changed = 0;
        Content content = Content::bytes(std::as_bytes(std::span(text)));
        ++sent;
        if (flood_.extra == Extra::none) {
          co_await send(receiver, std::move(content), sent);
        } else {
          Post post = dressed(Post(receiver, std::move(content)));
          post.conversation(sent);
          co_await send(std::move(post));
        }
      }
    }
    Content count(std::to_string(sent));
    co_await send(receiver, std::move(count), farewell);
  }

 private:
  Post dressed(Post post) const {
    if (flood_.extra == Extra::header) post.header("unit", "metre");
    if (flood_.extra == Extra::deadline) post.expires(std::chrono::minutes(1));
    return post;
  }

  const Flood& flood_;
};

class Receiver : public Player {
 public:
  explicit Receiver(Flood& flood) : flood_(flood) {}

 protected:
  Task<> play() override {
    std::vector<Time> marks{clock_now()};
    Count received;
    Count sent;
    for (std::uint32_t ended = 0; ended < flood_.senders;) {
      const Message message = co_await receive();
      if (message.conversation() == greeting) {
        co_await send(message.source(), Content(), greeting);
        marks.front() = clock_now();
        continue;
      }
      if (message.conversation() == farewell) {
        const std::uint64_t count = std::stoull(std::string(message.text()));
        sent.messages += count;
        sent.sum += count * (count + 1) / 2;
        ++ended;
        continue;
      }
      received.sum += message.conversation();
      if (++received.messages % batch == 0) marks.push_back(clock_now());
    }
    if (received != sent) {
      throw NotDone(
          fmt::format("{} messages were sent, but {} arrived", sent.messages, received.messages));
    }
    flood_.received = received.messages;
    evaluate(marks);
    for (const Address companion : flood_.company) co_await send(companion, Content(), farewell);
  }

 private:
  // The first part of the time is the warm-up.
  void evaluate(const std::vector<Time>& marks) {
    const Time begin = marks.front() + seconds(flood_.interval / 4);
    const auto first = std::lower_bound(marks.begin(), marks.end(), begin);
    if (marks.end() - first < 2) throw NotDone("too few messages arrived to measure anything");
    for (auto mark = first + 1; mark != marks.end(); ++mark) {
      flood_.found.samples.push_back(batch / (nanoseconds(*mark - *(mark - 1)) / 1e9));
    }
    flood_.found.n = batch * flood_.found.samples.size();
    flood_.found.value =
        static_cast<double>(flood_.found.n) / (nanoseconds(marks.back() - *first) / 1e9);
  }

  Flood& flood_;
};

// The last worker belongs to the receiver alone; the senders share the others.
unsigned home_of_sender(const Options& options, std::uint32_t number) {
  return options.workers == 1 ? 0 : number % (options.workers - 1);
}

void add_receiver(Society& society, const Options& options, const FloodSettings& settings,
                  Flood& flood) {
  AgentSpec spec = placed("receiver", options.workers - 1);
  spec.mailbox(settings.mailbox);
  society.node().adopt(spec, std::make_unique<Receiver>(flood));
}

void add_senders(Society& society, const Options& options, const Flood& flood) {
  for (std::uint32_t i = 0; i < options.senders; ++i) {
    society.node().adopt(placed(fmt::format("sender/{}", i), home_of_sender(options, i)),
                         std::make_unique<Sender>(flood));
  }
}

Run flood_here(const Options& options, const FloodSettings& settings, Flood& flood) {
  Society society(options, settings.node);
  if (settings.company) flood.company = settings.company(society.node());
  add_receiver(society, options, settings, flood);
  add_senders(society, options, flood);
  society.wait();
  society.stop({.sent = flood.received + options.senders + flood.company.size()});
  return flood.found;
}

Run flood_from_afar(const Options& options, const FloodSettings& settings, Flood& flood) {
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&here, &settings, &flood, &place] {
    place.enter(here);
    Society society(here, settings.node);
    add_senders(society, here, flood);
    society.wait();
    society.stop({.sent = society.node().ledger().sent, .received = here.senders});
  });
  place.serve(here);
  Society society(here, settings.node);
  add_receiver(society, here, settings, flood);
  society.wait();
  partner.wait();
  const std::uint64_t others = options.senders;  // as many greetings as farewells
  society.stop({.sent = others, .received = flood.received + 2 * others});
  return flood.found;
}

}  // namespace

Run run_one_flood(const Options& options, const FloodSettings& settings) {
  Flood flood;
  flood.size = std::max<std::size_t>(1, options.size);
  flood.extra = settings.extra;
  flood.interval = options.interval(0.25, 1);
  flood.senders = options.senders;
  flood.is_apart = options.processes > 1;
  return options.processes > 1 ? flood_from_afar(options, settings, flood)
                               : flood_here(options, settings, flood);
}

}  // namespace coracle::bench
