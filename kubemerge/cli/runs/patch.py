"""`kubemerge patch` of live objects, continuing after failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ...actions.requests import NONE, sent
from ...actions.scale import SCALE, part_of
from ...actions.serverside.managers import PATCH
from ...manifests.objects import title
from ..failures import Failures
from ..options.clusters import ClusterLocation, opened
from ..options.objects import Selection, live_objects
from .result_lines import Results

if TYPE_CHECKING:
    from ...cluster import Object
    from ..options.outputs import Form

__all__ = ["PatchOptions", "Selection", "patch_live"]


@dataclass(frozen=True)
class PatchOptions:
    """How to patch."""

    patch_type: str
    subresource: str | None = None
    dry_run: str = NONE
    output: Form | None = None
    manager: str = PATCH
    show_managed_fields: bool = False


def patch_live(where: ClusterLocation, selection: Selection, patch: Any, how: PatchOptions) -> int:
    """Patch the selected live objects; returns the exit code."""
    failures = Failures()
    results = Results(how.output, managed_fields=how.show_managed_fields)  # kubectl mentions no dry run here
    scale = how.subresource == SCALE
    with opened(where, "change" if how.dry_run == NONE else "read") as cluster:
        for live in live_objects(cluster, selection, failures):
            with failures.catch(title(live)):
                before = part_of(cluster, live, SCALE) if scale else live
                after = sent(
                    cluster,
                    live,
                    patch,
                    how.patch_type,
                    how.dry_run,
                    manager=how.manager,
                    subresource=how.subresource,
                )
                results.done(after, "patched" if selection.config or _differ(before, after) else "patched (no change)")
    results.finish()
    return failures.exit_code


def _differ(before: Object, after: Object) -> bool:
    return encode(before) != encode(after)
