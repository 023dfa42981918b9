"""Each page of the live view in a real browser: it shows the scripted society, and each button does
what it says."""
import sys
import unittest

import scripted
from browser import PAGES, settle, until
from feed_server import Workshop
from served import Served

ACTS = [("End", "end"), ("Restart", "restart"), ("Record", "record")]  # the label, the request
PLAYER = [("Play", "play"), ("Step ▸", "step"), ("◂ Step", "step"), ("Error ▸", "seek"),
          ("◂ Error", "seek")]


class Pages(Served):
    def test_a_message_is_opened_with_the_keyboard_and_read_whole(self):
        server = self.serve()
        page = self.open(server)
        until(page, "coracleView.store.messages.rows.length >= 60")
        box = page.get_by_role("listbox", name="Messages")
        box.focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        detail = page.get_by_role("complementary")
        detail.get_by_text("handed out").wait_for()
        self.assertIn("pieces", detail.inner_text())
        self.assertIn("kept by front", detail.inner_text())
        self.assertIn("message from shop/prices to monitor",
                      page.locator("#sequence-row").inner_text())
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        detail.get_by_role("button", name="Show the request").click()
        page.get_by_role("button", name="Only this conversation").click()
        page.get_by_text("10 of 60 rows").wait_for()
        page.get_by_role("button", name="Show all").click()
        page.get_by_text("60 of 60 rows").wait_for()
        page.get_by_role("button", name="Close the message").click()
        self.assertEqual(detail.count(), 0)

    def test_messages_are_filtered_searched_paused_and_followed(self):
        server = self.serve()
        page = self.open(server)
        until(page, "coracleView.store.messages.rows.length >= 60")
        page.get_by_label("Agents").fill("plant/*")
        page.get_by_text("30 of 60 rows").wait_for()
        page.get_by_label("Agents").fill("")
        page.get_by_role("button", name="More").click()
        page.get_by_label("Type", exact=True).fill("bid")
        page.get_by_text("6 of 60 rows").wait_for()
        page.get_by_label("Type", exact=True).fill("")
        page.get_by_label("Text").fill("OAK")
        page.get_by_text("18 of 60 rows").wait_for()
        page.get_by_label("Text").fill("")
        page.get_by_role("button", name="Only trouble").click()
        page.get_by_text(" of 60 rows").wait_for()
        page.get_by_role("button", name="Show all").click()
        page.get_by_label("Search").fill("thursday")
        page.get_by_role("button", name="Find the one before").click()
        page.get_by_text("Message 60 of 60").wait_for()
        page.get_by_role("button", name="Find the one before").click()
        page.get_by_text("Message 50 of 60").wait_for()
        page.get_by_role("button", name="Find the one after").click()
        page.get_by_text("Message 60 of 60").wait_for()
        page.get_by_role("button", name="Follow the newest").click()
        page.get_by_role("button", name="Pause").click()
        top = page.locator(".sequence-scroll").evaluate("(box) => box.scrollTop")
        server.send({"is": "batch", "now": 50,
                     "messages": [scripted.message(n) for n in range(61, 90)]})
        until(page, "coracleView.store.messages.rows.length >= 89")
        settle(page)
        self.assertEqual(page.locator(".sequence-scroll").evaluate("(box) => box.scrollTop"), top)

    def test_gaps_and_counted_messages_are_shown_as_such(self):
        server = self.serve()
        page = self.open(server)
        until(page, "coracleView.store.messages.rows.length >= 60")
        server.send({"is": "batch", "now": 41, "folded": 900, "pairs": [["a", "b", 900, 9]],
                     "gaps": [{"at": 41, "missed": -1, "why": "unknown", "node": "floor"},
                              {"at": 41, "missed": 12, "why": "rate"}]})
        until(page, "coracleView.store.messages.rows.length >= 63")
        settle(page)
        self.assertIn("12", page.get_by_label("What is stuck").inner_text())
        page.get_by_role("listbox", name="Messages").focus()
        texts = page.evaluate("coracleView.store.messages.rows.slice(-3).map((row) => row.why)")
        self.assertEqual(texts, ["unknown", "rate", "folded"])

    def test_who_waits_in_a_circle_is_said_on_each_page(self):
        server = self.serve()
        for path in PAGES:
            page = self.open(server, path)
            stuck = page.get_by_label("What is stuck")
            stuck.get_by_text("Circle of waits").wait_for()
            self.assertIn("shop/stock", stuck.inner_text())
        society = scripted.society()
        society["agents"][3].pop("waits")
        server.send(society)
        stuck.get_by_text("Waiting longest").wait_for()
        self.assertIn("shop/orders", stuck.inner_text())
        for agent in society["agents"]:
            agent.pop("waits", None)
        server.send(society)
        stuck.get_by_text("Nobody waits").wait_for()

    def test_the_use_of_processors_is_shown(self):
        server = self.serve()
        page = self.open(server, "agent/shop%2Forders")
        page.get_by_text("31.2 %").wait_for()
        page = self.open(server, "load")
        page.get_by_role("button", name="Agents", exact=True).click()
        page.get_by_text("75.0 %").wait_for()

    def test_each_act_sends_its_request_and_shows_the_answer(self):
        server = self.serve()
        page = self.open(server, "agent/shop%2Forders")
        page.get_by_text("shop/keeper").wait_for()
        for label, what in ACTS:
            page.get_by_role("button", name=label, exact=True).click()
            self.assertEqual(self.wait_for_request(page, server, what)["name"], "shop/orders")
        page.get_by_label("Content").fill("hello")
        page.get_by_role("button", name="Send", exact=True).click()
        page.get_by_text("Sent: consumed.").wait_for()
        self.assertEqual(self.requests(server, "send")[-1]["text"], "hello")
        page.get_by_label("Type (then JSON)").fill("a/b")
        page.get_by_role("button", name="Send", exact=True).click()
        page.get_by_text("The content is no JSON").wait_for()

    def test_messages_are_held_released_and_scrambled(self):
        server = self.serve()
        page = self.open(server)
        page.get_by_role("button", name="More").click()
        page.get_by_label("Pattern").fill("to shop/*")
        page.get_by_role("button", name="Hold").click()
        self.assertEqual(self.wait_for_request(page, server, "hold")["pattern"], "to shop/*")
        server.send({"is": "held", "holds": [{"id": 1, "pattern": "to shop/*", "waiting": [
            {"from": "a", "to": "shop/desk", "text": "held one"}]}]})
        page.get_by_text("held one").wait_for()
        page.get_by_role("button", name="Let one go").click()
        self.assertEqual(self.wait_for_request(page, server, "release")["count"], 1)
        page.get_by_role("button", name="Let all go").click()
        page.get_by_role("button", name="Scramble order").click()
        self.assertTrue(self.wait_for_request(page, server, "scramble")["on"])
        page.get_by_role("button", name="Keep order").click()
        self.wait_for_request(page, server, "scramble", 2)
        page.get_by_label("To", exact=True).fill("nobody")
        page.get_by_role("button", name="Send", exact=True).click()
        page.get_by_text("no agent is named nobody").wait_for()

    def test_without_rights_there_are_no_buttons_but_the_reasons(self):
        server = self.serve(Workshop(rights=scripted.NO))
        page = self.open(server, "agent/shop%2Forders")
        page.get_by_text("Acts are off").wait_for()
        text = page.locator("main").inner_text()
        for reason in ("no policy allows acts", "no right to send", "no right to inspect"):
            self.assertIn(reason, text)
        for label, _ in ACTS + [("Send", "")]:
            self.assertEqual(page.get_by_role("button", name=label, exact=True).count(), 0)
        page.goto(server.address + "#/sequence")
        page.get_by_text("Messages are not shown").wait_for()
        self.assertEqual(self.requests(server, "agent"), [])

    def test_a_recording_is_played_and_replayed_with_a_change(self):
        server = self.serve(Workshop(source="recording", length=120.0))
        page = self.open(server, "time")
        for label, what in PLAYER:
            page.get_by_role("button", name=label).click()
            self.wait_for_request(page, server, what)
        server.send({"is": "player", "at": 41.0, "speed": 1})
        page.get_by_role("group", name="Player").get_by_role("button", name="Pause").click()
        self.wait_for_request(page, server, "pause")
        page.get_by_label("Speed").select_option("5")
        self.assertEqual(self.wait_for_request(page, server, "play", 2)["speed"], 5)
        page.get_by_role("slider").focus()
        page.keyboard.press("End")
        self.wait_for_request(page, server, "seek", 3)
        page.goto(server.address + "#/time/7")
        for change in ("drop", "delay", "text"):
            page.get_by_label("Replay with").select_option(change)
            page.get_by_role("button", name="Replay", exact=True).click()
            page.get_by_text("1 line differs").wait_for()
            self.assertEqual(self.requests(server, "replay")[-1]["change"], change)
        self.assertEqual(page.locator(".difference tbody tr").count(), 20)
        page.get_by_role("button", name="Only differences").click()
        until(page, "document.querySelectorAll('.difference tbody tr').length === 1")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
