"""live_test.py CORACLE SOCIETY [ANTS]: the page in a browser, served by `coracle view`, shows a
contract net of three processes, agents that wait in a circle, and Huey, on each realization. ANTS
is the example with a queen and ants; it is recorded and replayed."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, longest_task, policy_faults, settle, until

CORACLE, SOCIETY = sys.argv[1:3]
ANTS = sys.argv[3] if len(sys.argv) > 3 else ""
LIMIT = 30  # seconds for one step
REALIZATIONS = ("central", "directory")
# Everybody may do everything, also what needs a policy.
ALL = "".join(f"allow {who} {what} **\n" for who, what in (
    ("*", "register"), ("**", "send"), ("**", "overhear"), ("*", "inspect"), ("*", "operate")))


@contextlib.contextmanager
def running(*words, **environment):
    """A process that has printed its first line, which is given; it is ended at last."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **environment})
    try:
        line = process.stdout.readline() if words[1] != "huey" else ""
        if not line and words[1] != "huey":
            raise AssertionError(process.communicate(timeout=LIMIT))
        yield line
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@contextlib.contextmanager
def society(kind, policy=""):
    """The text of a realization whose service runs."""
    with tempfile.TemporaryDirectory() as folder:
        words = (CORACLE, kind, "--listen", f"unix://{folder}/service")
        if policy:
            pathlib.Path(f"{folder}/policy").write_text(policy)
            words += ("--policy", f"{folder}/policy")
        with running(*words):
            yield (f"central+unix://{folder}/service" if kind == "central"
                   else f"distributed:directory=unix://{folder}/service,folder={folder}")


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    @contextlib.contextmanager
    def view(self, *words, path="sequence"):
        """A page of `coracle view` with these options."""
        with self.shown_by((CORACLE, "view", *words), path) as page:
            yield page

    @contextlib.contextmanager
    def shown_by(self, command, path="sequence", **environment):
        """The page of a command that prints its address."""
        with running(*command, **environment) as line:
            address = re.search(r"https?://\S+", line).group()
            page = self.browser.page(address, path)
            yield page
            self.assertEqual(page.faults, [])
            self.assertEqual(policy_faults(page), [])
            print(f"{self._testMethodName}: longest task {longest_task(page):.0f} ms")
            page.context.close()

    def go(self, page, path):
        page.evaluate("(path) => { location.hash = '#/' + path; }", path)
        settle(page)

    def test_a_contract_net_of_three_processes_is_seen(self):
        for kind in REALIZATIONS:
            with society(kind) as where, contextlib.ExitStack() as processes:
                place = {"CORACLE_REALIZATION": where}
                for words in (("bidder", "ann", "14"), ("bidder", "bob", "31"), ("client",)):
                    processes.enter_context(running(SOCIETY, *words, **place))
                with self.view("--realization", where) as page:
                    until(page, "coracleView.store.messages.rows.length > 20", LIMIT)
                    names = page.get_by_role("button", name=re.compile("Open (customer|ann|bob)"))
                    names.nth(2).wait_for()
                    until(page, "!coracleView.store.messages.reported || "
                                "coracleView.store.messages.outcomes.get('consumed') > 5")
                    self.go(page, "society")
                    page.get_by_role("link", name="customer").first.wait_for()
                    self.go(page, "decisions")
                    contract = page.get_by_role("region", name="The chosen decision")
                    contract.get_by_text("awards to yard/ann").wait_for()
                    self.assertIn("build", contract.inner_text())
                    self.go(page, "sequence")
                    page.get_by_role("listbox", name="Messages").focus()
                    page.keyboard.press("ArrowUp")
                    page.keyboard.press("Enter")
                    detail = page.get_by_role("complementary")
                    detail.get_by_text("map of").or_(detail.get_by_text("list of")).first.wait_for()

    @unittest.skipUnless(ANTS, "needs the examples")
    def test_the_commands_of_the_manual_show_huey_and_a_contract_net(self):
        manual = (pathlib.Path(__file__).parents[3] / "docs/manual/47-view.md").read_text()
        pairs = re.findall(r"```sh\ncoracle (view .*)\n(.*bin/examples/.*)\n```", manual)
        programs = str(pathlib.Path(CORACLE).resolve().parent)
        shown = {"huey": "rows.length > 50", "yard": "rows.length > 20"}
        self.assertEqual(len(pairs), len(shown))
        for view, program in pairs:
            with tempfile.TemporaryDirectory() as folder:
                place = {"XDG_RUNTIME_DIR": folder}
                with self.shown_by((CORACLE, *view.split()), **place) as page:
                    settle(page)
                    until(page, "coracleView.store.hello.rights.overhear === true", LIMIT)
                    shell = subprocess.Popen(
                        ["sh", "-c", program.replace("build/release/bin", programs)],
                        env={**os.environ, **place}, stdout=subprocess.DEVNULL,
                        start_new_session=True)
                    try:
                        name = view.rpartition("=")[2]
                        until(page, "coracleView.store.messages." + shown[name], LIMIT)
                        page.locator(".lifeline").nth(2).wait_for()
                        if name == "yard":
                            self.shows_a_contract_net(page)
                    finally:
                        os.killpg(shell.pid, signal.SIGTERM)
                        shell.wait(timeout=LIMIT)

    def shows_a_contract_net(self, page):
        for who in ("customer", "ann", "bob"):
            page.get_by_role("button", name=f"Open {who}").first.wait_for()
        self.go(page, "decisions")
        contract = page.get_by_role("region", name="The chosen decision")
        contract.get_by_text("awards to yard/").first.wait_for()
        self.go(page, "society")
        until(page, "new Set(['customer', 'ann', 'bob'].map((name) => "
                    "coracleView.store.agents.get('yard/' + name)?.node)).size === 3", LIMIT)
        until(page, "coracleView.store.nodes.size === 4")  # one of them is the view's

    def test_agents_that_wait_in_a_circle_are_named(self):
        for kind in REALIZATIONS:
            with society(kind) as where, running(SOCIETY, "stuck", CORACLE_REALIZATION=where):
                with self.view("--realization", where, path="agent/stuck%2Fcook") as page:
                    why = page.locator(".why")
                    why.get_by_text("A circle").wait_for()
                    self.assertIn("stuck/egg → stuck/hen → stuck/egg", why.inner_text())
                    self.go(page, "sequence")
                    page.get_by_text("Circle of waits:").wait_for()

    def test_messages_are_held_and_let_go_one_by_one(self):
        replies = "coracleView.store.messages.rows.filter((row) => row.kind === 'reply').length"
        for kind in REALIZATIONS:
            with society(kind, ALL) as where, \
                    running(SOCIETY, "guarded", CORACLE_REALIZATION=where), \
                    self.view("--realization", where) as page:
                until(page, f"{replies} > 2", LIMIT)
                page.get_by_role("button", name="More").click()
                page.get_by_label("Pattern").fill("yard/dog")
                page.get_by_role("button", name="Hold", exact=True).click()
                hold = page.locator(".hold")
                next_one = hold.get_by_text("are you there?")
                next_one.wait_for()
                self.assertRegex(hold.inner_text(), r"next: yard/boy →\s*yard/dog")
                before = page.evaluate(replies)
                page.get_by_role("button", name="Let one go").click()
                until(page, f"{replies} === {before + 1}")
                next_one.wait_for()  # the boy's next request is held again
                self.assertEqual(page.evaluate(replies), before + 1)
                page.get_by_role("button", name="Let all go").click()
                hold.wait_for(state="detached")
                until(page, f"{replies} > {before + 3}")

    @unittest.skipUnless(ANTS, "needs the examples")
    def test_a_recording_is_replayed_with_a_message_dropped(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ANTS], check=True, timeout=LIMIT, capture_output=True, env={
                **os.environ, "CORACLE_REALIZATION": f"sim:seed=42,record={folder}/run.db"})
            with self.view("--recording", f"{folder}/run.db", "--program", ANTS,
                           path="time/2") as page:
                page.get_by_role("button", name="Replay", exact=True).click()
                page.get_by_text("the simulation is stuck").wait_for()
                table = page.locator(".difference")
                table.get_by_text("not sent").first.wait_for()
                self.assertIn("dropped", table.inner_text())
            with self.view("--recording", f"{folder}/run.db", path="time/2") as page:
                page.get_by_text("cannot be replayed here").wait_for()
                page.get_by_text("--program").wait_for()

    def test_huey_is_seen_while_he_explores(self):
        with society("central") as where:
            with self.view("--realization", where) as page, \
                    running(SOCIETY, "huey", CORACLE_REALIZATION=where):
                until(page, "coracleView.store.messages.rows.length > 50", LIMIT)
                until(page, "[...coracleView.store.agents.keys()]"
                            ".some((name) => name.startsWith('huey/'))")
                page.locator(".lifeline").nth(2).wait_for()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
