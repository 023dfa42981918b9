// Stages as state machines, driven by a small world of queues: whichever stage crashes at any time,
// every item reaches its sink once and in order.
#include "pipeline/stage.hpp"

#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <optional>
#include <random>

namespace coracle::dispel::detail {

namespace {

struct Numbers : dispel::Source<long> {
  Task<> produce(std::uint64_t) override { co_return; }
};
struct Through : dispel::Filter<long, long> {};
struct Keeps : dispel::Sink<long> {};

// The output of each part for a number. Some numbers are dropped, some doubled.
std::vector<long> made_of(long item) {
  if (item % 7 == 3) return {};
  if (item % 5 == 1) return {item, item};
  return {item};
}

// A stage with its items, and the messages that wait for it.
struct Place {
  Pipeline::Planned planned;
  std::unique_ptr<PipelineStage> stage;
  std::vector<Outbox<long>> boxes;
  long produced = 0;
  std::optional<long> first;  // of a pair that the stage holds
  bool ended = false;
  struct Letter {
    std::size_t from = 0;
    Outgoing content;
  };
  std::deque<Letter> mail;
  std::vector<long> taken;  // of a sink; outlives its crashes
};

class World {
 public:
  World(const Pipeline& pipeline, std::uint32_t seed, long count) : random_(seed), count_(count) {
    for (Pipeline::Planned& each : pipeline.plan()) {
      index_[each.name] = places_.size();
      places_.emplace_back().planned = std::move(each);
    }
    for (std::size_t index = 0; index < places_.size(); ++index) begin(index);
  }

  // Makes steps until all stages have ended; crashes a stage now and then.
  void run(unsigned crashes) {
    for (unsigned steps = 0; !over(); ++steps) {
      BOOST_TEST_REQUIRE(steps < 200'000U, "it does not end");
      const std::size_t index = random_() % places_.size();
      if (crashes > 0 && random_() % 50 == 0 && may_crash(index)) {
        --crashes;
        ++crashed;
        begin(index);
        continue;
      }
      step(index);
    }
  }

  Place& at(const std::string& name) { return places_.at(index_.at(Name(name))); }
  std::uint64_t most_kept = 0;
  unsigned crashed = 0;

 private:
  // A sink that crashes may process items again; that is not tested here.
  bool may_crash(std::size_t index) const {
    const Place& place = places_[index];
    if (place.planned.wiring.consumers.empty() || place.ended) return false;
    // A keeper would send the acknowledgements of consumers that have ended.
    for (const Name& each : place.planned.wiring.consumers) {
      if (places_[index_.at(each)].ended) return false;
    }
    return true;
  }

  void begin(std::size_t index) {
    Place& place = places_[index];
    const bool gives = !place.planned.wiring.consumers.empty();
    const bool takes = !place.planned.wiring.suppliers.empty();
    place.stage = std::make_unique<PipelineStage>(place.planned.wiring, takes ? "integer" : "",
                                                  gives ? "integer" : "", ++lives_);
    place.boxes.assign(place.stage->tracks(), Outbox<long>());
    place.produced = -1;
    place.first.reset();
    place.stage->begin();
    send_all(index);
  }

  bool over() const {
    return std::all_of(places_.begin(), places_.end(), [](const Place& p) { return p.ended; });
  }

  void step(std::size_t index) {
    Place& place = places_[index];
    if (place.ended) return;
    if (!place.mail.empty()) {
      const Place::Letter letter = std::move(place.mail.front());
      place.mail.pop_front();
      read(place, letter);
    }
    if (place.planned.wiring.suppliers.empty()) produce(place);
    else if (place.planned.name == Name("p/pairs")) add_up(place);
    else work(place);
    send_all(index);
    most_kept = std::max(most_kept, place.stage->kept());
    BOOST_TEST_REQUIRE(place.stage->fault() == "");
    place.ended = place.stage->is_over();
  }

  void read(Place& place, const Place::Letter& letter) {
    const Name from = places_[letter.from].planned.name;
    PipelineStage& stage = *place.stage;
    const Content& content = letter.content.content;
    if (letter.content.upstream) {
      const auto& all = place.planned.wiring.consumers;
      const std::size_t who = std::find(all.begin(), all.end(), from) - all.begin();
      if (const auto* ack = content.try_as<Ack>()) stage.on_ack(who, *ack);
      if (const auto* attach = content.try_as<Attach>()) stage.on_attach(who, *attach);
      if (content.try_as<Cancel>() != nullptr) stage.on_cancel(who);
      return;
    }
    std::size_t who = 0;
    while (place.planned.wiring.suppliers[who].name != from) ++who;
    if (const auto* offer = content.try_as<Offer>()) return stage.on_offer(who, *offer);
    if (letter.content.life != stage.life()) return;
    if (const auto* marks = content.try_as<Marks>()) stage.on_batch(who, content, marks->head, 0);
    if (const auto* batch = content.try_as<Batch<long>>()) {
      stage.on_batch(who, content, batch->head, batch->items.size());
    }
  }

  void flush(Place& place) {
    for (std::size_t track = 0; track < place.boxes.size(); ++track) {
      if (place.boxes[track].closed() == 0) continue;
      std::vector<Run> runs;
      const Content batch = place.boxes[track].take(place.stage->processed(), runs);
      place.stage->push(track, batch, runs);
    }
    place.stage->settle();
  }

  void produce(Place& place) {
    PipelineStage& stage = *place.stage;
    if (!stage.has_started() || place.produced == count_) return;
    if (place.produced < 0) place.produced = static_cast<long>(stage.begin_at());
    for (std::uint32_t some = below(6); some > 0 && place.produced < count_ && stage.has_room();
         --some) {
      const Label label = place.produced++;
      Outbox<long>& box = place.boxes[label % place.boxes.size()];
      box.put(static_cast<long>(label));
      box.close(0, label);
    }
    stage.produced(place.produced);
    flush(place);
    if (place.produced == count_) stage.push_end({});
  }

  static void end_if_done(PipelineStage& stage) {
    if (!stage.next() && stage.inputs_ended()) stage.close(), stage.push_end(stage.error());
  }

  void work(Place& place) {
    PipelineStage& stage = *place.stage;
    const bool is_sink = place.planned.wiring.consumers.empty();
    for (std::uint32_t some = below(4); some > 0; --some) {
      const auto work = stage.next();
      if (!work) break;
      const Content content = *work->batch;
      const auto& items = content.as<Batch<long>>().items;
      std::size_t item = work->first;
      const std::uint32_t labels = 1 + below(work->run.labels);
      for (std::uint32_t unit = 0; unit < labels; ++unit) {
        const Label label = work->run.label + Label{unit} * work->run.step;
        Outbox<long>& box = place.boxes[label % place.boxes.size()];
        for (std::uint32_t i = 0; i < work->run.each; ++i) {
          const long value = items[item++];
          if (is_sink) place.taken.push_back(value);
          else
            for (const long each : made_of(value)) box.put(long(each));
        }
        box.close(work->run.lane, label);
      }
      stage.took(labels, false);
    }
    flush(place);
    end_if_done(stage);
  }

  // Puts an item, which the stage holds, and then the sum of it and the next item.
  void add_up(Place& place) {
    PipelineStage& stage = *place.stage;
    for (std::uint32_t some = below(7); some > 0; --some) {
      const auto work = stage.next();
      if (!work) break;
      const long value = work->batch->as<Batch<long>>().items[work->first];
      if (place.first) {
        place.boxes[0].put(*place.first + value);
        place.first.reset();
        place.boxes[0].close(work->run.lane, work->run.label);
      } else {
        place.first = value;
        place.boxes[0].put(long(value));
      }
      stage.took(1, place.first.has_value());
    }
    flush(place);
    end_if_done(stage);
  }

  void send_all(std::size_t index) {
    Place& place = places_[index];
    while (auto next = place.stage->next_to_send()) {
      const Wiring& wiring = place.planned.wiring;
      const Name& to =
          next->upstream ? wiring.suppliers[next->index].name : wiring.consumers[next->index];
      places_[index_.at(to)].mail.push_back({index, std::move(*next)});
    }
  }

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  std::mt19937 random_;
  long count_;
  std::vector<Place> places_;
  std::map<Name, std::size_t> index_;
  std::uint64_t lives_ = 100;
};

// The output of a chain of so many filters for the numbers below `count`.
std::vector<long> expected(long count, int filters) {
  std::vector<long> items;
  for (long i = 0; i < count; ++i) items.push_back(i);
  for (int filter = 0; filter < filters; ++filter) {
    std::vector<long> next;
    for (const long each : items) {
      for (const long one : made_of(each)) next.push_back(one);
    }
    items = std::move(next);
  }
  return items;
}

Flow narrow() {
  Flow flow;
  flow.window = 16;
  flow.batch = 4;
  return flow;
}

Pipeline chain(int filters) {
  Pipeline pipeline("p", narrow());
  pipeline.add<Numbers>("numbers").add<Keeps>("keeps");
  std::string last = "numbers";
  for (int i = 0; i < filters; ++i) {
    const std::string name = "filter" + std::to_string(i);
    pipeline.add<Through>(name).connect(last, name);
    last = name;
  }
  return pipeline.connect(last, "keeps");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stage)

BOOST_AUTO_TEST_CASE(whoever_crashes_a_chain_loses_nothing_and_repeats_nothing) {
  const Pipeline pipeline = chain(3);
  unsigned crashed = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    World world(pipeline, seed, 60);
    world.run(seed % 4 * 3);
    const std::vector<long> wanted = expected(60, 3);
    BOOST_TEST_REQUIRE(world.at("p/keeps").taken == wanted, "seed " << seed);
    BOOST_TEST_REQUIRE(world.most_kept <= 16 + 32, "seed " << seed << ": " << world.most_kept);
    crashed += world.crashed;
  }
  BOOST_TEST(crashed > 500U);
}

BOOST_AUTO_TEST_CASE(replicas_keep_the_order_of_the_stream) {
  Pipeline pipeline = chain(2);
  pipeline.replicate("filter1", 3);
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    World world(pipeline, seed, 60);
    world.run(seed % 4 * 3);
    BOOST_TEST_REQUIRE(world.at("p/keeps").taken == expected(60, 2), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(replicas_behind_replicas_keep_it_too) {
  Pipeline pipeline = chain(3);
  pipeline.replicate("filter0", 2).replicate("filter1", 3);
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    World world(pipeline, seed, 60);
    world.run(seed % 4 * 3);
    BOOST_TEST_REQUIRE(world.at("p/keeps").taken == expected(60, 3), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(without_order_nothing_is_lost_either) {
  Pipeline pipeline = chain(2);
  pipeline.replicate("filter0", 3, Order::free);
  unsigned disordered = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    World world(pipeline, seed, 60);
    world.run(seed % 4 * 3);
    std::vector<long> taken = world.at("p/keeps").taken;
    disordered += std::is_sorted(taken.begin(), taken.end()) ? 0 : 1;
    std::sort(taken.begin(), taken.end());
    BOOST_TEST_REQUIRE(taken == expected(60, 2), "seed " << seed);
  }
  BOOST_TEST(disordered > 200U);
}

BOOST_AUTO_TEST_CASE(many_suppliers_and_many_consumers) {
  Pipeline pipeline("p", narrow());
  pipeline.add<Numbers>("a").add<Numbers>("b").add<Through>("join").add<Through>("left");
  pipeline.add<Keeps>("one").add<Keeps>("two");
  pipeline.connect("a", "join").connect("b", "join").connect("join", "left");
  pipeline.connect("join", "two").connect("left", "one").connect("left", "two");
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    World world(pipeline, seed, 40);
    world.run(seed % 4 * 3);
    std::vector<long> one = world.at("p/one").taken;
    std::vector<long> both = expected(40, 2);
    const std::vector<long> twice = both;
    both.insert(both.end(), twice.begin(), twice.end());
    std::sort(both.begin(), both.end());
    std::sort(one.begin(), one.end());
    BOOST_TEST_REQUIRE(one == both, "seed " << seed);
    // From `join` itself, and from the output of `left`: each from both sources.
    BOOST_TEST_REQUIRE(world.at("p/two").taken.size() == both.size() + 2 * expected(40, 1).size(),
                       "seed " << seed);
  }
}

// Items that belong together are given again together, whichever stage follows.
BOOST_AUTO_TEST_CASE(what_a_stage_holds_is_never_torn) {
  std::vector<long> wanted;
  for (long i = 0; i < 60; i += 2) {
    for (const long each : {i, 2 * i + 1}) {
      for (const long one : made_of(each)) {
        for (const long again : made_of(one)) wanted.push_back(again);
      }
    }
  }
  for (const unsigned replicas : {1U, 3U}) {
    Pipeline pipeline("p", narrow());
    pipeline.add<Numbers>("numbers").add<Through>("pairs").add<Through>("deals");
    pipeline.add<Through>("filter").add<Keeps>("keeps").connect("numbers", "pairs");
    pipeline.connect("pairs", "deals").connect("deals", "filter").connect("filter", "keeps");
    if (replicas > 1) pipeline.replicate("filter", replicas);
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
      World world(pipeline, seed, 60);
      world.run(seed % 4 * 3);
      BOOST_TEST_REQUIRE(world.at("p/keeps").taken == wanted,
                         "seed " << seed << ", replicas " << replicas);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_batch_that_makes_no_sense_is_refused) {
  Wiring wiring;
  wiring.suppliers = {{Name("a"), 1, 0, 0}};
  PipelineStage sink(wiring, "integer", "", 1);
  sink.begin();
  Head head;
  head.runs = {{3, 1, 0, 1, 1}};
  sink.on_batch(0, Content("x"), head, 1);
  BOOST_TEST(sink.fault() == "'a': a batch names a lane that its supplier does not have");
}

BOOST_AUTO_TEST_CASE(a_neighbour_with_another_type_is_named) {
  Wiring wiring;
  wiring.suppliers = {{Name("a"), 1, 0, 0}};
  PipelineStage sink(wiring, "integer", "", 1);
  sink.begin();
  sink.on_offer(0, Offer{"text/plain", 1});
  BOOST_TEST(sink.fault() == "'a' gives text/plain, and this stage takes integer");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::detail
