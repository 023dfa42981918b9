"""Rules of voting by their definitions, in exact fractions. Nothing of the library is used.

A ballot is (weight, ranking, approved or None, scores or None). Each rule is a function of the
number of candidates and the ballots that do not abstain, and gives the set of winners.
"""
from fractions import Fraction
from itertools import combinations, permutations


def greatest(candidates, value):
    best = max(map(value, candidates))
    return {c for c in candidates if value(c) == best}


def place(ranking, candidate):
    return ranking.index(candidate) if candidate in ranking else len(ranking)


def preferring(ballots, a, b):
    return sum(w for w, r, *_ in ballots if place(r, a) < place(r, b))


def margin(ballots, a, b):
    return preferring(ballots, a, b) - preferring(ballots, b, a)


def firsts(ballots, standing, candidate):
    sum_ = Fraction(0)
    for weight, ranking, *_ in ballots:
        left = [c for c in ranking if c in standing]
        if left and left[0] == candidate:
            sum_ += weight
    return sum_


def lasts(ballots, standing, candidate):
    sum_ = Fraction(0)
    for weight, ranking, *_ in ballots:
        left = [c for c in ranking if c in standing]
        if not left:
            continue
        last = {left[-1]} if len(left) == len(standing) else standing - set(left)
        sum_ += weight if candidate in last else 0
    return sum_


def plurality(n, ballots):
    return greatest(range(n), lambda c: firsts(ballots, set(range(n)), c))


def antiplurality(n, ballots):
    return greatest(range(n), lambda c: -lasts(ballots, set(range(n)), c))


def points(n, ballots, c):
    others = [o for o in range(n) if o != c]
    half = Fraction(1, 2)

    def point(r, o):
        return 1 if place(r, c) < place(r, o) else half * (place(r, c) == place(r, o))

    return sum(w * sum(point(r, o) for o in others) for w, r, *_ in ballots)


def borda(n, ballots):
    return greatest(range(n), lambda c: points(n, ballots, c))


def share(needed, more):
    def rule(n, ballots):
        cast = sum(w for w, *_ in ballots)
        has = {c: firsts(ballots, set(range(n)), c) for c in range(n)}
        return {c for c in has if (has[c] > needed * cast if more else has[c] >= needed * cast)}

    return rule


def runoff(n, ballots):
    if n == 1:
        return {0}
    has = [firsts(ballots, set(range(n)), c) for c in range(n)]
    winners = set()
    for a, b in combinations(range(n), 2):
        if any(has[c] > min(has[a], has[b]) for c in range(n) if c not in (a, b)):
            continue
        if margin(ballots, a, b) >= 0:
            winners.add(a)
        if margin(ballots, a, b) <= 0:
            winners.add(b)
    return winners


def eliminating(badness):
    def rule(n, ballots):
        winners, seen = set(), set()

        def go_on(standing):
            if standing in seen:
                return
            seen.add(standing)
            has = {c: firsts(ballots, standing, c) for c in standing}
            majority = [c for c in standing if 2 * has[c] > sum(has.values())]
            if majority or len(standing) == 1:
                winners.update(majority or standing)
                return
            for c in greatest(standing, lambda c: badness(ballots, standing, c)):
                go_on(standing - {c})

        go_on(frozenset(range(n)))
        return winners

    return rule


def condorcet(n, ballots):
    return {
        a for a in range(n) if all(margin(ballots, a, b) > 0 for b in range(n) if a != b)
    }


def copeland(n, ballots):
    def sign(a, b):
        m = margin(ballots, a, b)
        return (m > 0) - (m < 0)

    return greatest(range(n), lambda a: sum(sign(a, b) for b in range(n) if a != b))


def minimax(n, ballots):
    return greatest(
        range(n), lambda a: -max([0, *(margin(ballots, b, a) for b in range(n) if a != b)])
    )


def schulze(n, ballots):
    """By thresholds: a path of width w consists of victories of at least w."""
    m = {(a, b): margin(ballots, a, b) for a in range(n) for b in range(n) if a != b}
    widths = sorted({w for w in m.values() if w > 0}, reverse=True)

    def strength(a, b):
        for width in widths:
            reached, new = {a}, [a]
            while new:
                c = new.pop()
                for d in range(n):
                    if d not in reached and m[c, d] >= width:
                        reached.add(d)
                        new.append(d)
            if b in reached:
                return width
        return 0

    def is_as_strong(a, b):
        return a == b or strength(a, b) >= strength(b, a)

    return {a for a in range(n) if all(is_as_strong(a, b) for b in range(n))}


def ranked_pairs(n, ballots):
    """Tries every order of locking."""
    victories = {(a, b) for a in range(n) for b in range(n) if a != b and margin(ballots, a, b) > 0}
    width = {pair: margin(ballots, *pair) for pair in victories}
    winners, seen = set(), set()

    def reaches(locked, a, b):
        return a == b or any(reaches(locked, d, b) for c, d in locked if c == a)

    def go_on(left, locked):
        if (left, locked) in seen:
            return
        seen.add((left, locked))
        if not left:
            winners.update(set(range(n)) - {b for _, b in locked})
            return
        widest = max(width[pair] for pair in left)
        for pair in left:
            if width[pair] == widest:
                closes = reaches(locked, pair[1], pair[0])
                go_on(left - {pair}, locked if closes else locked | {pair})

    go_on(frozenset(victories), frozenset())
    return winners


def black(n, ballots):
    return condorcet(n, ballots) or borda(n, ballots)


def kemeny(n, ballots):
    against = {(a, b): preferring(ballots, b, a) for a in range(n) for b in range(n) if a != b}
    cost = {
        order: sum(against[pair] for pair in combinations(order, 2))
        for order in permutations(range(n))
    }
    return {order[0] for order, each in cost.items() if each == min(cost.values())}


def approval(n, ballots):
    return greatest(range(n), lambda c: sum(w for w, _, a, _ in ballots if c in a))


def score(n, ballots):
    return greatest(range(n), lambda c: sum(w * s[c] for w, _, _, s in ballots))


def median(numbers):
    """Of the numbers that voters want, those with the least sum of distances."""

    def rule(n, ballots):
        wanted = [c for c in range(n) if firsts(ballots, set(range(n)), c) > 0]
        return greatest(
            wanted, lambda c: -sum(w * abs(numbers[c] - numbers[r[0]]) for w, r, *_ in ballots)
        )

    return rule


def committees(n, ballots, seats):
    """Single transferable vote, ballot by ballot, with every way to break ties."""
    quota = sum(w for w, *_ in ballots) / (seats + 1)
    found = set()

    def top(ranking, standing):
        return next((c for c in ranking if c in standing), None)

    def go_on(standing, elected, values):
        if len(elected) + len(standing) <= seats or len(elected) == seats:
            rest = standing if len(elected) < seats else frozenset()
            found.add(tuple(sorted(elected | rest)))
            return
        tops = [top(r, standing) for _, r, *_ in ballots]
        has = {c: sum((v for v, t in zip(values, tops) if t == c), Fraction(0)) for c in standing}
        winners = {c for c in standing if has[c] > quota}
        if winners:
            factor = {c: 1 - quota / has[c] for c in winners}
            go_on(
                standing - winners,
                elected | winners,
                [v * factor.get(t, 1) for v, t in zip(values, tops)],
            )
            return
        for c in greatest(standing, lambda c: -has[c]):
            go_on(standing - {c}, elected, values)

    go_on(frozenset(range(n)), frozenset(), [w for w, *_ in ballots])
    return found


rules = {
    "plurality": plurality,
    "antiplurality": antiplurality,
    "borda": borda,
    "runoff": runoff,
    "irv": eliminating(lambda ballots, standing, c: -firsts(ballots, standing, c)),
    "coombs": eliminating(lasts),
    "condorcet": condorcet,
    "copeland": copeland,
    "minimax": minimax,
    "schulze": schulze,
    "ranked_pairs": ranked_pairs,
    "black": black,
    "kemeny": kemeny,
    "approval": approval,
    "score": score,
    "majority": share(Fraction(1, 2), True),
    "supermajority:2/3": share(Fraction(2, 3), False),
    "unanimity": share(Fraction(1), False),
}


def counted(rule, ballots):
    """The ballots that do not abstain under that rule."""
    part = {"approval": 2, "score": 3}.get(rule, 1)
    abstains = (lambda b: b[part] is None) if part > 1 else (lambda b: not b[1])
    return [b for b in ballots if b[0] != 0 and not abstains(b)]


def winners(rule, n, ballots, numbers=()):
    """The winners, and for rules with seats the committees."""
    cast = counted(rule, ballots)
    if not cast:
        return set(), set()
    if rule.startswith("stv"):
        sets = committees(n, cast, int(rule.partition(":")[2] or 1))
        return {c for each in sets for c in each}, sets
    if rule == "median":
        return median(numbers)(n, cast), set()
    return rules[rule](n, cast), set()
