#include "coracle/fipa/contracts/contents.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coracle::fipa {

namespace {

using coracle::detail::quoted;

constexpr int most_decimals = 9;

bool is_digit(char each) noexcept { return each >= '0' && each <= '9'; }

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

[[noreturn]] void fail(std::string_view text, int decimals) {
  throw Error(Errc::bad_encoding, "a proposal is a number from 0 with at most " +
                                      std::to_string(decimals) + " decimals, and not " +
                                      quoted(text) + "; bid such a number");
}

// The digits of one part of a number, appended to `amount`.
bool append(std::string_view digits, caf::Amount& amount) noexcept {
  return std::all_of(digits.begin(), digits.end(), [&amount](char each) {
    if (!is_digit(each)) return false;
    amount = 10 * amount + (each - '0');
    return amount <= caf::amount_limit;
  });
}

caf::Amount amount_in(std::string_view text, int decimals) {
  const std::string_view number = trimmed(text);
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view whole = number.substr(0, point);
  std::string_view rest = number.substr(std::min(point + 1, number.size()));
  // "7.0" is 7, also without decimals.
  while (rest.size() > static_cast<std::size_t>(decimals) && rest.back() == '0')
    rest.remove_suffix(1);
  if (whole.empty() || rest.size() > static_cast<std::size_t>(decimals)) fail(text, decimals);
  const std::string zeros(static_cast<std::size_t>(decimals) - rest.size(), '0');
  caf::Amount amount = 0;
  if (!append(whole, amount) || !append(rest, amount) || !append(zeros, amount))
    fail(text, decimals);
  return amount;
}

std::string text_of(caf::Amount amount, int decimals) {
  std::string text = std::to_string(amount);
  const auto least = static_cast<std::size_t>(decimals) + 1;
  if (text.size() < least) text.insert(0, least - text.size(), '0');
  if (decimals > 0) text.insert(text.size() - static_cast<std::size_t>(decimals), 1, '.');
  return text;
}

class TextContents final : public ContractContents {
 public:
  explicit TextContents(int decimals) : decimals_(decimals) {}

  void write_call(const caf::Contract& contract, acl::Message& cfp) const override {
    if (!contract.items.empty())
      throw Error(Errc::bad_options,
                  "plain text cannot call for bids for the items of a contract; give the partner "
                  "sl_contents()");
    cfp.content = contract.subject;
    cfp.ontology = contract.kind;
  }
  caf::Contract read_call(const acl::Message& cfp) const override {
    caf::Contract contract;
    contract.kind = cfp.ontology;
    contract.subject = acl::text_of(cfp);
    return contract;
  }
  acl::Body write_bid(const caf::Contract&, const caf::Bid& bid) const override {
    return text_of(bid.offerings.at(0).amount, decimals_);
  }
  caf::Bid read_bid(const caf::Contract& contract, const acl::Message& proposal) const override {
    return caf::Bid::of(contract, amount_in(acl::text_of(proposal), decimals_));
  }
  acl::Body write_award(const caf::Contract&, const caf::Offering& offering) const override {
    return text_of(offering.amount, decimals_);
  }

 private:
  const int decimals_;
};

}  // namespace

acl::Body ContractContents::write_text(const std::string& text) const { return text; }

std::string ContractContents::read_text(const acl::Message& message) const {
  return std::string(acl::text_of(message));
}

std::shared_ptr<const ContractContents> text_contents(int decimals) {
  if (decimals < 0 || decimals > most_decimals)
    throw Error(Errc::bad_options, "amounts have 0 to 9 decimals, and not " +
                                       std::to_string(decimals) + "; give such a number");
  return std::make_shared<const TextContents>(decimals);
}

}  // namespace coracle::fipa
