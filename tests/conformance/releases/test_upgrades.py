"""`compare A B -f` reports what really differs between two real servers, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from tests.kubemerge.apiserver.releases import fates
from tests.kubemerge.apiserver.releases.test_fates import LISTED

from .record import recorded
from .test_recorded import is_known
from .upgrades import fields, objects

CREDENTIALS = "/spec/extra/authentication.kubernetes.io/credential-id"
"""A field with the credentials of the client that recorded the answers."""
KNOWN = {
    "warnings of Services 10": "a field that has no meaning for external names; servers of 1.23 gave it a default",
}
RULES = ("batch/v1 CronJob", "spec.jobTemplate.spec.podFailurePolicy.rules")
"""A field with a default value in later releases, which is listed for these."""
FIRST = 23
"""The first minor release whose dry runs store all that a server allocates."""
OFTEN = {("1.25", "1.29"), ("1.29", "1.37")}
RELEASES = [one for one in recorded() if int(one.partition(".")[2]) >= FIRST]
PAIRS = [
    pytest.param(*pair, marks=() if pair in OFTEN else pytest.mark.slow)
    for pair in sorted({*itertools.pairwise(RELEASES), (RELEASES[0], RELEASES[-1]), *OFTEN})
]
BY_FIELD = [("1.20", "1.37"), *sorted(OFTEN)]
"""`python -m tests.conformance.releases.upgrades --fields` compares all pairs."""


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_objects(old: str, new: str) -> None:
    found = {
        name: [line for line in lines if CREDENTIALS not in line]
        for name, lines in objects(old, new).items()
        if name not in KNOWN and not is_known(name, old) and not is_known(name, new)
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


def listed(release: str) -> set[tuple[str, str]]:
    """The fields whose fate on our own server of a release is known to differ."""
    return {(kind, place) for kind, places in LISTED.get(release, {}).items() for place in places} | {RULES}


@pytest.mark.parametrize(("old", "new"), sorted(OFTEN))
def test_some_fields(old: str, new: str) -> None:
    found = fields(old, new, fates.requests()[::25])
    assert {key: one for key, one in found.items() if key not in listed(old) | listed(new)} == {}


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize(("old", "new"), BY_FIELD)
def test_every_field(old: str, new: str) -> None:
    found = fields(old, new, fates.requests())
    assert {key: one for key, one in found.items() if key not in listed(old) | listed(new)} == {}
