"""Drives the page in Debian's Chromium, and measures what a reader would feel."""
import os
import pathlib
import shutil

from playwright.sync_api import sync_playwright

PAGES = ["sequence", "society", "agent/shop%2Forders", "load", "decisions", "time"]
PHONE, DESK, PROJECTOR = (390, 844), (1280, 800), (1920, 1080)
MANUAL = pathlib.Path(__file__).resolve().parents[3] / "docs" / "manual" / "images"

# Runs before the page's own code: notes what takes long and what moves by itself.
WATCH = """
window.measured = {tasks: [], shifts: [], errors: []};
new PerformanceObserver((list) => { for (const each of list.getEntries())
  measured.tasks.push(each.duration); }).observe({type: 'longtask', buffered: true});
new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput)
  measured.shifts.push([each.value, each.sources.map(
    (s) => s.node && (s.node.className || s.node.nodeName)).join()]);
}).observe({type: 'layout-shift', buffered: true});
document.addEventListener('securitypolicyviolation', (e) =>
  measured.errors.push(`the policy forbids ${e.violatedDirective} ${e.blockedURI}`));
"""


def chromium():
    """The path of Chromium, or None."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


class Browser:
    """A headless Chromium; `page(...)` opens the view in a fresh context."""

    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage",
                                              "--font-render-hinting=none", "--hide-scrollbars",
                                              "--force-color-profile=srgb"])
        return self

    def __exit__(self, *nothing):
        self.chromium.close()
        self.playwright.stop()

    def page(self, address, path="sequence", size=DESK, scheme="light", motion="no-preference"):
        context = self.chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
            reduced_motion=motion)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(15000)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and
                "WebSocket connection" not in message.text and
                page.faults.append(message.text))
        page.goto(f"{address}#/{path}")
        until(page, "coracleView.store.hello !== null")
        return page


def until(page, condition, seconds=15):
    """Waits until an expression is true. Playwright's own way needs the eval that the policy
    forbids."""
    for _ in range(seconds * 50):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"after {seconds} s it is not so: {condition}")


def settle(page):
    """Waits until two frames are drawn after the page's last planned redraw."""
    page.evaluate("""() => new Promise((done) => { coracleView.store.changedNow();
        requestAnimationFrame(() => requestAnimationFrame(done)); })""")


def freeze(page):
    """Stops the society's clock, so that pictures repeat."""
    page.evaluate("""() => { const store = coracleView.store;
        store.time = () => store.player ? store.player.at : 41.3; }""")
    until(page, "coracleView.store.messages.rows.length >= 60")
    settle(page)


def longest_task(page):
    return page.evaluate("Math.max(0, ...measured.tasks)")


def shifts(page):
    return page.evaluate("measured.shifts")


def policy_faults(page):
    return page.evaluate("measured.errors")
