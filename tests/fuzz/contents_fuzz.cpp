// Feeds any bytes to the readers of contents: of requests, answers, subscriptions, proxies and
// messages within contents, and of the ontology of agent management. There must be no crash; every
// value that is read can be written and is read the same again.
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "coracle/acl/protocols/brokering.hpp"

#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace coracle::acl;
namespace fm = coracle::acl::management;

// A value that is written again. It may be nested one level deeper, and so too deep.
template <class T>
void check_again(const T& value) {
  try {
    const sl::Term term = to_term(value);
    T again{};
    if (from_term(term, again, UnknownSlots::refuse) || !(again == value)) std::abort();
  } catch (const coracle::Error& error) {
    if (error.errc() != coracle::Errc::bad_options) std::abort();
  }
}

template <class T>
void check_term(const sl::Term& term) {
  for (const UnknownSlots policy : {UnknownSlots::ignore, UnknownSlots::refuse}) {
    T value{};
    const auto mismatch = from_term(term, value, policy);
    if (!mismatch) check_again(value);
    else if (mismatch->reason.empty()) std::abort();
  }
}

void check_action(const sl::Term& act) {
  check_term<fm::Action>(act);
  check_term<fm::Reason>(act);
  check_term<AgentId>(act);
  check_term<Message>(act);
  fm::Search search;
  if (from_term(act, search)) return;
  if (const auto* entry = std::get_if<fm::DfAgentDescription>(&search.description)) {
    const bool is_lasting = !entry->lease_time;
    if (fm::matches(*entry, *entry, {}) != is_lasting && is_lasting) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto asked = read_request(text)) {
    check_action(asked.value().act);
    check_again(asked.value().actor);
    if (!read_done(done_content(asked.value().text))) std::abort();
    if (!read_result(result_content(asked.value().text, asked.value().act))) std::abort();
  }
  if (const auto asked = read_subscription(text)) {
    const auto results = notification_content(asked.value().text, sl::sequence({}));
    if (!read_notification(results)) std::abort();
  }
  if (const auto result = read_result(text)) {
    check_term<std::vector<fm::DfAgentDescription>>(result.value());
    check_term<std::vector<fm::ApDescription>>(result.value());
  }
  if (const auto proxy = read_proxy(text)) check_again(proxy.value().message);
  if (const auto message = read_cancel(text)) check_again(message.value());
  (void)fm::performative_for(read_reason(text).predicate);
  return 0;
}
