// A recording of the agents that an operator has marked.
#include "coracle/node.hpp"
#include "coracle/operating.hpp"
#include "coracle/recording/recorder.hpp"
#include "coracle/recording/recording.hpp"
#include "support/temporary_folder.hpp"
#include "tests/support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace coracle::test {

using recording::Recorder;
using recording::RecorderOptions;
using recording::Recording;

BOOST_AUTO_TEST_SUITE(marked)

BOOST_AUTO_TEST_CASE(a_recording_of_marked_agents_has_their_messages_only) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/marked.db";
  {
    RecorderOptions options;
    options.only_marked = true;
    Recorder recorder(file, options);
    sim::World world = recorder.world();
    NodeOptions node_options;
    node_options.operators = true;
    Node node(world.realization(), node_options);
    for (const char* name : {"bob", "carl"})
      node.create<Doer>(name, [](Agent& me) -> Task<> {
        for (;;) (void)co_await me.receive();
      });
    world.run_for(std::chrono::milliseconds(1));
    const auto send_to_both = [&](const char* from, const char* text) {
      node.create<Doer>(from, [text](Agent& me) -> Task<> {
        co_await me.send("bob", text);
        co_await me.send("carl", text);
      });
      world.run_for(std::chrono::milliseconds(1));
    };
    send_to_both("ann", "before");
    operate(node, OperatorAct::record, "bob");
    send_to_both("eve", "marked");
    operate(node, OperatorAct::leave, "bob");
    send_to_both("dan", "after");
    recorder.close();
  }
  const Recording recording = Recording::load(file);
  BOOST_TEST_REQUIRE(recording.messages().size() == 1U);
  BOOST_TEST(recording.messages().front().content == "marked");
  BOOST_TEST((recording.messages().front().target == Name("bob")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
