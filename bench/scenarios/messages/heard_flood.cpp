#include "heard_flood.hpp"

#include "cost_players.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/players.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <latch>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::size_t one_of = 1000;  // messages match
constexpr std::uint64_t batch = 256;  // messages for each look at the clock
constexpr std::uint32_t the_one = 42;

// The word that a pattern looks for.
std::string word(std::uint32_t number) { return fmt::format("mark{:05}", number); }

// Texts, one of which has the word that a pattern looks for.
std::vector<Content> texts_of(const HeardFlood& flood) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> letters('a', 'z'), digits('0', '9');
  std::vector<Content> contents;
  for (std::size_t number = 0; number < one_of; ++number) {
    std::string text;
    while (text.size() < flood.size) {
      if (flood.said == Said::random) {
        text += static_cast<char>(letters(random));
      } else {
        text += "mark0";  // and three digits more, and no fourth
        for (int digit = 0; digit < 3; ++digit) text += static_cast<char>(digits(random));
      }
    }
    text.resize(flood.size);
    if (number == one_of / 2) text.replace(0, word(the_one).size(), word(the_one));
    contents.push_back(Content(std::move(text)));
  }
  return contents;
}

class FloodSender : public Player {
 public:
  explicit FloodSender(const HeardFlood& flood) : flood_(flood), contents_(texts_of(flood)) {}

 protected:
  Task<> play() override {
    const Address receiver = find("receiver");
    co_await send(receiver, Content(), greeting);
    const Message answer = co_await receive();
    const Time end = clock_now() + seconds(flood_.interval * 1.25);
    std::uint64_t sent = 0;
    std::size_t next = 0;
    // Sends at the end as many messages as the receiver needs to measure anything.
    for (int more = 2; clock_now() < end || more-- > 0;) {
      for (std::uint64_t i = 0; i < batch; ++i, ++sent) {
        co_await send(receiver, contents_[next]);
        if (++next == contents_.size()) next = 0;
      }
    }
    Content count(std::to_string(sent));
    co_await send(receiver, std::move(count), farewell);
  }

 private:
  const HeardFlood& flood_;
  const std::vector<Content> contents_;
};

class FloodReceiver : public Player {
 public:
  FloodReceiver(const HeardFlood& flood, HeardFlood::Found& found, std::vector<Address> company)
      : flood_(flood), found_(found), company_(std::move(company)) {}

 protected:
  Task<> play() override {
    Time begin{};
    std::uint64_t before = 0, received = 0;
    bool is_over = false;
    while (!is_over) {
      const Message message = co_await receive();
      if (message.conversation() == greeting) {
        begin = clock_now() + seconds(flood_.interval / 4);
        co_await send(message.source(), Content(), greeting);
        continue;
      }
      is_over = message.conversation() == farewell;
      if (is_over && std::to_string(received) != message.text())
        throw NotDone(fmt::format("{} were sent, {} came", message.text(), received));
      if (is_over || ++received % batch != 0) continue;
      const Time now = clock_now();
      if (now < begin || before == 0) begin = std::max(begin, now), before = received;
      else last_ = now, counted_ = received;
    }
    if (counted_ <= before) throw NotDone("too few messages came to measure anything");
    found_.n = counted_ - before;
    found_.rate = 1e9 * static_cast<double>(found_.n) / nanoseconds(last_ - begin);
    for (const Address companion : company_) co_await send(companion, Content(), farewell);
  }

 private:
  const HeardFlood& flood_;
  HeardFlood::Found& found_;
  const std::vector<Address> company_;
  Time last_{};
  std::uint64_t counted_ = 0;
};

// Counts what it overhears, until it gets a farewell itself.
class Overhearing : public Player {
 public:
  Overhearing(std::uint32_t first, std::uint32_t end, std::uint64_t& heard, std::latch& listening)
      : first_(first), end_(end), heard_(heard), listening_(listening) {}

 protected:
  Task<> play() override {
    for (std::uint32_t number = first_; number < end_; ++number)
      co_await overhear(Pattern().text(word(number)));
    listening_.count_down();
    bool is_over = false;
    while (!is_over) {
      const Message message = co_await receive();
      if (message.overheard()) ++heard_;
      else is_over = message.conversation() == farewell;
    }
  }

 private:
  const std::uint32_t first_, end_;
  std::uint64_t& heard_;
  std::latch& listening_;
};

// An agent may have 1,024 taps at most.
std::vector<Address> make_eavesdroppers(Node& node, std::uint32_t patterns, std::uint64_t& heard) {
  constexpr std::uint32_t each = 1000;
  const std::uint32_t eavesdroppers = (patterns + each - 1) / each;
  std::latch listening(static_cast<std::ptrdiff_t>(eavesdroppers));
  std::vector<Address> company;
  for (std::uint32_t i = 0; i < eavesdroppers; ++i) {
    // The word that is sent is the first one of all eavesdroppers: numbers begin there.
    const std::uint32_t first = the_one + i * each;
    const std::uint32_t end = the_one + std::min(patterns, (i + 1) * each);
    company.push_back(node.adopt(placed(fmt::format("hearer/{}", i), 0),
                                 std::make_unique<Overhearing>(first, end, heard, listening)));
  }
  listening.wait();
  return company;
}

}  // namespace

void send_flood(const Options& here, const HeardFlood& flood) {
  Society society(here);
  society.node().adopt(placed("sender", 0), std::make_unique<FloodSender>(flood));
  society.wait();
  (void)society.node().stop(std::chrono::seconds(5));
}

HeardFlood::Found receive_flood(const Options& here, const HeardFlood& flood) {
  HeardFlood::Found found;
  Society society(here);
  std::vector<Address> company = make_eavesdroppers(society.node(), flood.patterns, found.heard);
  society.node().adopt(placed("receiver", 0),
                       std::make_unique<FloodReceiver>(flood, found, std::move(company)));
  society.wait();
  if (flood.patterns != 0 && found.heard == 0) throw NotDone("nobody overheard anything");
  return found;
}

}  // namespace coracle::bench
