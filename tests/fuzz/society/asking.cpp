// A hostile member's requests to the directory.
#include "pools.hpp"
#include "realizations/net/src/society/policy/refusals.hpp"
#include "sayings.hpp"

namespace coracle::fuzzed {

void Sayings::write_claim(Writer& out, Choices& choose) {
  const std::string wanted = name(choose);
  out.text(wanted);
  out.number(lease(choose));
  Properties properties;
  for (std::size_t left = choose.in(200) ? 0 : choose.below(3); left != 0; --left)
    properties.set("key" + std::to_string(left), std::string(choose.of(texts)));
  society::write(out, properties);
  MailboxOptions mailbox;
  if (choose.in(60)) mailbox.messages(static_cast<std::uint32_t>(choose.below(3)));
  const auto redirect = Name::parse(name(choose));
  if (choose.in(60) && redirect) mailbox.redirect_to(*redirect);
  society::write(out, mailbox);
  out.number(choose.in(128) ? 0 : life_of(wanted, choose));
}

void Sayings::write_report(Writer& out, Choices& choose) {
  static constexpr const char* rights[] = {"send", "register", "overhear", "join", "anything"};
  society::RefusalReport report;
  report.count = choose.number();
  for (std::size_t left = choose.below(3); left != 0; --left) {
    society::Refusal refusal;
    refusal.node = choose.of(texts);
    refusal.right = choose.of(rights);
    if (const auto from = Name::parse(name(choose))) refusal.from = *from;
    if (const auto to = Name::parse(name(choose))) refusal.to = *to;
    refusal.count = choose.number();
    report.refusals.push_back(std::move(refusal));
  }
  society::write(out, report);
}

void Sayings::write_arguments(Writer& out, society::Request kind, Choices& choose) {
  using society::Request;
  switch (kind) {
    case Request::attach:
      return out.number(choose.in(240) ? choose.below(4) : choose.number());
    case Request::open_lease: {
      static constexpr const char* identities[] = {"local", "evil", "", "lab"};
      out.text(choose.of(identities));
      out.number(choose.in(200) ? 30'000'000'000 : choose.number());
      society::NodeInfo info;
      info.lease = choose.in(200) ? 0 : lease(choose);
      info.node = choose.of(texts);
      for (std::size_t left = choose.in(128) ? 0 : choose.below(3); left != 0; --left)
        info.endpoints.emplace_back(choose.in(200) ? "sim://node1:4410" : choose.of(texts));
      return society::write(out, info);
    }
    case Request::renew:
      return out.number(lease(choose));
    case Request::close_lease:
      out.number(lease(choose));
      return out.byte(static_cast<std::uint8_t>(choose.below(choose.in(250) ? 5 : 7)));
    case Request::claim:
    case Request::take_over:
      return write_claim(out, choose);
    case Request::leave: {
      const std::string wanted = name(choose);
      out.text(wanted);
      out.number(life_of(wanted, choose));
      Ending ending;
      ending.reason = static_cast<EndReason>(choose.below(5));
      ending.text = choose.of(texts);
      return society::write(out, ending);
    }
    case Request::describe: {
      const std::string wanted = name(choose);
      out.text(wanted);
      out.number(life_of(wanted, choose));
      return society::write(out, Properties());
    }
    case Request::may_speak:
    case Request::may_overhear:
    case Request::may_look:
    case Request::may_operate:
      out.number(lease(choose));
      return out.text(name(choose));
    case Request::join:
    case Request::leave_group:
      out.text(choose.in(200) ? "teams/red" : name(choose));
      return out.text(name(choose));
    case Request::seen:
    case Request::audit:
      return out.number(choose.number());
    case Request::report_refusals:
      return write_report(out, choose);
    case Request::follow_all:
      return out.text(choose.in(128) ? "" : name(choose));
    case Request::all_followed:
    case Request::census:
    case Request::catch_up:
    case Request::moved:
      return;
  }
}

Bytes Sayings::request(society::Request kind, std::uint64_t number, Choices& choose) {
  Bytes made;
  Writer out(made);
  out.byte(static_cast<std::uint8_t>(kind));
  out.number(number);
  write_arguments(out, kind, choose);
  return made;
}

}  // namespace coracle::fuzzed
