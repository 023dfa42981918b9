#!/usr/bin/env python3
"""report_test.py FOLDER: the report of FOLDER draws conclusions only where it may."""
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import later  # noqa: E402
import original  # noqa: E402
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
assert human(12345) == "12,345" and human(None) == ""
assert growth_range([(1, 10, 0), (2, 30, 0)]) == (3, 3, 3)
assert growth_range([(1, 10, 0)]) is None
assert grows_more([(1, 10, 0), (2, 30, 0)], [(1, 10, 0)], "") == ""
assert full(1e3).verdict.startswith("It still holds: "), full(1e3).verdict
assert "does not decide" in full(0.8e6).verdict, full(0.8e6).verdict
swapped = grows_more([(1, 10, 1), (2, 20, 1)], [(1, 10, 1), (2, 90, 1)], "{} and {}")
assert swapped == "It does not hold here: 2 and 9.", swapped
# Without numbers of ours there is no conclusion, and no section breaks.
for make in (*original.SECTIONS, *later.SECTIONS):
    section = make(Numbers([]))
    assert "holds" not in section.verdict and "hold here" not in section.verdict, section.title
    section.to_html(None)
    section.to_markdown()
