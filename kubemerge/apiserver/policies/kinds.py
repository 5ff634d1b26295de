"""Policies, bindings and definitions among other objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.builtin_kinds import DEFINITION, POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..protocol import Object


def group_kind(content: Object) -> tuple[str, str]:
    """Return the group and kind of an object."""
    return str(content.get("apiVersion") or "").rpartition("/")[0], str(content.get("kind") or "")


def definitions_among(objects: Sequence[Object]) -> list[Object]:
    """Return the CustomResourceDefinitions, which params may need."""
    return [one for one in objects if group_kind(one) == DEFINITION]


def has_policies(objects: Sequence[Object]) -> bool:
    """Whether a policy or binding is among these objects."""
    return any(group_kind(one) in POLICIES for one in objects)
