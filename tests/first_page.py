#!/usr/bin/env python3
"""first_page.py: types page 1 of the manual and the README's commands to link, as they are written.

A fresh copy of the project is made, with all files that git has or would add, and a new home
folder. The commands of the page run one after the other: those before the CMakeLists.txt in the
copy's root, those behind it in a new folder that holds this file and the program as hello.cpp. Then
the README's commands install the copy, and link the same program as your_program.cpp. Each run
must print what the page says. ccache keeps its folder, so what was built elsewhere with the same
options, and with CCACHE_BASEDIR, is not compiled again.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/manual/01-first-society.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)
LIMIT = 1800  # seconds, for each block of commands
LINKING = re.compile(r"^## Linking it$(.*?)^## ", re.S | re.M)
PKG_CONFIG_PATH = re.compile(r"`(PKG_CONFIG_PATH=[^`]+)`")


def copy_to(root):
    names = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-coz",
                            "--exclude-standard"], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                           check=True).stdout.split("\0")
    for name in filter(lambda each: (ROOT / each).is_file(), names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)


def environment(area):
    """With a new home, and the usual folder of ccache, for which paths in the copy are relative."""
    found = dict(os.environ, HOME=str(area / "home"), CCACHE_BASEDIR=str(area / "coracle"))
    if shutil.which("ccache"):
        found["CCACHE_DIR"] = subprocess.run(["ccache", "-k", "cache_dir"], text=True, check=True,
                                             stdout=subprocess.PIPE).stdout.strip()
    return found


def run(commands, folder, env):
    print(f"== {folder}: {commands}", flush=True)
    done = subprocess.run(["timeout", str(LIMIT), "bash", "-euo", "pipefail", "-c", commands],
                          cwd=folder, text=True, env=env, stdout=subprocess.PIPE, check=False)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        how = f"after {LIMIT} s it had not ended" if done.returncode == 124 else done.returncode
        sys.exit(f"first_page: a command fails ({how}): {commands}")
    return done.stdout


def expect(printed, shown):
    if printed not in shown:
        sys.exit(f"first_page: the program printed {shown!r} instead of {printed!r}")


def type_page(root, project, env):
    """Types page 1; returns what its program prints."""
    folder, printed = root, None
    for language, text in BLOCK.findall((root / PAGE).read_text()):
        if language == "cpp":
            (project / "hello.cpp").write_text(text)
        elif language == "text":
            printed = text
        elif language == "cmake":
            (project / "CMakeLists.txt").write_text(text)
            folder = project
        elif language == "sh":
            shown = run(text, folder, env)
            if "hello" in text.split()[-1] and printed is not None:
                expect(printed, shown)
    if folder == root or printed is None:
        sys.exit(f"first_page: {PAGE} has no project, or does not show what it prints")
    return printed


def type_readme(root, project, env, printed):
    """Installs as the README says, and links with what it installed by pkg-config."""
    shutil.rmtree(env["HOME"])
    text = LINKING.search((root / "README.md").read_text()).group(1)
    install, link = [block for language, block in BLOCK.findall(text) if language == "sh"]
    run(install, root, env)
    shutil.copy(project / "hello.cpp", project / "your_program.cpp")
    path = PKG_CONFIG_PATH.search(text).group(1)
    expect(printed, run(f"export {path}\n{link}./a.out", project, env))


def main():
    with tempfile.TemporaryDirectory() as folder:
        area = pathlib.Path(folder)
        root, project = area / "coracle", area / "hello"
        for each in (root, project, area / "home"):
            each.mkdir()
        copy_to(root)
        env = environment(area)
        printed = type_page(root, project, env)
        type_readme(root, project, env, printed)


if __name__ == "__main__":
    main()
