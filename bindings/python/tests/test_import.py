"""The package itself: it is quick to import, complete, and explains itself."""
import pydoc
import subprocess
import sys
import unittest

import coracle
from coracle import caf, calls, dispel

TIMES = """
import time
import asyncio
began = time.process_time()
import coracle
print(time.process_time() - began)
"""


def output_of(script):
    return subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


class Package(unittest.TestCase):
    def test_it_is_imported_in_20_milliseconds(self):
        took = [float(output_of(TIMES)) for _ in range(7)]
        self.assertLess(min(took), 0.020)

    def test_rare_parts_are_imported_late(self):
        seen = output_of("import coracle, sys; print(*sys.modules)").split()
        for rare in ("sqlite3", "dataclasses", "coracle.blocking", "coracle.recordings",
                     "coracle.calls", "coracle.dispel", "coracle.caf"):
            self.assertNotIn(rare, seen)

    def test_every_public_object_explains_itself(self):
        for module in coracle, calls, dispel, caf:
            self.assertTrue(module.__doc__)
            for name in module.__all__:
                public = getattr(module, name)
                self.assertTrue(public.__doc__ or not isinstance(public, type), name)
                for key, part in vars(public).items() if isinstance(public, type) else ():
                    if not key.startswith("_") and callable(part):
                        self.assertTrue(part.__doc__, f"{name}.{key}")

    def test_help_teaches(self):
        text = pydoc.plain(pydoc.render_doc(coracle))
        for word in "async def run(self)", "node.start", "coracle.connect", "within":
            self.assertIn(word, text)

    def test_each_error_has_its_own_code(self):
        kinds = coracle.Error.__subclasses__()
        self.assertEqual(len({each.code for each in kinds}), len(kinds))
        self.assertTrue(set(range(1, 39)) <= {each.code for each in kinds})


if __name__ == "__main__":
    unittest.main()
