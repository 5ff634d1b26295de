"""Compare the effects that `compare A B -f` reports with the differences between two real servers.

`python -m tests.conformance.releases.upgrades [A B] [--show 20]` uses the recorded answers of the servers. Each object
is a new one: the answers say whether a server accepts it, with which warnings, and what it stores. With `--fields`,
the objects are those that set one field, and the recorded fates of their fields are used. With `--distinct`, a field of
a Pod template counts once for each pair of fates, and not again in each workload and version.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.compare.chain import Side
from kubemerge.compare.replay import replay
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs
from tests.conformance.ownership.compare import places
from tests.kubemerge.apiserver.releases import fates

from ..kinds.judge import DRAWN, REFUSED
from .cases import Case, every
from .known import CREDENTIALS, is_known_field_in_upgrade, is_known_in_upgrade
from .record import recorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubemerge.compare.model import Finding
    from tests.kubemerge.apiserver.releases.fates import FieldRequest

    from .record import Result

NOT_OF_THE_OBJECT = re.compile(r"(^|\.)creationTimestamp$|^status(\.|$)|^metadata\.generation$")
ALLOCATED = re.compile(r"^/spec/(clusterIPs|ipFamilies|ipFamilyPolicy): ours \"nothing\"")
"""Fields that a server allocates for a Service, like its address. `compare` does not list them."""
PRINTED = re.compile(r": ours (\"nothing\", theirs null|null, theirs \"nothing\")$")
"""A null that only one release prints."""
REPLACEMENT = "; use "
"""The part of a deprecation warning that names the new API. A later release may name another one."""
NOT_STORED = re.compile(
    r"^a negative value counts as one second$|handles the volume instead of the in-tree plugin$|so kubectl rejects the"
)
"""Effects that are not stored: of a running object, and of an unknown field that a server dropped before, too."""
STORED = ("changed", "default", "kept", "dropped")
"""Effects on the stored object."""


@cache
def side(release: str) -> Side:
    return Side(release, engine.load(release))


def effects(case: Case, old: str, new: str) -> tuple[Finding, ...]:
    """What `compare` reports for an object that has no live object."""
    inputs = Inputs(Manifest("config.yaml", case.content), None, None, None)
    found = replay(inputs, [side(old), side(new)]).findings
    return tuple(one for one in found if one.previous or one.sort in ("gone", "deprecated", "inert"))


def wrong(case: Case, old: str, new: str, before: Result | None, after: Result | None) -> Iterator[str]:
    """The real differences that are not reported, and reported ones that are not real."""
    found = effects(case, old, new)
    sorts = {one.sort for one in found}
    if before is None or after is None:
        wanted = "new" if before is None else "gone"
        if wanted not in sorts:
            yield f"missed: {wanted}"
        return
    accepted = before["code"] < REFUSED, after["code"] < REFUSED
    refused = [one for one in found if one.sort == "refused" and one.previous]
    if accepted == (True, False):
        if not refused:
            yield f"missed: refused: {after['said'][:200]}"
        return
    yield from (f"false: refused: {one.path} {one.text[:150]}" for one in refused if one.severity != "info")
    if accepted == (False, True) and "accepted" not in sorts:
        yield f"missed: accepted (before: {before['said'][:200]})"
    if accepted != (True, True):
        return
    yield from _warnings(found, before["warnings"], after["warnings"])
    yield from _stored(found, before["after"], after["after"])


def _warnings(found: tuple[Finding, ...], before: list[str], after: list[str]) -> Iterator[str]:
    known = {one.partition(REPLACEMENT)[0] for one in before}
    new = [one for one in after if one.partition(REPLACEMENT)[0] not in known and not one.startswith("unknown field")]
    told = [one for one in found if one.sort in ("deprecated", "inert", "warned") and one.previous]
    for words in new:
        place = words.partition(": ")[0] if ": " in words else ""
        if not any(one.path == place or words in one.text for one in told):
            yield f"missed: warning: {words}"
    for one in told:
        said = one.text.partition("warns: ")[2]
        if said and not any(words.endswith(said) for words in new):
            yield f"false: warning: {one.path} {one.text}"


def _stored(found: tuple[Finding, ...], before: Any, after: Any) -> Iterator[str]:
    every_line = [(_path(line), line) for line in places(before, after)]
    lines = {path: line for path, line in every_line if not NOT_OF_THE_OBJECT.search(path)}
    real = {path: line for path, line in lines.items() if not _is_noise(line)}
    told = [one for one in found if one.sort in STORED and one.previous]
    for path, line in real.items():
        if not any(_same(path, one.path) or _is_instead(path, one.path) for one in told):
            yield f"missed: {line}"
    for one in told:
        if not NOT_STORED.search(one.text) and not any(_same(path, one.path) for path in lines):
            yield f"false: {one.sort} {one.path} {one.text}"


def _is_noise(line: str) -> bool:
    return bool(CREDENTIALS in line or DRAWN.match(line) or ALLOCATED.match(line) or PRINTED.search(line))


def _path(line: str) -> str:
    """The fields of a JSON pointer, without positions."""
    return ".".join(step for step in line.partition(": ours")[0].split("/")[1:] if not step.isdecimal())


def _is_instead(path: str, other: str) -> bool:
    """Whether a path is the emptyDir that a volume without a source gets, because a field of the volume is dropped."""
    return path.endswith(".emptyDir") and _same(path.removesuffix(".emptyDir"), _plain(other).rpartition(".")[0])


def _same(path: str, other: str) -> bool:
    one = path.replace("/", ".")
    two = re.sub(r'\[(?:"([^"]*)"|[^\]]*)\]', lambda key: f".{key[1]}" if key[1] else "", other).replace("/", ".")
    return one == two or one.startswith(f"{two}.") or two.startswith(f"{one}.")


def compared(old: str, new: str, cases: Iterable[Case]) -> list[Case]:
    """The new objects that differ for no known reason. One of the two releases has a recorded response to each."""
    answers = {**recorded()[old], **recorded()[new]}
    created = [one for one in cases if one.update is None and one.name in answers]
    return [one for one in created if not is_known_in_upgrade(one.name, old, new)]


def objects(old: str, new: str, cases: Iterable[Case]) -> dict[str, list[str]]:
    """The wrong and missing findings, by object."""
    before, after = recorded()[old], recorded()[new]
    result = {}
    for case in compared(old, new, cases):
        found = [*wrong(case, old, new, before.get(case.name), after.get(case.name))]
        if found:
            result[case.name] = found
    return result


def fields(old: str, new: str, requests: Iterable[FieldRequest]) -> dict[tuple[str, str], str]:
    """The first wrong or missing finding for each new object that sets one field, by kind and field."""
    result = {}
    for request, pair in compared_fields(old, new, requests):
        content = {"apiVersion": request.api_version, "kind": request.kind, **request.body}
        found = _wrong_for_field(effects(Case(request.called, content), old, new), request.place, *pair)
        if found:
            result[request.called, request.place] = found
    return result


def compared_fields(
    old: str, new: str, requests: Iterable[FieldRequest]
) -> Iterator[tuple[FieldRequest, tuple[str, str]]]:
    """The fields whose fates in two releases are recorded and differ for no known reason, with these fates."""
    before, after = fates.recorded(old).fates, fates.recorded(new).fates
    for request in requests:
        key = request.called, request.place
        pair = before.get(key, fates.NOT_SERVED), after.get(key, fates.NOT_SERVED)
        served = fates.UNKNOWN not in pair and pair != (fates.NOT_SERVED, fates.NOT_SERVED)
        if served and not is_known_field_in_upgrade(key, old, new):
            yield request, pair


def distinct(old: str, new: str, requests: Iterable[FieldRequest]) -> list[FieldRequest]:
    """One request for each field of a kind or of Pods, and each pair of fates."""
    found: dict[Any, FieldRequest] = {}
    for request, pair in compared_fields(old, new, requests):
        found.setdefault((_without_template(request), pair), request)
    return [*found.values()]


def _without_template(request: FieldRequest) -> tuple[str, ...]:
    """The kind and the path of a field. A Pod template counts as a Pod, wherever it is."""
    steps = tuple(map(str, request.path))
    inner = len(steps) - steps[::-1].index("template") if "template" in steps else 0
    return ("Pod" if inner else request.kind, *steps[inner:])


def _wrong_for_field(found: tuple[Finding, ...], place: str, before: str, after: str) -> str:
    told = [one for one in found if one.previous and _is_about(one, place)]
    wanted = EFFECTS.get((before, after), frozenset()) - ({*STORED} if place.endswith("metadata") else set())
    if wanted and not wanted & {one.sort for one in told}:
        return f"missed: {before} to {after}"
    false = {one.sort for one in told if not _is_of_more(one, place)} & IMPOSSIBLE[before] if before == after else ()
    return f"false: {sorted(false)} {before} to {after}" if false else ""


def _is_about(finding: Finding, place: str) -> bool:
    if finding.sort == "refused":
        return finding.severity != "info"
    return finding.sort in ("gone", "new", "accepted") or _same(_plain(place), finding.path)


def _is_of_more(finding: Finding, place: str) -> bool:
    """Whether a finding says that an outer field is stored. An inner field may be dropped all the same."""
    return finding.sort == "kept" and _plain(place).startswith(f"{_plain(finding.path)}.")


def _plain(place: str) -> str:
    return re.sub(r"\[[0-9]+\]", "", place)


IMPOSSIBLE = {
    fates.KEPT: {"dropped", "kept", "refused", "accepted", "gone", "new"},
    fates.CHANGED: {"dropped", "refused", "accepted", "gone", "new"},
    fates.DROPPED: {"kept", "refused", "accepted", "gone", "new"},
    fates.REJECTED: {"kept", "refused", "accepted", "gone", "new"},
}
"""Effects that a field with this fate on both sides cannot have. A dropped one may become unknown."""
_STAYS = (fates.KEPT, fates.CHANGED, fates.DROPPED)
EFFECTS = {
    **{(one, fates.REJECTED): frozenset({"refused"}) for one in _STAYS},
    **{(fates.REJECTED, one): frozenset({"accepted"}) for one in _STAYS},
    **{(fates.NOT_SERVED, one): frozenset({"new"}) for one in (*_STAYS, fates.REJECTED)},
    **{(one, fates.NOT_SERVED): frozenset({"gone"}) for one in (*_STAYS, fates.REJECTED)},
    **{(fates.DROPPED, one): frozenset({"kept", "default"}) for one in (fates.KEPT, fates.CHANGED)},
    **{(one, fates.DROPPED): frozenset({"dropped", "changed"}) for one in (fates.KEPT, fates.CHANGED)},
    (fates.KEPT, fates.CHANGED): frozenset({"changed", "default"}),
    (fates.CHANGED, fates.KEPT): frozenset({"changed"}),
}
"""By two different fates, the effects that fit. `compare` must report one of them."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*")
    parser.add_argument("--show", type=int, default=0, help="the number of objects to print for each pair")
    parser.add_argument("--fields", action="store_true", help="objects that set one field, by its recorded fates")
    parser.add_argument("--distinct", action="store_true", help="with --fields: not every workload and version")
    chosen = parser.parse_args()
    known = fates.recorded_releases() if chosen.fields else recorded()
    for old, new in [tuple(chosen.releases)] if chosen.releases else itertools.combinations(known, 2):
        if chosen.fields:
            select = distinct if chosen.distinct else lambda *_: fates.requests()
            requests = select(old, new, fates.requests())
            found = {" ".join(key): [one] for key, one in fields(old, new, requests).items()}
            number = len([*compared_fields(old, new, requests)])
        else:
            found, number = objects(old, new, every()), len(compared(old, new, every()))
        counts = Counter(line.partition(":")[0] for lines in found.values() for line in lines)
        print(f"{old} to {new}: {len(found)} of {number} objects with differences {dict(counts) or ''}", flush=True)
        for name, lines in [*found.items()][: chosen.show]:
            print(f"  {name}", *lines, sep="\n    ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
