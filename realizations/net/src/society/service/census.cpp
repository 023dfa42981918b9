#include "census.hpp"

#include "directory_service.hpp"
#include "directory_service_client.hpp"
#include "realizations/net/src/society/policy/authority.hpp"

namespace coracle::society {

namespace {

constexpr std::uint64_t most_counts = 1024, most_leases = 1 << 20;

std::uint64_t milliseconds(Duration duration) {
  const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

}  // namespace

void write(FrameWriter& out, const Census& census) {
  out.number(census.counts.size());
  for (const auto& [what, count] : census.counts) {
    out.text(what);
    out.number(count);
  }
  out.number(census.leases.size());
  for (const Census::Lease& lease : census.leases) {
    out.number(lease.lease);
    out.text(lease.node);
    out.text(lease.certified);
    for (const std::uint64_t number : {lease.age, lease.names, lease.waiting}) out.number(number);
  }
}

Census read_census(FrameReader& in) {
  Census census;
  for (std::uint64_t left = in.number_up_to(most_counts); left > 0 && in.ok(); --left) {
    std::string what(in.text());
    census.counts.emplace_back(std::move(what), in.number());
  }
  for (std::uint64_t left = in.number_up_to(most_leases); left > 0 && in.ok(); --left) {
    Census::Lease lease;
    lease.lease = in.number();
    lease.node = in.text();
    lease.certified = in.text();
    lease.age = in.number();
    lease.names = in.number();
    lease.waiting = in.number();
    census.leases.push_back(std::move(lease));
  }
  return census;
}

void DirectoryService::send_census(FrameChannel& asker, std::uint64_t number) {
  Census census;
  census.counts = {{"nodes", nodes_.size()},
                   {"agents", book_.count_names()},
                   {"groups", book_.count_groups()},
                   {"memberships", book_.count_memberships()}};
  for (const auto& [lease, info] : nodes_) {
    const auto opened = opened_.find(lease);
    const Duration age = opened != opened_.end() ? clock_.now() - opened->second.when : Duration(0);
    const std::string certified = opened != opened_.end() ? opened->second.certified : "";
    const detail::Lease* const held = book_.lease(lease);
    const std::uint64_t names = held != nullptr ? held->names : 0;
    census.leases.push_back({lease, info.node, certified, milliseconds(age), names, 0});
  }
  if (besides_ != nullptr) besides_->count(census);
  if (lets_nodes_refuse()) census.counts.emplace_back("refused_frames", refused_);
  if (count_more_) count_more_(census);
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Announcement::census));
  out.number(number);
  write(out, census);
  asker.send(frame);
}

// A member may report anything, so each report bears the name of the node that has made it.
void DirectoryService::note_refusals(const Client& client, FrameReader& in) {
  RefusalReport report = read_refusal_report(in);
  if (!in.ok() || !lets_nodes_refuse()) return;
  refused_ += report.count;
  for (Refusal& each : report.refusals) {
    each.by = client.node;
    each.by_certified = client.certified;
    authority_->note_reported(std::move(each));
  }
}

void DirectoryService::send_refusals(Client& asker, std::uint64_t number, std::uint64_t after) {
  std::optional<std::vector<Refusal>> refusals;
  if (authority_ != nullptr)
    refusals = authority_->audit({asker.node, asker.certified, asker.is_inside}, after);
  if (refusals) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(static_cast<std::uint8_t>(Announcement::audit));
    out.number(number);
    write(out, *refusals);
    return (void)asker.channel.send(frame);
  }
  Answer answer;
  if (authority_ == nullptr)
    answer.error.emplace(Errc::unsupported,
                         "without a policy nothing is refused; start the service with one");
  else
    answer.error.emplace(Errc::not_permitted,
                         "the policy does not let this node see the refusals; add a rule such as: "
                         "allow " +
                             (asker.certified.empty() ? std::string("*") : asker.certified) +
                             " audit **");
  asker.channel.send(frame_of_answer(number, answer));
}

}  // namespace coracle::society
