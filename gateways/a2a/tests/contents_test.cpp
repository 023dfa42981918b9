#include "server/contents.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/typed.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

struct Plan {
  static constexpr std::string_view content_type = "plan/v1";
  std::string goal;
  std::vector<int> steps;
};

Message with(Part part) {
  Message message{"m"};
  message.role = Role::user;
  message.parts.push_back(std::move(part));
  return message;
}

BOOST_AUTO_TEST_SUITE(contents)

BOOST_AUTO_TEST_CASE(one_part_comes_as_it_is) {
  BOOST_TEST(content_of(with({std::string("hi")}), {}).type() == "text/plain");
  BOOST_TEST(content_of(with({std::string("hi")}), {}).text() == "hi");
  const Content markdown = content_of(with({std::string("*"), {}, {}, "text/Markdown"}), {});
  BOOST_TEST(markdown.type() == "text/markdown");
  const Content raw = content_of(with({Raw{"ab"}, {}, {}, "image/png"}), {});
  BOOST_TEST(raw.type() == "image/png");
  BOOST_TEST(raw.text() == "ab");
  const Content data = content_of(with({Json().set("a", 1)}), {});
  BOOST_TEST(data.type() == "application/json");
  BOOST_TEST(data.text() == R"({"a":1})");
}

BOOST_AUTO_TEST_CASE(anything_else_comes_as_a_whole_message) {
  Message two = with({std::string("a")});
  two.parts.push_back({std::string("b")});
  const Content whole = content_of(two, {});
  BOOST_TEST(whole.type() == message_type);
  BOOST_TEST((parts_of(whole) == two.parts));
  BOOST_TEST(content_of(with({FileUrl{"https://x"}}), {}).type() == message_type);
  BOOST_TEST(content_of(with({Raw{"a"}, {}, "name", {}}), {}).type() == message_type);
}

BOOST_AUTO_TEST_CASE(the_societys_own_types_come_only_if_they_are_listed) {
  const Part plan{Json().push("north").push(Json().push(3).push(4)), {}, {}, "plan/v1"};
  BOOST_TEST(content_of(with(plan), {}).type() == message_type);
  BOOST_TEST(content_of(with({Raw{"x"}, {}, {}, "coracle/end"}), {"plan/*"}).type() ==
             message_type);
  const Content typed = content_of(with(plan), {"plan/*"});
  BOOST_TEST(typed.as<Plan>().goal == "north");
  BOOST_TEST(typed.as<Plan>().steps[1] == 4);
}

BOOST_AUTO_TEST_CASE(typed_answers_become_values) {
  const std::vector<Part> parts = parts_of(Content::of(Plan{"north", {3, 4}}));
  BOOST_TEST(parts[0].media_type == "plan/v1");
  BOOST_TEST(web::to_text(std::get<Json>(parts[0].content)) == R"(["north",[3,4]])");
  BOOST_TEST(std::get<std::string>(parts_of(Content("x"))[0].content) == "x");
  BOOST_TEST(std::get<Raw>(parts_of(Content::of(Bytes(2)))[0].content).bytes.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_whole_message_of_an_agent_has_to_be_readable) {
  const auto bytes = std::as_bytes(std::span("{}", 2));
  BOOST_CHECK_THROW(parts_of(Content::bytes(bytes, message_type)), Fault);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
