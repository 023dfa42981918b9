// The messages of contracts and councils as JSON: docs/a2a-roles.md. Answers of a foreign agent
// are checked against the call that they answer.
// Tests: gateways/a2a/tests/roles/role_json_test.cpp, tests/fuzz/a2a_answer_fuzz.cpp
#pragma once

#include "coracle/caf/contracts/contract.hpp"
#include "coracle/caf/contracts/engagement.hpp"
#include "coracle/caf/voting/decision.hpp"
#include "coracle/content.hpp"
#include "coracle/web/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

using web::Json;

// The extensions that the card of an agent has for these roles.
inline constexpr std::string_view contracts_extension = "urn:coracle:a2a:contracts:1";
inline constexpr std::string_view councils_extension = "urn:coracle:a2a:councils:1";

// The places of the members of a bid in the answer of an agent, as pointers (RFC 6901).
struct BidForm {
  std::string amount = "/bid/amount";
  std::string offerings = "/bid/offerings";
  std::string text = "/bid/text";
};

// The form that the parameters of the extension state. A place that is missing or wrong has the
// default.
BidForm bid_form_in(const Json& params);

// The value at a pointer; nullptr if there is none.
const Json* value_at(const Json& whole, std::string_view pointer);

Json announcement_of(const Name& client, const caf::Contract& contract);
Json award_of(const caf::Engagement& work);
// The bid in an answer; nothing if the agent does not bid, or its answer is no bid for `contract`.
std::optional<caf::Bid> bid_in(const Json& answer, const BidForm& form,
                               const caf::Contract& contract);

Json call_of(const caf::Call& call);
Json agenda_of(const caf::Agenda& agenda);
// The alternatives in an answer; none if it is not valid.
std::vector<std::string> proposals_in(const Json& answer);
// The ballot in an answer. It abstains if the answer is not valid.
caf::Ballot ballot_in(const Json& answer, const caf::Agenda& agenda);

// The first value in the content of a reply: JSON, or a text that is JSON. Null if there is none.
Json value_of_reply(const Content& content);
Content content_of_value(const Json& value);

}  // namespace coracle::a2a
