// One consumer at a clearinghouse never reads, and gigabytes are offered to it. The server does not
// grow, senders are slowed or notified, and other agents do not suffer. CORACLE_CENTRAL_OFFERED is
// the size, in MiB.
#include "campaign.hpp"
#include "central_lab.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t mebibyte = 1u << 20;
constexpr std::uint64_t room_to_grow = 64 * mebibyte;
constexpr std::size_t letter_bytes = 1u << 20;
constexpr int pairs = 4;

// A consumer's overflow policy, and its share of the offered bytes.
struct Consumer {
  const char* name;
  Overflow overflow;
  std::uint64_t percent;
  // The senders are slowed or notified, so that they take nothing from others.
  bool is_gentle;
};
constexpr std::array<Consumer, 3> consumers = {{{"waits", Overflow::wait, 10, true},
                                                {"fails", Overflow::fail, 30, true},
                                                {"drops", Overflow::drop_newest, 60, false}}};

// The state that the processes share.
struct Board {
  Memory server;
  std::atomic<int> whom{-1};  // messages are offered to that consumer; -1: to none
  std::atomic<bool> is_over{false};
  struct Count {
    std::atomic<std::uint64_t> offered{0}, accepted{0}, notified{0};
  };
  std::array<Count, consumers.size()> bytes;
};

class Overload : public CentralLab {
 public:
  // A process with consumers that never read.
  std::function<void()> consuming() {
    return [this] {
      Node node(this->node());
      for (const Consumer& each : consumers) {
        AgentSpec spec(each.name);
        spec.mailbox(MailboxOptions().messages(16).overflow(each.overflow));
        node.adopt(std::move(spec), std::make_unique<Doer>([](Agent& me) -> Task<> {
                     co_await me.pause(std::chrono::hours(1));
                   }));
      }
      here.ring();
      node.wait();
    };
  }
  // A process that offers them messages, when the board names a consumer.
  std::function<void()> offering() {
    return with("ann", [this](Agent& me) -> Task<> {
      here.ring();
      const Content letter(std::string(letter_bytes, 'x'));
      while (!board->is_over) {
        const int whom = board->whom;
        if (whom < 0) {
          co_await me.pause(5ms);
        } else {
          co_await offer(me, static_cast<std::size_t>(whom), letter);
        }
      }
    });
  }
  std::function<void()> answering() {
    return [this] {
      Node node(this->node());
      for (int pair = 0; pair < pairs; ++pair) {
        node.adopt("server" + std::to_string(pair), std::make_unique<Doer>([](Agent& me) -> Task<> {
                     for (;;) {
                       const Message message = co_await me.receive();
                       co_await me.reply(message, message.text());
                     }
                   }));
      }
      here.ring();
      node.wait();
    };
  }

  Common<Board> board;
  Bell here;  // rings for each process that is ready

 private:
  Task<> offer(Agent& me, std::size_t whom, const Content& letter) {
    Board::Count& count = board->bytes[whom];
    count.offered += letter_bytes;
    bool is_notified = false;
    try {
      Post post(Name(consumers[whom].name), letter);
      if (consumers[whom].is_gentle) post.patience(Deadline(20ms));
      co_await me.send(std::move(post));
      count.accepted += letter_bytes;
    } catch (const Error& error) {
      if (error.errc() != Errc::mailbox_full && error.errc() != Errc::expired) throw;
      count.notified += letter_bytes;
      is_notified = true;
    }
    if (is_notified) co_await me.pause(5ms);
  }
};

// Pairs that exchange messages, and the number of their round trips.
class Talking {
 public:
  explicit Talking(Realization realization) : node_(std::move(realization)) {
    for (int pair = 0; pair < pairs; ++pair) {
      node_.adopt("client" + std::to_string(pair),
                  std::make_unique<Doer>([this, pair](Agent& me) -> Task<> {
                    const std::string whom = "server" + std::to_string(pair);
                    while (!is_over_) {
                      const Message answer = co_await me.ask(whom, "so?");
                      ++rounds_;
                    }
                  }));
    }
  }
  ~Talking() {
    is_over_ = true;
    node_.wait();
    (void)node_.stop(5s);
  }
  // The number of round trips per second in that span. If there was none, it waits until there is
  // one: the watchdog detects pairs that stand still.
  double rate(Duration span) {
    const Time begin = steady_clock().now();
    const std::uint64_t before = rounds_;
    do let_pass(span);
    while (rounds_ == before);
    const auto took = std::chrono::duration<double>(steady_clock().now() - begin).count();
    return static_cast<double>(rounds_ - before) / took;
  }
  std::uint64_t rounds() const { return rounds_; }

 private:
  std::atomic<std::uint64_t> rounds_{0};
  std::atomic<bool> is_over_{false};
  Node node_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string percents(double ratio) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * ratio);
  return text;
}

BOOST_FIXTURE_TEST_SUITE(campaign_central_overload, Overload)

BOOST_AUTO_TEST_CASE(a_consumer_that_never_reads_costs_the_server_nothing_and_others_little) {
  const std::uint64_t offered = campaign_size("CORACLE_CENTRAL_OFFERED", 300) * mebibyte;
  const Duration window = is_campaign() ? 500ms : 100ms;
  Bell serves;
  Process server([&] {
    begin();
    const Meter meter(board->server);
    serves.ring();
    Bell().await();
  });
  serves.await();
  Process consumer(consuming()), sender(offering()), others(answering());
  for (int process = 0; process < 3; ++process) here.await();
  watch(is_campaign() ? 1200s : 90s);
  Talking talking(node());
  while (talking.rounds() < 1000) std::this_thread::yield();
  board->server.begin();
  for (std::size_t whom = 0; whom < consumers.size(); ++whom) {
    const Consumer& each = consumers[whom];
    Board::Count& count = board->bytes[whom];
    std::vector<double> ratios;
    const auto is_notified = [&] { return !each.is_gentle || count.notified > 0; };
    while (ratios.size() < 3 || count.offered < offered / 100 * each.percent || !is_notified()) {
      const double without = talking.rate(window);
      board->whom = static_cast<int>(whom);
      ratios.push_back(talking.rate(window) / without);
      board->whom = -1;
    }
    BOOST_TEST(count.notified + count.accepted > 0u);
    const double kept = median(ratios);
    if (is_campaign() && each.is_gentle) BOOST_TEST(kept >= 0.9);
    figure(std::string("a consumer whose mailbox ") + each.name + ": offered, accepted, notified",
           to_mebibytes(count.offered) + ", " + to_mebibytes(count.accepted) + ", " +
               to_mebibytes(count.notified),
           "-");
    figure(std::string("other pairs meanwhile, of their round trips (") + each.name + ")",
           percents(kept) + " in " + std::to_string(ratios.size()) + " windows",
           each.is_gentle ? ">= 90 %" : "-");
  }
  board->is_over = true;
  const std::uint64_t grown = board->server.grown();
  if (is_memory_judged) BOOST_TEST(grown < room_to_grow);
  figure("the server's memory grows by", to_mebibytes(grown), "< 64 MiB");
}

// The server keeps messages for a name without a holder up to its budget.
BOOST_AUTO_TEST_CASE(what_is_handed_over_beyond_the_budget_is_refused) {
  constexpr std::uint64_t budget = 32 * mebibyte;
  constexpr int letters = 4;  // of each node
  const std::uint64_t wanted = is_campaign() ? 512 * mebibyte : 2 * budget;
  Bell serves;
  Process server([&] {
    central::ServerOptions options = server_options();
    options.kept_bytes = budget;
    options.data = folder_ / "kept";
    const central::Server serving(options);
    const Meter meter(board->server);
    serves.ring();
    Bell().await();
  });
  serves.await();
  watch(is_campaign() ? 600s : 90s);
  board->server.begin();
  std::uint64_t stored = 0, refused = 0;
  const Content letter(std::string(letter_bytes, 'x'));
  while (stored + refused < wanted) {
    std::vector<Receipt> receipts;
    Node node(this->node());
    node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 for (int number = 0; number < letters; ++number) {
                   Post post("nobody", letter);
                   receipts.push_back(co_await me.track(std::move(post)));
                 }
               }));
    node.wait();
    (void)node.stop(0s);
    for (const Receipt& receipt : receipts)
      (receipt.first().stage == Stage::stored ? stored : refused) += letter_bytes;
  }
  const std::uint64_t grown = board->server.grown();
  BOOST_TEST(stored > 0u);
  BOOST_TEST(stored <= budget);
  BOOST_TEST(refused > 0u);
  if (is_memory_judged) BOOST_TEST(grown < budget + room_to_grow);
  figure("left for nobody: stored, refused", to_mebibytes(stored) + ", " + to_mebibytes(refused),
         "the budget is " + to_mebibytes(budget));
  figure("the server's memory grows by", to_mebibytes(grown), "< the budget + 64 MiB");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
