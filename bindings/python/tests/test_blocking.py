"""Ports whose calls wait: for scripts, notebooks and threads."""
import os
import signal
import tempfile
import threading
import unittest

import coracle

LIMIT = 20


class Blocking(unittest.TestCase):
    def setUp(self):
        self.node = self.enterContext(coracle.connect("local:"))
        self.ann, self.bob = self.node.join("ann"), self.node.join("bob")

    def test_other_threads_run_while_a_call_waits(self):
        def answer():
            message = self.bob.receive()
            self.bob.reply(message, message.text + "!")

        thread = threading.Thread(target=answer)
        thread.start()
        self.assertEqual(self.ann.ask("bob", "hello", within=LIMIT).text, "hello!")
        thread.join()

    def test_control_c_ends_a_wait_and_loses_nothing(self):
        timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.bob.receive(within=LIMIT)
        timer.join()
        self.ann.send("bob", "x")
        self.assertEqual(self.bob.receive(within=LIMIT).text, "x")

    def test_messages_end_when_none_comes_in_time(self):
        for each in "1", "2":
            self.ann.send("bob", each)
        self.assertEqual([each.text for each in self.bob.messages(within=0.01)], ["1", "2"])

    def test_a_list_a_group_and_an_eavesdropper(self):
        cid = self.node.join("cid")
        cid.join("choir")
        with self.bob.overhear(source="ann", text="la") as ear:
            self.ann.send(["bob", "cid"], "both")
            self.ann.send(group="choir", content="la")
            self.assertEqual(self.bob.receive(addressed=True).text, "both")
            self.assertEqual(ear.receive(within=LIMIT).text, "la")
        self.assertEqual([each.text for each in cid.receive_many(5)], ["both", "la"])
        self.assertEqual(self.ann.members("choir"), ["cid"])

    def test_the_directory_and_a_watch(self):
        self.ann.describe(skill="welding", speed=2, free=True)
        found = self.bob.search(where={"speed": coracle.at_least(2), "skill": "welding"})
        self.assertEqual(found, [("ann", {"skill": "welding", "speed": 2, "free": True})])
        self.assertEqual(self.bob.search(where={"speed": coracle.greater(2)}), [])
        with self.assertRaises(coracle.NoSuchAgent):
            self.bob.watch("nobody")

    def test_a_tuple_space(self):
        self.node.start_space("board")
        board = self.ann.space("board")
        board.out("task", 7, 2.5, True, b"x")
        pattern = ("task", int, float, bool, bytes)
        self.assertEqual(board.read(*pattern), ("task", 7, 2.5, True, b"x"))
        self.assertEqual(board.take(*pattern, within=LIMIT), ("task", 7, 2.5, True, b"x"))
        self.assertIsNone(board.try_take(*pattern))
        self.assertIsNone(board.take("task", str, within=0.01))
        with self.assertRaises(TypeError):
            board.out([])

    def test_errors_are_classes_of_one_hierarchy(self):
        with self.assertRaisesRegex(coracle.NameTaken, "ann") as caught:
            self.node.join("ann")
        self.assertIsInstance(caught.exception, coracle.Error)
        self.assertEqual(caught.exception.code, 2)
        with self.assertRaises(ValueError):
            self.ann.send("a//b", "x")
        with self.assertRaises(TimeoutError):
            self.ann.ask("bob", "?", within=0.01)

    def test_a_recording_gives_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.db")
            with coracle.connect(f"local:record={path}") as node:
                ann, bob = node.join("ann"), node.join("bob")
                ann.send("bob", "hello")
                bob.receive().free()
                node.stop()
            rows = coracle.recording(path).messages()
            self.assertEqual([(row["source"], row["target"], row["content"]) for row in rows],
                             [("ann", "bob", "hello")])
            self.assertIn("consumed", [row["what"] for row in coracle.recording(path).events()])
            with self.assertRaises(coracle.NoSuchFile):
                coracle.recording(path + ".none")
            with open(path + ".txt", "w") as file:
                file.write("nonsense, and much of it" * 100)
            with self.assertRaises(coracle.BadEncoding):
                coracle.recording(path + ".txt")


if __name__ == "__main__":
    unittest.main()
