"""The tables of one specification as text, for those who keep them and read them again."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

from engine.tables.loading import newest_types
from engine.tables.tables import Tables
from engine.tables.types import data_of
from engine.values.plain import kind_name

from .eras import unversioned
from .errors import SpecError, SpecWarning
from .reading import checked_rows, read_facts

if TYPE_CHECKING:
    from .sources.opening import Source

FORM = 1
"""Changes when the text does."""


def kept(source: Source) -> str:
    """The tables of a specification, as `codegen.read` would give them, as text. What it ignores is not told."""
    facts = read_facts(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SpecWarning)
        found = unversioned(checked_rows(facts))
    content = {"form": FORM, "kinds": found.kinds, "prefixes": found.prefixes, "types": found.types}
    return json.dumps(content, separators=(",", ":"))


def tables(text: str, name: str = "text") -> Tables:
    """The tables in a text; a SpecError if it is none of ours."""
    try:
        content = json.loads(text)
        if content["form"] != FORM:
            raise ValueError
        kinds = [_row(one) for one in content["kinds"]]
        types = {
            module: {called: [_row(row) for row in rows] for called, rows in inside.items()}
            for module, inside in content["types"].items()
        }
        prefixes = {str(prefix): str(module) for prefix, module in content["prefixes"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SpecError(name, "tables that were kept", found=kind_name(text)) from None
    return Tables(data_of(kinds, prefixes, types), below=newest_types)


def _row(row: list[Any]) -> tuple[Any, ...]:
    return tuple(_row(cell) if isinstance(cell, list) else cell for cell in row)
