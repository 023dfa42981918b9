// Contracts: bidders, and clients that announce them.
#include "results.hpp"
#include "role.hpp"
#include "society.hpp"

namespace coracle::py {

namespace {

double seconds(coracle_span span) { return double(span) / 1e9; }

nb::object contract_of(const coracle_contract& contract) {
  const coracle_penalty &client = contract.client_penalty, &bidder = contract.bidder_penalty;
  return caf("Contract", str_of(contract.subject), str_of(contract.kind), texts_of(contract.items),
             contract.units, seconds(contract.bid_within), seconds(contract.bid_holds),
             seconds(contract.lease), caf("Penalty", client.fixed, client.per_second),
             caf("Penalty", bidder.fixed, bidder.per_second), contract.id, contract.round);
}

nb::object engagement_of(const coracle_engagement& work) {
  return caf("Engagement", str_of(work.client), contract_of(*work.contract), work.award, work.items,
             work.price);
}

void give_bid(coracle_question* question, const Role&, nb::handle value) {
  if (value.is_none()) return check(coracle_answer_bid(question, nullptr));
  Record given(value);
  std::vector<coracle_offering> offerings;
  for (const nb::handle each : given.items("offerings")) {
    Record offering(each);
    offerings.push_back({offering.number<std::uint64_t>("items"), offering.number("amount")});
  }
  coracle_bid bid{};
  bid.size = sizeof bid;
  bid.offerings = offerings.data();
  bid.offering_count = offerings.size();
  bid.text = given.text("text");
  check(coracle_answer_bid(question, &bid));
}

void give_fulfilment(coracle_question* question, const Role&, nb::handle value) {
  Record given(value);
  check(coracle_answer_fulfilment(question, given.truth("done"), given.text("text")));
}

void on_announcement(coracle_agent* self, coracle_question* question, const char* client,
                     const coracle_contract* contract, void* context) {
  Called called(context, self);
  called.ask(question, &give_bid, "_bid_for",
             [&] { return nb::make_tuple(str_of(client), contract_of(*contract)); });
}

void on_award(coracle_agent* self, coracle_question* question, const coracle_engagement* work,
              void* context) {
  Called called(context, self);
  called.ask(question, &give_fulfilment, "_fulfil",
             [&] { return nb::make_tuple(engagement_of(*work)); });
}

void on_rejection(coracle_agent* self, const char* client, std::uint64_t contract,
                  const char* reason, void* context) {
  Called called(context, self);
  called.tell("on_rejection",
              [&] { return nb::make_tuple(str_of(client), contract, str_of(reason)); });
}

void on_lost(coracle_agent* self, const coracle_engagement* work, const char* reason,
             std::int64_t penalty, void* context) {
  Called called(context, self);
  called.tell("_on_lost",
              [&] { return nb::make_tuple(engagement_of(*work), str_of(reason), penalty); });
}

void on_settled(coracle_agent* self, const char* client, std::uint64_t contract, std::int64_t price,
                std::int64_t penalty, void* context) {
  Called called(context, self);
  called.tell("on_settled",
              [&] { return nb::make_tuple(str_of(client), contract, price, penalty); });
}

void start_bidder(Node& node, nb::handle self) {
  Record record(self);
  Role& role = Role::of(self);
  coracle_bidder bidder{};
  bidder.capacity = record.number<std::uint64_t>("capacity");
  bidder.promises_at_bid = record.truth("promises_at_bid");
  bidder.clients = record.texts("clients");
  if (role.has("bid_for")) bidder.bid = &on_announcement;
  if (role.has("fulfil")) bidder.fulfil = &on_award;
  bidder.rejected = &on_rejection;
  bidder.lost = &on_lost;
  bidder.settled = &on_settled;
  start_with(node, self, bidder, &coracle_bidder_start);
}

// Is answered at once, on whatever thread.
bool on_registration(coracle_agent* self, const char* bidder, void* context) {
  Called called(context, self);
  if (called.role() == nullptr) return false;
  bool admits = false;
  Called::guarded([&] {
    try {
      const nb::object answer = called.role()->self.attr("admits")(str_of(bidder));
      admits = PyObject_IsTrue(answer.ptr()) == 1;
    } catch (nb::python_error& error) {
      called.role()->self.attr("_on_error")(nb::none(), error.value());
    }
  });
  return admits;
}

void start_contract_client(Node& node, nb::handle self) {
  Role& role = Role::of(self);
  coracle_contract_client client{};
  if (role.has("admits")) client.admits = &on_registration;
  start_with(node, self, client, &coracle_contract_client_start);
}

coracle_penalty penalty_of(Record& contract, const char* field) {
  Record penalty(contract.field(field));
  return {penalty.number("fixed"), penalty.number("per_second")};
}

nb::object announce(nb::handle self, nb::handle what, nb::handle how) {
  Record given(what), wanted(how);
  coracle_contract contract{};
  contract.size = sizeof contract;
  contract.id = given.number<std::uint64_t>("id");
  contract.round = given.number<std::uint32_t>("round");
  contract.kind = given.text("kind");
  contract.subject = given.text("subject");
  contract.items = given.texts("items");
  contract.units = given.number<std::uint32_t>("units");
  contract.bid_within = given.span("bid_within");
  contract.bid_holds = given.span("bid_holds");
  contract.lease = given.span("lease");
  contract.client_penalty = penalty_of(given, "client_penalty");
  contract.bidder_penalty = penalty_of(given, "bidder_penalty");
  const std::vector<coracle_condition> conditions = conditions_of(wanted.field("where"));
  coracle_query query{};
  query.size = sizeof query;
  query.prefix = wanted.text("prefix");
  query.conditions = conditions.data();
  query.condition_count = conditions.size();
  coracle_tender tender{};
  tender.size = sizeof tender;
  tender.bidders = wanted.texts("bidders");
  tender.registered = wanted.truth("registered");
  if (query.prefix != nullptr || query.condition_count != 0) tender.search = &query;
  tender.rule = wanted.text("rule");
  tender.vickrey = wanted.truth("vickrey");
  tender.has_reserve = !wanted.field("reserve").is_none();
  tender.reserve = wanted.number("reserve");
  tender.seed = wanted.number<std::uint64_t>("seed");
  tender.rounds = wanted.number<std::uint32_t>("rounds");
  tender.back_off = wanted.span("back_off");
  tender.accept_within = wanted.span("accept_within");
  tender.fulfil_within = wanted.span("fulfil_within");
  tender.keep_bids = wanted.truth("keep_bids");
  return Role::of(self).begin(Gives::settlement, nb::none(),
                              [&](coracle_role* client, const coracle_begin* at) {
                                return coracle_announce(client, &contract, &tender, nullptr, at);
                              });
}

}  // namespace

nb::object settlement_of(const coracle_result* result) {
  coracle_settlement settlement{};
  check(coracle_result_settlement(result, &settlement));
  nb::list parts;
  for (std::size_t each = 0; each < settlement.part_count; ++each) {
    const coracle_settlement_part& part = settlement.parts[each];
    parts.append(
        caf("SettlementPart", str_of(part.bidder), part.items, part.price, str_of(part.result)));
  }
  return caf("Settlement", settlement.id, caf("Settled", int(settlement.ended)), nb::tuple(parts),
             str_of(settlement.why), settlement.client_owes, settlement.bidders_owe);
}

void define_contracts(nb::module_& module) {
  module.def("start_bidder", &start_bidder);
  module.def("start_contract_client", &start_contract_client);
  module.def("announce", &announce);
}

}  // namespace coracle::py
