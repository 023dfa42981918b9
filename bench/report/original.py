"""The tables and figures of the original paper, with ours beside them."""
import papers
from numbers_of_run import human, ms, us
from section import Section, grows_more, mostly, verdict

OURS = ("central", "distributed", "local")
# The ways in which a clearinghouse is measured; the first sends at once, and matches by sets.
POLLED, NOTIFIED = "central, delivery=poll", "central, delivery=notify"
BY_SETS, ONE_BY_ONE = "central, matching=set", "central, matching=linear"
VARIANTS = {"central": "sent at once", NOTIFIED: "notified, as in ToolTalk",
            POLLED: "polled, as in CoRaCLe 1996", BY_SETS: "with patterns, by sets",
            ONE_BY_ONE: "with patterns, each tried, as in FIELD"}


def growth(points):
    return points[-1][1] / points[0][1] if len(points) > 1 and points[0][1] else None


def full(numbers):
    section = Section("Fully connected agents", "Original paper, Table 1, Figures 12 and 13")
    section.paper = ("Central's round trip grows with the number of connections, Distributed's "
                     "with the number of agents. So Central is faster with few agents and "
                     "slower with many.")
    curves = {name: numbers.curve("agents", "full", "rtt", name, delay_ms=0, kind="all")
              for name in OURS}
    section.table(
        ["delay, ms", "agents", "paper Central, ms", "paper Distributed, ms"] +
        [f"{name}, µs" for name in OURS],
        [[delay, agents, *papers.FULL[delay, agents]] +
         [us(numbers.value("full", "rtt", name, agents=agents, delay_ms=delay)) for name in OURS]
         for delay, agents in papers.FULL])
    for index, name in enumerate(("Central", "Distributed")):
        section.line(f"paper, {name}, ms",
                     [(n, papers.FULL[0, n][index], 0) for n in (3, 6, 10)], panel=0)
    for name, points in curves.items():
        section.line(f"ours, {name}, µs", [(x, us(y), us(e)) for x, y, e in points], panel=1)
    section.labels("agents", "round trip", log=True)
    section.verdict = grows_more(
        curves["central"], curves["distributed"],
        "from the fewest to the most agents the round trip became {} times as long on central and "
        "{} times on distributed (in the paper 39.7 and 3.7)")
    return section


def ramp(numbers):
    section = Section("How the round trip goes during a run", "Original paper, Figures 14 to 16")
    section.paper = "The round trip rises until all agents are active, and falls as they finish."
    rising = []
    for name in OURS:
        found = numbers.find("full", "rtt", name, delay_ms=0)
        if not found:
            continue
        largest = max(found, key=lambda record: record["params"]["agents"])
        points = [(10 * i, us(largest[f"tenth_{i}"]), 0) for i in range(1, 11)]
        section.line(f"{name}, {largest['params']['agents']} agents", points)
        middle = max(y for _, y, _ in points[2:8])
        rising.append(middle > points[0][1])
    section.labels("% of the answers", "round trip, µs")
    if rising:
        section.verdict = verdict(all(rising), f"in {sum(rising)} of {len(rising)} realizations "
                                  "the middle of the run is slower than its beginning")
    return section


KINDS = ("c-c", "c-p", "p-p")


def council_rtt(numbers, name, shape, what, delay=0):
    return us(numbers.value("council", "rtt", name, shape=shape, kind=what, delay_ms=delay))


def council(numbers):
    section = Section("Councils of groups", "Original paper, Tables 2 to 4")
    section.paper = ("The roles at the ends of a connection matter, not only the size: with "
                     "more councillors, connections from councillor to peer become slower than "
                     "others. (For 6-9 the paper has one column of numbers and does not say "
                     "which.)")
    section.table(["delay, ms", "shape", "ends", "paper Central, ms", "paper Distributed, ms"] +
                  [f"{name}, µs" for name in OURS],
                  [[delay, shape, what, *ms_of_paper] +
                   [council_rtt(numbers, name, shape, what, delay) for name in OURS]
                   for (delay, shape), kinds in papers.COUNCIL.items()
                   for what, ms_of_paper in kinds.items()])
    grown = []
    for what in KINDS:
        ends = [council_rtt(numbers, "central", shape, what) for shape in ("3-3", "9-3")]
        if all(ends):
            grown.append((ends[1] / ends[0], what))
    if len(grown) == len(KINDS):
        most = max(grown)
        others = ", ".join(f"{k} {human(f)} times" for f, k in grown if k != most[1])
        section.verdict = verdict(most[1] == "c-p", f"on central {most[1]} grew most, "
                                  f"{human(most[0])} times, from the fewest to the most "
                                  f"councillors; {others}")
    return section


def council_curves(numbers, section, shapes, place):
    """The papers' lines for both realizations, and ours, by what `place` picks of a shape."""
    for panel, (name, column) in enumerate((("central", 0), ("distributed", 1))):
        for what in KINDS:
            paper = [(place(shape), papers.COUNCIL[0, shape][what][column], 0)
                     for shape in shapes]
            section.line(f"paper, {name}, {what}, ms", [p for p in paper if p[1] is not None],
                         panel)
            ours = [(place(shape), council_rtt(numbers, name, shape, what), 0)
                    for shape in shapes]
            section.line(f"ours, {name}, {what}, µs", [p for p in ours if p[1] is not None],
                         panel)


def council_members(numbers):
    section = Section("Councils: more members of each group", "Original paper, Figure 17")
    section.paper = "Central becomes slower with larger groups, and Distributed levels out."
    shapes = ("3-3", "3-6", "3-9")
    council_curves(numbers, section, shapes, lambda shape: int(shape[2]))
    section.labels("members of each of 3 groups", "round trip", log=True)
    grown = [growth([(0, council_rtt(numbers, name, "3-3", "all")),
                     (1, council_rtt(numbers, name, "3-9", "all"))])
             for name in ("central", "distributed")
             if council_rtt(numbers, name, "3-3", "all")
             and council_rtt(numbers, name, "3-9", "all")]
    if len(grown) == 2:
        section.verdict = verdict(grown[0] > grown[1], "groups three times as large made central "
                                  f"{human(grown[0])} times as slow, distributed "
                                  f"{human(grown[1])} times")
    return section


def councillors(numbers):
    section = Section("Councils: more councillors", "Original paper, Figure 18")
    section.paper = ("The change is between councillors and the members of their groups: these "
                     "have most connections.")
    council_curves(numbers, section, ("3-3", "6-3", "9-3"), lambda shape: int(shape[0]))
    section.labels("councillors, with groups of 3", "round trip", log=True)
    return section


def connections(shape, what):
    """How many an agent at such an end has; of two different ends, the mean."""
    councillors_there, members = int(shape[0]), int(shape[2])
    of = {"c": councillors_there - 1 + members - 1, "p": members - 1}
    return (of[what[0]] + of[what[2]]) / 2


def council_connections(numbers):
    section = Section("Councils by the number of connections", "Original paper, Figures 19 and 20")
    section.paper = ("More connections mean longer round trips, above all for Central; the "
                     "shape matters too.")
    slopes = []
    for panel, name in enumerate(("central", "distributed")):
        for shape in ("3-3", "3-6", "3-9", "6-3", "6-6", "6-9", "9-3"):
            points = [(connections(shape, what), council_rtt(numbers, name, shape, what), 0)
                      for what in KINDS]
            points = sorted(point for point in points if point[1] is not None)
            section.line(f"ours, {name}, {shape}, µs", points, panel)
            if len(points) == len(KINDS):
                slopes.append((name, points[-1][1] > points[0][1]))
    section.labels("connections of an agent", "round trip", log=True)
    if slopes:
        rising = sum(rises for _, rises in slopes)
        reason = (f"in {rising} of {len(slopes)} societies agents with more connections have "
                  "longer round trips")
        section.verdict = mostly(rising / len(slopes), reason)
    return section


def tree(numbers):
    section = Section("Trees", "Original paper, Table 5, Figure 21")
    section.paper = ("Central is faster for small trees, and becomes slower as they grow. (Two "
                     "entries of the paper are 0.000, and its column of connections is not the "
                     "number of edges.)")
    rows = [[shape, *(papers.TREE.get(shape, (None, None)))] +
            [us(numbers.value("tree", "rtt", name, shape=shape, delay_ms=0)) for name in OURS]
            for shape in ("3-2", "3-3", "3-4", "4-2", "4-3", "5-2")]
    section.table(["shape", "paper Central, ms", "paper Distributed, ms"] +
                  [f"{name}, µs" for name in OURS], rows)
    for name in OURS:
        points = numbers.curve("agents", "tree", "rtt", name, delay_ms=0)
        section.line(f"ours, {name}", [(x, us(y), us(e)) for x, y, e in points])
    section.labels("agents", "round trip, µs", log=True)
    section.verdict = grows_more(
        numbers.curve("agents", "tree", "rtt", "central", delay_ms=0),
        numbers.curve("agents", "tree", "rtt", "distributed", delay_ms=0),
        "from the smallest to the largest tree central became {} times as slow, distributed {} "
        "times")
    return section


def overhead(numbers):
    section = Section("Overhead", "Original paper, Table 6")
    section.paper = ("Compared with a dedicated implementation, a call took 0.1 and 0.2 ms "
                     "more (read and write, Central), and 42 and 6 ms more (Distributed): "
                     "there reading is the expensive part.")
    parts = ("generic", "transport", "queue", "realization", "all", "dedicated", "overhead")
    rows = []
    for name in ("central", "distributed"):
        for call in ("write", "pass_on", "read"):
            if not numbers.find("overhead", call, name):
                continue
            paper = papers.OVERHEAD[name].get(call)
            rows.append([name, call, paper] +
                        [numbers.value("overhead", call, name, part=part) for part in parts])
    section.table(["realization", "call", "paper's overhead, ms"] +
                  [f"{part}, ns" for part in parts], rows)
    read = numbers.value("overhead", "read", "distributed", part="overhead")
    write = numbers.value("overhead", "write", "distributed", part="overhead")
    if read is not None and write is not None:
        section.verdict = verdict(read > write,
                                  f"on distributed a read has {human(read)} ns of overhead, a "
                                  f"write {human(write)}")
    return section


def cpe(numbers):
    section = Section("A producer and a consumer", "Original paper, Table 7")
    section.paper = ("Dedicated calls are ten times as fast as the framework. (The paper's "
                     "43.8 ms of real time are more than the round trip of 18.8 ms in the same "
                     "row.)")
    section.table(["paper: where", "framework", "real, ms", "user", "system", "round trip"],
                  [list(row) for row in papers.CPE])
    rows = []
    for record in numbers.find("cpe", "round_trip"):
        params = record["params"]
        where = {"framework": params["framework"], "placement": params["placement"]}
        rows.append([params["placement"], params["framework"]] +
                    [us(numbers.value("cpe", metric, **where))
                     for metric in ("real", "user", "system", "round_trip")])
    section.table(["ours: where", "framework", "real, µs", "user", "system", "round trip"], rows)
    rpc = numbers.value("cpe", "round_trip", framework="Dedicated RPC",
                        placement="same host, networked")
    best = numbers.value("cpe", "round_trip", "distributed", placement="same host, networked")
    if rpc and best:
        section.verdict = verdict(best > 5 * rpc, "distributed takes "
                                  f"{human(best / rpc)} times as long as ONC RPC (in the paper "
                                  "9.9)")
    return section


def reads(numbers):
    section = Section("Directed reads and reads from anywhere", "Original paper, Table 8")
    section.paper = "Reading the first message from anybody is faster, since more reads succeed."
    rows, factors = [], []
    for agents in (3, 6, 10):
        for kind in ("directed", "anywhere"):
            rows.append([agents, kind, *papers.READS[kind, agents]] +
                        [us(numbers.value("reads", "rtt", name, agents=agents, kind=kind))
                         for name in OURS])
        for name in OURS:
            pair = [numbers.value("reads", "rtt", name, agents=agents, kind=kind)
                    for kind in ("directed", "anywhere")]
            if all(pair):
                factors.append(pair[0] / pair[1])
    section.table(["agents", "reads", "paper Central, ms", "paper Distributed, ms"] +
                  [f"{name}, µs" for name in OURS], rows)
    section.table(["central", "reads", "3 agents, µs", "6 agents, µs", "10 agents, µs"],
                  [[VARIANTS[name], kind] +
                   [us(numbers.value("reads", "rtt", name, agents=n, kind=kind))
                    for n in (3, 6, 10)]
                   for name in VARIANTS if name != "central" and numbers.find("reads", "rtt", name)
                   for kind in ("directed", "anywhere")])
    if factors:
        section.verdict = verdict(min(factors) > 1, "directed reads took "
                                  f"{human(min(factors))} to {human(max(factors))} times as long")
    return section


def compare(numbers):
    section = Section("Beside other frameworks", "Original paper, Table 9 and Figure 22")
    section.paper = ("Servers in the middle become slow as agents are added (FIELD, Central). "
                     "ToolTalk becomes slow later, because it notifies instead of being polled.")
    names = [name for name in numbers.realizations("compare") if name in OURS]
    section.table(["agents"] + [f"paper, {name}, ms" for name in papers.COMPARE] +
                  [f"{name}, µs" for name in names],
                  [[n] + [papers.COMPARE[name][n] for name in papers.COMPARE] +
                   [us(numbers.value("compare", "rtt", name, agents=n)) for name in names]
                   for n in (3, 6, 10)])
    for name, values in papers.COMPARE.items():
        section.line(f"paper, {name}, ms", [(n, values[n], 0) for n in (3, 6, 10)], panel=0)
    for name in names:
        points = numbers.curve("agents", "compare", "rtt", name)
        section.line(f"ours, {name}, µs", [(x, us(y), us(e)) for x, y, e in points], panel=1)
    section.labels("agents", "round trip", log=True)
    section.verdict = grows_more(
        numbers.curve("agents", "compare", "rtt", "central"),
        numbers.curve("agents", "compare", "rtt", "distributed"),
        "central became {} times as slow, distributed {} times (in the paper 16.1 and 2.4)")
    return section


def causes(numbers):
    section = Section("Why servers in the middle are slow",
                      "Original paper, 3.3.2, each cause by itself on one clearinghouse")
    section.paper = ("Central becomes slow because agents poll the server. ToolTalk does not, "
                     "because it notifies. FIELD does, because it tries each message on all "
                     "patterns.")
    names = [name for name in VARIANTS if numbers.find("compare", "rtt", name)]
    curves = {name: numbers.curve("agents", "compare", "rtt", name) for name in names}
    times = {name: growth(points) for name, points in curves.items()}
    section.table(["central", "3 agents, µs", "6 agents, µs", "10 agents, µs", "most to fewest"],
                  [[VARIANTS[name]] +
                   [us(numbers.value("compare", "rtt", name, agents=n)) for n in (3, 6, 10)] +
                   [times[name]] for name in names])
    for name in names:
        section.line(VARIANTS[name], [(x, us(y), us(e)) for x, y, e in curves[name]])
    section.labels("agents", "round trip, µs", log=True)
    section.verdict = cause_verdict(curves)
    return section


def cause_verdict(curves):
    """By how much each of the causes slows the largest society that was measured."""
    reasons, slower, decided = [], [], []
    for name, other, what in ((POLLED, "central", "polling"), (NOTIFIED, "central", "notifying"),
                              (ONE_BY_ONE, BY_SETS, "trying each pattern")):
        if not curves.get(name) or not curves.get(other):
            continue
        (agents, value, error), (_, base, base_error) = curves[name][-1], curves[other][-1]
        reasons.append(f"{what} took {human(value / base)} times as long with {agents} agents")
        if what != "notifying":
            slower.append(value > base)
            # One repeat has no interval.
            decided.append(error > 0 and abs(value - base) > error + base_error)
    text = ", ".join(reasons)
    if not all(decided):
        return f"This run does not decide it, as the intervals overlap, or there is none: {text}."
    return verdict(all(slower), text) if slower else ""


def knee(numbers):
    section = Section("Overload", "The knee of each realization (the paper's explanation in 3.3.2)")
    section.paper = "Notification delays overload, but does not avoid it."
    names = numbers.realizations("compare", "knee")
    for name in names:
        points = [(record["params"]["of_capacity"], us(record["p99"]), 0)
                  for record in numbers.find("compare", "latency", name)]
        section.line(f"{VARIANTS.get(name, name)}, 99 of 100", points)
    section.labels("offered, as a share of what a closed loop reaches", "latency, µs", log=True)
    section.table(["realization", "", "knee, pings/s", "of what a closed loop reaches"],
                  [[name, VARIANTS.get(name, ""), record["value"], record["of_capacity"]]
                   for name in names for record in numbers.find("compare", "knee", name)])
    knees = {name: numbers.value("compare", "knee", name) for name in ("central", POLLED, NOTIFIED)}
    if all(knees.values()):
        section.verdict = verdict(
            knees[POLLED] < knees[NOTIFIED] < knees["central"], "a clearinghouse that is polled is "
            f"overloaded at {human(knees[POLLED])}, one that notifies at "
            f"{human(knees[NOTIFIED])}, and one that sends at once at {human(knees['central'])} "
            "pings/s")
    elif None not in knees.values():
        section.verdict = "This run does not decide it, as less was not offered."
    return section


SECTIONS = (full, ramp, council, council_members, councillors, council_connections, tree,
            overhead, cpe, reads, compare, causes, knee)
