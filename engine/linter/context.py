"""The input of lint rules: the documents, their fields, and the predicted outcome."""

from __future__ import annotations

from ..clientside.apply import READ, apply
from ..clientside.identity import require_kind
from ..clientside.last_applied import as_sent, parse_last_applied, read_last_applied
from ..clientside.method import takes_strategic
from ..errors import BadAnnotation, MergeError, SnakeCase
from ..serverside.apply import server_side_apply
from ..serverside.conflicts import FieldConflict
from ..values.client_objects import is_snake_case
from ..values.guard import canonical, canonical_document
from ..values.plain import ABSENT
from .field_values import FieldWalk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import aliases
    from ..clientside.outcome import Outcome
    from ..serverside.conflicts import OwnedField
    from ..tables.rules import Rule
    from ..tables.schema import Schema
    from ..tables.tables import Tables
    from ..values.plain import Object
    from .field_values import FieldValues


class LintContext:
    """The documents of one apply and its predicted outcome.

    first      the outcome of this apply, or None if it fails
    second     the outcome of the same apply right after it, or None
    error      the error of the apply that fails, or None
    unreadable true if the annotation of live cannot be read
    tables     the tables of the release, or None
    manager    the manager of a server-side apply, or None for a client-side one
    tool       the tables that a tool was built with, or None
    """

    def __init__(
        self,
        config: aliases.Document,
        schema: Schema | None,
        live: aliases.Document | None,
        last_applied: Any,
        tables: Tables | None = None,
        manager: str | None = None,
        tool: Tables | None = None,
    ) -> None:
        self.config: Object = plain("config", config)
        self.live: Object | None = None if live is None else plain("live", live)
        self.schema, self.tables = schema, tables
        self.manager, self.tool = manager, tool
        self.conflicts: tuple[OwnedField, ...] = ()
        self.strategic = schema is not None and takes_strategic(schema)
        self.built_in = schema is not None and schema.built_in
        self.error: MergeError | None = None
        self.first: Outcome | None = None
        self.second: Outcome | None = None
        self.unreadable = False
        self.last = self._last(last_applied)
        require_kind(self.config, schema)
        if not self.unreadable:
            self._predict()
        predicted: list[Outcome | None] = [self.first, self.second]
        if any(outcome is not None and outcome.patch_type == "merge" for outcome in predicted):
            self.strategic = False  # the strategic patch fails, and kubectl falls back to a JSON merge patch
        self._walk = FieldWalk(schema, strategic=self.strategic)
        merged = ABSENT if self.first is None else as_sent(self.first.merged)
        four = (self.config, _or_absent(self.last), _or_absent(self.live), merged)
        self.places: list[FieldValues] = list(self._walk.places(four))

    @property
    def is_new(self) -> bool:
        """True if there is nothing to compare the config with: no live object and no last-applied."""
        return self.live is None and self.last is None and not self.unreadable

    def merges(self, rule: Rule | None) -> bool:
        """True if apply merges a list with this rule element by element."""
        return self._walk.merges(rule)

    @property
    def merged(self) -> Object | None:
        return None if self.first is None else self.first.merged

    @property
    def release(self) -> str:
        release = self.schema.release if self.schema else None
        return f"Kubernetes {release}" if release else "the schema"

    def _last(self, given: Any) -> Object | None:
        if given is READ:
            try:
                found = None if self.live is None else read_last_applied(self.live)
            except BadAnnotation as error:
                self.error, self.unreadable = error, True
                return None
            return None if found is None else canonical(found)
        if isinstance(given, str):
            given = parse_last_applied(given)
        return None if given is None else as_sent(canonical_document("last applied config", given))

    def _predict(self) -> None:
        """Run the exact merge twice; a server-side apply once, forced if there are conflicts."""
        try:
            if self.manager is not None:
                self.first = self._server_side(self.manager)
                return
            self.first = apply(self.config, self.live, self.schema, last_applied=self.last)
            self.second = apply(self.config, self.first.merged, self.schema)
        except MergeError as error:
            self.error = error

    def _server_side(self, manager: str) -> Outcome:
        try:
            return server_side_apply(self.config, self.live, self.schema, manager=manager)
        except FieldConflict as error:
            self.conflicts = tuple(error.conflicts)
        return server_side_apply(self.config, self.live, self.schema, manager=manager, force=True)


class ConfigContext:
    """The input of rules that need only the config, without an apply."""

    merged: Object | None = None

    def __init__(self, config: aliases.Document) -> None:
        self.config: Object = plain("config", config)


def plain(name: str, document: aliases.Document) -> Object:
    """A copy of a document in plain types with sorted keys, as after a JSON round trip."""
    found = canonical_document(name, document)
    if is_snake_case(found):
        raise SnakeCase(name)
    return as_sent(found)


def _or_absent(document: Object | None) -> Any:
    return ABSENT if document is None else document
