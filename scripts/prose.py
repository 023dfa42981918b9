#!/usr/bin/env python3
"""Checks that comments, pages and the texts of programs are written in plain English.

scripts/check-docs uses this file for Markdown pages, and tests/tidy.py uses it for comments.
The self-tests of these two tools test it.

scripts/prose.py [PATH...]   prints all places (below PATH), and their number in each folder

Rule `headless`: no sentence begins with a noun clause such as "What it has", or with a verb without
a subject such as "Says". Questions, short headings, code and HTML comments may.
Rule `text`: the same for the texts of errors and of options, the C++ literals in calls of Error(),
add_option(), add_flag(), add_subcommand() and add_size().
Rule `old word`: C++ comments and public texts avoid the words that docs/glossary.md has in `code`
style in its third column. The public texts are README.md, the manual and the public headers.
"""
import collections
import os
import pathlib
import re
import sys

# Public texts must have no such place. All other texts together may have so many.
LIMITS = {"headless": 99, "text": 0, "old word": 100}
HEADING_WORDS = 10  # A longer heading counts as a sentence.

CODE = (".hpp", ".cpp", ".h", ".c")
HASH_CODE = (".py", ".cmake", "CMakeLists.txt")
SKIPPED = (".git", "build", "results", "corpus", "__pycache__")

# Comments and literals. A literal is matched only so that no comment is found in it.
CPP_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/"
                       r'|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                       r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)
HASH_TOKEN = re.compile(r'""".*?"""|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'|(?<!\S)#[^\n]*",
                        re.S)
COMMENT_MARK = re.compile(r"^[ \t]*(?://[/!]?<?|/\*+|\*(?!/)|#+)|\*+/$", re.M)

TEXT_CALL = re.compile(r"\b(?:Error(?:\s+\w+)?|add_(?:option|flag|subcommand|size))\s*\(")
CALL_TOKEN = re.compile(CPP_TOKEN.pattern + r"|[^\s(),\"'/]+|\S", re.S)

INLINE_CODE = re.compile(r"(`+)(?:[^\n]|\n(?!\s*\n))*?\1")
HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)
LINK_TARGET = re.compile(r"(?<=\])\([^)\s]*\)")
HEADING = re.compile(r"#+\s+(?:\d+\.\s+)?")
ITEM = re.compile(r"\s*(?:>\s*)?(?:[-*+]|\d+[.)])\s+|\s*>\s*")
TABLE_LINE = re.compile(r"\s*\|\s*:?--")
SENTENCE_END = re.compile(r"""\?["')*_\]]*\s+|[.!]["')*_\]]*\s+(?=["'(*_\[]*[A-Z`])""")
HEADLESS = re.compile(r"[(*_\[]*(What|Who|Whoever|Whom|Whomever|Whose|Whatever|Whichever|Which|How|"
                      r"Whether|Why|Says|Tells|Hears|Said|Told|Heard|Knows)\b(?![(:]|\.\w)", re.I)


def comments(path, text):
    """(line, text) of every comment. Comment lines in one column without a gap are one comment."""
    runs = []
    line, seen, next_line, column = 1, 0, 0, -1
    for match in (CPP_TOKEN if path.endswith(CODE) else HASH_TOKEN).finditer(text):
        if match.group()[0] not in "/#" or match.group().startswith("#!"):
            continue
        line, seen = line + text.count("\n", seen, match.start()), match.start()
        line_start = text.rfind("\n", 0, seen) + 1
        alone = not text[line_start:seen].strip()
        words = COMMENT_MARK.sub("", match.group())
        if alone and line == next_line and seen - line_start == column:
            runs[-1][1] += "\n" + words
        else:
            runs.append([line, words])
        next_line, column = line + words.count("\n") + 1, seen - line_start
    return runs


def texts(text):
    """(line, text) of every text in the calls of TEXT_CALL. An X stands for code within a text."""
    for call in TEXT_CALL.finditer(text):
        runs = [[call.end(), ""]]  # for each open bracket: the place and the text of its argument
        for token in CALL_TOKEN.finditer(text, call.end()):
            word = token.group()
            if word[0] == '"':
                runs[-1] = [runs[-1][0] if runs[-1][1] else token.start(),
                            runs[-1][1] + word[1:-1].replace("\\n", "\n")]
            elif word == "(":
                runs.append([token.end(), ""])
            elif word in ",)":
                place, words = runs.pop()
                if " " in words:
                    yield text.count("\n", 0, place) + 1, words
                if word == ",":
                    runs.append([token.end(), ""])
                elif not runs:
                    break
            if word != "," and word != "(" and word[0] != '"' and not word.startswith(("//", "/*")):
                runs[-1][1] = runs[-1][1].removesuffix("X") + "X"


def page(text):
    """A Markdown page without blocks of code, HTML comments and the targets of links."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fence = line.strip().startswith("```")
        lines.append("" if fenced or fence else line)
        fenced ^= fence
    text = HTML_COMMENT.sub(lambda match: "\n" * match.group().count("\n"), "\n".join(lines))
    return LINK_TARGET.sub("", text)


def parts(line, text):
    """(line, text, is a heading) of every paragraph, list item, heading and table cell."""
    text = INLINE_CODE.sub(lambda match: re.sub(r"[^\n]", "`", match.group()), text)
    lines = [*text.split("\n"), ""]
    paragraph = []
    for index, each in enumerate(lines):
        item, heading = ITEM.match(each), HEADING.match(each)
        row = each.lstrip().startswith("|")
        if paragraph and (item or heading or row or not each.strip()):
            yield line + index - len(paragraph), "\n".join(paragraph), False
            paragraph = []
        if heading:
            yield line + index, each[heading.end():], True
        elif row:
            titles = TABLE_LINE.match(lines[index + 1]) is not None
            yield from ((line + index, cell, titles) for cell in each.strip().split("|"))
        elif each.strip():
            paragraph.append(each[item.end():] if item else each)


def headless(text):
    """(offset, first word) of every headless sentence of a part."""
    start = len(text) - len(text.lstrip())
    for end in [match.end() for match in SENTENCE_END.finditer(text)] + [len(text)]:
        opening = HEADLESS.match(text, start)
        question = text[start:end].rstrip("\"')*_] \n").endswith("?")
        later = text[:start].strip()
        if opening and not question and not (later and opening.group(1)[0].islower()):
            yield start, opening.group(1)
        start = end


def old_words(root):
    """A pattern for the words that the glossary marks, and for each of them the word to use."""
    glossary = root / "docs/glossary.md"
    words = {}
    for line in glossary.read_text().split("\n") if glossary.is_file() else ():
        cells = line.split("|")
        if len(cells) > 3:
            words.update({word: cells[1].strip() for word in re.findall(r"`([^`]+)`", cells[3])})
    choice = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words) or "(?!)"
    # Not a part of an identifier, of a path or of a call.
    return re.compile(rf"(?<![\w:/.<])({choice})(?:s|ed|ing)?\b(?![(/]|::|\.\w)", re.I), words


def is_public(path):
    return (path == "README.md" or path.startswith("docs/manual/")
            or path.endswith(CODE) and "include" in path.split("/")[:-1])


def find(path, text, old):
    """(path, line, rule, message) of every place in one file."""
    pattern, terms = old
    if path.endswith(".md"):
        passages = [(1, page(text), "headless")]
    else:
        passages = [(*each, "headless") for each in comments(path, text)]
        if path.endswith(CODE):
            passages += [(*each, "text") for each in texts(text)]
    for line, words, heading, rule in ((*part, rule) for *each, rule in passages
                                       for part in parts(*each)):
        if not heading or len(words.split()) > HEADING_WORDS:
            for offset, word in headless(words):
                yield (path, line + words.count("\n", 0, offset), rule,
                       f"a headless sentence, \"{word} ...\"; begin with its subject")
        for match in pattern.finditer(words) if is_public(path) or path.endswith(CODE) else ():
            word = " ".join(match.group(1).lower().split())
            yield (path, line + words.count("\n", 0, match.start()), "old word",
                   f"the old word \"{word}\"; the glossary has: {terms[word]}")


def is_checked(path):
    if path.endswith(".md"):
        return "/" not in path or path.startswith("docs/")
    return path.endswith(CODE + HASH_CODE) or path.startswith("scripts/")


def survey(root):
    """All places in the project."""
    old, found = old_words(root), []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders).difference(SKIPPED))
        for file in (pathlib.Path(folder, name) for name in sorted(names)):
            path = file.relative_to(root).as_posix()
            if is_checked(path):
                found += find(path, file.read_text(errors="replace"), old)
    return found


def elsewhere(found):
    """For each rule, the number of places outside the public texts."""
    return collections.Counter(rule for path, _, rule, _ in found if not is_public(path))


def judge(found):
    """(path, line, message) of the places that are mistakes: a limit that is kept excuses them."""
    numbers = elsewhere(found)
    for path, line, rule, message in found:
        if is_public(path):
            yield path, line, message
        elif numbers[rule] > LIMITS[rule]:
            yield path, line, f"{message} ({numbers[rule]} places, at most {LIMITS[rule]})"


def summary(found):
    numbers = elsewhere(found)
    counts = ", ".join(f"{rule} {numbers[rule]} (at most {LIMITS[rule]})" for rule in LIMITS)
    public = sum(is_public(path) for path, *_ in found)
    return f"prose: {counts}; in README.md, the manual and public headers {public} (none allowed)"


def folder_of(path):
    top = "docs/manual" if path.startswith("docs/manual/") else path.split("/")[0]
    return top + "/**/include" if is_public(path) and path.endswith(CODE) else top


def main(below):
    found = [each for each in survey(pathlib.Path(__file__).resolve().parent.parent)
             if each[0].startswith(tuple(below) or "")]
    for path, line, _, message in found:
        print(f"{path}:{line}: {message}")
    counts = collections.Counter((folder_of(path), rule) for path, _, rule, _ in found)
    for (folder, rule), number in sorted(counts.items()):
        print(f"{number:6} {rule:9} {folder}")
    print(summary(found))


if __name__ == "__main__":
    main(sys.argv[1:])
