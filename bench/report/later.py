"""The tables and figures of the later papers, with ours beside them."""
import papers
from numbers_of_run import human, kind, us
from section import Section, verdict

OURS = ("distributed", "central", "local")


def curves(section, numbers, scenario, x, metric="rtt", **params):
    """Draws a curve for each realization, and its floor; gives them by name."""
    found = {}
    for name in OURS:
        points = [(a, us(b), us(e)) for a, b, e in
                  numbers.curve(x, scenario, metric, name, **params)]
        if points:
            found[name] = points
            section.line(name, points)
    return found


def floors(section, numbers, scenario, x):
    points = [(a, us(b), us(e)) for a, b, e in
              numbers.curve(x, scenario, "floor", "distributed")]
    section.line("plain sockets", points)
    return points


def pairs(numbers):
    section = Section("Pairs at full load, beside plain sockets",
                      "Second paper, Figures 5 to 7, 10 and 11")
    section.paper = ("All platforms slow down with more pairs, and are much slower than "
                     "processes with plain sockets; the difference grows.")
    found = curves(section, numbers, "bound", "pairs")
    floor = floors(section, numbers, "bound", "pairs")
    section.labels("pairs", "round trip, µs", log=True)
    ours = found.get("distributed")
    if ours and len(floor) > 1:
        first, last = ours[0][1] / floor[0][1], ours[-1][1] / floor[-1][1]
        section.verdict = verdict(
            last > first, f"with {ours[0][0]} pair distributed takes {human(first)} times as long "
            f"as plain sockets, with {ours[-1][0]} pairs {human(last)} times: many pairs share a "
            "write to the kernel")
    return section


def sizes(numbers):
    section = Section("Sizes of messages", "Second paper, Figure 8")
    section.paper = "With 50 pairs, round trips grow with the size, least with Jade and MadKit."
    found = curves(section, numbers, "sizes", "size")
    floor = floors(section, numbers, "sizes", "size")
    section.labels("bytes", "round trip, µs", log=True)
    points = found.get("distributed")
    if points and floor:
        section.verdict = verdict(points[-1][1] > points[0][1],
                                  f"from {points[0][0]} to {points[-1][0]:,} bytes the round trip "
                                  f"grew {human(points[-1][1] / points[0][1])} times, that of "
                                  f"sockets {human(floor[-1][1] / floor[0][1])} times")
    return section


def fan_in(numbers):
    section = Section("Many senders, one receiver", "Second paper, Figure 9")
    section.paper = "The round trip grows with the number of senders, least with Jade."
    found = curves(section, numbers, "fan-in", "senders")
    floor = floors(section, numbers, "fan-in", "senders")
    section.labels("senders", "round trip, µs", log=True)
    points = found.get("distributed")
    if points and floor:
        section.verdict = verdict(points[-1][1] > points[0][1],
                                  f"with {points[-1][0]} senders {human(points[-1][1])} µs, where "
                                  f"a process that polls sockets takes {human(floor[-1][1])} µs")
    return section


def directory(numbers):
    section = Section("Registration and search", "Second paper, Figures 12 to 16")
    section.paper = ("Registration takes the same time, however many entries are registered. "
                     "The time of a search grows a little (Jade, AgentScape) or not (MadKit, "
                     "where every kernel has a table).")
    rows = []
    for name in OURS:
        for where in ("here", "there", "spread"):
            for metric in ("registration", "search", "look_up"):
                points = numbers.curve("registered", "directory", metric, name, where=where)
                if points:
                    rows.append([name, where, metric.replace("_", " "), points[0][0],
                                 us(points[0][1]), points[-1][0], us(points[-1][1])])
                    if where == "there" or name == "local":
                        section.line(f"{name}, {metric.replace('_', ' ')}",
                                     [(a, us(b), us(e)) for a, b, e in points])
    section.table(["realization", "registered", "what", "with", "µs", "with", "µs"], rows)
    ends = []
    for name in OURS:
        for record in numbers.find("directory", "registration_rate", name):
            params = record["params"]
            join = numbers.value("directory", "join", name, where=params["where"])
            ends.append([name, params["where"], params["registered"], human(record["value"]),
                         human(join / 1e6) if join else None])
    if ends:
        section.table(["realization", "registered", "services then",
                       "registrations/s, 256 at once", "a node joins in, ms"], ends)
    section.labels("registered services", "µs", log=True)
    points = numbers.curve("registered", "directory", "registration", "distributed", where="there")
    searches = numbers.curve("registered", "directory", "search", "distributed", where="there")
    if len(points) > 1:
        section.verdict = verdict(
            points[-1][1] < 2 * points[0][1],
            f"a registration among {points[-1][0]:,} takes "
            f"{human(points[-1][1] / points[0][1])} times as long as among {points[0][0]}; "
            f"a search by property, which has an index, "
            f"{human(searches[-1][1] / searches[0][1])} times")
    return section


def parts(numbers):
    section = Section("Processor time by part of the system", "Second paper, Tables 2 to 7")
    section.paper = ("Messaging takes most of the time where agents are in different "
                     "processes, the agents themselves where they are in one. Registrations "
                     "end in the directory's process.")
    head = ["agents, %", "messaging, %", "directory, %", "rest, %"]
    section.table(["paper: what", "platform", *head], papers.PARTS)
    rows, apart = [], []
    for what in ("sending", "registration", "search"):
        for name in OURS:
            found = numbers.find("parts", what, name)
            for process in dict.fromkeys(record["params"]["process"] for record in found):
                of = {record["params"]["part"]: record["value"] for record in found
                      if record["params"]["process"] == process}
                all_of_it = sum(of.values()) or 1
                shares = [100 * of[part] / all_of_it
                          for part in ("agents", "messaging", "directory", "rest")]
                rows.append([what, name, process, us(all_of_it), *shares])
                if what == "sending" and name == "distributed" and process != "service":
                    apart.append(shares[1])
    section.table(["ours: what", "realization", "process", "µs each", *head], rows)
    if apart:
        section.verdict = verdict(min(apart) > 50, "between processes messaging takes "
                                  f"{human(min(apart))} % or more of what a message costs")
    return section


def memory(numbers):
    section = Section("Memory", "Second paper, Table 8")
    section.paper = "Memory is not a bottleneck: 100 agents and the platform take 1.1 to 27 MB."
    rows = [[name, one, hundred - one] for name, (one, hundred) in papers.MEMORY.items()]
    for name in OURS:
        platform = numbers.value("memory", "platform", name)
        if platform is not None:
            rows.append([f"ours, {name}", platform, numbers.value("memory", "agents", name)])
            hundred = platform + rows[-1][2]
            section.verdict = verdict(hundred < 27e3, f"node and 100 agents take {human(hundred)} "
                                      "KiB")
    section.table(["platform", "by itself, KB", "100 idle agents more, KB"], rows)
    return section


def occupancy(numbers):
    section = Section("Share of the network", "Second paper, Figure 17")
    section.paper = ("The platforms use far less than the link can carry: the network is no "
                     "bottleneck.")
    rows = [[name, None, None, most, most / 1e5] for name, most in papers.OCCUPANCY.items()]
    shares = []
    for record in numbers.find("occupancy", "throughput"):
        where = {"pairs": record["params"]["pairs"]}
        name = record["realization"].split(":")[0]
        rows.append([f"{name}, {where['pairs']} pairs",
                     numbers.value("occupancy", "wire_bytes", name, **where),
                     numbers.value("occupancy", "ethernet_bytes", name, **where),
                     record["value"], record["share_of_100_mbit"]])
        shares.append(record["share_of_100_mbit"])
    section.table(["of", "bytes in TCP for a message of 64", "on Ethernet", "most, kbit/s",
                   "share of 100 Mbit/s"], rows)
    if shares:
        section.verdict = verdict(max(shares) < 1, "at the rate of one machine's loopback a link "
                                  f"of 100 Mbit/s would be needed {human(max(shares))} times")
    return section


def couples(numbers):
    section = Section("Couples", "Third paper, Figures 6 and 9 to 11")
    section.paper = ("The round trip grows linearly with the number of couples; agents' messages "
                     "take little more than remote calls of objects (RMI, for which omniORB "
                     "stands here).")
    curves(section, numbers, "couples", "pairs")
    for objects in ("remote", "collocated"):
        points = numbers.curve("pairs", "couples", "rtt", "omniorb", objects=objects)
        section.line(f"omniORB, {objects}", [(a, us(b), us(e)) for a, b, e in points])
    section.labels("couples", "round trip, µs", log=True)
    # Two points always lie on a line.
    found = [record for record in numbers.find("couples", "growth") if record["n"] > 2]
    if found:
        worst = min(found, key=lambda record: record["r_squared"])
        section.verdict = verdict(worst["r_squared"] > 0.9,
                                  f"a line explains at least {human(100 * worst['r_squared'])} % "
                                  "of the differences")
    return section


def pings(numbers):
    section = Section("Pings in parallel", "Fourth paper, Figure 3")
    section.paper = ("The rate saturates at about as many pairs as there are processors, and goes "
                     "down with many more; all pairs get the same.")
    for society in ("multiple", "parallel", "two processes"):
        for name in OURS:
            points = numbers.curve("pairs", "ping", "pings", name, society=society)
            section.line(f"{name}, {society}", [(a, b / 1e6, e / 1e6) for a, b, e in points])
    section.labels("pairs", "million pings per second", log=True)
    found = numbers.find("ping", "saturation")
    even = [record["value"] for record in numbers.find("ping", "evenness")]
    if found:
        parallel = [record for record in found if record["params"]["society"] == "parallel"]
        section.verdict = verdict(
            all(record["value"] <= 8 for record in found) and min(even) > 0.5,
            "; ".join(f"{kind(record['realization'])}, {record['params']['society']}: saturates at "
                      f"{human(record['value'])} pairs" for record in found) +
            f"; the slowest pair has {human(min(even))} of the fastest at worst; " +
            (f"more processors give {human(parallel[0]['most_to_one_pair'])} times what one pair "
             "has" if parallel else "there is one processor"))
    return section


def nodes(numbers):
    section = Section("More and more nodes, each linked to each", "Second paper, section 6")
    section.paper = ("For large populations agents should communicate directly, without anything "
                     "in the middle.")
    rows, flat = [], []
    for name in ("distributed", "central"):
        points = [(a, us(b), us(e)) for a, b, e in numbers.curve("nodes", "nodes", "cost", name)]
        section.line(f"{name}, by nodes", points)
        rows += [[name, "nodes", a, b, numbers.value("nodes", "rate", name, nodes=a)]
                 for a, b, _ in points]
        by_pairs = [(a, us(b), us(e))
                    for a, b, e in numbers.curve("pairs", "bound", "cost", name)]
        rows += [[name, "pairs of two nodes", a, b,
                  numbers.value("bound", "rate", name, pairs=a)] for a, b, _ in by_pairs]
        if name == "distributed" and len(points) > 1:
            flat.append(points[-1][1] / points[0][1])
    section.table(["realization", "of", "how many", "processor time of a message, µs",
                   "messages per second"], rows)
    section.labels("nodes", "processor time of a message, µs")
    if flat:
        section.verdict = verdict(flat[0] < 2, "on distributed a message takes "
                                  f"{human(flat[0])} times as much of the processors' time among "
                                  "the most nodes as among the fewest")
    return section


def host_line(numbers):
    section = Section("One number for a host", "Fourth paper, Figures 1 and 2")
    section.paper = ("Pings per second are a linear function of the host's benchmark, if its "
                     "instructions are like those of the society.")
    hosts = numbers.find("ping", "host_number", "local")
    rates = numbers.find("ping", "pings", "local", busy_others=set(range(10)))
    points = sorted((a["value"], b["value"] / 1e6, 0) for a, b in zip(hosts, rates))
    section.line("ours, local", points)
    section.labels("million calls per second", "million pings per second")
    for record in numbers.find("ping", "host_line", "local"):
        section.verdict = verdict(record["r_squared"] > 0.9,
                                  f"the line explains {human(100 * record['r_squared'])} % of the "
                                  "differences between a processor alone and one that is shared")
    return section


def peers(numbers):
    section = Section("Other systems", "The settings are in bench/peers")
    section.paper = ("A wake-up across processors costs more than most systems themselves, so "
                     "all are measured on one processor, and placed freely.")
    rows = []
    for record in numbers.find("peers", "ratio_to_peer"):
        params = record["params"]
        rows.append([params["system"], params["version"],
                     "round trip" if params["of"] == "rtt" else "messages per second",
                     params.get("placement", ""), record["realization"],
                     record["value"], record["min"], record["max"]])
    rows.sort(key=lambda row: row[4])  # otherwise in the order of their measurement
    section.table(["system", "version", "what", "placement", "ours", "ours divided by it", "least",
                   "most"], rows)
    if rows:
        faster = [row for row in rows if (row[5] < 1) == (row[2] == "round trip")]
        section.verdict = (f"Ours is ahead in {len(faster)} of {len(rows)} comparisons (of round "
                           "trips less is better, of messages more).")
    return section


def features(_):
    section = Section("Features of platforms", "Second paper, Table 1, its rows that can be read "
                      "without doubt, and ours")
    section.table(["platform", "language", "open source", "FIPA", "security", "organizations",
                   "communication"], [*papers.FEATURES, papers.OUR_FEATURES])
    section.verdict = ("This one has FIPA's language in its three forms, SL, eleven interaction "
                       "protocols, the management system and the facilitator, and messages over "
                       "HTTP and IIOP; JADE is its partner in the tests.")
    return section


def not_yet(_):
    section = Section("Not yet", "These measurements need parts that are not in the project")
    section.table(["of", "what", "why"], papers.NOT_YET)
    section.verdict = "These have no numbers."
    return section


SECTIONS = (pairs, sizes, fan_in, directory, parts, memory, occupancy, couples, pings, nodes,
            host_line, peers)
# These have no measurements; only the page of the manual has them.
UNMEASURED = (features, not_yet)
