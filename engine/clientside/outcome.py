"""The outcome of one apply, with the reason for every field on request."""

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


class ApplyInputs:
    """Copies of the inputs of an apply. Reasons are computed from them on request."""

    __slots__ = ("_documents",)

    def __reduce__(self) -> tuple[Any, ...]:
        return ApplyInputs, tuple(
            self.documents()
        )  # not the bytes, since another Python version may not be able to read them

    def __init__(self, config: Object, last: Object | None, live: Object | None) -> None:
        documents = (config, last, live)
        try:
            # The fastest way to copy them; most callers never request reasons.
            self._documents: Any = marshal.dumps(documents)
        except ValueError:
            self._documents = tuple(map(copied, documents))

    def documents(self) -> Any:
        """New copies of config, last applied and live."""
        known = self._documents
        return marshal.loads(known) if type(known) is bytes else [*map(copied, known)]  # noqa: S302 - our own bytes


class Outcome:
    """The outcome of one apply.

    result      "created", "configured" or "unchanged", as kubectl prints it
    merged      the object after the apply
    patch       the body of the request: a patch, or the whole object on create
    patch_type  "strategic", "merge", "create", or "none" if nothing is sent
    warnings    kubectl's warnings, one sentence each
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
        inputs: ApplyInputs,
        method: Method,
    ) -> None:
        self.result, self.patch, self.patch_type = result, patch, patch_type
        self.warnings = tuple(warnings)
        self._merged, self._inputs, self._method = merged, inputs, method
        self._changes: tuple[Change, ...] | None = None

    @property
    def merged(self) -> aliases.Object:
        """The object after the apply. If nothing is sent, a copy of live, made on first use."""
        if self._merged is None:
            merged: Object = self._inputs.documents()[2]
            self._merged = merged
        return self._merged

    @property
    def changes(self) -> tuple[Change, ...]:
        """The reason for the value of every field, computed on first use."""
        if self._changes is None:
            self._changes = self.changes_to(self.merged)
        return self._changes

    def changes_to(self, stored: aliases.Object) -> tuple[Change, ...]:
        """The same for the object that a server stored. It differs from `merged` in default values and spelling."""
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
        """The JSON patch (RFC 6902) from live to merged; empty if nothing changes.

        Without a live object it sets the whole object. With `test`, a test operation precedes each replaced or removed
        value, so the patch fails if the object changed in the meantime.
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
        return restore_outcome, (__version__, *facts)

    def __repr__(self) -> str:
        return f"<Outcome {self.result} by {self.patch_type}>"


def restore_outcome(version: str, *facts: Any) -> Outcome:
    require_readable(version)
    return Outcome(*facts)
