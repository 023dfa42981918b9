#include "requests.hpp"

#include "realizations/net/src/society/policy/refusals.hpp"

#include <utility>

namespace coracle::test::lying {

namespace {

using society::Request;

constexpr std::uint64_t lease_term = 30'000'000'000;
constexpr std::uint64_t absurd_generation = 0xffff'0000;

Properties some_properties(Draws& draw) {
  Properties properties;
  for (std::uint64_t left = draw.below(3); left != 0; --left)
    properties.set("key" + std::to_string(left), draw.text());
  return properties;
}

}  // namespace

society::FrameWriter Requests::begin(Request request, Bytes& frame) {
  Writer out(frame);
  asked_.push_back(request);
  out.byte(static_cast<std::uint8_t>(request));
  out.number(asked_.size());
  return out;
}

Request Requests::asked(std::uint64_t number) const {
  return number > 0 && number <= asked_.size() ? asked_[number - 1] : Request::attach;
}

std::string Requests::write_open_lease(Writer& out) {
  society::NodeInfo info;
  info.lease = draw_.chance(80) ? 0 : draw_.lease();
  info.node = draw_.chance(70) ? known_.node : draw_.text();
  if (draw_.chance(70)) info.endpoints = endpoints_;
  else if (const auto other = known_.others.find(draw_.other()); other != known_.others.end())
    info.endpoints = other->second.endpoints;
  if (draw_.chance(10)) info.endpoints.push_back(draw_.text());
  const std::string identity = draw_.chance(60) ? "local" : draw_.text();
  out.text(identity);
  out.number(draw_.chance(70) ? lease_term : draw_.below(std::uint64_t{1} << draw_.below(64)));
  society::write(out, info);
  return " of '" + identity + "' at '" + info.node + "'";
}

std::string Requests::write_claim(Writer& out) {
  std::string name = draw_.name();
  if (temper_.disguises && draw_.chance(10)) name = known_.own_prefix + "\x1b[8m\xc2\x9b";
  const LeaseId lease = draw_.chance(70) ? known_.lease : draw_.lease();
  const Incarnation earlier = draw_.chance(50) ? Incarnation() : draw_.life_of(name);
  out.text(name);
  out.number(lease);
  society::write(out, some_properties(draw_));
  MailboxOptions mailbox;
  if (draw_.chance(30)) mailbox.messages(1);
  if (draw_.chance(20)) mailbox.redirect_to(Name(draw_.name()));
  society::write(out, mailbox);
  society::write(out, earlier);
  return " '" + name + "' for " + std::to_string(lease) + " earlier " +
         std::to_string(society::number_of_life(earlier));
}

// Refusals that never happened, of nodes that may not exist.
std::string Requests::write_report(Writer& out) {
  society::RefusalReport report;
  report.count = draw_.count();
  for (std::uint64_t left = draw_.below(4); left != 0; --left) {
    society::Refusal refusal;
    refusal.node = draw_.text();
    refusal.right = draw_.chance(90) ? "send" : draw_.text();
    refusal.from = Name(draw_.name());
    refusal.to = Name(draw_.name());
    refusal.count = draw_.count();
    report.refusals.push_back(std::move(refusal));
  }
  society::write(out, report);
  return " of " + std::to_string(report.count) + " refusals";
}

std::string Requests::write_prefix(Writer& out) {
  const std::string prefix = draw_.chance(50) ? std::string() : draw_.name();
  out.text(prefix);
  return " '" + prefix + "'";
}

std::string Requests::write(Writer& out, Request request) {
  switch (request) {
    case Request::attach: {
      std::uint64_t seen = draw_.number_near(known_.generation);
      if (temper_.is_left_out(Known::generation)) seen = known_.generation;
      out.number(seen);
      return " seen " + std::to_string(seen);
    }
    case Request::open_lease:
      return write_open_lease(out);
    case Request::renew:
    case Request::close_lease: {
      const LeaseId lease = draw_.lease();
      out.number(lease);
      if (request == Request::close_lease) out.number(draw_.below(5));
      return " " + std::to_string(lease);
    }
    case Request::claim:
    case Request::take_over:
      return write_claim(out);
    case Request::leave:
    case Request::describe: {
      const std::string name = draw_.name();
      const Incarnation life = draw_.life_of(name);
      out.text(name);
      society::write(out, life);
      Ending ending;
      ending.name = Name(name);
      ending.incarnation = draw_.life_of(name);
      ending.text = draw_.text();
      if (request == Request::leave) society::write(out, ending);
      else society::write(out, some_properties(draw_));
      return " '" + name + "' in life " + std::to_string(society::number_of_life(life));
    }
    case Request::join:
    case Request::leave_group: {
      const std::string group = draw_.group(), member = draw_.name();
      out.text(group);
      out.text(member);
      return " '" + member + "' in '" + group + "'";
    }
    case Request::seen:
      out.number(draw_.number_near(known_.group_changes));
      return {};
    case Request::may_speak:
    case Request::may_overhear:
    case Request::may_look:
    case Request::may_operate: {
      const std::string name = draw_.name();
      const LeaseId lease = draw_.lease();
      out.number(lease);
      out.text(name);
      return " of " + std::to_string(lease) + " as '" + name + "'";
    }
    case Request::audit:
      out.number(draw_.number_near(0));
      return {};
    case Request::report_refusals:
      return write_report(out);
    case Request::follow_all:
      return write_prefix(out);
    case Request::all_followed:
    case Request::census:
    case Request::catch_up:
    case Request::moved:
      return {};
  }
  return {};
}

Bytes Requests::any(std::string& what) {
  Bytes frame;
  const auto request = static_cast<Request>(draw_.weighted(temper_.requests));
  Writer out = begin(request, frame);
  what = "request " + std::to_string(static_cast<unsigned>(request)) + write(out, request);
  if (request == Request::attach || request == Request::moved) known_.lose_lease();
  if (draw_.chance(temper_.ill_formed)) {
    frame.resize(1 + draw_.below(frame.size()));
    what += ", cut";
  }
  return frame;
}

Bytes Requests::attach() {
  Bytes frame;
  const bool is_ahead = temper_.is_ahead && draw_.chance(50);
  begin(Request::attach, frame)
      .number(is_ahead ? absurd_generation + draw_.below(1 << 16) : known_.generation);
  return frame;
}

Bytes Requests::follow_all() {
  Bytes frame;
  begin(Request::follow_all, frame).text({});
  return frame;
}

Bytes Requests::all_followed() {
  Bytes frame;
  begin(Request::all_followed, frame);
  return frame;
}

Bytes Requests::open_lease() {
  Bytes frame;
  Writer out = begin(Request::open_lease, frame);
  out.text("local");
  out.number(lease_term);
  society::write(out, {0, known_.node, endpoints_});
  return frame;
}

Bytes Requests::renew() {
  Bytes frame;
  begin(Request::renew, frame).number(known_.lease);
  return frame;
}

Bytes Requests::claim(const std::string& name) {
  Bytes frame;
  Writer out = begin(Request::claim, frame);
  out.text(name);
  out.number(known_.lease);
  society::write(out, Properties());
  society::write(out, MailboxOptions());
  society::write(out, Incarnation());
  return frame;
}

Bytes Requests::seen() {
  Bytes frame;
  begin(Request::seen, frame).number(known_.group_changes);
  return frame;
}

}  // namespace coracle::test::lying
