"""Hostile names, contents and panels, and a socket that breaks."""
import sys
import unittest

import scripted
from browser import PAGES, policy_faults, settle, until
from feed_server import FeedServer, Workshop
from served import Served


class Hostile(Served):
    def test_a_socket_that_breaks_comes_back_without_losing_what_was_shown(self):
        server = self.serve()
        page = self.open(server)
        until(page, "coracleView.store.messages.rows.length >= 60")
        server.refusing = True
        server.break_sockets()
        page.get_by_text("not connected").wait_for()
        page.get_by_text("The page keeps trying").wait_for()
        self.assertEqual(page.evaluate("coracleView.store.messages.rows.length"), 60)
        server.refusing = False
        page.get_by_text("live", exact=True).wait_for()
        self.assertEqual(server.connections, 2)
        server.send({"is": "batch", "now": 60, "messages": [scripted.message(61)]})
        until(page, "coracleView.store.messages.last === 61")
        whys = page.evaluate("coracleView.store.messages.rows.filter((row) => row.gap)"
                             ".map((row) => row.why)")
        self.assertEqual(whys, ["connection"])
        self.assertEqual(page.get_by_role("alert").count(), 0)

    def test_hostile_names_and_contents_are_shown_and_not_obeyed(self):
        workshop = Workshop(held=0)
        evil = scripted.INJECTIONS

        def opening(connection):
            yield scripted.hello(society=evil[0], realization=evil[1])
            yield {"is": "society", "all": True, "nodes": [
                {"lease": evil[0], "node": evil[2], "host": evil[1], "age": 1}],
                "groups": [[evil[3], evil]], "agents": [
                    {"name": each, "node": evil[0], "roles": [evil[0]], "props": {each: each},
                     "waits": {"for": [evil[(index + 1) % len(evil)]], "since": 1, "what": each}}
                    for index, each in enumerate(evil)]}
            yield {"is": "metrics", "metrics": [
                {"name": each, "unit": each, "help": each, "of": "agent"} for each in evil]}
            yield {"is": "series", "at": 1, "values": [[each, each, 1] for each in evil]}
            yield {"is": "batch", "now": 2, "messages": [
                {"n": index + 1, "at": 1, "from": each, "to": evil[index - 1], "type": each,
                 "text": each, "conv": each, "group": each, "reason": each, "outcome": each}
                for index, each in enumerate(evil)]}
            for kind in ("council", "contract", "market", "game", "layers", "pipeline",
                         "__proto__"):
                yield {"is": "decision", "kind": kind, "id": evil[0], "at": 1, "n": 1,
                       "what": "vote",
                       "from": evil[0], "to": evil[1], "ballot": evil, "tally": [[evil[0], 1]],
                       "subject": evil[0], "client": evil[0], "bidder": evil[1], "why": evil[2]}
            yield {"is": "panels", "panels": [
                {"id": each or "none", "name": each, "view": view}
                for each, view in zip(evil, ["table", "series", "graph", "text"] * 9)]}
            for each in evil:
                yield {"is": "panels", "panel": {"id": each or "none", "data": each}}
            yield {"is": "constructor"}

        def message(frame):
            return {"message": {"n": frame["n"], "text": evil[0]}, 
                    "headers": {each: each for each in evil},
                    "stages": [{"at": 1, "what": each} for each in evil], "custody": evil[0],
                    "tree": {"kind": "cbor", "value": deep()}}

        workshop.do_message = message
        workshop.do_agent = lambda frame: {"state": evil[0], "shown": {each: each for each in evil},
                                           "errors": [{"at": 1, "text": each} for each in evil],
                                           "mailbox": {"count": 1, "first": [
                                               {"from": evil[0], "text": evil[1]}]}}
        server = FeedServer(opening, workshop.answer)
        self.addCleanup(server.close)
        for path in PAGES + ["agent/__proto__", "agent/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
                             "agent/%E0%A4%A", "constructor"]:
            page = self.browser.page(server.address, path)
            until(page, f"coracleView.store.messages.last === {len(evil)}")
            for view in self.views(page, path):
                settle(page)
            if path == "sequence":
                for row in range(3):
                    page.mouse.click(600, 300 + 32 * row)
                    page.wait_for_timeout(200)
            self.assertFalse(page.evaluate("'hacked' in window"), path)
            self.assertEqual(page.evaluate(
                "document.querySelectorAll('main img, main script, svg[onload], b img').length"), 0)
            self.assertEqual(page.evaluate(
                "[...document.querySelectorAll('a')].filter((a) => a.protocol !== 'http:').length"),
                0)
            self.assertNotIn("\u202e", page.locator("body").inner_text())
            self.assertEqual(page.faults, [], path)
            self.assertEqual(policy_faults(page), [], path)
            page.context.close()

    def test_a_panel_with_a_script_is_in_a_sandbox_and_odd_data_is_a_sentence(self):
        server = self.serve()
        page = self.open(server, "load")
        page.get_by_role("button", name="Panels").click()
        frame = page.frame_locator("iframe")
        frame.get_by_text("value 42").wait_for()
        server.send({"is": "panels", "panel": {"id": "kiln", "data": {"at": [1], "lines": 5}}},
                    {"is": "panels", "panel": {"id": "wood", "error": "the shelf is empty"}})
        page.get_by_text("This panel cannot be drawn").wait_for()
        page.get_by_text("the shelf is empty").wait_for()


def deep():
    value = "<img src=x onerror='window.hacked=1'>"
    for _ in range(200):
        value = {"map": [[value if isinstance(value, str) else "key", value]]}
    return value


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
