#include "harness/flooding.hpp"

#include "harness/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace coracle::bench {

namespace {

using Extra = FloodSettings::Extra;

constexpr std::uint64_t batch = 4096;  // messages for each look at the receiver's clock

// What all players of a flood share. Senders write their own entry, at their end.
struct Flood {
  std::size_t size = 0;
  Extra extra = Extra::none;
  double interval = 0;
  std::vector<std::uint64_t> sent;
  std::vector<Address> company;
  Run found;
  std::uint64_t received = 0;
  std::uint64_t sum = 0;  // of the numbers that the messages bear
};

class Sender : public Player {
 public:
  Sender(Flood& flood, std::uint32_t number) : flood_(flood), number_(number) {}

 protected:
  Task<> play() override {
    const Address receiver = find("receiver");
    const Time end = clock_now() + seconds(flood_.interval * 1.25);
    std::string text(flood_.size, 'x');
    std::uint64_t sent = 0;
    std::size_t changed = 0;
    while (clock_now() < end) {
      for (unsigned i = 0; i < 256; ++i) {
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
    co_await send(receiver, Content(), farewell);
    flood_.sent[number_] = sent;
  }

 private:
  Post dressed(Post post) const {
    if (flood_.extra == Extra::header) post.header("unit", "metre");
    if (flood_.extra == Extra::deadline) post.expires(std::chrono::minutes(1));
    return post;
  }

  Flood& flood_;
  std::uint32_t number_;
};

class Receiver : public Player {
 public:
  explicit Receiver(Flood& flood) : flood_(flood) {}

 protected:
  Task<> play() override {
    std::vector<Time> marks{clock_now()};
    std::uint64_t received = 0;
    std::uint64_t sum = 0;
    for (std::size_t ended = 0; ended < flood_.sent.size();) {
      const Message message = co_await receive();
      if (message.conversation() == farewell) {
        ++ended;
        continue;
      }
      sum += message.conversation();
      if (++received % batch == 0) marks.push_back(clock_now());
    }
    flood_.received = received;
    flood_.sum = sum;
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

// The receiver has the last worker for itself; the senders share the others.
unsigned home_of_sender(const Options& options, std::uint32_t number) {
  return options.workers == 1 ? 0 : number % (options.workers - 1);
}

}  // namespace

Run run_one_flood(const Options& options, const FloodSettings& settings) {
  Flood flood;
  flood.size = std::max<std::size_t>(1, options.size);
  flood.extra = settings.extra;
  flood.interval = options.interval(0.25, 1);
  flood.sent.resize(options.senders);
  Society society(options, settings.node);
  if (settings.company) flood.company = settings.company(society.node());
  AgentSpec spec = placed("receiver", options.workers - 1);
  spec.mailbox(settings.mailbox);
  society.node().adopt(spec, std::make_unique<Receiver>(flood));
  for (std::uint32_t i = 0; i < options.senders; ++i) {
    society.node().adopt(placed(fmt::format("sender/{}", i), home_of_sender(options, i)),
                         std::make_unique<Sender>(flood, i));
  }
  society.wait();

  std::uint64_t sent = 0;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : flood.sent) {
    sent += count;
    sum += count * (count + 1) / 2;
  }
  if (flood.received != sent || flood.sum != sum) {
    throw NotDone(fmt::format("{} messages were sent, but {} arrived", sent, flood.received));
  }
  society.stop({.sent = sent + flood.sent.size() + flood.company.size()});
  return flood.found;
}

}  // namespace coracle::bench
