// Contract nets of caf and of FIPA with each other.
#include "coracle/fipa/contracts/contents.hpp"
#include "table.hpp"

#include <string>

namespace coracle::test {

namespace {

acl::Message with(const char* content) {
  acl::Message message;
  message.content = std::string(content);
  return message;
}

caf::Contract items() {
  caf::Contract contract;
  contract.items = {"left", "right"};
  return contract;
}

std::string many_items() {
  std::string call = "((contract :subject x :items (sequence";
  for (int i = 0; i < 65; ++i) call += " i" + std::to_string(i);
  return call + ")))";
}

}  // namespace

Rows rows_of_contract_nets() {
  using namespace fipa;
  return {
      {"a proposal that is no number", Errc::bad_encoding,
       by([] { (void)text_contents(2)->read_bid({}, with("about 7")); }),
       "a proposal is a number from 0 with at most 2 decimals, and not \"about 7\"; bid such a "
       "number"},
      {"a call for items in plain text", Errc::bad_options, by([] {
         acl::Message cfp;
         text_contents()->write_call(items(), cfp);
       }),
       "plain text cannot call for bids for the items of a contract; give the partner "
       "sl_contents()"},
      {"too many decimals", Errc::bad_options, by([] { (void)text_contents(10); }),
       "amounts have 0 to 9 decimals, and not 10; give such a number"},
      {"a bid for an item that there is not", Errc::bad_encoding, by([] {
         (void)sl_contents()->read_bid(
             items(), with("((bid :offerings (sequence (offering :items (sequence up) :amount "
                           "1))))"));
       }),
       "the contract has no item \"up\"; bid for its items only"},
      {"a call for too many items", Errc::bad_encoding,
       by([] { (void)sl_contents()->read_call(with(many_items().c_str())); }),
       "a contract has at most 64 items; call for fewer at a time"},
  };
}

}  // namespace coracle::test
