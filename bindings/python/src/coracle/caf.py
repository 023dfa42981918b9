"""The roles of CAF: councils and peers, contracts, and negotiation.

    class Friend(caf.Peer):
        def propose(self, call: caf.Agenda) -> list[str]:
            return ["soup"]

        def vote(self, agenda: caf.Agenda) -> list[str]:
            return sorted(agenda.alternatives)  # best first

    await node.start(Friend("ann"))
    await node.start(caf.Council("council", members=["ann", "bob"]))
    decision = await caf.decide(me, "council", "Where do we eat?")

A role is a class to derive from; `await node.start(...)` starts it. Each function may be an
`async def`, and may raise coracle.Refusal.
"""
from coracle._contracts import (Bid, Bidder, Client, Contract, Engagement, Fulfilment, Offering,
                                Penalty, Settled, Settlement, SettlementPart)
from coracle._councils import (Absent, Agenda, Ballot, Council, Decision, Member, Peer, Refusal,
                               Secrecy, Vacant, decide)
from coracle._plans import (Arbiter, Judgement, Plan, PlanAnswer, PlanNode, PlanOutcome, Planner,
                            PlanProgress, Step, Worth)

__all__ = ["Absent", "Agenda", "Arbiter", "Ballot", "Bid", "Bidder", "Client", "Contract",
           "Council", "Decision", "Engagement", "Fulfilment", "Judgement", "Member", "Offering",
           "Peer", "Penalty", "Plan", "PlanAnswer", "PlanNode", "PlanOutcome", "PlanProgress",
           "Planner", "Refusal", "Secrecy", "Settled", "Settlement", "SettlementPart", "Step",
           "Vacant", "Worth", "decide"]
