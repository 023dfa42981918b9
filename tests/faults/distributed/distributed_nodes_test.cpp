// Nodes of the Distributed realization in processes of their own, which are killed, and a directory
// that ends and starts again.
#include "distributed_lab.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

// Two directories, each in a process of its own.
class TwoDirectoriesLab : public DistributedLab {
 public:
  Realization node() const override {
    distributed::Options both = options();
    both.directories = {place_of("first"), place_of("second")};
    return distributed::realization(both);
  }
  std::string place_of(const std::string& name) const { return "unix://" + (folder_ / name); }
  std::function<void()> serving(const std::string& name) {
    return [this, name] {
      distributed::DirectoryOptions options;
      options.society = "lab";
      options.key = society_key;
      options.listen = {place_of(name)};
      options.log = [](const std::string&) {};
      const distributed::DirectoryServer server(options);
      serves_.ring();
      Bell().await();  // for ever
    };
  }

  // A node that comes afterwards finds an agent that was there before.
  void nobody_is_lost_by(const std::function<void(Process& directory)>& what) {
    Process first(serving("first")), second(serving("second"));
    Process other(with("bob", passing_on("ann", "last")));
    Bell lost;
    Process late([this, &lost] {
      lost.await();
      with("carl", [](Agent& me) -> Task<> {
        co_await me.send("bob", "last");
        (void)co_await me.receive();
      })();
    });
    watch();
    serves_.await();
    serves_.await();
    Node node(this->node());
    std::vector<std::string> received;
    node.adopt("ann", std::make_unique<Doer>([&](Agent& me) -> Task<> {
                 co_await me.send("bob", "first");
                 while (received.size() < 2) {
                   const Message message = co_await me.receive();
                   received.emplace_back(message.text());
                   if (received.back() == "last") co_await me.send("carl", "thanks");
                   if (received.size() != 1) continue;
                   what(first);
                   lost.ring();
                 }
               }));
    node.wait();
    const std::vector<std::string> expected = {"first", "last"};
    BOOST_TEST(received == expected, boost::test_tools::per_element());
    BOOST_TEST(other.wait());
    BOOST_TEST(late.wait());
    node.adopt("cid", std::make_unique<Doer>([](Agent&) -> Task<> { co_return; }));
    node.wait();
    (void)node.stop(std::chrono::seconds(5));
  }

 private:
  Bell serves_;
};

BOOST_FIXTURE_TEST_SUITE(distributed_nodes, DistributedLab)

BOOST_AUTO_TEST_CASE(agents_in_two_processes_talk_and_count_every_message) {
  agents_talk_and_count_every_message(*this);
}

BOOST_AUTO_TEST_CASE(what_a_killed_process_had_not_read_goes_to_the_next_holder_of_the_name) {
  what_a_killed_process_had_not_read_goes_to_the_next_holder(*this);
}

BOOST_AUTO_TEST_CASE(a_directory_that_begins_again_costs_no_message) {
  a_server_that_begins_again_costs_no_message(*this);
}

BOOST_AUTO_TEST_CASE(a_large_content_arrives_whole) {
  a_large_content_arrives_whole_among_small_ones(*this);
}

BOOST_AUTO_TEST_CASE(a_thousand_agents_are_made_by_one_node) {
  a_node_makes_a_thousand_agents(*this);
}

BOOST_AUTO_TEST_CASE(nothing_that_a_tuple_space_has_stored_is_lost_when_it_is_killed) {
  what_a_killed_space_had_confirmed_is_there_again(*this);
}

BOOST_AUTO_TEST_CASE(what_a_killed_slave_had_in_hand_is_soon_done_elsewhere) {
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::kill, std::chrono::seconds(10));
}

BOOST_AUTO_TEST_CASE(what_a_silent_slave_has_in_hand_is_soon_done_elsewhere) {
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::halt, std::chrono::seconds(13));
}

BOOST_AUTO_TEST_CASE(a_node_with_another_key_is_told_why_it_is_not_let_in) {
  watch();
  distributed::DirectoryOptions serving;
  serving.society = "lab";
  serving.key = society_key;
  serving.beacon = "off";
  serving.listen = {"127.0.0.1:0"};
  serving.log = [](const std::string&) {};
  const distributed::DirectoryServer directory(serving);
  distributed::Options guessing = options();
  guessing.directories = directory.endpoints();
  guessing.key = another_key;
  is_refused_for_its_key(distributed::realization(guessing));
}

BOOST_FIXTURE_TEST_CASE(a_directory_that_is_killed_is_followed_by_the_next, TwoDirectoriesLab) {
  nobody_is_lost_by([](Process& directory) { directory.kill(); });
}

BOOST_FIXTURE_TEST_CASE(a_directory_that_hangs_is_followed_by_the_next, TwoDirectoriesLab) {
  nobody_is_lost_by([](Process& directory) { directory.halt(); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
