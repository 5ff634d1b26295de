"""Printer columns of a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, required
from ...schemas.problems import invalid
from .paths import simple

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES = "boolean,date,integer,number,string"
FORMATS = "byte,date,date-time,double,float,int32,int64,password"


def problems(column: dict[str, Any], at: str) -> Iterator[Problem]:
    """Validate a printer column."""
    if not column.get("name"):
        yield required(f"{at}.name")
    kind, form = column.get("type") or "", column.get("format") or ""
    if not kind:
        yield required(f"{at}.type", f"must be one of {TYPES}")
    elif kind not in TYPES.split(","):
        yield invalid(f"{at}.type", kind, f"must be one of {TYPES}")
    if form and form not in FORMATS.split(","):
        yield invalid(f"{at}.format", form, f"must be one of {FORMATS}")
    path = column.get("jsonPath") or column.get("JSONPath") or ""
    if not path:
        yield required(f"{at}.JSONPath")
    else:
        yield from simple(path, f"{at}.JSONPath")
