"""The outcome of one apply, and on request the reason for every field."""

from __future__ import annotations

import marshal

from ..values.guard import with_room
from ..values.plain import copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..values.plain import Object
    from .method import Method
    from .reasons import Change


class Inputs:
    """Copies of the documents of an apply, from which reasons are worked out on request."""

    __slots__ = ("_documents",)

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

    def __init__(
        self,
        result: str,
        merged: Object | None,
        patch: Object,
        patch_type: str,
        warnings: Iterable[str],
        inputs: Inputs,
        method: Method,
    ) -> None:
        self.result, self.patch, self.patch_type = result, patch, patch_type
        self.warnings = tuple(warnings)
        self._merged, self._inputs, self._method = merged, inputs, method
        self._changes: tuple[Change, ...] | None = None

    @property
    def merged(self) -> Object:
        """The object after the apply; if nothing is sent, a copy of live that is made on first use."""
        if self._merged is None:
            merged: Object = self._inputs.documents()[2]
            self._merged = merged
        return self._merged

    @property
    def changes(self) -> tuple[Change, ...]:
        """Why every field has its value; worked out on first use."""
        if self._changes is None:
            from .reasons import explain

            config, last, live = self._inputs.documents()
            method, merged = self._method, self.merged
            schema = method.explained_by()
            self._changes = with_room(
                lambda: explain(
                    config, last, live, schema, merged, merges_lists=method.merges_lists, all_keys=method.lossless
                )
            )
        return self._changes

    def __repr__(self) -> str:
        return f"<Outcome {self.result} by {self.patch_type}>"
