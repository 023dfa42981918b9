#include "support/cbor_text.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <thread>

namespace plans {

enum class Urgency : std::uint8_t { low = 1, high = 200 };

struct Step {
  std::string what;
  std::chrono::milliseconds takes{};
  bool operator==(const Step&) const = default;
};

struct TravelPlan {
  static constexpr std::string_view content_type = "plan/v1";
  std::string goal;
  std::vector<Step> steps;
  std::optional<double> cost;
  Urgency urgency = Urgency::low;
  std::map<std::string, std::int64_t> needs;
  std::array<std::int16_t, 3> place{};
  std::variant<std::monostate, std::string, std::uint64_t> owner;
  std::pair<bool, float> hint;
  std::tuple<char, unsigned char> marks;
  coracle::Bytes picture;
  std::unordered_map<std::string, std::vector<bool>> flags;
  bool operator==(const TravelPlan&) const = default;
};

struct Older {
  int first = 1;
};
struct Newer {
  int first = 1;
  std::string second = "default";
  std::array<int, 2> pair = {7, 8};
};

struct Tree {
  int value = 0;
  std::vector<Tree> children;
  bool operator==(const Tree&) const = default;
};

struct Raw {
  int values[5];
  std::optional<std::string> text;
};

struct Wide {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

// This type has invariants, so it encodes itself, as one number.
class Even {
 public:
  Even() = default;
  explicit Even(int half) : half_(half) {}
  int value() const { return 2 * half_; }

 private:
  friend void encode(coracle::Encoder& encoder, const Even& even) { encoder.integer(even.value()); }
  friend void decode(coracle::Decoder& decoder, Even& even) {
    const auto value = decoder.integer();
    if (value % 2 != 0) throw coracle::Error(coracle::Errc::bad_encoding, "not even");
    even.half_ = static_cast<int>(value / 2);
  }
  int half_ = 0;
};

struct Flat {
  static constexpr std::string_view content_type = "flat/v1";
  std::array<std::string, 100> texts;
};
struct FlatList {
  static constexpr std::string_view content_type = "flats/v1";
  std::vector<Flat> flats;
};

}  // namespace plans

template <>
struct coracle::ContentType<plans::Older> {
  static constexpr std::string_view name = "aged/v1";
};
template <>
struct coracle::ContentType<plans::Newer> {
  static constexpr std::string_view name = "aged/v1";
};
template <>
struct coracle::ContentType<plans::Tree> {
  static constexpr std::string_view name = "tree/v1";
};
template <>
struct coracle::ContentType<plans::Even> {
  static constexpr std::string_view name = "even/v1";
};
template <class T>
struct coracle::ContentType<std::vector<T>> {
  static constexpr std::string_view name = "list/v1";
};
template <>
struct coracle::ContentType<coracle::Bytes> {
  static constexpr std::string_view name = "application/octet-stream";
};

namespace {

using namespace coracle;
using namespace coracle::test;
using namespace plans;

Content from(std::string_view hex, std::string_view type) {
  return Content::bytes(from_hex(hex), type);
}

TravelPlan some_plan() {
  return {"tea", {{"boil", std::chrono::milliseconds(1500)}}, 2.5, Urgency::high, {{"water", -1}},
          {1, -2, 3}, std::uint64_t{5}, {true, 0.5f}, {'x', 255}, {std::byte{9}},
          {{"f", {true, false}}}};
}

bool is_bad_encoding(const Error& error) { return error.errc() == Errc::bad_encoding; }
bool is_wrong_type(const Error& error) {
  return error.errc() == Errc::wrong_type &&
         error.sentence().find("try_as") != std::string::npos;
}

static_assert(detail::count_fields<TravelPlan>() == 11);
static_assert(detail::count_fields<Newer>() == 3);
static_assert(detail::count_fields<Raw>() == 2);
static_assert(detail::count_fields<Wide>() == 16);
static_assert(detail::growth_of<TravelPlan>() >= sizeof(Step) / 3);
static_assert(detail::growth_of<Tree>() == sizeof(Tree) / 3 + (sizeof(Tree) % 3 != 0));

}  // namespace

BOOST_AUTO_TEST_SUITE(typed)

BOOST_AUTO_TEST_CASE(a_value_is_read_by_reference_without_being_encoded) {
  const Content content = Content::of(some_plan());
  const Content copy = content;
  BOOST_TEST(content.is_typed());
  BOOST_TEST(content.type() == "plan/v1");
  BOOST_TEST((content.as<TravelPlan>() == some_plan()));
  BOOST_TEST(&content.as<TravelPlan>() == copy.try_as<TravelPlan>());
  BOOST_TEST(content.block()->extras.load() == nullptr);
  BOOST_TEST(content.size() >= sizeof(TravelPlan));
}

BOOST_AUTO_TEST_CASE(a_plan_has_the_encoding_that_its_fields_spell) {
  const Content content = Content::of(some_plan());
  BOOST_TEST(to_hex(content.bytes()) ==
             "8b637465618182"                    // goal, steps
             "64626f696c1905dcfb4004000000000000"  // boil 1500, cost
             "18c8a1657761746572208301210382"      // urgency, needs, place
             "020582f5fb3fe00000000000008218"      // owner, hint
             "7818ff4109a1616682f5f4");            // marks, picture, flags
  BOOST_TEST(content.bytes().data() == content.bytes().data());
}

BOOST_AUTO_TEST_CASE(bytes_are_decoded_once_and_the_value_is_kept) {
  const Content bytes = Content::of(some_plan()).encoded();
  BOOST_TEST(!bytes.is_typed());
  BOOST_TEST((bytes.as<TravelPlan>() == some_plan()));
  BOOST_TEST(&bytes.as<TravelPlan>() == &bytes.as<TravelPlan>());
}

BOOST_AUTO_TEST_CASE(decode_is_the_inverse_of_encode) {
  const bool holds = rc::check("round trip", [](const std::string& goal,
      const std::vector<std::pair<std::string, std::int32_t>>& steps, std::int64_t need,
      const std::map<std::string, std::int64_t>& needs, double cost, float weight,
      std::uint64_t owner, const std::vector<bool>& flags, unsigned char mark) {
    TravelPlan plan;
    plan.goal = goal;
    for (const auto& [what, count] : steps) {
      plan.steps.push_back({what, std::chrono::milliseconds(count)});
    }
    if (need % 3 != 0) plan.cost = cost;
    plan.needs = needs;
    plan.needs["x"] = need;
    plan.place = {static_cast<std::int16_t>(need), -1, 32767};
    if (need % 2 != 0) plan.owner = owner;
    else plan.owner = goal;
    plan.hint = {need > 0, weight};
    plan.marks = {static_cast<char>(mark), mark};
    plan.picture.assign(steps.size(), std::byte{mark});
    plan.flags = {{goal, flags}, {goal + "2", {}}};
    const Content content = Content::of(plan);
    RC_ASSERT(content.encoded().as<TravelPlan>() == plan);
    const Content again = Content::of(content.encoded().as<TravelPlan>());
    RC_ASSERT(to_hex(again.encoded().as<TravelPlan>().picture) == to_hex(plan.picture));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(missing_fields_keep_their_defaults_and_unknown_ones_are_passed_over) {
  const Content older = Content::of(Older{5}).encoded();
  const Content newer = from("8518206568656c6c6f8101a10102f6", "aged/v1");
  BOOST_TEST(older.as<Newer>().first == 5);
  BOOST_TEST(older.as<Newer>().second == "default");
  BOOST_TEST(newer.as<Older>().first == 32);
}

BOOST_AUTO_TEST_CASE(two_cpp_types_of_one_name_understand_each_other_inside_a_process) {
  const Content content = Content::of(Older{6});
  BOOST_TEST(content.as<Newer>().first == 6);
  BOOST_TEST(Content::of(std::int8_t{-3}).as<std::int64_t>() == -3);
  BOOST_TEST(Content::of(7u).as<int>() == 7);
  BOOST_CHECK_EXCEPTION(Content::of(300).as<std::uint8_t>(), Error, is_bad_encoding);
  BOOST_CHECK_EXCEPTION(Content::of(-1).as<unsigned>(), Error, is_bad_encoding);
  BOOST_CHECK_EXCEPTION(Content::of(1e300).as<float>(), Error, is_bad_encoding);
  BOOST_TEST(Content::of(0.5f).as<double>() == 0.5);
}

BOOST_AUTO_TEST_CASE(a_value_of_another_name_is_refused_with_advice) {
  const Content text("plan");
  BOOST_CHECK_EXCEPTION(text.as<TravelPlan>(), Error, is_wrong_type);
  BOOST_CHECK_EXCEPTION(Content().as<TravelPlan>(), Error, is_wrong_type);
  BOOST_TEST(text.try_as<TravelPlan>() == nullptr);
  BOOST_TEST(Content().try_as<int>() == nullptr);
}

BOOST_AUTO_TEST_CASE(bytes_that_do_not_spell_the_type_are_refused) {
  for (const char* hex : {"", "00", "8100", "8163746561ff", "816374", "8163746561f6f6", "a0"}) {
    BOOST_CHECK_EXCEPTION(from(hex, "plan/v1").as<TravelPlan>(), Error, is_bad_encoding);
    BOOST_TEST(from(hex, "plan/v1").try_as<TravelPlan>() == nullptr);
  }
  // The same key twice, a variant without such an alternative, an integer that is too large.
  for (const char* hex : {"856080f601a2616101616102", "876080f601a080820300", "846080f6190100"}) {
    BOOST_CHECK_EXCEPTION(from(hex, "plan/v1").as<TravelPlan>(), Error, is_bad_encoding);
  }
}

BOOST_AUTO_TEST_CASE(text_and_bytes_are_their_own_encoding) {
  const Content text = Content::of(std::string("hello"));
  BOOST_TEST(text.type() == "text/plain");
  BOOST_TEST(text.text() == "hello");
  BOOST_TEST(text.bytes().data() == std::as_bytes(std::span(text.as<std::string>())).data());
  BOOST_TEST(Content("hello").as<std::string>() == "hello");
  BOOST_TEST(Content::of(Bytes(3)).encoded().as<Bytes>().size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_type_may_contain_itself_and_a_type_may_encode_itself) {
  const Tree tree{1, {{2, {}}, {3, {{4, {}}}}}};
  BOOST_TEST((Content::of(tree).encoded().as<Tree>() == tree));
  BOOST_TEST(Content::of(Even(21)).encoded().as<Even>().value() == 42);
  BOOST_CHECK_EXCEPTION(from("01", "even/v1").as<Even>(), Error, is_bad_encoding);
}

BOOST_AUTO_TEST_CASE(a_complete_value_is_never_too_much_memory) {
  const Content words = Content::of(std::vector<std::string>(100'000));
  BOOST_TEST(words.encoded().as<std::vector<std::string>>().size() == 100'000u);
  const Content numbers = Content::of(std::vector<std::int64_t>(100'000));
  BOOST_TEST(numbers.encoded().as<std::vector<std::int64_t>>().size() == 100'000u);
}

BOOST_AUTO_TEST_CASE(few_bytes_cannot_claim_much_memory_by_leaving_fields_out) {
  std::string hex = "8199ffff";
  for (int i = 0; i < 0xffff; ++i) hex += "80";  // each would be 3,200 bytes
  BOOST_CHECK_EXCEPTION(from(hex, "flats/v1").as<FlatList>(), Error, is_bad_encoding);
}

BOOST_AUTO_TEST_CASE(the_estimated_size_counts_what_a_value_owns) {
  BOOST_TEST(Content::of(std::vector<std::string>(10, std::string(100, 'x'))).size() >= 1000u);
  BOOST_TEST(Content::of(1).size() == sizeof(int));
}

BOOST_AUTO_TEST_CASE(threads_that_encode_or_decode_at_once_get_the_same_result) {
  for (int round = 0; round < 50; ++round) {
    const Content typed = Content::of(some_plan());
    const Content bytes = typed.encoded();
    const Content fresh = Content::of(some_plan());
    std::array<const void*, 4> encoded{}, decoded{};
    {
      std::array<std::jthread, 4> threads;
      for (std::size_t i = 0; i < 4; ++i) {
        threads[i] = std::jthread([&, i] {
          encoded[i] = fresh.bytes().data();
          decoded[i] = &bytes.as<TravelPlan>();
        });
      }
    }
    for (std::size_t i = 1; i < 4; ++i) {
      BOOST_TEST(encoded[i] == encoded[0]);
      BOOST_TEST(decoded[i] == decoded[0]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
