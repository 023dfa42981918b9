#include "coracle/dispel/client.hpp"

#include "coracle/directory.hpp"
#include "service/roster.hpp"

#include <algorithm>
#include <optional>

namespace coracle::dispel {

namespace {

// The time for which a list of servers is used, and the time for which a server that failed is
// avoided.
constexpr Duration believed = std::chrono::seconds(1);
constexpr Duration avoided = std::chrono::seconds(5);
// The pause before a client searches again for a service that no server offered.
constexpr Duration before_next_search = std::chrono::milliseconds(100);

// The default time that one of several servers may take: it may be gone, and its mailbox may wait
// for a successor.
constexpr Duration patience_with_one = std::chrono::seconds(10);
// The number of servers that a client remembers having asked, and publishes for describe().
constexpr std::size_t most_kept_in_mind = 16;

// Returns whether another server may be sent the same request.
bool is_the_servers_fault(Errc errc) {
  return errc == Errc::peer_down || errc == Errc::agent_failed || errc == Errc::unanswered ||
         errc == Errc::undeliverable || errc == Errc::store_lost || errc == Errc::unreachable ||
         errc == Errc::absent_full;
}

}  // namespace

Client::Client() = default;
Client::~Client() = default;

void Client::on_answer(Ticket, const Result<Message>&) {}

Task<> Client::look_up(const std::string& service) {
  Query offered = where("service") == service;
  std::vector<Name> servers;
  for (const Entry& entry : co_await search(std::move(offered))) servers.push_back(entry.name);
  std::sort(servers.begin(), servers.end());
  rosters_[service]->refresh(servers, now());
}

Task<Result<Message>> Client::call_result(Whom whom, Content question, CallOptions options) {
  const bool by_service = !whom.offers().empty();
  const Time end = options.within > Duration::zero() ? now() + options.within : Time::max();
  // A default time limit is not worth the cost of sending it as a deadline.
  const bool shows_deadline = end != Time::max() || options.each > Duration::zero();
  if (by_service && options.each == Duration::zero()) options.each = patience_with_one;
  detail::Roster* roster = nullptr;
  if (by_service) {
    auto& place = rosters_[whom.offers()];
    if (!place) place = std::make_unique<detail::Roster>();
    roster = place.get();
  }
  std::optional<Error> last;
  for (std::uint32_t attempt = 0; attempt < std::max(options.attempts, 1U); ++attempt) {
    Name server = whom.server();
    if (by_service) {
      if (roster->is_stale(now(), believed)) co_await look_up(whom.offers());
      const std::optional<Name> chosen = roster->choose(now());
      if (!chosen) {
        roster->forget();
        if (now() + before_next_search < end) co_await pause(before_next_search);
        continue;
      }
      server = *chosen;
    }
    const auto known = std::find(asked_.begin(), asked_.end(), server);
    const bool is_known = known != asked_.end();
    const Address where =
        is_known ? addresses_[static_cast<std::size_t>(known - asked_.begin())] : find(server);
    if (!is_known && asked_.size() < most_kept_in_mind) {
      asked_.push_back(server);
      addresses_.push_back(where);
      const std::vector<Name> all = asked_;
      co_await play("client", all);
    }
    Time until = end;
    if (options.each > Duration::zero()) until = std::min(end, now() + options.each);
    Deadline deadline;
    if (until != Time::max()) deadline = Deadline(until);
    auto asking = ask_result(where, question, deadline);
    if (shows_deadline) asking.show_deadline();
    Result<Message> answer = co_await asking;
    if (answer) {
      if (by_service) roster->answered(server);
      co_return answer;
    }
    last = answer.error();
    const bool took_too_long = last->errc() == Errc::expired && now() < end;
    if (!is_the_servers_fault(last->errc()) && !took_too_long) {
      if (by_service) roster->answered(server);
      co_return answer;
    }
    if (by_service) roster->failed(server, now(), avoided);
  }
  if (last) co_return *last;
  co_return Error(Errc::no_such_agent,
                  "nobody offers the service '" + whom.offers() + "'; start a server that does");
}

Client::Ticket Client::trigger_content(Whom whom, Content question, CallOptions options) {
  ++open_;
  const Ticket ticket = ++last_;
  spawn(ask_for(ticket, std::move(whom), std::move(question), options));
  return ticket;
}

Task<> Client::ask_for(Ticket ticket, Whom whom, Content question, CallOptions options) {
  const Result<Message> answer =
      co_await call_result(std::move(whom), std::move(question), options);
  --open_;
  on_answer(ticket, answer);
}

}  // namespace coracle::dispel
