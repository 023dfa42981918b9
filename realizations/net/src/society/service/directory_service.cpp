#include "directory_service.hpp"

#include "coracle/support/error_texts.hpp"
#include "coracle/support/mutations.hpp"
#include "directory_service_client.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

constexpr std::size_t leases_of_node = 64;
constexpr Duration tidy_pause = std::chrono::seconds(5);
constexpr auto longest_term = static_cast<std::uint64_t>(Duration(std::chrono::hours(1)).count());
// A directory gives out leases of a generation that is the time at which it began, or of a later
// one that a node has seen. A node may send any number: a generation further ahead than the clock
// of another directory can be is refused, because after the last generation there would be no next
// one.
constexpr std::uint32_t no_clock = 1'764'000'000;  // a host whose time is before that has no clock
constexpr std::uint32_t clocks_differ = 1u << 28;  // eight years

std::string too_late(std::uint64_t seen) {
  return "it reports leases of the generation " + std::to_string(seen) +
         ", which no directory with a correct clock gives out; set the clocks of the hosts with "
         "directories, and start the node again";
}

// An identity that a certificate proves begins with this and the certified name, which has no
// space. The identity that the node claims is appended only to distinguish identities of one
// certificate.
constexpr std::string_view proven = "certificate:";

std::string identity_by(const std::string& certified, const std::string& claimed) {
  if (certified.empty()) return claimed;
  return std::string(proven) + certified + (claimed.empty() ? "" : " ") + claimed;
}

Error too_many_opened() {
  return Error(Errc::limit_reached,
               "this node has opened 64 leases, and now more than one in each second; keep those "
               "that it has");
}

Error nothing_proves_it() {
  return Error(Errc::bad_options,
               "an identity that begins with 'certificate:' must be proved by a certificate, and "
               "this node has shown none; give it one (tls=FOLDER), or choose another "
               "NodeOptions::identity");
}

}  // namespace

DirectoryService::DirectoryService(FlushQueue& flush_queue, net::Alarms& alarms, const Clock& clock,
                                   Start start, DirectoryLimits limits, Log log, Besides* besides,
                                   Authority* authority)
    : flush_queue_(flush_queue),
      clock_(clock),
      log_(std::move(log)),
      faults_(alarms, clock, log_),
      besides_(besides),
      authority_(authority),
      latest_generation_(std::max(start.epoch, no_clock) + clocks_differ),
      book_(start.epoch, limits, watches_, start.salt),
      expiry_(alarms.make([this] {
        book_.sweep(clock_.now());
        settle();
      })),
      tidy_(alarms.make([this] { remove_gone(); })),
      confirmations_(alarms, clock, log_),
      succession_(start.epoch, clock.now()),
      missing_(alarms.make([this] { look_for_missing(); })) {
  book_.remember_holders();
  watches_.add(Name(), *this);
  missing_->set(succession_.look_at());
}

DirectoryService::~DirectoryService() = default;

void DirectoryService::tidy(net::Links& links) { links_ = &links; }

void DirectoryService::tidy_soon() {
  if (!std::exchange(is_untidy_, true)) tidy_->set(clock_.now() + tidy_pause);
}

void DirectoryService::remove_gone() {
  is_untidy_ = false;
  if (links_ == nullptr) return;
  bool is_left = false;
  std::erase_if(clients_, [this, &is_left](const auto& entry) {
    Client& client = *entry.second;
    net::Link* const link = client.channel.link();
    if (!client.is_gone || link == nullptr || link->session().is_attached()) return false;
    if (client.has_opened_lately()) {
      is_left = true;
      return false;
    }
    client.channel.bind(nullptr);
    links_->remove(*link);
    return true;
  });
  if (is_left) tidy_soon();
}

net::SessionEvents* DirectoryService::on_peer(const net::Greeting& peer) {
  auto& client = clients_[peer.node];
  if (!client) client = std::make_unique<Client>(*this, peer.node);
  client->certified = peer.certified;
  client->is_inside = peer.is_inside;
  return client.get();
}

void DirectoryService::on_link(net::Link& link) { clients_.at(link.node())->channel.bind(&link); }

void DirectoryService::on_fault(const std::string& peer, const net::Closing& why,
                                const net::Link*) {
  faults_.note(peer, why);
}

void DirectoryService::obey(Client& client, FrameReader& in) {
  const auto request = static_cast<Request>(in.byte());
  const std::uint64_t number = in.number();
  if (request == Request::attach) {
    const std::uint64_t seen = in.number();
    if (!in.ok()) return;
    if (client.is_attached)
      return client.close("it is attached already, and has not moved to another directory");
    if (client.channel.waiting_bytes() > most_waiting) return client.close(takes_nothing);
    if (seen > latest_generation_ && !mutated(Mutation::any_generation))
      return client.close(too_late(seen));
    succession_.note_seen(seen);
    book_.go_beyond(static_cast<std::uint32_t>(seen));
    lose(client);  // the node had left, and comes back
    succession_.note_returned(clock_.now());
    return begin(client);
  }
  if (request == Request::all_followed) return announce_end(client);
  book_.sweep(clock_.now());
  if (request == Request::seen) {
    if (!confirmations_.confirm(client.groups, in.number())) in.fail();
    return;
  }
  if (request == Request::census) return send_census(client.channel, number);
  if (request == Request::audit) return send_refusals(client, number, in.number());
  if (request == Request::report_refusals) return note_refusals(client, in);
  if (request == Request::moved) {
    client.is_attached = false;
    interests_.forget(client);
    return confirmations_.end(client.node, client.groups);
  }
  if (must_wait(client, request, in)) return let_wait(client, request, number, in);
  answer_request(client, request, number, in);
}

void DirectoryService::answer_request(Client& client, Request request, std::uint64_t number,
                                      FrameReader& in) {
  const std::uint64_t changes = confirmations_.changes();
  const Answer answer = this->answer(client, request, in);
  settle();
  if (!in.ok()) return;
  Bytes frame = frame_of_answer(number, answer);
  // A request that changed nothing may repeat an earlier one, of which not all nodes know yet.
  const bool is_of_group = request == Request::join || request == Request::leave_group;
  const bool may_wait = changes != confirmations_.changes() || client.groups.unanswered() != 0;
  if (is_of_group && may_wait && !answer.error)
    return confirmations_.answer_when_seen(client.groups, std::move(frame));
  if (number != 0) client.channel.send(frame);
}

// A session's own node may act for its own leases only.
std::optional<Error> DirectoryService::objection(const Client& client, LeaseId lease) const {
  if (client.leases.contains(lease)) return std::nullopt;
  if (book_.lease(lease) == nullptr) return detail::lease_ended(lease);
  if (mutated(Mutation::any_lease)) return std::nullopt;
  return Error(Errc::not_permitted, "lease " + std::to_string(lease) +
                                        " is another node's; a node may act for its own only");
}

// The names of this lease may be registered again, and then must be announced again.
void DirectoryService::note_given_up(Client& client, LeaseId lease) const {
  if (const detail::Lease* const ended = book_.lease(lease))
    client.note_announced_anew(ended->bytes);
}

// Returns the incarnation of a name that a client refers to; for another node's name it returns one
// that does not exist, so that the book refuses it.
Incarnation DirectoryService::own_life(const Client& client, const Name& name, FrameReader& in) {
  const Incarnation life = read_life(in);
  const auto entry = book_.look_up(name);
  return entry && objection(client, entry->lease) ? Incarnation() : life;
}

Answer DirectoryService::answer(Client& client, Request request, FrameReader& in) {
  switch (request) {
    case Request::open_lease:
      return open_lease(client, in);
    case Request::renew: {
      const LeaseId lease = in.number();
      if (auto no = objection(client, lease)) return refusal(*std::move(no));
      return answer_of(book_.renew(lease, clock_.now()));
    }
    case Request::close_lease: {
      const LeaseId lease = in.number();
      const std::uint64_t reason = in.number_up_to(static_cast<std::uint64_t>(EndReason::fenced));
      if (auto no = objection(client, lease)) return refusal(*std::move(no));
      client.leases.erase(lease);
      note_given_up(client, lease);
      return answer_of(book_.close_lease(lease, static_cast<EndReason>(reason)));
    }
    case Request::claim:
    case Request::take_over:
      return claim(client, in, request == Request::take_over);
    case Request::leave: {
      const Name name = read_name(in);
      const Incarnation life = own_life(client, name, in);
      Ending ending = read_ending(in);
      if (const auto entry = book_.look_up(name); entry && entry->incarnation == life)
        client.note_announced_anew(detail::bytes_of(entry->properties));
      return answer_of(book_.leave(name, life, std::move(ending)));
    }
    case Request::describe: {
      const Name name = read_name(in);
      const Incarnation life = own_life(client, name, in);
      Properties properties = read_properties(in);
      if (!in.ok()) return {};
      if (auto no = client.objection_to(properties)) return refusal(*std::move(no));
      const std::size_t bytes = detail::bytes_of(properties);
      const auto described = book_.describe(name, life, std::move(properties));
      if (described) client.note_announced_anew(bytes);
      return answer_of(described);
    }
    case Request::catch_up:
      return {};
    case Request::may_speak: {
      const LeaseId lease = in.number();
      Answer answer;
      answer.value = book_.may_speak_as(lease, read_name(in)) ? 1 : 0;
      return answer;
    }
    case Request::join:
    case Request::leave_group:
      return belong(client, in, request == Request::join);
    case Request::may_overhear:
    case Request::may_look:
      return may(client, request, in);
    case Request::may_operate:
      return may_operate(client, in);
    case Request::follow_all:
      return follow_all(client, in);
    case Request::attach:
    case Request::all_followed:
    case Request::seen:
    case Request::census:
    case Request::audit:
    case Request::report_refusals:
    case Request::moved:
      break;
  }
  in.fail();
  return {};
}

Answer DirectoryService::may(Client& client, Request what, FrameReader& in) {
  const LeaseId lease = in.number();
  const Name name = read_name(in);
  if (!in.ok()) return {};
  if (auto no = objection(client, lease)) return refusal(*std::move(no));
  if (authority_ == nullptr) return {};
  const bool may = what == Request::may_overhear ? authority_->lets_listen(lease, name)
                                                 : authority_->lets_inspect(lease, name);
  if (may) return {};
  return refusal(
      Error(Errc::not_permitted,
            "the society's policy does not let '" + name.str() +
                "' overhear, or its waiting messages be seen; ask its operator for a grant"));
}

// The agent's node asks, before it performs the act of a node with another lease.
Answer DirectoryService::may_operate(const Client& client, FrameReader& in) {
  const LeaseId lease = in.number();
  const Name name = read_name(in);
  if (!in.ok()) return {};
  if (authority_ != nullptr &&
      authority_->lets_operate(lease, name, {client.node, client.certified, client.is_inside}))
    return {};
  return refusal(Error(Errc::not_permitted, "no policy gives the node the right to operate '" +
                                                name.str() + "'; ask the society's operator"));
}

Answer DirectoryService::open_lease(Client& client, FrameReader& in) {
  std::string identity(in.text());
  const Duration term(static_cast<Duration::rep>(std::min(in.number(), longest_term)));
  NodeInfo info = read_node_info(in);
  const bool lets_take_over = !in.at_end() && in.byte() != 0;
  if (!in.ok()) return {};
  if (client.certified.empty() && identity.starts_with(proven)) return refusal(nothing_proves_it());
  lose_leases(client, identity);  // a node has one lease
  if (client.leases.size() >= leases_of_node)
    return refusal(
        Error(Errc::limit_reached, "a node has at most " + std::to_string(leases_of_node) +
                                       " leases, each for another identity; close one first"));
  if (!client.may_open()) return refusal(too_many_opened());
  const auto lease = book_.open_lease(identity_by(client.certified, identity), term, clock_.now());
  if (!lease) return refusal(lease.error());
  succession_.note_given(*lease);
  info.lease = *lease;
  info.node = client.node;
  info.certified = client.certified;
  info.is_message_store = client.is_inside || (may_keep_ && may_keep_(client.node, identity));
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Announcement::lease_opened));
  write(out, info);
  nodes_[*lease] = std::move(info);
  opened_[*lease] = {clock_.now(), client.certified, std::move(identity), lets_take_over};
  client.leases.insert(*lease);
  client.note_opened();
  if (authority_ != nullptr)
    authority_->opened(*lease, {client.node, client.certified, client.is_inside});
  if (besides_ != nullptr) besides_->on_lease(*lease, client.channel);
  announce(frame);
  Answer answer;
  answer.value = *lease;
  return answer;
}

void DirectoryService::settle() {
  std::unique_lock lock(mutex_);
  watches_.tell(lock);
  lock.unlock();
  for (const LeaseId lease : book_.take_ended_leases()) {
    nodes_.erase(lease);
    opened_.erase(lease);
    if (besides_ != nullptr) besides_->on_lease_ended(lease);
    if (authority_ != nullptr) authority_->ended(lease);
  }
  expiry_->set(book_.next_expiry());
}

void DirectoryService::on_change(const DirectoryEvent& event) noexcept {
  using Kind = DirectoryEvent::Kind;
  if (mutated(Mutation::lease_end_not_told) && event.kind == Kind::lease_ended) return;
  std::optional<Entry> entry;
  if (event.kind == Kind::ended) returned_names_.note_ended(event.name, event.incarnation);
  if (event.kind == Kind::arrived || event.kind == Kind::changed) {
    entry = book_.look_up(event.name);
    if (!entry) return;  // the name has ended since; that event is next
  }
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Announcement::event));
  write(out, event, entry ? &*entry : nullptr);
  if (event.kind == Kind::lease_ended) return announce(frame);
  const bool is_of_group = event.kind == Kind::joined || event.kind == Kind::left;
  if (is_of_group) confirmations_.note_change();
  for (Interests::Node* const node : interests_.of(event)) {
    auto& client = static_cast<Client&>(*node);
    client.channel.send(frame);
    if (is_of_group) confirmations_.note_announced(client.groups);
    client.look_whether_it_takes();
  }
}

void DirectoryService::lose_leases(Client& client, const std::string& identity) {
  std::vector<LeaseId> lost;
  for (const LeaseId lease : client.leases) {
    const auto opened = opened_.find(lease);
    if (opened != opened_.end() && opened->second.identity == identity) lost.push_back(lease);
  }
  for (const LeaseId lease : lost) {
    client.leases.erase(lease);
    note_given_up(client, lease);
    (void)book_.close_lease(lease, EndReason::unreachable);
  }
  if (!lost.empty()) settle();
}

void DirectoryService::lose(Client& client) {
  GroupConfirmations::forget_requests(client.groups);
  std::erase_if(waiting_claims_,
                [&client](const WaitingClaim& each) { return each.client == &client; });
  client.waiting_claims = 0;
  interests_.forget(client);
  if (!client.is_attached) confirmations_.end(client.node, client.groups);
  for (const LeaseId lease : std::exchange(client.leases, {}))
    (void)book_.close_lease(lease, EndReason::unreachable);
  settle();
}

}  // namespace coracle::society
