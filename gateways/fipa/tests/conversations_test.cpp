// Conversations of FIPA between agents of two platforms.
#include "coracle/fipa/settings.hpp"

#include "coracle/acl/initiator.hpp"
#include "coracle/acl/participant.hpp"
#include "coracle/coracle.hpp"
#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/http_mtp.hpp"
#include "coracle/tests/support/in_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace coracle::fipa {

namespace {

using coracle::test::in_memory;
using namespace std::chrono_literals;

// Agrees to each request, and answers with its content.
class Clerk final : public acl::Participant {
 public:
  using Participant::Participant;

 private:
  Task<> converse(acl::Talk& talk) override {
    const acl::Speech agree(acl::Performative::agree);
    (void)co_await talk.say(agree);
    const acl::Speech done(acl::Performative::inform, talk.opening().content);
    (void)co_await talk.say(done);
  }
};

struct Cities {
  Cities() {
    loop.start();
    here.plug(http_mtp(loop));
    there.plug(http_mtp(loop));
    paris.create<Clerk>("lab/clerk", fipa::settings("paris"));
  }
  // The answer of that agent to a request.
  acl::Answer ask(const acl::AgentId& whom, std::string content) {
    (void)here.introduce(whom);
    return ann.act<acl::Answer>([&](Agent& me) -> Task<acl::Answer> {
      acl::Message message;
      message.receivers = {whom};
      message.content = std::move(content);
      const acl::Terms terms = acl::Terms(20s).settings(fipa::settings("oslo"));
      const acl::Answers answers = co_await acl::request(me, message, terms);
      co_return answers.at(0);
    });
  }

  http::Loop loop;
  Node oslo{in_memory()}, paris{in_memory()};
  Gateway here{oslo, {.platform = "oslo", .exposed = {"**"}}};
  Gateway there{paris, {.platform = "paris", .exposed = {"lab/**"}}};
  Port ann{oslo, "ann"};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(conversations, Cities)

BOOST_AUTO_TEST_CASE(a_request_goes_to_an_agent_of_another_platform) {
  const acl::Answer answer = ask(there.id_of("lab/clerk"), "hello");
  BOOST_TEST((answer.outcome == acl::Outcome::done));
  BOOST_TEST(acl::text_of(answer.message) == "hello");
}

BOOST_AUTO_TEST_CASE(a_notice_of_either_platform_that_a_message_is_lost_ends_the_request) {
  BOOST_TEST((ask(there.id_of("lab/nobody"), "hello").outcome == acl::Outcome::lost));
  const acl::AgentId nowhere{.name = "zed@nowhere"};
  BOOST_TEST((ask(nowhere, "hello").outcome == acl::Outcome::lost));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
