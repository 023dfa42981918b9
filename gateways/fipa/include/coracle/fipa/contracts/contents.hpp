// The contents of the messages of a contract net, between caf's types and the texts of FIPA.
// ForeignBidder and ForeignClient use them. Derive from ContractContents for partners that speak
// differently. Tests: gateways/fipa/tests/contracts/contents_test.cpp; fuzzer:
// tests/fuzz/contract_contents_fuzz.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/caf/contracts/contract.hpp"

#include <memory>
#include <string>

namespace coracle::fipa {

// All functions are called with messages of others, and fail with Errc::bad_encoding for those that
// they do not understand, or with Errc::bad_options for a contract or bid that cannot be written.
class ContractContents {
 public:
  virtual ~ContractContents() = default;

  // The content of a call for proposals. Writing sets the language and the ontology, too. Reading
  // gives the kind, the subject, the items and the size; the reply-by of the call gives its times.
  virtual void write_call(const caf::Contract& contract, acl::Message& cfp) const = 0;
  virtual caf::Contract read_call(const acl::Message& cfp) const = 0;
  // The content of a proposal for that contract.
  virtual acl::Body write_bid(const caf::Contract& contract, const caf::Bid& bid) const = 0;
  virtual caf::Bid read_bid(const caf::Contract& contract, const acl::Message& proposal) const = 0;
  // The content of an accept-proposal: the offering that is accepted.
  virtual acl::Body write_award(const caf::Contract& contract,
                                const caf::Offering& offering) const = 0;
  // The content of an inform, a failure, a refuse or a reject-proposal: the result, or the reason.
  // By default it is the text itself. Reading must not fail.
  virtual acl::Body write_text(const std::string& text) const;
  virtual std::string read_text(const acl::Message& message) const;
};

// Plain texts: a call is the subject, with the kind as its ontology; a proposal is the amount as a
// decimal number. With `decimals` = 2, "9.5" is the amount 950. Contracts with items cannot be
// written, and a bid has one offering; its text is lost.
std::shared_ptr<const ContractContents> text_contents(int decimals = 0);

// FIPA-SL0, with items, bundles and the texts of bids:
//   ((contract :kind dig :subject "a hole" :items (sequence a b) :size 1))
//   ((bid :offerings (sequence (offering :items (sequence a b) :amount 7)) :text deep))
//   ((award :items (sequence a b) :amount 7))
//   ((outcome :text done))
// An offering without items is for the whole contract. A text that is no outcome is read as it is.
std::shared_ptr<const ContractContents> sl_contents();

}  // namespace coracle::fipa
