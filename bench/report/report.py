#!/usr/bin/env python3
"""Makes a page of the measurements of coracle-bench, beside the numbers of the papers.

    report.py FILE.jsonl... --html PAGE.html          one page with everything in it
    report.py FILE.jsonl... --markdown PAGE.md        the same for the manual, with its pictures
                                                      in a folder beside it
    ... --part papers|fipa                            the sections on FIPA alone, or the others

Pictures need matplotlib (python3-matplotlib); without it there are tables alone.
"""
import argparse
import html
import os
import pathlib
import re
import tempfile

import later
import original
import transports
from numbers_of_run import Numbers, human, load

# The colours and the type of the live view (view/page/src/style/base.css).
STYLE = """:root{color-scheme:light dark;--bg:#f5f6f8;--surface:#fff;--text:#1b2026;--muted:#586271;
--line:#dfe3e8;--accent:#2f57c4}
@media (prefers-color-scheme:dark){:root{--bg:#12151a;--surface:#1a1f26;--text:#e7eaee;
--muted:#a0aab8;--line:#2d343e;--accent:#8fb0ff}}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI","Liberation Sans",sans-serif;
font-variant-numeric:tabular-nums;max-width:70em;margin:0 auto;padding:24px 16px;
background:var(--bg);color:var(--text)}
h1{font-size:24px;border-bottom:3px solid var(--accent);padding-bottom:8px}
h2{font-size:18px;margin-top:2em}code{font-size:13px;overflow-wrap:anywhere}
.tables{overflow-x:auto}
table{border-collapse:collapse;margin:1em 0;font-size:13px;background:var(--surface);
border:1px solid var(--line);border-radius:10px}
td,th{padding:5px 12px;text-align:right;border-bottom:1px solid var(--line)}
th{color:var(--muted);font-weight:600}tr:last-child td{border-bottom:0}
td:first-child,th:first-child{text-align:left}
img{max-width:100%;background:#fff;border:1px solid var(--line);border-radius:10px}
.source{color:var(--muted)}"""


def plotter():
    """matplotlib's pyplot, or nothing."""
    os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
    try:
        import matplotlib
        matplotlib.use("agg")
        import matplotlib.pyplot as plot
    except ImportError:
        return None
    return plot


def machine(records):
    hosts = {(r["host"]["cpu"], r["host"]["cores"], r["build"]) for r in records}
    return "; ".join(f"{cpu}, {cores} processors, {build}" for cpu, cores, build in sorted(hosts))


# The sections of each part, and those without measurements, which only a page of the manual has.
PARTS = {"papers": ((*original.SECTIONS, *later.SECTIONS), later.UNMEASURED),
         "fipa": (transports.SECTIONS, ())}


def sections(records, parts, with_unmeasured=False):
    numbers = Numbers(records)
    measured = [make(numbers) for part in parts for make in PARTS[part][0]]
    if not with_unmeasured:
        return measured
    return measured + [make(numbers) for part in parts for make in PARTS[part][1]]


def all_numbers(records):
    rows = ["<h2>All numbers</h2><div class=tables tabindex=0><table>"
            "<tr><th>scenario<th>realization<th>parameters<th>metric"
            "<th>value<th>± (95 %)<th>p50<th>p99<th>unit</tr>"]
    for r in records:
        params = " ".join(f"{name}={value}" for name, value in r["params"].items())
        cells = [r["scenario"], r["realization"], params, r["metric"], r["value"],
                 r.get("ci95") or None, r["p50"], r["p99"], r["unit"]]
        rows.append("<tr>" + "".join(f"<td>{html.escape(human(c, 4))}" for c in cells) + "</tr>")
    return "\n".join([*rows, "</table></div>"])


def write_html(page, records, parts, command):
    plot = plotter()
    lines = ["<!doctype html><html lang=en><meta charset=utf-8><title>coracle-bench</title>",
             "<meta name=viewport content='width=device-width'>",
             f"<style>{STYLE}</style><h1>coracle-bench</h1>",
             f"<p>{html.escape(machine(records))}</p>"]
    if command:
        lines.append(f"<p>Command: <code>{html.escape(command)}</code></p>")
    if plot is None:
        lines.append("<p>No figures: install python3-matplotlib and make the report again.</p>")
    lines += [section.to_html(plot) for section in sections(records, parts)
              if section.is_measured()]
    lines += [all_numbers(records), "</html>\n"]
    pathlib.Path(page).write_text("\n".join(lines), encoding="utf-8")


def write_markdown(page, records, parts, head, command):
    plot = plotter()
    page = pathlib.Path(page)
    folder = page.with_suffix("")
    lines = [pathlib.Path(head).read_text(encoding="utf-8") if head else "# Benchmarks\n",
             f"Measured on: {machine(records)}.\n"]
    if command:
        lines.append(f"By: `{command}`\n")
    for section in sections(records, parts, with_unmeasured=True):
        if not section.verdict and not section.lines and not any(r for _, r in section.tables):
            continue
        picture = section.picture(plot) if section.is_measured() else None
        where = None
        if picture:
            folder.mkdir(exist_ok=True)
            name = re.sub("[^a-z0-9]+", "-", section.title.lower()) + ".png"
            (folder / name).write_bytes(picture)
            where = f"{folder.name}/{name}"
        lines.append(section.to_markdown(where))
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--html")
    parser.add_argument("--markdown")
    parser.add_argument("--head", help="with --markdown: a file for the top of the page")
    parser.add_argument("--command", default="", help="the command that measured")
    parser.add_argument("--part", choices=PARTS, help="only these sections")
    given = parser.parse_args()
    parts = [given.part] if given.part else list(PARTS)
    records = load(given.files)
    if given.html:
        write_html(given.html, records, parts, given.command)
    if given.markdown:
        write_markdown(given.markdown, records, parts, given.head, given.command)


if __name__ == "__main__":
    main()
