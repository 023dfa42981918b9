#include "coracle/acl/protocols/protocol.hpp"

#include "ascii.hpp"

#include <algorithm>
#include <array>

namespace coracle::acl {

namespace {

using enum State;
using enum Side;
using Act = Performative;

constexpr std::array request_opening = {Act::request};
constexpr std::array query_openings = {Act::query_if, Act::query_ref};
constexpr std::array request_when_opening = {Act::request_when};
constexpr std::array propose_opening = {Act::propose};
constexpr std::array subscribe_opening = {Act::subscribe};
constexpr std::array cfp_opening = {Act::cfp};
constexpr std::array inform_opening = {Act::inform};
constexpr std::array proxy_opening = {Act::proxy};

// A result may come without an agree before it.
constexpr std::array request_moves = {
    Move{asked, participant, Act::agree, agreed},
    Move{asked, participant, Act::refuse, over},
    Move{asked, participant, Act::inform, over},
    Move{agreed, participant, Act::inform, over},
};

constexpr std::array propose_moves = {
    Move{asked, participant, Act::accept_proposal, over},
    Move{asked, participant, Act::reject_proposal, over},
};

constexpr std::array subscribe_moves = {
    Move{asked, participant, Act::agree, subscribed},
    Move{asked, participant, Act::refuse, over},
    Move{asked, participant, Act::inform, subscribed},
    Move{subscribed, participant, Act::inform, subscribed},
};

constexpr std::array iterated_moves = {
    Move{asked, participant, Act::propose, proposed},
    Move{asked, participant, Act::refuse, over},
    Move{proposed, initiator, Act::accept_proposal, agreed},
    Move{proposed, initiator, Act::reject_proposal, over},
    Move{agreed, participant, Act::inform, over},
    Move{proposed, initiator, Act::cfp, asked},
};
constexpr auto contract_net_moves = std::span(iterated_moves).first<5>();

// A call or the end can overtake a bid, so it can find each side in each state.
constexpr std::array auction_moves = {
    Move{joined, initiator, Act::cfp, asked},
    Move{asked, participant, Act::propose, proposed},
    Move{proposed, initiator, Act::accept_proposal, joined},
    Move{proposed, initiator, Act::reject_proposal, joined},
    Move{asked, initiator, Act::cfp, asked},
    Move{proposed, initiator, Act::cfp, asked},
    Move{joined, initiator, Act::inform, over},
    Move{asked, initiator, Act::inform, over},
    Move{proposed, initiator, Act::inform, over},
};

// The broker's own last message is an inform.
constexpr std::array proxy_moves = {
    Move{asked, participant, Act::agree, relaying},
    Move{asked, participant, Act::refuse, over},
    Move{relaying, participant, Act::inform, over},
};
// The answers come from others, so a recruiter that is ready ends nothing.
constexpr std::array recruiting_moves = {
    Move{asked, participant, Act::agree, relaying},
    Move{asked, participant, Act::refuse, over},
    Move{relaying, participant, Act::inform, relaying},
};

}  // namespace

constinit const Protocol request_protocol{"fipa-request", request_opening, asked, request_moves};
constinit const Protocol query_protocol{"fipa-query", query_openings, asked, request_moves};
constinit const Protocol request_when_protocol{"fipa-request-when", request_when_opening, asked,
                                               request_moves};
constinit const Protocol propose_protocol{"fipa-propose", propose_opening, asked, propose_moves};
constinit const Protocol subscribe_protocol{"fipa-subscribe", subscribe_opening, asked,
                                            subscribe_moves};
constinit const Protocol contract_net_protocol{"fipa-contract-net", cfp_opening, asked,
                                               contract_net_moves};
constinit const Protocol iterated_contract_net_protocol{"fipa-iterated-contract-net", cfp_opening,
                                                        asked, iterated_moves};
constinit const Protocol english_auction_protocol{"fipa-auction-english", inform_opening, joined,
                                                  auction_moves, joined};
constinit const Protocol dutch_auction_protocol{"fipa-auction-dutch", inform_opening, joined,
                                                auction_moves, joined};
constinit const Protocol brokering_protocol{"fipa-brokering", proxy_opening, asked, proxy_moves};
constinit const Protocol recruiting_protocol{"fipa-recruiting", proxy_opening, asked,
                                             recruiting_moves,  over,          true};

bool Protocol::is_opened_by(Performative act) const noexcept {
  return std::ranges::find(openings, act) != openings.end();
}

const Move* Protocol::find(State from, Side by, Performative act) const noexcept {
  static constexpr std::array common = {Move{over, initiator, Act::not_understood, over},
                                        Move{over, participant, Act::not_understood, over},
                                        Move{over, participant, Act::failure, over}};
  if (from == over) return nullptr;
  for (const Move& each : common) {
    if (each.by == by && each.act == act) return &each;
  }
  const auto found = std::ranges::find_if(moves, [&](const Move& each) {
    return each.from == from && each.by == by && each.act == act;
  });
  return found == moves.end() ? nullptr : &*found;
}

bool Protocol::is_turn_of(Side side, State state) const noexcept {
  return std::ranges::any_of(
      moves, [&](const Move& each) { return each.from == state && each.by == side; });
}

std::span<const Protocol* const> all_protocols() noexcept {
  static constexpr std::array all = {&request_protocol,
                                     &query_protocol,
                                     &request_when_protocol,
                                     &propose_protocol,
                                     &subscribe_protocol,
                                     &contract_net_protocol,
                                     &iterated_contract_net_protocol,
                                     &english_auction_protocol,
                                     &dutch_auction_protocol,
                                     &brokering_protocol,
                                     &recruiting_protocol};
  return all;
}

const Protocol* protocol_named(std::string_view name) noexcept {
  for (const Protocol* each : all_protocols()) {
    if (same_text(each->name, name)) return each;
  }
  return nullptr;
}

}  // namespace coracle::acl
