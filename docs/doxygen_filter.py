#!/usr/bin/env python3
"""doxygen_filter.py HEADER: shows our plain // comments to doxygen as documentation.

- The block at the top of a file describes the file.
- A block directly above a declaration describes it, and the declarations that follow it without
  a blank line or another comment between, so that a group needs only one comment; that of a
  struct describes the members that follow at once.
- A comment behind a declaration describes that declaration.
- What speaks for itself (= default, = delete, friend, using Base::Base) needs none, nor does what
  brings no new name (constructors, operators).
No line moves, so that doxygen's messages point to the right place.
"""
import re
import sys

SELF_EVIDENT = re.compile(
    r"\s*(.*=\s*(default|delete);|friend\b.*;|using\s+\w+::\w+;|(class|struct)\s+\w+;)"
    r"\s*(//.*)?$")
# A constructor or an operator brings no name of its own; the await_ functions are for the compiler.
NO_NAME = re.compile(
    r"\s*(template\s*<[^<>]*>\s*)?((explicit|constexpr|virtual|inline)(\([^()]*\))?\s+)*"
    r"~?(?P<name>\w+)\("
    r"|.*\boperator\b|.*\bawait_(ready|suspend|resume)\(|.*\bpromise_type\b")
CLASS = re.compile(r"\s*(?:class|struct)\s+(?:\w+::)*(\w+)")
COMMENT = re.compile(r"(\s*)//+(.*)$")
TRAILING = re.compile(r"(.*[;,}\w])\s*//+(.*)$")


def escaped(text):
    """Keeps doxygen from reading commands, tags or ends of sentences into prose and `code`."""
    parts = text.split("`")
    parts = [re.sub(r"([\\@<>&#%])", r"\\\1", part) for part in parts]
    if len(parts) % 2 == 0:  # a quote that is not closed on this line
        return "'".join(parts)
    # A dot at the end of code would end doxygen's brief in the middle of it; U+2024 looks the same.
    parts[1::2] = [f"<code>{re.sub('[.]+$', dots, part)}</code>" for part in parts[1::2]]
    return "".join(parts)


def dots(match):
    return "\u2024" * len(match.group())


def has_no_name(line, classes):
    match = NO_NAME.match(line)
    return match and (match.group("name") is None or match.group("name") in classes)


def begins_declaration(line):
    text = line.strip()
    return bool(text) and not re.match(r"(public|private|protected)\s*:|namespace\b|[#{}]", text)


def filtered(lines):
    comment = []      # the block that describes what comes next
    complete = True   # the previous line ended a declaration
    top = True        # still in the comment at the top of the file
    classes = set()   # the names whose constructors may come
    behind = 0        # the column of a comment behind a declaration
    depth = 0         # how many parentheses are open
    for index, line in enumerate(lines):
        is_comment = COMMENT.match(line)
        if is_comment and behind and len(is_comment.group(1)) >= behind:
            yield f"{is_comment.group(1)}///< {escaped(is_comment.group(2).strip())}"
            continue  # the comment behind a declaration goes on
        behind = 0
        if is_comment:
            fresh = index == 0 or not COMMENT.match(lines[index - 1])
            comment = [] if fresh else comment
            comment.append(escaped(is_comment.group(2).strip()))
            # A block that is followed by a blank line stands for itself and describes nothing.
            last = next((later for later in lines[index:] if not COMMENT.match(later)), "")
            attached = last.strip() and not re.match(r"\s*[})]", last)
            yield is_comment.group(1) + ("///" if attached else "//") + " " + comment[-1]
            complete = True
            continue
        if top and line.startswith("#pragma once"):
            top, comment = False, []
            yield r"/// \file"  # joins the block above it
            continue
        previous = lines[index - 1] if index else ""
        if not line.strip() or line.strip().startswith("}"):
            comment = []
        code = line
        if SELF_EVIDENT.match(line) and complete:
            code = ""
        elif (trailing := TRAILING.match(line)) and not line.strip().startswith("}"):
            code = f"{trailing.group(1)}  ///< {escaped(trailing.group(2).strip())}"
            behind = len(trailing.group(1))
        elif complete and comment and begins_declaration(line) and not COMMENT.match(previous):
            code = f"/** {' '.join(comment)} */ {line}"
        elif complete and not comment and has_no_name(line, classes):
            code = f"/** As usual. */ {line}"
        if declared := CLASS.match(line):
            classes.add(declared.group(1))
        yield code
        bare = re.sub(r"//.*", "", line).rstrip()
        complete = not bare or bare.endswith((";", "}", "{", ":", ",")) or bare.startswith("#")
        depth = 0 if not bare else max(0, depth + bare.count("(") - bare.count(")"))
        if bare.endswith(",") and depth > 0:
            complete = False  # parameters go on, unlike enumerators
        if bare.endswith("{") and not re.match(r"\s*struct\b", line):
            comment = []


def main():
    with open(sys.argv[1], encoding="utf-8") as header:
        for line in filtered(header.read().split("\n")):
            print(line)


if __name__ == "__main__":
    main()
