// Structs as terms of SL, and what a term must have to become a struct.
#include "coracle/acl/ontology/frame.hpp"

#include "support/exchanges.hpp"
#include "support/some_terms.hpp"

#include "coracle/acl/sl/text.hpp"
#include "coracle/errors.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

namespace coracle::acl {

namespace {

struct Author {
  static constexpr auto frame = by_name("author", "name", "born");
  std::string name;
  std::optional<std::int16_t> born;

  bool operator==(const Author&) const = default;
};

struct Book {
  static constexpr auto frame = by_name("book", "title", "price", as_set("authors"), "tags",
                                        "is-sold", "printed", "cover", "seller", "extra");
  std::string title;
  double price = 0;
  std::vector<Author> authors;
  std::optional<std::vector<std::string>> tags;
  bool is_sold = false;
  std::optional<DateTime> printed;
  std::optional<std::vector<std::byte>> cover;
  std::optional<AgentId> seller;
  std::optional<sl::Term> extra;

  bool operator==(const Book&) const = default;
};

struct Sell {
  static constexpr auto frame = by_order("sell", "book", "count", "note");
  Book book;
  std::uint8_t count = 0;
  std::optional<std::string> note;

  bool operator==(const Sell&) const = default;
};

struct Stop {
  static constexpr auto frame = by_order("stop");

  bool operator==(const Stop&) const = default;
};

struct Range {
  static constexpr auto frame = by_order("pair", "first", "second");
  std::optional<int> first;
  std::optional<int> second;
};

using Deed = std::variant<Sell, Stop>;

// A struct that knows nothing of frames.
struct Point {
  float x = 0;
  float y = 0;

  bool operator==(const Point&) const = default;
};

template <class T>
Mismatch mismatch(std::string_view text, UnknownSlots policy = UnknownSlots::ignore) {
  T value{};
  const auto found = from_term(sl::term_from(text), value, policy);
  BOOST_TEST_REQUIRE(found.has_value());
  return *found;
}

template <class T>
bool fails(std::string_view text, Mismatch::Kind kind, std::string_view place,
           UnknownSlots policy = UnknownSlots::ignore) {
  const Mismatch found = mismatch<T>(text, policy);
  if (found.kind == kind && found.place == place) return true;
  BOOST_TEST_MESSAGE(found.place << ": " << found.reason);
  return false;
}

Book emma() {
  Book book;
  book.title = "emma";
  book.price = 9.5;
  book.authors = {{"austen", std::int16_t{1775}}};
  return book;
}

}  // namespace

template <>
struct FrameOf<Point> {
  static constexpr auto frame = by_name("point", "x", "y");
};

BOOST_AUTO_TEST_SUITE(frame)

BOOST_AUTO_TEST_CASE(a_struct_is_a_frame_with_the_slots_that_it_names) {
  BOOST_TEST(to_text(to_term(emma())) ==
             "(book :title emma :price 9.5 :authors (set (author :name austen :born 1775)) "
             ":is-sold false)");
  Book full = emma();
  full.tags = {"classic", "true"};
  full.printed = date_time_from("18151223T000000000Z");
  full.cover = {std::byte{1}, std::byte{2}};
  full.seller = AgentId{"zed@p2", {"http://h:1/acc"}, {}, {}};
  full.extra = sl::sequence({1, "x"});
  const std::string text =
      "(book :title emma :price 9.5 :authors (set (author :name austen :born 1775)) :tags "
      "(sequence classic \"true\") :is-sold false :printed 18151223T000000000Z :cover #4\"AQI= "
      ":seller (agent-identifier :name zed@p2 :addresses (sequence http://h:1/acc)) :extra "
      "(sequence 1 x))";
  BOOST_TEST(to_text(to_term(full)) == text);
  BOOST_TEST((from_term<Book>(sl::term_from(text)) == full));
}

BOOST_AUTO_TEST_CASE(an_action_is_written_by_the_order_of_its_arguments) {
  const Sell sell{emma(), 3, "soon"};
  const std::string book = to_text(to_term(emma()));
  BOOST_TEST(to_text(to_term(sell)) == "(sell " + book + " 3 soon)");
  BOOST_TEST((from_term<Sell>(to_term(sell)) == sell));
  BOOST_TEST(to_text(to_term(Sell{emma(), 3, {}})) == "(sell " + book + " 3)");
  BOOST_TEST(to_text(to_term(Stop())) == "(stop)");
  BOOST_TEST((from_term<Stop>(sl::term_from("(stop)")) == Stop()));
  BOOST_CHECK_EXCEPTION(to_term(Range{{}, 2}), Error,
                        [](const Error& error) { return error.errc() == Errc::bad_options; });
}

BOOST_AUTO_TEST_CASE(both_forms_are_read_in_any_order_of_slots_and_any_case) {
  BOOST_TEST((from_term<Author>(sl::term_from("(Author :BORN 1775 :Name austen)")) ==
              Author{"austen", std::int16_t{1775}}));
  BOOST_TEST((from_term<Author>(sl::term_from("(author austen 1775)")) ==
              Author{"austen", std::int16_t{1775}}));
  BOOST_TEST((from_term<Author>(sl::term_from("(author austen)")) == Author{"austen", {}}));
  const auto sell = from_term<Sell>(
      sl::term_from("(sell :count 2 :book (book :title x :price 1 :is-sold true))"));
  BOOST_TEST(sell.count == 2);
  BOOST_TEST(sell.book.price == 1.0);
  BOOST_TEST(sell.book.authors.empty());
}

BOOST_AUTO_TEST_CASE(a_vector_is_read_from_a_set_and_from_a_sequence) {
  const std::vector<int> numbers = {1, 2, 3};
  BOOST_TEST((from_term<std::vector<int>>(sl::term_from("(set 1 2 3)")) == numbers));
  BOOST_TEST((from_term<std::vector<int>>(sl::term_from("(sequence 1 2 3)")) == numbers));
  BOOST_TEST(to_text(to_term(numbers)) == "(sequence 1 2 3)");
  BOOST_TEST((to_term(std::vector<bool>{true}) == sl::sequence({true})));
}

BOOST_AUTO_TEST_CASE(a_variant_is_the_frame_with_the_symbol_of_the_term) {
  BOOST_TEST((from_term<Deed>(sl::term_from("(STOP)")) == Deed(Stop())));
  const Deed sell = Sell{emma(), 1, {}};
  BOOST_TEST((from_term<Deed>(to_term(sell)) == sell));
  BOOST_TEST(fails<Deed>("(buy)", Mismatch::Kind::wrong_frame, ""));
  BOOST_TEST(fails<Deed>("(sell)", Mismatch::Kind::missing_slot, "sell.book"));
}

BOOST_AUTO_TEST_CASE(a_struct_without_a_frame_of_its_own_is_given_one) {
  BOOST_TEST(to_text(to_term(Point{1.5F, -2})) == "(point :x 1.5 :y -2.0)");
  BOOST_TEST((from_term<Point>(sl::term_from("(point 1.5 -2)")) == Point{1.5F, -2}));
  BOOST_TEST(fails<Point>("(point 1e300 0)", Mismatch::Kind::wrong_value, "point.x"));
}

BOOST_AUTO_TEST_CASE(a_mismatch_names_its_kind_its_slot_and_the_way_to_it) {
  using Kind = Mismatch::Kind;
  BOOST_TEST(fails<Author>("(author :born 1)", Kind::missing_slot, "author.name"));
  BOOST_TEST(fails<Author>("(author)", Kind::missing_slot, "author.name"));
  BOOST_TEST(fails<Author>("(writer :name x)", Kind::wrong_frame, ""));
  BOOST_TEST(fails<Author>("author", Kind::wrong_frame, ""));
  BOOST_TEST(fails<Author>("(author :name 7)", Kind::wrong_value, "author.name"));
  BOOST_TEST(fails<Author>("(author :name true)", Kind::wrong_value, "author.name"));
  BOOST_TEST(fails<Author>("(author :name x :born 1e3)", Kind::wrong_value, "author.born"));
  BOOST_TEST(fails<Author>("(author :name x :born 99999)", Kind::wrong_value, "author.born"));
  BOOST_TEST(fails<Author>("(author :name x :name y)", Kind::wrong_value, "author.name"));
  BOOST_TEST(
      fails<Sell>("(sell (book :title x :price 1 :is-sold true :authors (set (author x) "
                  "(author))) 2)",
                  Kind::missing_slot, "sell.book.authors[1].name"));
  BOOST_TEST(
      fails<std::vector<std::vector<int>>>("(set (set 1) (set 1 x))", Kind::wrong_value, "[1][1]"));
  BOOST_TEST(fails<std::uint8_t>("256", Kind::wrong_value, ""));
  BOOST_TEST(fails<std::uint64_t>("-1", Kind::wrong_value, ""));
  const Mismatch inner = mismatch<Sell>("(sell (book :title x :price y :is-sold true) 2)");
  BOOST_TEST(inner.frame == "book");
  BOOST_TEST(inner.slot == "price");
  BOOST_TEST(inner.reason == "is not a number");
}

BOOST_AUTO_TEST_CASE(slots_that_the_struct_does_not_have_are_passed_over_or_refused) {
  using Kind = Mismatch::Kind;
  const std::string named = "(author :name x :age 40)";
  const std::string ordered = "(author x 1775 40)";
  BOOST_TEST(from_term<Author>(sl::term_from(named)).name == "x");
  BOOST_TEST(from_term<Author>(sl::term_from(ordered)).name == "x");
  BOOST_TEST(fails<Author>(named, Kind::unknown_slot, "author.age", UnknownSlots::refuse));
  BOOST_TEST(fails<Author>(ordered, Kind::too_many, "", UnknownSlots::refuse));
}

BOOST_AUTO_TEST_CASE(the_error_of_a_mismatch_names_the_place) {
  try {
    (void)from_term<Sell>(sl::term_from("(sell (book :title x :price y) 2)"));
    BOOST_FAIL("it was read");
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_encoding));
    BOOST_TEST(error.sentence().find("\"sell.book.price\" is not a number") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(an_agent_identifier_has_addresses_resolvers_and_slots_of_its_platform) {
  AgentId id{
      "ann@lab", {"http://a:1/acc", "http://b:2/acc"}, {}, {{"JADE-agent-classname", "A b"}}};
  id.resolvers.push_back({"ams@lab", {}, {}, {}});
  const std::string text =
      "(agent-identifier :name ann@lab :addresses (sequence http://a:1/acc http://b:2/acc) "
      ":resolvers (sequence (agent-identifier :name ams@lab)) :X-JADE-agent-classname \"A b\")";
  BOOST_TEST(to_text(to_term(id)) == text);
  BOOST_TEST((from_term<AgentId>(sl::term_from(text)) == id));
  BOOST_TEST((from_term<AgentId>(sl::term_from("(agent-identifier :name a :x-n 5 :odd (f))")) ==
              AgentId{"a", {}, {}, {{"n", "5"}}}));
  BOOST_TEST(
      fails<AgentId>("(agent-identifier)", Mismatch::Kind::missing_slot, "agent-identifier.name"));
  BOOST_TEST(fails<AgentId>("(agent-identifier :name a :resolvers (sequence x))",
                            Mismatch::Kind::wrong_frame, "agent-identifier.resolvers[0]"));
  std::string deep = "(agent-identifier :name a)";
  for (int i = 0; i < 9; ++i)
    deep = "(agent-identifier :name a :resolvers (sequence " + deep + "))";
  BOOST_TEST((mismatch<AgentId>(deep).kind == Mismatch::Kind::wrong_value));
}

BOOST_AUTO_TEST_CASE(a_text_that_another_platform_wrote_as_a_byte_string_is_read) {
  BOOST_TEST(from_term<std::string>(sl::term_from("#4\"abcd")) == "abcd");
  BOOST_TEST(from_term<std::string>(sl::term_from("#5\"hello")) == "hello");
  BOOST_TEST(from_term<std::vector<std::byte>>(sl::term_from("#2\"hi")).size() == 2U);
  BOOST_TEST(fails<std::vector<std::byte>>("7", Mismatch::Kind::wrong_value, ""));
}

BOOST_AUTO_TEST_CASE(every_struct_reads_back_as_it_was_written_and_no_term_breaks_the_reading) {
  BOOST_TEST(rc::check([] {
    Book book;
    book.title = test::some_text();
    book.price = *rc::gen::inRange(-1000, 1000) / 8.0;
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
      book.authors.push_back({test::some_text(), {}});
    if (*rc::gen::inRange(0, 2) == 0) book.tags.emplace(2, test::some_text());
    if (*rc::gen::inRange(0, 2) == 0) book.seller = AgentId{test::some_text(), {}, {}, {}};
    if (*rc::gen::inRange(0, 2) == 0) book.extra = test::some_term(3);
    RC_ASSERT(from_term<Book>(sl::term_from(to_text(to_term(book)))) == book);
    Deed act;
    const auto wrong = from_term(test::some_term(4), act, UnknownSlots::refuse);
    RC_ASSERT(wrong.has_value());
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
