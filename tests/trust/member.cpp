#include "member.hpp"

#include "support/run_now.hpp"

#include <algorithm>

namespace coracle::trust {

using namespace detail;

namespace {

sim::Options quiet() {
  sim::Options options;
  options.trace_messages = false;
  return options;
}

void add_optional(Frame& out, const MessageFields& fields) {
  out.text(fields.addressed).number(0).number(0).number(0).number(0).number(0).number(0);
  out.number(fields.gap).number(fields.tap).number(fields.entry).number(fields.redirects);
  if (fields.redirects != 0) out.text(fields.redirected_by);
}

}  // namespace

Bytes message(const MessageFields& fields, FrameKind kind) {
  Frame out(kind);
  if (kind == hand_over_frame) out.number(fields.serial).number(1'000'000'000);
  out.name(fields.target);
  if (kind != hand_over_frame)
    out.number(fields.serial).number(first_life + number_of_life(fields.life));
  if (kind == store_message_frame) out.number(1'000'000'000);
  const bool has_name = !fields.source.empty();
  out.byte((has_name ? has_source : 0) | (fields.has_fields ? has_fields : 0) |
           (fields.tracked ? is_tracked : 0) | (fields.note != 0 ? has_note : 0) |
           (fields.source_life != Incarnation() ? has_asking_life : 0));
  if (has_name) out.name(fields.source);
  out.number(fields.flags).number(fields.sequence).number(fields.conversation).byte(text_content);
  if (fields.has_fields) add_optional(out, fields);
  if (fields.source_life != Incarnation()) out.number(number_of_life(fields.source_life));
  if (fields.note != 0) out.byte(fields.note);
  return out.bytes();
}

Bytes tap(std::uint64_t token, std::uint64_t id, std::string_view eavesdropper, Incarnation life,
          std::string_view source, std::string_view role) {
  Frame out(tap_frame);
  out.number(token).number(id).text(eavesdropper).number(number_of_life(life)).mailbox();
  out.text(source).text({}).text({}).text({}).text({}).text({});
  out.number(role.empty() ? 0 : 1);
  if (!role.empty()) out.text("coracle-role").text(role);
  return out.bytes();
}

Lab::Lab(NodeOptions options, std::shared_ptr<StoreBackend> backend)
    : Lab(std::move(options), std::move(backend), [](Lab&) {}) {}

Lab::Lab(NodeOptions options, std::shared_ptr<StoreBackend> backend,
         const std::function<void(Lab&)>& before)
    : world_(quiet()), transport_(std::make_shared<StandInTransport>()) {
  Realization parts = world_.realization();
  directory_ = parts.directory;
  parts.transport = transport_;
  parts.backend = std::move(backend);
  before(*this);
  node_ = std::make_unique<Node>(std::move(parts), std::move(options));
}

Lab::~Lab() { node_.reset(); }

LeaseId Lab::join() {
  return test::run_now(directory_->open_lease("member", Duration(1h))).value();
}

void Lab::end(LeaseId member, EndReason reason) {
  test::run_now(directory_->close_lease(member, reason)).value();
}

Incarnation Lab::claim(LeaseId member, std::string_view name) {
  return test::run_now(directory_->claim(Claim(Name(name), member))).value();
}

void Lab::leave(std::string_view name, Incarnation life) {
  (void)test::run_now(directory_->leave(Name(name), life, Ending())).value();
}

Incarnation Lab::life_of(std::string_view name) {
  return test::run_now(directory_->look_up(Name(name))).value().incarnation;
}

void Lab::start(std::string_view name, test::Doer::What what) {
  node_->adopt(AgentSpec(Name(name)), std::make_unique<test::Doer>(std::move(what)));
  run();
}

void Lab::send(LeaseId member, const Bytes& frame, const Content& content) {
  transport_->feed(member, frame, content);
  run();
}

std::size_t Lab::count(LeaseId to, FrameKind kind) const {
  const auto fits = [&](const auto& one) {
    return one.first == to && one.second.front() == std::byte{static_cast<std::uint8_t>(kind)};
  };
  return static_cast<std::size_t>(
      std::count_if(transport_->sent.begin(), transport_->sent.end(), fits));
}

Bytes Lab::last(LeaseId to, FrameKind kind) const {
  const auto& sent = transport_->sent;
  for (auto one = sent.rbegin(); one != sent.rend(); ++one) {
    if (one->first == to && one->second.front() == std::byte{static_cast<std::uint8_t>(kind)})
      return one->second;
  }
  return {};
}

}  // namespace coracle::trust
