"""The outcome of one apply, and on request the reason for every field."""

from __future__ import annotations

import marshal
from collections.abc import Iterable

from .. import aliases
from ..values.guard import with_room
from ..values.immutable import require_readable
from ..values.plain import copied
from ..version import __version__
from .change import Change
from .method import Method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..values.plain import Object


class Inputs:
    """Copies of the documents of an apply, from which reasons are worked out on request."""

    __slots__ = ("_documents",)

    def __reduce__(self) -> tuple[Any, ...]:
        return Inputs, tuple(self.documents())  # not the bytes, which another version of Python may not read

    def __init__(self, config: Object, last: Object | None, live: Object | None) -> None:
        documents = (config, last, live)
        try:
            # The fastest way to copy them: most callers never ask for reasons.
            self._documents: Any = marshal.dumps(documents)
        except ValueError:
            self._documents = tuple(map(copied, documents))

    def documents(self) -> Any:
        """Config, last applied and live, as new copies."""
        known = self._documents
        return marshal.loads(known) if type(known) is bytes else [*map(copied, known)]  # noqa: S302 - our own bytes


class Outcome:
    """The outcome of one apply.

    result      "created", "configured" or "unchanged", as kubectl prints it
    merged      the object after the apply
    patch       what is sent: a patch, or the whole object if it is created
    patch_type  "strategic", "merge", "create", or "none" if nothing is sent
    warnings    the warnings of kubectl, one sentence each
    """

    __slots__ = ("_changes", "_inputs", "_merged", "_method", "patch", "patch_type", "result", "warnings")

    patch: aliases.Object
    patch_type: aliases.PatchType
    result: aliases.Result
    warnings: tuple[str, ...]

    def __init__(
        self,
        result: aliases.Result,
        merged: aliases.Object | None,
        patch: aliases.Object,
        patch_type: aliases.PatchType,
        warnings: Iterable[str],
        inputs: Inputs,
        method: Method,
    ) -> None:
        self.result, self.patch, self.patch_type = result, patch, patch_type
        self.warnings = tuple(warnings)
        self._merged, self._inputs, self._method = merged, inputs, method
        self._changes: tuple[Change, ...] | None = None

    @property
    def merged(self) -> aliases.Object:
        """The object after the apply; if nothing is sent, a copy of live that is made on first use."""
        if self._merged is None:
            merged: Object = self._inputs.documents()[2]
            self._merged = merged
        return self._merged

    @property
    def changes(self) -> tuple[Change, ...]:
        """Why every field has its value; worked out on first use."""
        if self._changes is None:
            self._changes = self.changes_to(self.merged)
        return self._changes

    def changes_to(self, stored: aliases.Object) -> tuple[Change, ...]:
        """The same for the object that a server stored, which differs from `merged` by default values and spelling."""
        from .reasons import explain

        config, last, live = self._inputs.documents()
        method = self._method
        schema = method.explained_by()
        return with_room(
            lambda: explain(
                config, last, live, schema, stored, merges_lists=method.merges_lists, all_keys=method.lossless
            )
        )

    def json_patch(self, *, test: bool = False) -> list[aliases.Object]:
        """The JSON patch (RFC 6902) from live to merged, for what takes no other patch; empty if nothing changes.

        Without a live object it sets the whole object. With `test`, each value that is replaced or removed is tested
        first, so that the patch fails if somebody was faster.
        """
        from .json_patch import operations

        _, _, live = self._inputs.documents()
        schema = self._method.explained_by()
        return with_room(lambda: operations(live, self.merged, schema, test=test))

    def _facts(self) -> tuple[Any, ...]:
        return self.result, self.patch_type, self.patch, self.merged, self.warnings, self._inputs.documents()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._facts() == other._facts() and self._method == other._method

    __hash__ = None  # type: ignore[assignment]  # its values are dicts

    def __reduce__(self) -> tuple[Any, ...]:
        facts = (self.result, self._merged, self.patch, self.patch_type, self.warnings, self._inputs, self._method)
        return outcome_of, (__version__, *facts)

    def __repr__(self) -> str:
        return f"<Outcome {self.result} by {self.patch_type}>"


def outcome_of(version: str, *facts: Any) -> Outcome:
    """An outcome; made again from a pickle."""
    require_readable(version)
    return Outcome(*facts)
