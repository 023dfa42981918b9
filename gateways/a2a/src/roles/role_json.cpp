#include "roles/role_json.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/errors.hpp"
#include "server/contents.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_pointer = 200, most_offerings = 1000, most_alternatives = 1000,
                      longest_alternative = 10'000, longest_bid_text = 10'000;

std::int64_t milliseconds_of(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// The numbers of the items, from zero.
Json numbers_of(caf::Items items) {
  Json::Array all;
  for (unsigned i = 0; i < caf::items_limit; ++i)
    if ((items >> i & 1U) != 0) all.emplace_back(i);
  return all;
}

Json texts_json(const std::vector<std::string>& texts) {
  return Json::Array(texts.begin(), texts.end());
}

// One part of a pointer: ~1 means a slash, ~0 a tilde.
std::string pointer_part(std::string_view text) {
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '~' && i + 1 < text.size();
    if (is_escape && (text[i + 1] == '0' || text[i + 1] == '1'))
      part += text[++i] == '0' ? '~' : '/';
    else part += text[i];
  }
  return part;
}

std::optional<caf::Amount> amount_in(const Json* value) {
  const auto whole = value == nullptr ? std::nullopt : value->if_whole();
  if (!whole || *whole < 0 || *whole > caf::amount_limit) return std::nullopt;
  return *whole;
}

// The items of an offering; all of them if it names none.
std::optional<caf::Items> items_in(const Json* value, const caf::Contract& contract) {
  if (value == nullptr) return contract.all();
  const Json::Array* const numbers = value->if_array();
  if (numbers == nullptr || numbers->empty()) return std::nullopt;
  caf::Items items = 0;
  for (const Json& each : *numbers) {
    const auto number = each.if_whole();
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(caf::items_limit))
      return std::nullopt;
    items |= caf::Items{1} << static_cast<unsigned>(*number);
  }
  return (items & ~contract.all()) == 0 ? std::optional(items) : std::nullopt;
}

// The indices of alternatives; nothing if one is not on the agenda, or is there twice.
std::optional<std::vector<caf::Candidate>> candidates_in(const Json* value,
                                                         const caf::Agenda& agenda) {
  const Json::Array* const names = value == nullptr ? nullptr : value->if_array();
  if (names == nullptr || names->size() > agenda.alternatives.size()) return std::nullopt;
  std::vector<caf::Candidate> all;
  for (const Json& each : *names) {
    const caf::Candidate one =
        each.if_text() == nullptr ? caf::nobody : agenda.find(*each.if_text());
    if (one == caf::nobody || std::find(all.begin(), all.end(), one) != all.end())
      return std::nullopt;
    all.push_back(one);
  }
  return all;
}

std::optional<std::vector<caf::Fraction>> scores_in(const Json* value, const caf::Agenda& agenda) {
  if (value == nullptr || value->if_object() == nullptr) return std::nullopt;
  std::vector<caf::Fraction> scores;
  for (const std::string& each : agenda.alternatives) {
    const Json* const score = value->find(each);
    const auto whole = score == nullptr ? std::nullopt : score->if_whole();
    constexpr std::int64_t largest = 1'000'000;
    if (!whole || *whole < -largest || *whole > largest) return std::nullopt;
    scores.emplace_back(*whole);
  }
  return scores;
}

}  // namespace

BidForm bid_form_in(const Json& params) {
  BidForm form;
  const auto take = [&](const char* name, std::string& place) {
    const Json* const value = params.find(name);
    const std::string* const text = value == nullptr ? nullptr : value->if_text();
    if (text != nullptr && text->size() <= longest_pointer && (text->empty() || (*text)[0] == '/'))
      place = *text;
  };
  take("amount", form.amount);
  take("offerings", form.offerings);
  take("text", form.text);
  return form;
}

const Json* value_at(const Json& whole, std::string_view pointer) {
  const Json* value = &whole;
  while (!pointer.empty() && value != nullptr) {
    pointer.remove_prefix(1);
    const std::string part = pointer_part(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(std::min(pointer.size(), pointer.find('/')));
    if (const Json::Array* const items = value->if_array()) {
      std::size_t index = 0;
      const auto read = std::from_chars(part.data(), part.data() + part.size(), index);
      const bool is_index = read.ec == std::errc() && read.ptr == part.data() + part.size();
      value = is_index && index < items->size() ? &(*items)[index] : nullptr;
    } else {
      value = value->find(part);
    }
  }
  return value;
}

Json announcement_of(const Name& client, const caf::Contract& contract) {
  Json object;
  object.set("client", client.view()).set("contract", std::to_string(contract.id));
  object.set("round", contract.round).set("kind", contract.kind).set("subject", contract.subject);
  if (!contract.items.empty()) object.set("items", texts_json(contract.items));
  object.set("size", contract.size).set("bidWithinMs", milliseconds_of(contract.bid_within));
  return Json().set("announcement", std::move(object));
}

Json award_of(const caf::Engagement& work) {
  const caf::Contract& contract = work.contract();
  Json object;
  object.set("contract", std::to_string(contract.id)).set("award", work.award());
  object.set("kind", contract.kind).set("subject", contract.subject);
  if (!contract.items.empty()) object.set("items", texts_json(contract.items));
  object.set("awarded", numbers_of(work.items())).set("price", work.price());
  return Json().set("award", std::move(object));
}

std::optional<caf::Bid> bid_in(const Json& answer, const BidForm& form,
                               const caf::Contract& contract) {
  caf::Bid bid;
  if (const Json* const text = value_at(answer, form.text);
      text != nullptr && text->if_text() != nullptr)
    bid.text = text->if_text()->substr(0, longest_bid_text);
  if (const auto amount = amount_in(value_at(answer, form.amount)))
    bid.offerings.push_back({contract.all(), *amount});
  const Json* const offerings = value_at(answer, form.offerings);
  if (offerings != nullptr && offerings->if_array() != nullptr) {
    if (offerings->if_array()->size() > most_offerings) return std::nullopt;
    for (const Json& each : *offerings->if_array()) {
      const auto amount = amount_in(each.find("amount"));
      const auto items = items_in(each.find("items"), contract);
      if (!amount || !items) return std::nullopt;
      bid.offerings.push_back({*items, *amount});
    }
  }
  if (bid.offerings.empty()) return std::nullopt;
  return bid;
}

Json call_of(const caf::Call& call) {
  Json object;
  object.set("subject", call.subject).set("withinMs", milliseconds_of(call.within));
  return Json().set("call", std::move(object));
}

Json agenda_of(const caf::Agenda& agenda) {
  Json object;
  object.set("subject", agenda.subject).set("alternatives", texts_json(agenda.alternatives));
  object.set("round", agenda.round).set("withinMs", milliseconds_of(agenda.within));
  return Json().set("agenda", std::move(object));
}

std::vector<std::string> proposals_in(const Json& answer) {
  const Json* const alternatives = answer.find("alternatives");
  const Json::Array* const items = alternatives == nullptr ? nullptr : alternatives->if_array();
  std::vector<std::string> all;
  if (items == nullptr || items->size() > most_alternatives) return all;
  for (const Json& each : *items) {
    const std::string* const text = each.if_text();
    if (text == nullptr || text->empty() || text->size() > longest_alternative) return {};
    all.push_back(*text);
  }
  return all;
}

caf::Ballot ballot_in(const Json& answer, const caf::Agenda& agenda) {
  caf::Ballot ballot;
  if (auto ranking = candidates_in(answer.find("ranking"), agenda))
    ballot.ranking = *std::move(ranking);
  ballot.approved = candidates_in(answer.find("approved"), agenda);
  ballot.scores = scores_in(answer.find("scores"), agenda);
  return ballot;
}

Json value_of_reply(const Content& content) {
  try {
    for (const Part& each : parts_of(content)) {
      if (const auto* const value = std::get_if<Json>(&each.content)) return *value;
      const auto* const text = std::get_if<std::string>(&each.content);
      if (text == nullptr) continue;
      if (auto parsed = web::parse_json(*text)) return *std::move(parsed);
    }
  } catch (const Fault&) {
    // A message that cannot be read has no value.
  }
  return {};
}

Content content_of_value(const Json& value) {
  const std::string text = web::to_text(value);
  return Content::bytes(std::as_bytes(std::span(text.data(), text.size())), "application/json");
}

}  // namespace coracle::a2a
