// A pipeline over two processes, of which one is killed.
#include "coracle/coracle.hpp"
#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"
#include "coracle/realizations/open.hpp"
#include "processes.hpp"
#include "support/societies/expect.hpp"
#include "support/temporary_folder.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

constexpr std::int64_t item_count = 20'000;

class Numbers : public dispel::Source<std::int64_t> {
 protected:
  Task<> produce(std::uint64_t first) override {
    for (auto number = static_cast<std::int64_t>(first); number < item_count; ++number) {
      co_await put(number);
    }
  }
};

class Double : public dispel::Filter<std::int64_t, std::int64_t> {
 protected:
  void process(const std::int64_t& number) override { put(2 * number); }
};

// Rings when it has a quarter of all items.
class Collect : public dispel::Sink<std::int64_t> {
 public:
  Collect(std::vector<std::int64_t>* all, Bell* bell) : all_(all), bell_(bell) {}

 protected:
  void consume(const std::int64_t& number) override {
    all_->push_back(number);
    if (all_->size() == item_count / 4) bell_->ring();
  }

 private:
  std::vector<std::int64_t>* all_;
  Bell* bell_;
};

// The same in both processes; it has far fewer items under way than are still to come.
dispel::Pipeline pipeline(std::vector<std::int64_t>* all, Bell* bell) {
  dispel::Flow flow;
  flow.window = 256;
  dispel::Pipeline p("p", flow);
  p.add<Numbers>("numbers").add<Double>("double").add<Collect>("all", all, bell);
  p.connect("numbers", "double").connect("double", "all");
  return p;
}

void keep(Node& node, dispel::Pipeline p, std::vector<std::string> parts,
          std::vector<std::string> stand_in) {
  auto keeper = std::make_unique<dispel::PipelineKeeper>(std::move(p));
  const std::string name = "keeper/" + parts.front();
  keeper->only(std::move(parts)).stand_in_for(std::move(stand_in));
  node.adopt(name, std::move(keeper));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pipeline_processes)

BOOST_AUTO_TEST_CASE(whichever_part_is_killed_the_stream_goes_on_where_it_was) {
  const std::vector<std::vector<std::string>> victims = {
      {"numbers"}, {"double"}, {"numbers", "double"}};
  for (const std::vector<std::string>& victim : victims) {
    TemporaryFolder folder;
    const std::string realization = "distributed:folder=" + folder.path();
    Bell begins;
    Bell quarter;
    Process other([&] {
      begins.await();
      Node node(open(realization));
      keep(node, pipeline(nullptr, nullptr), victim, {});
      node.wait();
    });
    Watchdog watchdog("a pipeline in processes", std::chrono::seconds(60 * slowness));
    std::vector<std::int64_t> all;
    {
      Node node(open(realization));
      std::vector<std::string> parts = {"all"};
      for (const char* each : {"numbers", "double"}) {
        if (std::find(victim.begin(), victim.end(), each) == victim.end()) parts.push_back(each);
      }
      keep(node, pipeline(&all, &quarter), parts, victim);
      begins.ring();
      quarter.await();
      other.kill();
      node.wait();
    }
    std::vector<std::int64_t> wanted(item_count);
    std::iota(wanted.begin(), wanted.end(), 0);
    for (std::int64_t& each : wanted) each *= 2;
    BOOST_TEST((all == wanted), "'" << victim.front() << "' was killed, and of " << item_count
                                    << " items came " << all.size());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
