// Strangers connect to a clearinghouse. They are disconnected in time, cost it next to nothing, and
// members hardly notice. CORACLE_CENTRAL_STRANGERS is the number of strangers that send nothing or
// type slowly; twice as many announce absurd lengths. CORACLE_CENTRAL_STRANGERS_RATE is the number
// of strangers per second.
#include "campaign.hpp"
#include "central_lab.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "realizations/net/src/endpoint.hpp"
#include "strangers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most_for_a_stranger = 8u << 10;
constexpr std::uint64_t most_handshakes = 256, most_for_a_handshake = 160u << 10;

// The state that the processes share.
struct SiegeBoard {
  Memory server;
  std::atomic<unsigned> port{0};
  std::array<Attack, 2> attacks;
};

class Door : public CentralLab {
 public:
  // Nothing is encrypted, and nothing is proved.
  void speak_plain() { is_plain_ = true; }
  // With certificates, nodes present theirs.
  void make_certificates() {
    net::Authority authority(folder_ / "society", "lab");
    server_tls_ = authority.issue("server", {"127.0.0.1"}, 1);
    node_tls_ = authority.issue("node", {"127.0.0.1"}, 1);
  }
  Realization node() const override {
    central::Options options = this->options();
    options.server = "127.0.0.1:" + std::to_string(board->port);
    options.tls = node_tls_;
    options.key.clear();
    if (!is_plain_ && node_tls_.empty()) options.key = society_key;
    return central::realization(options);
  }
  std::function<void()> serving() {
    return [this] {
      central::ServerOptions options = server_options();
      options.listen = {"127.0.0.1:0"};
      options.tls = server_tls_;
      options.key.clear();
      if (!is_plain_ && server_tls_.empty()) options.key = society_key;
      const central::Server server(options);
      const Meter meter(board->server);
      board->port = net::Endpoint::parse(server.endpoints().front()).value().port;
      ready.ring();
      Bell().await();
    };
  }
  std::function<void()> answering() {
    return [this] {
      Node node(this->node());
      node.adopt("bob", std::make_unique<Doer>([](Agent& me) -> Task<> {
                   for (;;) {
                     const Message message = co_await me.receive();
                     co_await me.reply(message, message.text());
                   }
                 }));
      ready.ring();
      node.wait();
    };
  }
  std::function<void()> attacking(Attack& how, std::vector<Stranger> kinds, std::uint64_t count) {
    return [this, &how, kinds = std::move(kinds), count] {
      attack(static_cast<std::uint16_t>(board->port), kinds, count,
             campaign_size("CORACLE_CENTRAL_STRANGERS_RATE", 3000), how);
    };
  }

  Common<SiegeBoard> board;
  Bell ready;

 private:
  std::string server_tls_, node_tls_;
  bool is_plain_ = false;
};

// A pair of members: the durations of its round trips, with strangers and without.
class Inside {
 public:
  explicit Inside(Realization realization) : node_(std::move(realization)) {
    node_.adopt("ann", std::make_unique<Doer>([this](Agent& me) -> Task<> {
                  while (!is_over_) {
                    const Time begin = steady_clock().now();
                    const bool with = with_;
                    const Message answer = co_await me.ask("bob", "there?");
                    if (with == with_) {
                      times_[with].push_back(steady_clock().now() - begin);
                      ++trips_;
                    }
                    co_await me.pause(200us);
                  }
                }));
  }
  // Measures with strangers or without: for that span, and until there was a round trip.
  void measure(bool with, Duration span) {
    with_ = with;
    const std::uint64_t before = trips_;
    do let_pass(span);
    while (trips_ == before);
  }
  void end() {
    is_over_ = true;
    node_.wait();
    (void)node_.stop(5s);
  }
  // After the end: in microseconds.
  double slowest_percent(bool with) {
    std::vector<Duration>& times = times_[with];
    BOOST_TEST_REQUIRE(times.size() > (is_campaign() ? 100u : 0u));
    const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 99 / 100);
    std::nth_element(times.begin(), place, times.end());
    return std::chrono::duration<double, std::micro>(*place).count();
  }

 private:
  std::atomic<bool> with_{false}, is_over_{false};
  std::atomic<std::uint64_t> trips_{0};
  std::array<std::vector<Duration>, 2> times_;
  Node node_;
};

// One in six sends nothing, one types a greeting, and the others announce a length above every
// limit.
std::vector<Stranger> crowd(const std::string& greeting, const std::string& absurd) {
  const Stranger silent, typing{{}, greeting}, absurd_one{absurd, {}};
  return {silent, absurd_one, absurd_one, typing, absurd_one, absurd_one};
}

std::uint64_t strangers_wanted() { return 3 * campaign_size("CORACLE_CENTRAL_STRANGERS", 200); }

// Strangers come while a pair exchanges messages; times with and without them alternate.
void besiege(Door& door, Process& strangers, Attack& attack, const std::string& scheme) {
  const Duration window = is_campaign() ? 1s : 50ms;
  const std::uint64_t count = strangers_wanted();
  Inside inside(door.node());
  inside.measure(false, window);
  door.board->server.begin();
  while (attack.opened < count) {
    inside.measure(false, window);
    attack.is_on = true;
    inside.measure(true, window);
    attack.is_on = false;
  }
  BOOST_TEST(strangers.wait());
  inside.end();
  BOOST_TEST(attack.closed == count);
  const double without = inside.slowest_percent(false), with = inside.slowest_percent(true);
  if (is_campaign()) {
    BOOST_TEST(attack.longest_ms <= 5000u);
    BOOST_TEST(with <= 2 * without);
  }
  const Memory& server = door.board->server;
  if (is_memory_judged) BOOST_TEST(server.most_for_one <= most_for_a_stranger);
  const auto whole = [](double number) { return std::to_string(static_cast<int>(number)); };
  figure("strangers (" + scheme + "), sent away after at most",
         std::to_string(count) + ", " + std::to_string(attack.longest_ms) + " ms", "<= 5000 ms");
  figure("of them at once, memory for each",
         std::to_string(server.most_open) + ", " + std::to_string(server.most_for_one) + " B",
         "<= 8192 B");
  figure("99 % of an honest pair's round trips within",
         whole(without) + " us without them, " + whole(with) + " us with them", "at most twice");
}

BOOST_FIXTURE_TEST_SUITE(campaign_central_strangers, Door)

BOOST_AUTO_TEST_CASE(those_who_say_little_or_nonsense_are_sent_away_and_nobody_else_suffers) {
  speak_plain();
  Process server(serving());
  ready.await();
  Process bob(answering());
  ready.await();
  // A greeting that goes on, and a frame with the largest possible length.
  const std::vector<Stranger> kinds =
      crowd(std::string("\x01\x00\x02\x00", 4) + std::string(60, 'x'), "\x01\xff\xff\xff\xff\xff");
  Process strangers(attacking(board->attacks[0], kinds, strangers_wanted()));
  watch(is_campaign() ? 600s : 90s);
  besiege(*this, strangers, board->attacks[0], "tcp");
}

// By TLS, with certificates or with the society's key.
void besiege_by_tls(Door& door, const std::string& how) {
  const std::string hello = client_hello();
  Process server(door.serving());
  door.ready.await();
  Process bob(door.answering());
  door.ready.await();
  const std::vector<Stranger> kinds =
      crowd(hello, std::string("\x16\x03\x01\xff\xff\x01", 6) + std::string(20, '\xff'));
  Process strangers(door.attacking(door.board->attacks[0], kinds, strangers_wanted()));
  // These begin a handshake, and do not continue it.
  const std::uint64_t half_way = is_campaign() ? 1000 : 300;
  Process others(door.attacking(door.board->attacks[1], {{hello, {}}}, half_way));
  door.watch(is_campaign() ? 600s : 90s);
  besiege(door, strangers, door.board->attacks[0], how);
  door.board->server.begin();
  door.board->attacks[1].is_on = true;
  BOOST_TEST(others.wait());
  BOOST_TEST(door.board->attacks[1].closed == half_way);
  const std::uint64_t grown = door.board->server.most_allocated - door.board->server.allocated;
  if (is_memory_judged) BOOST_TEST(grown <= most_handshakes * most_for_a_handshake);
  figure("handshakes that do not go on, memory for all of them",
         std::to_string(half_way) + ", " + to_mebibytes(grown), "at most 256 at once");
}

BOOST_AUTO_TEST_CASE(where_tls_is_spoken_too_and_handshakes_are_few) {
  make_certificates();
  besiege_by_tls(*this, "tls");
}

BOOST_AUTO_TEST_CASE(with_a_society_key_too) { besiege_by_tls(*this, "tls with a key"); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
