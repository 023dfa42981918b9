// Names and groups, as a directory service gives them to nodes.
#include "directory_service.hpp"

#include "directory_service_client.hpp"

#include <utility>

namespace coracle::society {

namespace {

constexpr std::size_t most_waiting_claims = std::size_t{16} << 20;  // bytes for one node

Error too_many_unanswered() {
  return Error(Errc::limit_reached,
               "a node waits for at most " + std::to_string(most_unanswered) +
                   " answers to requests of its agents to join or leave groups; try again when one "
                   "has come");
}

}  // namespace

Answer DirectoryService::claim(Client& client, FrameReader& in, bool take_over) {
  Claim claim = detail::read_claim(in);
  const Name name = claim.name;
  if (!in.ok()) return {};
  if (auto no = objection(client, claim.lease)) return refusal(*std::move(no));
  const LeaseId lease = claim.lease;
  if (authority_ != nullptr) {
    if (auto no = authority_->against_claim(lease, name)) return refusal(*std::move(no));
  }
  if (take_over) {
    if (auto no = against_takeover(client, lease, name)) return refusal(*std::move(no));
  }
  if (auto no = client.objection_to(claim.properties)) return refusal(*std::move(no));
  const bool is_again = claim.earlier != Incarnation();
  const auto life = take_over  ? book_.take_over(std::move(claim))
                    : is_again ? returned_names_.claim(book_, std::move(claim), log_)
                               : book_.claim(std::move(claim));
  if (is_again) succession_.note_returned(clock_.now());
  if (life && authority_ != nullptr) authority_->claimed(lease, name);
  return answer_of(life);
}

// An identity without a certificate proves nothing, so the holder's node must have allowed
// takeovers. The book refuses a takeover by another identity.
std::optional<Error> DirectoryService::against_takeover(const Client& client, LeaseId by,
                                                        const Name& name) const {
  const auto entry = book_.look_up(name);
  const detail::Lease* const mine = book_.lease(by);
  if (!entry || mine == nullptr || client.leases.contains(entry->lease)) return std::nullopt;
  if (!client.certified.empty() || entry->identity != mine->identity) return std::nullopt;
  const auto holder = opened_.find(entry->lease);
  if (holder != opened_.end() && holder->second.lets_take_over) return std::nullopt;
  return Error(Errc::not_permitted,
               "'" + name.str() +
                   "' is held by another process, and no certificate proves that both are of one "
                   "owner; wait until that process ends, or start it with takeover=yes in the text "
                   "of open()");
}

// The name may belong to a holder that has not come back yet.
bool DirectoryService::must_wait(const Client& client, Request request, FrameReader in) const {
  if (request != Request::claim && request != Request::take_over) return false;
  if (!succession_.may_return()) return false;
  const Claim claim = detail::read_claim(in);
  return claim.earlier == Incarnation() && in.ok() && !book_.look_up(claim.name) &&
         !objection(client, claim.lease);
}

void DirectoryService::let_wait(Client& client, Request request, std::uint64_t number,
                                FrameReader& in) {
  const ByteSpan arguments = in.rest();
  const std::size_t size = sizeof(WaitingClaim) + arguments.size();
  in.skip(arguments.size());
  if (client.waiting_claims + size > most_waiting_claims) {
    const Error no(Errc::limit_reached,
                   "the directory has started again and lets new names wait until the earlier "
                   "holders have returned, and too many names of this node wait; try again in some "
                   "seconds");
    client.channel.send(frame_of_answer(number, refusal(no)));
    return;
  }
  client.waiting_claims += size;
  waiting_claims_.push_back({&client, request, number, {arguments.begin(), arguments.end()}});
}

void DirectoryService::answer_waiting_claims() {
  succession_.end();
  for (const WaitingClaim& each : std::exchange(waiting_claims_, {})) {
    FrameReader in(each.arguments);
    answer_request(*each.client, each.request, each.number, in);
    each.client->waiting_claims = 0;
  }
}

Answer DirectoryService::belong(Client& client, FrameReader& in, bool joins) {
  const Name group = read_name(in), member = read_name(in);
  if (!in.ok()) return {};
  if (client.groups.unanswered() >= most_unanswered) return refusal(too_many_unanswered());
  const auto entry = book_.look_up(member);
  if (entry) {
    if (auto no = objection(client, entry->lease)) return refusal(*std::move(no));
  }
  if (entry && joins && authority_ != nullptr) {
    if (auto no = authority_->against_join(entry->lease, member, group))
      return refusal(*std::move(no));
  }
  if (joins) return answer_of(book_.join(group, member, false));
  book_.leave_group(group, member);
  return {};
}

}  // namespace coracle::society
