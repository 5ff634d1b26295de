"""Versions of kinds that are deprecated, or that a later release of a range lacks."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from engine.errors import spans
from engine.linter import LintRule
from engine.tables.served import moved_to

from ....apiserver.kinds.deprecated import lifecycle, successor
from ..record import SERVER, Fix, GateProblem, GateRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Tables

    from ..server import Judged


def deprecated(judged: Judged) -> Iterator[GateProblem]:
    """A version that the release serves as deprecated, or that a definition deprecates."""
    if judged.deprecation is not None:
        warning, instead = judged.deprecation
        yield GateProblem(("apiVersion",), f"The API server warns: {warning}", f"Use {instead}." if instead else "")
    api_version, kind = judged.content["apiVersion"], judged.content["kind"]
    found = lifecycle(api_version, kind) if judged.built_in else None
    if found is None or not found.is_deprecated_in(judged.release):
        return
    gone = f", and removed in {found.gone}" if found.gone else ""
    advice, fix = moved(api_version, kind, judged.release)
    yield GateProblem(
        ("apiVersion",), f"{api_version} {kind} is deprecated since {found.deprecated}{gone}.", advice, fix
    )


def moved(api_version: str, kind: str, release: str) -> tuple[str, Fix | None]:
    """The replacement in a release, and the fix if only the apiVersion has to be changed."""
    better = successor(api_version, kind, release)
    other, _, its_kind = better.partition(" ")
    if not better:
        found = lifecycle(api_version, kind)
        return (f"{found.advice[0].upper()}{found.advice[1:]}." if found and found.advice else ""), None
    advice = f"Write apiVersion: {other}." if its_kind == kind else f"Use {better}."
    return advice, Fix(("apiVersion",), False, other) if its_kind == kind else None


DEPRECATED = LintRule(
    "KM201",
    "deprecated-version",
    "warning",
    meaning="This API version is deprecated in this release and will be removed.",
    advice="Migrate to the API version that replaces it.",
    explanation="""
        The API server accepts the object with a warning. A CustomResourceDefinition may also deprecate versions and
        define the warning, which is then the message. With a range of releases, each release is checked. `--fix` writes
        the replacement version if the release serves it and accepts the object unchanged.
        """,
    example="""
        # release: 1.24
        # kind: batch/v1beta1 CronJob
        # config
        spec:
          schedule: "0 * * * *"
          jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
        """,
    about=SERVER,
)

GONE = LintRule(
    "KM202",
    "removed-version",
    "error",
    meaning="A later release of the range does not serve this API version.",
    advice="Migrate to an API version that all releases of the range serve.",
    explanation="""
        With `--release 1.24..1.31`, every release of the range must accept the object. The message contains the first
        release that does not serve the kind with this apiVersion. If that is the first release of the range, KM027 is
        reported instead.
        """,
    example="""
        # release: 1.24..1.25
        # kind: batch/v1beta1 CronJob
        # config
        spec:
          schedule: "0 * * * *"
          jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
        """,
    about=SERVER,
)


def gone(api_version: str, kind: str, release: str, tables: Sequence[Tables] = ()) -> GateProblem:
    """A version that the first releases of a range have, but not this one. `tables` has each release of the range."""
    advice, fix = moved(api_version, kind, release)
    if fix is not None and not all(_serves(one, (fix.text, kind)) for one in tables):
        better, fix = moved_to((api_version, kind), tables[-1]) or fix.text, None
        since = next((str(one.release) for one in tables if _serves(one, (better, kind))), release)
        advice = f"{_NONE_IN_ALL} Write apiVersion: {better} when no cluster is older than {since}."
    return GateProblem(("apiVersion",), f"{api_version} {kind} is removed in {release}.", advice, fix)


def unserved_in(api_version: str, kind: str, tables: Sequence[Tables], hint: str) -> GateProblem:
    """A version that the first release of a range lacks, with a version that every release serves, if possible.

    The hint names similar kinds, for a kind that nothing replaces.
    """
    key = api_version, kind
    served = [str(one.release) for one in tables if _serves(one, key)]
    lacking = [str(one.release) for one in tables if str(one.release) not in served]
    message = f"The kind {api_version} {kind} is not served in {spans(lacking)}."
    common = moved_to(key, *tables)
    if common:
        text = f"{message} Every release of the range serves {common}."
        return GateProblem(("apiVersion",), text, f"Write apiVersion: {common}.", Fix(("apiVersion",), False, common))
    if _serves(tables[-1], key):
        since = _first_of_last(tables, key)
        return GateProblem(("apiVersion",), message, f"{_NONE_IN_ALL} Apply the object only from {since} on.")
    better = moved_to(key, tables[-1])
    if better:
        since = _first_of_last(tables, (better, kind))
        advice = f"{_NONE_IN_ALL} Write apiVersion: {better}, and apply the object only from {since} on."
        return GateProblem(("apiVersion",), message, advice)
    return GateProblem(("apiVersion",), f"{message}{hint}", moved(api_version, kind, str(tables[-1].release))[0])


_NONE_IN_ALL = "No apiVersion of the kind is served in every release of the range."


def _first_of_last(tables: Sequence[Tables], key: tuple[str, str]) -> str:
    """The first of those last releases that all serve a version."""
    return str([*takewhile(lambda one: _serves(one, key), reversed(tables))][-1].release)


def _serves(tables: Tables, key: tuple[str, str]) -> bool:
    """Whether servers of a release serve a version. The tables of 1.16 list some that they do not."""
    found = lifecycle(*key)
    return key in tables and not (found is not None and found.is_gone_in(str(tables.release)))


def not_by_default(judged: Judged) -> Iterator[GateProblem]:
    """A version that the release's specification lists although its servers do not serve it: some of 1.16."""
    api_version, kind = judged.content["apiVersion"], judged.content["kind"]
    found = lifecycle(api_version, kind) if judged.built_in else None
    if found is not None and found.is_gone_in(judged.release):
        yield gone(api_version, kind, found.gone)


RULES = (GateRule(DEPRECATED, deprecated), GateRule(GONE, not_by_default))
