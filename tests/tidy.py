#!/usr/bin/env python3
"""Checks the parts of the project's layout and style that a machine can check.

tests/tidy.py               every file of the project; prints FILE:LINE: the fault, the remedy
tests/tidy.py --self-test   proves that each rule notices a mutation
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import prose  # noqa: E402; it checks that comments are in plain English
CODE = (".hpp", ".cpp", ".h", ".c")
TEXT = CODE + (".py", ".cmake", ".txt", ".md", ".json", ".in", ".yml", ".js", ".mjs", ".css", "")
BUILT = "view/page/bundle/"
LINE_MAX, FILE_NOTE, FILE_MAX, FUNCTION_MAX = 100, 300, 400, 70

# Which layers each top-level folder may include. `realization` is any coracle/realizations/ header.
MAY_INCLUDE = {
    "coracle": {"coracle"},
    "dispel": {"coracle", "dispel"},
    "caf": {"coracle", "dispel", "caf"},
    "acl": {"coracle", "acl"},
    "realizations": {"coracle"},  # and their own header, see layering()
    "testing": {"coracle"},  # and the simulator, see layering()
    "gateways": {"coracle", "dispel", "caf", "acl", "http", "fipa", "web"},  # see layering()
    "view": {"coracle", "formats", "http"},  # see layering()
}
ADAPTERS = ("include/coracle/asio.hpp", "include/coracle/detail/asio_result.hpp",
            "include/coracle/log_spdlog.hpp")  # for users of that library
OUTSIDE = ("boost", "fmt", "spdlog", "re2", "cbor", "openssl", "sqlite3", "zstd", "CLI",
           "expat", "omniORB4", "omnithread", "cjose", "jansson")

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[">]')
CLOCK = re.compile(r"coracle/src/(.*/)?[^/]*(clock|random)[^/]*\.cpp")
TEST = re.compile(r"(.*/)?tests/|examples/")
BENCH = re.compile(r"bench/")

# (the forbidden text, files it concerns, files it does not concern, the remedy)
BANNED = [
    (r"\b(sleep_for|sleep_until|usleep|nanosleep)\s*\(|(?<!\w)::sleep\s*\(", TEST, None,
     "sleeps; wait for the event itself, or use virtual time"),
    (r"\bstd::w?(regex|smatch|cmatch)\b|#\s*include\s*<regex>", None, None,
     "std::regex is slow and not linear; use RE2 (coracle/src)"),
    (r"(?<![\w.:>])(std::)?s?rand\s*\(|\bstd::random_device\b", None, CLOCK,
     "asks for randomness; take it from the node's Random, so that a run can be repeated"),
    (r"\b(system|steady|high_resolution)_clock::now\b", None,
     re.compile(CLOCK.pattern + "|bench/"),
     "asks for the time; take it from the node's Clock, so that tests can own it"),
]
# Split, so that this file may be checked too.
BANNED_IN_TEXT = [
    (r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b", "an unfinished thought; finish it or open an issue"),
    (r"(?<![\w.}])/wo" r"rk/", "a path of one particular machine; use a path within the project"),
]


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(text):
    """`text` with comments and the inside of literals blanked; lines and columns stay."""
    return re.sub(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|(?<!include )"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
        blank, text, flags=re.S)


def layer_of(include):
    for layer in ("dispel", "caf", "acl", "http", "fipa", "web", "jose", "a2a", "mcp", "formats"):
        if include.startswith(f"coracle/{layer}/"):
            return layer
    return "realization" if include.startswith("coracle/realizations/") else "coracle"


def layering(path, lines):
    folders = path.split("/")
    here = folders[0]
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        include = match.group(1)
        if include.startswith("runtime/") and not path.startswith(("coracle/src/", "coracle/tests/",
                                                                   "tests/", "bench/")):
            yield number, (f"{include} is private to coracle/; what others need belongs in a "
                           "public header")
        private = re.match(r"(coracle|dispel|caf|acl|realizations/(\w+))/src/", include)
        outer = here in ("gateways", "view")
        tests = here in ("tests", "bench") or (outer and folders[2] == "tests")
        if private and not tests:
            shared = "net" if not outer else None
            own = private.group(1) == here or private.group(2) in (folders[1], shared)
            if not own:
                yield number, (f"{include} is private to {private.group(1)}/; what others need "
                               "belongs in a public header")
        if not include.startswith("coracle/") or private or here not in MAY_INCLUDE:
            continue
        layer = layer_of(include)
        if here == "realizations" and layer == "realization" and (
                folders[1] == "open" or re.match(
                    f"coracle/realizations/{folders[1]}(_\\w+)?\\.hpp$", include)):
            continue  # its own headers; `open` makes all realizations
        if folders[:2] == ["realizations", "recording"] and include.endswith("/sim.hpp"):
            continue  # recordings are replayed in the simulator
        if here == "testing" and include == "coracle/realizations/sim.hpp":
            continue
        if outer and (tests or include.startswith(f"coracle/{folders[1]}/")):
            continue
        if folders[:2] == ["view", "live"] and layer in ("dispel", "caf"):
            continue  # it recognizes their structures
        if layer not in MAY_INCLUDE[here]:
            yield number, (f"{here}/ must not know {layer} ({include}); turn the dependency round "
                           "or pass it in as an interface")


def public_header(path, lines):
    if not re.match(r"(.*/)?include/coracle/.*\.hpp$", path):
        return
    if not lines or not lines[0].startswith("//"):
        yield 1, "a public header begins with a // comment that says what it is for"
    if "#pragma once" not in lines:
        yield 1, "a public header needs #pragma once"
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match and not path.endswith(ADAPTERS):
            if re.split(r"[/.]", match.group(1))[0] in OUTSIDE:
                yield number, (f"public headers do not show {match.group(1)}; hide it behind a "
                               "pimpl or in src/")


def banned(path, lines):
    code = without_comments("\n".join(lines)).split("\n")
    for pattern, where, except_in, advice in BANNED:
        if (where and not where.match(path)) or (except_in and except_in.match(path)):
            continue
        for number, line in enumerate(code, 1):
            if re.search(pattern, line):
                yield number, advice


def file_length(path, lines):
    if len(lines) > FILE_MAX:
        yield len(lines), f"{len(lines)} lines, at most {FILE_MAX}; split what changes separately"


def function_length(path, lines):
    """A brace counts as a function's if the text before it has parentheses and does not open a type
    or a namespace. Only the outermost function counts; lambdas belong to it."""
    code = without_comments("\n".join(lines))
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)
    depth, begun, head, line, start = 0, None, "", 1, 1
    statement = re.compile(r"\s*(namespace|class|struct|union|enum|extern)\b")
    for index, char in enumerate(code):
        line += char == "\n"
        if char == "{":
            if begun is None and ")" in head and not statement.match(head):
                begun, start = depth, line - head.lstrip().count("\n")
            depth += 1
            head = "" if begun is None else head
        elif char == "}":
            depth -= 1
            following = code[index + 1:index + 80].lstrip()[:1]
            goes_on = following in (",", "{")  # `: member_{1}, other_{2} {`
            if begun == depth and not goes_on:
                length = line - start + 1
                if length > FUNCTION_MAX:
                    yield start, (f"a function of {length} lines, at most {FUNCTION_MAX}; give its "
                                  "parts names")
                head = ""
            if begun == depth:
                begun = None
            elif begun is None:
                head = ""
        elif begun is None:
            head = "" if char == ";" else head + char


PLACE = re.compile(r'CORACLE_CASE_ELSEWHERE\(\s*\d+\s*,\s*\w+\s*,\s*\w+\s*,\s*((?:"[^"]*"\s*)+)\)')
PROVES = re.compile(r"BOOST_(?:AUTO|FIXTURE)_TEST_CASE\(\s*(\w+)")


def proven_elsewhere(path, lines):
    """A sentence of the conformance suite that names another test must name an existing one."""
    text = "\n".join(lines)
    for match in PLACE.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        place = "".join(re.findall(r'"([^"]*)"', match.group(1)))
        file, _, case = place.partition(": ")
        if not file.endswith("_test.cpp") or not (ROOT / file).is_file():
            yield number, f"there is no test {file}; name the one that proves the sentence"
        elif case not in PROVES.findall((ROOT / file).read_text()):
            yield number, f"{file} has no case {case}; name the one that proves the sentence"


def line_form(path, lines):
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "a tab; indent with spaces"
        if len(line) > LINE_MAX and path.endswith(CODE + (".py",)):
            yield number, f"{len(line)} columns, at most {LINE_MAX}; break the line"


def text_words(path, lines):
    for number, line in enumerate(lines, 1):
        for pattern, advice in BANNED_IN_TEXT:
            if re.search(pattern, line):
                yield number, advice


CODE_RULES = (layering, public_header, banned, file_length, function_length, proven_elsewhere)
TEXT_RULES = (line_form, text_words)
SCRIPTS = (".js", ".mjs", ".css")


def check(path, text):
    """(line, message) of every fault in the file `path` (relative) with this text."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    rules = TEXT_RULES + (CODE_RULES if path.endswith(CODE) else
                          (file_length,) if path.endswith(SCRIPTS) else ())
    return sorted(found for rule in rules for found in rule(path, lines))


def files():
    for path in sorted(ROOT.rglob("*")):
        relative = path.relative_to(ROOT)
        if relative.parts[0] in (".git", "build", "LICENSE") or "corpus" in relative.parts:
            continue
        if relative.as_posix().startswith(BUILT):
            continue
        if path.is_file() and path.suffix in TEXT:
            yield relative.as_posix(), path


def check_everything():
    wrong = checked = 0
    for name, path in files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        checked += 1
        for line, message in check(name, text):
            wrong += 1
            print(f"{name}:{line}: {message}")
        if name.endswith(CODE) and FILE_NOTE < text.count("\n") <= FILE_MAX:
            print(f"{name}: note: {text.count(chr(10))} lines; think of splitting it beyond "
                  f"{FILE_NOTE}")
    places = prose.survey(ROOT)
    for name, line, message in prose.judge(places):
        if not name.endswith(".md"):
            wrong += 1
            print(f"{name}:{line}: {message}")
    print(prose.summary(places))
    print(f"tidy: {checked} files, {wrong} mistakes")
    return 1 if wrong else 0


ELSEWHERE = 'CORACLE_CASE_ELSEWHERE(8, a_sentence, second_node,\n "{}: "\n "{}"),\n'
PUBLIC = "coracle/include/coracle/a.hpp"
HEADER = "// A thing.\n#pragma once\n"
# (file, text, part of the message that must appear; None: no message)
PLANTED = [
    ("coracle/src/a.cpp", '#include "coracle/caf/council.hpp"\n', "must not know caf"),
    ("dispel/src/a.cpp", "#include <coracle/caf/council.hpp>\n", "must not know caf"),
    ("dispel/src/a.cpp", "#include <coracle/agent.hpp>\n", None),
    ("tools/a.cpp", 'app.add_option("--days", days, "How long it is valid");\n', "headless"),
    ("tools/a.cpp", 'app.add_flag("-f", f,\n  "Ends. " // why\n  "Says so");\n', "headless"),
    ("coracle/src/a.cpp", 'throw Error(code(1), format("What {} has", x));\n', "headless"),
    ("coracle/src/a.cpp", "Error no(code, '(' + name + \" which waits\");\n", None),
    ("coracle/src/a.cpp", 'Error(code, "a mailbox is full; see how many wait", "Who");\n', None),
    ("coracle/src/a.cpp", 'print("How long it is valid");\n', None),
    ("caf/src/a.cpp", '#include "coracle/realizations/local.hpp"\n', "must not know realization"),
    ("caf/src/a.cpp", '#include "coracle/src/runtime/worker/worker.hpp"\n', "private to coracle"),
    ("realizations/sim/src/a.cpp", '#include "runtime/node/wiring.hpp"\n', "private to coracle"),
    ("coracle/src/a.cpp", '#include "runtime/node/wiring.hpp"\n', None),
    ("realizations/sim/src/a.cpp", '#include "coracle/dispel/stage.hpp"\n', "must not know dispel"),
    ("realizations/sim/src/a.cpp", '#include "coracle/realizations/local.hpp"\n', "must not know"),
    ("realizations/sim/src/a.cpp", '#include "coracle/realizations/sim.hpp"\n', None),
    ("realizations/open/src/a.cpp", '#include "coracle/realizations/local.hpp"\n', None),
    ("realizations/sim/src/a.cpp", '#include "coracle/realizations/sim_faults.hpp"\n', None),
    ("realizations/local/src/a.cpp", '#include "coracle/realizations/sim_faults.hpp"\n',
     "must not know realization"),
    ("realizations/recording/src/a.cpp", '#include "coracle/realizations/sim.hpp"\n', None),
    ("realizations/sim/src/a.cpp", '#include "realizations/local/src/a.hpp"\n', "private to"),
    ("realizations/sim/src/a.cpp", '#include "realizations/net/src/session.hpp"\n', None),
    ("bench/a.cpp", '#include "coracle/realizations/local.hpp"\n', None),
    ("acl/src/a.cpp", '#include "coracle/acl/message.hpp"\n', None),
    ("acl/src/a.cpp", '#include "coracle/dispel/stage.hpp"\n', "must not know dispel"),
    ("caf/src/a.cpp", '#include "coracle/acl/message.hpp"\n', "must not know acl"),
    ("tools/a.cpp", '#include "acl/src/ascii.hpp"\n', "private to acl"),
    ("acl/include/coracle/acl/a.hpp", HEADER + "#include <expat.h>\n", "do not show expat"),
    ("testing/src/a.cpp", '#include "coracle/realizations/sim.hpp"\n', None),
    ("testing/src/a.cpp", '#include "coracle/realizations/local.hpp"\n', "must not know"),
    ("testing/src/a.cpp", '#include "coracle/caf/a.hpp"\n', "must not know caf"),
    ("gateways/view/src/a.cpp", '#include "coracle/http/server.hpp"\n', None),
    ("gateways/view/src/a.cpp", '#include "coracle/caf/a.hpp"\n', None),
    ("gateways/view/src/a.cpp", '#include "coracle/view/a.hpp"\n', None),
    ("gateways/http/src/a.cpp", '#include "coracle/realizations/local.hpp"\n', "must not know"),
    ("gateways/http/tests/a.cpp", '#include "coracle/realizations/local.hpp"\n', None),
    ("gateways/http/src/a.cpp", '#include "realizations/net/src/link.hpp"\n', "private to"),
    ("coracle/src/a.cpp", '#include "coracle/http/url.hpp"\n', "must not know http"),
    ("gateways/a2a/src/a.cpp", '#include "coracle/web/json.hpp"\n', None),
    ("gateways/web/src/a.cpp", '#include "coracle/a2a/model.hpp"\n', "must not know a2a"),
    ("gateways/a2a/src/a.cpp", '#include "coracle/jose/signer.hpp"\n', "must not know jose"),
    ("gateways/jose/include/coracle/jose/a.hpp", '#include <cjose/cjose.h>\n', "cjose"),
    ("gateways/fipa/src/a.cpp", '#include "coracle/formats/story.hpp"\n', "must not know formats"),
    ("view/formats/src/a.cpp", '#include "coracle/recording/recording.hpp"\n', None),
    ("view/live/src/a.cpp", '#include "coracle/formats/story.hpp"\n', None),
    ("view/formats/src/a.cpp", '#include "coracle/caf/a.hpp"\n', "must not know caf"),
    ("view/live/src/a.cpp", '#include "coracle/caf/a.hpp"\n', None),
    ("view/live/src/a.cpp", '#include "coracle/acl/a.hpp"\n', "must not know acl"),
    ("view/formats/src/a.cpp", '#include "coracle/realizations/sim.hpp"\n', "must not know"),
    ("view/formats/tests/a.cpp", '#include "coracle/realizations/sim.hpp"\n', None),
    ("coracle/include/coracle/a.hpp", "#pragma once\n", "begins with a // comment"),
    ("coracle/include/coracle/a.hpp", "// A thing.\n", "needs #pragma once"),
    ("coracle/include/coracle/a.hpp", HEADER + "#include <boost/asio.hpp>\n", "do not show boost"),
    ("caf/include/coracle/caf/a.hpp", HEADER + "#include <fmt/core.h>\n", "do not show fmt"),
    ("caf/include/coracle/caf/a.hpp", HEADER + '#include "spdlog/spdlog.h"\n', "do not show"),
    ("coracle/include/coracle/asio.hpp", HEADER + "#include <boost/asio.hpp>\n", None),
    ("coracle/src/a.hpp", "#include <boost/asio.hpp>\n", None),
    ("coracle/tests/a_test.cpp", "std::this_thread::sleep_for(1s);\n", "sleeps"),
    ("examples/a.cpp", "std::this_thread::sleep_until(t);\n", "sleeps"),
    ("examples/a.cpp", "co_await clock.sleep(1s);\n", None),
    ("tests/threads/a_test.cpp", "usleep(10);\n", "sleeps"),
    ("coracle/tests/a_test.cpp", "// it never calls sleep_for(1s)\n", None),
    ("coracle/src/a.cpp", "std::regex r;\n", "RE2"),
    ("coracle/src/a.cpp", "int i = rand();\n", "randomness"),
    ("coracle/src/a.cpp", "std::random_device d;\n", "randomness"),
    ("coracle/src/a.cpp", "int i = operand(1);\n", None),
    ("coracle/src/a.cpp", "auto t = std::chrono::system_clock::now();\n", "asks for the time"),
    ("coracle/tests/a_test.cpp", "auto t = steady_clock::now();\n", "asks for the time"),
    ("coracle/src/steady_clock.cpp", "auto t = steady_clock::now();\n", None),
    ("bench/floor/a.cpp", "auto t = steady_clock::now();\n", None),
    ("coracle/src/a.cpp", "// TO" "DO: later\n", "unfinished"),
    ("docs/a.md", "FIX" "ME\n", "unfinished"),
    ("scripts/a", "cd /wo" "rk/somewhere\n", "one particular machine"),
    ("scripts/a", "cd ~/frame/wo" "rk/here\n", None),
    ("tests/a.cpp", ELSEWHERE.format("tests/simulation/societies/nodes_test.cpp",
                                     "a_circle_of_waits_across_nodes_is_found"), None),
    ("tests/a.cpp", ELSEWHERE.format("tests/simulation/societies/nodes_test.cpp", "a_circle"),
     "has no case"),
    ("tests/a.cpp", ELSEWHERE.format("tests/no_test.cpp", "a_circle"), "is no test tests/no_test"),
    ("coracle/src/a.cpp", "\tint i;\n", "a tab"),
    ("coracle/src/a.cpp", "int i;" + " " * 94 + ";\n", "101 columns"),
    ("coracle/src/a.cpp", "int i;\n" * 401, "401 lines"),
    ("view/page/src/a.js", "f();\n" * 401, "401 lines"),
    ("view/page/src/a.js", "f();  // TO" "DO\n", "unfinished"),
    ("coracle/src/a.cpp", "void f() {\n" + "  g();\n" * 69 + "}\n", "a function of 71 lines"),
    ("coracle/src/a.cpp", "void f() {\n" + "  g();\n" * 68 + "}\n", None),
    ("coracle/src/a.cpp", "A::A()\n    : a_{1}, b_{2} {\n" + "  g();\n" * 70 + "}\n", "of 73"),
    ("coracle/src/a.cpp", "class A {\n" + "  int f() { return 1; }\n" * 80 + "};\n", None),
    ("coracle/src/a.cpp", "namespace {\n" + "int f() {\n}\n" * 80 + "}\n", None),
    ("coracle/src/a.cpp", 'int f() {\n  auto s = R"(\n' + "{\n" * 80 + ')";\n}\n', "of 84 lines"),
    (PUBLIC, HEADER + "// It ends.\n// What it has, it keeps.\n", 'sentence, "What ..."'),
    (PUBLIC, HEADER + "// says it.\n", 'sentence, "says ..."'),
    (PUBLIC, HEADER + "int a;  // how many\n", 'sentence, "how ..."'),
    (PUBLIC, HEADER + "int a;  // it is\n        // what it is\nint b;\n", None),
    (PUBLIC, HEADER + "// It is\nint a;\n// what it was\n", 'sentence, "what ..."'),
    (PUBLIC, HEADER + "// It is\n//\n// whose it was.\n", 'sentence, "whose ..."'),
    (PUBLIC, HEADER + "/* It is.\n * Who asks, knows. */\n", 'sentence, "Who ..."'),
    (PUBLIC, HEADER + "// It says\n// what it is. Who is it?\n", None),
    (PUBLIC, HEADER + 'auto a = "x // what it is", b = R"(\n// What it is.\n)";\n', None),
    (PUBLIC, HEADER + "// Two planted\n// faults.\n", 'old word "planted fault"'),
    (PUBLIC, HEADER + "// A way, a `parcel`, Parcel::a, parcel_, parcel() and parcel.hpp.\n", None),
    ("coracle/src/a.cpp", "int a;  // what it is\n" * 99 + "// Parcels.\n" * 100, None),
    ("coracle/src/a.cpp", "int a;  // what it is\n" * 100, "(100 places, at most 99)"),
    ("coracle/src/a.cpp", "// Parcels.\n" * 101, "(101 places, at most 100)"),
    ("cmake/a.cmake", "set(a b)  # what it is\n# What it\n" * 50, "(100 places, at most 99)"),
    ("scripts/a", "echo '# what it is' ${#what}\n# It is what\n# it is.\n" * 100, None),
]


def self_test():
    failed, old = 0, prose.old_words(ROOT)
    for path, text, expected in PLANTED:
        messages = [message for _, message in check(path, text)]
        messages += [message for *_, message in prose.judge(list(prose.find(path, text, old)))]
        good = not messages if expected is None else any(expected in each for each in messages)
        if not good:
            failed += 1
            print(f"{path}: {text[:60]!r}: expected {expected!r}, found {messages}")
    print(f"tidy: {len(PLANTED)} planted files, {failed} judged wrongly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(self_test() if "--self-test" in sys.argv else check_everything())
