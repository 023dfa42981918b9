#!/usr/bin/env python3
"""refused.py COMPILER FILE: the compiler refuses each case of FILE and prints the reason.

`// case: TEXT` begins a case, which ends at the next one. The lines before the first case and
after `// case: end` belong to each case. A case must give exactly one error, and the message holds
TEXT; of `A / B`, both parts. The case `accepted` must compile.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASE = re.compile(r"\s*// case: (.+)")


def cases(text):
    """(line number, TEXT, the program) of every case; the other cases are blank lines in it."""
    lines = text.split("\n")
    begins = [i for i, line in enumerate(lines) if CASE.match(line)]
    for begin, end in zip(begins, begins[1:]):
        kept = [line if i < begins[0] or begin < i < end or i > begins[-1] else ""
                for i, line in enumerate(lines)]
        yield begin + 1, CASE.match(lines[begin]).group(1), "\n".join(kept)


def compile(compiler, program):
    """Returns whether it compiles, and the compiler's output."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "case.cpp")
        source.write_text(program)
        run = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/coracle/include", str(source)],
            env={**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        return run.returncode == 0, run.stdout


def fault_of(wanted, compiles, said):
    if wanted == "accepted":
        return None if compiles else "is refused"
    if compiles:
        return "compiles"
    # Compilers write the same type differently.
    plain = said.replace("(anonymous namespace)", "{anonymous}")
    for text in wanted.split(" / "):
        if text not in plain:
            return f"is refused in other words than {text!r}"
    errors = len(re.findall(r"\berror:", said))
    return None if errors == 1 else f"is refused with {errors} errors"


def main():
    compiler, path = sys.argv[1:]
    wrong = checked = 0
    for number, wanted, program in cases(pathlib.Path(path).read_text()):
        compiles, said = compile(compiler, program)
        fault = fault_of(wanted, compiles, said)
        checked += 1
        if fault:
            wrong += 1
            print(f"{path}:{number}: {fault}; the compiler says:\n{said}")
    print(f"refused: {checked} cases, {wrong} judged wrongly")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
