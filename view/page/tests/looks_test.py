"""How each page of the live view looks, and who can use it: contrast and labels judged by axe,
pictures, a phone and a projector, the keyboard, colours and motion."""
import io
import os
import pathlib
import sys
import unittest

from PIL import Image, ImageChops

from browser import DESK, MANUAL, PAGES, PHONE, PROJECTOR, freeze, settle, until
from feed_server import Workshop
from served import Served

AXE = pathlib.Path(os.environ["CORACLE_VIEW_TOOLS"]) / "node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # all that dark may spoil
PICTURES = os.environ.get("CORACLE_VIEW_PICTURES")  # `write`: makes the pictures of the manual anew
MOST_DIFFERENT = 0.03  # of the pixels; fonts differ between machines


class Looks(Served):
    def check_axe(self, page, what, rules=RULES):
        found = page.evaluate("(rules) => axe.run(document, {runOnly: rules})", rules)
        wrong = [f"{each['id']}: {each['help']} {[node['target'] for node in each['nodes']][:3]} "
                 f"{[node['any'][:1] for node in each['nodes']][:1]}"
                 for each in found["violations"]]
        return [f"{what}: {each}" for each in wrong]

    def test_axe_finds_no_fault_on_any_page_in_light_and_dark(self):
        server = self.serve()
        wrong = []
        for scheme in ("light", "dark"):
            for path in PAGES:
                page = self.browser.page(server.address, path, scheme=scheme)
                page.evaluate(AXE.read_text() + "; 0")
                freeze(page)
                for view in self.views(page, path):
                    page.wait_for_timeout(150)
                    wrong += self.check_axe(page, f"{path} {view} {scheme}",
                                            RULES if scheme == "light" else COLOURS)
                page.context.close()
        self.assertEqual(wrong, [])

    def test_axe_finds_no_fault_on_a_phone_beside_a_message_and_in_a_recording(self):
        server = self.serve(Workshop(source="recording", length=120.0))
        wrong = []
        for path in ("sequence", "time", "time/7", "society"):
            page = self.browser.page(server.address, path, size=PHONE)
            page.evaluate(AXE.read_text() + "; 0")
            freeze(page)
            if path == "time/7":
                page.get_by_role("button", name="Replay").click()
                page.get_by_text("1 line differs").wait_for()
            if path == "sequence":
                page.mouse.click(200, 500)
                page.get_by_role("complementary").wait_for()
            page.wait_for_timeout(150)
            wrong += self.check_axe(page, f"{path} on a phone")
            page.context.close()
        self.assertEqual(wrong, [])

    def test_pages_look_as_in_the_manual(self):
        server = self.serve()
        recording = self.serve(Workshop(source="recording", length=120.0))
        pictures = [("sequence", server, DESK, "light", None),
                    ("society", server, DESK, "light", None),
                    ("agent/shop%2Forders", server, DESK, "light", None),
                    ("load", server, DESK, "dark", None),
                    ("decisions", server, DESK, "light", None),
                    ("time", recording, DESK, "light", None),
                    ("time/7", recording, DESK, "light", "Replay"),
                    ("society", server, DESK, "dark", "Graph"),
                    ("sequence", server, PHONE, "dark", None)]
        for path, source, size, scheme, view in pictures:
            page = self.browser.page(source.address, path, size=size, scheme=scheme)
            freeze(page)
            if view:
                page.get_by_role("button", name=view, exact=True).click()
                page.wait_for_timeout(1500)
            page.wait_for_timeout(300)
            settle(page)
            name = "-".join(filter(None, ["view", path.split("/")[0], (view or "").lower(),
                                          "phone" if size == PHONE else ""]))
            self.compare(name, page.screenshot())
            page.context.close()

    def compare(self, name, shot):
        picture = Image.open(io.BytesIO(shot)).convert("RGB")
        file = MANUAL / f"{name}.png"
        if PICTURES == "write":
            MANUAL.mkdir(exist_ok=True)
            picture.quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)
            return
        expected = Image.open(file).convert("RGB")
        self.assertEqual(picture.size, expected.size, name)
        difference = ImageChops.difference(picture, expected).convert("L")
        share = sum(difference.histogram()[64:]) / (picture.width * picture.height)
        print(f"{name}: {100 * share:.2f} % of the pixels differ")
        self.assertLessEqual(share, MOST_DIFFERENT, f"{name} looks different from {file}")

    def test_nothing_is_cut_off_on_a_phone_or_a_projector(self):
        server = self.serve()
        for size in (PHONE, PROJECTOR):
            for path in PAGES:
                page = self.browser.page(server.address, path, size=size)
                freeze(page)
                for view in self.views(page, path):
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, size[0], f"{path} {view} at {size[0]} px")
                    lost = page.evaluate("""() => [
                        ...document.querySelectorAll('button, input, select')].filter((e) => {
                          const r = e.getBoundingClientRect(); return r.width &&
                          (r.left < -1 || r.right > innerWidth + 1) &&
                          !e.closest(
                            '.table, .tree-scroll, .plain-scroll, .skip, .hidden'); })
                        .map((e) => e.textContent || e.ariaLabel)""")
                    self.assertEqual(lost, [], f"{path} {view} at {size[0]} px")
                page.context.close()

    def test_the_theme_follows_the_system_and_can_be_switched(self):
        page = self.open(self.serve(), scheme="dark")
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(ground)
        switch = page.get_by_role("button", name="Colours")
        switch.click()
        light = page.evaluate(ground)
        self.assertNotEqual(dark, light)
        page.reload()
        until(page, "coracleView.store.hello !== null")
        self.assertEqual(page.evaluate(ground), light)
        switch.click()
        self.assertEqual(page.evaluate(ground), dark)
        switch.click()
        page.emulate_media(color_scheme="light")
        self.assertEqual(page.evaluate(ground), light)

    def test_readers_who_want_no_motion_get_none(self):
        server = self.serve()
        for path in PAGES:
            page = self.open(server, path, motion="reduce")
            self.assertEqual(page.evaluate("document.getAnimations().length"), 0)

    def test_each_control_is_reached_by_the_keyboard_with_a_visible_focus(self):
        server = self.serve()
        for path in PAGES:
            page = self.browser.page(server.address, path)
            freeze(page)
            page.evaluate("""() => { window.reached = new Set();
                document.addEventListener('focusin', (e) => reached.add(e.target)); }""")
            for _ in range(140):
                page.keyboard.press("Tab")
                style = page.evaluate("""() => { const e = document.activeElement;
                    if (e === document.body) return null; const s = getComputedStyle(e);
                    return [s.outlineStyle, parseFloat(s.outlineWidth), e.outerHTML.slice(0, 80)];
                    }""")
                if style is None:
                    break
                self.assertFalse(style[0] == "none" or style[1] < 1, f"{path}: {style}")
            missed = page.evaluate("""() => [...document.querySelectorAll(
                    'button, input, select, a[href]')].filter((e) => e.offsetParent &&
                    !e.disabled && e.tabIndex >= 0 && !reached.has(e))
                .map((e) => e.outerHTML.slice(0, 100))""")
            self.assertEqual(missed, [], path)
            page.context.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
