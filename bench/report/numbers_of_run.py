"""Reads the lines of JSON that coracle-bench writes, and finds numbers in them."""
import json
import re


def load(files):
    records = []
    for name in files:
        with open(name, encoding="utf-8") as lines:
            records += [json.loads(line) for line in lines if line.strip()]
    return records


def kind(realization):
    """`local`, `central`, `distributed`, or the name of another system; with how a clearinghouse
    delivers or matches, where its text says so, as in `central, delivery=poll`."""
    said = [each for each in re.split("[?&,]", realization)[1:]
            if each.startswith(("delivery=", "matching="))]
    return ", ".join([realization.split(":")[0].split("+")[0], *said])


class Numbers:
    def __init__(self, records):
        self.records = records

    def find(self, scenario, metric, realization=None, **params):
        """All that fit. A parameter may be one value or a set of values."""
        def fits(record):
            if record["scenario"] != scenario or record["metric"] != metric:
                return False
            if realization and kind(record["realization"]) != realization:
                return False
            for name, wanted in params.items():
                value = record["params"].get(name)
                if value not in wanted if isinstance(wanted, set) else value != wanted:
                    return False
            return True
        return [record for record in self.records if fits(record)]

    def value(self, *args, **params):
        found = self.find(*args, **params)
        return found[0]["value"] if found else None

    def curve(self, x, *args, **params):
        """[(x, value, half of its 95 % interval)], in the order of x."""
        points = [(record["params"][x], record["value"], record.get("ci95") or 0)
                  for record in self.find(*args, **params)]
        return sorted(points)

    def realizations(self, scenario, metric="rtt"):
        names = []
        for record in self.find(scenario, metric):
            if kind(record["realization"]) not in names:
                names.append(kind(record["realization"]))
        return names


def human(value, digits=3):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def ms(nanoseconds):
    return None if nanoseconds is None else nanoseconds / 1e6


def us(nanoseconds):
    return None if nanoseconds is None else nanoseconds / 1e3
