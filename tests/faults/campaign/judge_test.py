#!/usr/bin/env python3
"""Proves that the judge of a campaign notices faults (judge.py)."""
import tempfile
import unittest

from judge import Judge


class JudgeTest(unittest.TestCase):
    def judged(self, sent, read, dead=(), more=()):
        """ann (node 1) has sent so many messages to bob (node 2), who has read these numbers; a
        negative number was marked as redelivered."""
        with tempfile.TemporaryDirectory() as folder:
            judge = Judge(folder)
            ann, bob = judge.diary("1", 1), judge.diary("2", 1)
            with open(ann, "a") as diary:
                diary.writelines(f"A 2 {number} {100 + number}\n" for number in range(1, sent + 1))
                diary.writelines(f"{line} 200\n" for line in more)
            with open(bob, "a") as diary:
                diary.writelines(f"R 1 1 {abs(number)} {int(number < 0)} 300\n" for number in read)
            judge.read()
            self.waiting = judge.waiting(100 + sent, {("1", "1"), ("2", "1")})
            for node in dead:
                judge.bury(node, "1")
            judge.finish()
            return judge

    def blamed(self, *words, **more):
        found = self.judged(*words, **more).violations
        return " ".join(found)

    def test_what_is_read_once_and_in_order_is_right(self):
        self.assertEqual(self.blamed(3, [1, 2, 3], more=["O 2 3 consumed", "L 1 all"]), "")
        self.assertEqual(self.waiting, 0)

    def test_what_comes_again_with_its_mark_is_right(self):
        judge = self.judged(4, [1, 2, 3, -2, -3, -4])
        self.assertEqual(judge.violations, [])
        self.assertEqual(judge.counts["again"], 2)

    def test_a_lost_message_is_found(self):
        self.assertIn("1 messages of 1.1 to 2 are lost: [3]", self.blamed(3, [1, 2]))
        self.assertEqual(self.waiting, 1)
        self.assertIn("are lost: [2]", self.blamed(3, [1, 3]))

    def test_one_that_comes_twice_without_its_mark_is_found(self):
        self.assertIn("came again, without its mark", self.blamed(3, [1, 2, 2, 3]))

    def test_one_that_was_overtaken_is_found(self):
        self.assertIn("message 2 of 1.1 to 2 came after number 3", self.blamed(3, [1, 3, -2]))

    def test_what_only_a_dead_node_had_is_counted_and_not_lost(self):
        judge = self.judged(4, [1, 2], dead=["1"])
        self.assertEqual(judge.violations, [])
        self.assertEqual(judge.counts["store lost"], 2)

    def test_a_dead_node_excuses_nothing_that_was_stored_or_overtaken(self):
        self.assertIn("said to be stored", self.blamed(2, [1], dead=["1"], more=["T 2 2"]))
        self.assertIn("before others that were read", self.blamed(3, [1, 3], dead=["1"]))

    def test_what_was_said_to_be_consumed_must_have_been_read(self):
        self.assertIn("nobody has read", self.blamed(2, [1], dead=["1"], more=["O 2 2 consumed"]))

    def test_one_that_ended_otherwise_is_no_loss(self):
        judge = self.judged(2, [1], more=["O 2 2 expired"])
        self.assertEqual(judge.violations, [])
        self.assertEqual(judge.counts["ended otherwise"], 1)

    def test_what_was_never_sent_is_found(self):
        self.assertIn("was never sent", self.blamed(1, [1, 2, 3]))

    def test_an_account_that_does_not_hold_and_an_agent_that_failed_are_found(self):
        self.assertIn("does not hold", self.blamed(0, [], more=["L 0 sent 3"]))
        self.assertIn("fenced", self.blamed(0, [], more=["E reader/1 was fenced"]))


if __name__ == "__main__":
    unittest.main()
