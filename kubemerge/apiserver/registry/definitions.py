"""CustomResourceDefinitions. Their validation is in `crd.definitions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..crd.definitions import status
from ..unchecked import as_map
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..problems import Problem
    from ..unchecked import Object
    from ..warnings.eras import DatedWarning


def _check(content: Object) -> Iterator[Problem]:
    yield from _problems(content, None)


def _check_update(content: Object, before: Object) -> Iterator[Problem]:
    yield from _problems(content, before)


def _check_status(content: Object, _: Object) -> Iterator[Problem]:
    from ..crd.definitions import check

    yield from check.status_problems(content)


def _problems(content: Object, before: Object | None) -> list[Problem]:
    from ..crd.definitions import check  # most clusters have no definitions

    return check.problems(content, before)


def _warnings(content: Object, before: Object) -> list[DatedWarning]:
    from ..crd.definitions import check

    return check.warnings(content, before or None)


def _created(content: Object) -> Object:
    return {**content, "status": {**status.NEW, "storedVersions": status.stored_versions(content, None)}}


def _updated(content: Object, before: Object) -> Object:
    stored = status.stored_versions(content, before)
    return {**content, "status": {**(content.get("status") or status.NEW), "storedVersions": stored}}


def _status_updated(content: Object, _: Object) -> Object:
    """Return the definition with all fields of its status. Stored versions are never empty."""
    given = as_map(content.get("status"))
    stored = given.get("storedVersions") or status.stored_versions(content, None)
    names = {**status.NEW["acceptedNames"], **as_map(given.get("acceptedNames"))}
    return {**content, "status": {**status.NEW, **given, "acceptedNames": names, "storedVersions": stored}}


RECORDS = (
    KindRecord(
        group="apiextensions.k8s.io",
        kind="CustomResourceDefinition",
        versions=("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"),
        check=_check,
        check_update=_check_update,
        check_status=_check_status,
        created=_created,
        updated=_updated,
        status_updated=_status_updated,
        warnings=_warnings,
    ),
)
