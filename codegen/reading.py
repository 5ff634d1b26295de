"""`codegen.read`: merge tables from any specification."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import MergeError, flat
from engine.tables.loading import newest_types
from engine.tables.tables import Tables
from engine.tables.types import data_of
from engine.values.plain import kind_name

from . import shapes
from .credentials import without_credentials
from .eras import unversioned
from .errors import SpecError, SpecWarning, brief, one_line
from .rows import Rows, rows_of
from .sources import opening, printed
from .sources.opening import documents, is_index
from .specs.combine import combine
from .specs.crds import is_crd, read_crd
from .specs.openapi import read_components, read_definitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .sources.fetch import Fetch
    from .sources.opening import Document, Source
    from .specs.facts import Facts

EXPECTED = "an OpenAPI v2 or v3 document, a bundle of JSON Schemas, or a CustomResourceDefinition"


def read(source: opening.Source, *, fetch: opening.Fetch | None = None) -> Tables:
    """The merge tables of a specification.

    `source` is a path (a file, a folder, .json, .yaml, .gz, or "-" for standard input), an http(s) address
    (a document, or a server's /openapi/v3), or a parsed document. It contains OpenAPI v2 or v3, JSON Schemas under
    `$defs` or `definitions`, or CustomResourceDefinitions. A folder may also be a package that `kubemerge generate`
    printed, which is read and not run. Raises `SpecError` with the problem and its place. What Kubernetes itself
    ignores, such as a merge key on a single object, is ignored with a `SpecWarning`.
    """
    try:
        package = _package(source)
        if package is not None:
            return printed.tables_of(package)
        return _tables(checked_rows(read_facts(source, fetch=fetch), stacklevel=3))
    except MergeError as error:
        raise flat(error) from None


def _package(source: Source) -> Path | None:
    """The folder of a package of tables, if the source is one."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isdir(source):  # noqa: PTH112 - bytes are told later
        return None
    folder = Path(os.fsdecode(source))
    return folder if printed.is_package(folder) else None


def checked_rows(facts: Facts, *, stacklevel: int = 2) -> Rows:
    """The rows of a specification that is new here: what is ignored of it is told in a warning."""
    rows = rows_of(facts)
    ignored = list(dict.fromkeys(facts.ignored))
    if ignored:
        more = f", and {len(ignored) - 3} more" if len(ignored) > 3 else ""
        text = f"{facts.source}: ignored without effect: {', '.join(ignored[:3])}{more}"
        warnings.warn(SpecWarning(one_line(without_credentials(text))), stacklevel=stacklevel)
    return rows


def read_facts(source: Source, *, fetch: Fetch | None = None) -> Facts:
    """The facts of all documents of a source."""
    return facts_of(documents(source, fetch), str(source) if isinstance(source, (str, os.PathLike)) else "document")


def facts_of(found: Sequence[Document], name: str) -> Facts:
    """The facts of these documents; other documents are skipped if there is at least one specification."""
    parts: list[Facts] = []
    other: list[Document] = []
    for document in found:
        facts = list(_facts(document.content, document.source))
        parts += facts
        if not facts:
            other.append(document)
    if parts:
        return combine(parts, name)
    if not other:
        raise SpecError(name, EXPECTED, found="nothing")
    raise SpecError(other[0].source, EXPECTED, found=_describe(other[0].content))


def _facts(document: Any, source: str, at: tuple[object, ...] = ()) -> Iterator[Facts]:
    """The facts of one document; none if it is an object, but not a specification."""
    if is_crd(document):
        yield read_crd(document, source, at)
    elif not isinstance(document, dict):
        raise SpecError(source, EXPECTED, found=kind_name(document))
    elif "kind" in document and "apiVersion" in document and not str(document["kind"]).endswith("List"):
        return  # a manifest, whatever its fields are called: a Kustomization has `components`, too
    elif "components" in document:
        yield read_components(document, source)
    elif "definitions" in document or "$defs" in document:
        yield read_definitions(document, source)
    elif is_index(document):
        raise SpecError(source, EXPECTED, found="only the index of a server. Pass its address, or the documents")
    elif str(document.get("kind", "")).endswith("List") and "items" in document:
        shapes.check("list", document, source, *at)
        for position, item in enumerate(document["items"]):
            if isinstance(item, dict):
                yield from _facts(item, source, (*at, "items", position))


def _describe(document: Any) -> str:
    """What was found instead of a specification."""
    if document.get("kind"):
        return f"a {brief(document['kind'])} object"
    return f"an object with {', '.join(brief(key, 20) for key in list(document)[:4]) or 'no keys'}"


def _tables(rows: Rows) -> Tables:
    """The tables of one specification, in memory."""
    found = unversioned(rows)
    return Tables(data_of(found.kinds, found.prefixes, found.types), below=newest_types)


# ---- tables that are kept as text ------------------------------------------------------------------------------------

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


def tables_kept(text: str, name: str = "text") -> Tables:
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
        raise SpecError(name, "stored tables", found=kind_name(text)) from None
    return Tables(data_of(kinds, prefixes, types), below=newest_types)


def _row(row: list[Any]) -> tuple[Any, ...]:
    return tuple(_row(cell) if isinstance(cell, list) else cell for cell in row)
