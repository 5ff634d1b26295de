"""The recorded cases, for anyone who has to match the reference exactly.

for case in load("two_way"): case.op, case.schema, case.documents, case.expect
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from .inputs import DOCUMENTS_OF, SETTINGS

FOLDER = Path(__file__).parent / "cases"

INT64 = 1 << 63
"""Go decodes integers from here on as floats."""

INTEGRAL_BELOW = 1e21
"""Go prints floats below this without an exponent."""


@dataclass(frozen=True)
class RecordedCase:
    """A case and the reference's response to it.

    documents  by their names in the op, decoded so that 1 and 1.0 differ. A `str` is raw text, and a missing one
               was not given at all.
    settings   `overwrite`, `preconditions`, where the case sets them.
    expect     {"result": ...}, {"error": text}, {"panic": text} or, where the reference is not stable,
               {"varies": [...]}.
    lookups    responses that differ from `expect` if the reference looks the schema up in OpenAPI v2 or v3. For
               `expect`, it uses Go types, or OpenAPI v2 for older releases, where that is the only lookup.
    """

    name: str
    source: str
    op: str
    schema: str | None
    documents: dict[str, Any]
    settings: dict[str, Any]
    expect: dict[str, Any]
    lookups: dict[str, dict[str, Any]] = field(default_factory=dict)

    def accepts(self, result: Any, lookup: str | None = None) -> bool:
        """True if a result is the expected one, or one of them; `lookup` selects one of `lookups` instead."""
        return any("result" in one and same(one["result"], result) for one in self._outcomes(lookup))

    def accepts_error(self, lookup: str | None = None) -> bool:
        """True if no result is expected. Where the reference crashes, an error is the right response."""
        return any("result" not in one for one in self._outcomes(lookup))

    def _outcomes(self, lookup: str | None) -> list[dict[str, Any]]:
        answer = self.lookups[lookup] if lookup else self.expect
        several: list[dict[str, Any]] = answer.get("varies", [answer])
        return several


def files() -> list[str]:
    """The names of the files of recorded cases."""
    return sorted(path.name.split(".")[0] for path in FOLDER.glob("*.jsonl*"))


def load(name: str) -> list[RecordedCase]:
    """The cases of one file."""
    return [_recorded(line) for line in raw(name)[1:]]


def load_all() -> list[RecordedCase]:
    return [case for name in files() for case in load(name)]


def raw(name: str) -> list[dict[str, Any]]:
    """The lines of one file; the first one has the versions of the reference."""
    path = FOLDER / f"{name}.jsonl"
    data = path.read_bytes() if path.exists() else gzip.decompress(path.with_suffix(".jsonl.gz").read_bytes())
    # Not splitlines(): strings may contain line separators other than \n.
    return [json.loads(line) for line in data.decode("utf-8", "surrogatepass").split("\n") if line]


def same(expected: Any, result: Any) -> bool:
    """True if a result, once printed, is the expected text; in Python, true == 1 == 1.0."""
    return json.dumps(as_printed(expected), sort_keys=True) == json.dumps(as_printed(result), sort_keys=True)


def as_printed(value: Any) -> Any:
    """A result after Go has printed it and it was read again, where 1.0 is 1."""
    if isinstance(value, dict):
        return {key: as_printed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_printed(inner) for inner in value]
    if type(value) is int and not -INT64 <= value < INT64:
        value = float(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < INTEGRAL_BELOW:
        return int(Decimal(repr(value)))
    return value


def _recorded(line: dict[str, Any]) -> RecordedCase:
    return RecordedCase(
        name=line["name"],
        source=line["source"],
        op=line["op"],
        schema=line.get("schema"),
        documents={name: line[name] for name in DOCUMENTS_OF[line["op"]] if name in line},
        settings={name: line[name] for name in SETTINGS if name in line},
        expect=line["expect"],
        lookups=line.get("lookups", {}),
    )
