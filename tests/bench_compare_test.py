#!/usr/bin/env python3
"""The results of scripts/bench-compare for given numbers, and the inputs that it refuses."""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "bench-compare"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("bench_compare", str(SCRIPT))
spec = importlib.util.spec_from_loader("bench_compare", loader)
compare = importlib.util.module_from_spec(spec)
loader.exec_module(compare)


class Ratios(unittest.TestCase):
    def test_what_is_always_half_is_smaller_for_certain(self):
        interval = compare.ratio([10, 12, 14], [5, 6, 7])
        for value in interval:
            self.assertAlmostEqual(value, 0.5)
        self.assertEqual(compare.verdict(interval), "smaller")

    def test_noise_is_no_difference(self):
        interval = compare.ratio([10, 11, 10, 11], [11, 10, 11, 10])
        self.assertAlmostEqual(interval[0], 1)
        self.assertEqual(compare.verdict(interval), "no difference seen")

    # ln(1.1), ln(1.2), ln(1.3): mean 0.18000, standard error 0.04825, t for two degrees 4.30.
    def test_the_interval_is_students(self):
        mean, low, high = compare.ratio([1, 1, 1], [1.1, 1.2, 1.3])
        self.assertAlmostEqual(mean, 1.1972, 3)
        self.assertAlmostEqual(low, 0.973, 2)
        self.assertAlmostEqual(high, 1.473, 2)

    def test_one_pair_says_nothing(self):
        self.assertIsNone(compare.ratio([1], [2]))

    def test_only_what_both_measured_is_shown(self):
        line = ('{"realization":"local:","params":{"pairs":2},"metric":"rate","unit":"1/s",'
                '"value":%d}')
        both = [(compare.numbers(line % 10), compare.numbers(line % 20))] * 3
        lines = compare.table(both)
        self.assertEqual(len(lines), 2)
        self.assertIn("local: pairs=2", lines[1])
        self.assertIn("2.000  [2.000, 2.000]  larger", lines[1])
        self.assertEqual(len(compare.table([(both[0][0], {})] * 3)), 1)


class Refusals(unittest.TestCase):
    def refused(self, *arguments):
        done = subprocess.run([str(SCRIPT), *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_each_says_what_to_do(self):
        self.assertIn("scripts/bench-compare HEAD .", self.refused())
        self.assertIn("--repeat needs a number", self.refused("a", "b", "rpc", "--repeat", "1"))
        self.assertIn("leave them away", self.refused("a", "b", "rpc", "--json", "-"))

    def test_a_revision_has_to_exist(self):
        self.assertIn("there is no revision", self.refused("no-such-revision", ".", "rpc"))


if __name__ == "__main__":
    unittest.main()
