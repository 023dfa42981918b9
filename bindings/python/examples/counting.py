"""Counts the errors in the log of a web server: a pipeline of four kinds of stages."""
import asyncio
from collections import Counter
from collections.abc import Iterator

import coracle
from coracle import dispel

PAGES = "/index", "/robots", "/robots/huey", "/maps"


class Lines(dispel.Source[str]):
    def produce(self, first: int) -> Iterator[str]:
        for line in range(first, 1000):
            yield f"GET {PAGES[line % 4]} {404 if line % 9 == 0 else 200}"


class Find(dispel.Filter[str, str]):
    async def process(self, line: str) -> str | None:
        _, page, status = line.split()
        return page if status == "404" else None


class Count(dispel.Sink[str]):
    def __init__(self) -> None:
        super().__init__()
        self.errors = Counter[str]()

    def consume(self, page: str) -> None:
        self.errors[page] += 1

    def on_end(self, error: str | None) -> None:
        for page, count in sorted(self.errors.items()):
            print(f"{page}: {count} errors")


async def main() -> None:
    async with coracle.Node() as node:
        log = await node.start(dispel.Pipeline(
            "log", "lines: Lines; find: Find * 4; count: Count; lines -> find -> count",
            [Lines, Find, Count]))
        await log.ended()


asyncio.run(main())
