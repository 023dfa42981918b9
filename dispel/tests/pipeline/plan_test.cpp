// The pipelines that can be built, and those that are refused with both ends named.
#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::dispel {

namespace {

struct Words : Source<std::string> {
  Task<> produce(std::uint64_t) override { co_return; }
};
struct Upper : Filter<std::string, std::string> {};
struct Length : Filter<std::string, std::int64_t> {};
struct Sum : Sink<std::int64_t> {};
struct Print : Sink<std::string> {};

Pipeline some() {
  Pipeline pipeline("p");
  pipeline.add<Words>("words").add<Words>("more").add<Upper>("upper").add<Upper>("again");
  pipeline.add<Length>("length").add<Sum>("sum").add<Print>("print");
  return pipeline;
}

// The error text for a mistake.
std::string refusal(const std::function<void()>& mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    return error.sentence();
  }
  return "nothing was refused";
}

bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE(text);
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(mistakes_are_refused_with_both_ends_named) {
  BOOST_TEST(says(refusal([] { some().connect("words", "sum"); }),
                  "'words' cannot supply 'sum': one gives text/plain, the other takes integer"));
  BOOST_TEST(says(refusal([] { some().connect("upper", "again").connect("again", "upper"); }),
                  "'again' cannot supply 'upper': that would close the circle upper -> again"));
  BOOST_TEST(says(refusal([] { some().connect("upper", "upper"); }), "circle upper -> upper"));
  BOOST_TEST(says(refusal([] {
                    some().one_supplier("upper").connect("words", "upper").connect("more", "upper");
                  }),
                  "'more' cannot supply 'upper': 'words' does, and it takes only one"));
  BOOST_TEST(says(refusal([] { some().connect("sum", "upper"); }), "'sum' is a sink"));
  BOOST_TEST(says(refusal([] { some().connect("upper", "words"); }), "'words' is a source"));
  BOOST_TEST(says(refusal([] { some().connect("words", "nobody"); }), "no part 'nobody'"));
  BOOST_TEST(says(refusal([] { some().plan(); }), "nothing takes what 'words' gives"));
  BOOST_TEST(says(refusal([] { some().replicate("words", 2); }), "'words' is a source"));
  BOOST_TEST(says(refusal([] {
                    Pipeline two("p");
                    two.add<Words>("words").add<Upper>("upper").add<Print>("print");
                    two.add<Print>("copy").connect("words", "upper").connect("words", "copy");
                    two.connect("upper", "print").replicate("upper", 2).plan();
                  }),
                  "'words' deals its items to the replicas of 'upper', and cannot also supply "
                  "'copy'"));
}

BOOST_AUTO_TEST_CASE(a_text_says_the_same_as_a_program) {
  const Pipeline::Kinds kinds = {{"Words", [] { return std::make_unique<Words>(); }},
                                 {"Upper", [] { return std::make_unique<Upper>(); }},
                                 {"Print", [] { return std::make_unique<Print>(); }}};
  const Pipeline pipeline = Pipeline::from_text("p", R"(
    # what there is
    words: Words; print: Print
    upper: Upper * 3 unordered
    words -> upper -> print
  )",
                                                kinds);
  const auto plan = pipeline.plan();
  BOOST_TEST_REQUIRE(plan.size() == 5U);
  BOOST_TEST(plan[0].name.view() == "p/words");
  BOOST_TEST(plan[0].wiring.dealt);
  BOOST_TEST(plan[3].name.view() == "p/upper/2");
  BOOST_TEST(plan[4].wiring.lanes == 3U);
  const auto refused = [&](const char* text) {
    return refusal([&] { Pipeline::from_text("p", text, kinds); });
  };
  BOOST_TEST(says(refused("words: Wrods"), "line 1 of the pipeline, 'words: Wrods': there is no"));
  BOOST_TEST(says(refused("a: Words\na -> b"), "line 2"));
  BOOST_TEST(says(refused("a: Upper * many"), "'many' is not a number of replicas"));
  BOOST_TEST(says(refused("a: Upper * 2 sorted"), "'sorted' should be"));
  BOOST_TEST(says(refused("nonsense"), "write `part: Kind`"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel
