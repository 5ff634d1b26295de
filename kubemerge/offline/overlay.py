"""Sparse configs overlaid on objects, like kustomize's `patches`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError
from engine.clientside.last_applied import as_sent
from engine.clientside.method import takes_strategic
from engine.directives import is_directive
from engine.values.plain import same

from .patch import merged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Schema

    from ..manifests.objects import Manifest


class BadOverlay(MergeError):
    """A partial manifest with no target, several targets, or a target that it cannot patch."""


class Objects:
    """Objects in order, changed one patch at a time."""

    def __init__(self, objects: Iterable[Manifest]) -> None:
        self._given = list(objects)
        self._there: list[Manifest | None] = [*self._given]
        self._by_kind: dict[tuple[str, object], list[int]] = {}
        for at, one in enumerate(self._given):
            self._by_kind.setdefault((_name(one), one.key), []).append(at)

    def __len__(self) -> int:
        return len(self._given)

    @property
    def left(self) -> list[Manifest]:
        """The current objects, without deleted ones."""
        return [one for one in self._there if one is not None]

    @property
    def changed(self) -> int:
        """Number of changed objects."""
        return sum(
            now is None or not same(now.content, as_sent(then.content))
            for now, then in zip(self._there, self._given, strict=True)
            if now is not then
        )

    def lay(self, patch: Manifest, schema: Schema | None, lists: str = "kubectl") -> Manifest | None:
        """Change the target of a patch, and return it; None if the patch deletes it."""
        at = self._target(patch)
        target = self._there[at]
        if target is None:
            raise BadOverlay(
                f"{_patch_title(patch)}: an earlier patch deletes the object. Reorder the patches, or "
                "remove one of them"
            )
        if patch.content.get("$patch") == "delete":
            self._there[at] = None
            return None
        try:
            content = laid(target.content, patch.content, schema, lists)
        except MergeError as error:
            raise BadOverlay(f"{_patch_title(patch)}, applied to {target.place}: {error}") from None
        self._there[at] = target.with_content(content)
        return self._there[at]

    def _target(self, patch: Manifest) -> int:
        if not _name(patch):
            raise BadOverlay(f"{_patch_title(patch)}: no metadata.name, which identifies the target. Add it")
        kin = self._by_kind.get((_name(patch), patch.key), [])
        found = [at for at in kin if self._given[at].id == patch.id]
        if not found and not patch.content["metadata"].get("namespace"):
            found = kin
        if len(found) == 1:
            return found[0]
        if found:
            raise BadOverlay(
                f"{_patch_title(patch)}: {len(found)} targets, "
                f"{_listed(self._given[at] for at in found)}. {self._advice(found)}"
            )
        raise BadOverlay(f"{_patch_title(patch)}: no target. {self._near(patch)}")

    def _advice(self, found: list[int]) -> str:
        several = len({self._given[at].id for at in found}) > 1
        return "Add metadata.namespace" if several else "Remove one of them"

    def _near(self, patch: Manifest) -> str:
        """Suggestions for the intended target."""
        named = [one for one in self._given if _name(one) == _name(patch)]
        if named:
            return f"Objects with that name: {_listed(named)}"
        from difflib import get_close_matches

        kin = {_name(one): one for one in self._given if one.key == patch.key}
        near = get_close_matches(_name(patch), kin, n=3)
        if near:
            return f"Did you mean {' or '.join(near)}?"
        return f"No object is named {_name(patch)!r}. Check its name, or pass the file that contains it with -f"


def laid(
    target: dict[str, Any], patch: dict[str, Any], schema: Schema | None, lists: str = "kubectl"
) -> dict[str, Any]:
    """Overlay a partial manifest on the object: by the strategic rules of its kind, else as a JSON merge patch.

    A custom resource with a schema also supports the directives of strategic patches and, with `lists="schema"`, lists
    that merge by their keys.
    """
    target, patch = as_sent(target), as_sent(patch)
    directive = _directive(patch)
    if schema is not None and (takes_strategic(schema) or lists == "schema" or directive):
        return merged(target, patch, schema, lists)
    if directive:
        raise BadOverlay(f"{directive} requires the schema of the kind. Pass it with --schema, or remove the directive")
    return engine.json_apply_patch(target, patch)


def _directive(patch: Any) -> str | None:
    """A directive anywhere in a patch; None without one."""
    todo = [patch]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            for key in value:
                if is_directive(key):
                    return str(key)
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return None


def _name(manifest: Manifest) -> str:
    return str(manifest.content["metadata"].get("name") or "")


def _patch_title(patch: Manifest) -> str:
    namespace = patch.content["metadata"].get("namespace")
    return f"{patch.place}: the patch of {patch.title}{f' in {namespace}' if namespace else ''}"


def _listed(objects: Iterable[Manifest]) -> str:
    found = [
        f"{one.content['kind']} of {one.content['apiVersion']} "
        f"in {one.content['metadata'].get('namespace') or 'no namespace'} ({one.place})"
        for one in objects
    ]
    more = f" and {len(found) - 4} more" if len(found) > 4 else ""
    return " and ".join(found[:4]) + more
