#!/usr/bin/env python3
"""compile_time.py COMPILER: an agent must compile nearly as fast as a few standard headers do.

Both files of tests/compile_time/ are compiled in turn; the best processor time of each counts.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 2.18
ROUNDS = 5
ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def seconds(compiler, source, folder):
    command = [compiler, "-std=c++20", "-O2", "-c", str(source), "-o", f"{folder}/out.o",
               f"-I{ROOT}/coracle/include"]
    process = subprocess.Popen(command, env={**os.environ, "CCACHE_DISABLE": "1"})
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{source} does not compile")
    return usage.ru_utime + usage.ru_stime


def main():
    if not (ROOT / "coracle/include/coracle/agent.hpp").exists():
        print("skipped: there is no <coracle/agent.hpp> yet")
        return SKIPPED
    sources = [ROOT / "tests/compile_time" / name for name in ("agent.cpp", "standard.cpp")]
    with tempfile.TemporaryDirectory() as folder:
        rounds = [[seconds(sys.argv[1], source, folder) for source in sources]
                  for _ in range(ROUNDS)]
    agent, standard = (min(times) for times in zip(*rounds))
    ratio = agent / standard
    print(f"an agent {agent:.2f} s, twelve standard headers {standard:.2f} s: "
          f"{ratio:.2f} times, at most {LIMIT}")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
