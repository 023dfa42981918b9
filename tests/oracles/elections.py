"""Elections with weights as fractions, ballots that leave candidates out, and empty ballots: every
rule against its definition, and against itself where a change must make no difference."""
from fractions import Fraction

import voting
from oracle import listed, main

every_rule = [*voting.rules, "median", "stv", "stv:2", "stv:3"]


def some_weight(random):
    kind = random.randrange(4)
    if kind == 0:
        return Fraction(1)
    if kind == 1:
        return Fraction(random.randint(0, 4))
    return Fraction(random.randint(1, 9), random.choice([2, 3, 7, 10]))


def some_ballot(random, n):
    ranking = random.sample(range(n), random.choice([n, n, random.randint(0, n)]))
    approved = random.sample(range(n), random.randint(0, n)) if random.random() < 0.8 else None
    scores = None
    if random.random() < 0.8:
        scores = [Fraction(random.randint(0, 20), random.choice([2, 4, 5])) for _ in range(n)]
        scores = [min(each, Fraction(10)) for each in scores]
    return some_weight(random), ranking, approved, scores


def some_ballots(random, n):
    """Few different values, so that there are ties."""
    kinds = [some_ballot(random, n) for _ in range(random.randint(1, 4))]
    ballots = [random.choice(kinds) for _ in range(random.randint(0, 8))]
    if random.random() < 0.5:
        ballots = [(Fraction(1), *ballot[1:]) for ballot in ballots]
    return ballots


def text_of(ballot):
    weight, ranking, approved, scores = ballot
    text = f"{weight} {listed(ranking)}"
    text += " 0" if approved is None else f" 1 {listed(approved)}"
    return text + (" 0" if scores is None else f" 1 {listed(scores)}")


def unweighted(ballot):
    return text_of(ballot).partition(" ")[2]


def answer_of(found, sets):
    first = "".join(f"{c} " for c in sorted(found))
    rest = "".join(" " + " ".join(map(str, each)) + " /" for each in sorted(sets))
    return (first + "|" + rest).strip()


def renamed(ballot, names):
    weight, ranking, approved, scores = ballot
    if approved is not None:
        approved = [names[c] for c in approved]
    if scores is not None:
        scores = [scores[names.index(c)] for c in range(len(names))]
    return weight, [names[c] for c in ranking], approved, scores


def check_rule(random, library, rule, n, ballots, numbers):
    found, sets = voting.winners(rule, n, ballots, numbers)

    def expect(wanted, wanted_sets, changed, values=numbers):
        of_median = listed(values if rule == "median" else [])
        library.expect(
            answer_of(wanted, wanted_sets),
            *("vote", rule, n, of_median, listed([text_of(b) for b in changed])),
        )

    expect(found, sets, ballots)
    if ballots:
        at, parts = random.randrange(len(ballots)), random.randint(2, 5)
        part = (ballots[at][0] / parts, *ballots[at][1:])
        expect(found, sets, ballots[:at] + [part] * parts + ballots[at + 1 :])
    empty = (Fraction(1, random.choice([1, 7, 11])), [], None, None)
    expect(found, sets, [*ballots, empty])
    factor = Fraction(random.randint(1, 9), random.choice([1, 7, 100]))
    expect(found, sets, [(b[0] * factor, *b[1:]) for b in ballots])
    expect(found, sets, random.sample(ballots, len(ballots)))
    names = random.sample(range(n), n)
    expect(
        {names[c] for c in found},
        {tuple(sorted(names[c] for c in each)) for each in sets},
        [renamed(ballot, names) for ballot in ballots],
        [numbers[names.index(c)] for c in range(n)],
    )


def check_council(random, library):
    """A council where silence counts for the incumbent."""
    rule = random.choice(["plurality", "score", "approval", "borda", "schulze", "irv", "copeland"])
    weights = [max(some_weight(random), Fraction(1, 5)) for _ in range(random.randint(1, 5))]
    incumbent = random.randint(-1, 2)
    voters = random.sample(range(len(weights)), random.randint(0, len(weights)))
    ballots = {member: some_ballot(random, 3) for member in voters}
    counted = [(weights[member], *ballot[1:]) for member, ballot in ballots.items()]
    silent = sum((w for i, w in enumerate(weights) if i not in ballots), Fraction(0))
    if incumbent >= 0 and silent:
        scores = [Fraction(10 if c == incumbent else 0) for c in range(3)]
        counted.append((silent, [incumbent], [incumbent], scores))
    found, _ = voting.winners(rule, 3, counted)
    votes = listed([f"{member} {unweighted(ballot)}" for member, ballot in ballots.items()])
    library.expect(
        " ".join(map(str, sorted(found))), "council", rule, incumbent, listed(weights), votes
    )


def check(random, library):
    n = random.choice([1, 2, 3, 3, 4, 4])
    ballots = some_ballots(random, n)
    numbers = random.sample(range(-20, 20), n)
    for rule in every_rule:
        check_rule(random, library, rule, n, ballots, numbers)
    for _ in range(5):
        check_council(random, library)


if __name__ == "__main__":
    main("elections", 150, check)
