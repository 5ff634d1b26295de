"""Validation of an object: its metadata, and the checks of its kind."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import MergeError, load, releases

from ..defaulting.fill import apply_defaults
from ..eras import NO_END, AskedFor, in_release, minor_of
from ..errors import Invalid
from ..kinds.builtin_kinds import named_in
from ..problems import GO_SYNTAX_UNTIL, IMMUTABLE, Problem
from ..registry.strategy import APPROVAL, STATUS
from ..registry.table import find
from ..unchecked import as_map
from . import declarative, object_names
from . import metadata as metadata_checks
from .by_hand import in_words_of, worded
from .eras import CLAIM_SPEC_AGAIN, DECLARED, NAMED_AGAIN_UNTIL, SHADOWED
from .go_values import in_go_syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Schema

    from ..registry.record import KindRecord
    from ..unchecked import Object


NEWEST = releases()[-1]
_NEWEST_MINOR = minor_of(NEWEST)
_INDEX = re.compile(r"\[\d+\]")


def problems(
    content: Object, before: Object | None, subresource: str | None = None, *, release: str | None = None
) -> list[Problem]:
    """Return the problems of an object whose defaults are applied.

    `before` is the object before the update, None for a creation. Of subresources, only status is validated here.
    Checks of some releases have an era; all others come from the newest release. Problems of fields that an older
    `release` lacks are left out.
    """
    found = _problems(content, before, subresource, release or NEWEST)
    if not found or release is None or release == NEWEST:
        return found
    filled = (apply_defaults(content, defaults) for defaults in (NEWEST, release))
    later, own = (
        frozenset(found if full == content else _problems(full, before, subresource, release)) for full in filled
    )
    schema, newest = _schema(content, release), _schema(content, NEWEST)
    # later defaults prevent some problems; one that its own defaults would prevent, too, is about a dropped field
    kept = [one for one in found if one in later or one not in own or one.until != NO_END]
    kept = [one for one in kept if not _is_new(one, schema, newest)]
    minor = minor_of(release)
    return in_go_syntax(kept, minor) if minor <= GO_SYNTAX_UNTIL else kept


def _schema(content: Object, release: str) -> Schema | None:
    key = str(content.get("apiVersion")), str(content.get("kind"))
    try:
        tables = load(release)
    except MergeError:
        return None
    return tables.schema(*key) if key in tables else None  # an error about a custom kind takes long


def _is_new(problem: Problem, schema: Schema | None, newest: Schema | None) -> bool:
    """Whether the field of a problem exists only in a later release.

    A few paths name no field of any release: `spec.LoadBalancerSourceRanges`, `metadata.taints` of a Node.
    """
    path = problem.path
    return schema is not None and newest is not None and not _has(schema, path) and _has(newest, path)


def _has(schema: Schema, path: str) -> bool:
    try:
        return schema.rule(path) is not None
    except MergeError:  # a key that no path can contain
        return True


def _problems(content: Object, before: Object | None, subresource: str | None, release: str) -> list[Problem]:
    minor = minor_of(release)
    with AskedFor(minor):
        return _problems_in(content, before, subresource, minor)


def _problems_in(content: Object, before: Object | None, subresource: str | None, minor: int) -> list[Problem]:
    kind, api_version = str(content.get("kind")), str(content.get("apiVersion"))
    metadata, group = as_map(content.get("metadata")), api_version.rpartition("/")[0]
    record = find(api_version, kind)
    is_early = minor <= NAMED_AGAIN_UNTIL.get(kind, 0)
    if before is None:
        judged = metadata
        if record is not None and record.any_prefix and not is_early and metadata.get("name"):
            judged = {field: value for field, value in metadata.items() if field != "generateName"}
        found = list(object_names.problems(judged, group, kind))
    else:
        again = is_early or (record is not None and record.named_again)
        found = list(object_names.prefix_problems(metadata, group, kind, again=again and subresource is None))
    found += metadata_checks.problems(metadata, group, kind)
    own = in_release(_by_record(record, content, before, subresource, minor), minor) if record else []
    later = before is None and record is not None and api_version in record.metadata_later
    found = own if own and later else found + own
    found = list(dict.fromkeys(in_release(found, minor)))
    found = _with_declared(found, _declared(record, content, before, subresource, minor), minor)
    if not found and before is None:  # a server checks the path of a new object last
        return list(object_names.path_problems(metadata))
    return found


def _declared(
    record: KindRecord | None, content: Object, before: Object | None, subresource: str | None, minor: int
) -> list[Problem] | None:
    """The problems by declarative rules of the newest release. None if it enforces none for the kind.

    An apiVersion missing in the release is validated as the kind's preferred one.
    """
    kind = str(content.get("kind"))
    versions = str(content.get("apiVersion")), *(record.versions[:1] if record else ())
    type_ = _type_of(kind, versions)
    found = declarative.problems(type_, content, before, _NEWEST_MINOR, subresource)
    if found is not None and before is not None and _is_claim_checked_again(kind, subresource, minor):
        again = declarative.problems(type_, content, None, _NEWEST_MINOR) or ()
        found += [one for one in again if one.path.startswith("spec.")]
    own = [worded(one, kind, content, minor) for one in found or () if _is_declared_in(one, kind, minor)]
    return found and [one for one in own if one is not None]


def _is_claim_checked_again(kind: str, subresource: str | None, minor: int) -> bool:
    return kind == "ResourceClaim" and subresource is None and CLAIM_SPEC_AGAIN.has(minor)


def _is_declared_in(problem: Problem, kind: str, minor: int) -> bool:
    """Whether servers of a minor release report a declarative problem, or the same one by hand."""
    era = DECLARED.get((kind, problem.origin)) or DECLARED.get((kind, _INDEX.sub("[]", problem.path)))
    return era is None or era.has(minor)


@lru_cache(maxsize=1024)
def _type_of(kind: str, versions: tuple[str, ...]) -> str:
    """The type of a kind in the first version that the newest release has, or an empty text."""
    schemas = (_schema({"apiVersion": version, "kind": kind}, NEWEST) for version in versions)
    return next((schema.type.name for schema in schemas if schema and schema.type), "")


def _with_declared(found: list[Problem], declared: list[Problem] | None, minor: int) -> list[Problem]:
    """Merge problems. Those of declarative rules come last and replace handwritten ones that they cover.

    In older releases, handwritten ones stay in place.
    """
    is_shadowed = SHADOWED.has(minor)
    if declared is None:
        return found if is_shadowed else sorted(found, key=lambda problem: problem.declared)
    covering = {_covered(problem) for problem in declared}
    kept = [one for one in found if _covered(one) not in covering or not _is_replaced(one, is_shadowed=is_shadowed)]
    return list(dict.fromkeys(kept + declared))


def _is_replaced(problem: Problem, *, is_shadowed: bool) -> bool:
    return problem.path == "metadata.name" or (problem.declared and not is_shadowed)


def _covered(problem: Problem) -> tuple[str, str, bool]:
    """The properties by which a declarative problem covers a handwritten one."""
    return problem.path, problem.kind, problem.origin == IMMUTABLE


def _by_record(
    record: KindRecord, content: Object, before: Object | None, subresource: str | None, minor: int
) -> Iterable[Problem]:
    if before is not None and subresource == STATUS:
        if record.check_status_in is not None:
            return record.check_status_in(content, before, minor)
        return record.check_status(content, before) if record.check_status else ()
    if before is not None and subresource == APPROVAL:
        return record.check_approval(content, before) if record.check_approval else ()
    if before is not None and (part := record.parts.get(subresource or "")):
        return part.check(content, before)
    if before is not None and record.check_update is not None:
        return record.check_update(content, before)
    if record.check_in is not None:
        return record.check_in(content, minor)
    return record.check(content) if record.check else ()


def rejection(content: Object, found: Sequence[Problem], minor: int = NO_END) -> Invalid:
    """Return the error of a minor release for the problems of an object."""
    kind = str(content.get("kind"))
    group = named_in(str(content.get("apiVersion")).rpartition("/")[0], kind, minor)
    called = f"{kind}.{group}" if group else kind
    own = [in_words_of(one, minor) for one in found]
    return Invalid.of(called, as_map(content.get("metadata")).get("name", ""), own)
