"""Auctions of bundles, with amounts up to the limit: the winners, the choice among equal
allocations, and the winners' payments, found by a trial of every set of offers."""
from itertools import combinations

from oracle import Difference, listed, main

limit = 2**53


def some_offers(random, items):
    large = random.random() < 0.4
    most = limit if large else random.choice([3, 12, 1000])
    least = limit - 20 if large and random.random() < 0.5 else 0
    return [
        (random.randrange(5), random.randint(1, 2**items - 1), random.randint(least, most))
        for _ in range(random.randint(0, 8))
    ]


def every_set(offers, free):
    """All sets of compatible offers, those with the first offers first."""
    places = [i for i, offer in enumerate(offers) if offer[1] & ~free == 0]
    sets = [()]
    for size in range(1, len(places) + 1):
        for chosen in combinations(places, size):
            union = 0
            for i in chosen:
                union |= offers[i][1]
            bidders = {offers[i][0] for i in chosen}
            total = sum(offers[i][1].bit_count() for i in chosen)
            if union.bit_count() == total and len(bidders) == size:
                sets.append(chosen)
    return sorted(sets)


class Auction:
    def __init__(self, best, reserve, free, offers):
        self.best, self.reserve, self.free, self.offers = best, reserve, free, offers

    def sums(self, chosen):
        amount = sum(self.offers[i][2] for i in chosen)
        items = sum(self.offers[i][1].bit_count() for i in chosen)
        return amount, items

    def worth(self, chosen):
        """The values that the client compares, the first part first."""
        amount, items = self.sums(chosen)
        if self.best == "highest":
            return amount - (self.reserve or 0) * items, items
        if self.reserve is None:
            return items, -amount
        return self.reserve * items - amount, items

    def winners(self, without=None):
        """The best set; among equal sets, the one with the first offers."""
        sets = [
            each
            for each in every_set(self.offers, self.free)
            if all(self.offers[i][0] != without for i in each)
        ]
        most = max(map(self.worth, sets))
        return next(each for each in sets if self.worth(each) == most)

    def price(self, winner, winners):
        """The payment with which the others are exactly as well off as without the winner."""
        bidder, _, own = self.offers[winner]
        amount, items = self.sums(winners)
        other_amount, other_items = self.sums(self.winners(without=bidder))
        if self.best == "lowest" and self.reserve is None:
            return own if other_items < items else other_amount - (amount - own)
        kept = (self.reserve or 0) * (items - other_items)
        return other_amount + kept - (amount - own)

    def words(self):
        reserve = -1 if self.reserve is None else self.reserve
        offers = listed([" ".join(map(str, each)) for each in self.offers])
        return "auction", self.best, reserve, self.free, offers

    def answer(self, factor=1):
        winners = self.winners()
        prices = "".join(f" {factor * self.price(each, winners)}" for each in winners)
        return "1 " + "".join(f"{each} " for each in winners) + "|" + prices


def check(random, library):
    items = random.randint(1, 5)
    offers = some_offers(random, items)
    largest = max([offer[2] for offer in offers], default=0)
    reserve = random.choice([None, random.randint(0, 12), random.randint(0, max(largest, 1))])
    free = 2**items - 1
    if random.random() < 0.2:
        free &= random.getrandbits(items)
    auction = Auction(random.choice(["highest", "lowest"]), reserve, free, offers)
    library.expect(auction.answer(), *auction.words())

    # Other names, and amounts in another unit, change nothing else.
    names = random.sample(range(100), 5)
    renamed = [(names[bidder], bundle, amount) for bidder, bundle, amount in offers]
    library.expect(auction.answer(), *Auction(auction.best, reserve, free, renamed).words())
    factor = random.randint(2, 9)
    if factor * max(largest, reserve or 0) <= limit:
        scaled = [(bidder, bundle, factor * amount) for bidder, bundle, amount in offers]
        of_factor = Auction(auction.best, reserve and factor * reserve, free, scaled)
        library.expect(auction.answer(factor), *of_factor.words())

    # After the offers are shuffled, the winners may differ, but the client's benefit is the same.
    shuffled = Auction(auction.best, reserve, free, random.sample(offers, len(offers)))
    found = library.ask(*shuffled.words()).split("|")[0].split()[1:]
    if shuffled.worth(tuple(map(int, found))) != auction.worth(auction.winners()):
        raise Difference(f"{shuffled.words()} is worth less than in the order {offers}")


if __name__ == "__main__":
    main("auctions", 1500, check)
