// Feeds any bytes to the readers of contents of contract nets. There must be no crash; a call that
// is read can be written and is read the same again, and a bid that is read is for items of the
// contract.
#include "coracle/acl/message.hpp"
#include "coracle/fipa/contracts/contents.hpp"

#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace coracle;

bool is_refusal(const Error& error) { return error.errc() == Errc::bad_encoding; }

void check_call(const fipa::ContractContents& contents, const acl::Message& message) {
  caf::Contract read;
  try {
    read = contents.read_call(message);
  } catch (const Error& error) {
    if (!is_refusal(error)) std::abort();
    return;
  }
  acl::Message again;
  contents.write_call(read, again);
  if (!(contents.read_call(again) == read)) std::abort();
}

void check_bid(const fipa::ContractContents& contents, const caf::Contract& contract,
               const acl::Message& message) {
  caf::Bid bid;
  try {
    bid = contents.read_bid(contract, message);
  } catch (const Error& error) {
    if (!is_refusal(error)) std::abort();
    return;
  }
  for (const caf::Offering& each : bid.offerings) {
    if (each.items == 0 || (each.items & ~contract.all()) != 0) std::abort();
  }
  (void)caf::fault_of(bid, contract);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  acl::Message message;
  message.content = std::string(reinterpret_cast<const char*>(data), size);
  message.ontology = "dig";
  caf::Contract whole, items;
  items.items = {"a", "b", "c"};
  for (const auto& contents : {fipa::text_contents(2), fipa::sl_contents()}) {
    check_call(*contents, message);
    check_bid(*contents, whole, message);
    check_bid(*contents, items, message);
    (void)contents->read_text(message);
  }
  return 0;
}
