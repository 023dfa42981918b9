// Links over the sockets of this machine: TCP, Unix, TLS.
#include "realizations/net/src/asio/alarms.hpp"
#include "support/asio_bench.hpp"
#include "support/link_node.hpp"
#include "tests/support/keys.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using Scheme = Endpoint::Scheme;

// Two nodes in one context.
struct Lab {
  Lab(Scheme scheme, AsioOptions one, AsioOptions other, std::string ann_name = "ann")
      : bench(scheme, one, other), alarms(asio_alarms(bench.context)) {
    bob = make(bench.listening(), identity("bob", 2, false), 1);
    place = bob->links.listen(bench.place()).value();
    ann = make(bench.connecting(), identity(std::move(ann_name), 1, false), 0);
    ann->add("", place);
  }
  std::unique_ptr<LinkNode> make(Network& network, Identity self, unsigned index) {
    ModelUser::Habits habits;
    habits.large = 200'000;
    return std::make_unique<LinkNode>(network, *alarms, steady_clock(), random, std::move(self),
                                      LinkOptions{}, ledger, index, habits);
  }
  bool open() {
    ann->link->dial();
    return bench.until([&] {
      return bob->link != nullptr && bob->link->session().is_open() &&
             ann->link->session().is_open();
    });
  }
  void talk(unsigned turns) {
    for (unsigned i = 0; i < turns; ++i) {
      for (LinkNode* each : {ann.get(), bob.get()}) {
        each->user.act(20);
        each->link->flush();
      }
      bench.context.restart();
      bench.context.poll();
    }
  }
  bool finish() {
    return bench.until([&] {
      for (LinkNode* each : {ann.get(), bob.get()}) {
        each->user.finish();
        each->link->flush();
      }
      return ann->user.is_done() && bob->user.is_done();
    });
  }

  AsioBench bench;
  SeededRandom random{7};
  Ledger ledger;
  std::unique_ptr<Alarms> alarms;
  std::unique_ptr<LinkNode> ann, bob;
  Endpoint place;
};

// Exchanges messages, loses its connection over and over, and exchanges messages again.
void prove(Lab& lab) {
  BOOST_REQUIRE(lab.open());
  BOOST_TEST(lab.ann->link->node() == "bob");
  lab.talk(200);
  BOOST_TEST(lab.finish());
  lab.talk(50);
  BOOST_TEST(lab.finish());
  BOOST_TEST(lab.ledger.arrivals > 500u);
  BOOST_TEST(lab.ann->faults.empty());
  BOOST_TEST(lab.bob->faults.empty());
  lab.ann->link->leave();
  BOOST_TEST(lab.bench.until([&] { return lab.ann->user.gone == 1 && lab.bob->user.gone == 1; }));
}

BOOST_AUTO_TEST_SUITE(asio_link)

AsioOptions with_key(const char* key) {
  AsioOptions options;
  options.keys.emplace(key, "lab");
  return options;
}

BOOST_AUTO_TEST_CASE(nodes_talk_over_tls_with_a_key) {
  Lab lab(Scheme::tls, with_key(coracle::test::society_key), with_key(coracle::test::society_key));
  prove(lab);
}

BOOST_AUTO_TEST_CASE(a_node_with_another_key_is_told_why_it_is_not_let_in) {
  Lab lab(Scheme::tls, with_key(coracle::test::society_key), with_key(coracle::test::another_key));
  lab.ann->link->dial();
  BOOST_TEST(lab.bench.until([&] { return lab.ann->count(Reason::not_permitted) > 0; }));
  BOOST_TEST(lab.bench.until([&] { return lab.bob->count(Reason::not_permitted) > 0; }));
  for (const LinkNode* each : {lab.ann.get(), lab.bob.get()})
    BOOST_TEST(each->lines.front().find("society key") != std::string::npos, each->lines.front());
  BOOST_TEST(lab.bob->link == nullptr);
}

BOOST_AUTO_TEST_CASE(nodes_of_one_user_talk_over_unix_sockets_without_a_key) {
  Lab lab(Scheme::unix_socket, {}, {});
  prove(lab);
}

BOOST_AUTO_TEST_CASE(nodes_with_certificates_talk_over_tls_without_a_key) {
  const TemporaryFolder folder;
  Authority authority(folder.path());
  AsioOptions listening, connecting;
  listening.tls = authority.issue({"bob", {"DNS:bob", "IP:127.0.0.1"}});
  connecting.tls = authority.issue({"ann", {"URI:coracle://lab/ann"}});
  Lab lab(Scheme::tls, listening, connecting);
  prove(lab);
}

BOOST_AUTO_TEST_CASE(a_certificate_is_good_for_its_own_node_only) {
  const TemporaryFolder folder;
  Authority authority(folder.path());
  AsioOptions listening, connecting;
  listening.tls = authority.issue({"bob", {"DNS:bob", "IP:127.0.0.1"}});
  connecting.tls = authority.issue({"ann", {"URI:coracle://lab/ann"}});
  Lab lab(Scheme::tls, listening, connecting, "eve");
  lab.ann->link->dial();
  BOOST_TEST(lab.bench.until([&] { return lab.bob->count(Reason::not_permitted) > 0; }));
  BOOST_TEST(lab.bob->link == nullptr);
}

// A certificate is valid for all programs of its node, by its society's name alone.
BOOST_AUTO_TEST_CASE(a_certificate_is_good_for_the_programs_of_its_node) {
  const TemporaryFolder folder;
  Authority authority(folder.path());
  AsioOptions listening, connecting;
  listening.tls = authority.issue({"bob", {"DNS:bob", "IP:127.0.0.1"}});
  connecting.tls = authority.issue({"ann", {"URI:coracle://lab/ann", "DNS:eve"}});
  Lab lab(Scheme::tls, listening, connecting, "ann.7");
  BOOST_TEST(lab.open());
  for (const char* name : {"anne.7", "eve.7", "ann7", ".7"}) {
    Lab other(Scheme::tls, listening, connecting, name);
    other.ann->link->dial();
    BOOST_TEST(other.bench.until([&] { return other.bob->count(Reason::not_permitted) > 0; }),
               name);
    BOOST_TEST(other.bob->link == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(over_tcp_nobody_gets_in_without_a_proof) {
  Lab lab(Scheme::tcp, {}, {});
  lab.ann->link->dial();
  BOOST_TEST(lab.bench.until([&] { return lab.bob->count(Reason::not_permitted) > 0; }));
  BOOST_TEST(lab.bob->link == nullptr);
}

BOOST_AUTO_TEST_CASE(a_link_whose_place_comes_later_is_made_then) {
  Lab lab(Scheme::unix_socket, {}, {});
  lab.bob.reset();  // nobody listens any more
  lab.ann->link->dial();
  BOOST_TEST(lab.bench.until([&] { return lab.ann->faults.size() >= 2; }));
  lab.bob = lab.make(lab.bench.listening(), identity("bob", 3, false), 1);
  BOOST_REQUIRE(lab.bob->links.listen(lab.place).has_value());
  BOOST_REQUIRE(lab.open());
  lab.talk(20);
  BOOST_TEST(lab.finish());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
