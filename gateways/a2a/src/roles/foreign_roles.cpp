// Foreign agents in roles of the society.
#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/foreign_bidder.hpp"
#include "coracle/a2a/foreign_peer.hpp"
#include "coracle/a2a/foreign_stage.hpp"
#include "coracle/a2a/talk.hpp"
#include "coracle/errors.hpp"
#include "coracle/post.hpp"
#include "coracle/typed.hpp"
#include "roles/role_json.hpp"
#include "server/contents.hpp"

#include <utility>
#include <variant>

namespace coracle::a2a {

namespace {

bool ends_role(const Error& error) noexcept {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

// The parameters that the agent's card has for an extension; nothing if it does not have it.
coracle::Task<std::optional<Json>> params_of(Agent& me, Name agent, std::string_view extension,
                                             Duration within) {
  const Content wanted = Content::of(ExtensionRequest{std::string(extension)});
  const Result<coracle::Message> answer = co_await me.ask_result(agent, wanted, within);
  if (answer) co_return value_of_reply(answer->content());
  if (ends_role(answer.error())) throw Error(answer.error());
  co_return std::nullopt;
}

// The tasks of one contract are a family.
std::string family_of(const Name& client, const caf::Contract& contract) {
  return "contract-" + client.str() + "-" + std::to_string(contract.id);
}

// The answer of the agent; nothing if there is none.
coracle::Task<std::optional<Content>> answer_of(Agent& me, Post post, Duration within) {
  const Result<coracle::Message> answer = co_await me.ask_result(post, within);
  if (answer) co_return answer->content();
  if (ends_role(answer.error())) throw Error(answer.error());
  co_return std::nullopt;
}

// The text of an answer, or the reason why it cannot be read.
Result<std::string> text_in_reply(const Content& content) {
  try {
    std::string all;
    for (const Part& each : parts_of(content)) {
      if (const auto* const text = std::get_if<std::string>(&each.content)) all += *text;
      else if (const auto* const value = std::get_if<Json>(&each.content))
        all += web::to_text(*value);
    }
    return all;
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

ForeignBidder::ForeignBidder(ForeignBidderOptions options, Random& random)
    : Bidder(options.capacity, caf::Promises::at_award, random), options_(std::move(options)) {}

coracle::Task<> ForeignBidder::act() {
  if (!options_.properties.empty()) {
    coracle::Task<> describing = describe(options_.properties);
    co_await describing;
  }
  for (const Name& each : options_.clients) {
    coracle::Task<> registering = register_with(each, options_.properties);
    co_await registering;
  }
}

coracle::Task<std::optional<caf::Bid>> ForeignBidder::consider(const Name& client,
                                                               const caf::Contract& contract) {
  const Name asker = client;
  const caf::Contract kept = contract;
  coracle::Task<std::optional<Json>> looking =
      params_of(*this, options_.agent, contracts_extension, kept.bid_within);
  const std::optional<Json> params = co_await looking;
  if (!params) co_return std::nullopt;  // its card does not say that it bids
  Post post(options_.agent, content_of_value(announcement_of(asker, kept)));
  post.header(std::string(header::context), family_of(asker, kept));
  coracle::Task<std::optional<Content>> asking = answer_of(*this, std::move(post), kept.bid_within);
  const std::optional<Content> answer = co_await asking;
  if (!answer) co_return std::nullopt;
  co_return bid_in(value_of_reply(*answer), bid_form_in(*params), kept);
}

coracle::Task<caf::Fulfilment> ForeignBidder::fulfil(caf::Engagement work) {
  Post post(options_.agent, content_of_value(award_of(work)));
  post.header(std::string(header::context), family_of(work.client().name(), work.contract()));
  const Result<coracle::Message> answer = co_await ask_result(post);
  if (!answer) {
    if (ends_role(answer.error())) throw Error(answer.error());
    co_return caf::Fulfilment::failed(answer.error().sentence());
  }
  Result<std::string> text = text_in_reply(answer->content());
  if (!text) co_return caf::Fulfilment::failed(text.error().sentence());
  co_return caf::Fulfilment{true, *std::move(text)};
}

ForeignPeer::ForeignPeer(Name agent, Random& random) : Peer(random), agent_(std::move(agent)) {}

coracle::Task<std::vector<std::string>> ForeignPeer::consider_call(const caf::Call& call) {
  const Duration within = call.within;
  Post post(agent_, content_of_value(call_of(call)));
  coracle::Task<std::optional<Json>> looking = params_of(*this, agent_, councils_extension, within);
  if (!co_await looking) co_return std::vector<std::string>();
  coracle::Task<std::optional<Content>> asking = answer_of(*this, std::move(post), within);
  const std::optional<Content> answer = co_await asking;
  if (!answer) co_return std::vector<std::string>();
  co_return proposals_in(value_of_reply(*answer));
}

coracle::Task<caf::Ballot> ForeignPeer::consider_agenda(const caf::Agenda& agenda) {
  const caf::Agenda kept = agenda;
  coracle::Task<std::optional<Json>> looking =
      params_of(*this, agent_, councils_extension, kept.within);
  if (!co_await looking) co_return caf::Ballot();
  Post post(agent_, content_of_value(agenda_of(kept)));
  coracle::Task<std::optional<Content>> asking = answer_of(*this, std::move(post), kept.within);
  const std::optional<Content> answer = co_await asking;
  if (!answer) co_return caf::Ballot();
  co_return ballot_in(value_of_reply(*answer), kept);
}

ForeignStage::ForeignStage(Name agent, Duration within)
    : agent_(std::move(agent)), within_(within) {}

coracle::Task<> ForeignStage::consider(const std::string& item) {
  const Content content(item);
  const Result<coracle::Message> answer = co_await ask_result(agent_, content, within_);
  if (!answer) {
    if (ends_role(answer.error())) throw Error(answer.error());
    fail(answer.error().sentence());
    co_return;
  }
  Result<std::string> text = text_in_reply(answer->content());
  if (text) put(*std::move(text));
  else fail(text.error().sentence());
}

}  // namespace coracle::a2a
