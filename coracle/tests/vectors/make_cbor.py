#!/usr/bin/env python3
"""Writes cbor.txt: encodings, and what they mean, by another language's implementation.

pip install cbor2 && python3 make_cbor.py > cbor.txt

A line is: HEX MEANING again|other, or HEX error. `again` means that encoding the meaning gives the
same bytes. Meanings: null, true, 1, -1, f<bits>, nan, t'hex', h'hex', [a,b], {k:v,}.
"""
import random
import struct

import cbor2

# RFC 8949 appendix A without simple values. The library writes doubles (so does cbor2, except for
# infinity and NaN); it reads shorter floating-point numbers, but does not write them.
SAME = """
00 01 0a 17 1818 1819 1864 1903e8 1a000f4240 1b000000e8d4a51000 1bffffffffffffffff 20 29 3863
3903e7 fb3ff199999999999a fb7e37e43c8800759c fbc010666666666666 f4 f5 f6 40 4401020304 60 6161
6449455446 62225c 62c3bc 63e6b0b4 64f0908591 80 83010203 8301820203820405
98190102030405060708090a0b0c0d0e0f101112131415161718181819 a0 a201020304 a26161016162820203
826161a161626163 a56161614161626142616361436164614461656145""".split()
OTHER = """
f90000 f98000 f93c00 f93e00 f97bff fa47c35000 fa7f7fffff f90001 f90400 f9c400 f97c00 f97e00
f9fc00 fa7f800000 fa7fc00000 faff800000 fb7ff0000000000000 fb7ff8000000000000 fbfff0000000000000
f7 5f42010243030405ff 7f657374726561646d696e67ff 9fff 9f018202039f0405ffff 9f01820203820405ff
83018202039f0405ff 83019f0203ff820405 9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff
bf61610161629f0203ffff 826161bf61626163ff bf6346756ef563416d7421ff""".split()
# Encodings with tags; their meaning is that of the item under the tags.
TAGGED = """
c074323031332d30332d32315432303a30343a30305a c11a514b67b0 c1fb41d452d9e8200000 d74401020304
d818456449455446 d82076687474703a2f2f7777772e6578616d706c652e636f6d c249010000000000000000
c349010000000000000000""".split()
# The kinds of malformed input in appendix F, unassigned simple values, and a number beyond 64 bits.
ERRORS = """
18 19 1a 1b 1901 1a0102 1b01020304050607 38 58 78 98 9a01ff00 b8 d8 f8 f900 fa0000 fb000000 41 61
5affffffff00 5bffffffffffffffff010203 7affffffff00 7b7fffffffffffffff010203 81 8181 818181 8200
a1 a20102 a100 a2000000 c0 5f4100 7f6100 9f 9f0102 bf bf01020102 819f 9f8000 9f9f9f9f9fffffffff
9f819f819f9fffffff 1c 1d 1e 3c 3d 3e 5c 5d 5e 7c 7d 7e 9c 9d 9e bc bd be dc dd de fc fd fe f0
f8ff f818 f800 ff 81ff 8200ff a1ff a1ff00 a100ff a20000ff 9f81ff 9f829f819f9fffffffff bf00ff
bf000000ff 1f 3f df 5f00ff 5f21ff 5f6100ff 5f80ff 5fa0ff 5fc000ff 5fe0ff 7f4100ff 5f5f4100ffff
7f7f6100ffff 0000 9fc0ff 81c0 3bffffffffffffffff""".split()


def bits(number):
    return "nan" if number != number else "f" + struct.pack(">d", number).hex()


def shown(value):
    if value is None or value is cbor2.undefined:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return bits(value)
    if isinstance(value, str):
        return f"t'{value.encode().hex()}'"
    if isinstance(value, bytes):
        return f"h'{value.hex()}'"
    if isinstance(value, list):
        return "[" + "".join(shown(item) + "," for item in value) + "]"
    return "{" + "".join(f"{shown(k)}:{shown(v)}," for k, v in value.items()) + "}"


def any_value(chance, depth):
    kind = chance.randrange(9 if depth < 5 else 7)
    if kind == 0:
        return chance.choice([None, True, False])
    if kind in (1, 2):
        return chance.getrandbits(chance.randrange(64)) * chance.choice([-1, 1]) - 1
    if kind == 3:
        return chance.choice([0.0, -0.0, 1.5, 1e300, 5e-324, chance.gauss(0, 1e3)])
    if kind == 4:
        return "".join(chance.choice("abc äß→𝄞\n\"\0") for _ in range(chance.randrange(40)))
    if kind in (5, 6):
        return chance.randbytes(chance.choice([0, 1, 2, 3, 5, 8, 23, 24, 256]))
    size = chance.randrange(6) if depth else chance.choice([3, 23, 24, 30])
    if kind == 7:
        return [any_value(chance, depth + 1) for _ in range(size)]
    return {chance.choice(["k", "key", "Schlüssel"]) + str(i) if i % 3 else i:
            any_value(chance, depth + 1) for i in range(size)}


def main():
    print("# Written by make_cbor.py, which says what a line means.")
    for how, names in (("again", SAME), ("other", OTHER)):
        for name in names:
            print(name, shown(cbor2.loads(bytes.fromhex(name))), how)
    for name in TAGGED:
        head = 2 if name.startswith(("d818", "d820")) else 1
        print(name, shown(cbor2.loads(bytes.fromhex(name)[head:])), "other")
    for name in ERRORS:
        print(name, "error")
    chance = random.Random(8949)
    for _ in range(100):
        value = any_value(chance, chance.choice([0, 0, 1, 2]))
        print(cbor2.dumps(value).hex(), shown(value), "again")


main()
