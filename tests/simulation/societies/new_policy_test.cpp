// The policy of a Distributed society changes while its nodes run: the directory sends each version
// to all nodes, and the nodes apply it.
#include "coracle/grants.hpp"
#include "linked/linked_hosts.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

constexpr unsigned service_host = 3;
const std::string registering = "allow * register **\n";
const std::string sending = registering + "allow ** send bob\n";

// bob reads on host 1.
class Ruled {
 public:
  Ruled() : world_(hosts()), service_(world_, service_host, Linked::distributed, 0, guard()) {
    come(1).adopt("bob", std::make_unique<Doer>([this](Agent& me) -> Task<> {
                    for (;;) read.emplace_back((co_await me.receive()).text());
                  }));
  }
  // One more node.
  Node& come(unsigned host) {
    nodes_.push_back(std::make_unique<Node>(linked_node(world_, host, {service_host})));
    return *nodes_.back();
  }
  // A new agent of the node sends the text to bob; returns how that ended.
  Outcome end_of(Node& node, const std::string& text) {
    std::optional<Receipt> receipt;
    node.adopt(Name("ann/" + text), std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 receipt = co_await me.track(Post("bob", Content(text)));
                 (void)co_await me.receive();
               }));
    world_.run_for(1s);
    return receipt.value().first().outcome.value();
  }
  void set_policy(const std::string& text) {
    service_.set_policy(text);
    world_.run_for(1s);
  }

  std::vector<std::string> read;

 private:
  static sim::Options hosts() {
    sim::Options options;
    options.nodes = service_host + 1;
    return options;
  }
  static LinkedGuard guard() { return {parse_policy(sending).value(), {}, sending}; }

  sim::World world_;
  LinkedDirectory service_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(new_policy)

BOOST_AUTO_TEST_CASE(nodes_apply_each_version_that_the_directory_sends) {
  Ruled society;
  Node& node = society.come(0);
  BOOST_TEST((society.end_of(node, "first") == Outcome::consumed));
  society.set_policy(registering);
  BOOST_TEST((society.end_of(node, "second") == Outcome::refused));
  society.set_policy(sending);
  BOOST_TEST((society.end_of(node, "third") == Outcome::consumed));
  BOOST_TEST(society.read == (std::vector<std::string>{"first", "third"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_node_that_comes_later_applies_the_latest_version) {
  Ruled society;
  society.set_policy(registering);
  BOOST_TEST((society.end_of(society.come(2), "late") == Outcome::refused));
  BOOST_TEST(society.read.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
