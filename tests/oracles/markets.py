"""Consumers and markets: bids and utilities by their definition with 60 digits, at every legal
elasticity and price; prices of whole markets by the demand of all consumers at these prices."""
from decimal import Decimal, getcontext

from oracle import Difference, listed, main

getcontext().prec = 60
getcontext().Emax = 10**12
getcontext().Emin = -(10**12)


def exact(values):
    return [Decimal(each) for each in values]


def demand(elasticity, shares, money, prices):
    """Share * price^-elasticity * money, over the sum of share * price^(1 - elasticity)."""
    index = sum(s * p ** (1 - elasticity) for s, p in zip(shares, prices) if s > 0)
    parts = [s * p**-elasticity if s > 0 else Decimal(0) for s, p in zip(shares, prices)]
    return [part * money / index for part in parts]


def some_elasticity(random):
    return random.choice([0, 0.5, 0.999, 1, 1.001, 4, 10, 100, random.uniform(0, 3)])


def power_of_ten(random, least, most):
    return 10 ** random.uniform(least, most)


def near(one, other, tolerance, least=0):
    return abs(one - other) <= Decimal(tolerance) * (abs(one) + abs(other)) + Decimal(least)


def check_curve(random, library):
    count = random.randint(1, 4)
    spread = random.choice([0.5, 3, 12])
    scale = power_of_ten(random, -12, 12)
    prices = [scale * power_of_ten(random, -spread, spread) for _ in range(count)]
    shares = [random.choice([0, 1, power_of_ten(random, -6, 15)]) for _ in range(count)]
    has = [random.choice([0, 1, power_of_ten(random, -3, 6)]) for _ in range(count)]
    elasticity, good = some_elasticity(random), random.randrange(count)
    at = random.choice([prices[good], scale * power_of_ten(random, -spread, spread)])
    if not any(shares):
        shares[0] = 1
    words = ("curve", elasticity, good, at, listed(prices), listed(shares), listed(has))
    fault, net = library.ask(*words).split()
    there = exact(prices)
    there[good] = Decimal(at)
    owned = exact(has)
    money = sum(p * w for p, w in zip(there, owned))
    wanted = demand(Decimal(elasticity), exact(shares), money, there)[good]
    # The library finds a purchase as a difference from the goods owned. A tiny fraction of what
    # the money could buy counts as zero.
    gap = abs(Decimal(net) + owned[good] - wanted)
    least = Decimal(1e-40) * money / there[good]
    if fault != "-" or gap > Decimal(1e-9) * (wanted + owned[good]) + least:
        raise Difference(f"{words}\nanswered {fault} {net}\nright is - {wanted - owned[good]:.17g}")


def utility(elasticity, shares, quantities):
    parts = [(q / s, s / sum(shares)) for s, q in zip(shares, quantities) if s > 0]
    if elasticity == 0:
        return min(q for q, _ in parts)
    if elasticity <= 1 and any(q == 0 for q, _ in parts):
        return Decimal(0)
    if elasticity == 1:
        return sum(w * q.ln() for q, w in parts).exp()
    power = 1 - 1 / elasticity
    mean = sum(w * q**power for q, w in parts if q > 0)
    return mean ** (1 / power) if mean > 0 else Decimal(0)


def check_utility(random, library):
    count = random.randint(1, 4)
    shares = [power_of_ten(random, -3, 3) for _ in range(count)]
    quantities = [random.choice([0, 1, power_of_ten(random, -6, 6)]) for _ in range(count)]
    elasticity = random.choice([some_elasticity(random), 1 + random.choice([-1, 1]) * 1e-9])
    words = ("utility", elasticity, listed(shares), listed(quantities))
    answer = Decimal(library.ask(*words))
    wanted = utility(Decimal(elasticity), exact(shares), exact(quantities))
    if not near(answer, wanted, 1e-9, 1e-300):
        raise Difference(f"{words}\nanswered {answer}\nright is {wanted:.17g}")


class Market:
    def __init__(self, prices, consumers):
        self.prices, self.consumers = prices, consumers

    def ask(self, library):
        consumers = [f"{e} {listed(likes)} {listed(has)}" for e, likes, has in self.consumers]
        terms = "market clearing 3000 1e-11"
        answer = library.ask(terms, listed(self.prices), listed(consumers))
        first, _, rest = answer.partition("|")
        ended, _, *prices = first.split()
        quantities, count = exact(rest.split()), len(prices)
        rows = [quantities[i : i + count] for i in range(0, len(quantities), count)]
        return ended, exact(prices), rows

    def check_balance(self, prices, rows):
        for (elasticity, likes, has), row in zip(self.consumers, rows):
            money = sum(p * Decimal(w) for p, w in zip(prices, has))
            wanted = demand(Decimal(elasticity), exact(likes), money, prices)
            for want, own, gets in zip(wanted, exact(has), row):
                if abs(gets - (want - own)) > Decimal(1e-6) * (want + own):
                    raise Difference(f"{self.told()}: one gets {gets} instead of {want - own:.17g}")
        for good in range(len(prices)):
            there = sum(Decimal(has[good]) for _, _, has in self.consumers)
            if abs(sum(row[good] for row in rows)) > Decimal(1e-6) * there:
                raise Difference(f"{self.told()}: more of good {good} is taken than given, or less")

    def told(self):
        return f"prices {self.prices}, consumers {self.consumers}"


def proportions(prices, order):
    return [prices[i] / prices[order[0]] for i in order]


def check_market(random, library):
    goods = random.randint(2, 4)
    is_easy = random.random() < 0.67  # goods can replace each other
    least, most = (1, 2.5) if is_easy else (0.3, 3)
    consumers = [
        (
            random.choice([least, 1.001, round(random.uniform(least, most), 3)]),
            [random.randint(1, 9) for _ in range(goods)],
            [random.randint(1, 9) for _ in range(goods)],
        )
        for _ in range(random.randint(2, 5))
    ]
    start = [power_of_ten(random, -1, 1) for _ in range(goods)]
    market = Market(start, consumers)
    ended, prices, rows = market.ask(library)
    if ended == "unsound" or (ended == "no" and is_easy):
        raise Difference(f"{market.told()}: it ended with '{ended}'")
    if ended == "no":
        return
    market.check_balance(prices, rows)
    if not is_easy:
        return  # there may be several equilibria
    factor = power_of_ten(random, -10, 10)
    order = random.sample(range(goods), goods)
    mixed = random.sample(consumers, len(consumers))
    liked_more = [(e, [7 * s for s in likes], has) for e, likes, has in consumers]
    for changed, places in (
        (Market([factor * each for each in start], consumers), range(goods)),
        (Market(start, liked_more), range(goods)),
        (Market(start, mixed), range(goods)),
        (
            Market(
                [start[i] for i in order],
                [(e, [s[i] for i in order], [w[i] for i in order]) for e, s, w in consumers],
            ),
            [order.index(i) for i in range(goods)],
        ),
    ):
        ended, other, _ = changed.ask(library)
        if ended != "yes":
            raise Difference(f"{changed.told()}: it ended with '{ended}'")
        for one, two in zip(proportions(prices, range(goods)), proportions(other, places)):
            if not near(one, two, 1e-6):
                raise Difference(f"{market.told()}, {changed.told()}: other proportions of prices")


def check(random, library):
    for _ in range(20):
        check_curve(random, library)
        check_utility(random, library)
    check_market(random, library)


if __name__ == "__main__":
    main("markets", 60, check)
