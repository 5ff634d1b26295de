"""Each release compiles CEL expressions with its own functions, macros and checks, and reports errors in its own words.

The answers of real servers are recorded, see `expressions`.
"""

from __future__ import annotations

import pytest

from kubemerge.apiserver.errors import ClusterError
from kubemerge.cluster import open_cluster

from .expressions import definition, recorded

OLD_PARSER = "the parser of cel-go before 1.28 knows no optional syntax, and has other words for it"
KNOWN: dict[str, tuple[int, int, str]] = {
    "self.?s.hasValue()": (25, 27, OLD_PARSER),
    "self.m[?'a'].hasValue()": (25, 27, OLD_PARSER),
    "self.l[?0].hasValue()": (25, 27, OLD_PARSER),
    "self.?s.orValue('') == ''": (25, 27, OLD_PARSER),
    "{?'a': self.?s}.size() == 0": (25, 27, OLD_PARSER),
    "[?self.?s].size() == 0": (25, 28, OLD_PARSER),
    "[1, dyn('a')].size() == 2": (25, 28, "cel-go of these releases compares no dynamic element"),
    "self.li.exists(x, x > 1.5)": (25, 28, "cel-go of these releases forgets the type of the variable"),
    "matches(self.s, 'a')": (25, 27, "cel-go of these releases has only the method"),
    "google.protobuf.Duration{seconds: 1} == duration('1s')": (25, 10_000, "messages of protobuf are not built here"),
}
"""Expressions with other answers: the first and the last minor release, and the reason."""
RECORDED = recorded()
BY_DEFAULT = ("1.25", "1.33")
RELEASES = [
    pytest.param(one, marks=() if one in BY_DEFAULT else (pytest.mark.slow, pytest.mark.left_out))
    for one in sorted(RECORDED)
]


@pytest.mark.parametrize("release", RELEASES)
def test_a_definition_is_accepted_or_rejected_like_by_the_server_of_its_release(release: str) -> None:
    cluster = open_cluster(":memory:", release=release)
    minor = int(release.partition(".")[2])
    wrong = []
    for expression, message in RECORDED[release].items():
        found = ""
        try:
            cluster.create(definition(expression), dry_run=True)
        except ClusterError as error:
            found = str(error)
        first, last, _ = KNOWN.get(expression, (1, 0, ""))
        if (found == message) == (first <= minor <= last):
            wrong.append((expression, message, found))
    assert not wrong
