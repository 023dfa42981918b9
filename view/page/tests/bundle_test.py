"""The bundle in the tree is the one that the sources give; it is small and complete."""
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PAGE = pathlib.Path(__file__).resolve().parent.parent
BUNDLE = PAGE / "bundle"
TOOLS = os.environ["CORACLE_VIEW_TOOLS"]
MOST_BYTES = 400 * 1024


class Bundle(unittest.TestCase):
    def test_the_bundle_is_what_the_sources_give(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PAGE / "build", TOOLS, folder], check=True, timeout=120)
            made = {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()}
        kept = {file.name: file.read_bytes() for file in BUNDLE.iterdir()}
        different = sorted(name for name in made.keys() | kept.keys()
                           if made.get(name) != kept.get(name))
        self.assertEqual(different, [], "run view/page/build FOLDER and commit the bundle")

    def test_the_bundle_is_small(self):
        sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in BUNDLE.iterdir()}
        print(f"compressed: {sizes}, together {sum(sizes.values())} bytes")
        self.assertLess(sum(sizes.values()), MOST_BYTES)

    def test_the_bundle_needs_no_other_server(self):
        own = {"http://www.w3.org/"}  # names of SVG and MathML, which nobody loads
        for file in BUNDLE.iterdir():
            if file.name == "LICENSES.txt":
                continue
            text = file.read_text()
            found = {each for each in re.findall(r"https?://[\w.-]+/", text)} - own
            self.assertEqual(found, set(), file.name)

    def test_the_lock_file_names_no_server(self):
        self.assertNotIn('"resolved"', (PAGE / "package-lock.json").read_text())

    def test_html_has_no_code_or_style_of_its_own(self):
        text = (BUNDLE / "index.html").read_text()
        self.assertEqual(re.findall(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
