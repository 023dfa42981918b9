// A message store that does not accept a message sends the reason.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

// Accepts nothing, for one reason.
class Refusing final : public StoreBackend {
 public:
  explicit Refusing(Errc why) : why_(why) {}

  Stage promise() const noexcept override { return Stage::stored; }
  std::size_t limit() const noexcept override { return 10'000; }
  std::vector<Kept> begin(std::function<void()>, Time) override { return {}; }
  void keep(const Name&, std::span<const std::byte>, const Content&, bool, Time,
            Settled settled) override {
    settled(Error(why_, "as told"));
  }
  void open(const Name&, Time, std::function<void()> then) override { then(); }
  void finish(std::uint64_t, Time) override {}
  Time work(Time) override { return Time::max(); }
  void end(Time) override {}

 private:
  const Errc why_;
};

// The reason in the reply that a member gets to that hand-over frame.
std::optional<Errc> answer_to(const Bytes& frame, Errc why = Errc::disk_full,
                              const std::string& content = "hi", NodeOptions options = {}) {
  Lab lab(std::move(options), std::make_shared<Refusing>(why));
  const LeaseId ann = lab.join();
  lab.claim(ann, "ann");
  lab.claim(lab.join(), "bob");
  lab.send(ann, frame, Content(content));
  const Bytes answer = lab.last(ann, taken_over_frame);
  BOOST_TEST_REQUIRE(!answer.empty());
  FrameReader in(answer);
  (void)in.byte();
  BOOST_TEST(in.number() == 1u);
  return reason_not_to_keep(in.byte());
}

const Bytes handed_over = message({.target = "absent", .source = "ann"}, hand_over_frame);

}  // namespace

BOOST_AUTO_TEST_SUITE(not_kept)

BOOST_AUTO_TEST_CASE(what_the_disk_says_is_passed_on) {
  BOOST_TEST((answer_to(handed_over, Errc::disk_full) == Errc::disk_full));
  BOOST_TEST((answer_to(handed_over, Errc::disk_failed) == Errc::disk_failed));
  // A backend that has failed before accepts nothing more.
  BOOST_TEST((answer_to(handed_over, Errc::refused) == Errc::disk_failed));
  BOOST_TEST(!answer_to(handed_over, Errc::stopped).has_value());
}

BOOST_AUTO_TEST_CASE(a_limit_is_named_as_what_it_is) {
  const std::string large(10'000, 'x');  // larger than the whole store
  BOOST_TEST((answer_to(handed_over, Errc::stopped, large) == Errc::too_large));
  NodeOptions nothing;
  nothing.absent_limit = 0;
  BOOST_TEST((answer_to(handed_over, Errc::stopped, "hi", nothing) == Errc::absent_full));
}

// No policy has refused this: the refusal may hold for a moment only.
BOOST_AUTO_TEST_CASE(who_does_not_speak_for_its_source_is_told_no_reason) {
  BOOST_TEST(!answer_to(message({.target = "absent", .source = "bob"}, hand_over_frame)));
}

// Every byte in a message store's reply decodes to an existing reason, or to none.
BOOST_AUTO_TEST_CASE(each_reason_has_its_byte) {
  std::size_t reasons = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto why = reason_not_to_keep(static_cast<std::uint8_t>(byte));
    if (!why) continue;
    ++reasons;
    BOOST_TEST(keeps_not(*why) == byte);
  }
  BOOST_TEST(reasons == reasons_not_to_keep.size());
  BOOST_TEST(unsigned{keeps_not(Errc::stopped)} == unsigned{keeps_nothing});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
