"""The roles of CAF: councils, contracts and plans."""
import asyncio
import fractions
import unittest

import coracle
from coracle import caf

LIMIT = 20


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)
        self.me = await self.node.join("me")

    async def start(self, *roles):
        for role in roles:
            await self.node.start(role)
        return roles[-1]


class Friend(caf.Peer):
    def __init__(self, name, *likes):
        super().__init__(name)
        self.likes, self.decisions = likes, []
        self.is_told = asyncio.Event()

    def propose(self, call):
        return self.likes[:1]

    async def vote(self, agenda):
        await asyncio.sleep(0)
        return [each for each in self.likes if each in agenda.alternatives]

    def on_decision(self, decision):
        self.decisions.append(decision)
        self.is_told.set()


FRIENDS = (("ann", "noodles", "soup", "pizza"), ("bob", "pizza", "soup", "noodles"),
           ("cy", "soup", "pizza", "noodles"))


class Councils(Case):
    async def decide(self, peer=Friend, **settings):
        self.friends = [peer(*friend) for friend in FRIENDS]
        await self.start(*self.friends, caf.Council("council", ["ann", "bob", caf.Member("cy")],
                                                    **settings))
        return await caf.decide(self.me, "council", "Where do we eat?", within=LIMIT)

    async def test_peers_propose_and_vote(self):
        decision = await self.decide(rule="schulze")
        self.assertEqual((decision.subject, decision.decided, decision.winner, decision.why),
                         ("Where do we eat?", True, "soup", ""))
        self.assertEqual(decision.co_winners, ("soup",))
        for friend in self.friends:
            await asyncio.wait_for(friend.is_told.wait(), LIMIT)
            self.assertEqual(friend.decisions, [decision])

    async def test_ballots_of_every_kind_count(self):
        class Approver(Friend):
            def vote(self, agenda):
                return caf.Ballot(approved=["pizza"], ranking=agenda.alternatives)

        class Scorer(Friend):
            def vote(self, agenda):
                return caf.Ballot(scores=[fractions.Fraction(1, 2) if each == "noodles" else 0
                                          for each in agenda.alternatives])

        class Silent(Friend):
            def vote(self, agenda):
                return None

        for peer, rule, winner in ((Approver, "approval", "pizza"), (Scorer, "score", "noodles"),
                                   (Silent, "plurality", "")):
            with self.subTest(rule):
                self.assertEqual((await self.decide(peer, rule=rule)).winner, winner)
            self.node.close()
            await self.asyncSetUp()

    async def test_given_alternatives_and_weights(self):
        await self.start(*(Friend(*friend) for friend in FRIENDS))
        await self.start(caf.Council("council", [caf.Member("ann", weight=fractions.Fraction(7, 2)),
                                                 "bob", "cy"]))
        decision = await caf.decide(self.me, "council", "What?", ["pizza", "noodles"])
        self.assertEqual(decision.winner, "noodles")

    async def test_an_unknown_vote_ends_its_peer(self):
        class Stray(Friend):
            def vote(self, agenda):
                return ["air"]

        with self.assertLogs("coracle.agent", "ERROR"):
            await self.decide(Stray, vote_within=0.1)
            with self.assertRaisesRegex(ValueError, "'air' is no alternative"):
                await asyncio.wait_for(self.friends[0].ended(), LIMIT)

    async def test_mistakes_are_told(self):
        for members, settings, kind in ((["ann"], {"rule": "by shouting"}, coracle.BadOptions),
                                        (["ann"], {"vote_within": -1}, ValueError),
                                        ([caf.Member("ann", weight=-1)], {}, coracle.Error),
                                        (["a//b"], {}, coracle.Error)):
            with self.assertRaises(kind):
                await self.node.start(caf.Council("council", members, **settings))
        with self.assertRaises(coracle.BadArgument):
            await caf.decide(self.me, "council", None)
        with self.assertRaisesRegex(TypeError, "alternatives must be a list"):
            await caf.decide(self.me, "council", "What?", "soup")


class Carrier(caf.Bidder):
    def __init__(self, name, price):
        super().__init__(name)
        self.price, self.told = price, []
        self.is_told = asyncio.Event()

    def bid_for(self, client, contract):
        return self.price

    async def fulfil(self, work):
        await asyncio.sleep(0)
        if self.price < 30:
            raise coracle.Refusal("it fell")
        return f"{self.name} moved {work.contract.subject} for {work.client}"

    def on_rejection(self, client, contract, reason):
        self.told.append("rejected")

    def on_settled(self, client, contract, price, penalty):
        self.told.append(price)
        self.is_told.set()


class Sleeper(caf.Bidder):
    capacity = 2

    def __init__(self, name):
        super().__init__(name)
        self.began, self.cancelled, self.lost = (asyncio.Event() for _ in range(3))

    async def bid_for(self, client, contract):
        return caf.Bid([caf.Offering(contract.bits("up"), 5),
                        caf.Offering(contract.bits("up", "down"), 7)], "both, if you like")

    async def fulfil(self, work):
        self.work = work
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()

    def on_lost(self, work, reason, penalty):
        self.lost.set()


class Contracts(Case):
    async def test_the_best_bidder_that_can_does_it(self):
        carriers = [Carrier("dear", 90), Carrier("cheap", 50), Carrier("clumsy", 20),
                    Carrier("lazy", None)]
        client = await self.start(*carriers, caf.Client("client"))
        settlement = await client.announce(
            caf.Contract("a piano", "transport"), [each.name for each in carriers], rule="lowest",
            keep_bids=True)
        self.assertEqual(settlement.ended, caf.Settled.FULFILLED)
        self.assertEqual(settlement.parts, (
            caf.SettlementPart("cheap", 1, 50, "cheap moved a piano for client"),))
        await asyncio.wait_for(carriers[1].is_told.wait(), LIMIT)
        self.assertEqual(carriers[1].told, [50])

    async def test_bundles_are_bid_for_and_lost_work_is_cancelled(self):
        sleeper = Sleeper("sleeper")
        client = await self.start(sleeper, caf.Client("client"))
        contract = caf.Contract("a move", items=["up", "down"])
        announced = client.announce(contract, ["sleeper"], fulfil_within=0.05)
        await asyncio.wait_for(sleeper.began.wait(), LIMIT)
        self.assertEqual(sleeper.work.contract.names(sleeper.work.items), ["up", "down"])
        self.assertEqual(sleeper.work.price, 7)
        self.assertEqual((await announced).ended, caf.Settled.NOT_FULFILLED)
        await asyncio.wait_for(sleeper.cancelled.wait(), LIMIT)
        await asyncio.wait_for(sleeper.lost.wait(), LIMIT)

    async def test_bidders_register_where_they_are_admitted(self):
        class Choosy(caf.Client):
            seen = []

            def admits(self, bidder):
                self.seen.append(bidder)
                return bidder == "good"

        client = await self.node.start(Choosy("client"))
        await self.start(Carrier("bad", 10), Carrier("good", 40))
        for name, price in ("bad", 10), ("good", 40):
            carrier = Carrier(f"{name}/registered", price)
            carrier.clients = ["client"]
            await self.node.start(carrier)
        while len(client.seen) < 2:
            await self.me.new_conversation()
        self.assertEqual(sorted(client.seen), ["bad/registered", "good/registered"])

    async def test_a_search_finds_bidders(self):
        await self.node.start(Carrier("van", 40))
        finder = await self.node.join("lab/van")
        await finder.describe(bids_on="nothing")
        client = await self.node.start(caf.Client("client"))
        settlement = await client.announce(caf.Contract("a piano"),
                                           where={"bids_on": "transport"})
        self.assertEqual((settlement.ended, settlement.parts), (caf.Settled.NO_BIDS, ()))

    async def test_a_client_may_be_a_class_with_work_of_its_own(self):
        class Mover(caf.Client):
            async def run(self):
                self.end = (await self.announce(caf.Contract("a piano"), ["van"])).ended

        mover = await self.start(Carrier("van", 40), Mover("mover"))
        await asyncio.wait_for(mover.ended(), LIMIT)
        self.assertEqual(mover.end, caf.Settled.FULFILLED)

    async def test_mistakes_are_told(self):
        client = await self.node.start(caf.Client("client"))
        for contract, how, kind in (
                (caf.Contract("x"), {"rule": "loudest"}, coracle.BadOptions),
                (caf.Contract("x", bid_within=-1), {}, ValueError),
                (caf.Contract("x", bid_within=60), {}, coracle.BadOptions),
                (caf.Contract("x", units=1 << 40), {}, ValueError),
                (caf.Contract(7), {}, TypeError),
                (caf.Contract("x"), {"bidders": [None]}, TypeError)):
            with self.assertRaises(kind):
                await client.announce(contract, **how)
        with self.assertRaisesRegex(TypeError, "no function fulfil"):
            await self.node.start(caf.Bidder("idle"))

    async def test_a_bid_of_a_wrong_kind_ends_its_bidder(self):
        client = await self.node.start(caf.Client("client"))
        for name, bid, kind in ("van", "much", TypeError), ("lorry", 1 << 70, ValueError):
            carrier = await self.node.start(Carrier(name, bid))
            with self.assertLogs("coracle.agent", "ERROR"), self.assertRaises(kind):
                await client.announce(caf.Contract("x", bid_within=0.1), [name])
                await asyncio.wait_for(carrier.ended(), LIMIT)


class Lamp(caf.Arbiter):
    state = "0"
    requests = 2
    gather = 60

    def __init__(self, name):
        super().__init__(name)
        self.height, self.prepared = 0, []
        self.over = asyncio.Event()

    def apply(self, state, move):
        if move == "up":
            return caf.Step(str(int(state) + 1))
        if move == "down":
            raise coracle.Refusal("the lamp only goes up")
        raise KeyError(move)

    async def prepare(self, plan):
        self.prepared.append(plan)
        await asyncio.sleep(0)

    def perform(self, move, state, cost):
        self.height = int(state)

    def on_end(self, last):
        self.last = last
        self.over.set()


class Reader(caf.Planner):
    def __init__(self, name, wish):
        super().__init__(name)
        self.wish, self.outcomes = wish, []

    async def judge(self, arbiter, node):
        distance = abs(self.wish - int(node.state))
        if int(node.state) < self.wish:
            return caf.Judgement(caf.Worth(-distance, 0, node.cost + distance), ["up", "sing"])
        return caf.Worth(-distance, -distance, node.cost)

    def on_outcome(self, arbiter, outcome):
        self.outcomes.append(outcome)


class Plans(Case):
    async def test_planners_agree_on_a_plan_that_is_carried_out(self):
        lamp, ann, bob = Lamp("lamp"), Reader("ann", 2), Reader("bob", 2)
        await self.start(lamp, ann, bob)
        with self.assertLogs("coracle.agent", "ERROR") as logged:  # of the move "sing"
            first = ann.request("lamp", "light", otherwise=-10, begins_at_go=True)
            outcome = await bob.request("lamp", "light", otherwise=-10, moves=["up"], within=LIMIT)
            self.assertTrue((await first).agreed)
        self.assertIn("the rules of lamp have failed", logged.output[0])
        self.assertTrue(outcome.agreed and outcome.plan.is_mutual)
        self.assertEqual((outcome.plan.moves, outcome.plan.scores), (("up", "up"), (0, 0)))
        await ann.go("lamp")
        await asyncio.wait_for(lamp.over.wait(), LIMIT)
        self.assertEqual((lamp.height, lamp.last.done, lamp.last.fault), (2, True, ""))
        self.assertEqual(lamp.prepared[0].moves, ("up", "up"))
        await ann.withdraw("lamp")

    async def test_an_offer_can_be_rejected(self):
        class Never(Reader):
            def answer(self, arbiter, plan):
                return caf.PlanAnswer(False, "I like the dark")

        lamp, never = Lamp("lamp"), Never("ann", 2)
        lamp.requests = 1
        await self.start(lamp, never)
        with self.assertLogs("coracle.agent", "ERROR"):  # of the move "sing"
            outcome = await never.request("lamp", within=LIMIT, otherwise=-10)
        self.assertFalse(outcome.agreed)
        self.assertEqual(lamp.height, 0)

    async def test_mistakes_are_told(self):
        with self.assertRaisesRegex(TypeError, "no function apply"):
            await self.node.start(caf.Arbiter("empty"))
        with self.assertRaises(coracle.BadOptions):
            lamp = Lamp("lamp")
            lamp.rule = "by shouting"
            await self.node.start(lamp)
        with self.assertRaisesRegex(TypeError, "no function judge"):
            await self.node.start(caf.Planner("empty"))
        reader = await self.node.start(Reader("ann", 1))
        with self.assertRaises(coracle.Error):
            await reader.request("a//b")
        outcome = await reader.request("nobody", within=0.01)
        self.assertFalse(outcome.agreed)
        self.assertIn("deadline", outcome.why)


if __name__ == "__main__":
    unittest.main()
