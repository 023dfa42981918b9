"""The base of the tests that open pages of a scripted society in a browser."""
import unittest

from browser import Browser, settle
from feed_server import FeedServer, Workshop


class Served(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def serve(self, workshop=None):
        workshop = workshop or Workshop()
        server = FeedServer(workshop.opening, workshop.answer)
        self.addCleanup(server.close)
        return server

    def open(self, server, path="sequence", **how):
        page = self.browser.page(server.address, path, **how)
        self.addCleanup(page.context.close)
        self.addCleanup(lambda: self.assertEqual(page.faults, []))
        return page

    def requests(self, server, what):
        return [each for each in server.requests if each["do"] == what]

    def wait_for_request(self, page, server, what, number=1):
        for _ in range(250):
            if len(self.requests(server, what)) >= number:
                return self.requests(server, what)[-1]
            page.wait_for_timeout(20)
        self.fail(f"the page sent no request {what}: {server.requests}")

    def views(self, page, path):
        """Opens each view of a page in turn."""
        yield ""
        names = {"society": ["Table", "Graph", "Groups"],
                 "load": ["Agents", "Links", "All values", "Panels"],
                 "decisions": ["Councils", "Markets", "Games", "Layers", "Pipelines"]}
        for name in names.get(path, []):
            page.get_by_role("button", name=name, exact=True).click()
            settle(page)
            yield name
