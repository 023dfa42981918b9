#include "coracle/content.hpp"
#include "coracle/detail/pool.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <thread>

namespace {

using namespace coracle;

// The number of destroyed values of counting_kind.
constinit int destroyed = 0;
const detail::ContentKind counting_kind{
    .name = "counting",
    .value_offset = sizeof(detail::ContentBlock),
    .block_bytes = sizeof(detail::ContentBlock),
    .destroy = [](void*) noexcept { ++destroyed; },
    .encode = [](const void*, std::vector<std::byte>& out) { out.assign(3, std::byte{'x'}); },
};

Content counting() {
  void* memory = detail::pool_allocate(counting_kind.block_bytes);
  return Content::adopt(new (memory) detail::ContentBlock(8, &counting_kind));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(content)

BOOST_AUTO_TEST_CASE(text_is_copied_and_keeps_its_bytes) {
  std::string text = "hello \0 world";
  const Content content(text);
  text[0] = 'j';
  BOOST_TEST(content.text() == "hello ");
  BOOST_TEST(content.type() == "text/plain");
  BOOST_TEST(content.size() == 6u);
  BOOST_TEST(Content(std::string_view("a\0b", 3)).size() == 3u);
  BOOST_TEST(!content.empty());
  BOOST_TEST(!content.is_typed());
}

BOOST_AUTO_TEST_CASE(nothing_has_no_bytes_and_no_type) {
  const Content nothing;
  BOOST_TEST(nothing.empty());
  BOOST_TEST(nothing.text() == "");
  BOOST_TEST(nothing.type() == "");
  BOOST_TEST(nothing.block() == nullptr);
  BOOST_TEST(Content("").empty());
  BOOST_TEST(Content("").type() == "text/plain");
  BOOST_TEST(sizeof(Content) == 8u);
}

BOOST_AUTO_TEST_CASE(copies_share_one_block) {
  Content first("shared");
  Content second = first;
  BOOST_TEST((first.text().data() == second.text().data()));
  Content third = std::move(first);
  BOOST_TEST(first.empty());
  const Content& same = third;
  third = same;
  second = std::move(third);
  BOOST_TEST(second.text() == "shared");
  BOOST_TEST(second.block()->refs.load() == 1u);
}

BOOST_AUTO_TEST_CASE(bytes_carry_a_standard_or_a_custom_type_name) {
  const std::array<std::byte, 3> data{std::byte{1}, std::byte{2}, std::byte{3}};
  BOOST_TEST(Content::bytes(data).type() == "application/octet-stream");
  const Content json = Content::bytes(data, "application/json");
  BOOST_TEST(json.type() == "application/json");
  BOOST_TEST((json.type().data() == Content::bytes(data, "application/json").type().data()));
  const std::string longest(127, 't');
  const Content custom = Content::bytes(data, longest);
  BOOST_TEST(custom.type() == longest);
  BOOST_TEST((custom.bytes()[2] == std::byte{3}));
  BOOST_TEST(Content::bytes({}, "plan/v1").type() == "plan/v1");
  for (const std::string& bad : {std::string(), std::string(128, 't')}) {
    BOOST_CHECK_EXCEPTION(Content::bytes(data, bad), Error, [](const Error& error) {
      return error.errc() == Errc::bad_options;
    });
  }
}

BOOST_AUTO_TEST_CASE(the_last_reference_ends_a_value_exactly_once) {
  destroyed = 0;
  {
    Content first = counting();
    Content second = first;
    BOOST_TEST(first.text() == "xxx");
    BOOST_TEST((first.text().data() == second.text().data()));
    first = Content("other");
    BOOST_TEST(destroyed == 0);
  }
  BOOST_TEST(destroyed == 1);
}

BOOST_AUTO_TEST_CASE(a_released_block_is_adopted_or_dropped) {
  Content content("kept");
  detail::ContentBlock* block = content.release();
  BOOST_TEST(content.empty());
  detail::retain(block);
  BOOST_TEST(Content::adopt(block).text() == "kept");
  detail::drop(block);
  detail::drop(nullptr);
  BOOST_TEST(Content().release() == nullptr);
}

BOOST_AUTO_TEST_CASE(an_encoded_copy_has_the_same_bytes_and_type) {
  destroyed = 0;
  const Content encoded = counting().encoded();
  BOOST_TEST(destroyed == 1);
  BOOST_TEST(encoded.text() == "xxx");
  BOOST_TEST(encoded.type() == "counting");
  BOOST_TEST(encoded.encoded().block() == encoded.block());
}

BOOST_AUTO_TEST_CASE(large_content_is_kept_whole) {
  const std::string text(5'000'000, 'x');
  BOOST_TEST((Content(text).text() == text));
}

BOOST_AUTO_TEST_CASE(threads_may_share_and_drop_one_content) {
  destroyed = 0;
  {
    std::array<std::jthread, 4> threads;
    const Content shared = counting();
    for (auto& thread : threads) {
      thread = std::jthread([shared] {
        for (int i = 0; i < 10'000; ++i) {
          const Content copy = shared;
          if (copy.text() != "xxx") std::abort();
        }
      });
    }
  }
  BOOST_TEST(destroyed == 1);
}

BOOST_AUTO_TEST_CASE(bytes_of_a_sole_owner_get_another_name_where_they_are) {
  const std::byte bytes[] = {std::byte{'h'}, std::byte{'i'}};
  Content content = Content::bytes(bytes);
  const std::byte* const at = content.bytes().data();
  content = detail::renamed(std::move(content), "text/plain");
  BOOST_TEST(content.text() == "hi");
  BOOST_TEST(content.bytes().data() == at);

  content = Content::bytes(bytes);
  const Content other = content;
  const Content text = detail::renamed(content, "text/plain");
  BOOST_TEST(text.text() == "hi");
  BOOST_TEST(other.type() == "application/octet-stream", "others keep what they have");
  const Content own = detail::renamed(std::move(content), "a/name of one's own");
  BOOST_TEST(own.type() == "a/name of one's own");
  BOOST_TEST(own.size() == 2u);
  BOOST_TEST(detail::renamed(Content(), "text/plain").type() == "text/plain");
  BOOST_CHECK_THROW((void)detail::renamed(Content(), std::string(200, 'x')), Error);
}

BOOST_AUTO_TEST_SUITE_END()
