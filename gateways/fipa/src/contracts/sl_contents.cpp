#include "coracle/fipa/contracts/contents.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/frame.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace coracle::fipa {

namespace {

using coracle::detail::quoted;

constexpr const char* language = "fipa-sl0";
constexpr const char* ontology = "coracle-contracts";

struct CallFrame {
  static constexpr auto frame = acl::by_name("contract", "kind", "subject", "items", "size");
  std::optional<std::string> kind;
  std::string subject;
  std::vector<std::string> items;
  std::optional<std::uint32_t> size;
};

struct OfferingFrame {
  static constexpr auto frame = acl::by_name("offering", "items", "amount");
  std::vector<std::string> items;
  std::int64_t amount = 0;
};

struct BidFrame {
  static constexpr auto frame = acl::by_name("bid", "offerings", "text");
  std::vector<OfferingFrame> offerings;
  std::optional<std::string> text;
};

struct AwardFrame {
  static constexpr auto frame = acl::by_name("award", "items", "amount");
  std::vector<std::string> items;
  std::int64_t amount = 0;
};

struct OutcomeFrame {
  static constexpr auto frame = acl::by_name("outcome", "text");
  std::string text;
};

// The names of the items; none for the whole contract.
std::vector<std::string> names_of(const caf::Contract& contract, caf::Items items) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contract.items.size(); ++i) {
    if ((items >> i & 1U) != 0) names.push_back(contract.items[i]);
  }
  return names;
}

caf::Items items_of(const caf::Contract& contract, const std::vector<std::string>& names) {
  if (names.empty()) return contract.all();
  caf::Items items = 0;
  for (const std::string& each : names) {
    const auto found = std::find(contract.items.begin(), contract.items.end(), each);
    if (found == contract.items.end())
      throw Error(Errc::bad_encoding,
                  "the contract has no item " + quoted(each) + "; bid for its items only");
    items |= caf::Items{1} << (found - contract.items.begin());
  }
  return items;
}

class SlContents final : public ContractContents {
 public:
  void write_call(const caf::Contract& contract, acl::Message& cfp) const override {
    cfp.language = language;
    cfp.ontology = ontology;
    cfp.content =
        acl::content_of(CallFrame{contract.kind, contract.subject, contract.items, contract.size});
  }
  caf::Contract read_call(const acl::Message& cfp) const override {
    auto call = acl::value_of<CallFrame>(acl::text_of(cfp)).value();
    if (call.items.size() > caf::items_limit)
      throw Error(Errc::bad_encoding, "a contract has at most " + std::to_string(caf::items_limit) +
                                          " items; call for fewer at a time");
    caf::Contract contract;
    contract.kind = call.kind.value_or(std::string());
    contract.subject = std::move(call.subject);
    contract.items = std::move(call.items);
    contract.size = std::max<std::uint32_t>(1, call.size.value_or(1));
    return contract;
  }
  acl::Body write_bid(const caf::Contract& contract, const caf::Bid& bid) const override {
    BidFrame made;
    for (const caf::Offering& each : bid.offerings)
      made.offerings.push_back({names_of(contract, each.items), each.amount});
    if (!bid.text.empty()) made.text = bid.text;
    return acl::content_of(made);
  }
  caf::Bid read_bid(const caf::Contract& contract, const acl::Message& proposal) const override {
    const auto read = acl::value_of<BidFrame>(acl::text_of(proposal)).value();
    caf::Bid bid;
    for (const OfferingFrame& each : read.offerings)
      bid.offerings.push_back({items_of(contract, each.items), each.amount});
    bid.text = read.text.value_or(std::string());
    return bid;
  }
  acl::Body write_award(const caf::Contract& contract,
                        const caf::Offering& offering) const override {
    return acl::content_of(AwardFrame{names_of(contract, offering.items), offering.amount});
  }
  acl::Body write_text(const std::string& text) const override {
    return acl::content_of(OutcomeFrame{text});
  }
  std::string read_text(const acl::Message& message) const override {
    const auto read = acl::value_of<OutcomeFrame>(acl::text_of(message));
    return read ? read.value().text : ContractContents::read_text(message);
  }
};

}  // namespace

std::shared_ptr<const ContractContents> sl_contents() {
  return std::make_shared<const SlContents>();
}

}  // namespace coracle::fipa
