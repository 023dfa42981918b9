#!/usr/bin/env python3
"""report_test.py FOLDER: the report of FOLDER draws conclusions only where it may."""
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import later  # noqa: E402
import original  # noqa: E402
import transports  # noqa: E402
from numbers_of_run import Numbers, human, kind  # noqa: E402
from section import grows_more, growth_range  # noqa: E402


def record(realization, agents, value, error):
    return {"scenario": "full", "realization": realization, "metric": "rtt", "value": value,
            "ci95": error, "params": {"agents": agents, "delay_ms": 0, "kind": "all"},
            **{f"tenth_{i}": value for i in range(1, 11)}}


def full(error):
    return original.full(Numbers([record("central://h:1", 3, 1e6, error),
                                  record("central://h:1", 10, 9e6, error),
                                  record("distributed:listen=h:0", 3, 1e6, error),
                                  record("distributed:listen=h:0", 10, 2e6, error)]))


assert kind("central+unix:///any") == "central"
assert kind("central://h:1?society=a&delivery=poll") == "central, delivery=poll"
assert kind("central://h:1?matching=linear") == original.ONE_BY_ONE


def compared(realization, agents, value, metric="rtt"):
    return {"scenario": "compare", "realization": realization, "metric": metric, "value": value,
            "ci95": 1, "of_capacity": 0.5, "params": {"agents": agents}}


def causes(polled):
    return Numbers([compared(f"central://h:1{how}", agents, value * agents)
                    for how, value in (("", 1e3), ("?delivery=poll", polled),
                                       ("?delivery=notify", 2e3), ("?matching=set", 1e3),
                                       ("?matching=linear", 8e3)) for agents in (3, 10)])


# Each variant of a clearinghouse is distinguished from the others, and a cause that changes nothing
# does not count as a cause.
assert causes(9e3).value("compare", "rtt", "central", agents=10) == 1e4
assert original.causes(causes(9e3)).verdict.startswith("It still holds: polling took 9 times")
assert "does not decide" in original.causes(causes(1e3)).verdict
assert original.causes(causes(5e2)).verdict.startswith("It does not hold here")
knees = Numbers([compared(f"central://h:1{how}", 3, value, "knee")
                 for how, value in (("", 9e3), ("?delivery=poll", 1e3), ("?delivery=notify", 4e3))])
assert original.knee(knees).verdict.startswith("It still holds"), original.knee(knees).verdict
assert human(12345) == "12,345" and human(None) == ""
assert growth_range([(1, 10, 0), (2, 30, 0)]) == (3, 3, 3)
assert growth_range([(1, 10, 0)]) is None
assert grows_more([(1, 10, 0), (2, 30, 0)], [(1, 10, 0)], "") == ""
assert full(1e3).verdict.startswith("It still holds: "), full(1e3).verdict
assert "does not decide" in full(0.8e6).verdict, full(0.8e6).verdict
swapped = grows_more([(1, 10, 1), (2, 20, 1)], [(1, 10, 1), (2, 90, 1)], "{} and {}")
assert swapped == "It does not hold here: 2 and 9.", swapped


def trip(mtp, encoding, content, couples, value, platforms="ours-ours", place="one host"):
    return {"scenario": "mtp", "realization": "local:", "metric": "rtt", "value": value * couples,
            "ci95": 1, "params": {"platforms": platforms, "mtp": mtp, "encoding": encoding,
                                  "content": content, "couples": couples, "placement": place}}


def trips(*values):
    """Of (transport, encoding, content, value with one couple); it grows with the couples."""
    return Numbers([trip(*where, couples, value) for *where, value in values
                    for couples in (1, 10)])


SLOWER_IIOP = [("http", "string", 7, 1e6), ("http", "string", 2150, 2e6),
               ("iiop", "string", 7, 3e6), ("iiop", "string", 2150, 4e6)]
assert transports.small(trips(*SLOWER_IIOP)).verdict.startswith("It still holds: HTTP is faster")
assert transports.large(trips(*SLOWER_IIOP)).verdict.startswith("It still holds: on average")
assert transports.small(trips(*SLOWER_IIOP[:2])).verdict == ""  # one transport alone
assert transports.delta(trips(*SLOWER_IIOP), "ours-ours", "iiop", "string") == 0.75
OTHERS = [("http", "bit-efficient", 7, 1e6), ("http", "bit-efficient", 2150, 1.1e6),
          ("http", "xml", 7, 2e6), ("http", "xml", 2150, 2.5e6)]
assert transports.sensitivity(trips(*SLOWER_IIOP, *OTHERS)).verdict.startswith("It still holds")
assert "does not decide" in transports.encodings(trips(*SLOWER_IIOP, *OTHERS)).verdict



def number(scenario, metric, value, **params):
    return {"scenario": scenario, "realization": "local:", "metric": metric, "value": value,
            "params": params}


causes_of = transports.encodings(Numbers([
    number("acl", "translation", 2e3, codec="string", content=7),
    number("acl", "message_bytes", 300, codec="string", content=7),
    number("acl", "message_bytes", 150, codec="bit-efficient", content=7),
    number("mtp", "cost", 4e4, mtp="http", encoding="string", content=7, couples=100)]))
assert causes_of.tables[0][1][0][:3] == ["bit-efficient message", 150, 0.5]
assert causes_of.tables[0][1][1] == ["string message", 300, 1, 2, None, 40, 5]
overheads = transports.overhead(Numbers([
    number("mtp", "cost", value, mtp=mtp, encoding=each, content=7, couples=1)
    for mtp, value in (("http", 2e4), ("iiop", 4e4)) for each in transports.ENCODINGS]))
assert overheads.verdict.startswith("It does not hold here: with one couple"), overheads.verdict
reached = transports.goals(Numbers([
    number("acl", "translation", 1.5e3, codec="string", content=7),
    trip("http", "string", 7, 10, 7e4), number("mtp", "above_floor", 2e5, entries=1000)]))
assert [row[-1] for row in reached.tables[0][1]] == ["yes", "no", "yes"], reached.tables
assert reached.verdict == "2 of 3 goals are reached."
hosts = Numbers([trip("http", "string", 7, n, 9e5, place="two hosts") for n in (1, 10)] +
                [trip("", None, 7, n, 1e5, "one society", "two hosts") for n in (1, 10)])
assert transports.places(hosts).verdict.startswith("It does not hold here: two platforms take 9")
# Without numbers of ours there is no conclusion, and no section breaks.
for make in (*original.SECTIONS, *later.SECTIONS, *transports.SECTIONS, *later.UNMEASURED):
    section = make(Numbers([]))
    assert make in later.UNMEASURED or not section.is_measured(), section.title
    assert "holds" not in section.verdict and "hold here" not in section.verdict, section.title
    section.to_html(None)
    section.to_markdown()
