// Nodes of the Distributed realization in processes of their own, which are killed, and a directory
// that ends and begins again.
#include "coracle/realizations/distributed.hpp"
#include "lab.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace coracle::test {

namespace {

class DistributedLab : public Lab {
 public:
  distributed::Options options() const {
    distributed::Options options;
    options.society = "lab";
    options.key = "what we know";
    options.folder = folder_.path();
    options.directories = {place()};
    return options;
  }
  Realization node() const override { return distributed::realization(options()); }
  void stop_serving() override { directory_.reset(); }
  bool runs_without() const override { return true; }

 private:
  void begin() override {
    distributed::DirectoryOptions options;
    options.society = "lab";
    options.key = "what we know";
    options.listen = {place()};
    options.log = [](const std::string&) {};
    directory_.emplace(options);
  }

  std::optional<distributed::DirectoryServer> directory_;
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
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::kill, std::chrono::seconds(3));
}

BOOST_AUTO_TEST_CASE(what_a_silent_slave_has_in_hand_is_soon_done_elsewhere) {
  a_lost_slaves_tasks_are_done_elsewhere(*this, &Process::halt, std::chrono::seconds(6));
}

BOOST_AUTO_TEST_CASE(a_node_with_another_key_is_told_why_it_is_not_let_in) {
  serve();
  distributed::Options guessing = options();
  guessing.key = "guessed";
  is_refused_for_its_key(distributed::realization(guessing));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
