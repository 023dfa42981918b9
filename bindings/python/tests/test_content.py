"""Contents: bytes, texts, values, and objects of dataclasses."""
import unittest
from dataclasses import dataclass, field
from typing import ClassVar

import coracle

VALUES = [None, True, False, 0, -1, 2**63 - 1, -2**63, 2**64 - 1, 1.5, "", "grün", b"\0\xff", [],
          [1, [2, [3]]], {}, {"a": {"b": [None]}, 7: b"x"}]


@dataclass
class Point:
    x: float
    y: float = 0.0


@dataclass
class Plan:
    content_type: ClassVar[str] = "plan/v1"
    name: str
    points: list[Point] = field(default_factory=list)
    note: str | None = None
    limits: dict[str, int] = field(default_factory=dict)
    span: tuple[int, int] = (0, 1)


class Content(unittest.TestCase):
    def test_values_come_back_as_they_were(self):
        for value in VALUES:
            self.assertEqual(coracle.from_cbor(coracle.to_cbor(value)), value)
            self.assertIs(type(coracle.from_cbor(coracle.to_cbor(value))), type(value))

    def test_a_value_that_contains_itself_is_refused(self):
        endless = []
        endless.append(endless)
        with self.assertRaisesRegex(coracle.BadEncoding, "deeper than 32"):
            coracle.to_cbor(endless)

    def test_integers_of_more_than_64_bits_are_refused(self):
        for value in 2**64, -2**63 - 1:
            with self.assertRaisesRegex(coracle.BadArgument, "64 bits"):
                coracle.to_cbor(value)

    def test_other_values_are_refused_with_their_type(self):
        for value in object(), {1, 2}, {"a": 1j}, {(1,): 2}:
            with self.assertRaisesRegex(TypeError, "object|set|complex|tuple"):
                coracle.to_cbor(value)

    def test_bytes_of_a_stranger_are_read_or_refused(self):
        good = coracle.to_cbor({"a": [1, 2.5, "x", b"y", None, True, {"b": -1}]})
        for place in range(len(good)):
            for byte in 0x00, 0x1f, 0x5f, 0x7f, 0x9b, 0xbb, 0xff:
                damaged = good[:place] + bytes([byte]) + good[place + 1:]
                try:
                    coracle.from_cbor(damaged)
                except coracle.BadEncoding:
                    pass
        for hostile in b"", b"\x9b" + b"\xff" * 8, b"\x81" * 100_000, b"\xa2\x01\x01\x01\x02":
            with self.assertRaises(coracle.BadEncoding):
                coracle.from_cbor(hostile)

    def test_messages_carry_each_kind_of_content(self):
        plan = Plan("north", [Point(1, 2)], "careful", {"speed": 3}, (4, 5))
        with coracle.connect("local:") as node, node.join("me") as me:
            for content, type_, found in (("text", "text/plain", "text"),
                                          (bytearray(b"raw"), "application/octet-stream", b"raw"),
                                          ([1, 2], "application/cbor", [1, 2])):
                me.send("me", content)
                message = me.receive()
                self.assertEqual((message.type, message.content), (type_, found))
            me.send("me", plan)
            message = me.receive(type="plan/v1")
            self.assertEqual(message.value(Plan), plan)
            self.assertEqual(message.value()["points"], [{"x": 1, "y": 2}])
            me.send("me", b"\xff", type="text/plain")
            with self.assertRaises(coracle.BadEncoding):
                me.receive().text

    def test_a_value_that_does_not_fit_is_refused_with_its_place(self):
        with coracle.connect("local:") as node, node.join("me") as me:
            for value, place in (({}, "with name"), ({"name": 7}, r"\.name"),
                                 ([], "fields of Plan"),
                                 ({"name": "n", "points": [{"x": "1"}]}, r"points\[0\]\.x"),
                                 ({"name": "n", "span": [1]}, "2 items")):
                me.send("me", value)
                with self.assertRaisesRegex(coracle.WrongType, place):
                    me.receive().value(Plan)

    def test_texts_with_a_zero_and_impossible_times_are_refused(self):
        with coracle.connect("local:") as node, node.join("me") as me:
            with self.assertRaisesRegex(ValueError, "zero"):
                me.send("me\0you", "x")
            for within in -1, float("nan"):
                with self.assertRaisesRegex(ValueError, "seconds"):
                    me.receive(within=within)
            self.assertIsNone(me.receive(within=0))


if __name__ == "__main__":
    unittest.main()
