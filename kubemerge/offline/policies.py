"""Admission policies in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.policies.kinds import has_policies
from ..manifests.objects import manifests_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..manifests.files import Files


def policies_in(paths: Sequence[str], files: Files) -> list[dict[str, Any]]:
    """Return all objects in files and folders: policies, bindings, params and definitions."""
    read = files.contents(paths, recursive=True)
    found = [one.content for source, data in read for one in manifests_in(data, source)]
    if not has_policies(found):
        raise MergeError(f"no admission policy or binding in {', '.join(paths)}. Pass the files with both")
    return found
