"""Kinds of Kubernetes that a release lacks."""

from __future__ import annotations

from ...tables.served import unserved
from ..findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Case


def unknown(case: Case) -> Iterator[Finding]:
    """KM027: nobody serves this apiVersion and kind; custom resources may be anything."""
    key = case.config.get("apiVersion"), case.config.get("kind")
    if case.schema is not None or case.tables is None or type(key[0]) is not str or type(key[1]) is not str:
        return
    problem = unserved((key[0], key[1]), case.tables)
    if problem:
        end = "" if problem.endswith("?") else "."
        yield Finding("KM027", ("apiVersion",), f"{problem[0].upper()}{problem[1:]}{end}")
