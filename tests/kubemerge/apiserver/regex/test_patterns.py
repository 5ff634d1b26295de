"""Patterns have Go's syntax and errors. Matching takes linear time."""

from __future__ import annotations

import time
import unicodedata

import pytest

from kubemerge.apiserver.regex.classes import forms
from kubemerge.apiserver.regex.matching import compile_pattern
from kubemerge.apiserver.regex.syntax import BadPattern, UnknownPattern

MATCHES = [
    ("^a+$", "aaa", True),
    ("a$", "a\n", False),
    (r"a\z", "a", True),
    (r"^\pL+$", "äß", True),
    (r"^\PL$", "1", True),
    ("^[[:alpha:]]+$", "ab", True),
    ("^[^[:digit:]]$", "5", False),
    ("(?i)^abc$", "ABC", True),
    ("(?i)k", "\u212a", True),
    ("^a.c$", "a\nc", False),
    ("(?s)^a.c$", "a\nc", True),
    ("(?m)^b$", "a\nb\nc", True),
    (r"\bfoo\b", "a foo b", True),
    (r"\Bo\b", "foo", True),
    (r"^\Qa.b\E$", "a.b", True),
    (r"^\x41\x{42}\103$", "ABC", True),
    (r"^[\w-]+$", "a-b_c", True),
    (r"^\d{2,3}$", "1234", False),
    ("^a{,2}$", "a{,2}", True),
    ("^(a|b)*?c$", "ababc", True),
    ("^(?P<n>a)(?:b)$", "ab", True),
    ("", "anything", True),
    ("^[]a]$", "]", True),
    (r"^\d$", "\u0663", False),
]
BAD = {
    "[a": "error parsing regexp: missing closing ]: `[a`",
    "a**": "error parsing regexp: invalid nested repetition operator: `**`",
    "(?=x)": "error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
    "*a": "error parsing regexp: missing argument to repetition operator: `*`",
    "a{1001}": "error parsing regexp: invalid repeat count: `{1001}`",
    r"\Z": r"error parsing regexp: invalid escape sequence: `\Z`",
    "(a": "error parsing regexp: missing closing ): `(a`",
    "a)": "error parsing regexp: unexpected ): `a)`",
    "[b-a]": "error parsing regexp: invalid character class range: `b-a`",
    r"\1": r"error parsing regexp: invalid escape sequence: `\1`",
}


@pytest.mark.parametrize(("wanted", "text", "found"), MATCHES)
def test_a_pattern_is_found(wanted: str, text: str, found: bool) -> None:
    assert compile_pattern(wanted).matches(text) is found


@pytest.mark.parametrize("wanted", BAD)
def test_what_go_refuses(wanted: str) -> None:
    with pytest.raises(BadPattern) as caught:
        compile_pattern(wanted)
    assert str(caught.value) == BAD[wanted]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [("(a*)*b", "a" * 20_000), ("^(a|aa)+$", "a" * 20_000 + "b"), ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 20_000)],
)
def test_no_pattern_hangs(wanted: str, text: str) -> None:
    started = time.process_time()
    assert not compile_pattern(wanted).matches(text)
    assert time.process_time() - started < 5


def test_what_is_too_much_is_not_judged() -> None:
    with pytest.raises(UnknownPattern):
        compile_pattern(r"^\p{Greek}+$")
    with pytest.raises(UnknownPattern):
        compile_pattern("(x{1000}){1}y?" * 30)
    with pytest.raises(UnknownPattern):
        compile_pattern("(.{1000})?z").matches("x" * 5000)


def test_the_first_place_is_the_one_that_go_prefers() -> None:
    assert compile_pattern("a+?").find("baaa") == (1, 2)
    assert compile_pattern("a|ab").find("xab") == (1, 2)
    assert compile_pattern("x*").find_all("axxb") == ["", "xx", ""]


FORMS_OF_OLDER_LETTERS = {"13.0.0": (2730, 5556)}
"""The same numbers for the Unicode version of Python 3.10."""


def test_forms_of_letters_are_those_of_go() -> None:
    """Go 1.26 has 2810 letters with other cases below U+17000, and 5716 pairs of a letter and one of its cases."""
    found = {char: {*forms(char)} for char in map(chr, range(0x17000)) if len({*forms(char)}) > 1}
    wanted = FORMS_OF_OLDER_LETTERS.get(unicodedata.unidata_version, (2810, 5716))
    assert (len(found), sum(map(len, found.values()))) == wanted
    assert all(found[other] == cases for cases in found.values() for other in cases)
