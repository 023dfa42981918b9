// Answers of foreign agents and their cards: the first byte chooses, the rest is the text.
#include "client/foreign_card.hpp"
#include "client/foreign_task.hpp"
#include "client/remote.hpp"
#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/errors.hpp"
#include "roles/role_json.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace coracle;

namespace {

void take_card(const web::Json& json) {
  const auto card = a2a::read<a2a::AgentCard>(web::JsonReader(json));
  (void)a2a::properties_in(card);
  (void)a2a::place_in(card, {"https://a.example"});
}

// An array is the items of one stream.
void take_items(const web::Json& json) {
  a2a::ForeignTask task(100'000, 100);
  if (json.if_array() == nullptr) return;
  for (const web::Json& each : *json.if_array()) task.take(a2a::item_of(each));
  (void)task.result();
  (void)task.text();
}

void take_answer(const web::Json& json) {
  caf::Contract contract;
  contract.items = {"a", "b"};
  (void)a2a::bid_in(json, a2a::bid_form_in(json), contract);
  caf::Agenda agenda;
  agenda.alternatives = {"bread", "rice"};
  (void)a2a::ballot_in(json, agenda);
  (void)a2a::proposals_in(json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto json = web::parse_json(text);
  if (!json) return 0;
  try {
    if (data[0] % 3 == 0) take_card(*json);
    else if (data[0] % 3 == 1) take_items(*json);
    else take_answer(*json);
  } catch (const Error&) {
    // The answer is refused.
  }
  return 0;
}
