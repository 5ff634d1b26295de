"""Compare our reader of manifests with kubectl's on random small texts; print differences that are not listed.

`python -m tests.conformance.yaml_fuzz --count 50000 --seed 1`
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read
from codegen.documents.yaml_text import as_yaml
from engine.values.go_json import encode

from .oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BATCH = 1000
FAILED = "an error"

SCALARS = (
    *(
        "a",
        "b",
        "a b",
        "a-b",
        "x:y",
        "a?b",
        "a#b",
        "to9:",
        ":a",
        "?a",
        "-a",
        "?",
        ":",
        "-",
        "#",
        "a:",
        "~",
        "null",
        "y",
    ),
    *(
        "No",
        "on",
        "true",
        "False",
        "0",
        "00",
        "012",
        "089",
        "0o14",
        "0b11",
        "0x1F",
        "-0",
        "+1",
        "1_0",
        "_1",
        "1_",
        "0x_1F",
    ),
    *(
        "-0b1",
        "-0x1",
        "-0o7",
        "0b2",
        "0o9",
        "0xg",
        "1e3",
        "30e11",
        "1e-7",
        "1.5",
        "1.10",
        ".5",
        "-.5",
        "1.",
        ".",
        "..",
        "+.5",
    ),
    *(
        "-0.0",
        "1e400",
        "1e21",
        "1e20",
        "123456789012345678",
        "9223372036854775807",
        "9223372036854775808",
        ".inf",
        ".NaN",
    ),
    *(
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "16777217.0",
        "0.1",
        "1:30",
        "2001-01-01",
    ),
    *(
        "'a'",
        "''",
        "'it''s'",
        '"a"',
        '""',
        '"\\n"',
        '"\\u00e9"',
        '"\\x41"',
        '"a: b"',
        "'1'",
        '"1"',
        "<<",
        "=",
        "%a",
        "@a",
        "`a",
    ),
    *(
        "!!str 1",
        "!!int 1",
        "!!float 1",
        "!!float 1.5",
        "!!bool y",
        "!!null ~",
        "!!binary aGk=",
        "! 1",
        "!x 1",
        "!!int '1'",
    ),
    *(
        "&x 1",
        "*x",
        "&x a",
        "&y [1]",
        "*y",
        "|",
        ">",
        "|-",
        ">+",
        "|2",
        "é",
        "\u2028",
        "a\u0085b",
        "\u00a0",
        "\ufeff",
        "a\tb",
    ),
)
PIECES = (
    *(
        ":",
        ": ",
        "- ",
        "? ",
        ", ",
        ",",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\n  ",
        "\n - ",
        "\n\n",
        " ",
        "  ",
        "\t",
        "#",
        " #",
        "---",
    ),
    *(
        "\n---\n",
        "\n...\n",
        "\n--- ",
        "--- a",
        "%YAML 1.1\n---\n",
        "\\",
        '"',
        "'",
        "&",
        "*",
        "!",
        "|\n",
        ">\n",
        "\r\n",
        "\r",
        "''",
    ),
)


LISTED: tuple[tuple[str, Callable[[str, str, str], object]], ...] = (
    ("a key that stands twice is refused", lambda _, problem, __: "twice" in problem),
    (
        "a tag of one's own is refused, and no tag ends at a comma",
        lambda text, problem, _: "a tag" in problem or "the tag" in problem or re.search(r"!\S*[],[{}]", text),
    ),
    (
        "what follows a document without three dashes is read or refused, where kubectl leaves it out",
        lambda text, problem, _: re.search(BEHIND, problem) or re.search(r"^\.\.\.", text, re.MULTILINE),
    ),
    (
        "text behind a JSON document, and braces that are no JSON at the end of a file",
        lambda text, _, error: (
            (re.match(r"\s*\{", text) and re.match("json: |unexpected EOF", error)) or re.match(r"\s*\{\s*\}", text)
        ),
    ),
    ("a directive above the dashes is read", lambda text, _, error: "%" in text and "<document start>" in error),
    ("marks and spaces beyond ASCII", lambda text, _, __: re.search("[\ufeff\xa0\u2028\x85]", text)),
    ("a line that ends with a carriage return alone", lambda text, _, __: re.search(r"\r(?!\n)", text)),
    ("a tagged number is checked less", lambda text, _, __: re.search("!!(int|float|binary)", text)),
    ("a backslash before a single quote in double quotes is refused", lambda text, _, __: "\\'" in text),
    ("three dashes and a comment without a space are text", lambda text, _, __: re.search("^---#", text, re.MULTILINE)),
    ("a sign behind 0b or 0o", lambda text, _, __: re.search("0[bo][-+]", text)),
    (
        "a tab or a block beside a colon in brackets",
        lambda _, problem, __: problem.startswith("a tab") or "block scalar" in problem,
    ),
    ("infinity is refused where a key that stands twice hides it", lambda _, problem, __: "JSON can hold" in problem),
)
"""Known differences: the reason, and a predicate on a text, our problem and kubectl's error."""
BEHIND = "expected '?<document start>|a key must be a scalar, and not null"


def listed(text: str, problem: str, error: str) -> str | None:
    """The reason for a known difference."""
    return next((reason for reason, is_case in LISTED if is_case(text, problem, error)), None)


def drawn(random: Random) -> str:
    """One text: random pieces, or a nearly valid document."""
    if random.random() < 0.3:
        words = (*SCALARS, *PIECES, *PIECES)
        return "".join(random.choice(words) for _ in range(random.randrange(1, 7)))
    text = random.choice((_flow, _block))(random, 2)
    if random.random() < 0.3:
        at = random.randrange(len(text) + 1)
        cut = random.randrange(2)
        text = text[:at] + random.choice((*PIECES, *SCALARS)) + text[at + cut :]
    if random.random() < 0.1:
        text += random.choice(("\n---\n", "\n...\n", "\n---", "\n--- # c\n")) + _block(random, 1)
    return text


def _scalar(random: Random) -> str:
    return (
        random.choice(SCALARS) if random.random() < 0.8 else str(random.uniform(-1, 1) * 10 ** random.randrange(-9, 25))
    )


def _flow(random: Random, depth: int) -> str:
    kind = random.randrange(3) if depth else 0
    if kind == 0:
        return _scalar(random)
    space = random.choice(("", " ", ""))
    if kind == 1:
        return f"[{space}{', '.join(_flow(random, depth - 1) for _ in range(random.randrange(3)))}{space}]"
    pairs = (f"{_scalar(random)}: {_flow(random, depth - 1)}" for _ in range(random.randrange(3)))
    return "{" + space + random.choice((", ", ",")).join(pairs) + space + "}"


def _block(random: Random, depth: int, indent: str = "") -> str:
    kind = random.randrange(4) if depth else 0
    if kind == 0:
        return _flow(random, 1)
    lines = []
    for _ in range(random.randrange(1, 4)):
        inner = indent + random.choice(("  ", " ", ""))
        value = _block(random, depth - 1, inner)
        gap = f"\n{inner}" if random.random() < 0.5 else " "
        lines.append(f"-{gap}{value}" if kind == 1 else f"{_scalar(random)}:{gap}{value}")
    return f"\n{indent}".join(lines) + random.choice(("", "\n", " # c\n"))


def ours(text: str) -> tuple[str, str]:
    """The documents that are not empty, and the problem if there is one."""
    try:
        documents = [document for _, document in read(text.encode()) if document is not None]
        return encode(json.loads(encode(documents))), ""  # both travel as text, in which -0 is 0
    except BadDocument as error:
        return FAILED, f"{error.problem} {_problem_as_yaml(text)}"


def _problem_as_yaml(text: str) -> str:
    """The problem of JSON that falls back to YAML, and fails there too."""
    try:
        for _ in as_yaml(text):
            pass
        return ""
    except BadDocument as error:
        return error.problem


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print the differences, and return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.yaml_fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stop-after", type=int, default=40, help="differences to print before giving up")
    chosen = parser.parse_args(arguments)
    random = Random(chosen.seed)
    seen: Counter[str] = Counter()
    with Oracle() as oracle:
        for _ in range(0, chosen.count, BATCH):
            texts = [drawn(random) for _ in range(BATCH)]
            answers = oracle.ask_many([{"op": "yaml", "value": text} for text in texts])
            for text, answer in zip(texts, answers, strict=True):
                said, problem = ours(text)
                theirs = encode(answer["result"]) if "result" in answer else FAILED
                seen["errors" if theirs == FAILED else "results"] += 1
                if said == theirs:
                    continue
                error = answer.get("error", "")
                reason = listed(text, problem, error)
                seen[reason or "differences"] += 1
                if not reason:
                    print(f"{text!r}\n  ours:    {said} {problem}\n  kubectl: {theirs} {error}", flush=True)
                if seen["differences"] >= chosen.stop_after:
                    break
    print(dict(seen))
    return 1 if seen["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
