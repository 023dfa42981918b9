#include "oracles.hpp"
#include "stages.hpp"

#include <algorithm>
#include <vector>

namespace coracle::dispel::test::oracles {

namespace {

using coracle::test::below;
using coracle::test::up_to;
using Number = std::int64_t;
using Numbers = std::vector<Number>;

enum class Trouble : std::uint8_t { none, fails, cancels, fails_at_end, crashes_for_good };

struct Part {
  unsigned replicas = 1;
  bool messy = false;  // it drops some items and doubles others
  bool slow = false;
};

// One case. Part 0 is the source.
struct Stream {
  std::uint64_t count = 0;
  std::vector<Part> parts;
  unsigned bad = 0;  // the part that fails, at the item `at`
  Trouble trouble = Trouble::none;
  Number at = 0;
  unsigned crashes_left = 0;  // of other parts, which restart
  bool slow_sink = false;
  Flow flow;
  Random* random = nullptr;
};

// The number of copies of an item that a part makes.
unsigned copies(const Stream& stream, unsigned part, Number item) {
  if (!stream.parts[part].messy) return 1;
  const Number mixed = item + static_cast<Number>(part);
  return mixed % 7 == 3 ? 0 : mixed % 5 == 1 ? 2 : 1;
}

// The items that the sink must take, by the rules alone.
Numbers wanted(const Stream& stream, bool& ends_early) {
  Numbers all;
  ends_early = false;
  for (Number item = 0; item < static_cast<Number>(stream.count); ++item) {
    unsigned number = 1;
    bool meets = false;
    for (unsigned part = 0; part < stream.parts.size(); ++part) {
      const bool meets_here = part == stream.bad && item == stream.at && number > 0;
      meets = meets || meets_here;
      // The copies of an item are items; the first of them is the last one that is processed.
      if (meets_here && stream.trouble == Trouble::cancels) number = 1;
      if (part > 0) number *= copies(stream, part, item);
    }
    const bool at_item = stream.trouble != Trouble::none && stream.trouble != Trouble::fails_at_end;
    ends_early = meets && at_item;
    if (ends_early && (stream.trouble != Trouble::cancels || stream.bad == 0)) break;
    for (unsigned i = 0; i < number; ++i) all.push_back(item);
    if (ends_early) break;
  }
  return all;
}

class Origin : public Source<Number> {
 public:
  explicit Origin(Stream* stream) : stream_(stream) {}

 protected:
  Task<> produce(std::uint64_t first) override {
    for (auto item = static_cast<Number>(first); item < static_cast<Number>(stream_->count);
         ++item) {
      if (stream_->bad == 0 && item == stream_->at) {
        if (stream_->trouble == Trouble::fails) fail("trouble");
        if (stream_->trouble == Trouble::cancels) cancel();
        if (stream_->trouble == Trouble::crashes_for_good) throw Crash("trouble");
      }
      co_await put(item);
      if (stream_->parts[0].slow && below(*stream_->random, 8) == 0) {
        co_await pause(up_to(*stream_->random, 100us));
      }
    }
  }

 private:
  Stream* stream_;
};

class Middle : public Filter<Number, Number> {
 public:
  Middle(Stream* stream, unsigned part) : stream_(stream), part_(part) {}

 protected:
  void process(const Number& item) override {
    if (stream_->parts[part_].slow) return Filter::process(item);
    handle(item);
  }
  Task<> consider(const Number& item) override {
    if (below(*stream_->random, 4) == 0) co_await pause(up_to(*stream_->random, 100us));
    handle(item);
  }
  void finish(const std::string&) override {
    if (stream_->bad == part_ && stream_->trouble == Trouble::fails_at_end) fail("trouble");
  }

 private:
  void handle(const Number& item) {
    if (stream_->crashes_left > 0 && below(*stream_->random, 50) == 0) {
      --stream_->crashes_left;
      throw Crash("it will be begun again");
    }
    const bool is_it = stream_->bad == part_ && item == stream_->at;
    if (is_it && stream_->trouble == Trouble::crashes_for_good) throw Crash("trouble");
    if (is_it && stream_->trouble == Trouble::fails) {
      put(Number{-1});  // an item that fails has no output
      fail("trouble");
    }
    for (unsigned i = copies(*stream_, part_, item); i > 0; --i) put(Number{item});
    if (is_it && stream_->trouble == Trouble::cancels) cancel();
  }

  Stream* stream_;
  unsigned part_;
};

class Drain : public Sink<Number> {
 public:
  Drain(Collected* out, Stream* stream) : out_(out), stream_(stream) {}

 protected:
  void consume(const Number& item) override {
    if (stream_->slow_sink) return Sink::consume(item);
    out_->add(item);
  }
  Task<> consider(const Number& item) override {
    if (below(*stream_->random, 4) == 0) co_await pause(up_to(*stream_->random, 50us));
    out_->add(item);
  }
  void on_end(const std::string& error) override { out_->end(error); }

 private:
  Collected* out_;
  Stream* stream_;
};

Stream stream_of(Random& random) {
  Stream one;
  one.random = &random;
  one.parts.resize(2 + below(random, 3));
  for (std::size_t part = 0; part < one.parts.size(); ++part) {
    one.parts[part].slow = below(random, 4) == 0;
    if (part == 0) continue;
    one.parts[part].messy = below(random, 3) == 0;
    if (below(random, 2) == 0)
      one.parts[part].replicas = static_cast<unsigned>(1 + below(random, 4));
  }
  one.count = below(random, 400);
  one.trouble = static_cast<Trouble>(below(random, 5));
  one.bad = static_cast<unsigned>(below(random, one.parts.size()));
  one.at = static_cast<Number>(below(random, one.count + 1));
  one.slow_sink = below(random, 4) == 0;
  one.flow.window = static_cast<std::uint32_t>(8 + below(random, 300));
  one.flow.batch = static_cast<std::uint32_t>(1 + below(random, 100));
  const bool may_crash = one.trouble != Trouble::crashes_for_good && below(random, 2) == 0;
  if (may_crash) one.crashes_left = static_cast<unsigned>(below(random, 5));
  // A test must not wait for the end of a source that has none.
  bool ends_early = false;
  (void)wanted(one, ends_early);
  if (ends_early && below(random, 2) == 0) one.count = std::uint64_t{1} << 40;
  return one;
}

Pipeline pipeline_of(Stream& stream, Collected& out) {
  Pipeline pipeline("p", stream.flow);
  pipeline.add<Origin>("0", &stream);
  std::string last = "0";
  for (unsigned part = 1; part < stream.parts.size(); ++part) {
    const std::string name = std::to_string(part);
    pipeline.add<Middle>(name, &stream, part).connect(last, name);
    if (stream.parts[part].replicas > 1) pipeline.replicate(name, stream.parts[part].replicas);
    last = name;
  }
  return pipeline.add<Drain>("sink", &out, &stream).connect(last, "sink");
}

std::string about(const Stream& stream) {
  static const char* const troubles[] = {"none", "fails", "cancels", "fails at end", "crashes"};
  std::string text = std::string(troubles[static_cast<int>(stream.trouble)]) + " part " +
                     std::to_string(stream.bad) + " at " + std::to_string(stream.at) + " of " +
                     std::to_string(stream.count) + ", replicas";
  for (const Part& each : stream.parts) text += " " + std::to_string(each.replicas);
  return text;
}

// The first difference.
std::string difference(const Numbers& came, const Numbers& must) {
  const auto [one, other] = std::mismatch(came.begin(), came.end(), must.begin(), must.end());
  if (one == came.end() && other == must.end()) return {};
  const auto at = [](Numbers::const_iterator it, const Numbers& all) {
    return it == all.end() ? std::string("the end") : std::to_string(*it);
  };
  return "after " + std::to_string(one - came.begin()) + " items comes " + at(one, came) +
         ", and should come " + at(other, must) + " (" + std::to_string(came.size()) +
         " items, for " + std::to_string(must.size()) + ")";
}

}  // namespace

std::string play_pipeline(std::uint64_t seed, Counts& counts) {
  // Between two nodes, the keeper's announcement about a stage may overtake that stage's last
  // messages, so there the sink may miss some of the earlier items.
  sim::World world(world_of_case(seed, seed % 4 == 0 ? 3 : 1));
  Stream stream = stream_of(world.random());
  bool ends_early = false;
  const Numbers must = wanted(stream, ends_early);
  Collected out;
  const bool gives_up = stream.trouble == Trouble::crashes_for_good;
  std::string said;
  std::string thrown;
  try {
    Workplace place(coracle::test::nodes_of(world));
    place.run([&](Agent& me) -> Task<> {
      const Pipeline pipeline = pipeline_of(stream, out);
      const RestartLimit limit{gives_up ? 2U : 1000U, 1h};
      co_await me.adopt("keeper", std::make_unique<Keeper>(pipeline, place, limit));
      const Message over = co_await me.receive(from("keeper"));
      said = std::string(over.text());
    });
  } catch (const std::exception& error) {
    thrown = error.what();
  }
  const std::string where = about(stream) + ": ";
  if (!thrown.empty()) return where + thrown;
  Numbers came = out.items();
  const bool is_exact = !gives_up || world.hosts() == 1;
  if (!is_exact && came.size() < must.size())
    came.insert(came.end(), must.begin() + std::ssize(came), must.end());
  const std::string wrong = difference(came, must);
  if (!wrong.empty()) return where + wrong;
  if (out.ends() != 1) return where + "the sink is told " + std::to_string(out.ends()) + " ends";
  const bool fails = (ends_early && stream.trouble != Trouble::cancels) ||
                     (stream.trouble == Trouble::fails_at_end && stream.bad > 0);
  if (fails != (out.error().find("trouble") != std::string::npos)) {
    return where + "the sink is told '" + out.error() + "'";
  }
  if ((ends_early && gives_up) != (said != "all is well")) return where + "the keeper says " + said;
  ++counts[fails ? "streams that failed" : ends_early ? "cancelled" : "whole streams"];
  return {};
}

}  // namespace coracle::dispel::test::oracles
