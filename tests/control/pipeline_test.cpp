// Pipelines of agents, on every realization.
#include "stages.hpp"

#include <algorithm>
#include <numeric>

namespace coracle::dispel::test {

namespace {

std::vector<std::int64_t> range(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> items(count);
  std::iota(items.begin(), items.end(), first);
  return items;
}

// Runs a pipeline to its end; returns its keeper's report.
std::string play(Workplace& workplace, const Pipeline& pipeline, Body meanwhile = {},
                 RestartLimit limit = {}) {
  std::string said;
  workplace.run([&, meanwhile](Agent& me) -> Task<> {
    co_await me.adopt("keeper", std::make_unique<Keeper>(pipeline, workplace, limit));
    if (meanwhile) co_await meanwhile(me);
    const Message over = co_await me.receive(from("keeper"));
    said = std::string(over.text());
  });
  return said;
}

void items_come_in_order_through_all_filters(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 2000).add<Add>("one", 1).add<Add>("ten", 10);
  pipeline.add<Collects>("all", &out);
  pipeline.connect("numbers", "one").connect("one", "ten").connect("ten", "all");
  expect_equal(play(workplace, pipeline), std::string("all is well"), "the keeper");
  expect(out.items() == range(11, 2000), "every item, in order");
  expect_equal(out.ends(), 1, "ends");
}

void an_item_does_not_wait_for_others_to_fill_a_batch(Workplace& workplace) {
  // Puts the next item when the last one has come out.
  class Reluctant : public Source<std::int64_t> {
   public:
    explicit Reluctant(Collected* out) : out_(out) {}

   protected:
    Task<> produce(std::uint64_t first) override {
      for (auto item = static_cast<std::int64_t>(first); item < 3; ++item) {
        co_await put(item);
        while (out_->taken <= item) co_await pause(1ms);
      }
    }

   private:
    Collected* out_;
  };
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Reluctant>("numbers", &out).add<Collects>("all", &out);
  pipeline.connect("numbers", "all");
  play(workplace, pipeline);
  expect_equal(out.items().size(), 3U, "items");
}

void replicas_keep_the_order_of_the_stream(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 500).add<Add>("add", 5).replicate("add", 3);
  pipeline.add<Collects>("all", &out).connect("numbers", "add").connect("add", "all");
  play(workplace, pipeline);
  expect(out.items() == range(5, 500), "every item, in order");
}

void replicas_without_order_lose_nothing(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 500).add<Add>("add", 5);
  pipeline.replicate("add", 3, Order::free);
  pipeline.add<Collects>("all", &out).connect("numbers", "add").connect("add", "all");
  play(workplace, pipeline);
  std::vector<std::int64_t> items = out.items();
  std::sort(items.begin(), items.end());
  expect(items == range(5, 500), "every item once");
}

void several_suppliers_and_several_consumers(Workplace& workplace) {
  Collected one;
  Collected two;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("low", &one, 300).add<Numbers>("high", &two, 300).add<Add>("up", 1000);
  pipeline.add<Add>("both", 0).add<Collects>("one", &one).add<Collects>("two", &two);
  pipeline.connect("high", "up").connect("up", "both").connect("low", "both");
  pipeline.connect("both", "one").connect("both", "two");
  play(workplace, pipeline);
  for (const Collected* each : {&one, &two}) {
    std::vector<std::int64_t> items = each->items();
    const auto is_low = [](std::int64_t item) { return item < 1000; };
    const auto middle = std::stable_partition(items.begin(), items.end(), is_low);
    expect(std::vector<std::int64_t>(items.begin(), middle) == range(0, 300), "of one source");
    expect(std::vector<std::int64_t>(middle, items.end()) == range(1000, 300), "of the other");
  }
}

void a_slow_sink_holds_the_source_back(Workplace& workplace) {
  class Slow : public Sink<std::int64_t> {
   public:
    explicit Slow(Collected* out) : out_(out) {}

   protected:
    Task<> consider(const std::int64_t& item) override {
      co_await pause(100us);
      out_->add(item);
    }

   private:
    Collected* out_;
  };
  Collected out;
  Flow flow;
  flow.window = 32;
  Pipeline pipeline("p", flow);
  pipeline.add<Numbers>("numbers", &out, 400).add<Add>("add", 0).add<Slow>("slow", &out);
  pipeline.connect("numbers", "add").connect("add", "slow");
  play(workplace, pipeline);
  expect(out.items() == range(0, 400), "every item");
  expect(out.most_ahead <= 32 + 8 + 1, "items under way: " + std::to_string(out.most_ahead));
}

void an_error_travels_down_and_cancellation_up(Workplace& workplace) {
  class Picky : public Filter<std::int64_t, std::int64_t> {
   protected:
    void process(const std::int64_t& item) override {
      if (item == 50) return fail("50 is too much");
      put(std::int64_t{item});
    }
  };
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, INT64_MAX).add<Picky>("picky").add<Add>("add", 0);
  pipeline.add<Collects>("all", &out);
  pipeline.connect("numbers", "picky").connect("picky", "add").connect("add", "all");
  expect_equal(play(workplace, pipeline), std::string("all is well"), "the source has ended");
  expect_equal(out.error(), std::string("50 is too much"), "what the sink was told");
  expect_equal(out.ends(), 1, "ends");
  expect(out.items() == range(0, 50), "exactly what comes before it");
}

class Enough : public Sink<std::int64_t> {
 public:
  explicit Enough(Collected* out) : out_(out) {}

 protected:
  void consume(const std::int64_t& item) override {
    out_->add(item);
    if (item == 9) cancel();
  }

 private:
  Collected* out_;
};

void a_sink_that_has_enough_stops_the_source(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, INT64_MAX).add<Add>("add", 0).add<Enough>("ten", &out);
  pipeline.connect("numbers", "add").connect("add", "ten");
  expect_equal(play(workplace, pipeline), std::string("all is well"), "the source has ended");
  expect(out.items() == range(0, 10), "what it wanted");
}

// What the stages of the first one sent last must not end the second one.
void a_pipeline_can_follow_another_of_its_name(Workplace& workplace) {
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, INT64_MAX).add<Add>("add", 0).add<Enough>("ten", &out);
  pipeline.connect("numbers", "add").connect("add", "ten");
  workplace.run([&](Agent& me) -> Task<> {
    for (const char* const keeper : {"first", "second"}) {
      co_await me.adopt(keeper, std::make_unique<Keeper>(pipeline, workplace, RestartLimit{}));
      const Message over = co_await me.receive(from(keeper));
      Query stages;
      stages.prefix = Name("p");
      for (;;) {
        const std::vector<Entry> left = co_await me.search(stages);
        if (left.empty()) break;
        co_await me.pause(1ms);
      }
    }
  });
  std::vector<std::int64_t> twice = range(0, 10);
  const std::vector<std::int64_t> once = twice;
  twice.insert(twice.end(), once.begin(), once.end());
  expect(out.items() == twice, "what both wanted");
}

void a_filter_that_crashes_loses_nothing_and_repeats_nothing(Workplace& workplace) {
  Collected out;
  out.crashes_left = 4;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 200, 20us).add<Fragile>("fragile", &out);
  pipeline.add<Add>("add", 0).add<Collects>("all", &out);
  pipeline.connect("numbers", "fragile").connect("fragile", "add").connect("add", "all");
  expect_equal(play(workplace, pipeline), std::string("all is well"), "the keeper");
  expect(out.items() == range(0, 200), "every item once, in order");
  expect_equal(out.crashes_left.load(), 0, "crashes left");
}

void one_that_crashes_too_often_ends_the_stream(Workplace& workplace) {
  Collected out;
  out.crashes_left = 1000;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, INT64_MAX).add<Fragile>("fragile", &out);
  pipeline.add<Collects>("all", &out);
  pipeline.connect("numbers", "fragile").connect("fragile", "all");
  const std::string said = play(workplace, pipeline, {}, RestartLimit{3, 60s});
  expect(said.find("stage 'p/fragile' crashed more than 3 times") != std::string::npos, said);
  expect(out.error().find("'p/fragile' has failed: at item 5") != std::string::npos, out.error());
  expect(range(0, static_cast<std::int64_t>(out.items().size())) == out.items() &&
             out.items().size() <= 5,
         "what came before");
}

void a_filter_is_replaced_while_the_stream_runs(Workplace& workplace) {
  // Ends some time after the filter was replaced.
  class Numbering : public Source<std::int64_t> {
   public:
    Numbering(Collected* out, std::atomic<bool>* is_replaced)
        : out_(out), is_replaced_(is_replaced) {}

   protected:
    Task<> produce(std::uint64_t first) override {
      int left = 250;
      for (auto item = static_cast<std::int64_t>(first); left > 0; ++item) {
        co_await put(item);
        ++out_->given;
        if (*is_replaced_) --left;
        co_await pause(20us);
      }
    }

   private:
    Collected* out_;
    std::atomic<bool>* is_replaced_;
  };
  static constexpr std::int64_t offset = 1'000'000'000;
  Collected out;
  std::atomic<bool> is_replaced = false;
  Pipeline pipeline("p");
  pipeline.add<Numbering>("numbers", &out, &is_replaced);
  pipeline.add<Add>("add", 0).add<Collects>("all", &out);
  pipeline.connect("numbers", "add").connect("add", "all");
  play(workplace, pipeline, [&](Agent& me) -> Task<> {
    while (out.taken < 50) co_await me.pause(50us);
    Pipeline same = pipeline;
    Pipeline::Factory other = [] { return std::make_unique<Add>(offset); };
    co_await same.replace(me, "add", other);
    is_replaced = true;
  });
  const std::vector<std::int64_t> items = out.items();
  expect_equal(static_cast<std::int64_t>(items.size()), out.given.load(), "items");
  for (std::size_t i = 0; i < items.size(); ++i) {
    expect_equal(items[i] % offset, static_cast<std::int64_t>(i), "order");
  }
  expect(items[40] < offset, "the old one");
  expect(items.back() >= offset, "the new one");
}

void what_a_filter_holds_is_given_again_together(Workplace& workplace) {
  class Pairs : public Filter<std::int64_t, std::int64_t> {
   public:
    explicit Pairs(Collected* out) : out_(out) {}

   protected:
    void process(const std::int64_t& item) override {
      if (!first_) {
        first_ = item;
        return hold();
      }
      if (item % 20 == 11 && out_->crashes_left > 0) {
        --out_->crashes_left;
        throw Crash();
      }
      put(*first_ + item);
      first_.reset();
      release();
    }

   private:
    Collected* out_;
    std::optional<std::int64_t> first_;
  };
  Collected out;
  out.crashes_left = 3;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 200, 20us).add<Pairs>("pairs", &out);
  pipeline.add<Collects>("all", &out).connect("numbers", "pairs").connect("pairs", "all");
  play(workplace, pipeline);
  const std::vector<std::int64_t> items = out.items();
  expect_equal(items.size(), 100U, "pairs");
  for (std::int64_t i = 0; i < 100; ++i) expect_equal(items[i], 4 * i + 1, "a pair");
  expect_equal(out.crashes_left.load(), 0, "crashes left");
}

void a_filter_may_ask_others_before_it_goes_on(Workplace& workplace) {
  class Asks : public Filter<std::int64_t, std::int64_t> {
   protected:
    Task<> consider(const std::int64_t& item) override {
      const Content question = Content::of(std::int64_t{item});
      const Message answer = co_await ask("oracle", question);
      put(answer.as<std::int64_t>());
    }
  };
  Collected out;
  Pipeline pipeline("p");
  pipeline.add<Numbers>("numbers", &out, 50).add<Asks>("asks").add<Collects>("all", &out);
  pipeline.connect("numbers", "asks").connect("asks", "all");
  play(workplace, pipeline, [](Agent& me) -> Task<> {
    co_await start(me, "oracle", [](Agent& oracle) -> Task<> {
      for (int i = 0; i < 50; ++i) {
        const Message question = co_await oracle.receive();
        const Content answer = Content::of(question.as<std::int64_t>() + 7);
        co_await oracle.reply(question, answer);
      }
    });
  });
  expect(out.items() == range(7, 50), "every item, in order");
}

void a_pipeline_can_be_written_as_a_text(Workplace& workplace) {
  Collected out;
  const Pipeline::Kinds kinds = {{"Numbers", [&] { return std::make_unique<Numbers>(&out, 100); }},
                                 {"Add", [] { return std::make_unique<Add>(1); }},
                                 {"Collects", [&] { return std::make_unique<Collects>(&out); }}};
  const char* text = "n: Numbers; a: Add * 2; b: Add; c: Collects; n -> a -> b -> c";
  play(workplace, Pipeline::from_text("p", text, kinds));
  expect(out.items() == range(2, 100), "every item, in order");
}

[[maybe_unused]] const bool registered = on_every_ground(
    "pipeline", {GROUND_CASE(items_come_in_order_through_all_filters),
                 GROUND_CASE(an_item_does_not_wait_for_others_to_fill_a_batch),
                 GROUND_CASE(replicas_keep_the_order_of_the_stream),
                 GROUND_CASE(replicas_without_order_lose_nothing),
                 GROUND_CASE(several_suppliers_and_several_consumers),
                 GROUND_CASE(a_slow_sink_holds_the_source_back),
                 GROUND_CASE(an_error_travels_down_and_cancellation_up),
                 GROUND_CASE(a_sink_that_has_enough_stops_the_source),
                 GROUND_CASE(a_pipeline_can_follow_another_of_its_name),
                 GROUND_CASE(a_filter_that_crashes_loses_nothing_and_repeats_nothing),
                 GROUND_CASE(one_that_crashes_too_often_ends_the_stream),
                 GROUND_CASE(a_filter_is_replaced_while_the_stream_runs),
                 GROUND_CASE(what_a_filter_holds_is_given_again_together),
                 GROUND_CASE(a_filter_may_ask_others_before_it_goes_on),
                 GROUND_CASE(a_pipeline_can_be_written_as_a_text)});

}  // namespace

}  // namespace coracle::dispel::test
